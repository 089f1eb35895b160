import math

import numpy as np


def causal_mask(n):
    return [[reader < source for source in range(n)] for reader in range(n)]


def row_of_shares(scores, forbidden):
    allowed = [float(s) for s, bar in zip(scores, forbidden) if not bar]
    if len(allowed) == 0:
        raise ValueError("this reader may read nothing")
    top = max(allowed)
    total = sum(math.exp(s - top) for s in allowed)
    return [0.0 if bar else math.exp(s - top) / total for s, bar in zip(scores, forbidden)]


def masked_softmax(scores, forbidden):
    forbidden = np.broadcast_to(forbidden, np.shape(scores))
    if np.ndim(scores) == 1:
        return row_of_shares(scores, forbidden)
    return [masked_softmax(s, f) for s, f in zip(scores, forbidden)]


def read(q, keys, values):
    scores = [sum(a * b for a, b in zip(q, k)) / math.sqrt(len(q)) for k in keys]
    weights = row_of_shares(scores, [False] * len(scores))
    mixture = [sum(w * v[b] for w, v in zip(weights, values)) for b in range(len(values[0]))]
    return weights, mixture


def attention(X, Wq, Wk, Wv, causal=False):
    Q, K, V = np.dot(X, Wq), np.dot(X, Wk), np.dot(X, Wv)
    A, H = [], []
    for i in range(len(Q)):
        end = i + 1 if causal else len(Q)
        weights, mixture = read(Q[i], K[:end], V[:end])
        A.append(weights + [0.0] * (len(Q) - end))
        H.append(mixture)
    return A, H


def cross_attention(X, Z, Wq, Wk, Wv):
    rows = [read(q, np.dot(Z, Wk), np.dot(Z, Wv)) for q in np.dot(X, Wq)]
    return [weights for weights, _ in rows], [mixture for _, mixture in rows]


class KVCache:
    def __init__(self):
        self.words = []

    def append(self, k, v):
        self.words.append((list(k), list(v)))

    def __len__(self):
        return len(self.words)

    @property
    def keys(self):
        return [k for k, _ in self.words]

    @property
    def values(self):
        return [v for _, v in self.words]


def decode_step(x, cache, Wq, Wk, Wv):
    cache.append(np.dot(x, Wk), np.dot(x, Wv))
    return read(np.dot(x, Wq), cache.keys, cache.values)


def linear_attention(Q, K, V):
    out = []
    for t in range(len(Q)):
        total = np.zeros(len(V[0]))
        for s in range(t + 1):
            total = total + np.dot(Q[t], K[s]) * np.array(V[s])
        out.append(total)
    return out


def fast_weights(Q, K, V):
    memory = [[0.0 for _ in V[0]] for _ in K[0]]
    out = []
    for q, k, v in zip(Q, K, V):
        for a in range(len(k)):
            for b in range(len(v)):
                memory[a][b] += k[a] * v[b]
        out.append([sum(q[a] * memory[a][b] for a in range(len(k))) for b in range(len(v))])
    return out, memory


def kernel_smoother(q, K, V, compatibility):
    raw = [compatibility(np.array(q), np.array(k)) for k in K]
    weights = [c / sum(raw) for c in raw]
    return weights, [sum(w * v[b] for w, v in zip(weights, V)) for b in range(len(V[0]))]
