import numpy as np
from scipy import special
from scipy.spatial.distance import cdist


def softmax(z):
    return special.softmax(np.asarray(z, dtype=np.float32), axis=-1)


def match_scores(X):
    X = np.asarray(X, dtype=np.float32)
    return X @ X.T / np.sqrt(np.float32(X.shape[1]))


def mix(A, V):
    return np.asarray(A, dtype=np.float32) @ np.asarray(V, dtype=np.float32)


def attend(X):
    # x·y = (|x|² + |y|² - |x - y|²) / 2
    X = np.asarray(X, dtype=float)
    lengths = (X**2).sum(axis=1)
    products = (lengths[:, None] + lengths[None, :] - cdist(X, X, "sqeuclidean")) / 2
    A = special.softmax(products / np.sqrt(X.shape[1]), axis=1)
    return A.astype(np.float32), (A @ X).astype(np.float32)


def add_residual(X, H):
    return np.asarray(X, dtype=np.float32) + np.asarray(H, dtype=np.float32)


def uniform_mixture(X):
    X = np.asarray(X, dtype=np.float32)
    return np.broadcast_to(X.mean(axis=0), X.shape)


def sharpen(scores, factor):
    scores = np.asarray(scores, dtype=float)
    return np.exp(special.log_softmax(factor * scores, axis=-1)).astype(np.float32)
