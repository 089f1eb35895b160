import math

import numpy as np


def split_heads(P, h):
    width = len(P[0]) // h
    result = np.zeros((h, len(P), width))
    for i in range(h):
        for t in range(len(P)):
            for k in range(width):
                result[i, t, k] = P[t][i * width + k]
    return result


def concat_heads(H):
    rows = []
    for t in range(len(H[0])):
        row = []
        for head in H:
            row += list(head[t])
        rows.append(row)
    return np.array(rows, dtype=float)


def pack_projections(W):
    rows = []
    for c in range(len(W[0])):
        row = []
        for projection in W:
            row += list(projection[c])
        rows.append(row)
    return np.array(rows, dtype=float)


def times(A, B):
    return [[sum(a * b for a, b in zip(row, column)) for column in zip(*B)] for row in A]


def one_head(X, Wq, Wk, Wv, causal):
    Q, K, V = times(X, Wq), times(X, Wk), times(X, Wv)
    A = []
    for i in range(len(X)):
        scores = []
        for j in range(len(X)):
            if causal and j > i:
                scores.append(-math.inf)
            else:
                scores.append(sum(q * k for q, k in zip(Q[i], K[j])) / math.sqrt(len(Q[i])))
        exponentials = [math.exp(score - max(scores)) for score in scores]
        A.append([e / sum(exponentials) for e in exponentials])
    return A, times(A, V)


def multi_head(X, Wq, Wk, Wv, Wo, causal=False):
    A, H = [], []
    for i in range(len(Wq)):
        weights, mixtures = one_head(X, Wq[i], Wk[i], Wv[i], causal)
        A.append(weights)
        H.append(mixtures)
    return np.array(A), np.array(times(concat_heads(H), Wo))


def attention_sublayer(X, Wq, Wk, Wv, Wo, causal=False):
    update = multi_head(X, Wq, Wk, Wv, Wo, causal)[1]
    return np.array([[x + u for x, u in zip(*rows)] for rows in zip(X, update)])


def without_head(X, Wq, Wk, Wv, Wo, head, causal=False):
    H = []
    for i in range(len(Wq)):
        mixtures = one_head(X, Wq[i], Wk[i], Wv[i], causal)[1]
        if i == head:
            mixtures = [[0.0] * len(row) for row in mixtures]
        H.append(mixtures)
    return np.array(times(concat_heads(H), Wo))


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
        "Wo": (per_block, (heads * d_v, d)),
        "update": (per_block, (tokens, d)),
        "output": (per_block, (tokens, d)),
    }


def count_parameters(d, d_k, d_v, heads):
    total = 0
    for name, (count, (rows, columns)) in inventory(1, d, d_k, d_v, heads).items():
        if name.startswith("W"):
            total += count * rows * columns
    return total


def reachable(allowed, layers):
    n = len(allowed)
    result = [[i == j for j in range(n)] for i in range(n)]
    for _ in range(layers):
        longer = [list(row) for row in result]
        for i in range(n):
            for j in range(n):
                for k in range(n):
                    if allowed[i][k] and result[k][j]:
                        longer[i][j] = True
        result = longer
    return np.array(result)


def effect_of_change(X, source, receiver, delta, params, residual):
    moved = [list(row) for row in X]
    moved[source] = [x + step for x, step in zip(moved[source], delta)]
    total = 0.0
    before, after = multi_head(X, *params)[1], multi_head(moved, *params)[1]
    for k in range(len(delta)):
        difference = after[receiver][k] - before[receiver][k]
        if residual:
            difference += moved[receiver][k] - X[receiver][k]
        total += difference**2
    return math.sqrt(total)
