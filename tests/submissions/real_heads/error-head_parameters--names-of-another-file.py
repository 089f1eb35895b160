import torch

# here stand the right functions


def head_parameters(state, layer):
    p = f"bert.encoder.layer.{layer}.attention."

    def heads(part):
        tall = torch.vstack([state[f"{p}self.{part}.weight"].T, state[f"{p}self.{part}.bias"]])
        return torch.stack(tall.chunk(12, dim=1))

    return (heads("query"), heads("key"), heads("value"),
            state[p + "output.dense.weight"].T, state[p + "output.dense.bias"])
