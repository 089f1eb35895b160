import logging
import sys
import warnings

import numpy as np

import matplotlib.pyplot as plt

calls = []


def softmax(z):
    print("softmax of an array with shape", np.shape(z))
    calls.append(np.shape(z))
    z = np.asarray(z, dtype=float)
    logs = z - z.max(axis=-1, keepdims=True)
    logs = np.log(np.exp(logs))  # divide by zero encountered in log
    return np.exp(logs - np.log(np.exp(logs).sum(axis=-1, keepdims=True)))


logging.basicConfig(level=logging.INFO)
plt.imshow(softmax([[1, 2], [3, 1]]))
plt.title("my first shares")
plt.show()


def match_scores(X):
    warnings.warn("are these really words?")
    print("debug:", X, file=sys.stderr)
    X = np.array(X, dtype=float)
    return np.dot(X, X.T) / np.sqrt(X.shape[1])


def mix(A, V):
    logging.warning("mixing")
    return np.dot(A, V)


def attend(X):
    A = softmax(match_scores(X))
    if len(X) > 5:
        plt.matshow(A)
    return A, mix(A, X)


print("shares of bank:", attend([[0, 0, 0, 1], [0, 1, 0, 0.2], [0.5, 0.5, 0.8, 0.2]])[0][2])


def add_residual(X, H):
    return np.add(X, H, dtype=float)


def uniform_mixture(X):
    print(len(X), "words")
    return np.ones((len(X), 1)) * np.mean(X, axis=0)


def sharpen(scores, factor):
    print(f"{factor=}")
    return softmax(np.asarray(scores) * factor)


display(plt.figure())
