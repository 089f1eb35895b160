import numpy as np
from scipy.special import softmax


def project(X, Wq, Wk, Wv):
    X = np.asarray(X, dtype=float)
    return X @ np.asarray(Wq), X @ np.asarray(Wk), X @ np.asarray(Wv)


def attend_from(q, K, V):
    q, K, V = np.asarray(q, dtype=float), np.asarray(K, dtype=float), np.asarray(V, dtype=float)
    weights = softmax(K @ q / np.sqrt(q.shape[0]))
    return weights, weights @ V


def attention(X, Wq, Wk, Wv):
    Q, K, V = project(X, Wq, Wk, Wv)
    A = softmax(Q @ K.T / np.sqrt(Q.shape[1]), axis=-1)
    return A, A @ V


def tower_query():
    return np.array([[0, 3], [0, 0]])


def direction_query(direction, strength=3.75):
    Wq = np.zeros((4, 3))
    Wq[2, :] = np.array(direction) * strength
    return Wq


def bank_match(X, Wq, Wk):
    X = np.asarray(X, dtype=float)
    asks = len(X) - 1
    while X[asks][-1] != 0.2:  # walk back to the word bank
        asks = (asks - 1) % len(X)
    query, keys = X[asks] @ np.asarray(Wq), X @ np.asarray(Wk)
    scores = keys @ query / np.sqrt(keys.shape[1])
    return query, keys, scores, softmax(scores)
