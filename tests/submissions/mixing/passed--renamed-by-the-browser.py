# handed in as: mixing (1).ipynb
# Übung von Søren 🙂
import numpy as np


def softmax(z):
    z = np.array(z, float)
    z = z - np.expand_dims(np.amax(z, axis=-1), -1)
    return np.exp(z) / np.expand_dims(np.sum(np.exp(z), axis=-1), -1)


def match_scores(X):
    X = np.array(X, float)
    return (X / X.shape[1] ** 0.25) @ (X / X.shape[1] ** 0.25).T


def mix(A, V):
    return np.array([sum(share * np.array(row, float) for share, row in zip(shares, V)) for shares in A])


def attend(X):
    A = softmax(match_scores(X))
    return A, mix(A, X)


def add_residual(X, H):
    Y = np.array(X, float)
    Y += H
    return Y


def uniform_mixture(X):
    mean = sum(np.array(row, float) for row in X) / len(X)
    return np.vstack([mean for _ in X])


def sharpen(scores, factor):
    ratios = softmax(scores) ** factor
    return ratios / ratios.sum(axis=-1, keepdims=True)
