import numpy as np
from scipy import linalg
from scipy.spatial.distance import pdist


def null_space(W):
    return linalg.null_space(np.asarray(W, dtype=float).T, rcond=1e-10)


def split_by_map(x, W):
    N = null_space(W)
    ignored = np.einsum("...i,ik,jk->...j", x, N, N)
    return np.subtract(x, ignored), ignored


def count_directions(W):
    r = np.linalg.matrix_rank(np.asarray(W, dtype=float), rtol=1e-10)
    return int(r), len(W) - int(r)


def unseen_change(x, W, size, rng):
    _, noise = split_by_map(rng.standard_normal(len(x)), W)
    if count_directions(W)[1] == 0:
        raise ValueError("this map sees everything")
    return x + size * noise / linalg.norm(noise)


def compatibility_form(Wq, Wk):
    return np.einsum("ik,jk->ij", Wq, Wk)


def refactor(Wq, Wk, R):
    return np.dot(Wq, R), linalg.solve(R, np.transpose(Wk)).T


def dot_product_variance(d_k, samples, rng):
    q, k = rng.standard_normal((samples, d_k)), rng.standard_normal((samples, d_k))
    dots = np.einsum("nd,nd->n", q, k)
    return dots.var(ddof=1), (dots / d_k**0.5).var(ddof=1)


def coherence(F):
    return np.abs(1 - pdist(np.asarray(F, dtype=float), "cosine")).max()
