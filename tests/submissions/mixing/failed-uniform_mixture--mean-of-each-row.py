import numpy as np


def softmax(z):
    z = np.asarray(z, dtype=float)
    e = np.exp(z - z.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def match_scores(X):
    X = np.asarray(X, dtype=float)
    return X @ X.T / np.sqrt(X.shape[1])


def mix(A, V):
    return np.asarray(A, dtype=float) @ np.asarray(V, dtype=float)


def attend(X):
    A = softmax(match_scores(X))
    return A, mix(A, X)


def add_residual(X, H):
    return np.asarray(X, dtype=float) + np.asarray(H, dtype=float)


def uniform_mixture(X):
    return np.tile(np.mean(X, axis=1, keepdims=True), (1, len(X[0])))


def sharpen(scores, factor):
    return softmax(factor * np.asarray(scores, dtype=float))
