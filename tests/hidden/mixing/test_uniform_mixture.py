"""Hidden tests of `uniform_mixture`."""

import math

import numpy as np
import pytest

from autograder.grading.suite import inputs_untouched, same

RIVER = [[0, 0, 0, 1], [0, 1, 0, .2], [.5, .5, .8, .2]]  # "the river bank"
MONEY = [[0, 0, 0, 1], [1, 0, 0, .2], [.5, .5, .8, .2]]


def slow_means(X):
    """n times the row of the columns' means."""
    columns = np.asarray(X, dtype=float).T.tolist()
    return np.array([[math.fsum(column) / len(column) for column in columns] for _ in columns[0]])


@pytest.mark.public
def test_the_plain_mean_of_both_sentences(student):
    """"The river bank": finance .17 and water .50 in every row. "The money bank": .50 and .17."""
    same(student.uniform_mixture(RIVER), [[.17, .50, .27, .47]] * 3, atol=5e-3)
    same(student.uniform_mixture(MONEY), [[.50, .17, .27, .47]] * 3, atol=5e-3)


@pytest.mark.gate
@pytest.mark.weight(2)
def test_every_row_is_the_mean(student, rng):
    """Every row of the result is the mean of all rows, and there are as many rows as before."""
    X = rng.uniform(-4, 4, (5, 3))
    same(student.uniform_mixture(X), slow_means(X))


def test_shapes(student, rng):
    """More coordinates than words, as many, or fewer."""
    for shape in ((2, 6), (4, 4), (7, 2)):
        X = rng.uniform(-4, 4, shape)
        same(student.uniform_mixture(X), slow_means(X))


def test_just_one(student, rng):
    """A single word is its own mean; words of a single coordinate have a mean like others."""
    for shape in ((1, 4), (4, 1)):
        X = rng.uniform(1, 4, shape)
        same(student.uniform_mixture(X), slow_means(X))


def test_kinds_of_numbers(student, rng):
    """Integers keep the fractions of their mean; lists and 32-bit floats work, too."""
    integers = rng.permutation([[0, 2], [1, 3], [4, 6]])  # the means are no integers
    same(student.uniform_mixture(integers), slow_means(integers))
    same(student.uniform_mixture(integers[:2].tolist()), slow_means(integers[:2]))
    single = rng.uniform(-4, 4, (3, 5)).astype(np.float32)
    same(student.uniform_mixture(single), slow_means(single))


def test_input_is_left_as_it_was(student, rng):
    """The rows that were handed in are the same after the call."""
    inputs_untouched(student.uniform_mixture, rng.uniform(-4, 4, (3, 4)))


def test_second_call(student, rng):
    """Other rows of the same shape give their own mean: nothing is remembered from call to call."""
    first, second = rng.uniform(-4, 4, (2, 4, 5))
    for X in (first, second, first):
        same(student.uniform_mixture(X), slow_means(X))
