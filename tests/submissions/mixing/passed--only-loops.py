import math

import numpy as np


def softmax(z):
    if np.ndim(z) > 1:
        return np.array([softmax(part) for part in z])
    top = max(z)
    exponentials = []
    for score in z:
        exponentials.append(math.exp(score - top))
    total = sum(exponentials)
    shares = []
    for value in exponentials:
        shares.append(value / total)
    return np.array(shares)


def match_scores(X):
    n, d = np.shape(X)
    S = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            for k in range(d):
                S[i, j] += X[i][k] * X[j][k]
            S[i, j] /= math.sqrt(d)
    return S


def mix(A, V):
    n, m = np.shape(A)
    width = len(V[0])
    H = np.zeros((n, width))
    for i in range(n):
        for j in range(m):
            for k in range(width):
                H[i, k] += A[i][j] * V[j][k]
    return H


def attend(X):
    A = softmax(match_scores(X))
    return A, mix(A, X)


def add_residual(X, H):
    Y = np.zeros(np.shape(X))
    for i in range(len(X)):
        for k in range(len(X[i])):
            Y[i, k] = X[i][k] + H[i][k]
    return Y


def uniform_mixture(X):
    n, d = np.shape(X)
    H = np.zeros((n, d))
    for k in range(d):
        total = 0.0
        for i in range(n):
            total += X[i][k]
        for i in range(n):
            H[i, k] = total / n
    return H


def sharpen(scores, factor):
    if np.ndim(scores) > 1:
        return np.array([sharpen(part, factor) for part in scores])
    return softmax([factor * score for score in scores])
