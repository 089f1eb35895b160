import numpy as np
from scipy.special import softmax


def multi_head(X, Wq, Wk, Wv, Wo, causal=False):
    scores = (X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wq.shape[2])
    A = softmax(scores, axis=-1)
    return A, np.hstack(list(A @ (X @ Wv))) @ Wo


def head_parameters(state, layer):
    p = f"encoder.layer.{layer}.attention."
    Wq, Wk, Wv = (np.stack(np.split(state[f"{p}self.{part}.weight"].numpy().T, 12, axis=1))
                  for part in ("query", "key", "value"))
    return Wq, Wk, Wv, state[p + "output.dense.weight"].numpy().T, state[p + "output.dense.bias"].numpy()
