"""The reference of the lesson on matching agrees with torch's own operators, which nobody here wrote."""

import numpy as np
import pytest
import torch

from solutions import matching

SIZES = [(5, 4, 3, 2), (3, 6, 5, 4), (4, 2, 7, 3), (1, 3, 2, 2), (6, 1, 1, 1)]  # n, d, d_k, d_v


def agree(ours: np.ndarray, theirs: torch.Tensor) -> None:
    torch.testing.assert_close(torch.from_numpy(np.asarray(ours)), theirs, rtol=1e-10, atol=1e-12)


def head(n: int, d: int, d_k: int, d_v: int) -> tuple[list[np.ndarray], list[torch.Tensor]]:
    """X, Wq, Wk, Wv drawn at random, and the same as tensors of their own."""
    rng = np.random.default_rng([n, d, d_k, d_v])
    arrays = [rng.uniform(-2, 2, shape) for shape in ((n, d), (d, d_k), (d, d_k), (d, d_v))]
    return arrays, [torch.tensor(array) for array in arrays]


def projected(X: torch.Tensor, *matrices: torch.Tensor) -> list[torch.Tensor]:
    """What torch's linear layers make of the rows; their weights are the transposed matrices."""
    return [torch.nn.functional.linear(X, W.T) for W in matrices]


@pytest.mark.parametrize("sizes", SIZES)
def test_project(sizes):
    arrays, tensors = head(*sizes)
    for ours, theirs in zip(matching.project(*arrays), projected(*tensors), strict=True):
        agree(ours, theirs)


@pytest.mark.parametrize("sizes", SIZES)
def test_attention_is_scaled_dot_product_attention(sizes):
    arrays, tensors = head(*sizes)
    Q, K, V = (part[None] for part in projected(*tensors))
    agree(matching.attention(*arrays)[1], torch.nn.functional.scaled_dot_product_attention(Q, K, V)[0])


@pytest.mark.parametrize("d", [1, 3, 6])
def test_attention_is_a_single_head(d):
    arrays, (X, Wq, Wk, Wv) = head(5, d, d, d)
    torch_head = torch.nn.MultiheadAttention(d, num_heads=1, bias=False, dtype=torch.float64)
    with torch.no_grad():
        torch_head.in_proj_weight.copy_(torch.cat([Wq.T, Wk.T, Wv.T]))
        torch_head.out_proj.weight.copy_(torch.eye(d))
        mixtures, weights = torch_head(X, X, X)
    A, H = matching.attention(*arrays)
    agree(A, weights)
    agree(H, mixtures)


@pytest.mark.parametrize("sizes", SIZES)
def test_attend_from_is_attention_with_one_query(sizes):
    _, tensors = head(*sizes)
    Q, K, V = projected(*tensors)
    weights, mixture = matching.attend_from(Q[0].numpy(), K.numpy(), V.numpy())
    agree(weights, torch.softmax(torch.mv(K, Q[0]) / K.shape[1] ** 0.5, dim=0))
    agree(mixture, torch.nn.functional.scaled_dot_product_attention(Q[None, :1], K[None], V[None])[0, 0])


@pytest.mark.parametrize("sizes", SIZES)
def test_bank_match_is_the_last_row(sizes):
    (X, Wq, Wk, _), tensors = head(*sizes)
    Q, K, _ = projected(*tensors)
    query, keys, scores, weights = matching.bank_match(X, Wq, Wk)
    agree(query, Q[-1])
    agree(keys, K)
    agree(scores, torch.mv(K, Q[-1]) / K.shape[1] ** 0.5)
    # Values that are unit vectors bring out the weights themselves.
    sources = torch.eye(len(X), dtype=torch.float64)[None]
    agree(weights, torch.nn.functional.scaled_dot_product_attention(Q[None, -1:], K[None], sources)[0, 0])


def test_direction_query_is_an_outer_product():
    direction = np.random.default_rng(0).uniform(-2, 2, 3)
    third = torch.eye(4, dtype=torch.float64)[2]
    agree(matching.direction_query(direction, 2.5), torch.outer(third, 2.5 * torch.tensor(direction)))
