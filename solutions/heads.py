"""Generated from source/heads/heads.py by `autograder build`: edit that instead."""

import numpy as np
from scipy.special import softmax


def split_heads(P, h):
    """Cut a table whose columns belong to h heads into a table per head: result[i, t, k] = P[t, i·w + k].

    P: shape (n, h·w), a row per token; head 0's w columns come first, then head 1's, and so on. h: number of
    heads; it divides the number of columns. Returns shape (h, n, w); n, w and h may each be 1.
    """
    P = np.asarray(P, dtype=float)
    return P.reshape(len(P), h, -1).swapaxes(0, 1)


def concat_heads(H):
    """The inverse of split_heads: all heads side by side, a row per token: result[t, i·d_v + k] = H[i, t, k].

    H: shape (h, n, d_v), each size from 1 upward. Returns shape (n, h·d_v), head 0's columns first.
    """
    H = np.asarray(H, dtype=float)
    return H.swapaxes(0, 1).reshape(H.shape[1], -1)


def pack_projections(W):
    """One wide matrix that does the work of h projections: packed[c, i·w + k] = W[i, c, k].

    W: shape (h, d, w), each size from 1 upward. Returns shape (d, h·w), head 0's columns first, so that
    split_heads(X @ packed, h)[i] equals X @ W[i].
    """
    return np.concatenate(list(np.asarray(W, dtype=float)), axis=1)


def multi_head(X, Wq, Wk, Wv, Wo, causal=False):
    """Several heads at once, and the one update that they make together.

    head i:  A[i] = the softmax, along each row, of (X Wq[i]) (X Wk[i])ᵀ / √d_k,   H[i] = A[i] (X Wv[i])
    update = [H[0] H[1] ... H[h-1]] Wo      the mixtures side by side, head 0's columns first

    X: shape (n, d). The parameters have the shapes at the top of the page; every size may be 1; d_k is the
    width of ONE head's queries. causal: with True, row i of every A reads rows 0 to i only (lesson 4): later
    ones get a weight of exactly 0, and the others sum to one. Returns the pair (A, update): A (h, n, n), not
    averaged over heads; update (n, d). No biases, no residual. Scores of ±5000 give finite results.
    """
    X, Wq, Wk, Wv, Wo = (np.asarray(matrix, dtype=float) for matrix in (X, Wq, Wk, Wv, Wo))
    S = (X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wq.shape[2])
    if causal:
        S = np.where(np.tri(len(X), dtype=bool), S, -np.inf)
    A = softmax(S, axis=-1)
    return A, concat_heads(A @ (X @ Wv)) @ Wo


def attention_sublayer(X, Wq, Wk, Wv, Wo, causal=False):
    """Multi-head attention with its residual connection: X + update, one array of shape (n, d), no weights.

    Arguments as in multi_head. Nothing is averaged or normalized.
    """
    return np.asarray(X, dtype=float) + multi_head(X, Wq, Wk, Wv, Wo, causal)[1]


def without_head(X, Wq, Wk, Wv, Wo, head, causal=False):
    """The update (n, d) that is left when one head's mixture is set to zero.

    without_head = [H[0] ... 0 ... H[h-1]] Wo      zeros in place of H[head]; Wo and the other heads unchanged

    head: index from 0 to h-1. The other arguments as in multi_head. Nothing is rescaled to make up for the
    loss, no residual is added. With a single head nothing is left: zeros.
    """
    kept = np.array(Wv, dtype=float)
    kept[head] = 0  # no values, no mixture
    return multi_head(X, Wq, Wk, kept, Wo, causal)[1]


def inventory(tokens, d, d_k, d_v, heads, blocks=1):
    """All matrices of a stack that reads one text: {name: (count, shape)}, shape being that of ONE of them.

    Exactly these fourteen names; each count is that of the whole stack of `blocks` blocks of `heads` heads:
      heads·blocks of each: Wq, Wk (d, d_k) and Wv (d, d_v), learned; Q, K (tokens, d_k) and V (tokens, d_v);
        S and A (tokens, tokens), the scores and weights; H (tokens, d_v), the mixtures
      blocks of each: X (tokens, d), the block's input; concat (tokens, heads·d_v), the mixtures side by side;
        Wo (heads·d_v, d), learned; update and output (tokens, d)
    No biases. All arguments are integers from 1 upward. Each value is a pair: an integer, and a pair of them.
    """
    shapes = {
        "X": (tokens, d), "Wq": (d, d_k), "Wk": (d, d_k), "Wv": (d, d_v),
        "Q": (tokens, d_k), "K": (tokens, d_k), "V": (tokens, d_v),
        "S": (tokens, tokens), "A": (tokens, tokens), "H": (tokens, d_v),
        "concat": (tokens, heads * d_v), "Wo": (heads * d_v, d), "update": (tokens, d), "output": (tokens, d),
    }
    shared = {"X", "concat", "Wo", "update", "output"}  # by all heads of a block
    return {name: (blocks if name in shared else heads * blocks, shape) for name, shape in shapes.items()}


def count_parameters(d, d_k, d_v, heads):
    """How many numbers one block's attention learns: all entries of its Wq, Wk, Wv and of Wo.

    d·h·(2·d_k + d_v) + h·d_v·d   with h heads, no biases. All are integers from 1 upward; returns an integer.
    """
    return d * heads * (2 * d_k + d_v) + heads * d_v * d


def reachable(allowed, layers):
    """Which tokens can influence which, through a stack of layers with residual connections.

    result[i, j] is True where token i, after `layers` layers, depends on what token j was at the start.
    In one layer i takes in every j with allowed[i, j], and, by the residual connection, always itself.

    allowed: (n, n), True/False or 1/0, not always symmetric; its diagonal may be False. layers: an integer, 0
    or more (0: each token depends on itself only). Returns an (n, n) array of True/False, not of counts.
    """
    own = np.eye(len(allowed), dtype=bool)
    step, reached = np.asarray(allowed, dtype=bool) | own, own
    for _ in range(layers):
        reached = step @ reached
    return reached


def effect_of_change(X, source, receiver, delta, params, residual):
    """How far the output at `receiver` moves when delta is added to the row `source` of X.

    effect = ‖ out(X with X[source] + delta)[receiver] − out(X)[receiver] ‖   the 2-norm, one number ≥ 0

    out(X) is X + update where residual is True, else the update alone; never causal. X: (n, d). source and
    receiver: indices from 0, equal or not. delta: (d,), of any size, by which the effect is not divided.
    params: (Wq, Wk, Wv, Wo), a tuple or list. Returns a float.
    """
    X = np.asarray(X, dtype=float)
    moved = X.copy()
    moved[source] += delta
    before, after = (rows * residual + multi_head(rows, *params)[1] for rows in (X, moved))
    return float(np.linalg.norm(after[receiver] - before[receiver]))


ANSWERS = {
    "one_row_of_shares": "c",
    "learned_ones": "d",
    "at_the_same_time": "b",
}
