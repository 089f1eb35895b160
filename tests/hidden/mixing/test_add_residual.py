"""Hidden tests of `add_residual`."""

import numpy as np
import pytest

from autograder.grading.suite import inputs_untouched, same


def slow_sum(X, H):
    """Y[i, k] = X[i, k] + H[i, k], one number after the other."""
    return np.array([[float(x) + float(h) for x, h in zip(*rows)] for rows in zip(X, H)])


@pytest.mark.public
def test_bank_keeps_itself(student):
    """Bank's row [.5 .5 .8 .2] and its mixture [.21 .52 .34 .41] give [.71 1.02 1.14 .61]."""
    same(student.add_residual([[.5, .5, .8, .2]], [[.21, .52, .34, .41]]), [[.71, 1.02, 1.14, .61]])


@pytest.mark.gate
@pytest.mark.weight(2)
def test_row_by_row(student, rng):
    """Every row of the result is the old row plus its mixture."""
    X, H = rng.uniform(1, 4, (2, 5, 3))
    same(student.add_residual(X, H), slow_sum(X, H))


def test_shapes(student, rng):
    """One word, one coordinate, or more coordinates than words."""
    for shape in ((1, 4), (4, 1), (3, 6)):
        X, H = rng.uniform(-4, 4, (2, *shape))
        same(student.add_residual(X, H), slow_sum(X, H))


def test_nothing_to_add(student, rng):
    """A mixture of zeros leaves the words as they were, and words of zeros leave the mixture."""
    rows, zeros = rng.uniform(1, 4, (4, 2)), np.zeros((4, 2))
    same(student.add_residual(rows, zeros), rows)
    same(student.add_residual(zeros, rows), rows)


def test_kinds_of_numbers(student, rng):
    """Integer words keep the fractions of their mixture, and 32-bit floats are as good as others."""
    X, H = rng.integers(-4, 5, (3, 2)), rng.uniform(.1, .9, (3, 2))
    same(student.add_residual(X, H), slow_sum(X, H))
    same(student.add_residual(H, X), slow_sum(X, H))
    X, H = rng.uniform(-4, 4, (2, 2, 4)).astype(np.float32)
    same(student.add_residual(X, H), slow_sum(X, H))


def test_lists(student, rng):
    """Two nested lists are added entry by entry."""
    X, H = rng.uniform(1, 4, (2, 4, 3)).tolist()
    same(student.add_residual(X, H), slow_sum(X, H))


def test_inputs_are_left_as_they_were(student, rng):
    """The words and the mixtures that were handed in are the same after the call."""
    inputs_untouched(student.add_residual, *rng.uniform(1, 4, (2, 3, 4)))


def test_second_call(student, rng):
    """Other arguments of the same shape give their own sum: nothing is remembered from call to call."""
    first, second = rng.uniform(1, 4, (2, 2, 2, 5))
    for X, H in (first, second, first):
        same(student.add_residual(X, H), slow_sum(X, H))
