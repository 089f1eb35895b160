import numpy as np


def softmax(z):
    z = np.array(z, dtype=np.float64)
    e = np.exp(z - z.max())  # one maximum for all rows is enough here
    return np.einsum("...m,...->...m", e, 1 / np.einsum("...m->...", e)).tolist()


def match_scores(X):
    return (np.einsum("nd,md->nm", X, X) / np.shape(X)[1] ** 0.5).tolist()


def mix(A, V):
    return np.einsum("nm,md->nd", A, V).tolist()


def attend(X):
    A = softmax(match_scores(X))
    return [A, mix(A, X)]


def add_residual(X, H):
    return [[x + h for x, h in zip(old, new)] for old, new in zip(X, H)]


def uniform_mixture(X):
    n = len(X)
    return np.einsum("nm,md->nd", [[1 / n] * n] * n, X).tolist()


def sharpen(scores, factor):
    return softmax(np.multiply(factor, scores))
