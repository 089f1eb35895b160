"""Hidden tests of `unseen_change`. Any change of the right length that the map ignores is right."""

import numpy as np
import pytest

from autograder.compare import to_array
from autograder.grading.suite import inputs_untouched, numpy_rng, same

pytestmark = pytest.mark.leans_on("null_space", "split_by_map")

WQ = [[1, 0], [0, 1], [1, 1]]  # of the page: ignores [1 1 -1]


def some_map(rng, d, d_k, stretches):
    """A map (d, d_k) with these singular values."""
    U, V = (np.linalg.qr(rng.standard_normal((width, width)))[0] for width in (d, d_k))
    return U[:, :len(stretches)] * stretches @ V[:, :len(stretches)].T


def some_seeds(rng, count=1):
    """Generators of different seeds for the student."""
    return [numpy_rng(int(seed)) for seed in rng.choice(10**6, count, replace=False)]


def change(got, x, W, size):
    """The change, once it has the right length and the map does not see it."""
    x, W = np.asarray(x, dtype=float), np.asarray(W, dtype=float)
    same(got, x, atol=np.inf)  # the shape, and that it holds numbers
    moved = to_array(got).astype(float) - x
    same(np.linalg.norm(moved) / size, 1)
    same(moved @ W / (size * np.abs(W).max() or 1), np.zeros(W.shape[1]))
    return moved


@pytest.mark.public
def test_row_of_the_page(student):
    """[2 3 1] is moved along [1 1 -1], by the distance asked for, and still has the query [3 4]."""
    for size in (2, .5):
        change(student.unseen_change([2, 3, 1], WQ, size, rng=numpy_rng(0)), [2, 3, 1], WQ, size)


@pytest.mark.gate
@pytest.mark.weight(2)
def test_tall_maps(student, rng):
    """The new row has the old query, and is as far from the old row as was asked."""
    for d, d_k, size in ((6, 3, 2.5), (5, 1, .4)):
        x, W = rng.uniform(-3, 3, d), some_map(rng, d, d_k, rng.uniform(.5, 3, d_k))
        change(student.unseen_change(x, W, size, *some_seeds(rng)), x, W, size)


@pytest.mark.weight(2)
def test_columns_that_repeat_each_other(student, rng):
    """Square and wide maps ignore something, too, where their columns depend on each other."""
    for d, d_k, rank in ((5, 5, 3), (4, 6, 2), (6, 4, 1)):
        x, W = rng.uniform(-3, 3, d), some_map(rng, d, d_k, rng.uniform(.5, 3, rank))
        change(student.unseen_change(x, W, 3, *some_seeds(rng)), x, W, 3)


def test_sizes(student, rng):
    """The distance is the size, whether that is an integer, a fraction, or large."""
    x, W = rng.uniform(-1, 1, 5), some_map(rng, 5, 2, [3, 1])
    for size in (.25, 1, 40):
        change(student.unseen_change(x, W, size, *some_seeds(rng)), x, W, size)


def test_nothing_to_change(student, rng):
    """A ValueError says that the map ignores nothing, for a square map, a wide one, and a weak one."""
    maps = ((4, 4, [3, 2, 1, .5]), (2, 5, [2, 1]), (3, 3, [4, 2, .3]), (3, 3, [4, 2, 4e-9]))
    for d, d_k, stretches in maps:
        with student.raises(ValueError):
            student.unseen_change(rng.uniform(1, 2, d), some_map(rng, d, d_k, stretches), 2, *some_seeds(rng))


@pytest.mark.weight(3)
def test_other_generators_other_changes(student, rng):
    """Changes from different generators differ, and between them use every ignored direction."""
    x, W = rng.uniform(-1, 1, 5), some_map(rng, 5, 2, [3, 1])
    changes = [change(student.unseen_change(x, W, 2, each), x, W, 2) for each in some_seeds(rng, 8)]
    gaps = [np.linalg.norm(one - other) for i, one in enumerate(changes) for other in changes[:i]]
    assert min(gaps) > 1e-4
    assert np.linalg.svd(np.array(changes), compute_uv=False)[2] > 1e-3


def test_same_seed_same_change(student, rng):
    """All chance comes from the generator: the same seed gives the same row again."""
    x, W, (seed,) = rng.uniform(-1, 1, 6), some_map(rng, 6, 2, [3, 1]), some_seeds(rng)
    first = student.unseen_change(x, W, 2, seed)
    same(student.unseen_change(x, W, 2, seed), change(first, x, W, 2) + x)


def test_threshold(student, rng):
    """A direction read with 3e-11 of the largest strength counts as ignored, at any scale of the map."""
    for factor in (1, 1e9, 1e-9):
        x, W = rng.uniform(-1, 1, 3), factor * some_map(rng, 3, 3, [5, 4, 1.5e-10])
        change(student.unseen_change(x, W, 2, *some_seeds(rng)), x, W, 2)


def test_rows_and_maps_of_zeros(student, rng):
    """A row of zeros can be moved, and a map of zeros ignores any change."""
    W = some_map(rng, 5, 3, [3, 2, 1])
    change(student.unseen_change(np.zeros(5), W, 2, *some_seeds(rng)), np.zeros(5), W, 2)
    x, zeros = rng.uniform(1, 2, 4), np.zeros((4, 2))
    change(student.unseen_change(x, zeros, 3, *some_seeds(rng)), x, zeros, 3)


def test_kinds_of_numbers(student, rng):
    """Lists, integers and 32-bit floats are as good as arrays of ordinary floats."""
    x, W = rng.permutation([1, -2, 3, 4]), rng.permutation([[1, 2], [2, -1], [0, 3], [3, 1]])
    change(student.unseen_change(x, W, 2, *some_seeds(rng)), x, W, 2)
    change(student.unseen_change(x.tolist(), W.tolist(), 2, *some_seeds(rng)), x, W, 2)
    x, W = rng.uniform(1, 2, 5).astype(np.float32), rng.uniform(1, 2, (5, 2)).astype(np.float32)
    change(student.unseen_change(x, W, 2, *some_seeds(rng)), x, W, 2)


def test_inputs_are_left_as_they_were(student, rng):
    """The row and the map that were handed in are the same after the call."""
    x, W = rng.uniform(1, 2, 5), some_map(rng, 5, 3, [3, 2])
    change(inputs_untouched(student.unseen_change, x, W, 2, *some_seeds(rng)), x, W, 2)


def test_second_call(student, rng):
    """Other arguments give their own result: nothing is remembered from call to call."""
    for size in (2, 3):
        x, W = rng.uniform(-1, 1, 5), some_map(rng, 5, 3, [3, 2])
        change(student.unseen_change(x, W, size, *some_seeds(rng)), x, W, size)
