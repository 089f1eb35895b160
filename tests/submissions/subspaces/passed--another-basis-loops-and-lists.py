import math

import numpy as np


def read_basis(W):
    """An orthonormal basis of what W reads, as a list of vectors."""
    _, s, Vt = np.linalg.svd(np.array(W, dtype=float).T)
    return [v for value, v in zip(s, Vt) if value > 1e-10 * max(s)]


def null_space(W):
    known, found = read_basis(W), []
    for _ in range(len(W) - len(known)):
        best = None
        for i in range(len(W)):
            v = np.zeros(len(W))
            v[i] = -1
            for _ in range(2):
                for b in known + found:
                    v = v - (v @ b) * b
            if best is None or v @ v > best @ best:
                best = v
        found.insert(0, best / math.sqrt(best @ best))
    return [[float(v[i]) for v in found] for i in range(len(W))]


def split_by_map(x, W):
    basis = read_basis(W)

    def split(row):
        read = [0.0] * len(row)
        for b in basis:
            amount = sum(p * q for p, q in zip(row, b))
            read = [r + amount * e for r, e in zip(read, b)]
        return read, [p - r for p, r in zip(row, read)]

    if np.ndim(x) == 1:
        return split(x)
    parts = [split(row) for row in x]
    return [p[0] for p in parts], [p[1] for p in parts]


def count_directions(W):
    r = len(read_basis(W))
    return [r, len(W) - r]


def unseen_change(x, W, size, rng):
    N = np.array(null_space(W))
    if N.size == 0:
        raise ValueError("no direction is ignored")
    weights = [rng.uniform(-1, 1) for _ in N[0]]
    change = [sum(w * e for w, e in zip(weights, row)) for row in N]
    length = math.sqrt(sum(c * c for c in change))
    return [p + size * c / length for p, c in zip(x, change)]


def compatibility_form(Wq, Wk):
    return [[sum(a * b for a, b in zip(p, q)) for q in Wk] for p in Wq]


def refactor(Wq, Wk, R):
    S = np.linalg.inv(R)
    n = range(len(S))
    new_q = [[sum(row[b] * R[b][c] for b in n) for c in n] for row in Wq]
    new_k = [[sum(row[b] * S[c][b] for b in n) for c in n] for row in Wk]
    return new_q, new_k


def dot_product_variance(d_k, samples, rng):
    dots = []
    for _ in range(samples):
        k = rng.standard_normal(d_k)
        q = rng.standard_normal(d_k)
        dots.append(float(q @ k))
    mean = sum(dots) / samples
    raw = sum((dot - mean) ** 2 for dot in dots) / samples
    return raw, raw / d_k


def coherence(F):
    worst = 0
    for i in range(len(F)):
        for j in range(i):
            dot = sum(a * b for a, b in zip(F[i], F[j]))
            worst = max(worst, abs(dot) / math.hypot(*F[i]) / math.hypot(*F[j]))
    return worst
