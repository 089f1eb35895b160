"""Generated from source/masking/masking.py by `autograder build`: edit that instead."""

import numpy as np
from scipy.special import softmax


def causal_mask(n):
    """Where reading is forbidden, if a word may read only itself and what stands before it.

    n: a whole number. Returns booleans, shape (n, n): entry [i, j] is True where reader i must NOT read
    position j, False where it may.
    """
    return np.triu(np.ones((n, n), dtype=bool), k=1)


def masked_softmax(scores, forbidden):
    """Softmax along the last axis, among the entries that are not forbidden.

    scores: shape (..., m), one dimension or more, finite. forbidden: booleans that broadcast to the shape of
    scores (as large, or one row for all readers, or one matrix for a stack, or a single False). True forbids.
    Returns the shape of scores: exactly 0 where forbidden; the other entries of a row sum to one and keep the
    ratios of plain softmax. An allowed score of exactly 0 earns a share like others. Rows near +1000 or -1000
    are fine (no two scores of a row are more than 500 apart). ValueError if any row has nothing allowed.
    """
    scores = np.asarray(scores, dtype=float)
    forbidden = np.broadcast_to(forbidden, scores.shape)
    if forbidden.all(axis=-1).any():
        raise ValueError("a row has nothing that it may read")
    return softmax(np.where(forbidden, -np.inf, scores), axis=-1)


def attention(X, Wq, Wk, Wv, causal=False):
    """One attention head, with or without a view of the future.

    Q = X Wq, K = X Wk, V = X Wv;   A = softmax of Q Kᵀ / √d_k along each row;   H = A V
    With causal=True a row shares among itself and the rows before it; A is exactly 0 elsewhere.
    X: (n, d), Wq and Wk: (d, d_k), Wv: (d, d_v). Returns the pair (A, H), shapes (n, n) and (n, d_v).
    A row of zeros in X is a word like any other: its scores are 0, which is not forbidden.
    """
    X, Wq, Wk, Wv = (np.asarray(array, dtype=float) for array in (X, Wq, Wk, Wv))
    S = (X @ Wq) @ (X @ Wk).T / np.sqrt(Wq.shape[1])
    A = masked_softmax(S, causal_mask(len(X)) if causal else False)
    return A, A @ (X @ Wv)


def cross_attention(X, Z, Wq, Wk, Wv):
    """The rows of X read the rows of Z; there is no mask.

    Q = X Wq, K = Z Wk, V = Z Wv;   A = softmax of Q Kᵀ / √d_k along each row;   H = A V
    X: (n, d), the readers. Z: (m, d), the sources; n and m may differ. Wq and Wk: (d, d_k), Wv: (d, d_v).
    Returns the pair (A, H), shapes (n, m) and (n, d_v).
    """
    X, Z, Wq, Wk, Wv = (np.asarray(array, dtype=float) for array in (X, Z, Wq, Wk, Wv))
    A = softmax((X @ Wq) @ (Z @ Wk).T / np.sqrt(Wk.shape[1]), axis=1)
    return A, A @ (Z @ Wv)


class KVCache:
    """The keys and values of the words so far, oldest first.

    KVCache() is empty; append(k, v) adds a word's key k (d_k,) and value v (d_v,). After t words, keys has
    shape (t, d_k), values (t, d_v), and len(cache) is t. keys and values are attributes (or properties),
    arrays (or lists of rows). An empty cache has length 0; nobody looks at its keys and values.
    append keeps copies: who changes k or v afterwards does not change the cache. Two caches share nothing.
    """

    def __init__(self):
        self.keys = self.values = None

    def append(self, k, v):
        k, v = np.array([k], dtype=float), np.array([v], dtype=float)
        self.keys = k if self.keys is None else np.concatenate([self.keys, k])
        self.values = v if self.values is None else np.concatenate([self.values, v])

    def __len__(self):
        return 0 if self.keys is None else len(self.keys)


def decode_step(x, cache, Wq, Wk, Wv):
    """Attention of the newest word over a cache.

    First x's own key x Wk and value x Wv are appended to the cache. Then the query x Wq reads all that the
    cache holds, its own entry included: softmax of the scores divided by √d_k.
    x: (d,), Wq and Wk: (d, d_k), Wv: (d, d_v). cache: a KVCache of the words before x, maybe none; only the
    cache changes. Returns the pair (weights, mixture), shapes (t,) and (d_v,), t counting x. Word by word
    these are the rows of attention(X, Wq, Wk, Wv, causal=True), without the zeros.
    """
    x, Wq, Wk, Wv = (np.asarray(array, dtype=float) for array in (x, Wq, Wk, Wv))
    cache.append(x @ Wk, x @ Wv)
    weights = softmax(np.asarray(cache.keys) @ (x @ Wq) / np.sqrt(Wq.shape[1]))
    return weights, weights @ np.asarray(cache.values)


def linear_attention(Q, K, V):
    """Causal attention with the products themselves as weights.

    out_t = Σ_{s ≤ t} (q_t · k_s) v_s: t itself included, no softmax, no √d_k, no normalization.
    Q and K: (n, d_k), V: (n, d_v). Returns out: (n, d_v).
    """
    Q, K, V = (np.asarray(array, dtype=float) for array in (Q, K, V))
    return np.tril(Q @ K.T) @ V


def fast_weights(Q, K, V):
    """Linear attention from a memory that every word updates.

    M_0 = 0;   M_t = M_{t-1} + k_tᵀ v_t;   out_t = q_t M_t, read after word t was added
    Q and K: (n, d_k), V: (n, d_v). Returns the pair (out, memory): out (n, d_v), which equals
    linear_attention(Q, K, V), and M_n (d_k, d_v), rows for coordinates of keys, columns for those of values.
    """
    Q, K, V = (np.asarray(array, dtype=float) for array in (Q, K, V))
    memory, out = np.zeros((K.shape[1], V.shape[1])), []
    for q, k, v in zip(Q, K, V):
        memory = memory + np.outer(k, v)
        out.append(q @ memory)
    return np.array(out), memory


def kernel_smoother(q, K, V, compatibility):
    """Mix values by how compatible their keys are with a query.

    weight_s = compatibility(q, k_s) / Σ_r compatibility(q, k_r);   mixture = Σ_s weight_s v_s
    q: (d_k,), K: (m, d_k), V: (m, d_v). compatibility takes the query, then ONE key, both arrays (d_k,), and
    returns a positive number; it need not be symmetric. Returns the pair (weights (m,), mixture (d_v,)).
    """
    q, K, V = (np.asarray(array, dtype=float) for array in (q, K, V))
    weights = np.array([compatibility(q, k) for k in K])
    weights = weights / weights.sum()
    return weights, weights @ V


ANSWERS = {
    "word_order": "c",
    "regrouping": "a",
}
