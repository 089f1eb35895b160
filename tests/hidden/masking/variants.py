"""Right answers written in other ways: each must earn every point."""

import numpy as np
from scipy.special import softmax

from autograder.grading.suite import variant
from solutions.masking import causal_mask, masked_softmax

# causal_mask


@variant("causal_mask", "loops, nested lists returned")
def mask_in_loops(n):
    return [[j > i for j in range(n)] for i in range(n)]


@variant("causal_mask", "not the lower triangle")
def mask_by_triangle(n):
    return ~np.tri(n, dtype=bool)


@variant("causal_mask", "positions compared")
def mask_by_positions(n):
    return np.less.outer(np.arange(n), np.arange(n))


@variant("causal_mask", "ones, cut and turned into booleans")
def mask_by_ones(n):
    return np.triu(np.ones((n, n)), 1) == 1


# masked_softmax


@variant("masked_softmax", "strikes out after softmax and shares anew")
def shares_renormalized(scores, forbidden):
    shares = softmax(np.asarray(scores, dtype=float), axis=-1) * np.logical_not(forbidden)
    totals = shares.sum(axis=-1, keepdims=True)
    if (totals == 0).any():
        raise ValueError("nothing allowed")
    return shares / totals


@variant("masked_softmax", "adds -1e9, in float32")
def shares_with_a_penalty(scores, forbidden):
    scores = np.asarray(scores, dtype=np.float32)
    forbidden = np.broadcast_to(forbidden, scores.shape)
    if np.any(np.all(forbidden, axis=-1)):
        raise ValueError("every row needs something to read")
    return softmax(np.where(forbidden, np.float32(-1e9), scores), axis=-1)


@variant("masked_softmax", "puts -1e4 in place of forbidden scores")
def shares_with_a_low_score(scores, forbidden):
    scores = np.asarray(scores, dtype=float) + np.zeros(np.shape(forbidden))
    if np.any(np.sum(~np.broadcast_to(forbidden, scores.shape), axis=-1) == 0):
        raise ValueError("every row needs something to read")
    scores = np.where(forbidden, -1e4, scores)
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


@variant("masked_softmax", "loops over rows, nested lists returned")
def shares_in_loops(scores, forbidden):
    import math

    scores = np.asarray(scores, dtype=float)
    forbidden = np.broadcast_to(np.asarray(forbidden, dtype=bool), scores.shape)
    if scores.ndim > 1:
        return [shares_in_loops(*rows) for rows in zip(scores, forbidden)]
    allowed = [score for score, bar in zip(scores, forbidden) if not bar]
    if not allowed:
        raise ValueError("nothing allowed")
    total = sum(math.exp(score - max(allowed)) for score in allowed)
    pairs = zip(scores, forbidden)
    return [0.0 if bar else math.exp(score - max(allowed)) / total for score, bar in pairs]


@variant("masked_softmax", "exponentials where allowed only, through a masked array")
def shares_by_masked_arrays(scores, forbidden):
    scores = np.array(scores, dtype=float)
    masked = np.ma.masked_array(scores, mask=np.broadcast_to(forbidden, scores.shape).copy())
    if np.ma.count(masked, axis=-1).min() == 0:
        raise ValueError("nothing allowed")
    exponentials = np.ma.exp(masked - masked.max(axis=-1, keepdims=True))
    return (exponentials / exponentials.sum(axis=-1, keepdims=True)).filled(0)


# attention


@variant("attention", "prefix slices instead of a mask")
def attention_by_prefixes(X, Wq, Wk, Wv, causal=False):
    X = np.asarray(X, dtype=float)
    Q, K, V = X @ np.asarray(Wq), X @ np.asarray(Wk), X @ np.asarray(Wv)
    A = np.zeros((len(X), len(X)))
    for i in range(len(X)):
        end = i + 1 if causal else len(X)
        A[i, :end] = softmax(K[:end] @ Q[i] / np.sqrt(K.shape[1]))
    return A, A @ V


@variant("attention", "Wq Wkᵀ first, einsum, a penalty instead of a mask")
def attention_by_one_form(X, Wq, Wk, Wv, causal=False):
    X, Wq, Wk, Wv = (np.array(array, dtype=float) for array in (X, Wq, Wk, Wv))
    S = np.einsum("id,de,je->ij", X, Wq @ Wk.T, X) * Wq.shape[1] ** -0.5
    if causal:
        S = S + np.triu(np.full(S.shape, -1e9), 1)
    A = softmax(S, axis=-1)
    return A, np.einsum("ij,jd,dv->iv", A, X, Wv)


@variant("attention", "full weights, cut to the past and shared anew")
def attention_renormalized(X, Wq, Wk, Wv, causal=False):
    X, Wq, Wk, Wv = (np.asarray(array, dtype=float) for array in (X, Wq, Wk, Wv))
    A = softmax((X @ Wq) @ (X @ Wk).T / np.sqrt(Wk.shape[1]), axis=1)
    if causal:
        A = np.tril(A)
        A = A / A.sum(axis=1, keepdims=True)
    return A, A @ X @ Wv


@variant("attention", "fourth roots on both sides, in float32, a list returned")
def attention_by_fourth_roots(X, Wq, Wk, Wv, causal=False):
    X, Wq, Wk, Wv = (np.asarray(array, dtype=np.float32) for array in (X, Wq, Wk, Wv))
    root = np.float32(np.sqrt(np.sqrt(Wq.shape[1])))
    S = (X @ Wq / root) @ (X @ Wk / root).T
    S = S - S.max(axis=1, keepdims=True)
    forbidden = causal_mask(len(X)) if causal else np.zeros(S.shape, dtype=bool)
    A = masked_softmax(S, forbidden).astype(np.float32)
    return [A, A @ (X @ Wv)]


@variant("attention", "loops, nested lists returned")
def attention_in_loops(X, Wq, Wk, Wv, causal=False):
    def product(rows, W):
        return [[sum(x * w for x, w in zip(row, column)) for column in zip(*W)] for row in rows]

    Q, K, V = product(X, Wq), product(X, Wk), product(X, Wv)
    A = []
    for i, q in enumerate(Q):
        scores = [sum(a * b for a, b in zip(q, k)) / len(q) ** 0.5 for k in K]
        A.append(masked_softmax(scores, [causal and j > i for j in range(len(K))]).tolist())
    return A, product(A, V)


# cross_attention


@variant("cross_attention", "one reader after the other, lists returned")
def cross_in_loops(X, Z, Wq, Wk, Wv):
    K, V = np.asarray(Z) @ np.asarray(Wk), np.asarray(Z) @ np.asarray(Wv)
    A = [softmax(K @ (np.asarray(x) @ np.asarray(Wq)) / len(K[0]) ** 0.5) for x in X]
    return [list(row) for row in A], [(row[:, None] * V).sum(axis=0).tolist() for row in A]


@variant("cross_attention", "einsum, Wq Wkᵀ first, values last")
def cross_by_einsum(X, Z, Wq, Wk, Wv):
    X, Z, Wq, Wk, Wv = (np.array(array, dtype=float) for array in (X, Z, Wq, Wk, Wv))
    S = np.einsum("nd,dk,ek,me->nm", X, Wq, Wk, Z) / np.sqrt(Wq.shape[1])
    A = np.exp(S - S.max(axis=1, keepdims=True))
    A = A / A.sum(axis=1, keepdims=True)
    return A, A @ Z @ Wv


@variant("cross_attention", "masked softmax with nothing forbidden, in float32")
def cross_by_masked_softmax(X, Z, Wq, Wk, Wv):
    X, Z, Wq, Wk, Wv = (np.asarray(array, dtype=np.float32) for array in (X, Z, Wq, Wk, Wv))
    A = masked_softmax((X @ Wq) @ (Z @ Wk).T / np.sqrt(np.float32(Wq.shape[1])), False).astype(np.float32)
    return A, A @ (Z @ Wv)


@variant("cross_attention", "transposed throughout")
def cross_transposed(X, Z, Wq, Wk, Wv):
    Q, K, V = np.dot(X, Wq).T, np.dot(Z, Wk).T, np.dot(Z, Wv).T
    A = softmax(K.T @ Q / np.sqrt(len(Q)), axis=0)
    return A.T, (V @ A).T


# KVCache


@variant("KVCache", "lists of arrays as attributes")
class ListCache:
    def __init__(self):
        self.keys, self.values = [], []

    def append(self, k, v):
        self.keys.append(np.array(k, dtype=float))
        self.values.append(np.array(v, dtype=float))

    def __len__(self):
        return len(self.keys)


@variant("KVCache", "pairs, with properties for the two tables")
class PairCache:
    def __init__(self):
        self._pairs = []

    def append(self, k, v):
        self._pairs.append((tuple(k), tuple(v)))
        return self

    def __len__(self):
        return len(self._pairs)

    @property
    def keys(self):
        return np.array([k for k, _ in self._pairs], dtype=float)

    @property
    def values(self):
        return np.array([v for _, v in self._pairs], dtype=float)


@variant("KVCache", "a buffer that doubles when it is full")
class BufferCache:
    def __init__(self):
        self.t, self.buffers = 0, [np.empty((0, 0)), np.empty((0, 0))]

    def append(self, k, v):
        for which, row in enumerate((k, v)):
            old = self.buffers[which]
            if self.t >= len(old):
                new = np.zeros((2 * len(old) + 1, len(row)))
                if self.t:
                    new[: self.t] = old
                self.buffers[which] = new
            self.buffers[which][self.t] = row
        self.t += 1

    keys = property(lambda self: self.buffers[0][: self.t])
    values = property(lambda self: self.buffers[1][: self.t])

    def __len__(self):
        return self.t


@variant("KVCache", "lists of lists of plain numbers")
class PlainCache:
    def __init__(self):
        self.keys = []
        self.values = []

    def append(self, k, v):
        self.keys = self.keys + [[float(x) for x in k]]
        self.values = self.values + [[float(x) for x in v]]

    def __len__(self):
        return len(self.values)


@variant("KVCache", "float32, stacked")
class StackedCache:
    keys = None
    values = None

    def append(self, k, v):
        k, v = np.array([k], dtype=np.float32), np.array([v], dtype=np.float32)
        self.keys = k if self.keys is None else np.vstack((self.keys, k))
        self.values = v if self.values is None else np.vstack((self.values, v))

    def __len__(self):
        return 0 if self.keys is None else self.keys.shape[0]


# decode_step


@variant("decode_step", "loops over the cache, lists returned")
def decode_in_loops(x, cache, Wq, Wk, Wv):
    import math

    q, k, v = ([sum(a * b for a, b in zip(x, column)) for column in zip(*W)] for W in (Wq, Wk, Wv))
    cache.append(k, v)
    keys, values = list(cache.keys), list(cache.values)
    scores = [sum(a * b for a, b in zip(q, key)) / math.sqrt(len(q)) for key in keys]
    exponentials = [math.exp(score - max(scores)) for score in scores]
    weights = [each / sum(exponentials) for each in exponentials]
    return weights, [sum(w * value[b] for w, value in zip(weights, values)) for b in range(len(v))]


@variant("decode_step", "online: one source after the other, rescaled")
def decode_online(x, cache, Wq, Wk, Wv):
    x = np.asarray(x, dtype=float)
    q = x @ np.asarray(Wq) / np.shape(Wq)[1] ** 0.5
    cache.append(x @ np.asarray(Wk), x @ np.asarray(Wv))
    scores = np.asarray(cache.keys) @ q
    top, total, mixture = -np.inf, 0.0, 0.0
    for score, value in zip(scores, np.asarray(cache.values)):
        higher = max(top, score)
        total = total * np.exp(top - higher) + np.exp(score - higher)
        mixture = mixture * np.exp(top - higher) + np.exp(score - higher) * value
        top = higher
    return np.exp(scores - top) / total, mixture / total


@variant("decode_step", "a matrix of one row, in float32")
def decode_as_a_matrix(x, cache, Wq, Wk, Wv):
    x, Wq, Wk, Wv = (np.asarray(array, dtype=np.float32) for array in (x, Wq, Wk, Wv))
    x = x[None]
    cache.append((x @ Wk)[0], (x @ Wv)[0])
    keys, values = np.asarray(cache.keys, dtype=np.float32), np.asarray(cache.values, dtype=np.float32)
    A = masked_softmax(x @ Wq @ keys.T / np.float32(np.sqrt(keys.shape[1])), False)
    return tuple(part[0] for part in (A, A @ values))


@variant("decode_step", "a prefix read from the cache, the newest word added by hand")
def decode_by_prefix(x, cache, Wq, Wk, Wv):
    x, Wq, Wk, Wv = (np.asarray(array, dtype=float) for array in (x, Wq, Wk, Wv))
    k, v = x @ Wk, x @ Wv
    keys = np.vstack([np.asarray(cache.keys), k]) if len(cache) else k[None]
    values = np.vstack([np.asarray(cache.values), v]) if len(cache) else v[None]
    cache.append(k, v)
    weights = softmax(np.einsum("tk,k->t", keys, x @ Wq) / np.sqrt(len(k)))
    return weights, np.einsum("t,tv->v", weights, values)


# linear_attention


@variant("linear_attention", "loops, nested lists returned")
def linear_in_loops(Q, K, V):
    out = []
    for t, q in enumerate(Q):
        row = [0.0] * len(V[0])
        for k, v in zip(K[: t + 1], V[: t + 1]):
            weight = sum(a * b for a, b in zip(q, k))
            row = [total + weight * value for total, value in zip(row, v)]
        out.append(row)
    return out


@variant("linear_attention", "running sums of outer products")
def linear_by_running_sums(Q, K, V):
    Q, K, V = (np.asarray(array, dtype=float) for array in (Q, K, V))
    return np.einsum("tk,tkv->tv", Q, np.cumsum(np.einsum("tk,tv->tkv", K, V), axis=0))


@variant("linear_attention", "the causal mask, float32")
def linear_by_the_mask(Q, K, V):
    Q, K, V = (np.asarray(array, dtype=np.float32) for array in (Q, K, V))
    return np.where(causal_mask(len(Q)), np.float32(0), Q @ K.T) @ V


@variant("linear_attention", "one prefix after the other")
def linear_by_prefixes(Q, K, V):
    Q, K, V = (np.asarray(array, dtype=float) for array in (Q, K, V))
    return np.stack([Q[t] @ K[: t + 1].T @ V[: t + 1] for t in range(len(Q))])


# fast_weights


@variant("fast_weights", "running sums, a list returned")
def fast_by_running_sums(Q, K, V):
    Q, K, V = (np.asarray(array, dtype=float) for array in (Q, K, V))
    memories = np.cumsum(K[:, :, None] * V[:, None, :], axis=0)
    return [(Q[:, :, None] * memories).sum(axis=1), memories[-1]]


@variant("fast_weights", "loops over numbers, nested lists returned")
def fast_in_loops(Q, K, V):
    memory, out = [[0.0] * len(V[0]) for _ in K[0]], []
    for q, k, v in zip(Q, K, V):
        for a in range(len(k)):
            for b in range(len(v)):
                memory[a][b] += k[a] * v[b]
        out.append([sum(q[a] * memory[a][b] for a in range(len(k))) for b in range(len(v))])
    return out, memory


@variant("fast_weights", "updated in place, float32")
def fast_in_float32(Q, K, V):
    Q, K, V = (np.asarray(array, dtype=np.float32) for array in (Q, K, V))
    memory, out = np.zeros((K.shape[1], V.shape[1]), dtype=np.float32), np.empty(V.shape, dtype=np.float32)
    for t in range(len(Q)):
        memory += K[t][:, None] * V[t]
        out[t] = memory.T @ Q[t]
    return out, memory


@variant("fast_weights", "a memory kept transposed, turned at the end")
def fast_turned(Q, K, V):
    memory, out = 0, []
    for q, k, v in zip(np.asarray(Q, dtype=float), np.asarray(K, dtype=float), np.asarray(V, dtype=float)):
        memory = memory + np.multiply.outer(v, k)
        out.append(memory @ q)
    return np.array(out), memory.T


# kernel_smoother


@variant("kernel_smoother", "loops, lists returned")
def smoother_in_loops(q, K, V, compatibility):
    raw = []
    for k in K:
        raw.append(float(compatibility(q, k)))
    weights = [each / sum(raw) for each in raw]
    return weights, [sum(w * v for w, v in zip(weights, column)) for column in zip(*V)]


@variant("kernel_smoother", "softmax of logarithms")
def smoother_through_logarithms(q, K, V, compatibility):
    q, K, V = (np.asarray(array, dtype=float) for array in (q, K, V))
    weights = softmax(np.log([compatibility(q, k) for k in K]))
    return weights, np.einsum("m,mv->v", weights, V)


@variant("kernel_smoother", "numpy's weighted average")
def smoother_by_average(q, K, V, compatibility):
    raw = np.fromiter((compatibility(np.asarray(q), k) for k in np.asarray(K)), dtype=float)
    return [raw / raw.sum(), np.average(V, axis=0, weights=raw)]


@variant("kernel_smoother", "apply_along_axis, in float32")
def smoother_in_float32(q, K, V, compatibility):
    q, K, V = (np.asarray(array, dtype=np.float32) for array in (q, K, V))
    raw = np.apply_along_axis(lambda k: np.float64(compatibility(q, k)), 1, K)
    weights = (raw / raw.sum()).astype(np.float32)
    return weights, weights @ V
