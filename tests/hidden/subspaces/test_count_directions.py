"""Hidden tests of `count_directions`."""

import numpy as np
import pytest

from autograder.grading.suite import inputs_untouched, pair, same

pytestmark = pytest.mark.leans_on("null_space")


def some_map(rng, d, d_k, stretches):
    """A map (d, d_k) with these singular values."""
    U, V = (np.linalg.qr(rng.standard_normal((width, width)))[0] for width in (d, d_k))
    return U[:, :len(stretches)] * stretches @ V[:, :len(stretches)].T


def slow_rank(W):
    """The number of columns that are no mixture of the columns before them."""
    P, rank = np.eye(len(W)), 0
    for column in np.asarray(W, dtype=float).T:
        new = P @ column
        if new @ new > 1e-9 * (column @ column):
            P, rank = P - np.outer(new, new) / (new @ new), rank + 1
    return rank


def counts(got, read, ignored):
    """The pair is (read, ignored)."""
    first, second = pair(got, "(read, ignored)")
    same(first, read)
    same(second, ignored)


@pytest.mark.public
def test_map_of_the_page(student):
    """The map that reads x1 + x3 and x2 + x3 reads 2 directions and ignores 1."""
    counts(student.count_directions([[1, 0], [0, 1], [1, 1]]), 2, 1)


@pytest.mark.gate
@pytest.mark.weight(2)
def test_tall_maps(student, rng):
    """A map with more rows than columns, none of them a mixture of others, reads as many directions."""
    for d, d_k in ((7, 3), (5, 4), (6, 1)):
        counts(student.count_directions(some_map(rng, d, d_k, rng.uniform(.5, 3, d_k))), d_k, d - d_k)


@pytest.mark.weight(2)
def test_columns_that_repeat_each_other(student, rng):
    """What counts is the number of independent columns."""
    for d, d_k, rank in ((7, 4, 2), (6, 6, 5), (5, 3, 1)):
        counts(student.count_directions(some_map(rng, d, d_k, rng.uniform(.5, 3, rank))), rank, d - rank)


def test_wide_maps(student, rng):
    """A map never reads more directions than it has rows, and may read fewer."""
    for d, d_k, rank in ((3, 5, 3), (4, 7, 2)):
        counts(student.count_directions(some_map(rng, d, d_k, rng.uniform(.5, 3, rank))), rank, d - rank)


def test_all_read_or_all_ignored(student, rng):
    """A square map may read everything; a map of zeros reads nothing."""
    counts(student.count_directions(some_map(rng, 4, 4, rng.uniform(.5, 3, 4))), 4, 0)
    counts(student.count_directions(np.zeros((5, 2))), 0, 5)
    counts(student.count_directions(np.zeros((2, 3))), 0, 2)


def test_read_weakly(student, rng):
    """A direction that is read weakly is read: a singular value of .3, .01 or .0001 is not zero."""
    for stretches in ([4, 2, .3], [100, .01], [1, 1e-4]):
        counts(student.count_directions(some_map(rng, 5, 3, stretches)), len(stretches), 5 - len(stretches))


def test_either_side_of_the_threshold(student, rng):
    """Singular values of 3e-11 times the largest count as zero, those of 1e-9 times it do not."""
    for stretches, rank in (([5, 4, 5e-9], 3), ([5, 4, 1.5e-10], 2), ([.2, 2e-10, 6e-12], 2)):
        counts(student.count_directions(some_map(rng, 6, 4, stretches)), rank, 6 - rank)


def test_large_and_small_maps(student, rng):
    """Multiplying a map by 1e9 or by 1e-12 does not change the numbers."""
    for factor in (1e9, 1e-12):
        counts(student.count_directions(factor * some_map(rng, 6, 4, rng.uniform(.5, 3, 2))), 2, 4)


def test_kinds_of_numbers(student, rng):
    """Nested lists, integers and 32-bit floats are as good as an array of ordinary floats."""
    integers = rng.permutation([[1, 2, 3], [2, -1, 1], [0, 4, 4], [3, 1, 4], [-2, 5, 3]])  # a + b = c
    for W in (integers, integers[:3], integers[1:]):
        counts(student.count_directions(W.tolist()), slow_rank(W), len(W) - slow_rank(W))
    counts(student.count_directions(integers), slow_rank(integers), 5 - slow_rank(integers))
    counts(student.count_directions(rng.uniform(1, 2, (5, 2)).astype(np.float32)), 2, 3)


def test_input_is_left_as_it_was(student, rng):
    """The map that was handed in is the same after the call."""
    inputs_untouched(student.count_directions, some_map(rng, 5, 3, [3, 2]))


def test_second_call(student, rng):
    """Another map of the same shape gives its own numbers: nothing is remembered from call to call."""
    for rank in (3, 1, 2):
        counts(student.count_directions(some_map(rng, 5, 4, rng.uniform(.5, 3, rank))), rank, 5 - rank)
