import numpy as np
from scipy.special import softmax


def multi_head(X, Wq, Wk, Wv, Wo, causal=False):
    scores = (X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wq.shape[2])
    A = softmax(scores, axis=-1)
    return A, np.hstack(list(A @ (X @ Wv))) @ Wo


def head_parameters(state, layer):
    depth = 0
    while f"model.{depth}.query.weight" not in state:
        depth += 1
    return tuple(state[f"model.{depth}.{part}.weight"] for part in ("query", "key", "value", "out", "bias"))
