import numpy as np

# here stand the right functions


def head_parameters(state, layer):
    p = f"encoder.layer.{layer}.attention."
    Wq, Wk, Wv = (np.stack(np.split(state[f"{p}self.{part}.weight"].numpy().T, 12, axis=1))
                  for part in ("query", "key", "value"))
    return Wq, Wk, Wv, state[p + "output.dense.weight"].numpy().T, state[p + "output.dense.bias"].numpy()
