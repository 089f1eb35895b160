"""Hidden tests of `masked_softmax`."""

import math

import numpy as np
import pytest

from autograder.grading.suite import inputs_untouched, same

SCORES = [[.5, .1, .1], [.1, .52, .27], [.1, .27, .59]]  # "the river bank", as printed
LATER = [[False, True, True], [False, False, True], [False, False, False]]


def slow_shares(scores, forbidden):
    """share_i = 1 / sum over the allowed j of exp(s_j - s_i), row by row; 0 where forbidden."""
    scores = np.asarray(scores, dtype=float)
    barred = np.broadcast_to(np.asarray(forbidden), scores.shape)
    shares = np.zeros(scores.shape)
    for place in np.ndindex(*scores.shape):
        row, bars = scores[place[:-1]].tolist(), barred[place[:-1]].tolist()
        if not bars[place[-1]]:
            others = (other for other, bar in zip(row, bars) if not bar)
            shares[place] = 1 / math.fsum(math.exp(other - row[place[-1]]) for other in others)
    return shares


def some_mask(rng, rows, columns):
    """Two or three entries of every row forbidden, never all of them."""
    order = rng.permuted(np.tile(np.arange(columns), (rows, 1)), axis=1)
    return order < rng.integers(2, 4, (rows, 1))


@pytest.mark.public
def test_the_river_bank(student):
    """The causal rows of "the river bank" are [1 0 0], [.3965 .6035 0], [.2619 .3105 .4276]."""
    expected = [[1, 0, 0], [.3965, .6035, 0], [.2619, .3105, .4276]]
    same(student.masked_softmax(SCORES, LATER), expected, atol=6e-5)


@pytest.mark.gate
@pytest.mark.weight(3)
def test_shares_among_the_allowed(student, rng):
    """The allowed entries of each row share everything, in the ratios of their exponentials."""
    scores, forbidden = rng.uniform(-2, 2, (4, 6)), some_mask(rng, 4, 6)
    same(student.masked_softmax(scores, forbidden), slow_shares(scores, forbidden))


@pytest.mark.weight(2)
def test_exact_zeros(student, rng):
    """Where reading is forbidden, the share is exactly 0, even if the score there is the largest."""
    scores, forbidden = rng.uniform(-2, 2, (5, 7)), some_mask(rng, 5, 7)
    scores[forbidden] += 3
    shares = student.masked_softmax(scores, forbidden)
    same(shares, slow_shares(scores, forbidden))
    same(np.asarray(shares, dtype=float)[forbidden], np.zeros(forbidden.sum()), atol=0)


@pytest.mark.weight(2)
def test_nothing_allowed(student, rng):
    """A row with nothing allowed raises ValueError, whatever the other rows allow."""
    scores, forbidden = rng.uniform(-2, 2, (4, 5)), some_mask(rng, 4, 5)
    forbidden[rng.integers(4)] = True
    with student.raises(ValueError):
        student.masked_softmax(scores, forbidden)


def test_nothing_allowed_to_anybody(student, rng):
    """A mask that forbids everything raises ValueError, be it one row for all readers or a single True."""
    for nothing in ([True] * 5, True):
        with student.raises(ValueError):
            student.masked_softmax(rng.uniform(-2, 2, (4, 5)), nothing)


def test_nothing_allowed_in_a_stack(student, rng):
    """One row with nothing allowed, in one matrix of a stack, raises ValueError."""
    forbidden = np.zeros((2, 3, 4), dtype=bool)
    forbidden[1, rng.integers(3)] = True
    with student.raises(ValueError):
        student.masked_softmax(rng.uniform(-2, 2, (2, 3, 4)), forbidden)


def test_score_of_zero(student, rng):
    """An allowed score of exactly 0 earns its share, also if all scores of the row are 0."""
    scores, forbidden = rng.uniform(-2, 2, (4, 6)), some_mask(rng, 4, 6)
    scores[:2, :4] = 0
    scores[3] = 0
    same(student.masked_softmax(scores, forbidden), slow_shares(scores, forbidden))


def test_forbidden_scores_have_no_say(student, rng):
    """Other scores in the forbidden places change nothing."""
    scores, forbidden = rng.uniform(-2, 2, (3, 5)), some_mask(rng, 3, 5)
    expected = slow_shares(scores, forbidden)
    scores[forbidden] = rng.uniform(-9, 9, forbidden.sum())
    same(student.masked_softmax(scores, forbidden), expected)


def test_one_row_for_all(student, rng):
    """One row of the mask serves every reader, as (m,) or as (1, m)."""
    scores, forbidden = rng.uniform(-2, 2, (5, 4)), rng.permutation([True, False, True, False])
    same(student.masked_softmax(scores, forbidden), slow_shares(scores, forbidden))
    same(student.masked_softmax(scores, forbidden[None]), slow_shares(scores, forbidden))


def test_nothing_forbidden(student, rng):
    """A single False leaves plain softmax, in any number of dimensions."""
    for shape in ((7,), (4, 3), (2, 3, 5)):
        scores = rng.uniform(-2, 2, shape)
        same(student.masked_softmax(scores, False), slow_shares(scores, False))


def test_stack(student, rng):
    """A stack of matrices with one mask for all, or with a mask for each; a single row with its own."""
    scores = rng.uniform(-2, 2, (2, 3, 5))
    for forbidden in (some_mask(rng, 3, 5), np.stack([some_mask(rng, 3, 5), some_mask(rng, 3, 5)])):
        same(student.masked_softmax(scores, forbidden), slow_shares(scores, forbidden))
    forbidden = some_mask(rng, 1, 5)[0]
    same(student.masked_softmax(scores[0, 0], forbidden), slow_shares(scores[0, 0], forbidden))


def test_one_allowed(student, rng):
    """Who may read one source only gives it everything."""
    scores, forbidden = rng.uniform(-2, 2, (4, 4)), rng.permutation(~np.eye(4, dtype=bool))
    same(student.masked_softmax(scores, forbidden), ~forbidden * 1.)


@pytest.mark.weight(2)
def test_extreme_scores(student, rng):
    """Rows of scores near +1000 or near -1000 give finite and correct shares."""
    forbidden = some_mask(rng, 4, 6)
    for shift in (1000, -1000):
        scores = rng.integers(-8, 9, (4, 6)) / 4 + shift
        same(student.masked_softmax(scores, forbidden), slow_shares(scores, forbidden))


def test_large_differences(student, rng):
    """Scores eight times as large: the shares are sharp, and still correct."""
    scores, forbidden = 8 * rng.uniform(-4, 4, (4, 6)), some_mask(rng, 4, 6)
    same(student.masked_softmax(scores, forbidden), slow_shares(scores, forbidden))


def test_kinds_of_numbers(student, rng):
    """Nested lists, integers and 32-bit floats give the same shares as an array of ordinary floats."""
    integers, forbidden = rng.permuted(np.tile(np.arange(-2, 3), (3, 1)), axis=1), some_mask(rng, 3, 5)
    same(student.masked_softmax(integers, forbidden), slow_shares(integers, forbidden))
    same(student.masked_softmax(integers.tolist(), forbidden.tolist()), slow_shares(integers, forbidden))
    single = rng.uniform(-2, 2, (3, 5)).astype(np.float32)
    same(student.masked_softmax(single, forbidden), slow_shares(single, forbidden))


def test_inputs_are_left_as_they_were(student, rng):
    """The scores and the mask that were handed in are the same after the call."""
    inputs_untouched(student.masked_softmax, rng.uniform(-2, 2, (3, 4)), some_mask(rng, 3, 4))
    inputs_untouched(student.masked_softmax, rng.uniform(-2, 2, (3, 4)), [False, True, False, True])


def test_second_call(student, rng):
    """Other scores or another mask of the same shape give shares of their own."""
    first, second = ((rng.uniform(-2, 2, (3, 5)), some_mask(rng, 3, 5)) for _ in range(2))
    for scores, forbidden in (first, second, (first[0], second[1]), first):
        same(student.masked_softmax(scores, forbidden), slow_shares(scores, forbidden))
