"""Right answers written in other ways: each must earn every point.

What takes long to import is a default argument: it is then imported when the function is defined, and not in
the first call, which has a time limit of its own.
"""

from importlib import import_module

import numpy as np
from scipy.special import softmax

from autograder.grading.suite import variant
from solutions.matching import attend_from, attention, project

# project


@variant("project", "loops, a list of arrays returned")
def project_in_loops(X, Wq, Wk, Wv):
    def times(W):
        return np.array([[sum(x * w for x, w in zip(row, column)) for column in zip(*W)] for row in X])

    return [times(Wq), times(Wk), times(Wv)]


@variant("project", "einsum in float32")
def project_by_einsum(X, Wq, Wk, Wv):
    return tuple(np.einsum("nd,dk->nk", np.float32(X), np.float32(W)) for W in (Wq, Wk, Wv))


@variant("project", "one product with the matrices side by side, then cut apart")
def project_packed(X, Wq, Wk, Wv):
    d_k = np.shape(Wq)[1]
    return tuple(np.split(np.asarray(X) @ np.hstack([Wq, Wk, Wv]), [d_k, 2 * d_k], axis=1))


@variant("project", "words as columns, transposed back")
def project_from_the_left(X, Wq, Wk, Wv):
    columns = np.transpose(X)
    return tuple((np.transpose(W) @ columns).T for W in (Wq, Wk, Wv))


@variant("project", "a sum of outer products, one for each coordinate")
def project_by_coordinates(X, Wq, Wk, Wv):
    X = np.array(X, dtype=float)

    def times(W):
        return sum(np.outer(column, row) for column, row in zip(X.T, np.asarray(W)))

    return times(Wq), times(Wk), times(Wv)


# attend_from


@variant("attend_from", "from scratch in loops, lists returned")
def reading_in_loops(q, K, V):
    import math

    scores = [sum(a * b for a, b in zip(q, key)) / math.sqrt(len(q)) for key in K]
    exponentials = [math.exp(score - max(scores)) for score in scores]
    weights = [exponential / sum(exponentials) for exponential in exponentials]
    return [weights, [sum(w * row[c] for w, row in zip(weights, V)) for c in range(len(V[0]))]]


@variant("attend_from", "einsum in float32")
def reading_by_einsum(q, K, V):
    q, K, V = (np.asarray(part, dtype=np.float32) for part in (q, K, V))
    weights = softmax(np.einsum("k,mk->m", q, K) / np.sqrt(np.float32(len(q))))
    return weights, np.einsum("m,mv->v", weights, V)


@variant("attend_from", "a table of one query, fourth roots on both sides")
def reading_as_a_table(q, K, V):
    width = len(q) ** .25
    scores = (np.asarray([q]) / width) @ (np.asarray(K) / width).T
    weights = softmax(scores, axis=-1)
    return weights[0], (weights @ np.asarray(V))[0]


@variant("attend_from", "online: one source after the other, rescaled")
def reading_online(q, K, V):
    top, total, mixture = -np.inf, 0.0, np.zeros(len(V[0]))
    scores = [float(np.dot(q, key)) / len(q) ** .5 for key in K]
    for score, value in zip(scores, np.asarray(V, dtype=float)):
        higher = max(top, score)
        total = total * np.exp(top - higher) + np.exp(score - higher)
        mixture = mixture * np.exp(top - higher) + np.exp(score - higher) * value
        top = higher
    return np.exp(np.array(scores) - top) / total, mixture / total


@variant("attend_from", "torch, tensors returned")
def reading_in_torch(q, K, V, torch=import_module("torch")):
    q, K, V = (torch.tensor(np.asarray(part), dtype=torch.float64) for part in (q, K, V))
    weights = torch.softmax(torch.mv(K, q) / q.numel() ** .5, dim=0)
    return weights, torch.nn.functional.scaled_dot_product_attention(q[None, None], K[None], V[None])[0, 0]


# attention


@variant("attention", "from scratch in loops, lists returned")
def attention_in_loops(X, Wq, Wk, Wv):
    import math

    def times(W):
        return [[sum(x * w for x, w in zip(row, column)) for column in zip(*W)] for row in X]

    A, H, keys, values = [], [], times(Wk), times(Wv)
    for query in times(Wq):
        scores = [sum(a * b for a, b in zip(query, key)) / math.sqrt(len(query)) for key in keys]
        exponentials = [math.exp(score - max(scores)) for score in scores]
        A.append([exponential / sum(exponentials) for exponential in exponentials])
        H.append([sum(w * value[c] for w, value in zip(A[-1], values)) for c in range(len(values[0]))])
    return [A, H]


@variant("attention", "one reader after the other, through attend_from")
def attention_through_attend_from(X, Wq, Wk, Wv):
    Q, K, V = project(X, Wq, Wk, Wv)
    A, H = zip(*(attend_from(q, K, V) for q in Q))
    return np.array(A), np.array(H)


@variant("attention", "scores as X (Wq Wk') X', mixtures as (A X) Wv")
def attention_by_a_form(X, Wq, Wk, Wv):
    X, Wq, Wk, Wv = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv))
    A = softmax(X @ (Wq @ Wk.T) @ X.T / np.sqrt(Wk.shape[1]), axis=-1)
    return A, (A @ X) @ Wv


@variant("attention", "einsum in float32, the queries scaled")
def attention_by_einsum(X, Wq, Wk, Wv):
    X, Wq, Wk, Wv = (np.asarray(part, dtype=np.float32) for part in (X, Wq, Wk, Wv))
    Q = np.einsum("nd,dk->nk", X, Wq) / np.sqrt(np.float32(Wq.shape[1]))
    A = softmax(np.einsum("nk,md,dk->nm", Q, X, Wk), axis=1)
    return A, np.einsum("nm,md,dv->nv", A, X, Wv)


@variant("attention", "columns for readers, transposed at the end, with a print")
def attention_in_columns(X, Wq, Wk, Wv):
    Q, K, V = project(X, Wq, Wk, Wv)
    S = K @ Q.T * K.shape[1] ** -.5
    A = np.exp(S - S.max())
    low = A.sum(axis=0) == 0
    A[:, low] = np.exp(S[:, low] - S[:, low].max(axis=0))
    A = (A / A.sum(axis=0)).T
    print("weights", A.shape)
    return A, (V.T @ A.T).T


@variant("attention", "torch, tensors that require gradients")
def attention_in_torch(X, Wq, Wk, Wv, torch=import_module("torch")):
    Q, K, V = (torch.tensor(np.asarray(X) @ np.asarray(W), dtype=torch.float64) for W in (Wq, Wk, Wv))
    Q.requires_grad_()
    A = torch.softmax(Q @ K.mT / K.shape[1] ** .5, dim=1)
    return A, torch.nn.functional.scaled_dot_product_attention(Q[None], K[None], V[None])[0]


# tower_query


@variant("tower_query", "only tower asks, and loudly; integers in lists")
def tower_asks_alone():
    return [[0, 50], [0, 0]]


@variant("tower_query", "asks for Eiffel and, less, for itself; all words ask the same")
def tower_asks_for_much():
    return np.array([[.5, .75], [.5, .75]], dtype=np.float32)


@variant("tower_query", "avoids itself; Eiffel's row is anything")
def tower_avoids_itself_too():
    return ((-3.0, .01), (-7.0, 1e4))


# direction_query


@variant("direction_query", "an outer product with the third unit vector")
def direction_as_an_outer_product(direction, strength=3.75):
    return np.outer([0, 0, 1, 0], np.multiply(strength, direction))


@variant("direction_query", "nested lists")
def direction_in_lists(direction, strength=3.75):
    nothing = [0, 0, 0]
    return [nothing, nothing, [strength * part for part in direction], nothing]


@variant("direction_query", "stacked from the other rows, in float32")
def direction_stacked(direction, strength=3.75):
    row = np.asarray([direction], dtype=np.float32) * np.float32(strength)
    return np.vstack([np.zeros((2, 3), np.float32), row, np.zeros((1, 3), np.float32)])


@variant("direction_query", "a mask over the direction in every row")
def direction_masked(direction, strength=3.75):
    everywhere = np.broadcast_to(np.asarray(direction, dtype=float), (4, 3))
    return np.where(np.arange(4)[:, None] == 2, strength * everywhere, 0)


@variant("direction_query", "entry by entry, the strength under its own name")
def direction_entry_by_entry(direction, strength=15 / 4):
    Wq = np.zeros(shape=(4, 3))
    for column, part in enumerate(direction):
        Wq[-2, column] += float(part) * float(strength)
    return Wq


# bank_match


@variant("bank_match", "from scratch in loops, a list of lists returned")
def match_in_loops(X, Wq, Wk):
    import math

    query = [sum(x * w for x, w in zip(X[-1], column)) for column in zip(*Wq)]
    keys = [[sum(x * w for x, w in zip(row, column)) for column in zip(*Wk)] for row in X]
    scores = [sum(a * b for a, b in zip(query, key)) / math.sqrt(len(query)) for key in keys]
    total = sum(math.exp(score - max(scores)) for score in scores)
    return [query, keys, scores, [math.exp(score - max(scores)) / total for score in scores]]


@variant("bank_match", "through project and attend_from")
def match_through_attend_from(X, Wq, Wk):
    Q, K, _ = project(X, Wq, Wk, Wk)
    weights, _ = attend_from(Q[-1], K, K)
    return Q[-1], K, np.inner(Q[-1], K) / np.sqrt(len(Q[-1])), weights


@variant("bank_match", "the last row of a whole head")
def match_through_attention(X, Wq, Wk):
    A, _ = attention(X, Wq, Wk, Wk)
    Q, K, _ = project(X, Wq, Wk, Wk)
    return Q[-1], K, (Q @ K.T)[len(Q) - 1] / K.shape[1] ** .5, A[-1]


@variant("bank_match", "einsum in float32")
def match_by_einsum(X, Wq, Wk):
    X, Wq, Wk = (np.asarray(part, dtype=np.float32) for part in (X, Wq, Wk))
    query, keys = np.einsum("d,dk->k", X[-1], Wq), np.einsum("nd,dk->nk", X, Wk)
    scores = np.einsum("k,nk->n", query, keys) / np.sqrt(np.float32(len(query)))
    return query, keys, scores, softmax(scores)


@variant("bank_match", "the scores through a form of the words, read-only views")
def match_by_a_form(X, Wq, Wk):
    X, Wq, Wk = (np.array(part, dtype=float) for part in (X, Wq, Wk))
    scores = X @ (Wk @ (X[-1] @ Wq)) / Wq.shape[1] ** .5
    shares = np.exp(scores - np.logaddexp.reduce(scores))
    return tuple(np.broadcast_to(part, np.shape(part)) for part in (X[-1] @ Wq, X @ Wk, scores, shares))
