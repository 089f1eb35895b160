"""Hidden tests of `kernel_smoother`."""

import math

import numpy as np
import pytest

from autograder.grading.suite import inputs_untouched, pair, same

HOURS, DEGREES = [[0], [4], [8], [12], [16], [20]], [[9], [7], [12], [19], [17], [12]]
SIZES = ((5, 3, 2), (3, 2, 5), (7, 4, 1))  # m, d_k, d_v


def slow_smoother(q, K, V, compatibility):
    """The weights, then the mixture, source by source and number by number."""
    V = np.asarray(V, dtype=float).tolist()
    raw = [compatibility(np.asarray(q), np.asarray(k)) for k in K]
    weights = [each / math.fsum(raw) for each in raw]
    return weights, [math.fsum(w * v for w, v in zip(weights, column)) for column in zip(*V)]


def some_sources(rng, m, d_k, d_v):
    """A query, keys and values."""
    return rng.uniform(-1, 1, d_k), rng.uniform(-1, 1, (m, d_k)), rng.uniform(-4, 4, (m, d_v))


def lopsided(rng, d_k):
    """A compatibility of one query with one key, from .02 to 20 or so, that is not symmetric."""
    M, lean = rng.uniform(-1.5, 1.5, (d_k, d_k)), rng.uniform(.5, 1, d_k)

    def compatibility(q, k):
        if np.shape(q) != (d_k,) or np.shape(k) != (d_k,):
            raise ValueError("a compatibility takes one query and one key")
        return float(1 / (1 + math.exp(-np.asarray(q) @ M @ np.asarray(k) - lean @ np.asarray(k))) ** 3)

    return compatibility


def same_result(got, expected):
    """The pair (weights, mixture) is the expected one."""
    weights, mixture = pair(got, "(weights, mixture)")
    same(weights, expected[0])
    same(mixture, expected[1])


@pytest.mark.public
def test_two_sources(student):
    """Compatibilities of 1 and 3 give the weights [.25 .75]."""
    got = student.kernel_smoother([1], [[1], [3]], [[0, 4], [8, 0]], lambda q, k: float(q[0] * k[0]))
    same_result(got, ([.25, .75], [6, 1]))


@pytest.mark.public
def test_a_temperature(student):
    """At 10 h, the six measurements of the page give 14.98 degrees."""
    nearness = lambda q, k: float(np.exp(-np.sum((np.asarray(q) - k) ** 2) / 18))
    weights, mixture = pair(student.kernel_smoother([10], HOURS, DEGREES, nearness), "(weights, mixture)")
    same(weights, [0, .07, .43, .43, .07, 0], atol=5e-3)
    same(mixture, [14.98], atol=5e-3)


@pytest.mark.gate
@pytest.mark.weight(2)
def test_weights_in_proportion(student, rng):
    """The weights come first: one for each key, in the ratios of their compatibilities with the query."""
    places = rng.permutation([.5, 1, 2, 3.5, 6])
    weights, _ = pair(
        student.kernel_smoother([1.], places[:, None], np.eye(5), lambda q, k: float(k[0] * q[0])),
        "(weights, mixture)",
    )
    same(weights, places / 13)


@pytest.mark.weight(2)
def test_weights(student, rng):
    """The weights are the compatibilities divided by their total, and sum to one."""
    for m, d_k, d_v in SIZES:
        sources, compatibility = some_sources(rng, m, d_k, d_v), lopsided(rng, d_k)
        weights, _ = pair(student.kernel_smoother(*sources, compatibility), "(weights, mixture)")
        same(weights, slow_smoother(*sources, compatibility)[0])


@pytest.mark.weight(2)
def test_mixture(student, rng):
    """The mixture takes each value by its key's weight."""
    for m, d_k, d_v in SIZES:
        sources, compatibility = some_sources(rng, m, d_k, d_v), lopsided(rng, d_k)
        _, mixture = pair(student.kernel_smoother(*sources, compatibility), "(weights, mixture)")
        same(mixture, slow_smoother(*sources, compatibility)[1])


def test_attention_comes_back(student, rng):
    """With the exponential of q · k / √d_k, the result is attention."""
    q, K, V = some_sources(rng, 5, 3, 4)
    scores = [math.fsum(a * b for a, b in zip(q, k)) / math.sqrt(3) for k in K]
    weights = np.array([1 / math.fsum(math.exp(other - score) for other in scores) for score in scores])
    got = student.kernel_smoother(q, K, V, lambda q, k: float(np.exp(np.dot(q, k) / 3**.5)))
    same_result(got, (weights, weights @ V))


def test_query_first(student, rng):
    """compatibility takes the query first, then the key."""
    q, K, V = some_sources(rng, 4, 3, 2)
    lean = lambda q, k: float(2 + q[0] + 5 * (1 + k[1]))
    for compatibility in (lean, lambda q, k: lean(k, q)):
        expected = slow_smoother(q, K, V, compatibility)
        same_result(student.kernel_smoother(q, K, V, compatibility), expected)


def test_equal_compatibility(student, rng):
    """If every key suits alike, the mixture is the plain mean."""
    q, K, V = some_sources(rng, 5, 3, 2)
    same_result(student.kernel_smoother(q, K, V, lambda q, k: 7.), (np.full(5, .2), V.mean(axis=0)))


def test_only_ratios_count(student, rng):
    """Compatibilities a billion times smaller, or a million times larger, give the same weights."""
    sources, compatibility = some_sources(rng, 5, 3, 2), lopsided(rng, 3)
    expected = slow_smoother(*sources, compatibility)
    for factor in (1e-9, 1e6):
        scaled = lambda q, k, factor=factor: factor * compatibility(q, k)
        same_result(student.kernel_smoother(*sources, scaled), expected)


def test_far_apart(student, rng):
    """A Gaussian far away from most keys: one source gets nearly everything."""
    q, K, V = some_sources(rng, 6, 2, 3)
    K *= 4
    nearness = lambda q, k: math.exp(-sum((a - b) ** 2 for a, b in zip(q, k)))
    same_result(student.kernel_smoother(q, K, V, nearness), slow_smoother(q, K, V, nearness))


def test_just_one(student, rng):
    """A single source gets everything, however compatible; single coordinates work."""
    q, K, V = some_sources(rng, 1, 3, 4)
    same_result(student.kernel_smoother(q, K, V, lambda q, k: .3), ([1], V[0]))
    sources, compatibility = some_sources(rng, 4, 1, 1), lopsided(rng, 1)
    same_result(student.kernel_smoother(*sources, compatibility), slow_smoother(*sources, compatibility))


def test_kinds_of_numbers(student, rng):
    """Lists, integers and 32-bit floats go in, whole numbers may come out of the compatibility."""
    q, K, V = [1, 2], rng.permutation([[1, 3], [2, 0], [4, 1]]), rng.permutation([[1, 0], [2, 5], [4, 9]])
    whole = lambda q, k: int(q[0] * k[0] + q[1] * k[1])
    same_result(student.kernel_smoother(q, K, V, whole), slow_smoother(q, K, V, whole))
    same_result(student.kernel_smoother(q, K.tolist(), V.tolist(), whole), slow_smoother(q, K, V, whole))
    single, compatibility = [rows.astype(np.float32) for rows in some_sources(rng, 4, 3, 2)], lopsided(rng, 3)
    same_result(student.kernel_smoother(*single, compatibility), slow_smoother(*single, compatibility))


def test_inputs_are_left_as_they_were(student, rng):
    """The query, the keys and the values are the same after the call."""
    inputs_untouched(student.kernel_smoother, *some_sources(rng, 4, 3, 2), lopsided(rng, 3))


def test_second_call(student, rng):
    """Other sources, or another compatibility, give a result of their own."""
    first, second = some_sources(rng, 4, 3, 2), some_sources(rng, 4, 3, 2)
    one, other = lopsided(rng, 3), lopsided(rng, 3)
    for sources, compatibility in ((first, one), (second, one), (first, other), (first, one)):
        same_result(student.kernel_smoother(*sources, compatibility), slow_smoother(*sources, compatibility))
