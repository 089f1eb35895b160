"""Hidden tests of `attend_from`."""

import math

import numpy as np
import pytest

from autograder.grading.suite import inputs_untouched, pair, same

TOWER = [[0, 0], [0, 1], [1, 0]]  # the, Eiffel, tower
STORED = [[1, 1, 1, 1, -1, -1, -1, -1], [1, -1, 1, -1, 1, -1, 1, -1], [1, 1, -1, -1, -1, -1, 1, 1]]


def slow_attend_from(q, K, V):
    """The weights and the mixture, source by source and coordinate by coordinate."""
    q, K, V = (np.asarray(part, dtype=float).tolist() for part in (q, K, V))
    scores = [math.fsum(a * b for a, b in zip(q, key)) / math.sqrt(len(q)) for key in K]
    exponentials = [math.exp(score - max(scores)) for score in scores]
    weights = [exponential / math.fsum(exponentials) for exponential in exponentials]
    mixture = [math.fsum(w * value for w, value in zip(weights, column)) for column in zip(*V)]
    return np.array(weights), np.array(mixture)


def some_sources(rng, m, d_k, d_v):
    """q, K, V of these sizes."""
    return rng.uniform(-2, 2, d_k), rng.uniform(-2, 2, (m, d_k)), rng.uniform(-3, 3, (m, d_v))


def same_reading(got, expected):
    """The pair (weights, mixture) is the expected one."""
    for part, wanted in zip(pair(got, "(weights, mixture)"), expected, strict=True):
        same(part, wanted)


@pytest.mark.public
def test_tower_reads_tower(student):
    """The query [1 0] reads the, Eiffel, tower with [.2483 .2483 .5035] and receives [.5035 .2483]."""
    weights, mixture = pair(student.attend_from([1, 0], TOWER, TOWER), "(weights, mixture)")
    same(weights, [.2483, .2483, .5035], atol=1e-4)
    same(mixture, [.5035, .2483], atol=1e-4)


@pytest.mark.public
def test_tower_reads_eiffel(student):
    """The query [0 1] reads the, Eiffel, tower with [.2483 .5035 .2483] and receives [.2483 .5035]."""
    weights, mixture = pair(student.attend_from([0, 1], TOWER, TOWER), "(weights, mixture)")
    same(weights, [.2483, .5035, .2483], atol=1e-4)
    same(mixture, [.2483, .5035], atol=1e-4)


@pytest.mark.gate
@pytest.mark.weight(2)
def test_weights_from_plain_products(student, rng):
    """The weights come first, one for each source (with a width of one, a score is a plain product)."""
    q, K, V = rng.uniform(.5, 2, 1), rng.uniform(-2, 2, (6, 1)), rng.uniform(-3, 3, (6, 2))
    weights, _ = pair(student.attend_from(q, K, V), "(weights, mixture)")
    same(weights, slow_attend_from(q, K, V)[0])


@pytest.mark.weight(2)
def test_weights(student, rng):
    """The weights are the softmax of the scores, divided by the root of the query's width, for any sizes."""
    for sizes in ((5, 3, 2), (3, 6, 5), (7, 2, 4)):
        q, K, V = some_sources(rng, *sizes)
        weights, _ = pair(student.attend_from(q, K, V), "(weights, mixture)")
        same(weights, slow_attend_from(q, K, V)[0])


@pytest.mark.weight(2)
def test_mixture(student, rng):
    """The mixture is the sum of the values, each times its source's weight, for any width of the values."""
    for sizes in ((5, 3, 2), (3, 6, 5), (7, 2, 4)):
        q, K, V = some_sources(rng, *sizes)
        _, mixture = pair(student.attend_from(q, K, V), "(weights, mixture)")
        same(mixture, slow_attend_from(q, K, V)[1])


def test_keys_as_wide_as_values(student, rng):
    """Where keys and values have one width, it is still the keys that are matched and the values mixed."""
    q, K, V = some_sources(rng, 4, 3, 3)
    same_reading(student.attend_from(q, K, V), slow_attend_from(q, K, V))


def test_no_question(student, rng):
    """A query of zeros reads all sources alike and receives the mean of their values."""
    _, K, V = some_sources(rng, 5, 3, 2)
    same_reading(student.attend_from(np.zeros(3), K, V), (np.full(5, .2), V.mean(axis=0)))


def test_opposite_question(student, rng):
    """A negative query turns the order of the scores around."""
    q, K, V = some_sources(rng, 4, 3, 2)
    same_reading(student.attend_from(-q, K, V), slow_attend_from(-q, K, V))


def test_length_of_query_and_key(student, rng):
    """A query or a key twice as long has scores twice as large: lengths count, not directions alone."""
    q, K, V = some_sources(rng, 5, 3, 2)
    same_reading(student.attend_from(2 * q, K, V), slow_attend_from(2 * q, K, V))
    K[1] *= 2
    same_reading(student.attend_from(q, K, V), slow_attend_from(q, K, V))


def test_single_source(student, rng):
    """A source that is alone gets the weight 1 and is passed on as it is."""
    q, K, V = some_sources(rng, 1, 3, 4)
    same_reading(student.attend_from(q, K, V), ([1], V[0]))


def test_one_more_source(student, rng):
    """One more source takes its share from all the others, in proportion; their order does not matter."""
    q, K, V = some_sources(rng, 6, 4, 3)
    for rows in (slice(5), slice(6), slice(None, None, -1)):
        same_reading(student.attend_from(q, K[rows], V[rows]), slow_attend_from(q, K[rows], V[rows]))


def test_memory(student, rng):
    """With V = K a loud damaged pattern brings back the stored one, and a soft one a blend."""
    stored = np.array(STORED)
    damaged = np.where(np.arange(8) == rng.integers(8), 0, stored[rng.integers(3)])
    for loudness in (9, .5):
        expected = slow_attend_from(loudness * damaged, stored, stored)
        same_reading(student.attend_from(loudness * damaged, stored, stored), expected)


def test_large_scores(student, rng):
    """Scores far above 1000, or far below -1000, still give finite weights: only differences count."""
    q, K = rng.integers(1, 5, 16) / 4, rng.integers(-4, 5, (5, 16)) / 4
    q[0], V = 80, rng.uniform(-3, 3, (5, 2))
    for far in (80, -80):
        K[:, 0] = far
        same_reading(student.attend_from(q, K, V), slow_attend_from(q, K, V))


def test_kinds_of_numbers(student, rng):
    """Nested lists, integers and 32-bit floats give the same result as arrays of ordinary floats."""
    q, V = rng.permutation([-1, 1, 2]), np.array([[3], [0], [-2]])
    K = rng.permutation([[-1, 1, 2], [2, 0, 1], [0, 2, -1]])
    same_reading(student.attend_from(q, K, V), slow_attend_from(q, K, V))
    same_reading(student.attend_from(q.tolist(), K.tolist(), V.tolist()), slow_attend_from(q, K, V))
    single = [part.astype(np.float32) for part in some_sources(rng, 4, 5, 2)]
    same_reading(student.attend_from(*single), slow_attend_from(*single))


def test_inputs_are_left_as_they_were(student, rng):
    """The query, the keys and the values that were handed in are the same after the call."""
    inputs_untouched(student.attend_from, *some_sources(rng, 4, 3, 2))


def test_second_call(student, rng):
    """Other arguments of the same shapes give results of their own: nothing is remembered between calls."""
    first, second = some_sources(rng, 4, 3, 5), some_sources(rng, 4, 3, 5)
    for sources in (first, second, (first[0], *second[1:]), first):
        same_reading(student.attend_from(*sources), slow_attend_from(*sources))
