"""Hidden tests of `compatibility_form`."""

import math

import numpy as np
import pytest

from autograder.compare import to_array
from autograder.grading.suite import inputs_untouched, same


def slow_form(Wq, Wk):
    """M[a, b] = sum_c Wq[a, c] Wk[b, c], one product after the other."""
    queries, keys = (np.asarray(W, dtype=float).tolist() for W in (Wq, Wk))
    return np.array([[math.fsum(p * q for p, q in zip(a, b)) for b in keys] for a in queries])


@pytest.mark.public
def test_maps_of_the_page(student):
    """The two maps of the page give [[1 0 0] [0 0 1] [1 0 1]]."""
    Wq, Wk = [[1, 0], [0, 1], [1, 1]], [[1, 0], [0, 0], [0, 1]]
    same(student.compatibility_form(Wq, Wk), [[1, 0, 0], [0, 0, 1], [1, 0, 1]])


@pytest.mark.gate
@pytest.mark.weight(2)
def test_tall_maps(student, rng):
    """Entry [a, b] joins the reader's coordinate a with the source's coordinate b, over all d_k channels."""
    Wq, Wk = rng.uniform(-3, 3, (2, 5, 3))
    same(student.compatibility_form(Wq, Wk), slow_form(Wq, Wk))


@pytest.mark.weight(2)
def test_scores(student, rng):
    """For any two rows, x M yᵀ is the dot product of x's query and y's key."""
    Wq, Wk, X, Y = *rng.uniform(-2, 2, (2, 6, 2)), *rng.uniform(-2, 2, (2, 4, 6))
    M = student.compatibility_form(Wq, Wk)
    same(M, np.zeros((6, 6)), atol=np.inf)  # the shape, and that it holds numbers
    scores = [[np.dot(x @ Wq, y @ Wk) for y in Y] for x in X]
    same(X @ to_array(M).astype(float) @ Y.T, scores)


def test_shapes(student, rng):
    """As many channels as coordinates, or more; one of either."""
    for d, d_k in ((4, 4), (3, 7), (1, 3), (5, 1)):
        Wq, Wk = rng.uniform(-3, 3, (2, d, d_k))
        same(student.compatibility_form(Wq, Wk), slow_form(Wq, Wk))


def test_exchanged_maps(student, rng):
    """If queries and keys exchange their maps, M is transposed."""
    Wq, Wk = rng.uniform(-3, 3, (2, 4, 3))
    same(student.compatibility_form(Wk, Wq), slow_form(Wq, Wk).T)


def test_unread_coordinates(student, rng):
    """A coordinate that Wq does not read gives a row of zeros, one that Wk does not read a column."""
    Wq, Wk = rng.uniform(1, 3, (2, 5, 3))
    Wq[1], Wk[3] = 0, 0
    same(student.compatibility_form(Wq, Wk), slow_form(Wq, Wk))


def test_kinds_of_numbers(student, rng):
    """Nested lists, integers and 32-bit floats give the same matrix as arrays of ordinary floats."""
    Wq, Wk = rng.permutation([[1, 2], [2, -1], [0, 3]]), rng.permutation([[4, -2], [1, 1], [3, 0]])
    same(student.compatibility_form(Wq, Wk), slow_form(Wq, Wk))
    same(student.compatibility_form(Wq.tolist(), Wk.tolist()), slow_form(Wq, Wk))
    Wq, Wk = rng.uniform(-3, 3, (2, 2, 4)).astype(np.float32)
    same(student.compatibility_form(Wq, Wk), slow_form(Wq, Wk))


def test_inputs_are_left_as_they_were(student, rng):
    """The maps that were handed in are the same after the call."""
    inputs_untouched(student.compatibility_form, *rng.uniform(1, 3, (2, 4, 3)))


def test_second_call(student, rng):
    """Other maps of the same shape give their own matrix: nothing is remembered from call to call."""
    first, second = rng.uniform(-3, 3, (2, 2, 4, 2))
    for Wq, Wk in (first, second, first):
        same(student.compatibility_form(Wq, Wk), slow_form(Wq, Wk))
