import numpy as np

# here stand the right functions


def head_parameters(state, layer):
    p = f"encoder.layer.{layer}.attention."

    def heads(part):
        tall = np.vstack([state[f"{p}self.{part}.weight"].numpy().T, state[f"{p}self.{part}.bias"].numpy()])
        return np.stack([tall[:, i::12] for i in range(12)])

    return (heads("query"), heads("key"), heads("value"),
            state[p + "output.dense.weight"].numpy().T, state[p + "output.dense.bias"].numpy())
