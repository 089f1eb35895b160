"""Hidden tests of `split_by_map`."""

import numpy as np
import pytest

from autograder.grading.suite import inputs_untouched, pair, same

pytestmark = pytest.mark.leans_on("null_space")

WQ = [[1, 0], [0, 1], [1, 1]]  # of the page: ignores [1 1 -1]
ROWS = [[2, 3, 1], [6, 7, -3]]


def some_map(rng, d, d_k, stretches):
    """A map (d, d_k) with these singular values, and the projection onto what it ignores."""
    U, V = (np.linalg.qr(rng.standard_normal((width, width)))[0] for width in (d, d_k))
    rank = np.count_nonzero(np.asarray(stretches) > 1e-10 * max(stretches))
    W = U[:, :len(stretches)] * stretches @ V[:, :len(stretches)].T
    return W, np.eye(d) - U[:, :rank] @ U[:, :rank].T


def slow_projection(W):
    """The projection onto what W ignores: the columns of W are taken out of the space one after the other."""
    P = np.eye(len(W))
    for column in np.asarray(W, dtype=float).T:
        new = P @ column
        if new @ new > 1e-9 * (column @ column):
            P -= np.outer(new, new) / (new @ new)
    return P


def splits(got, x, P):
    """The pair (read, ignored) is that of x, where P projects onto what is ignored."""
    x = np.asarray(x, dtype=float)
    read, ignored = pair(got, "(read, ignored)")
    same(ignored, x @ P)
    same(read, x - x @ P)


@pytest.mark.public
def test_rows_of_the_page(student):
    """[2 3 1] has the read part [2/3 5/3 7/3] and ignored part 4/3 [1 1 -1]; [6 7 -3] the same read part."""
    P = np.outer([1, 1, -1], [1, 1, -1]) / 3
    splits(student.split_by_map(ROWS[0], WQ), ROWS[0], P)
    splits(student.split_by_map(ROWS, WQ), ROWS, P)


@pytest.mark.gate
@pytest.mark.weight(2)
def test_one_row(student, rng):
    """The parts of a row add up to it; one is ignored, the other perpendicular to all that is ignored."""
    W, P = some_map(rng, 6, 3, rng.uniform(.3, 3, 3))
    x = rng.uniform(-4, 4, 6)
    splits(student.split_by_map(x, W), x, P)


@pytest.mark.weight(2)
def test_several_rows(student, rng):
    """Each row of a table is split by itself: more rows than coordinates, as many, or fewer."""
    for n, d, d_k in ((7, 4, 2), (5, 5, 3), (2, 6, 1)):
        W, P = some_map(rng, d, d_k, rng.uniform(.3, 3, d_k))
        x = rng.uniform(-4, 4, (n, d))
        splits(student.split_by_map(x, W), x, P)


@pytest.mark.weight(2)
def test_columns_that_repeat_each_other(student, rng):
    """Where columns depend on each other, more is ignored than the number of columns tells."""
    for d, d_k, rank in ((6, 4, 2), (5, 5, 3), (4, 6, 2)):
        W, P = some_map(rng, d, d_k, rng.uniform(.5, 3, rank))
        x = rng.uniform(-4, 4, (3, d))
        splits(student.split_by_map(x, W), x, P)


def test_same_query_same_read_part(student, rng):
    """What W ignores can be added to a row without changing its read part."""
    W, P = some_map(rng, 6, 3, rng.uniform(.5, 3, 3))
    x, change = rng.uniform(-4, 4, (2, 6))
    read, _ = pair(student.split_by_map(x + change @ P, W), "(read, ignored)")
    same(read, x - x @ P)


def test_all_read_or_all_ignored(student, rng):
    """If nothing is ignored, that part is zero; a map of zeros ignores the whole row."""
    x = rng.uniform(1, 4, (3, 4))
    W, P = some_map(rng, 4, 4, rng.uniform(.5, 3, 4))
    splits(student.split_by_map(x, W), x, P)
    splits(student.split_by_map(x, np.zeros((4, 2))), x, np.eye(4))


def test_read_weakly(student, rng):
    """However weakly a direction is read, all of a row along it belongs to the read part."""
    for stretches in ([4, 2, .3], [100, .01]):
        W, P = some_map(rng, 5, 3, stretches)
        x = rng.uniform(-4, 4, (2, 5))
        splits(student.split_by_map(x, W), x, P)


def test_either_side_of_the_threshold(student, rng):
    """Singular values of 3e-11 times the largest count as zero, those of 1e-9 times it do not."""
    for stretches in ([5, 4, 5e-9], [5, 4, 1.5e-10]):
        W, P = some_map(rng, 5, 3, stretches)
        x = rng.uniform(-4, 4, (2, 5))
        splits(student.split_by_map(x, W), x, P)


def test_large_and_small_maps(student, rng):
    """Multiplying a map by 1e9 or by 1e-12 does not change the parts."""
    for factor in (1e9, 1e-12):
        W, P = some_map(rng, 6, 4, rng.uniform(.5, 3, 2))
        x = rng.uniform(-4, 4, (2, 6))
        splits(student.split_by_map(x, factor * W), x, P)


def test_just_one(student, rng):
    """A table of one row stays a table, and one coordinate or one column are enough."""
    W, P = some_map(rng, 4, 1, [2])
    x = rng.uniform(-4, 4, (1, 4))
    splits(student.split_by_map(x, W), x, P)
    x = rng.uniform(1, 4, 1)
    splits(student.split_by_map(x, rng.uniform(1, 2, (1, 3))), x, np.zeros((1, 1)))


def test_kinds_of_numbers(student, rng):
    """Nested lists, integers and 32-bit floats give the same parts as arrays of ordinary floats."""
    W = rng.permutation([[1, 2], [2, -1], [0, 3], [3, 1]])
    x = rng.permuted(np.tile([1, -2, 3, 4], (3, 1)), axis=1)
    splits(student.split_by_map(x, W), x, slow_projection(W))
    splits(student.split_by_map(x.tolist(), W.tolist()), x, slow_projection(W))
    x, W = rng.uniform(1, 2, (2, 5)).astype(np.float32), rng.uniform(1, 2, (5, 2)).astype(np.float32)
    splits(student.split_by_map(x, W), x, slow_projection(W))


def test_inputs_are_left_as_they_were(student, rng):
    """The rows and the map that were handed in are the same after the call."""
    W, _ = some_map(rng, 5, 3, [3, 2])
    inputs_untouched(student.split_by_map, rng.uniform(1, 4, (2, 5)), W)
    inputs_untouched(student.split_by_map, rng.uniform(1, 4, 5), W)


def test_second_call(student, rng):
    """Other arguments of the same shape give their own parts: nothing is remembered from call to call."""
    first, second = ((rng.uniform(-4, 4, (2, 5)), *some_map(rng, 5, 2, [3, 1])) for _ in range(2))
    for x, W, P in (first, second, first):
        splits(student.split_by_map(x, W), x, P)
