import numpy as np
from scipy.special import softmax


def split_heads(P, h):
    P = np.asarray(P, dtype=float)
    n, width = P.shape
    return P.reshape(n, h, width // h).transpose(1, 0, 2)


def concat_heads(H):
    return np.concatenate([np.asarray(head, dtype=float) for head in H], axis=1)


def pack_projections(W):
    W = np.asarray(W, dtype=float)
    return W.transpose(1, 0, 2).reshape(W.shape[1], -1)


def multi_head(X, Wq, Wk, Wv, Wo, causal=False):
    X, h = np.asarray(X, dtype=float), len(Wq)
    Q = split_heads(X @ pack_projections(Wq), h)
    K = split_heads(X @ pack_projections(Wk), h)
    V = split_heads(X @ pack_projections(Wv), h)
    S = Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1])
    if causal:
        S[:, np.triu(np.ones((len(X), len(X)), dtype=bool), 1)] = -np.inf
    A = softmax(S, axis=-1)
    return A, concat_heads(A @ V) @ np.asarray(Wo, dtype=float)


def attention_sublayer(X, Wq, Wk, Wv, Wo, causal=False):
    A, update = multi_head(X, Wq, Wk, Wv, Wo, causal)
    return np.asarray(X, dtype=float) + update


def without_head(X, Wq, Wk, Wv, Wo, head, causal=False):
    A, update = multi_head(X, Wq, Wk, Wv, Wo, causal)
    H = A @ (np.asarray(X, dtype=float) @ np.asarray(Wv, dtype=float))
    H[head] = 0
    return concat_heads(H) @ np.asarray(Wo, dtype=float)


def inventory(tokens, d, d_k, d_v, heads, blocks=1):
    per_head, per_block = heads * blocks, blocks
    return {
        "X": (per_block, (tokens, d)),
        "Wq": (per_head, (d, d_k)),
        "Wk": (per_head, (d, d_k)),
        "Wv": (per_head, (d, d_v)),
        "Q": (per_head, (tokens, d_k)),
        "K": (per_head, (tokens, d_k)),
        "V": (per_head, (tokens, d_v)),
        "S": (per_head, (tokens, tokens)),
        "A": (per_head, (tokens, tokens)),
        "H": (per_head, (tokens, d_v)),
        "concat": (per_block, (tokens, heads * d_v)),
        "Wo": (per_head, (heads * d_v, d)),
        "update": (per_block, (tokens, d)),
        "output": (per_block, (tokens, d)),
    }


def count_parameters(d, d_k, d_v, heads):
    matrices = inventory(1, d, d_k, d_v, heads)
    learned = [matrices[name] for name in ("Wq", "Wk", "Wv", "Wo")]
    return sum(count * shape[0] * shape[1] for count, shape in learned)


def reachable(allowed, layers):
    n = len(allowed)
    step = np.asarray(allowed, dtype=bool) | np.eye(n, dtype=bool)
    result = np.eye(n, dtype=bool)
    for _ in range(layers):
        result = result @ step
    return result


def effect_of_change(X, source, receiver, delta, params, residual):
    before = np.array(X, dtype=float)
    after = before.copy()
    after[source] += delta
    change = multi_head(after, *params)[1] - multi_head(before, *params)[1]
    if residual:
        change = change + after - before
    return np.linalg.norm(change[receiver])
