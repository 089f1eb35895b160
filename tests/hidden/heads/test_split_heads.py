"""Hidden tests of `split_heads`."""

import numpy as np
import pytest

from autograder.grading.suite import inputs_untouched, same


def slow_split(P, h):
    """result[i, t, k] = P[t, i·w + k], one number after the other."""
    P = np.asarray(P, dtype=float)
    result = np.zeros((h, len(P), P.shape[1] // h))
    for i, t, k in np.ndindex(*result.shape):
        result[i, t, k] = P[t, i * result.shape[2] + k]
    return result


@pytest.mark.public
def test_keys_of_the_page(student):
    """The packed keys of the page come apart: chicken answers head 0, road head 1, carelessly head 2."""
    packed = np.zeros((6, 6))
    packed[1, :2] = packed[4, 2:4] = packed[5, 4:] = 1
    keys = np.zeros((3, 6, 2))
    keys[0, 1] = keys[1, 4] = keys[2, 5] = 1
    same(student.split_heads(packed, 3), keys)


@pytest.mark.gate
@pytest.mark.weight(2)
def test_columns_of_each_head(student, rng):
    """Each head gets its own columns, those of all tokens, in their order."""
    P = rng.uniform(-4, 4, (5, 6))
    same(student.split_heads(P, 2), slow_split(P, 2))


@pytest.mark.weight(2)
def test_numbers_of_heads(student, rng):
    """Heads, tokens and columns may be equally many, or not."""
    for n, h, w in ((5, 3, 2), (3, 3, 3), (4, 2, 4), (2, 4, 3), (6, 2, 3)):
        P = rng.uniform(-4, 4, (n, h * w))
        same(student.split_heads(P, h), slow_split(P, h))


def test_projections_side_by_side(student, rng):
    """A product with projections side by side comes apart into the product with each."""
    X, W = rng.uniform(-2, 2, (4, 6)), rng.uniform(-1, 1, (3, 6, 5))
    same(student.split_heads(np.hstack([X @ part for part in W]), 3), np.stack([X @ part for part in W]))


def test_just_one(student, rng):
    """One head, one token or one column each are enough."""
    for n, h, w in ((4, 1, 3), (1, 3, 2), (4, 3, 1)):
        P = rng.uniform(-4, 4, (n, h * w))
        same(student.split_heads(P, h), slow_split(P, h))


def test_kinds_of_numbers(student, rng):
    """Nested lists, integers and 32-bit floats are cut like an array of ordinary floats."""
    P = rng.integers(-9, 10, (3, 8))
    same(student.split_heads(P, 2), slow_split(P, 2))
    same(student.split_heads(P.tolist(), 4), slow_split(P, 4))
    single = rng.uniform(-4, 4, (3, 6)).astype(np.float32)
    same(student.split_heads(single, 2), slow_split(single, 2))


def test_input_is_left_as_it_was(student, rng):
    """The table that was handed in is the same after the call."""
    inputs_untouched(student.split_heads, rng.uniform(-4, 4, (3, 4)), 2)


def test_second_call(student, rng):
    """Another table of the same shape gives its own result: nothing is remembered from call to call."""
    first, second = rng.uniform(-4, 4, (2, 5, 6))
    for P in (first, second, first):
        same(student.split_heads(P, 3), slow_split(P, 3))
