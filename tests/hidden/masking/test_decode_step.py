"""Hidden tests of `decode_step`."""

import math

import numpy as np
import pytest

from autograder.grading.suite import Mismatch, inputs_untouched, pair, same

pytestmark = pytest.mark.leans_on("KVCache")

RIVER = [[0, 0, 0, 1], [0, 1, 0, .2], [.5, .5, .8, .2]]  # "the river bank"
ONE = np.eye(4)


def slow_reading(q, keys, values):
    """One reader's weights and mixture, source by source."""
    q, keys, values = (np.asarray(rows, dtype=float).tolist() for rows in (q, keys, values))
    scores = [math.fsum(a * b for a, b in zip(q, k)) / math.sqrt(len(q)) for k in keys]
    weights = [1 / math.fsum(math.exp(other - score) for other in scores) for score in scores]
    return weights, [math.fsum(w * v for w, v in zip(weights, column)) for column in zip(*values)]


def projected(X, *maps):
    """Queries, keys and values of all words of a text."""
    return tuple(np.einsum("nd,dk->nk", np.asarray(X, dtype=float), W) for W in maps)


def some_text(rng, n, d, d_k, d_v):
    """Words and three matrices, with scores between about -8 and 8."""
    return rng.uniform(-2, 2, (n, d)), *(rng.uniform(-1, 1, (d, width)) for width in (d_k, d_k, d_v))


def far_from_zero(rng, n, sign):
    """Words and matrices in quarters whose scores are all near +1800 or -1800: 32 bits hold them exactly."""
    X = rng.integers(-4, 5, (n, 4)) / 4
    Wq, Wk, Wv = rng.integers(-4, 5, (3, 4, 4)) / 4
    X[:, 0], Wv[0] = 60, 0
    Wq[0] = Wq[:, 0] = np.eye(4)[0]
    Wk[0] = Wk[:, 0] = sign * np.eye(4)[0]
    return X, Wq, Wk, Wv


def same_step(got, expected):
    """The pair (weights, mixture) is the expected one."""
    weights, mixture = pair(got, "(weights, mixture)")
    same(weights, expected[0])
    same(mixture, expected[1])


def follow(student, cache, X, *maps):
    """Decode all words; each step equals the causal row computed from the whole text."""
    Q, K, V = projected(X, *maps)
    for t in range(len(X)):
        expected = slow_reading(Q[t], K[: t + 1], V[: t + 1])
        same_step(student.decode_step(X[t], cache, *maps), expected)


@pytest.mark.public
def test_the_river_bank(student):
    """Word by word, "the river bank" gives the causal rows [1], [.3965 .6035], [.2619 .3105 .4276]."""
    cache = student.KVCache.kept()
    for x, row in zip(RIVER, ([1], [.3965, .6035], [.2619, .3105, .4276])):
        weights, _ = pair(student.decode_step(x, cache, ONE, ONE, ONE), "(weights, mixture)")
        same(weights, row, atol=6e-5)


@pytest.mark.gate
@pytest.mark.weight(2)
def test_second_step(student, rng):
    """The weights come first; the second word shares among two (one coordinate everywhere)."""
    X, maps = rng.permutation([[-1.5], [1.]]), rng.uniform(.5, 1, (3, 1, 1))
    (Q, K, V), cache = projected(X, *maps), student.KVCache.kept()
    student.decode_step(X[0], cache, *maps)
    weights, _ = pair(student.decode_step(X[1], cache, *maps), "(weights, mixture)")
    same(weights, slow_reading(Q[1], K, V)[0])


@pytest.mark.weight(3)
def test_weights_of_eight_words(student, rng):
    """In each of eight steps, the weights are those of the causal row, the newest word included."""
    for sizes in ((8, 4, 3, 2), (8, 3, 5, 6)):
        X, *maps = some_text(rng, *sizes)
        (Q, K, V), cache = projected(X, *maps), student.KVCache.kept()
        for t in range(8):
            weights, _ = pair(student.decode_step(X[t], cache, *maps), "(weights, mixture)")
            same(weights, slow_reading(Q[t], K[: t + 1], V[: t + 1])[0])


@pytest.mark.weight(2)
def test_mixtures_of_eight_words(student, rng):
    """In each of eight steps, the mixture is that of the causal row."""
    for sizes in ((8, 4, 3, 2), (8, 3, 5, 6)):
        X, *maps = some_text(rng, *sizes)
        (Q, K, V), cache = projected(X, *maps), student.KVCache.kept()
        for t in range(8):
            _, mixture = pair(student.decode_step(X[t], cache, *maps), "(weights, mixture)")
            same(mixture, slow_reading(Q[t], K[: t + 1], V[: t + 1])[1])


def test_first_word(student, rng):
    """With an empty cache, the first word gives itself everything."""
    X, *maps = some_text(rng, 1, 4, 3, 2)
    same_step(student.decode_step(X[0], student.KVCache.kept(), *maps), ([1], X[0] @ maps[2]))


@pytest.mark.weight(2)
def test_what_the_cache_holds_afterwards(student, rng):
    """Each step adds the word's own key and value to the cache, once, and leaves the earlier ones alone."""
    X, *maps = some_text(rng, 7, 4, 3, 5)
    (_, K, V), cache = projected(X, *maps), student.KVCache.kept()
    for t in range(7):
        student.decode_step(X[t], cache, *maps)
        if len(cache) != t + 1:
            raise Mismatch("The cache has another length than words were decoded.")
    same(cache.value("keys"), K)
    same(cache.value("values"), V)


def test_a_cache_filled_by_others(student, rng):
    """A step reads whatever keys and values are in the cache, also if nobody decoded them."""
    X, *maps = some_text(rng, 3, 4, 3, 2)
    keys, values = rng.uniform(-2, 2, (4, 3)), rng.uniform(-2, 2, (4, 2))
    cache = student.KVCache.kept()
    for k, v in zip(keys, values):
        cache.append.kept(k, v)
    Q, K, V = projected(X, *maps)
    for t in range(3):
        expected = slow_reading(Q[t], np.vstack([keys, K[: t + 1]]), np.vstack([values, V[: t + 1]]))
        same_step(student.decode_step(X[t], cache, *maps), expected)


def test_two_texts_in_turn(student, rng):
    """Two texts, decoded in turn with a cache each, do not get into each other's way."""
    one, other = some_text(rng, 4, 4, 3, 2), some_text(rng, 4, 4, 3, 2)
    caches = student.KVCache.kept(), student.KVCache.kept()
    for t in range(4):
        for cache, (X, *maps) in zip(caches, (one, other)):
            Q, K, V = projected(X, *maps)
            expected = slow_reading(Q[t], K[: t + 1], V[: t + 1])
            same_step(student.decode_step(X[t], cache, *maps), expected)


def test_words_of_zeros(student, rng):
    """A word of zeros reads all so far alike, and later words give it the share of a score of 0."""
    X, *maps = some_text(rng, 7, 4, 3, 2)
    X[[0, 3]] = 0
    follow(student, student.KVCache.kept(), X, *maps)


def test_scores_far_from_zero(student, rng):
    """Scores that are all near +1800, or near -1800, give finite, correct weights: only differences count."""
    for sign in (1, -1):
        follow(student, student.KVCache.kept(), *far_from_zero(rng, 4, sign))


def test_kinds_of_numbers(student, rng):
    """Lists, integers and 32-bit floats give the same result as arrays of ordinary floats."""
    X, maps = rng.integers(-2, 3, (3, 4)), [rng.integers(-1, 2, (4, width)) for width in (3, 3, 2)]
    follow(student, student.KVCache.kept(), X, *maps)
    follow(student, student.KVCache.kept(), X.tolist(), *(W.tolist() for W in maps))
    X, *maps = (array.astype(np.float32) for array in some_text(rng, 3, 4, 3, 2))
    follow(student, student.KVCache.kept(), X, *maps)


def test_inputs_are_left_as_they_were(student, rng):
    """The word and the matrices are the same after the call: only the cache changes."""
    X, *maps = some_text(rng, 2, 4, 3, 5)
    cache = student.KVCache.kept()
    for x in X:
        inputs_untouched(student.decode_step, x, cache, *maps)
