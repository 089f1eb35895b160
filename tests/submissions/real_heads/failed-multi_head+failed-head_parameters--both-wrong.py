# Averages its heads, and reads the keys twice.
import numpy as np
from scipy.special import softmax


def multi_head(X, Wq, Wk, Wv, Wo, causal=False):
    A = softmax((X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wq.shape[2]), axis=-1)
    mixtures = np.repeat((A @ (X @ Wv)).mean(axis=0, keepdims=True), len(Wv), axis=0)
    return A.mean(axis=0), np.hstack(list(mixtures)) @ Wo


def head_parameters(state, layer):
    p = f"encoder.layer.{layer}.attention."

    def heads(part):
        tall = np.vstack([state[f"{p}self.{part}.weight"].numpy().T, state[f"{p}self.{part}.bias"].numpy()])
        return np.stack(np.split(tall, 12, axis=1))

    return (heads("key"), heads("key"), heads("value"),
            state[p + "output.dense.weight"].numpy().T, state[p + "output.dense.bias"].numpy())
