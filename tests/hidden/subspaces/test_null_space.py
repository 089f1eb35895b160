"""Hidden tests of `null_space`. Every basis is right: what is compared never depends on which one it is."""

import numpy as np
import pytest

from autograder.compare import to_array
from autograder.grading.suite import inputs_untouched, same

WQ = [[1, 0], [0, 1], [1, 1]]  # of the page: ignores [1 1 -1]


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


def spans(got, W, P):
    """The columns of `got` are ignored by W, of length one, perpendicular, and as many as there can be."""
    W, count = np.asarray(W, dtype=float), round(np.trace(P))
    same(got, np.zeros((len(W), count)), atol=np.inf)  # the shape, and that it holds numbers
    N = to_array(got).astype(float)
    same(N.T @ N, np.eye(count))
    same(N.T @ W / (np.abs(W).max() or 1), np.zeros((count, W.shape[1])))
    same(N @ N.T, P)


@pytest.mark.public
def test_map_of_the_page(student):
    """The map that reads x1 + x3 and x2 + x3 ignores the direction [1 1 -1] and no other."""
    spans(student.null_space(WQ), WQ, np.outer([1, 1, -1], [1, 1, -1]) / 3)


@pytest.mark.gate
@pytest.mark.weight(2)
def test_tall_maps(student, rng):
    """The columns are ignored, of length one, perpendicular, and none is missing."""
    for d, d_k in ((7, 3), (5, 2)):
        W, P = some_map(rng, d, d_k, rng.uniform(.5, 3, d_k))
        spans(student.null_space(W), W, P)


@pytest.mark.weight(2)
def test_columns_that_repeat_each_other(student, rng):
    """Where columns depend on each other, more is ignored than the number of columns tells."""
    for d, d_k, rank in ((7, 4, 2), (5, 5, 3), (6, 3, 1)):
        W, P = some_map(rng, d, d_k, rng.uniform(.5, 3, rank))
        spans(student.null_space(W), W, P)


@pytest.mark.weight(2)
def test_wide_maps(student, rng):
    """A map with more columns than rows may still ignore something, if its columns depend on each other."""
    for d, d_k, rank in ((4, 6, 2), (3, 7, 1)):
        W, P = some_map(rng, d, d_k, rng.uniform(.5, 3, rank))
        spans(student.null_space(W), W, P)


def test_nothing_ignored(student, rng):
    """If nothing is ignored the result has d rows and no columns, for square maps and wide ones."""
    for d, d_k in ((4, 4), (3, 5)):
        W, P = some_map(rng, d, d_k, rng.uniform(.5, 3, d))
        spans(student.null_space(W), W, P)


def test_everything_ignored(student):
    """A map of zeros ignores all d directions."""
    for d, d_k in ((4, 2), (3, 3), (2, 5)):
        spans(student.null_space(np.zeros((d, d_k))), np.zeros((d, d_k)), np.eye(d))


def test_read_weakly(student, rng):
    """A direction that is read weakly is read: a singular value of .3, .01 or .0001 is not zero."""
    for stretches in ([4, 2, .3], [100, .01], [1, 1e-4]):
        W, P = some_map(rng, 5, 3, stretches)
        spans(student.null_space(W), W, P)


def test_either_side_of_the_threshold(student, rng):
    """Singular values of 3e-11 times the largest count as zero, those of 1e-9 times it do not."""
    for stretches in ([5, 4, 5e-9], [5, 4, 1.5e-10], [.2, 2e-10, 6e-12]):
        W, P = some_map(rng, 6, 4, stretches)
        spans(student.null_space(W), W, P)


def test_large_and_small_maps(student, rng):
    """Multiplying a map by 1e9 or by 1e-12 does not change what it ignores."""
    for factor in (1e9, 1e-12):
        W, P = some_map(rng, 6, 4, rng.uniform(.5, 3, 2))
        spans(student.null_space(factor * W), factor * W, P)


def test_just_one(student, rng):
    """One coordinate or one column are enough."""
    a, b = rng.uniform(1, 3, 2)
    for W, P in (([[a]], [[0]]), ([[0, 0, 0]], [[1]]), ([[a], [-b]], slow_projection([[a], [-b]]))):
        spans(student.null_space(np.array(W)), W, np.array(P))


def test_kinds_of_numbers(student, rng):
    """Nested lists, integers and 32-bit floats are as good as an array of ordinary floats."""
    integers = rng.permutation([[1, 2, 3], [2, -1, 1], [0, 4, 4], [3, 1, 4], [-2, 5, 3]])  # a + b = c
    spans(student.null_space(integers), integers, slow_projection(integers))
    spans(student.null_space(integers.tolist()), integers, slow_projection(integers))
    single = rng.uniform(1, 2, (5, 2)).astype(np.float32)
    spans(student.null_space(single), single, slow_projection(single))


def test_input_is_left_as_it_was(student, rng):
    """The map that was handed in is the same after the call."""
    for d, d_k in ((5, 3), (4, 4)):
        inputs_untouched(student.null_space, some_map(rng, d, d_k, [3, 2])[0])


def test_second_call(student, rng):
    """Another map of the same shape gives its own result: nothing is remembered from call to call."""
    first, second = (some_map(rng, 5, 3, [3, 2, 1]) for _ in range(2))
    for W, P in (first, second, first):
        spans(student.null_space(W), W, P)
