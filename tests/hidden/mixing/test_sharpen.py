"""Hidden tests of `sharpen`."""

import math

import numpy as np
import pytest

from autograder.grading.suite import inputs_untouched, same

pytestmark = pytest.mark.leans_on("softmax")


def slow_sharpen(scores, factor):
    """share_i = 1 / sum_j exp(factor (s_j - s_i)): ratios of shares, one after the other."""
    scores = np.asarray(scores, dtype=float)
    shares = [
        [1 / math.fsum(math.exp(factor * (other - score)) for other in row) for score in row]
        for row in scores.reshape(-1, scores.shape[-1]).tolist()
    ]
    return np.array(shares).reshape(scores.shape)


def quarters(rng, shape):
    """Multiples of .25 between -2 and 2: adding 1000 loses no digit of them, in float32 either."""
    return rng.integers(-8, 9, shape) / 4


@pytest.mark.public
def test_bank_with_factor_5(student):
    """With factor 5, bank's scores [.10 .27 .59] become the shares [.067 .157 .776]."""
    same(student.sharpen([.10, .27, .59], 5), [.067, .157, .776], atol=5e-4)


@pytest.mark.public
def test_bank_with_a_tenth(student):
    """With factor .1, bank's scores [.10 .27 .59] become the shares [.326 .332 .342]."""
    same(student.sharpen([.10, .27, .59], .1), [.326, .332, .342], atol=5e-4)


@pytest.mark.gate
def test_both_extremes(student, rng):
    """A large factor gives practically all to the largest score of each row, a tiny one equal shares."""
    scores = rng.permuted(np.tile([-1, -.5, .25, 1.75, 2.5], (4, 1)), axis=1)
    same(student.sharpen(scores, 64), np.where(scores == 2.5, 1., 0.))
    same(student.sharpen(scores, 1e-6), np.full((4, 5), .2))


@pytest.mark.weight(3)
def test_factors(student, rng):
    """The shares are the softmax of factor times the scores, row by row, for factors above and below one."""
    for factor in (2.5, .4):
        scores = rng.uniform(-2, 2, (5, 4))
        same(student.sharpen(scores, factor), slow_sharpen(scores, factor))


def test_factor_1(student, rng):
    """A factor of 1 gives plain softmax: the scores are used as they are, however many there are."""
    for shape in ((4, 3), (2, 9)):
        scores = rng.uniform(-2, 2, shape)
        same(student.sharpen(scores, 1), slow_sharpen(scores, 1))


def test_factor_0(student, rng):
    """A factor of 0 gives equal shares."""
    same(student.sharpen(rng.uniform(-2, 2, (3, 5)), 0), np.full((3, 5), .2))


def test_order_of_the_shares(student, rng):
    """A positive factor keeps the order of the scores and leaves nobody without a share."""
    scores = rng.permutation([-.5, 0, .25, 1])
    for factor in (.05, 20):
        shares = student.sharpen(scores, factor)
        same(shares, slow_sharpen(scores, factor))
        same(shares, slow_sharpen(scores, factor), atol=0, rtol=.1)  # the small ones as well


def test_negative_factor(student, rng):
    """A negative factor turns the order around."""
    scores = rng.uniform(-2, 2, (3, 4))
    same(student.sharpen(scores, -1.5), slow_sharpen(scores, -1.5))


def test_dimensions(student, rng):
    """One row alone, or three dimensions: the shares sum to one along the last axis."""
    for shape in ((7,), (2, 3, 5)):
        scores = rng.uniform(-2, 2, shape)
        same(student.sharpen(scores, 1.5), slow_sharpen(scores, 1.5))


def test_large_products(student, rng):
    """Products of several thousand, positive or negative, give finite and correct shares."""
    scores = quarters(rng, (3, 4))
    same(student.sharpen(scores + 1000, 5), slow_sharpen(scores, 5))
    same(student.sharpen(scores - 1000, 5), slow_sharpen(scores, 5))


def test_kinds_of_numbers(student, rng):
    """Nested lists, integers and 32-bit floats give the same shares as an array of ordinary floats."""
    integers = rng.permuted(np.tile([-1, 0, 1, 3], (3, 1)), axis=1)
    same(student.sharpen(integers, .5), slow_sharpen(integers, .5))
    same(student.sharpen(integers[0].tolist(), 2), slow_sharpen(integers[0], 2))
    single = rng.uniform(-2, 2, (2, 6)).astype(np.float32)
    same(student.sharpen(single, 1.5), slow_sharpen(single, 1.5))


def test_input_is_left_as_it_was(student, rng):
    """The scores that were handed in are the same after the call."""
    inputs_untouched(student.sharpen, rng.uniform(-2, 2, (3, 4)), 2.5)


def test_second_call(student, rng):
    """Other scores or another factor give shares of their own: nothing is remembered between calls."""
    first, second = rng.uniform(-2, 2, (2, 2, 4))
    for scores, factor in ((first, 2), (second, 2), (first, .5)):
        same(student.sharpen(scores, factor), slow_sharpen(scores, factor))
