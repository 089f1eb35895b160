import numpy as np


def multi_head(X, Wq, Wk, Wv, Wo, causal=False):
    weights, mixtures = [], []
    for q, k, v in zip(Wq, Wk, Wv):
        scores = (X @ q) @ (X @ k).T / np.shape(q)[1] ** 0.5
        raw = np.exp(scores - scores.max())
        weights.append(raw / raw.sum(axis=1)[:, None])
        mixtures.append(weights[-1] @ (X @ v))
    return weights, (np.concatenate(mixtures, axis=1) @ Wo).tolist()


def head_parameters(state, layer):
    values = {name.split("attention.")[1]: tensor.tolist() for name, tensor in state.items()
              if name.startswith(f"encoder.layer.{layer}.attention.")}
    stacks = []
    for part in ("query", "key", "value"):
        weight, bias = values[f"self.{part}.weight"], values[f"self.{part}.bias"]
        outputs = [row + [more] for row, more in zip(weight, bias)]
        width = len(outputs) // 12
        heads = [outputs[i:i + width] for i in range(0, len(outputs), width)]
        stacks.append([[list(column) for column in zip(*head)] for head in heads])
    return [*stacks, [list(row) for row in zip(*values["output.dense.weight"])], values["output.dense.bias"]]
