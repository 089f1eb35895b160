"""The reference on subspaces agrees with torch's own linear algebra, which nobody here wrote."""

import numpy as np
import pytest
import torch

from solutions import subspaces

MAPS = [(5, 3, 3), (6, 4, 2), (4, 4, 4), (5, 5, 3), (3, 6, 2), (4, 2, 0), (1, 1, 1)]  # d, d_k, rank
every_map = pytest.mark.parametrize("shape", MAPS)


def agree(ours: np.ndarray, theirs: torch.Tensor) -> None:
    torch.testing.assert_close(torch.from_numpy(np.asarray(ours)), theirs, rtol=1e-9, atol=1e-9)


def numbers(*shape: int) -> tuple[np.ndarray, torch.Tensor]:
    """Random numbers, and the same as a tensor of its own."""
    X = np.random.default_rng(shape).uniform(-3, 3, shape)
    return X, torch.tensor(X)


def some_map(d: int, d_k: int, rank: int) -> tuple[np.ndarray, torch.Tensor]:
    """A map of that rank, and the same as a tensor."""
    W = numbers(d, rank)[0] @ numbers(rank, d_k)[0]
    return W, torch.tensor(W)


def read_projection(W: torch.Tensor) -> torch.Tensor:
    return W @ torch.linalg.pinv(W, rtol=1e-10)


@every_map
def test_null_space(shape):
    W, tensor = some_map(*shape)
    N = subspaces.null_space(W)
    agree(N @ N.T, torch.eye(len(W), dtype=torch.float64) - read_projection(tensor))
    agree(N.T @ N, torch.eye(shape[0] - shape[2], dtype=torch.float64))


@every_map
def test_split_by_map(shape):
    (W, tensor), (x, rows) = some_map(*shape), numbers(7, shape[0])
    read, ignored = subspaces.split_by_map(x, W)
    agree(read, rows @ read_projection(tensor))
    agree(read + ignored, rows)


@every_map
def test_count_directions(shape):
    W, tensor = some_map(*shape)
    read = int(torch.linalg.matrix_rank(tensor, rtol=1e-10))
    assert subspaces.count_directions(W) == (read, shape[0] - read)


def test_unseen_change():
    (W, tensor), (x, row) = some_map(6, 4, 2), numbers(6)
    moved = subspaces.unseen_change(x, W, 2.5, np.random.default_rng(0))
    agree(moved @ W, row @ tensor)
    agree(np.linalg.norm(moved - x), torch.tensor(2.5, dtype=torch.float64))


def test_compatibility_form():
    (Wq, queries), (Wk, keys) = numbers(5, 3), numbers(5, 3, 1)
    (x, readers), (y, sources) = numbers(4, 5), numbers(4, 5, 1)
    M = subspaces.compatibility_form(Wq, Wk[..., 0])
    q = torch.nn.functional.linear(readers, queries.T)
    k = torch.nn.functional.linear(sources[..., 0], keys[..., 0].T)
    agree(np.sum(x @ M * y[..., 0], axis=1), torch.linalg.vecdot(q, k))


def test_refactor():
    (Wq, queries), (Wk, keys), (R, turn) = numbers(5, 3), numbers(3, 5), numbers(3, 3)
    new_q, new_k = subspaces.refactor(Wq, Wk.T, R)
    agree(new_q, torch.mm(queries, turn))
    agree(new_k, torch.linalg.solve(turn, keys).T)


def test_dot_product_variance():
    raw, scaled = subspaces.dot_product_variance(7, 500, np.random.default_rng(3))
    q, k = torch.tensor(np.random.default_rng(3).standard_normal((2, 500, 7)))
    dots = torch.linalg.vecdot(q, k)
    agree(raw, dots.var(correction=0))
    agree(scaled, (dots / 7**0.5).var(correction=0))


@pytest.mark.parametrize("shape", [(2, 3), (4, 6), (9, 4), (3, 1)])
def test_coherence(shape):
    F, rows = numbers(*shape)
    cosines = torch.nn.functional.cosine_similarity(rows[:, None], rows[None], dim=-1).abs()
    agree(subspaces.coherence(F), cosines.fill_diagonal_(0).max())
