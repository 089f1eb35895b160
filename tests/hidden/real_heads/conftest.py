"""What the suites of this lesson share: layers to draw, and what torch makes of them."""

import numpy as np
import pytest
import torch
from torch.nn.functional import linear, scaled_dot_product_attention

HEADS = 12
PARTS = "self.query", "self.key", "self.value", "output.dense"


class Layers:
    """States of models that were never trained, of any width, with the names of the real one."""

    def draw(self, rng, d, layers=2, dtype=torch.float64):
        """A state whose biases are as large as its weights, with what else such a file holds."""
        shapes = {"embeddings.word_embeddings.weight": (5, d), "pooler.dense.weight": (d, d)}
        for layer in range(layers):
            p = f"encoder.layer.{layer}."
            for part in PARTS:
                shapes |= {f"{p}attention.{part}.weight": (d, d), f"{p}attention.{part}.bias": (d,)}
            for norm in ("attention.output", "output"):
                shapes |= {f"{p}{norm}.LayerNorm.{kind}": (d,) for kind in ("weight", "bias")}
            shapes |= {f"{p}output.dense.weight": (d, 15), f"{p}output.dense.bias": (d,)}
            shapes |= {f"{p}intermediate.dense.weight": (15, d), f"{p}intermediate.dense.bias": (15,)}
        names = rng.permutation(list(shapes)).tolist()  # a file keeps its names in any order
        return {name: torch.tensor(rng.uniform(-1, 1, shapes[name])).to(dtype) for name in names}

    def part(self, state, layer, part):
        """The weight and bias of a linear map, as lists."""
        name = f"encoder.layer.{layer}.attention.{part}"
        return state[f"{name}.weight"].tolist(), state[f"{name}.bias"].tolist()

    def stacked(self, state, layer, part):
        """What multi_head is to get of queries, keys or values, number by number."""
        weight, bias = self.part(state, layer, part)
        width = len(bias) // HEADS
        heads = [range(i * width, (i + 1) * width) for i in range(HEADS)]
        rows = [[[weight[out][c] for out in head] for c in range(len(bias))] for head in heads]
        return np.array([head_rows + [[bias[out] for out in head]] for head, head_rows in zip(heads, rows)])

    def output(self, state, layer):
        """Wo and bo."""
        weight, bias = self.part(state, layer, PARTS[3])
        return np.array([[weight[out][c] for out in range(len(bias))] for c in range(len(bias))]), bias

    def attention(self, state, layer, X):
        """The weights (12, n, n) of the layer and its update (n, d), by torch's operators."""
        name = f"encoder.layer.{layer}.attention"
        maps = [[state[f"{name}.{part}.{kind}"] for kind in ("weight", "bias")] for part in PARTS]
        q, k, v = (linear(X, *pair).unflatten(1, (HEADS, -1)).transpose(0, 1) for pair in maps[:3])
        weights = scaled_dot_product_attention(q, k, torch.eye(len(X), dtype=X.dtype).expand(HEADS, -1, -1))
        mixtures = scaled_dot_product_attention(q, k, v).transpose(0, 1).flatten(1)
        return weights.numpy(), linear(mixtures, *maps[3]).numpy()


@pytest.fixture
def layers():
    return Layers()
