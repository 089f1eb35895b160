"""Hidden tests of `attention`."""

import math

import numpy as np
import pytest

from autograder.grading.suite import inputs_untouched, pair, same

pytestmark = pytest.mark.leans_on("causal_mask", "masked_softmax")

RIVER = [[0, 0, 0, 1], [0, 1, 0, .2], [.5, .5, .8, .2]]  # "the river bank"
BANK_RIVER = [[.5, .5, .8, .2], [0, 1, 0, .2]]
ONE = np.eye(4)


def slow_attention(X, Wq, Wk, Wv, causal):
    """The weights and the mixtures, reader by reader; a causal reader is given the words up to its own."""
    X = np.asarray(X, dtype=float)
    Q, K, V = (np.einsum("nd,dk->nk", X, np.asarray(W, dtype=float)).tolist() for W in (Wq, Wk, Wv))
    A, H = np.zeros((len(X), len(X))), np.zeros((len(X), len(V[0])))
    for i, q in enumerate(Q):
        end = i + 1 if causal else len(X)
        scores = [math.fsum(a * b for a, b in zip(q, k)) / math.sqrt(len(q)) for k in K[:end]]
        A[i, :end] = [1 / math.fsum(math.exp(other - score) for other in scores) for score in scores]
        H[i] = [math.fsum(share * v for share, v in zip(A[i], column)) for column in zip(*V)]
    return A, H


def some_head(rng, n, d, d_k, d_v):
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


def same_head(got, expected):
    """The pair (A, H) is the expected one."""
    A, H = pair(got, "(A, H)")
    same(A, expected[0])
    same(H, expected[1])


@pytest.mark.public
def test_the_river_bank(student):
    """The causal rows of "the river bank" are [1 0 0], [.3965 .6035 0], [.2619 .3105 .4276]."""
    A, H = pair(student.attention(RIVER, ONE, ONE, ONE, causal=True), "(A, H)")
    same(A, [[1, 0, 0], [.3965, .6035, 0], [.2619, .3105, .4276]], atol=6e-5)
    same(H, [[0, 0, 0, 1], [0, .6035, 0, .5172], [.2138, .5243, .3421, .4096]], atol=6e-5)


@pytest.mark.public
def test_bank_river(student):
    """In "bank river" with the mask, bank reads only itself."""
    A, H = pair(student.attention(BANK_RIVER, ONE, ONE, ONE, causal=True), "(A, H)")
    same(A, [[1, 0], [.4378, .5622]], atol=6e-5)
    same(H, [[.5, .5, .8, .2], [.2189, .7811, .3503, .2]], atol=6e-5)


@pytest.mark.public
def test_the_river_bank_without_a_mask(student):
    """Without a mask, river has the weights [.2697 .4105 .3197] in "the river bank"."""
    A, _ = pair(student.attention(RIVER, ONE, ONE, ONE), "(A, H)")
    same(A, [[.4272, .2864, .2864], [.2697, .4105, .3197], [.2619, .3105, .4276]], atol=6e-5)


@pytest.mark.gate
def test_last_reader(student, rng):
    """A comes first, and its last row holds the last reader's shares (one coordinate everywhere)."""
    head = rng.uniform(-2, 2, (6, 1)), *rng.uniform(.5, 1, (3, 1, 1))
    only_last = np.where(np.arange(6)[:, None] == 5, 1e-5, 9)
    for causal in (True, False):
        A, _ = pair(student.attention(*head, causal=causal), "(A, H)")
        same(A, slow_attention(*head, causal)[0], atol=only_last)


@pytest.mark.weight(3)
def test_causal_weights(student, rng):
    """With causal=True, each row of A is the softmax of the scaled scores up to the reader itself."""
    for sizes in ((5, 4, 3, 2), (4, 6, 5, 3), (7, 3, 2, 6)):
        head = some_head(rng, *sizes)
        A, _ = pair(student.attention(*head, causal=True), "(A, H)")
        same(A, slow_attention(*head, True)[0])


@pytest.mark.weight(2)
def test_causal_mixtures(student, rng):
    """With causal=True, each row of H mixes the values up to the reader itself."""
    for sizes in ((5, 4, 3, 2), (4, 6, 5, 3), (7, 3, 2, 6)):
        head = some_head(rng, *sizes)
        _, H = pair(student.attention(*head, causal=True), "(A, H)")
        same(H, slow_attention(*head, True)[1])


@pytest.mark.weight(2)
def test_without_a_mask(student, rng):
    """Without causal, or with causal=False, everybody reads everybody."""
    for sizes in ((5, 4, 3, 2), (4, 3, 6, 5)):
        head = some_head(rng, *sizes)
        same_head(student.attention(*head), slow_attention(*head, False))
        same_head(student.attention(*head, causal=False), slow_attention(*head, False))


@pytest.mark.weight(2)
def test_no_leak(student, rng):
    """With the mask on, no change of a word moves an earlier row of A or H, and later rows come out right."""
    X, *maps = some_head(rng, 6, 4, 3, 5)
    before = student.attention(X, *maps, causal=True)
    same_head(before, slow_attention(X, *maps, True))
    A_before, H_before = (np.asarray(part, dtype=float) for part in before)
    for j in range(6):
        other = X.copy()
        other[j] += rng.choice([-1, 1], 4) * rng.uniform(1, 3, 4)
        A, H = pair(student.attention(other, *maps, causal=True), "(A, H)")
        A_right, H_right = slow_attention(other, *maps, True)
        same(A, np.vstack([A_before[:j], A_right[j:]]))
        same(H, np.vstack([H_before[:j], H_right[j:]]))


def test_exact_zeros(student, rng):
    """Behind the reader, the weights are exactly 0."""
    head = some_head(rng, 7, 3, 5, 2)
    A, _ = pair(student.attention(*head, causal=True), "(A, H)")
    same(A, slow_attention(*head, True)[0])
    same(np.asarray(A, dtype=float)[np.triu_indices(7, 1)], np.zeros(21), atol=0)


def test_row_of_zeros(student, rng):
    """A word of zeros scores 0 everywhere: it reads equal shares of what it may read, and is read itself."""
    for causal in (True, False):
        X, *maps = some_head(rng, 6, 4, 3, 2)
        X[[0, 3]] = 0
        same_head(student.attention(X, *maps, causal=causal), slow_attention(X, *maps, causal))


def test_scores_of_zero(student, rng):
    """A query and a key that have nothing in common score 0, and that earns a share."""
    X, Wv = np.vstack([np.eye(3), rng.uniform(1, 2, (2, 3))]), rng.uniform(-1, 1, (3, 4))
    Wq, Wk = rng.permuted(np.diag([1., 2, 3]), axis=0), np.eye(3)
    same_head(student.attention(X, Wq, Wk, Wv, causal=True), slow_attention(X, Wq, Wk, Wv, True))


def test_large_scores(student, rng):
    """Words eight times as long have scores in the hundreds: finite, correct weights, mask or not."""
    X, Wq, Wk, Wv = some_head(rng, 5, 4, 3, 2)
    Wq *= 3 / np.abs(X @ Wq @ Wk.T @ X.T / math.sqrt(3)).max()  # scores of at most 3, then of 192
    for causal in (True, False):
        same_head(student.attention(8 * X, Wq, Wk, Wv, causal), slow_attention(8 * X, Wq, Wk, Wv, causal))


def test_scores_far_from_zero(student, rng):
    """Scores that are all near +1800, or near -1800, give finite, correct weights: only differences count."""
    for sign in (1, -1):
        head = far_from_zero(rng, 5, sign)
        for causal in (True, False):
            same_head(student.attention(*head, causal), slow_attention(*head, causal))


def test_queries_and_keys(student, rng):
    """With Wq and Wk exchanged, the weights are others: who asks is not who is asked."""
    X, Wq, Wk, Wv = some_head(rng, 5, 3, 2, 4)
    same_head(student.attention(X, Wk, Wq, Wv, causal=True), slow_attention(X, Wk, Wq, Wv, True))
    same_head(student.attention(X, Wq, Wk, Wv), slow_attention(X, Wq, Wk, Wv, False))


def test_single_word(student, rng):
    """A word that is alone gives itself everything, mask or not."""
    X, Wq, Wk, Wv = some_head(rng, 1, 4, 3, 2)
    same_head(student.attention(X, Wq, Wk, Wv, causal=True), ([[1]], X @ Wv))
    same_head(student.attention(X, Wq, Wk, Wv), ([[1]], X @ Wv))


def test_kinds_of_numbers(student, rng):
    """Nested lists, integers and 32-bit floats give the same result as arrays of ordinary floats."""
    X, maps = rng.integers(-2, 3, (4, 3)), [rng.integers(-1, 2, (3, width)) for width in (2, 2, 5)]
    same_head(student.attention(X, *maps, causal=True), slow_attention(X, *maps, True))
    lists = [array.tolist() for array in (X, *maps)]
    same_head(student.attention(*lists, causal=True), slow_attention(X, *maps, True))
    single = [array.astype(np.float32) for array in some_head(rng, 5, 4, 3, 2)]
    same_head(student.attention(*single), slow_attention(*single, False))


def test_inputs_are_left_as_they_were(student, rng):
    """The words and the matrices that were handed in are the same after the call."""
    for causal in (True, False):
        inputs_untouched(student.attention, *some_head(rng, 4, 3, 2, 5), causal=causal)


def test_second_call(student, rng):
    """Other words, other matrices or the other setting give a result of their own."""
    first, second = some_head(rng, 4, 3, 5, 2), some_head(rng, 4, 3, 5, 2)
    for head, causal in ((first, True), (second, True), (first, False), (first, True)):
        same_head(student.attention(*head, causal=causal), slow_attention(*head, causal))
