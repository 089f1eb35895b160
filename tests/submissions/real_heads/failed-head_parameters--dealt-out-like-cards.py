import numpy as np
from scipy.special import softmax


def multi_head(X, Wq, Wk, Wv, Wo, causal=False):
    scores = (X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wq.shape[2])
    A = softmax(scores, axis=-1)
    return A, np.hstack(list(A @ (X @ Wv))) @ Wo


def head_parameters(state, layer):
    p = f"encoder.layer.{layer}.attention."

    def heads(part):
        tall = np.vstack([state[f"{p}self.{part}.weight"].numpy().T, state[f"{p}self.{part}.bias"].numpy()])
        return np.stack([tall[:, i::12] for i in range(12)])

    return (heads("query"), heads("key"), heads("value"),
            state[p + "output.dense.weight"].numpy().T, state[p + "output.dense.bias"].numpy())
