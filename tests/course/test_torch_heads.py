"""The heads lesson's reference agrees with torch's own multi-head attention, which nobody here wrote."""

import numpy as np
import pytest
import torch

from solutions import heads

# n, d, d_k, d_v, h
SIZES = [(5, 6, 3, 5, 2), (4, 7, 2, 3, 3), (1, 6, 3, 5, 2), (6, 3, 1, 1, 4), (5, 6, 4, 4, 1)]
STANDARD = [(5, 6, 2), (4, 12, 3), (7, 8, 4), (1, 6, 3), (5, 6, 1)]  # n, d, h with d_k = d_v = d/h


def agree(ours: np.ndarray, theirs: torch.Tensor) -> None:
    torch.testing.assert_close(torch.from_numpy(np.asarray(ours)), theirs, rtol=1e-10, atol=1e-12)


def drawn(n: int, d: int, d_k: int, d_v: int, h: int) -> list[np.ndarray]:
    """X, Wq, Wk, Wv, Wo."""
    rng = np.random.default_rng([n, d, d_k, d_v, h])
    shapes = (h, d, d_k), (h, d, d_k), (h, d, d_v), (h * d_v, d)
    return [rng.uniform(-2, 2, (n, d)), *(rng.uniform(-1, 1, shape) for shape in shapes)]


def attended(X, Wq, Wk, Wv, Wo, causal: bool = False) -> torch.Tensor:
    """The update by scaled_dot_product_attention, heads as its batch, joined by torch."""
    X, Wq, Wk, Wv, Wo = map(torch.as_tensor, (X, Wq, Wk, Wv, Wo))
    H = torch.nn.functional.scaled_dot_product_attention(X @ Wq, X @ Wk, X @ Wv, is_causal=causal)
    return torch.cat(list(H), dim=1) @ Wo


def module(X, Wq, Wk, Wv, Wo) -> torch.nn.MultiheadAttention:
    """torch's module with these parameters: its Linear weights are the transposes."""
    d, h = X.shape[1], len(Wq)
    attention = torch.nn.MultiheadAttention(d, h, bias=False, dtype=torch.float64)
    packed = [heads.pack_projections(W).T for W in (Wq, Wk, Wv)]
    with torch.no_grad():
        attention.in_proj_weight.copy_(torch.tensor(np.vstack(packed)))
        attention.out_proj.weight.copy_(torch.tensor(Wo.T))
    return attention


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("sizes", SIZES)
def test_update_is_scaled_dot_product_attention(sizes, causal):
    inputs = drawn(*sizes)
    agree(heads.multi_head(*inputs, causal)[1], attended(*inputs, causal))


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("n, d, h", STANDARD)
def test_multi_head_is_torchs_module(n, d, h, causal):
    inputs = drawn(n, d, d // h, d // h, h)
    X = torch.tensor(inputs[0])
    hidden = torch.ones(n, n, dtype=torch.bool).triu(1) if causal else None
    update, weights = module(*inputs)(X, X, X, attn_mask=hidden, average_attn_weights=False)
    A, ours = heads.multi_head(*inputs, causal)
    agree(A, weights)
    agree(ours, update)
    agree(heads.attention_sublayer(*inputs, causal), X + update)


@pytest.mark.parametrize("n, d, h", STANDARD)
def test_without_head_is_torchs_module_with_rows_of_its_output_zeroed(n, d, h):
    X, *params = drawn(n, d, d // h, d // h, h)
    tensor = torch.tensor(X)
    for head in range(h):
        attention = module(X, *params)
        with torch.no_grad():
            attention.out_proj.weight[:, head * (d // h):(head + 1) * (d // h)] = 0
        update, _ = attention(tensor, tensor, tensor)
        agree(heads.without_head(X, *params, head), update)


@pytest.mark.parametrize("d, h", [(6, 2), (12, 3), (8, 4), (5, 1)])
def test_count_parameters_is_the_modules(d, h):
    attention = torch.nn.MultiheadAttention(d, h, bias=False)
    counted = sum(parameter.numel() for parameter in attention.parameters())
    assert heads.count_parameters(d, d // h, d // h, h) == counted


@pytest.mark.parametrize("h", [1, 2, 3])
def test_split_and_concat_are_views_and_permutations(h):
    P = np.random.default_rng(h).uniform(-3, 3, (5, 6))
    cut = torch.tensor(P).view(5, h, 6 // h).permute(1, 0, 2)
    agree(heads.split_heads(P, h), cut)
    agree(heads.concat_heads(cut.numpy()), torch.tensor(P))


@pytest.mark.parametrize("residual", [False, True])
@pytest.mark.parametrize("source, receiver", [(1, 1), (1, 3), (4, 0)])
def test_small_effects_are_what_autograd_says(source, receiver, residual):
    X, *params = drawn(5, 6, 3, 5, 2)
    delta = 1e-6 * np.random.default_rng(1).uniform(-1, 1, 6)

    def output(rows: torch.Tensor) -> torch.Tensor:
        return attended(rows, *params) + residual * rows

    jacobian = torch.autograd.functional.jacobian(output, torch.tensor(X))[receiver, :, source]
    expected = torch.linalg.vector_norm(jacobian @ torch.tensor(delta))
    got = heads.effect_of_change(X, source, receiver, delta, params, residual)
    torch.testing.assert_close(torch.tensor(got, dtype=torch.float64), expected, rtol=1e-4, atol=0)
