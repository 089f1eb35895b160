import numpy as np
from scipy.special import softmax


def causal_mask(n):
    return np.triu(np.ones((n, n), dtype=bool), 1)


def masked_softmax(scores, forbidden):
    scores = np.asarray(scores, dtype=float)
    forbidden = np.broadcast_to(forbidden, scores.shape)
    if np.any(np.all(forbidden, axis=-1)):
        raise ValueError("nothing to read")
    return softmax(np.where(forbidden, -np.inf, scores), axis=-1)


def attention(X, Wq, Wk, Wv, causal=False):
    X = np.asarray(X, dtype=float)
    Q, K, V = X @ np.asarray(Wq), X @ np.asarray(Wk), X @ np.asarray(Wv)
    S = Q @ K.T / np.sqrt(K.shape[1])
    A = masked_softmax(S, causal_mask(len(X))) if causal else softmax(S, axis=1)
    return A, A @ V


def cross_attention(X, Z, Wq, Wk, Wv):
    Q, K, V = np.dot(X, Wq), np.dot(Z, Wk), np.dot(Z, Wv)
    A = softmax(Q @ K.T / np.sqrt(K.shape[1]), axis=1)
    return A, A @ V


class KVCache:
    keys = []
    values = []

    def append(self, k, v):
        self.keys.append(np.array(k, dtype=float))
        self.values.append(np.array(v, dtype=float))

    def __len__(self):
        return len(self.keys)


def decode_step(x, cache, Wq, Wk, Wv):
    q, k, v = np.dot(x, Wq), np.dot(x, Wk), np.dot(x, Wv)
    cache.append(k, v)
    weights = softmax(np.array(cache.keys) @ q / np.sqrt(len(q)))
    return weights, weights @ np.array(cache.values)


def linear_attention(Q, K, V):
    scores = np.asarray(Q) @ np.asarray(K).T
    return np.tril(scores) @ np.asarray(V)


def fast_weights(Q, K, V):
    Q, K, V = np.asarray(Q), np.asarray(K), np.asarray(V)
    M = np.zeros((K.shape[1], V.shape[1]))
    out = np.zeros((len(Q), V.shape[1]))
    for t in range(len(Q)):
        M += np.outer(K[t], V[t])
        out[t] = Q[t] @ M
    return out, M


def kernel_smoother(q, K, V, compatibility):
    q, K, V = np.asarray(q, dtype=float), np.asarray(K, dtype=float), np.asarray(V, dtype=float)
    weights = np.array([compatibility(q, k) for k in K])
    weights = weights / np.sum(weights)
    return weights, weights @ V
