"""Hidden tests of `concat_heads`."""

import numpy as np
import pytest

from autograder.grading.suite import inputs_untouched, same


def slow_concat(H):
    """result[t, i·d_v + k] = H[i, t, k], one number after the other."""
    H = np.asarray(H, dtype=float)
    h, n, width = H.shape
    result = np.zeros((n, h * width))
    for i, t, k in np.ndindex(*H.shape):
        result[t, i * width + k] = H[i, t, k]
    return result


@pytest.mark.public
def test_keys_of_the_page(student):
    """The keys of the page come together again, head 0's two columns first."""
    packed = np.zeros((6, 6))
    packed[1, :2] = packed[4, 2:4] = packed[5, 4:] = 1
    keys = np.zeros((3, 6, 2))
    keys[0, 1] = keys[1, 4] = keys[2, 5] = 1
    same(student.concat_heads(keys), packed)


@pytest.mark.gate
@pytest.mark.weight(2)
def test_side_by_side(student, rng):
    """Each token's row holds the mixtures of all heads, head 0's first."""
    H = rng.uniform(-4, 4, (2, 4, 5))
    same(student.concat_heads(H), slow_concat(H))


@pytest.mark.weight(2)
def test_numbers_of_heads(student, rng):
    """Heads, tokens and columns may be equally many, or not."""
    for shape in ((3, 5, 2), (3, 3, 3), (2, 2, 4), (4, 2, 3), (2, 6, 3)):
        H = rng.uniform(-4, 4, shape)
        same(student.concat_heads(H), slow_concat(H))


def test_there_and_back(student, rng):
    """Columns that were cut apart by hand come together in their old places."""
    P = rng.uniform(-4, 4, (5, 6))
    same(student.concat_heads(np.stack([P[:, :3], P[:, 3:]])), P)


def test_just_one(student, rng):
    """One head, one token or one column each are enough."""
    for shape in ((1, 4, 3), (3, 1, 2), (3, 4, 1)):
        H = rng.uniform(-4, 4, shape)
        same(student.concat_heads(H), slow_concat(H))


def test_kinds_of_numbers(student, rng):
    """Nested lists, integers and 32-bit floats are joined like an array of ordinary floats."""
    H = rng.integers(-9, 10, (2, 3, 4))
    same(student.concat_heads(H), slow_concat(H))
    same(student.concat_heads(H[:, 1:].tolist()), slow_concat(H[:, 1:]))
    single = rng.uniform(-4, 4, (3, 2, 2)).astype(np.float32)
    same(student.concat_heads(single), slow_concat(single))


def test_input_is_left_as_it_was(student, rng):
    """The mixtures that were handed in are the same after the call."""
    inputs_untouched(student.concat_heads, rng.uniform(-4, 4, (2, 3, 4)))


def test_second_call(student, rng):
    """Other mixtures of the same shape give their own result: nothing is remembered from call to call."""
    first, second = rng.uniform(-4, 4, (2, 3, 5, 2))
    for H in (first, second, first):
        same(student.concat_heads(H), slow_concat(H))
