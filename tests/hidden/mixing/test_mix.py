"""Hidden tests of `mix`."""

import numpy as np
import pytest

from autograder.grading.suite import inputs_untouched, same

RIVER = [[0, 0, 0, 1], [0, 1, 0, .2], [.5, .5, .8, .2]]  # "the river bank"


def slow_mix(A, V):
    """H[i] = sum_j A[i, j] V[j], one number after the other."""
    A, V = np.asarray(A, dtype=float), np.asarray(V, dtype=float)
    H = np.zeros((A.shape[0], V.shape[1]))
    for reader, source, column in np.ndindex(*A.shape, V.shape[1]):
        H[reader, column] += A[reader, source] * V[source, column]
    return H


def some_shares(rng, readers, sources):
    """Rows of shares between .1 and 1 that sum to one."""
    raw = rng.uniform(.1, 1, (readers, sources))
    return raw / raw.sum(axis=1, keepdims=True)


@pytest.mark.public
def test_bank_by_hand(student):
    """The shares [.26 .31 .43] mix "the river bank" into [.215 .525 .344 .408], as on paper."""
    same(student.mix([[.26, .31, .43]], RIVER), [[.215, .525, .344, .408]])


@pytest.mark.gate
@pytest.mark.weight(3)
def test_shares_times_rows(student, rng):
    """Every reader gets the sum of the sources' rows, each times the reader's share of that source."""
    A, V = some_shares(rng, 5, 3), rng.uniform(-4, 4, (3, 2))
    same(student.mix(A, V), slow_mix(A, V))


@pytest.mark.weight(2)
def test_numbers_of_readers_and_sources(student, rng):
    """Readers, sources and coordinates may be equally many, or not."""
    for readers, sources, width in ((4, 4, 3), (3, 3, 3), (2, 4, 6)):
        A, V = some_shares(rng, readers, sources), rng.uniform(-4, 4, (sources, width))
        same(student.mix(A, V), slow_mix(A, V))


def test_all_of_one_source(student, rng):
    """Who gives all of the share to one source gets a copy of that source's row."""
    picks = rng.permutation(4)[[0, 1, 1, 2, 3]]
    V = rng.uniform(-4, 4, (4, 3))
    same(student.mix(np.eye(4)[picks], V), V[picks])


def test_equal_sources(student, rng):
    """If all sources hold the same row, every mixture is that row: a mixture stays among its sources."""
    row = rng.uniform(1, 4, 2)
    same(student.mix(some_shares(rng, 5, 3), np.tile(row, (3, 1))), np.tile(row, (5, 1)))


def test_shares_come_out_again(student, rng):
    """If every source has a coordinate of its own, the mixture shows the shares."""
    A = some_shares(rng, 3, 5)
    same(student.mix(A, np.eye(5)), A)


def test_shares_as_they_are(student, rng):
    """Shares that do not sum to one are used as they are."""
    A, V = rng.uniform(.5, 2, (2, 4)), rng.uniform(-4, 4, (4, 3))
    same(student.mix(A, V), slow_mix(A, V))


def test_just_one(student, rng):
    """One reader, one source or one coordinate are enough."""
    for readers, sources, width in ((1, 3, 4), (4, 1, 2), (2, 3, 1)):
        A, V = some_shares(rng, readers, sources), rng.uniform(-4, 4, (sources, width))
        same(student.mix(A, V), slow_mix(A, V))


def test_kinds_of_numbers(student, rng):
    """Nested lists, integers and 32-bit floats give the same mixtures as arrays of ordinary floats."""
    A, V = some_shares(rng, 3, 4), rng.permuted(np.tile(np.arange(1, 5), (2, 1)), axis=1).T
    same(student.mix(A, V), slow_mix(A, V))
    same(student.mix(A[1:].tolist(), V.tolist()), slow_mix(A[1:], V))
    picks = rng.permutation(np.eye(4, dtype=int))
    same(student.mix(picks, V / 4), slow_mix(picks, V / 4))
    same(student.mix(A.astype(np.float32), V.astype(np.float32)), slow_mix(A, V))


def test_inputs_are_left_as_they_were(student, rng):
    """The shares and the rows that were handed in are the same after the call."""
    inputs_untouched(student.mix, some_shares(rng, 3, 4), rng.uniform(-4, 4, (4, 2)))


def test_second_call(student, rng):
    """Other arguments of the same shapes give their own mixtures: nothing is remembered between calls."""
    first, second = ((some_shares(rng, 3, 2), rng.uniform(-4, 4, (2, 5))) for _ in range(2))
    for A, V in (first, second, first):
        same(student.mix(A, V), slow_mix(A, V))
