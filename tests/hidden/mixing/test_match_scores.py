"""Hidden tests of `match_scores`."""

import math

import numpy as np
import pytest

from autograder.grading.suite import inputs_untouched, same

RIVER = [[0, 0, 0, 1], [0, 1, 0, .2], [.5, .5, .8, .2]]  # "the river bank"


def slow_scores(X):
    """S[i, j] = sum_k X[i, k] X[j, k] / sqrt(d), one product after the other."""
    rows = np.asarray(X, dtype=float).tolist()
    products = [[math.fsum(a * b for a, b in zip(x, y)) for y in rows] for x in rows]
    return np.array([[product / math.sqrt(len(rows[0])) for product in row] for row in products])


@pytest.mark.public
def test_the_river_bank(student):
    """The scores of "the river bank" come out as printed, bank's row [.10 .27 .59] among them."""
    same(student.match_scores(RIVER), [[.50, .10, .10], [.10, .52, .27], [.10, .27, .59]])


@pytest.mark.gate
@pytest.mark.weight(2)
def test_every_pair_of_rows(student, rng):
    """Every row meets every row, itself included (with one coordinate, a score is a plain product)."""
    X = rng.uniform(-3, 3, (6, 1))
    same(student.match_scores(X), slow_scores(X))


@pytest.mark.weight(3)
def test_widths_and_numbers_of_rows(student, rng):
    """A score is a dot product over the square root of the width, for any width and number of rows."""
    for shape in ((5, 3), (3, 7), (4, 16)):
        X = rng.uniform(-3, 3, shape)
        same(student.match_scores(X), slow_scores(X))


def test_twice_as_long(student, rng):
    """A row twice as long has scores twice as large with the others, and four times as large with itself."""
    X = rng.uniform(-3, 3, (4, 5))
    expected = slow_scores(X)
    expected[1, :] *= 2
    expected[:, 1] *= 2
    X[1] *= 2
    same(student.match_scores(X), expected)


def test_row_of_zeros(student, rng):
    """A row of zeros scores 0 with every row, and the other scores do not mind it."""
    X = rng.uniform(-3, 3, (4, 3))
    X[2] = 0
    same(student.match_scores(X), slow_scores(X))


def test_single_row(student, rng):
    """A sentence of one word gives a table of one score."""
    X = rng.uniform(.2, 1, (1, 5))
    same(student.match_scores(X), slow_scores(X))


def test_kinds_of_numbers(student, rng):
    """Nested lists, integers and 32-bit floats give the same scores as an array of ordinary floats."""
    integers = rng.permutation([[-2, 1, 3], [3, 1, -2], [1, 3, -2], [1, -2, 3]])
    same(student.match_scores(integers), slow_scores(integers))
    same(student.match_scores(integers[1:].tolist()), slow_scores(integers[1:]))
    single = rng.uniform(-3, 3, (2, 6)).astype(np.float32)
    same(student.match_scores(single), slow_scores(single))


def test_input_is_left_as_it_was(student, rng):
    """The rows that were handed in are the same after the call."""
    inputs_untouched(student.match_scores, rng.uniform(-3, 3, (3, 5)))


def test_second_call(student, rng):
    """Other rows of the same shape give their own scores: nothing is remembered from call to call."""
    first, second = rng.uniform(-3, 3, (2, 5, 6))
    for X in (first, second, first):
        same(student.match_scores(X), slow_scores(X))
