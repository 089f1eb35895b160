"""Right answers written in other ways: each must earn every point.

What takes long to import is a default argument: it is then imported when the function is defined, and not in
the first call, which has a time limit of its own.
"""

from importlib import import_module

import numpy as np

from autograder.grading.suite import variant
from solutions.mixing import add_residual, attend, match_scores, mix, softmax

# softmax


@variant("softmax", "one global maximum")
def softmax_with_a_global_maximum(z):
    exponentials = np.exp(np.asarray(z, float) - np.max(z))
    return exponentials / np.sum(exponentials, axis=-1)[..., None]


@variant("softmax", "plain loops, nested lists returned")
def softmax_in_loops(z):
    import math

    if np.ndim(z) > 1:
        return [softmax_in_loops(part) for part in z]
    row = [float(score) for score in z]
    exponentials = [math.exp(score - max(row)) for score in row]
    return [exponential / sum(exponentials) for exponential in exponentials]


@variant("softmax", "torch, a tensor returned")
def softmax_in_torch(z, torch=import_module("torch")):
    return torch.softmax(torch.tensor(np.asarray(z, dtype=float)), dim=-1)


@variant("softmax", "scipy, with a print and a warning")
def softmax_in_scipy(z, special=import_module("scipy.special")):
    import warnings

    print("scores of shape", np.shape(z))
    warnings.warn("nothing to worry about")
    return special.softmax(np.asarray(z, dtype=float), axis=-1)


@variant("softmax", "logsumexp, with log(0)")
def softmax_through_logarithms(z):
    z = np.asarray(z, dtype=float)
    top = z.max(axis=-1, keepdims=True)
    ratios = np.log(np.exp(z - top))
    return np.exp(ratios - np.log(np.exp(ratios).sum(axis=-1, keepdims=True)))


@variant("softmax", "float32 throughout")
def softmax_in_float32(z):
    z = np.asarray(z, dtype=np.float32)
    exponentials = np.exp(z - z.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


@variant("softmax", "online: one pass with a running maximum and a running total")
def softmax_online(z):
    z = np.asarray(z, dtype=float)
    top, total = np.full(z.shape[:-1], -np.inf), np.zeros(z.shape[:-1])
    for scores in np.moveaxis(z, -1, 0):
        higher = np.maximum(top, scores)
        safe = np.where(np.isinf(higher), 0, higher)
        total = total * np.exp(top - safe) + np.exp(scores - safe)
        top = higher
    return np.exp(z - top[..., None]) / total[..., None]


@variant("softmax", "powers of two, on an axis moved to the front")
def softmax_in_powers_of_two(z):
    z = np.moveaxis(np.array(z, dtype=float), -1, 0)
    z -= z.max(axis=0)
    powers = np.exp2(z / np.log(2))
    return np.moveaxis(powers / powers.sum(axis=0), 0, -1)


@variant("softmax", "ratios: one over the sum of exponentials of differences")
def softmax_of_differences(z):
    z = np.asarray(z, dtype=float)
    with np.errstate(over="ignore", invalid="ignore"):
        ratios = np.exp(z[..., None, :] - z[..., :, None])
    return 1 / np.nansum(ratios, axis=-1)


# match_scores


@variant("match_scores", "loops, lists returned")
def scores_in_loops(X):
    return [[sum(a * b for a, b in zip(x, y)) / len(x) ** .5 for y in X] for x in X]


@variant("match_scores", "einsum")
def scores_by_einsum(X):
    X = np.array(X, dtype=float)
    return np.einsum("ik,jk->ij", X, X) * X.shape[-1] ** -.5


@variant("match_scores", "fourth roots on both sides")
def scores_by_fourth_roots(X):
    X = np.asarray(X, dtype=float) / np.shape(X)[1] ** .25
    return np.inner(X, X)


@variant("match_scores", "float32, upper half computed and mirrored")
def scores_mirrored(X):
    X = np.asarray(X, dtype=np.float32)
    S = np.zeros((len(X), len(X)), dtype=np.float32)
    for i in range(len(X)):
        for j in range(i, len(X)):
            S[i, j] = S[j, i] = np.dot(X[i], X[j]) / np.sqrt(np.float32(X.shape[1]))
    return S


# mix


@variant("mix", "loops, lists returned")
def mix_in_loops(A, V):
    return [[sum(share * row[k] for share, row in zip(shares, V)) for k in range(len(V[0]))] for shares in A]


@variant("mix", "einsum in float32")
def mix_by_einsum(A, V):
    return np.einsum("ij,jk->ik", np.asarray(A, np.float32), np.asarray(V, np.float32))


@variant("mix", "broadcast and sum, a tuple of rows returned")
def mix_by_broadcasting(A, V):
    A, V = np.asarray(A), np.asarray(V)
    return tuple((A[:, :, None] * V[None, :, :]).sum(axis=1))


@variant("mix", "one outer product for each source")
def mix_by_sources(A, V):
    A, V = np.array(A, dtype=float), np.array(V, dtype=float)
    return sum(np.outer(A[:, j], V[j]) for j in range(len(V)))


@variant("mix", "torch, a tensor returned")
def mix_in_torch(A, V, torch=import_module("torch")):
    return torch.tensor(np.asarray(A), dtype=torch.float64) @ torch.tensor(np.asarray(V), dtype=torch.float64)


# attend


@variant("attend", "from scratch in loops, a list of lists returned")
def attend_in_loops(X):
    import math

    A, H = [], []
    for reader in X:
        scores = [sum(a * b for a, b in zip(reader, word)) / math.sqrt(len(reader)) for word in X]
        shares = [math.exp(score - max(scores)) for score in scores]
        A.append([share / sum(shares) for share in shares])
        H.append([sum(share * word[k] for share, word in zip(A[-1], X)) for k in range(len(reader))])
    return [A, H]


@variant("attend", "einsum")
def attend_by_einsum(X):
    X = np.asarray(X, dtype=float)
    A = softmax(np.einsum("ik,jk->ij", X, X) / np.sqrt(X.shape[1]))
    return A, np.einsum("ij,jk->ik", A, X)


@variant("attend", "scipy, scaled on both sides before the product")
def attend_scaled_early(X, special=import_module("scipy.special")):
    X = np.asarray(X, dtype=float)
    Q = X / X.shape[1] ** .25
    A = special.softmax(Q @ Q.T, axis=1)
    return A, A @ X


@variant("attend", "torch, tensors returned")
def attend_in_torch(X, torch=import_module("torch")):
    X = torch.tensor(np.asarray(X), dtype=torch.float64, requires_grad=True)
    A = torch.softmax(X @ X.T / X.shape[1] ** .5, dim=-1)
    return A, torch.nn.functional.scaled_dot_product_attention(X[None], X[None], X[None])[0]


@variant("attend", "float32, one reader after the other")
def attend_in_float32(X):
    X = np.asarray(X, dtype=np.float32)
    A = np.stack([softmax(X @ reader / np.sqrt(np.float32(len(reader)))) for reader in X]).astype(np.float32)
    return A, np.stack([(shares[:, None] * X).sum(axis=0) for shares in A])


@variant("attend", "the mixture as the old rows plus an update")
def attend_by_an_update(X):
    X = np.array(X, dtype=float)
    A = softmax(match_scores(X))
    update = mix(A, X) - X
    return A, add_residual(X, update)


@variant("attend", "online: one source after the other, rescaled")
def attend_online(X):
    X = np.asarray(X, dtype=float)
    S = X @ X.T / np.sqrt(X.shape[1])
    top, total, H = S[:, :1], np.zeros((len(X), 1)), np.zeros(X.shape)
    for j in range(len(X)):
        higher = np.maximum(top, S[:, j:j + 1])
        fresh, old = np.exp(S[:, j:j + 1] - higher), np.exp(top - higher)
        total, H, top = total * old + fresh, H * old + fresh * X[j], higher
    return np.exp(S - top) / total, H / total


# add_residual


@variant("add_residual", "loops, lists returned")
def residual_in_loops(X, H):
    return [[x + h for x, h in zip(row, update)] for row, update in zip(X, H)]


@variant("add_residual", "a copy, changed in place")
def residual_on_a_copy(X, H):
    Y = np.array(X, dtype=float)
    Y += H
    return Y


@variant("add_residual", "float32, summed over a stack")
def residual_of_a_stack(X, H):
    return np.sum([np.asarray(X, np.float32), np.asarray(H, np.float32)], axis=0)


# uniform_mixture


@variant("uniform_mixture", "loops, the same list in every row")
def uniform_in_loops(X):
    mean = [sum(column) / len(X) for column in zip(*X)]
    return [mean] * len(X)


@variant("uniform_mixture", "a matrix of equal shares, through mix")
def uniform_through_mix(X):
    n = len(X)
    return mix(np.full((n, n), 1 / n), X)


@variant("uniform_mixture", "softmax of zeros, in float32")
def uniform_through_softmax(X):
    X = np.asarray(X, dtype=np.float32)
    return softmax(np.zeros((len(X), len(X)))).astype(np.float32) @ X


@variant("uniform_mixture", "a read-only view of the mean")
def uniform_as_a_view(X):
    return np.broadcast_to(np.mean(X, axis=0), np.shape(X))


@variant("uniform_mixture", "attention among rows of zeros")
def uniform_through_attend(X):
    X = np.asarray(X, dtype=float)
    return attend(np.zeros_like(X))[0] @ X


# sharpen


@variant("sharpen", "shares to a power, shared out again")
def sharpen_by_renormalized_powers(scores, factor):
    powers = softmax(np.asarray(scores, dtype=float)) ** factor
    return powers / powers.sum(axis=-1, keepdims=True)


@variant("sharpen", "loops, nested lists returned")
def sharpen_in_loops(scores, factor):
    import math

    if np.ndim(scores) > 1:
        return [sharpen_in_loops(part, factor) for part in scores]
    products = [factor * score for score in scores]
    exponentials = [math.exp(product - max(products)) for product in products]
    return [exponential / math.fsum(exponentials) for exponential in exponentials]


@variant("sharpen", "differences first, then the factor, in float32")
def sharpen_differences(scores, factor):
    scores = np.asarray(scores, dtype=np.float32)
    return softmax(factor * (scores - scores.mean(axis=-1, keepdims=True))).astype(np.float32)


@variant("sharpen", "scipy, a division by the temperature")
def sharpen_by_a_temperature(scores, factor, special=import_module("scipy.special")):
    temperature = np.inf if factor == 0 else 1 / factor
    return np.exp(special.log_softmax(np.asarray(scores, dtype=float) / temperature, axis=-1))
