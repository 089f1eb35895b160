import numpy as np


def softmax(z):
    z = z - z.max(axis=-1, keepdims=True)
    return np.exp(z) / np.exp(z).sum(axis=-1, keepdims=True)


causal_mask = lambda n: np.subtract.outer(np.arange(n), np.arange(n)) < 0


def masked_softmax(scores, forbidden):
    scores = np.array(scores, dtype=float)
    blocked = np.zeros(scores.shape, dtype=bool) | np.asarray(forbidden)
    if blocked.all(-1).any():
        raise ValueError("a whole row is forbidden")
    shares = softmax(scores - 1e9 * blocked)
    return shares


def attention(X, Wq, Wk, Wv, causal=False):
    X, Wq, Wk, Wv = map(np.float64, (X, Wq, Wk, Wv))
    S = np.einsum("id,dk,ek,je->ij", X, Wq, Wk, X) / Wq.shape[-1] ** 0.5
    if causal:
        S += np.triu(np.full_like(S, -1e12), 1)
    A = softmax(S)
    return A, np.einsum("ij,jd,dv->iv", A, X, Wv)


def cross_attention(X, Z, Wq, Wk, Wv):
    X, Z, Wq, Wk, Wv = map(np.float64, (X, Z, Wq, Wk, Wv))
    both = np.concatenate([X, Z])
    scores = (X @ Wq) @ (both @ Wk).T / np.sqrt(Wq.shape[1])
    outside = np.arange(len(both)) < len(X)
    A = masked_softmax(scores, outside)[:, len(X) :]
    return A, A @ (Z @ Wv)


class KVCache:
    room = 4

    def __init__(self):
        self.t = 0
        self.k = self.v = None

    def append(self, k, v):
        if self.t == 0:
            self.k, self.v = np.zeros((self.room, len(k))), np.zeros((self.room, len(v)))
        if self.t == len(self.k):
            self.k = np.concatenate([self.k, np.zeros_like(self.k)])
            self.v = np.concatenate([self.v, np.zeros_like(self.v)])
        self.k[self.t], self.v[self.t] = k, v
        self.t += 1
        return self

    keys = property(lambda self: self.k[: self.t])
    values = property(lambda self: self.v[: self.t])

    def __len__(self):
        return self.t


def decode_step(x, cache, Wq, Wk, Wv):
    x = np.float64(x)
    cache.append(x @ np.float64(Wk), x @ np.float64(Wv))
    query = x @ np.float64(Wq) / np.sqrt(np.shape(Wq)[1])
    weights = softmax(np.einsum("tk,k->t", np.array(cache.keys), query))
    return weights, np.einsum("t,tv->v", weights, np.array(cache.values))


def linear_attention(Q, K, V):
    return fast_weights(Q, K, V)[0]  # further down


def fast_weights(Q, K, V):
    memories = np.cumsum(np.einsum("tk,tv->tkv", K, V), axis=0)
    return np.einsum("tk,tkv->tv", Q, memories), memories[-1]


def kernel_smoother(q, K, V, compatibility):
    K = np.array(K)
    c = np.array([compatibility(np.array(q), K[i]) for i in range(len(K))], dtype=np.float64)
    return c / c.sum(), c @ np.array(V) / c.sum()
