"""Right answers written differently: each must get every point."""

import math

import numpy as np
import torch

from autograder.grading.suite import variant

# multi_head


@variant("multi_head", "head by head, their parts added up, with a mask if one is asked for")
def heads_one_by_one(X, Wq, Wk, Wv, Wo, causal=False):
    weights, update, width = [], 0, Wv.shape[2]
    for i, (q, k, v) in enumerate(zip(Wq, Wk, Wv)):
        scores = X @ q @ k.T @ X.T / math.sqrt(q.shape[1])
        if causal:
            scores[np.triu_indices(len(X), 1)] = -np.inf
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights.append(shares / shares.sum(axis=1, keepdims=True))
        update = update + weights[-1] @ X @ v @ Wo[i * width:(i + 1) * width]
    return np.array(weights), update


@variant("multi_head", "torch, in float32, as a list of tensors")
def heads_in_torch(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (torch.tensor(each, dtype=torch.float32) for each in (X, Wq, Wk, Wv, Wo))
    A = torch.softmax((X @ Wq) @ (X @ Wk).mT / Wq.shape[2] ** 0.5, dim=2)
    return [A, (A @ (X @ Wv)).transpose(0, 1).flatten(1) @ Wo]


# head_parameters


@variant("head_parameters", "number by number, nested lists returned")
def parameters_in_loops(state, layer):
    p = f"encoder.layer.{layer}.attention."
    stacks = []
    for part in ("query", "key", "value"):
        weight, bias = state[p + f"self.{part}.weight"].tolist(), state[p + f"self.{part}.bias"].tolist()
        w = len(bias) // 12
        stacks.append([[[weight[i * w + k][c] for k in range(w)] for c in range(len(bias))]
                       + [bias[i * w:i * w + w]] for i in range(12)])
    out = state[p + "output.dense.weight"].tolist()
    return [*stacks, [list(column) for column in zip(*out)], state[p + "output.dense.bias"].tolist()]


@variant("head_parameters", "torch throughout, views of the state returned")
def parameters_in_torch(state, layer):
    p = f"encoder.layer.{layer}.attention."

    def tall(part):
        weight, bias = state[f"{p}self.{part}.weight"], state[f"{p}self.{part}.bias"]
        return torch.cat([weight, bias[:, None]], dim=1).view(12, -1, len(bias) + 1).mT

    return (tall("query"), tall("key"), tall("value"),
            state[p + "output.dense.weight"].T, state[p + "output.dense.bias"])


@variant("head_parameters", "einsum with unit vectors, read off a linear layer, in float32")
def parameters_read_off(state, layer):
    p = f"encoder.layer.{layer}.attention."

    def read_off(name):
        weight, bias = state[f"{p}{name}.weight"].float(), state[f"{p}{name}.bias"].float()
        rows = torch.nn.functional.linear(torch.eye(len(bias)), weight)
        return rows.numpy(), bias.numpy()

    stacks = []
    for part in ("query", "key", "value"):
        rows, bias = read_off(f"self.{part}")
        stack = np.empty((12, len(rows) + 1, len(bias) // 12), dtype=np.float32)
        stack[:, :-1] = rows.reshape(len(rows), 12, -1).swapaxes(0, 1)
        stack[:, -1] = bias.reshape(12, -1)
        stacks.append(stack)
    return *stacks, *read_off("output.dense")


@variant("head_parameters", "a slice for each head, arrays in a list")
def parameters_by_slices(state, layer):
    state = {name: tensor.numpy().astype(float) for name, tensor in state.items()}
    p = f"encoder.layer.{layer}.attention."
    result, d = [], len(state[p + "output.dense.bias"])
    for part in ("query", "key", "value"):
        heads = []
        for start in range(0, d, d // 12):
            own = slice(start, start + d // 12)
            matrix = state[f"{p}self.{part}.weight"][own].T
            heads.append(np.concatenate([matrix, state[f"{p}self.{part}.bias"][None, own]]))
        result.append(heads)
    return [*result, np.transpose(state[p + "output.dense.weight"]), state[p + "output.dense.bias"]]
