import numpy as np
from scipy.special import softmax


def split_heads(P, h):
    return [part.tolist() for part in np.split(np.array(P), h, axis=1)]


def concat_heads(H):
    return np.hstack(list(H)).tolist()


def pack_projections(W):
    return concat_heads(W)


def multi_head(X, Wq, Wk, Wv, Wo, causal=False):
    Q, K, V = (np.einsum("nd,hdk->hnk", X, W) for W in (Wq, Wk, Wv))
    S = np.einsum("hik,hjk->hij", Q, K) / Q.shape[2] ** 0.5
    S = S - 1e12 * causal * np.triu(np.ones(S.shape[1:]), 1)
    A = softmax(S, axis=2)
    Wo = np.reshape(Wo, (len(V), V.shape[2], -1))
    return [A.tolist(), np.einsum("hij,hjv,hvd->id", A, V, Wo).tolist()]


def attention_sublayer(X, Wq, Wk, Wv, Wo, causal=False):
    return np.add(X, multi_head(X, Wq, Wk, Wv, Wo, causal)[1])


def without_head(X, Wq, Wk, Wv, Wo, head, causal=False):
    keep = np.ones((len(Wv), 1, 1))
    keep[head] = 0
    return multi_head(X, Wq, Wk, keep * Wv, Wo, causal)[1]


def inventory(tokens, d, d_k, d_v, heads, blocks=1):
    result = {name: [heads * blocks, [d, d_k]] for name in ("Wq", "Wk")}
    result |= {"Wv": [heads * blocks, [d, d_v]], "Wo": [blocks, [heads * d_v, d]]}
    result |= {name: [heads * blocks, [tokens, d_k]] for name in "QK"}
    result |= {name: [heads * blocks, [tokens, d_v]] for name in "VH"}
    result |= {name: [heads * blocks, [tokens, tokens]] for name in "SA"}
    result |= {name: [blocks, [tokens, d]] for name in ("X", "update", "output")}
    return result | {"concat": [blocks, [tokens, heads * d_v]]}


def count_parameters(d, d_k, d_v, heads):
    return heads * d * (d_k + d_k + d_v) + heads * d_v * d


def reachable(allowed, layers):
    step = np.array(allowed, dtype=float) + np.eye(len(allowed))
    return (np.linalg.matrix_power(step, layers) > 0).tolist()


def effect_of_change(X, source, receiver, delta, params, residual):
    moved = np.array(X, dtype=float)
    moved[source] += delta
    output = attention_sublayer if residual else lambda *args: np.array(multi_head(*args)[1])
    return np.linalg.norm(output(moved, *params)[receiver] - output(X, *params)[receiver])
