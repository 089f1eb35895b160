"""Generated from source/mixing/mixing.py by `autograder build`: edit that instead."""

import numpy as np


def softmax(z):
    """Turn scores into shares that sum to one along the last axis.

    softmax(z)_i = exp(z_i) / sum_j exp(z_j)

    z: shape (..., m), any number of dimensions from one upward. Returns the same shape: every row along the
    LAST axis is normalized by itself, so softmax([[0, 0], [5, 5]]) is [[.5, .5], [.5, .5]].
    Stable: scores of +1000 or -1000 (all of a row, or some) give finite, correct shares and no nan.
    Adding a constant to a row changes nothing. An entry of -inf gets the share 0 and the others share the
    rest; every row holds at least one finite score, and none is +inf or nan.
    Lists and integers are accepted; z is left as it was.
    """
    z = np.asarray(z, dtype=float)
    exponentials = np.exp(z - z.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def match_scores(X):
    """Score every row of X against every row of X.

    S = X Xᵀ / √d,   S[i, j] = (row i · row j) / √d

    X: shape (n, d), one word per row, n and d from one upward. Returns S: shape (n, n).
    d is the number of columns of the X at hand: 4 on this page, but not in every test.
    Lists and integers are accepted; X is left as it was.
    """
    X = np.asarray(X, dtype=float)
    return X @ X.T / np.sqrt(X.shape[1])


def mix(A, V):
    """Mix the rows of V with the shares in A.

    H = A V,   H[i] = sum_j A[i, j] V[j]

    A: shape (n, m), row i holds reader i's shares of the m sources. V: shape (m, d_v), one row per source.
    Returns H: shape (n, d_v). n, m and d_v may all differ, and each may be 1.
    The shares are used as they are: nothing is normalized here.
    Lists and integers are accepted; A and V are left as they were.
    """
    return np.asarray(A, dtype=float) @ np.asarray(V, dtype=float)


def attend(X):
    """One attention head that uses each row as it is ("identity projections").

    A = the softmax, along each row, of X Xᵀ / √d          the weights
    H = A X                                                the mixtures

    X: shape (n, d), n and d from one upward. Returns the pair (A, H), in this order: A has shape (n, n), each
    row sums to one, A[i, j] is reader i's share of word j; H has shape (n, d). No residual is added here.
    Use the functions you have already written. Lists and integers are accepted; X is left as it was.
    """
    A = softmax(match_scores(X))
    return A, mix(A, X)


def add_residual(X, H):
    """Add the mixtures to the rows they belong to.

    Y = X + H

    X and H: the same shape (n, d). Returns Y: shape (n, d), a new array.
    Lists and integers are accepted (and added entry by entry); X and H are left as they were.
    """
    return np.asarray(X, dtype=float) + np.asarray(H, dtype=float)


def uniform_mixture(X):
    """Mix with equal shares: every row becomes the mean of all rows.

    H[i] = (1/n) sum_j X[j]   for every i

    X: shape (n, d), n and d from one upward. Returns H: shape (n, d), n equal rows (not just one).
    Lists and integers are accepted; X is left as it was.
    """
    X = np.asarray(X, dtype=float)
    return np.tile(X.mean(axis=0), (len(X), 1))


def sharpen(scores, factor):
    """Shares from scores whose differences are first multiplied by a factor.

    sharpen(scores, factor) = the softmax, along the last axis, of factor × scores

    scores: shape (..., m), finite, used as given: no further √d. factor: one finite number. Returns the same
    shape as scores. A factor of 1 is plain softmax, 0 gives equal shares, a negative one reverses the order.
    Stable for large products such as 5 × 1000. Lists and integers are accepted; scores is left as it was.
    """
    return softmax(factor * np.asarray(scores, dtype=float))


ANSWERS = {
    "same_weights": "b",
    "keeps_itself": "d",
    "unchanged_weights": "b",
}
