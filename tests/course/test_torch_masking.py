"""The reference solutions of the lesson on masking agree with torch's own operators."""

import numpy as np
import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from solutions import masking

HEADS = [(5, 4, 3, 2), (1, 4, 3, 2), (7, 3, 5, 6), (4, 6, 2, 9)]  # words, width, width of keys, of values
WORDS = [(5, 3, 2), (1, 3, 2), (7, 5, 6)]  # words, width of keys, of values


def agree(ours: np.ndarray, theirs: torch.Tensor) -> None:
    torch.testing.assert_close(torch.from_numpy(np.asarray(ours)), theirs, rtol=1e-10, atol=1e-12)


def arrays(*shapes: tuple[int, ...]) -> tuple[list[np.ndarray], list[torch.Tensor]]:
    """Random arrays, and the same as tensors of their own."""
    rng = np.random.default_rng([size for shape in shapes for size in shape])
    made = [rng.uniform(-2, 2, shape) for shape in shapes]
    return made, [torch.tensor(array) for array in made]


def projected(x: torch.Tensor, z: torch.Tensor, *maps: torch.Tensor) -> list[torch.Tensor]:
    """Queries of x, keys and values of z, each in a batch of one."""
    return [torch.nn.functional.linear(rows, W.T)[None] for rows, W in zip((x, z, z), maps)]


@pytest.mark.parametrize("n", [1, 2, 7])
def test_causal_mask(n):
    allowed = torch.ones(n, n, dtype=torch.bool).tril()
    assert torch.equal(torch.from_numpy(masking.causal_mask(n)), allowed.logical_not())


@pytest.mark.parametrize("shift", [0, 1000, -1000])
@pytest.mark.parametrize("shape", [(5,), (4, 5), (2, 3, 5)])
def test_masked_softmax(shape, shift):
    (scores,), (tensor,) = arrays(shape)
    forbidden = np.random.default_rng(3).permuted(np.broadcast_to(np.arange(5) < 2, shape), axis=-1)
    filled = (tensor + shift).masked_fill(torch.from_numpy(forbidden), -torch.inf)
    agree(masking.masked_softmax(scores + shift, forbidden), torch.softmax(filled, dim=-1))


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("n, d, d_k, d_v", HEADS)
def test_attention(n, d, d_k, d_v, causal):
    ours, (x, *maps) = arrays((n, d), (d, d_k), (d, d_k), (d, d_v))
    A, H = masking.attention(*ours, causal=causal)
    q, k, v = projected(x, x, *maps)
    agree(H, scaled_dot_product_attention(q, k, v, is_causal=causal)[0])
    one = torch.eye(n, dtype=torch.float64)[None]  # as values, it shows the weights
    agree(A, scaled_dot_product_attention(q, k, one, is_causal=causal)[0])


@pytest.mark.parametrize("m", [1, 3, 8])
@pytest.mark.parametrize("n, d, d_k, d_v", HEADS)
def test_cross_attention(n, d, d_k, d_v, m):
    ours, (x, z, *maps) = arrays((n, d), (m, d), (d, d_k), (d, d_k), (d, d_v))
    A, H = masking.cross_attention(*ours)
    q, k, v = projected(x, z, *maps)
    agree(H, scaled_dot_product_attention(q, k, v)[0])
    agree(A, scaled_dot_product_attention(q, k, torch.eye(m, dtype=torch.float64)[None])[0])


@pytest.mark.parametrize("n, d, d_k, d_v", HEADS)
def test_decoding_word_by_word(n, d, d_k, d_v):
    (X, *maps), (x, *tensors) = arrays((n, d), (d, d_k), (d, d_k), (d, d_v))
    cache = masking.KVCache()
    mixtures = [masking.decode_step(row, cache, *maps)[1] for row in X]
    q, k, v = projected(x, x, *tensors)
    agree(np.array(mixtures), scaled_dot_product_attention(q, k, v, is_causal=True)[0])
    agree(cache.keys, k[0])
    agree(cache.values, v[0])


@pytest.mark.parametrize("n, d_k, d_v", WORDS)
def test_linear_attention_and_fast_weights(n, d_k, d_v):
    ours, (q, k, v) = arrays((n, d_k), (n, d_k), (n, d_v))
    memories = torch.bmm(k[:, :, None], v[:, None, :]).cumsum(dim=0)
    expected = torch.bmm(q[:, None, :], memories)[:, 0]
    agree(masking.linear_attention(*ours), expected)
    out, memory = masking.fast_weights(*ours)
    agree(out, expected)
    agree(memory, memories[-1])


@pytest.mark.parametrize("n, d_k, d_v", WORDS)
def test_kernel_smoother_with_the_exponential_of_products(n, d_k, d_v):
    (q, K, V), (query, keys, values) = arrays((d_k,), (n, d_k), (n, d_v))
    _, mixture = masking.kernel_smoother(q, K, V, lambda q, k: np.exp(q @ k / np.sqrt(d_k)))
    agree(mixture, scaled_dot_product_attention(query[None, None], keys[None], values[None])[0, 0])
