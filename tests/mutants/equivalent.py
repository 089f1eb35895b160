"""Mutants that no test can kill: they are right answers, too. Each is compared with the original."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn


class Case(NamedTuple):
    """How a mutant of a function is compared: random arguments, what of a result must agree (a task may have
    many right answers), on how many inputs, and how many of these may come out otherwise."""

    draw: Callable[[np.random.Generator], tuple]
    essence: Callable[..., Any] = lambda result, *_: result
    inputs: int = 1000
    strays: int = 0


def _most_read(Wq: np.ndarray) -> tuple[int, bool]:
    """Which word tower reads most, and whether strictly: all that is asked of its query matrix."""
    words = np.array([[0, 0], [0, 1], [1, 0]])
    scores = words[2] @ Wq @ words.T
    return int(scores.argmax()), bool(np.sort(scores)[-1] > np.sort(scores)[-2])


def _query_and_distance(moved: np.ndarray, x: np.ndarray, W: np.ndarray, *_: Any) -> tuple:
    return moved @ W, np.linalg.norm(moved - x)


def _unseen_change(rng: np.random.Generator) -> tuple:
    return rng.normal(size=5), rng.normal(size=(5, 3)), rng.uniform(1, 4), np.random.default_rng(1)


def _effect_of_change(rng: np.random.Generator) -> tuple:
    params = tuple(rng.normal(size=shape) for shape in ((2, 6, 3), (2, 6, 3), (2, 6, 5), (10, 6)))
    return rng.normal(size=(4, 6)), 1, int(rng.integers(4)), rng.normal(size=6), params, bool(rng.integers(2))


def _filled(module: nn.Module, rng: np.random.Generator) -> nn.Module:
    """The module with random numbers in all parameters."""
    for parameter in module.parameters():
        parameter.data = torch.tensor(rng.normal(size=parameter.shape)).float()
    return module


def _sgd_step(rng: np.random.Generator) -> tuple:
    """A model for three words; it may bring gradients along."""
    model = _filled(nn.Sequential(nn.Embedding(4, 2), nn.Flatten(0), nn.Linear(6, 2)), rng)
    for parameter in model.parameters():
        parameter.grad = torch.ones_like(parameter) if rng.integers(2) else None
    return model, torch.tensor(rng.integers(0, 4, 3)), int(rng.integers(2)), rng.uniform(0.1, 1)


def _gradients_and_model(result: tuple, model: nn.Module, *_: Any) -> tuple:
    loss, gradients = result
    return loss, *gradients.values(), *(parameter.detach() for parameter in model.parameters())


class _Heads(nn.Module):
    """A model of one layer with two heads, whose mixtures are its input."""

    def __init__(self):
        super().__init__()
        self.heads, self.layers = 2, nn.ModuleList([nn.Module()])
        self.layers[0].o = nn.Linear(6, 5, bias=False)


def _ablated_outcome(context: AbstractContextManager, model: nn.Module, *_: Any) -> tuple:
    mixtures = torch.linspace(-1, 1, 6).repeat(2, 3, 1)
    with context:
        inside = model.layers[0].o(mixtures)
    return inside.detach(), model.layers[0].o(mixtures).detach()


def _patterns_and_periods(rng: np.random.Generator) -> tuple:
    return torch.tensor(rng.dirichlet(np.ones(9), (3, 2, 9))), torch.tensor([*rng.integers(1, 12, 2), 4])


def _recovery(rng: np.random.Generator) -> tuple:
    """Samples of true maps that read a few features, in whole numbers; 200 steps; a seed."""
    x, sources = (
        torch.tensor(rng.uniform(0, 2, shape) * (rng.random(shape) < 0.3)).float()
        for shape in ((256, 9), (256, 3, 9))
    )
    Wq, Wv = (torch.tensor(rng.integers(-2, 3, (9, 3)) * (rng.random((9, 1)) < 0.4)).float() for _ in "qv")
    return (x, sources, _mixtures(x, sources, Wq, Wv)), 200, int(rng.integers(1000))


def _mixtures(x: torch.Tensor, sources: torch.Tensor, Wq: torch.Tensor, Wv: torch.Tensor) -> torch.Tensor:
    return torch.einsum("nm,nmf,fv->nv", torch.softmax(x @ Wq / 3**0.5, dim=1), sources, Wv)


def _recovered(maps: tuple, data: tuple, *_: Any) -> tuple:
    """The true maps as far as they can be known, whether they are found to a tenth, and with a small loss."""
    (x, sources, target), (Wq, Wv) = data, maps
    centred = Wq - Wq.mean(dim=1, keepdim=True)  # in whole thirds
    loss = (_mixtures(x, sources, Wq, Wv) - target).pow(2).mean()
    off = max((Wv - Wv.round()).abs().max(), (centred - (3 * centred).round() / 3).abs().max())
    return Wv.round(), (3 * centred).round(), bool(off < 0.1), bool(loss < 1e-3)


def _heads_of_a_model(rng: np.random.Generator) -> tuple:
    shapes = (5, 7), (3, 7, 2), (3, 7, 2), (3, 7, 4), (12, 6)
    return tuple(rng.normal(size=shape) for shape in shapes)


CASES: dict[str, Case] = {
    "matching.tower_query": Case(lambda rng: (), _most_read),
    "subspaces.unseen_change": Case(_unseen_change, _query_and_distance),
    "subspaces.coherence": Case(lambda rng: (rng.normal(size=(rng.integers(2, 6), 3)),)),
    "heads.effect_of_change": Case(_effect_of_change),
    "heads.reachable": Case(lambda rng: (rng.random((5, 5)) < 0.3, int(rng.integers(4)))),
    "heads.split_heads": Case(lambda rng: (rng.normal(size=(4, 6)), 2)),
    "heads.concat_heads": Case(lambda rng: (rng.normal(size=(2, 4, 3)),)),
    "training.sgd_step": Case(_sgd_step, _gradients_and_model),
    "induction.induction_score": Case(_patterns_and_periods),
    "induction.ablated": Case(
        lambda rng: (_filled(_Heads(), rng), 0, int(rng.integers(2))), _ablated_outcome
    ),
    "recovery.fit": Case(_recovery, _recovered, inputs=20, strays=5),
    "decoding.longest_path": Case(
        lambda rng: (str(rng.choice(["recurrent", "attention"])), int(rng.integers(2, 99)))
    ),
    "real_heads.multi_head": Case(_heads_of_a_model),
}

# The changed line of each, where it is still a right answer, as the report of a survivor tells it.
LINES = {
    "matching.tower_query": [
        "return np.array([[ -1.0, 1.0], [1.0, 0.0]])",
        "return np.array([[0.0, 1.0], [ 2.0, 0.0]])",
        "return np.array([[0.0, 2.0], [1.0, 0.0]])",
        "return np.array([[0.0, 1.0], [ 0.0, 0.0]])",
        "return np.array([[0.0, 1.0], [1.0, -1.0]])",
        "return np.array([[0.0, 1.0], [1.0, 1.0]])",
    ],
    "subspaces.unseen_change": [
        "return np.asarray(x, dtype=float) - size * change / np.linalg.norm(change)",
        "if basis.shape[1] <= 0:",
    ],
    "subspaces.coherence": ["np.fill_diagonal(overlaps, -1)"],
    "heads.effect_of_change": [
        "before, after = (rows ** residual + multi_head(rows, *params)[1] for rows in (X, moved))"
    ],
    "heads.reachable": ["step, reached = np.asarray(allowed, dtype=bool) + own, own"],
    "heads.split_heads": [
        "return P.reshape(len(P), h, ~1).swapaxes(0, 1)",
        "return P.reshape(len(P), h, - 2).swapaxes(0, 1)",
    ],
    "heads.concat_heads": [
        "return H.swapaxes(0, 1).reshape(H.shape[1], ~1)",
        "return H.swapaxes(0, 1).reshape(H.shape[1], - 2)",
    ],
    "training.sgd_step": ["model.zero_grad(set_to_none=False)"],  # backward adds to zeros, or to nothing
    "induction.induction_score": [  # a remainder is never negative
        "after = (back % periods[:, None, None] <= 0).tril() # (B, T, T)"
    ],
    "induction.ablated": ["mixtures = inputs[ -1].clone()"],  # a Linear has one input
    "recovery.fit": [  # any start and rate will do that lead there; this rate does not always
        "Wq, Wv = (torch.randn(9, 3, generator=generator).div( 3).requires_grad_() for _ in range(2))",
        "Wq, Wv = (torch.randn(9, 3, generator=generator).div( 1).requires_grad_() for _ in range(2))",
        "descent = torch.optim.Adam([Wq, Wv], lr= 1.1)",
    ],
    "decoding.longest_path": [  # of the two kinds, "attention" comes before in the alphabet
        'return n - 1 if kind >= "recurrent" else 1'
    ],
    "real_heads.multi_head": [  # nothing asks for causal
        "def multi_head(X, Wq, Wk, Wv, Wo, causal=True):"
    ],
}
