"""Hidden tests of `pack_projections`."""

import numpy as np
import pytest

from autograder.grading.suite import inputs_untouched, same


def slow_pack(W):
    """packed[c, i·w + k] = W[i, c, k], one number after the other."""
    W = np.asarray(W, dtype=float)
    h, d, width = W.shape
    packed = np.zeros((d, h * width))
    for i, c, k in np.ndindex(*W.shape):
        packed[c, i * width + k] = W[i, c, k]
    return packed


@pytest.mark.public
def test_keys_of_the_page(student):
    """The key projections of the page stand side by side: two columns for who, two for what, two for how."""
    W, packed = np.zeros((3, 5, 2)), np.zeros((5, 6))
    for i in range(3):
        W[i, i] = packed[i, 2 * i:2 * i + 2] = 1
    same(student.pack_projections(W), packed)


@pytest.mark.gate
@pytest.mark.weight(2)
def test_side_by_side(student, rng):
    """The packed matrix has d rows, and the columns of all projections, head 0's first."""
    W = rng.uniform(-1, 1, (2, 6, 3))
    same(student.pack_projections(W), slow_pack(W))


@pytest.mark.weight(2)
def test_sizes(student, rng):
    """Heads, coordinates and columns may be equally many, or not."""
    for shape in ((3, 6, 5), (3, 3, 3), (2, 2, 4), (4, 3, 2), (2, 6, 6)):
        W = rng.uniform(-1, 1, shape)
        same(student.pack_projections(W), slow_pack(W))


def test_one_product_for_all_heads(student, rng):
    """One product with the packed matrix holds the product with each projection."""
    X, W = rng.uniform(-2, 2, (5, 4)), rng.uniform(-1, 1, (3, 4, 2))
    packed = student.pack_projections(W)
    same(packed, slow_pack(W))
    same(X @ np.asarray(packed, dtype=float), np.hstack([X @ part for part in W]))


def test_just_one(student, rng):
    """One head, one coordinate or one column each are enough."""
    for shape in ((1, 4, 3), (3, 1, 2), (3, 4, 1)):
        W = rng.uniform(-1, 1, shape)
        same(student.pack_projections(W), slow_pack(W))


def test_kinds_of_numbers(student, rng):
    """Nested lists, integers and 32-bit floats are packed like an array of ordinary floats."""
    W = rng.integers(-9, 10, (2, 4, 3))
    same(student.pack_projections(W), slow_pack(W))
    same(student.pack_projections(W[:, 1:].tolist()), slow_pack(W[:, 1:]))
    single = rng.uniform(-1, 1, (3, 2, 2)).astype(np.float32)
    same(student.pack_projections(single), slow_pack(single))


def test_input_is_left_as_it_was(student, rng):
    """The projections that were handed in are the same after the call."""
    inputs_untouched(student.pack_projections, rng.uniform(-1, 1, (2, 4, 3)))


def test_second_call(student, rng):
    """Other projections of the same shape give their own result: nothing is remembered from call to call."""
    first, second = rng.uniform(-1, 1, (2, 3, 5, 2))
    for W in (first, second, first):
        same(student.pack_projections(W), slow_pack(W))
