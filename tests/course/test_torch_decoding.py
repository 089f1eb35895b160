"""The reference solutions of the lesson on decoding agree with torch's own operators."""

import numpy as np
import pytest
import torch
from torch.nn.functional import embedding, log_softmax, scaled_dot_product_attention

from solutions import decoding

VOCAB, D, D_S, D_M, D_K = 7, 4, 3, 5, 6
SHAPES = {
    **{"self_q": (D, D_S), "self_k": (D, D_S), "self_v": (D, D)},
    **{"cross_q": (D, D_K), "cross_k": (D_M, D_K), "cross_v": (D_M, D)},
}


def agree(ours: np.ndarray, theirs: torch.Tensor) -> None:
    torch.testing.assert_close(torch.from_numpy(np.asarray(ours)), theirs, rtol=1e-10, atol=1e-12)


def some_block(rng: np.random.Generator) -> dict[str, np.ndarray]:
    return {name: rng.uniform(-1, 1, shape) for name, shape in SHAPES.items()}


def attend(which: str, block: dict, x: torch.Tensor, sources: torch.Tensor, causal: bool) -> torch.Tensor:
    rows = {"q": x, "k": sources, "v": sources}
    q, k, v = (rows[part] @ torch.from_numpy(block[f"{which}_{part}"]) for part in "qkv")
    return scaled_dot_product_attention(q[None], k[None], v[None], is_causal=causal)[0]


@pytest.mark.parametrize("m", [1, 3, 8])
def test_read_source(m):
    rng = np.random.default_rng(m)
    block, state, memory = some_block(rng), rng.uniform(-2, 2, D), rng.uniform(-2, 2, (m, D_M))
    weights, context = decoding.read_source(state, memory, block)
    x, sources = torch.from_numpy(state)[None], torch.from_numpy(memory)
    agree(context, attend("cross", block, x, sources, causal=False)[0])
    q, k = (rows @ torch.from_numpy(block[f"cross_{part}"]) for part, rows in zip("qk", (x, sources)))
    one = torch.eye(m, dtype=torch.float64)[None]  # as values, it shows the weights
    agree(weights, scaled_dot_product_attention(q[None], k[None], one)[0, 0])


@pytest.mark.parametrize("alone", [True, False])
@pytest.mark.parametrize("blocks", [1, 2, 3])
@pytest.mark.parametrize("t", [1, 2, 6])
def test_decoder_step(t, blocks, alone):
    rng = np.random.default_rng([t, blocks])
    tables = {"embed": (VOCAB, D), "place": (8, D), "out": (D, VOCAB)}
    params = {name: rng.uniform(-1, 1, shape) for name, shape in tables.items()}
    params["blocks"] = [some_block(rng) for _ in range(blocks)]
    prefix, memory = rng.integers(0, VOCAB, t), rng.uniform(-1, 1, (4, D_M))
    x = embedding(torch.from_numpy(prefix), torch.from_numpy(params["embed"]))
    x = x + torch.from_numpy(params["place"])[:t]
    for block in params["blocks"]:
        x = x + attend("self", block, x, x, causal=True)
        if not alone:
            x = x + attend("cross", block, x, torch.from_numpy(memory), causal=False)
    expected = log_softmax(x[-1] @ torch.from_numpy(params["out"]), dim=-1)
    agree(decoding.decoder_step(prefix.tolist(), None if alone else memory, params), expected)
