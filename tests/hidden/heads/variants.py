"""Right answers written in other ways: each must earn every point.

What takes long to import is a default argument: it is then imported when the function is defined, and not in
the first call, which has a time limit of its own.
"""

from importlib import import_module

import numpy as np
from scipy.special import softmax

from autograder.grading.suite import variant
from solutions.heads import (
    attention_sublayer,
    concat_heads,
    inventory,
    multi_head,
    pack_projections,
    split_heads,
)

# split_heads


@variant("split_heads", "slices of columns, a list returned")
def split_by_slices(P, h):
    P = np.asarray(P)
    width = P.shape[1] // h
    return [P[:, i * width:i * width + width] for i in range(h)]


@variant("split_heads", "loops, nested lists returned")
def split_in_loops(P, h):
    width = len(P[0]) // h
    return [[[row[i * width + k] for k in range(width)] for row in P] for i in range(h)]


@variant("split_heads", "einsum with a table of who owns what, in float32")
def split_by_einsum(P, h):
    P = np.asarray(P, dtype=np.float32)
    owner = np.eye(P.shape[1], dtype=np.float32).reshape(P.shape[1], h, -1)
    return np.einsum("tc,cik->itk", P, owner)


@variant("split_heads", "transposed first, a view returned")
def split_through_the_transpose(P, h):
    P = np.array(P, dtype=float)
    return P.T.reshape(h, -1, len(P)).transpose(0, 2, 1)


@variant("split_heads", "torch, a tensor returned")
def split_in_torch(P, h, torch=import_module("torch")):
    P = torch.tensor(np.asarray(P), dtype=torch.float64, requires_grad=True)
    return torch.stack(P.chunk(h, dim=1))


# concat_heads


@variant("concat_heads", "side by side with hstack")
def concat_by_hstack(H):
    return np.hstack(list(H))


@variant("concat_heads", "loops, nested lists returned")
def concat_in_loops(H):
    return [[value for head in H for value in head[t]] for t in range(len(H[0]))]


@variant("concat_heads", "filled slice by slice, in float32")
def concat_by_filling(H):
    h, n, width = np.shape(H)
    result = np.empty((n, h * width), dtype=np.float32)
    for i in range(h):
        result[:, i * width:(i + 1) * width] = H[i]
    return result


@variant("concat_heads", "torch, an array returned")
def concat_in_torch(H, torch=import_module("torch")):
    H = torch.tensor(np.asarray(H), dtype=torch.float64)
    return H.permute(1, 0, 2).flatten(1).numpy()


# pack_projections


@variant("pack_projections", "as the heads of a table with d rows")
def pack_as_concatenation(W):
    return concat_heads(W)


@variant("pack_projections", "the projections of the unit vectors")
def pack_by_unit_vectors(W):
    W = np.asarray(W, dtype=np.float32)
    return np.hstack([np.eye(W.shape[1], dtype=np.float32) @ part for part in W])


@variant("pack_projections", "loops, nested lists returned")
def pack_in_loops(W):
    return [[value for part in W for value in part[c]] for c in range(len(W[0]))]


@variant("pack_projections", "axis moved, then reshaped")
def pack_by_moving_an_axis(W):
    W = np.moveaxis(np.array(W), 0, 1)
    return W.reshape(len(W), W.shape[1] * W.shape[2])


# multi_head


@variant("multi_head", "packed projections, split into heads")
def heads_packed(X, Wq, Wk, Wv, Wo, causal=False):
    X, h = np.asarray(X, dtype=float), len(Wq)
    Q, K, V = (split_heads(X @ pack_projections(W), h) for W in (Wq, Wk, Wv))
    S = Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1])
    if causal:
        S = S + np.triu(np.full(S.shape[1:], -1e9), 1)
    A = softmax(S, axis=-1)
    return A, concat_heads(A @ V) @ np.asarray(Wo, dtype=float)


@variant("multi_head", "one head after the other, their parts added up")
def heads_by_parts(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wo, width = np.asarray(X, dtype=float), np.asarray(Wo, dtype=float), np.shape(Wv)[2]
    patterns, update = [], np.zeros(X.shape)
    for i in range(len(Wq)):
        S = (X @ Wq[i]) @ (X @ Wk[i]).T * np.shape(Wq)[2] ** -.5
        S[np.triu_indices(len(X), 1)] = -np.inf if causal else S[np.triu_indices(len(X), 1)]
        patterns.append(softmax(S, axis=1))
        update += patterns[-1] @ (X @ Wv[i]) @ Wo[i * width:i * width + width]
    return patterns, update


@variant("multi_head", "einsum throughout")
def heads_by_einsum(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, Wo))
    S = np.einsum("nd,hdk,mc,hck->hnm", X, Wq, X, Wk, optimize=True) / Wq.shape[2] ** .5
    A = softmax(S, axis=2)
    if causal:
        S = np.where(np.tri(len(X), dtype=bool), S, -1e30)
        A = softmax(S, axis=2)
    return A, np.einsum("hnm,md,hdv,hve->ne", A, X, Wv, Wo.reshape(*Wv.shape[::2], -1), optimize=True)


@variant("multi_head", "one matrix instead of Wq and Wk, another instead of Wv and Wo")
def heads_by_joined_matrices(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, Wo))
    form = Wq @ Wk.swapaxes(1, 2) / np.sqrt(Wq.shape[2])
    S = np.where(np.triu(np.ones((len(X), len(X))), 1) * causal, -np.inf, X @ form @ X.T)
    A = softmax(S, axis=-1)
    through = Wv @ Wo.reshape(len(Wv), -1, Wo.shape[1])
    return [A, (A @ (X @ through)).sum(axis=0)]


@variant("multi_head", "token by token on prefixes, lists returned")
def heads_by_prefixes(X, Wq, Wk, Wv, Wo, causal=False):
    X, n, width = np.asarray(X, dtype=float), len(X), np.shape(Wq)[2]
    A, rows = np.zeros((len(Wq), n, n)), []
    for t in range(n):
        seen = X[:t + 1] if causal else X
        row = []
        for i in range(len(Wq)):
            shares = softmax(seen @ np.asarray(Wk[i]) @ (X[t] @ np.asarray(Wq[i])) / np.sqrt(width))
            A[i, t, :len(seen)] = shares
            row.extend(shares @ (seen @ np.asarray(Wv[i])))
        rows.append((np.array(row) @ np.asarray(Wo)).tolist())
    return A.tolist(), rows


@variant("multi_head", "the mask multiplied in after softmax, then shared out again")
def heads_renormalized(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (np.array(part, dtype=float) for part in (X, Wq, Wk, Wv, Wo))
    Q, K = X @ Wq / Wq.shape[2] ** .25, X @ Wk / Wk.shape[2] ** .25
    S = np.einsum("hnk,hmk->hnm", Q, K)
    allowed = np.tri(len(X)) if causal else np.ones((len(X), len(X)))
    raw = np.exp(S - np.where(allowed > 0, S, -np.inf).max(axis=-1, keepdims=True), where=allowed > 0,
                 out=np.zeros_like(S)) * allowed
    A = raw / raw.sum(axis=-1, keepdims=True)
    return A, concat_heads(A @ X @ Wv) @ Wo


@variant("multi_head", "torch, scaled_dot_product_attention, arrays returned")
def heads_in_torch(X, Wq, Wk, Wv, Wo, causal=False, torch=import_module("torch")):
    X, Wq, Wk, Wv, Wo = (torch.tensor(np.asarray(part), dtype=torch.float64) for part in (X, Wq, Wk, Wv, Wo))
    Q, K, V = X @ Wq, X @ Wk, X @ Wv
    H = torch.nn.functional.scaled_dot_product_attention(Q[None], K[None], V[None], is_causal=causal)[0]
    S = Q @ K.mT / Q.shape[-1] ** .5
    if causal:
        S = S.masked_fill(torch.ones(len(X), len(X), dtype=torch.bool).triu(1), -torch.inf)
    return torch.softmax(S, dim=-1).numpy(), (H.transpose(0, 1).flatten(1) @ Wo).numpy()


@variant("multi_head", "float32 throughout")
def heads_in_float32(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (np.asarray(part, dtype=np.float32) for part in (X, Wq, Wk, Wv, Wo))
    S = (X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(np.float32(Wq.shape[2]))
    S = np.where(np.tri(len(X), dtype=bool), S, np.float32(-1e30)) if causal else S
    raw = np.exp(S - S.max(axis=-1, keepdims=True))
    A = raw / raw.sum(axis=-1, keepdims=True)
    return A, np.hstack(list(A @ (X @ Wv))) @ Wo


# attention_sublayer


@variant("attention_sublayer", "a copy, changed in place")
def sublayer_on_a_copy(X, Wq, Wk, Wv, Wo, causal=False):
    Y = np.array(X, dtype=float)
    Y += multi_head(X, Wq, Wk, Wv, Wo, causal)[1]
    return Y


@variant("attention_sublayer", "a list of rows, one head at a time")
def sublayer_by_parts(X, Wq, Wk, Wv, Wo, causal=False):
    Y, width = np.array(X, dtype=float), np.shape(Wv)[2]
    for i in range(len(Wq)):
        rows = Wo[i * width:(i + 1) * width]
        Y = Y + multi_head(X, Wq[i:i + 1], Wk[i:i + 1], Wv[i:i + 1], rows, causal)[1]
    return list(Y)


@variant("attention_sublayer", "the residual as a head's worth of extra columns, in float32")
def sublayer_with_wider_output(X, Wq, Wk, Wv, Wo, causal=False):
    X = np.asarray(X, dtype=float)
    A, _ = multi_head(X, Wq, Wk, Wv, Wo, causal)
    joined = np.hstack([*(A @ (X @ np.asarray(Wv, dtype=float))), X])
    return (joined @ np.vstack([np.asarray(Wo, dtype=float), np.eye(X.shape[1])])).astype(np.float32)


@variant("attention_sublayer", "torch, a tensor returned")
def sublayer_in_torch(X, Wq, Wk, Wv, Wo, causal=False, torch=import_module("torch")):
    X, Wq, Wk, Wv, Wo = (torch.tensor(np.asarray(part), dtype=torch.float64) for part in (X, Wq, Wk, Wv, Wo))
    H = torch.nn.functional.scaled_dot_product_attention(
        (X @ Wq)[None], (X @ Wk)[None], (X @ Wv)[None], is_causal=causal
    )[0]
    return X + torch.cat(list(H), dim=1) @ Wo


# without_head


@variant("without_head", "the full update minus the head's part")
def without_by_subtraction(X, Wq, Wk, Wv, Wo, head, causal=False):
    width, one = np.shape(Wv)[2], slice(head, head + 1)
    part = multi_head(X, Wq[one], Wk[one], Wv[one], Wo[head * width:(head + 1) * width], causal)[1]
    return np.asarray(multi_head(X, Wq, Wk, Wv, Wo, causal)[1]) - part


@variant("without_head", "the sum of the other heads' parts, a list of rows")
def without_by_addition(X, Wq, Wk, Wv, Wo, head, causal=False):
    width, update = np.shape(Wv)[2], np.zeros(np.shape(X))
    for i in set(range(len(Wq))) - {head}:
        rows = Wo[i * width:(i + 1) * width]
        update += multi_head(X, Wq[i:i + 1], Wk[i:i + 1], Wv[i:i + 1], rows, causal)[1]
    return update.tolist()


@variant("without_head", "the head's mixture zeroed, then joined")
def without_the_mixture(X, Wq, Wk, Wv, Wo, head, causal=False):
    X, Wv, Wo = (np.asarray(part, dtype=float) for part in (X, Wv, Wo))
    H = np.asarray(multi_head(X, Wq, Wk, Wv, Wo, causal)[0]) @ (X @ Wv)
    H[head] = 0
    return concat_heads(H) @ Wo


@variant("without_head", "the head's weights set to zero after softmax")
def without_the_weights(X, Wq, Wk, Wv, Wo, head, causal=False):
    X, Wv, Wo = (np.asarray(part, dtype=float) for part in (X, Wv, Wo))
    A = np.array(multi_head(X, Wq, Wk, Wv, Wo, causal)[0], dtype=np.float32)
    A[head] = 0
    return np.hstack(list(A @ X @ Wv)) @ Wo


@variant("without_head", "the head and its rows of Wo left out together")
def without_both(X, Wq, Wk, Wv, Wo, head, causal=False):
    X, Wq, Wk, Wv, Wo = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, Wo))
    others = [i for i in range(len(Wq)) if i != head]
    if not others:
        return np.zeros(X.shape)
    rows = Wo.reshape(len(Wv), -1, Wo.shape[1])[others].reshape(-1, Wo.shape[1])
    return multi_head(X, Wq[others], Wk[others], Wv[others], rows, causal)[1]


# inventory


@variant("inventory", "grown block by block, lists instead of tuples")
def inventory_grown(tokens, d, d_k, d_v, heads, blocks=1):
    found = {}
    for _ in range(blocks):
        for names, times in (("Wq Wk Wv Q K V S A H", heads), ("X concat Wo update output", 1)):
            for name in names.split():
                found.setdefault(name, [0, []])[0] += times
    joined = heads * d_v
    for names, shape in (("Wq Wk", [d, d_k]), ("Wv", [d, d_v]), ("Q K", [tokens, d_k]),
                         ("V H", [tokens, d_v]), ("S A", [tokens, tokens]), ("X update output", [tokens, d]),
                         ("concat", [tokens, joined]), ("Wo", [joined, d])):
        for name in names.split():
            found[name][1] = shape
    return found


@variant("inventory", "shapes taken from arrays, counts as numpy's integers")
def inventory_of_arrays(tokens, d, d_k, d_v, heads, blocks=1):
    learned = (d, d_k), (d, d_v), (heads * d_v, d)
    X, Wq, Wv, Wo = (np.empty(shape, dtype=bool) for shape in ((tokens, d), *learned))
    shapes = {"X": X, "output": X, "update": X, "Wo": Wo, "concat": np.empty((tokens, len(Wo)), dtype=bool)}
    once = {name: (np.int64(blocks), matrix.shape) for name, matrix in shapes.items()}
    Q, V = (tokens, Wq.shape[1]), (tokens, Wv.shape[1])
    many = {"Wq": Wq.shape, "Wk": Wq.shape, "Wv": Wv.shape, "Q": Q, "K": Q, "V": V, "H": V,
            "S": (tokens,) * 2, "A": (tokens,) * 2}
    return once | {name: (np.int64(heads) * blocks, shape) for name, shape in many.items()}


@variant("inventory", "as arrays throughout, floats among them")
def inventory_in_arrays(tokens, d, d_k, d_v, heads, blocks=1):
    n, h, N, joined = tokens, float(heads * blocks), np.int32(blocks), heads * d_v
    rows = [("X", N, n, d), ("Wq", h, d, d_k), ("Wk", h, d, d_k), ("Wv", h, d, d_v), ("Q", h, n, d_k),
            ("K", h, n, d_k), ("V", h, n, d_v), ("S", h, n, n), ("A", h, n, n), ("H", h, n, d_v),
            ("concat", N, n, joined), ("Wo", N, joined, d), ("update", N, n, d), ("output", N, n, d)]
    return {name: (count, np.array(shape)) for name, count, *shape in rows}


# count_parameters


@variant("count_parameters", "the inventory's learned matrices added up")
def parameters_of_the_inventory(d, d_k, d_v, heads):
    found = inventory(1, d, d_k, d_v, heads)
    return sum(found[name][0] * np.prod(found[name][1]) for name in ("Wq", "Wk", "Wv", "Wo"))


@variant("count_parameters", "head by head, a float returned")
def parameters_head_by_head(d, d_k, d_v, heads):
    total = 0.0
    for _ in range(heads):
        total += d * d_k + d * d_k + d * d_v + d_v * d
    return total


@variant("count_parameters", "factored: twice everything that d meets")
def parameters_factored(d, d_k, d_v, heads):
    return np.array(2 * d * heads * (d_k + d_v))


# reachable


@variant("reachable", "a matrix power, compared with zero")
def reach_by_matrix_power(allowed, layers):
    step = np.asarray(allowed, dtype=bool) + np.eye(len(allowed))
    return np.linalg.matrix_power((step > 0).astype(float), layers) > 0


@variant("reachable", "a search from every token, lists returned")
def reach_by_search(allowed, layers):
    rows = []
    for start in range(len(allowed)):
        seen, edge = {start}, [start]
        for _ in range(layers):
            edge = [j for i in edge for j in range(len(allowed)) if allowed[i][j] and j not in seen]
            seen.update(edge)
        rows.append([j in seen for j in range(len(allowed))])
    return rows


@variant("reachable", "any() over a broadcast, layer by layer from the other end")
def reach_by_broadcast(allowed, layers):
    step = np.array(allowed, dtype=bool)
    np.fill_diagonal(step, True)
    reached = np.identity(len(step)) == 1
    while layers > 0:
        reached, layers = (reached[:, :, None] & step[None]).any(axis=1), layers - 1
    return reached


@variant("reachable", "clipped float products")
def reach_clipped(allowed, layers):
    step = np.minimum(np.asarray(allowed, dtype=np.float32) + np.eye(len(allowed), dtype=np.float32), 1)
    reached = np.eye(len(step), dtype=np.float32)
    for _ in range(layers):
        reached = np.minimum(reached @ step, 1)
    return reached > .5


# effect_of_change


@variant("effect_of_change", "through the sublayer, or the update alone")
def effect_through_the_sublayer(X, source, receiver, delta, params, residual):
    def output(rows):
        return attention_sublayer(rows, *params) if residual else multi_head(rows, *params)[1]

    moved = [[float(x) for x in row] for row in X]
    moved[source] = [x + float(step) for x, step in zip(moved[source], delta)]
    return np.sqrt(np.sum((np.asarray(output(moved))[receiver] - np.asarray(output(X))[receiver]) ** 2))


@variant("effect_of_change", "the residual added by hand, where it counts")
def effect_with_the_residual_by_hand(X, source, receiver, delta, params, residual):
    push = np.zeros(np.shape(X))
    push[source] = delta
    _, before = multi_head(X, *params)
    _, after = multi_head(np.asarray(X) + push, *params)
    change = np.asarray(after)[receiver] - np.asarray(before)[receiver]
    if residual and source == receiver:
        change = change + np.asarray(delta)
    return np.array(np.sqrt(change @ change))


@variant("effect_of_change", "torch, a tensor returned")
def effect_in_torch(X, source, receiver, delta, params, residual, torch=import_module("torch")):
    X, delta = (torch.tensor(np.asarray(part), dtype=torch.float64) for part in (X, delta))
    Wq, Wk, Wv, Wo = (torch.tensor(np.asarray(part), dtype=torch.float64) for part in params)

    def output(rows):
        A = torch.softmax((rows @ Wq) @ (rows @ Wk).mT / Wq.shape[2] ** .5, dim=-1)
        update = torch.cat(list(A @ (rows @ Wv)), dim=1) @ Wo
        return rows + update if residual else update

    moved = X.index_add(0, torch.tensor([source]), delta[None])
    return torch.linalg.vector_norm(output(moved)[receiver] - output(X)[receiver])


@variant("effect_of_change", "math.dist between two rows")
def effect_by_distance(X, source, receiver, delta, params, residual):
    import math

    X = np.array(X, dtype=float)
    rows = []
    for step in (0, np.asarray(delta, dtype=float)):
        changed = X.copy()
        changed[source] += step
        update = np.asarray(multi_head(changed, *params)[1])
        rows.append((update + changed if residual else update)[receiver])
    return math.dist(*rows)
