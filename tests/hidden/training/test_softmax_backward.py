"""Hidden tests of `softmax_backward`."""

import math

import numpy as np
import pytest

from autograder.compare import to_array
from autograder.grading.suite import Mismatch, inputs_untouched, same


def some_rows(rng, n, m, size=2.):
    """Rows of shares, and a gradient for them that does not add up to zero."""
    raw = np.exp(rng.uniform(-size, size, (n, m)))
    return raw / raw.sum(axis=1, keepdims=True), rng.uniform(-2, 3, (n, m))


def slow_backward(A, dA):
    """By the Jacobian of each row: share k changes with score j by A_k (δ_kj − A_j)."""
    dS = np.zeros(np.shape(A))
    for i, (row, slopes) in enumerate(zip(A, dA)):
        for j in range(len(row)):
            steps = [row[k] * ((k == j) - row[j]) for k in range(len(row))]
            dS[i, j] = math.fsum(slope * step for slope, step in zip(slopes, steps))
    return dS


@pytest.mark.public
def test_page(student):
    """The row .5, .25, .25 with the slopes 1, 0, 0."""
    same(student.softmax_backward([[.5, .25, .25]], [[1, 0, 0]]), [[.25, -.125, -.125]])


@pytest.mark.gate
def test_direction(student, rng):
    """On the whole, scores whose shares should grow get larger gradients; turned around, smaller ones."""
    A, dA = some_rows(rng, 3, 4)
    for slopes in (dA, -dA):
        got, right = student.softmax_backward(A, slopes), slow_backward(A, slopes)
        same(got, np.zeros(A.shape), atol=1e9)
        got = to_array(got).astype(float)
        if not (got * right).sum() > .3 * np.linalg.norm(got) * np.linalg.norm(right) > 0:
            raise Mismatch("The gradients point elsewhere.")


@pytest.mark.weight(3)
def test_values(student, rng):
    """Every entry, for rows of several lengths."""
    for n, m in ((3, 5), (4, 2), (2, 7), (5, 5)):
        A, dA = some_rows(rng, n, m)
        same(student.softmax_backward(A, dA), slow_backward(A, dA))


def test_one_row(student, rng):
    """A single row, of three shares."""
    A, dA = some_rows(rng, 1, 3)
    same(student.softmax_backward(A, dA), slow_backward(A, dA))


def test_rows_add_up_to_zero(student, rng):
    """The gradients of a row add up to 0: a number added to all scores changes no share."""
    A, dA = some_rows(rng, 4, 6)
    got = student.softmax_backward(A, dA)
    same(got, slow_backward(A, dA))
    same(to_array(got).sum(axis=1), np.zeros(4))


def test_equal_slopes(student, rng):
    """Where the loss changes alike with all shares of a row, nothing can be gained: zeros."""
    A, _ = some_rows(rng, 3, 4)
    same(student.softmax_backward(A, np.array([[2.] * 4, [-1] * 4, [.5] * 4])), np.zeros((3, 4)))


def test_saturated_rows(student, rng):
    """A row with a single 1 gives zeros; a row near it next to nothing."""
    A = np.array([[0., 1, 0], [.001, .998, .001], [1, 0, 0]])
    dA = rng.uniform(1, 3, (3, 3))
    same(student.softmax_backward(A, dA), slow_backward(A, dA), atol=1e-6)


def test_kinds_of_numbers(student, rng):
    """Lists, integers and 32-bit floats give the same result as arrays of ordinary floats."""
    A, whole = [[.5, .25, .25], [.125, .375, .5]], rng.integers(-3, 4, (2, 3))
    for slopes in (whole, whole.tolist()):
        same(student.softmax_backward(A, slopes), slow_backward(A, whole))
    hard = np.array([[1, 0, 0], [0, 0, 1]])
    same(student.softmax_backward(hard, whole), np.zeros((2, 3)))
    A, dA = (part.astype(np.float32) for part in some_rows(rng, 3, 4))
    same(student.softmax_backward(A, dA), slow_backward(A.astype(float), dA.astype(float)))


def test_inputs_are_left_as_they_were(student, rng):
    """Both arguments are the same after the call."""
    A, dA = some_rows(rng, 3, 4)
    same(inputs_untouched(student.softmax_backward, A, dA), slow_backward(A, dA))
