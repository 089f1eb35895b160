"""Hidden tests of `coherence`."""

import math

import numpy as np
import pytest

from autograder.grading.suite import inputs_untouched, same


def slow_coherence(F):
    """The largest |cosine|, pair by pair."""
    rows = np.asarray(F, dtype=float).tolist()
    lengths = [math.hypot(*row) for row in rows]
    overlaps = [
        abs(math.fsum(a * b for a, b in zip(rows[i], rows[j]))) / lengths[i] / lengths[j]
        for i in range(len(rows)) for j in range(i)
    ]
    return max(overlaps)


@pytest.mark.public
def test_star_of_the_page(student):
    """Five directions spread evenly over the plane have a coherence of .81."""
    turns = 2 * np.pi * np.arange(5) / 5
    same(student.coherence(np.stack([np.cos(turns), np.sin(turns)], axis=1)), .809, atol=1e-3)


@pytest.mark.gate
@pytest.mark.weight(2)
def test_largest_overlap(student, rng):
    """Of all pairs of different rows, the pair with the largest overlap counts."""
    for shape in ((4, 6), (3, 7)):
        F = rng.uniform(-3, 3, shape)
        same(student.coherence(F), slow_coherence(F))


def test_more_rows_than_coordinates(student, rng):
    """There may be more directions than coordinates, or as many."""
    for shape in ((7, 5), (5, 5), (9, 4)):
        F = rng.uniform(-3, 3, shape)
        same(student.coherence(F), slow_coherence(F))


@pytest.mark.weight(2)
def test_opposite_directions(student, rng):
    """Rows that point almost opposite ways overlap as much as rows that point almost the same way."""
    F = np.linalg.qr(rng.standard_normal((6, 6)))[0][:4]
    F[3] = rng.uniform(.2, .4) * F[3] - F[0]
    same(student.coherence(F[rng.permutation(4)]), slow_coherence(F))


@pytest.mark.weight(2)
def test_lengths(student, rng):
    """Lengths do not count: long rows and short rows overlap as their directions do."""
    F = rng.uniform(-3, 3, (4, 5))
    expected = slow_coherence(F)
    same(student.coherence(F * rng.permutation([[1e-3], [1], [40], [1e4]])), expected)
    same(student.coherence(F / 50), expected)


def test_perpendicular_rows(student, rng):
    """Rows that are perpendicular to each other have a coherence of 0, whatever their lengths."""
    F = np.linalg.qr(rng.standard_normal((5, 5)))[0][:3] * [[2], [.1], [7]]
    same(student.coherence(F), 0)


def test_parallel_rows(student, rng):
    """Two rows that are parallel, opposite or equal have a coherence of 1, wherever they stand."""
    for factor in (3, -.5, 1):
        F = np.linalg.qr(rng.standard_normal((6, 6)))[0][:4]
        F[3] = factor * F[0]
        same(student.coherence(F), 1)


def test_two_rows(student, rng):
    """Two rows are enough, and so is a single coordinate."""
    F = rng.uniform(-3, 3, (2, 4))
    same(student.coherence(F), slow_coherence(F))
    same(student.coherence(rng.uniform(1, 3, (3, 1)) * [[1], [-1], [1]]), 1)


def test_turned_rows(student, rng):
    """Turning all rows together, or sorting them otherwise, changes nothing."""
    F, turn = rng.uniform(-3, 3, (5, 4)), np.linalg.qr(rng.standard_normal((4, 4)))[0]
    same(student.coherence((F @ turn)[rng.permutation(5)]), slow_coherence(F))


def test_kinds_of_numbers(student, rng):
    """Nested lists, integers and 32-bit floats give the same number as an array of ordinary floats."""
    integers = rng.permutation([[3, 1, -2, 1], [1, -3, 2, 0], [2, 2, 1, -1]])
    same(student.coherence(integers), slow_coherence(integers))
    same(student.coherence(integers.tolist()), slow_coherence(integers))
    single = rng.uniform(-3, 3, (3, 5)).astype(np.float32)
    same(student.coherence(single), slow_coherence(single))


def test_input_is_left_as_it_was(student, rng):
    """The rows that were handed in are the same after the call."""
    inputs_untouched(student.coherence, rng.uniform(-3, 3, (4, 3)))


def test_second_call(student, rng):
    """Other rows of the same shape give their own number: nothing is remembered from call to call."""
    first, second = rng.uniform(-3, 3, (2, 3, 5))
    for F in (first, second, first):
        same(student.coherence(F), slow_coherence(F))
