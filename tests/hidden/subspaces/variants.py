"""Right answers written in other ways: each must earn every point.

What takes long to import is a default argument: it is then imported when the function is defined, and not in
the first call, which has a time limit of its own.
"""

from importlib import import_module

import numpy as np

from autograder.grading.suite import variant
from solutions.subspaces import compatibility_form, null_space, split_by_map

# null_space


@variant("null_space", "scipy, of the transposed map")
def null_space_by_scipy(W, linalg=import_module("scipy.linalg")):
    return linalg.null_space(np.asarray(W, dtype=float).T, rcond=1e-10)


@variant("null_space", "rows of the last factor of Wᵀ, turned to another basis")
def null_space_turned(W):
    _, s, Vt = np.linalg.svd(np.array(W, dtype=float).T)
    rank = sum(value > 1e-10 * max(s) for value in s)
    N = Vt[rank:].T
    turn = np.linalg.qr(np.cos(np.arange(N.shape[1] ** 2.0)).reshape(N.shape[1], N.shape[1]))[0]
    return (-N @ turn)[:, ::-1]


@variant("null_space", "unit vectors, what is read taken out of them, one after the other")
def null_space_by_gram_schmidt(W):
    W = np.asarray(W, dtype=float)
    U, s, _ = np.linalg.svd(W, full_matrices=False)
    known = [U[:, i] for i in range(len(s)) if s[i] > 1e-10 * s[0]]
    found = []
    while len(known) + len(found) < len(W):
        rests = np.eye(len(W))
        for _ in range(2):
            for direction in known + found:
                rests = rests - np.outer(rests @ direction, direction)
        longest = rests[np.argmax(np.linalg.norm(rests, axis=1))]
        found.append(longest / np.linalg.norm(longest))
    return np.stack(found, axis=1) if found else np.zeros((len(W), 0))


@variant("null_space", "eigenvectors of the projection, in float32")
def null_space_by_a_projection(W):
    W = np.asarray(W, dtype=float)
    P = np.eye(len(W)) - W @ np.linalg.pinv(W, rcond=1e-10)
    values, directions = np.linalg.eigh((P + P.T) / 2)
    return directions[:, values > .5].astype(np.float32)


@variant("null_space", "a complete QR of what is read")
def null_space_by_qr(W):
    W = np.asarray(W, dtype=float)
    U, s, _ = np.linalg.svd(W, full_matrices=False)
    rank = int((s > s.max() * 1e-10).sum())
    return np.linalg.qr(U[:, :rank], mode="complete")[0][:, rank:]


@variant("null_space", "torch, turned into an array")
def null_space_in_torch(W, torch=import_module("torch")):
    U, s, _ = torch.linalg.svd(torch.tensor(np.asarray(W), dtype=torch.float64))
    return U[:, int((s > 1e-10 * s.max()).sum()):].numpy()


# split_by_map


@variant("split_by_map", "the pseudo-inverse of W")
def split_by_the_pseudoinverse(x, W):
    x, W = np.asarray(x, dtype=float), np.asarray(W, dtype=float)
    read = x @ W @ np.linalg.pinv(W, rcond=1e-10)
    return read, x - read


@variant("split_by_map", "loops over the ignored directions, lists returned")
def split_in_loops(x, W):
    N, rows = null_space(W), np.atleast_2d(np.array(x, dtype=float))
    ignored = [[0.0] * len(row) for row in rows]
    for i, row in enumerate(rows):
        for direction in N.T:
            amount = sum(a * b for a, b in zip(row, direction))
            ignored[i] = [value + amount * entry for value, entry in zip(ignored[i], direction)]
    read = [[a - b for a, b in zip(row, part)] for row, part in zip(rows.tolist(), ignored)]
    return [read, ignored] if np.ndim(x) == 2 else [read[0], ignored[0]]


@variant("split_by_map", "einsum in float32")
def split_by_einsum(x, W):
    x, N = np.asarray(x, dtype=np.float32), np.asarray(null_space(W), dtype=np.float32)
    ignored = np.einsum("...a,ak,bk->...b", x, N, N)
    return x - ignored, ignored


@variant("split_by_map", "the read directions first")
def split_read_first(x, W):
    x, W = np.asarray(x, dtype=float), np.asarray(W, dtype=float)
    U, s, _ = np.linalg.svd(W, full_matrices=False)
    B = U[:, s > 1e-10 * s.max()]
    read = (B @ (B.T @ x.T)).T
    return read, x - read


@variant("split_by_map", "least squares for the best mixture of columns")
def split_by_least_squares(x, W):
    x, W = np.asarray(x, dtype=float), np.asarray(W, dtype=float)
    mixture = np.linalg.lstsq(W, x.T, rcond=1e-10)[0]
    read = (W @ mixture).T
    return read, x - read


# count_directions


@variant("count_directions", "matrix_rank with its threshold")
def count_by_matrix_rank(W):
    W = np.asarray(W, dtype=float)
    read = np.linalg.matrix_rank(W, rtol=1e-10)
    return read, W.shape[0] - read


@variant("count_directions", "a loop over singular values, floats in a list")
def count_in_a_loop(W):
    W = np.array(W, dtype=float)
    s = np.linalg.svd(W, compute_uv=False)
    read = 0.0
    for value in s:
        if value > 1e-10 * s[0]:
            read += 1
    return [read, len(W) - read]


@variant("count_directions", "the trace of the projection")
def count_by_a_trace(W):
    W = np.asarray(W, dtype=float)
    read = round(np.trace(W @ np.linalg.pinv(W, rcond=1e-10)))
    return np.array([read, len(W) - read], dtype=np.int32).tolist()


@variant("count_directions", "the columns of the basis")
def count_columns_of_the_basis(W):
    d, ignored = null_space(W).shape
    return np.int64(d - ignored), np.int64(ignored)


# unseen_change


@variant("unseen_change", "noise, projected and then brought to its length")
def change_by_projected_noise(x, W, size, rng):
    noise = rng.normal(size=len(x))
    if null_space(W).shape[1] == 0:
        raise ValueError("this map ignores nothing")
    _, change = split_by_map(noise, W)
    return x + change / np.sqrt(np.sum(change**2)) * size


@variant("unseen_change", "coefficients between -1 and 1, a list returned")
def change_by_uniform_coefficients(x, W, size, rng):
    N = null_space(W)
    if not N.size:
        raise ValueError
    c = rng.uniform(-1, 1, N.shape[1])
    c = c * size / np.linalg.norm(c)
    return [float(a + sum(c * row)) for a, row in zip(x, N)]


@variant("unseen_change", "scipy, an error of its own kind, float32 returned")
def change_by_scipy(x, W, size, rng, linalg=import_module("scipy.linalg")):
    N = linalg.null_space(np.asarray(W, dtype=float).T, rcond=1e-10)
    if N.shape[1] < 1:
        raise ValueError(f"a map of shape {np.shape(W)} that reads everything")
    direction = N.dot(rng.standard_normal((N.shape[1], 1))).ravel()
    return np.asarray(np.asarray(x) + size * direction / linalg.norm(direction), dtype=np.float32)


@variant("unseen_change", "noise, from which what is read is taken by least squares")
def change_by_least_squares(x, W, size, rng):
    W = np.asarray(W, dtype=float)
    noise = rng.standard_normal(len(W))
    if np.linalg.matrix_rank(W, rtol=1e-10) == len(W):
        raise ValueError("nothing is ignored")
    rest = noise - W @ np.linalg.lstsq(W, noise, rcond=1e-10)[0]
    return np.add(x, size * rest / np.linalg.norm(rest))


# compatibility_form


@variant("compatibility_form", "loops, lists returned")
def form_in_loops(Wq, Wk):
    return [[sum(p * q for p, q in zip(a, b)) for b in Wk] for a in Wq]


@variant("compatibility_form", "einsum in float32")
def form_by_einsum(Wq, Wk):
    return np.einsum("ac,bc->ab", np.asarray(Wq, np.float32), np.asarray(Wk, np.float32))


@variant("compatibility_form", "one outer product for each channel")
def form_by_outer_products(Wq, Wk):
    Wq, Wk = np.array(Wq), np.array(Wk)
    return sum(np.outer(Wq[:, c], Wk[:, c]) for c in range(Wq.shape[1]))


@variant("compatibility_form", "the key side transposed twice")
def form_by_the_transpose(Wq, Wk):
    return np.dot(Wk, np.transpose(Wq)).T


# refactor


@variant("refactor", "a linear system instead of an inverse")
def refactor_by_solving(Wq, Wk, R):
    return np.dot(Wq, R), np.linalg.solve(R, np.transpose(Wk)).T


@variant("refactor", "the inverse of the transpose, nested lists returned")
def refactor_by_the_inverse_transpose(Wq, Wk, R):
    Wq, Wk, R = np.asarray(Wq), np.asarray(Wk), np.asarray(R)
    return [(Wq @ R).tolist(), (Wk @ np.linalg.inv(R.T)).tolist()]


@variant("refactor", "singular values, float32 returned")
def refactor_by_singular_values(Wq, Wk, R):
    U, s, Vt = np.linalg.svd(np.asarray(R, dtype=float))
    first, second = np.einsum("ab,bc->ac", Wq, U * s @ Vt), np.einsum("ab,bc->ac", Wk, U / s @ Vt)
    return first.astype(np.float32), second.astype(np.float32)


@variant("refactor", "the key map from M, by least squares")
def refactor_by_the_pseudoinverse(Wq, Wk, R):
    R = np.asarray(R, dtype=float)
    return np.matmul(Wq, R), compatibility_form(Wk, np.linalg.pinv(R))


# dot_product_variance


@variant("dot_product_variance", "pair by pair, with samples - 1")
def variance_pair_by_pair(d_k, samples, rng):
    products = [float(np.dot(rng.standard_normal(d_k), rng.standard_normal(d_k))) for _ in range(samples)]
    mean = sum(products) / samples
    raw = sum((product - mean) ** 2 for product in products) / (samples - 1)
    return [raw, raw / d_k]


@variant("dot_product_variance", "einsum, keys drawn first, in float32")
def variance_by_einsum(d_k, samples, rng):
    K = rng.normal(0, 1, (samples, d_k)).astype(np.float32)
    Q = rng.normal(0, 1, (samples, d_k)).astype(np.float32)
    products = np.einsum("nd,nd->n", Q, K)
    return np.var(products), np.var(products * np.float32(d_k**-.5))


@variant("dot_product_variance", "mean of squares less square of the mean, zero-dimensional arrays")
def variance_by_moments(d_k, samples, rng):
    draws = rng.standard_normal((samples, 2, d_k))
    products = np.prod(draws, axis=1).sum(axis=-1)
    both = [np.mean(p**2) - np.mean(p) ** 2 for p in (products, products / np.sqrt(d_k))]
    return np.array(both[0]), np.array(both[1])


@variant("dot_product_variance", "one entry after the other, ddof=1")
def variance_entry_by_entry(d_k, samples, rng):
    products = np.zeros(samples)
    for _ in range(d_k):
        products += rng.standard_normal(samples) * rng.standard_normal(samples)
    return products.var(ddof=1), np.var(products / d_k**.5, ddof=1)


# coherence


@variant("coherence", "loops over pairs")
def coherence_in_loops(F):
    import math

    worst = 0.0
    for i, f in enumerate(F):
        for g in F[:i]:
            product = sum(a * b for a, b in zip(f, g))
            worst = max(worst, abs(product) / math.hypot(*f) / math.hypot(*g))
    return worst


@variant("coherence", "upper triangle, in float32")
def coherence_of_the_upper_triangle(F):
    F = np.asarray(F, dtype=np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", F, F))
    cosines = F @ F.T / lengths / lengths[:, None]
    return np.abs(cosines[np.triu_indices(len(F), k=1)]).max()


@variant("coherence", "the diagonal subtracted, a zero-dimensional array")
def coherence_without_the_diagonal(F):
    F = np.array(F, dtype=float)
    F /= np.sqrt((F**2).sum(axis=1))[:, None]
    return np.array(np.max(np.abs(F @ F.T - np.eye(len(F)))))


@variant("coherence", "scipy's cosine distances")
def coherence_by_scipy(F, distance=import_module("scipy.spatial.distance")):
    return max(abs(1 - distance.pdist(np.asarray(F, dtype=float), "cosine")))
