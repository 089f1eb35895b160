"""Hidden tests of `longest_path`."""

import pytest

from autograder.grading.suite import same


def walk(neighbors, n):
    """Steps from the first of n words to the one that is reached last, going from word to word."""
    reached, front, steps = {0}, {0}, 0
    while len(reached) < n:
        front = {j for i in front for j in neighbors(i) if j < n} - reached
        reached |= front
        steps += 1
    return steps


@pytest.mark.public
def test_two_words(student):
    """Two neighbors are one step apart, whatever the kind."""
    for kind in ("recurrent", "attention"):
        same(student.longest_path(kind, 2), 1, atol=1e-9, rtol=0)


@pytest.mark.gate
def test_grows_with_the_text(student, rng):
    """The path of a recurrent network grows with the text."""
    for n in (5, int(rng.integers(40, 60))):
        same(student.longest_path("recurrent", n), n, atol=2.5, rtol=0)


@pytest.mark.weight(3)
def test_recurrent(student, rng):
    """From state to state, word by word."""
    for n in (3, 4, int(rng.integers(6, 30)), int(rng.integers(100, 200))):
        same(student.longest_path("recurrent", n), walk(lambda i: [i + 1], n), atol=1e-9, rtol=0)


@pytest.mark.weight(3)
def test_attention(student, rng):
    """Every word reads every other directly."""
    for n in (3, int(rng.integers(6, 30)), int(rng.integers(100, 200))):
        expected = walk(lambda i, n=n: range(n), n)
        same(student.longest_path("attention", n), expected, atol=1e-9, rtol=0)
