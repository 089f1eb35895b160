import numpy as np
import torch
from scipy.special import softmax


def multi_head(X, Wq, Wk, Wv, Wo, causal=False):
    scores = (X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wq.shape[2])
    A = softmax(scores, axis=-1)
    return A, np.hstack(list(A @ (X @ Wv))) @ Wo


def head_parameters(state, layer):
    p = f"bert.encoder.layer.{layer}.attention."

    def heads(part):
        tall = torch.vstack([state[f"{p}self.{part}.weight"].T, state[f"{p}self.{part}.bias"]])
        return torch.stack(tall.chunk(12, dim=1))

    return (heads("query"), heads("key"), heads("value"),
            state[p + "output.dense.weight"].T, state[p + "output.dense.bias"])
