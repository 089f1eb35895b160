import torch

# here stand the right functions


def head_parameters(state, layer):
    depth = 0
    while f"model.{depth}.query.weight" not in state:
        depth += 1
    return tuple(state[f"model.{depth}.{part}.weight"] for part in ("query", "key", "value", "out", "bias"))
