"""Hidden tests of `repeated_tokens`. What is counted strays less than six standard deviations, except once in
a hundred million gradings."""

import numpy as np
import pytest

from autograder.compare import to_array
from autograder.grading.suite import Mismatch, pair, same, torch_rng


def seed(rng):
    return int(rng.integers(2**31))


def numbers(value, shape):
    """An array of that shape; Mismatch where it is none."""
    same(value, np.zeros(shape), atol=1e9)
    return to_array(value)


def texts(result, batch, length):
    """Tokens and periods as arrays."""
    tokens, periods = pair(result, "(tokens, periods)")
    return numbers(tokens, (batch, length)), numbers(periods, (batch,))


def drawn(student, rng, batch, length, *rest):
    """Texts from a generator; the global one is in a known state, for whoever draws from it."""
    student.seed_generators(0)
    return texts(student.repeated_tokens(batch, length, *rest, torch_rng(seed(rng))), batch, length)


def as_often(values, expected):
    """Each of the expected values makes up an equal part, and there is no other."""
    if not set(np.unique(values)) <= set(expected):
        raise Mismatch("Something was drawn that is out of range.")
    share = 1 / len(expected)
    stray = 6 * np.sqrt(share * (1 - share) / np.size(values))
    for each in expected:
        if abs(np.mean(values == each) - share) > stray:
            raise Mismatch("Some values are drawn too often or too rarely.")


def repeats(tokens, periods):
    """Each place holds the token one period before it."""
    for text, period in zip(tokens, periods.astype(int)):
        if not 1 <= period <= len(text):
            raise Mismatch("A period is out of range.")
        same(text[period:], text[:len(text) - period])


@pytest.mark.gate
@pytest.mark.weight(2)
def test_a_block_is_repeated(student, rng):
    """A text of more than one token repeats its beginning after each period."""
    tokens, periods = drawn(student, rng, 4, 20, 1000, 4, 8)
    repeats(tokens, periods)
    if len(set(tokens[0])) < 3:
        raise Mismatch("The tokens of a block are all alike.")


@pytest.mark.weight(2)
def test_sizes(student, rng):
    """Any number of texts and tokens, a period of 1, one as long as the text, one that does not divide it."""
    cases = (1, 7, 9, 1, 1), (5, 6, 4, 6, 6), (3, 11, 30, 2, 7), (40, 9, 5, 1, 9)
    for batch, length, vocab, low, high in cases:
        tokens, periods = drawn(student, rng, batch, length, vocab, low, high)
        repeats(tokens, periods)
        if periods.min() < low or periods.max() > high or tokens.min() < 0 or tokens.max() >= vocab:
            raise Mismatch("Something was drawn that is out of range.")


@pytest.mark.weight(3)
def test_periods(student, rng):
    """Each text has a period of its own, all from the smallest to the largest equally often."""
    for low, high in ((3, 6), (1, 2)):
        _, periods = drawn(student, rng, 600, 6, 9, low, high)
        as_often(periods, range(low, high + 1))


@pytest.mark.weight(2)
def test_tokens(student, rng):
    """At each place of a block, all tokens of the vocabulary are equally likely."""
    tokens, _ = drawn(student, rng, 600, 4, 5, 4, 4)
    for place in tokens.T:
        as_often(place, range(5))


@pytest.mark.weight(2)
def test_with_replacement(student, rng):
    """A token may come twice in a block, as often as chance has it; it may be longer than the vocabulary."""
    tokens, _ = drawn(student, rng, 800, 2, 6, 2, 2)
    twice = np.mean(tokens[:, 0] == tokens[:, 1])
    if abs(twice - 1 / 6) > 6 * np.sqrt(5 / 36 / 800):
        raise Mismatch("Two tokens of a block are equal too often or too rarely.")
    repeats(*drawn(student, rng, 3, 12, 3, 10, 10))


def test_blocks_of_their_own(student, rng):
    """Each text has a block of its own."""
    tokens, _ = drawn(student, rng, 30, 9, 1000, 5, 5)
    if len(np.unique(tokens, axis=0)) < 30:
        raise Mismatch("Several texts have the same block.")


def test_whole_numbers(student, rng):
    """Tokens and periods are whole numbers, not floats that look so."""
    for part in drawn(student, rng, 3, 8, 5, 2, 4):
        if part.dtype.kind not in "iu":
            raise Mismatch("Tokens and periods must be whole numbers (LongTensors).")


@pytest.mark.weight(2)
def test_all_chance_is_the_generators(student, rng):
    """Generators in the same state give the same texts, whatever else was drawn; others give others."""
    one, other = seed(rng), seed(rng)
    found = []
    for state, number in ((1, one), (2, one), (2, other)):
        student.seed_generators(state)
        found.append(texts(student.repeated_tokens(6, 20, 1000, 6, 18, torch_rng(number)), 6, 20))
    same(found[1][0], found[0][0])
    same(found[1][1], found[0][1])
    if np.array_equiv(found[2][0], found[0][0]):
        raise Mismatch("Different generators give the same texts.")


@pytest.mark.weight(2)
def test_the_generator_goes_on(student, rng):
    """The same generator gives other texts in the next call."""
    generator = student.given("generator", seed(rng))
    student.seed_generators(0)
    one, two = (texts(student.repeated_tokens(5, 9, 1000, 4, 9, generator), 5, 9)[0] for _ in range(2))
    if np.array_equiv(one, two):
        raise Mismatch("Two calls with one generator give the same texts.")
