"""Generated from source/matching/matching.py by `autograder build`: edit that instead."""

import numpy as np
from scipy.special import softmax


def project(X, Wq, Wk, Wv):
    """Turn every row into a query, a key and a value.

    Q = X Wq,   K = X Wk,   V = X Wv

    X: shape (n, d), one word per row. Wq and Wk: shape (d, d_k). Wv: shape (d, d_v). All sizes are at least
    one and may differ. Returns the triple (Q, K, V), in this order: Q and K have shape (n, d_k), V (n, d_v).
    Nothing is scaled here. Lists and integers are accepted; the arguments are left as they were.
    """
    X, Wq, Wk, Wv = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv))
    return X @ Wq, X @ Wk, X @ Wv


def attend_from(q, K, V):
    """Let one query read m sources.

    weights = the softmax of the m scores  q · K[j] / √d_k
    mixture = sum_j weights[j] V[j]

    q: shape (d_k,). K: shape (m, d_k), the keys. V: shape (m, d_v), the values. m, d_k and d_v are at least
    one and may differ. Returns the pair (weights, mixture), in this order: shapes (m,) and (d_v,).
    Stable for scores in the thousands. Lists and integers are accepted; arguments stay as they were.
    """
    q, K, V = (np.asarray(part, dtype=float) for part in (q, K, V))
    weights = softmax(K @ q / np.sqrt(len(q)))
    return weights, weights @ V


def attention(X, Wq, Wk, Wv):
    """One attention head: weights and mixtures for every row of X.

    Q = X Wq,  K = X Wk,  V = X Wv
    A = the softmax, along each row, of Q Kᵀ / √d_k        H = A V

    X: shape (n, d). Wq, Wk: shape (d, d_k). Wv: shape (d, d_v). All sizes are at least one and may differ.
    Returns the pair (A, H), in this order: A has shape (n, n), and A[i, j] is reader i's share of source j;
    H has shape (n, d_v). No mask, no residual. Stable for scores in the thousands.
    Lists and integers are accepted; the arguments are left as they were.
    """
    Q, K, V = project(X, Wq, Wk, Wv)
    A = softmax(Q @ K.T / np.sqrt(K.shape[1]), axis=1)
    return A, A @ V


def tower_query():
    """A query matrix with which tower reads Eiffel most.

    Takes nothing and returns Wq: shape (2, 2), finite numbers. In the head over the rows the = [0, 0],
    Eiffel = [0, 1], tower = [1, 0], with this Wq (q = x Wq), the identity as Wk and scores divided by √2,
    tower's weight on Eiffel is strictly larger than its weight on "the" and than its weight on itself.
    """
    return np.array([[0.0, 1.0], [1.0, 0.0]])


def direction_query(direction, strength=3.75):
    """A query matrix that lets structures ask for a direction.

    The row of structure, the third of the four, is strength × direction; the other three rows are zero. So a
    row x = [finance, water, structure, generic] gets the query  structure · strength · direction.

    direction: three finite numbers (finance, water, structure) of any sign, used as they are: [0, 2, 0] asks
    twice as loudly as [0, 1, 0], and [0, -1, 0] for the opposite; all may be zero. strength: one finite
    number. Returns Wq: shape (4, 3). Lists and integers are accepted; direction is left as it was.
    """
    Wq = np.zeros((4, 3))
    Wq[2] = strength * np.asarray(direction, dtype=float)
    return Wq


def bank_match(X, Wq, Wk):
    """What the last word of a sentence asks, what it meets, and how it decides.

    query   = the last row of X, times Wq                  shape (d_k,)
    keys    = X Wk, those of all words, the last included  shape (n, d_k)
    scores  = query · keys[j] / √d_k                       shape (n,)
    weights = the softmax of the scores                    shape (n,)

    X: shape (n, d). Wq, Wk: shape (d, d_k). All sizes are at least one and may differ. Returns all four, in
    this order. Stable for large scores. Lists and integers are accepted; the arguments are left as they were.
    """
    X, Wq, Wk = (np.asarray(part, dtype=float) for part in (X, Wq, Wk))
    query, keys = X[-1] @ Wq, X @ Wk
    scores = keys @ query / np.sqrt(len(query))
    return query, keys, scores, softmax(scores)


ANSWERS = {
    "new_title": "b",
    "same_mixture": "c",
    "other_sentence": "d",
}
