"""Generated from source/subspaces/subspaces.py by `autograder build`: edit that instead."""

import numpy as np


def null_space(W):
    """An orthonormal basis of the directions that W ignores, as columns.

    v @ W = 0 for each column v, which has length one and is perpendicular to the others

    W: shape (d, d_k), d and d_k from one upward, tall, wide or square, of any rank r. Returns shape
    (d, d - r). Any such basis is right, whatever the order, signs or rotation of its columns.
    r counts the singular values of W that are not zero. Those below 1e-10 × the largest count as zero, all
    others do not, however small: 1e-9 × the largest is real. A W of zeros ignores everything: shape (d, d).
    If nothing is ignored: shape (d, 0). Lists and integers are accepted; W is left as it was.
    """
    W = np.asarray(W, dtype=float)
    directions, stretches, _ = np.linalg.svd(W)
    rank = np.count_nonzero(stretches > 1e-10 * stretches.max())
    return directions[:, rank:]


def split_by_map(x, W):
    """Split rows into what W reads and what it ignores.

    x = read + ignored,   ignored @ W = 0,   read perpendicular to every direction that W ignores

    x: one row of shape (d,), or n rows of shape (n, d), each split by itself. W: shape (d, d_k), of any rank;
    the same singular values count as zero as in null_space. Returns the pair (read, ignored), in this order,
    both of the shape of x. Lists and integers are accepted; x and W are left as they were.
    """
    x, basis = np.asarray(x, dtype=float), null_space(W)
    ignored = x @ basis @ basis.T
    return x - ignored, ignored


def count_directions(W):
    """Count the independent directions that W reads, and those that it ignores: (r, d - r).

    W: shape (d, d_k), of any rank r, also less than d_k; singular values count as zero as in null_space.
    Returns the pair (read, ignored) of whole numbers. Lists and integers are accepted; W is left as it was.
    """
    W = np.asarray(W, dtype=float)
    unseen = null_space(W).shape[1]
    return len(W) - unseen, unseen


def unseen_change(x, W, size, rng):
    """Move a row by a random change that W ignores.

    |x' - x| = size,   x' @ W = x @ W

    x: one row of shape (d,). W: shape (d, d_k), of any rank; singular values count as zero as in null_space.
    size: a number above zero. rng: a numpy Generator, such as np.random.default_rng(5), the only source of
    chance: the same seed gives the same x', another seed another. The change is a random mixture of *all*
    ignored directions (if there is but one, only its sign can vary). Returns x': shape (d,). Raises
    ValueError if W ignores nothing. Lists and integers are accepted; x and W are left as they were.
    """
    basis = null_space(W)
    if basis.shape[1] == 0:
        raise ValueError("this map reads every direction, so no change goes unseen")
    change = basis @ rng.standard_normal(basis.shape[1])
    return np.asarray(x, dtype=float) + size * change / np.linalg.norm(change)


def compatibility_form(Wq, Wk):
    """The matrix between reader and source that gives their score, not yet divided by a root.

    x_i M x_jᵀ = q_i · k_j   with q_i = x_i Wq and k_j = x_j Wk, for all rows x_i and x_j

    Wq and Wk: shape (d, d_k). Returns M: shape (d, d), to be used with the reader's row on the left.
    Lists and integers are accepted; Wq and Wk are left as they were.
    """
    return np.asarray(Wq, dtype=float) @ np.asarray(Wk, dtype=float).T


def refactor(Wq, Wk, R):
    """Other maps with the same scores: (Wq R, Wk R⁻ᵀ), where R⁻ᵀ is the inverse of R, transposed.

    Wq and Wk: shape (d, d_k). R: shape (d_k, d_k), invertible, in general neither symmetric nor a rotation.
    Returns the pair (new query map, new key map), both of shape (d, d_k).
    Lists and integers are accepted; Wq, Wk and R are left as they were.
    """
    Wq, Wk, R = (np.asarray(matrix, dtype=float) for matrix in (Wq, Wk, R))
    return Wq @ R, Wk @ np.linalg.inv(R).T


def dot_product_variance(d_k, samples, rng):
    """Measure how much the dot products of random queries and keys vary, raw and scaled.

    raw = the variance of q·k,   scaled = the variance of q·k / √d_k,   over `samples` pairs (q, k)

    q and k: d_k entries each, all standard normal and independent; every pair has a q and a k of its own.
    samples: at least 2. rng: a numpy Generator, from which everything is drawn, in any order you like: the
    same seed gives the same result, another seed another. Returns the pair of numbers (raw, scaled), measured
    on ONE sample of pairs, and either both divided by samples or both by samples - 1.
    """
    queries, keys = rng.standard_normal((2, samples, d_k))
    products = np.sum(queries * keys, axis=1)
    return products.var(), (products / np.sqrt(d_k)).var()


def coherence(F):
    """The worst overlap among directions: the largest |cosine| between two different rows.

    coherence(F) = max over i ≠ j of |f_i · f_j| / (|f_i| |f_j|)

    F: shape (m, d), one direction per row, of any length but zero; m from two upward, also above d.
    Returns one number, from 0 (all perpendicular) to 1 (two rows are equal, parallel or opposite).
    Lists and integers are accepted; F is left as it was.
    """
    F = np.asarray(F, dtype=float)
    F = F / np.linalg.norm(F, axis=1, keepdims=True)
    overlaps = np.abs(F @ F.T)
    np.fill_diagonal(overlaps, 0)
    return overlaps.max()


ANSWERS = {
    "certain_to_stay": "b",
    "crowded_features": "a",
}
