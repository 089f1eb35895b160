"""Hidden tests of `cross_attention`."""

import math

import numpy as np
import pytest

from autograder.grading.suite import inputs_untouched, pair, same

pytestmark = pytest.mark.leans_on("masked_softmax")

RIVER = [[0, 0, 0, 1], [0, 1, 0, .2], [.5, .5, .8, .2]]  # "the river bank"
UFER = [[0, 0, 0, 1], [0, 1, .8, .2]]  # "das Ufer"
ONE = np.eye(4)
SIZES = ((3, 5, 4, 3, 2), (5, 3, 4, 3, 6), (4, 4, 3, 2, 5), (2, 7, 5, 6, 3))  # n, m, d, d_k, d_v


def slow_cross_attention(X, Z, Wq, Wk, Wv):
    """The weights and the mixtures, reader by reader and source by source."""
    X, Z, Wq, Wk, Wv = (np.asarray(array, dtype=float) for array in (X, Z, Wq, Wk, Wv))
    Q, K, V = (np.einsum("nd,dk->nk", rows, W).tolist() for rows, W in ((X, Wq), (Z, Wk), (Z, Wv)))
    A, H = [], []
    for q in Q:
        scores = [math.fsum(a * b for a, b in zip(q, k)) / math.sqrt(len(q)) for k in K]
        A.append([1 / math.fsum(math.exp(other - score) for other in scores) for score in scores])
        H.append([math.fsum(share * v for share, v in zip(A[-1], column)) for column in zip(*V)])
    return np.array(A), np.array(H)


def some_texts(rng, n, m, d, d_k, d_v):
    """Readers, sources and three matrices, with scores between about -8 and 8."""
    maps = (rng.uniform(-1, 1, (d, width)) for width in (d_k, d_k, d_v))
    return rng.uniform(-2, 2, (n, d)), rng.uniform(-2, 2, (m, d)), *maps


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
def test_das_ufer_reads_the_river_bank(student):
    """Reading "the river bank", Ufer has the weights [.24 .37 .39]."""
    A, H = pair(student.cross_attention(UFER, RIVER, ONE, ONE, ONE), "(A, H)")
    same(A, [[.43, .29, .29], [.24, .37, .39]], atol=5e-3)
    same(H, [[.14, .43, .23, .54], [.20, .56, .31, .39]], atol=5e-3)


@pytest.mark.gate
@pytest.mark.weight(2)
def test_readers_by_sources(student, rng):
    """A comes first: a row for each reader, a column for each source (one coordinate everywhere)."""
    texts = rng.uniform(-2, 2, (3, 1)), rng.uniform(-2, 2, (5, 1)), *rng.uniform(.5, 1, (3, 1, 1))
    A, _ = pair(student.cross_attention(*texts), "(A, H)")
    same(A, slow_cross_attention(*texts)[0])


@pytest.mark.weight(2)
def test_weights(student, rng):
    """Each row of A is the softmax of one reader's scaled scores: more sources than readers, or fewer."""
    for sizes in SIZES:
        texts = some_texts(rng, *sizes)
        A, _ = pair(student.cross_attention(*texts), "(A, H)")
        same(A, slow_cross_attention(*texts)[0])


@pytest.mark.weight(2)
def test_mixtures(student, rng):
    """Each row of H mixes the sources' values with one reader's weights."""
    for sizes in SIZES:
        texts = some_texts(rng, *sizes)
        _, H = pair(student.cross_attention(*texts), "(A, H)")
        same(H, slow_cross_attention(*texts)[1])


def test_readers_do_not_meet(student, rng):
    """A reader's row depends on itself and the sources only: with another neighbor, it stays."""
    X, Z, *maps = some_texts(rng, 4, 6, 3, 2, 5)
    A, H = slow_cross_attention(X, Z, *maps)
    got_A, got_H = pair(student.cross_attention(X[1:], Z, *maps), "(A, H)")
    same(got_A, A[1:])
    same(got_H, H[1:])


def test_order_of_sources(student, rng):
    """Sources in another order: the weights move with them, the mixtures stay."""
    X, Z, *maps = some_texts(rng, 3, 5, 4, 3, 2)
    A, H = slow_cross_attention(X, Z, *maps)
    order = rng.permutation(5)
    same_head(student.cross_attention(X, Z[order], *maps), (A[:, order], H))


def test_a_text_reads_itself(student, rng):
    """Where both texts are the same, everybody reads everybody: nothing is masked."""
    X, _, *maps = some_texts(rng, 5, 1, 4, 3, 2)
    same_head(student.cross_attention(X, X, *maps), slow_cross_attention(X, X, *maps))


def test_rows_of_zeros(student, rng):
    """A reader of zeros reads all sources alike; a source of zeros is read like any other."""
    X, Z, *maps = some_texts(rng, 3, 5, 4, 3, 2)
    X[1] = Z[3] = 0
    same_head(student.cross_attention(X, Z, *maps), slow_cross_attention(X, Z, *maps))


def test_just_one(student, rng):
    """A single source gets everything; a single reader has a row to itself."""
    X, Z, Wq, Wk, Wv = some_texts(rng, 4, 1, 3, 2, 5)
    same_head(student.cross_attention(X, Z, Wq, Wk, Wv), (np.ones((4, 1)), np.tile(Z @ Wv, (4, 1))))
    texts = some_texts(rng, 1, 4, 3, 2, 5)
    same_head(student.cross_attention(*texts), slow_cross_attention(*texts))


def test_scores_far_from_zero(student, rng):
    """Scores that are all near +1800, or near -1800, give finite, correct weights: only differences count."""
    for sign in (1, -1):
        X, *maps = far_from_zero(rng, 8, sign)
        same_head(student.cross_attention(X[:3], X[3:], *maps), slow_cross_attention(X[:3], X[3:], *maps))


def test_kinds_of_numbers(student, rng):
    """Nested lists, integers and 32-bit floats give the same result as arrays of ordinary floats."""
    whole = [rng.integers(-2, 3, shape) for shape in ((3, 4), (5, 4), (4, 3), (4, 3), (4, 2))]
    same_head(student.cross_attention(*whole), slow_cross_attention(*whole))
    same_head(student.cross_attention(*(array.tolist() for array in whole)), slow_cross_attention(*whole))
    single = [array.astype(np.float32) for array in some_texts(rng, 3, 5, 4, 3, 2)]
    same_head(student.cross_attention(*single), slow_cross_attention(*single))


def test_inputs_are_left_as_they_were(student, rng):
    """Both texts and the matrices are the same after the call."""
    inputs_untouched(student.cross_attention, *some_texts(rng, 3, 5, 4, 3, 2))


def test_second_call(student, rng):
    """Other texts of the same shapes give a result of their own."""
    first, second = some_texts(rng, 3, 5, 4, 3, 2), some_texts(rng, 3, 5, 4, 3, 2)
    for texts in (first, second, (first[0], *second[1:]), first):
        same_head(student.cross_attention(*texts), slow_cross_attention(*texts))
