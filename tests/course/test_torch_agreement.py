"""The reference solutions agree with torch's own operators, which nobody here wrote."""

import numpy as np
import pytest
import torch

from solutions import mixing

SENTENCES = [(1, 4), (3, 4), (5, 3), (3, 7), (6, 1)]  # numbers of words and of coordinates


def agree(ours: np.ndarray, theirs: torch.Tensor) -> None:
    torch.testing.assert_close(torch.from_numpy(ours), theirs, rtol=1e-10, atol=1e-12)


def words(shape: tuple[int, ...]) -> tuple[np.ndarray, torch.Tensor]:
    """Random rows, and the same as a tensor of its own."""
    X = np.random.default_rng(shape).uniform(-3, 3, shape)
    return X, torch.tensor(X)


@pytest.mark.parametrize("shift", [0, 1000, -1000])
@pytest.mark.parametrize("shape", [(7,), (5, 4), (2, 3, 5), (2, 3, 2, 4), (3, 1)])
def test_softmax(shape, shift):
    z, tensor = words(shape)
    agree(mixing.softmax(z + shift), torch.softmax(tensor + shift, dim=-1))


def test_softmax_with_infinite_scores():
    z, tensor = words((3, 5))
    z[0, 0] = z[1, 2] = z[2, 4] = -np.inf
    hidden = torch.tensor(np.isinf(z))
    agree(mixing.softmax(z), torch.softmax(tensor.masked_fill(hidden, -torch.inf), dim=-1))


@pytest.mark.parametrize("shape", SENTENCES)
def test_match_scores(shape):
    X, tensor = words(shape)
    agree(mixing.match_scores(X), torch.nn.functional.linear(tensor, tensor) / shape[1] ** 0.5)


def test_mix():
    (A, shares), (V, sources) = words((5, 3)), words((3, 2))
    agree(mixing.mix(A, V), torch.mm(shares, sources))


@pytest.mark.parametrize("shape", SENTENCES)
def test_attend_is_scaled_dot_product_attention(shape):
    X, tensor = words(shape)
    batch = tensor[None]
    agree(mixing.attend(X)[1], torch.nn.functional.scaled_dot_product_attention(batch, batch, batch)[0])


@pytest.mark.parametrize("shape", SENTENCES)
def test_attend_is_a_single_head_with_identity_projections(shape):
    X, tensor = words(shape)
    d = shape[1]
    head = torch.nn.MultiheadAttention(d, num_heads=1, bias=False, dtype=torch.float64)
    with torch.no_grad():
        head.in_proj_weight.copy_(torch.eye(d).repeat(3, 1))
        head.out_proj.weight.copy_(torch.eye(d))
        mixtures, weights = head(tensor, tensor, tensor)
    A, H = mixing.attend(X)
    agree(A, weights)
    agree(H, mixtures)


def test_add_residual():
    (X, old), (H, update) = words((5, 3)), words((3, 5))  # another shape, other numbers
    agree(mixing.add_residual(X, H.T), torch.add(old, update.T))


@pytest.mark.parametrize("shape", SENTENCES)
def test_uniform_mixture(shape):
    X, tensor = words(shape)
    agree(mixing.uniform_mixture(X), tensor.mean(dim=0).repeat(shape[0], 1))


@pytest.mark.parametrize("factor", [5, 1, 0.1, 0, -2])
def test_sharpen(factor):
    scores, tensor = words((5, 4))
    agree(mixing.sharpen(scores, factor), torch.softmax(factor * tensor, dim=-1))
