"""Mutants that no test can kill: they are right answers, too. Each is compared with the original."""

from collections.abc import Callable
from typing import Any

import numpy as np

# function → random arguments, and what of a result must agree (a task may have many right answers)
Case = tuple[Callable[[np.random.Generator], tuple], Callable[..., Any]]


def _whole(result: Any, *_: Any) -> Any:
    return result


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


CASES: dict[str, Case] = {
    "matching.tower_query": (lambda rng: (), _most_read),
    "subspaces.unseen_change": (_unseen_change, _query_and_distance),
    "subspaces.coherence": (lambda rng: (rng.normal(size=(rng.integers(2, 6), 3)),), _whole),
    "heads.effect_of_change": (_effect_of_change, _whole),
    "heads.reachable": (lambda rng: (rng.random((5, 5)) < 0.3, int(rng.integers(4))), _whole),
    "heads.split_heads": (lambda rng: (rng.normal(size=(4, 6)), 2), _whole),
    "heads.concat_heads": (lambda rng: (rng.normal(size=(2, 4, 3)),), _whole),
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
}
