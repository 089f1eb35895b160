"""What several suites of this lesson share: the public modules, and models of stored numbers with what they
compute written out once more."""

from pathlib import Path

import numpy as np
import pytest
import torch

from autograder.compare import to_array
from autograder.grading.misconceptions import load

GIVEN = load(Path(__file__).with_name("given.py"))


class Numbers:
    """A model of stored patterns as plain arrays: layers × heads heads, each hands over w numbers."""

    def __init__(self, rng, layers, heads, w, vocab=6, length=9):
        d = heads * w
        causal = np.tril(rng.uniform(.1, 1, (layers, heads, length, length)))
        self.heads = heads
        self.embed, self.place = (rng.normal(0, 1, (size, d)) for size in (vocab, length))
        self.layers = [
            (A / A.sum(axis=-1, keepdims=True), rng.normal(0, 1, (heads, d, w)), rng.normal(0, .6, (d, d)))
            for A in causal
        ]
        self.out = rng.normal(0, 1, (vocab, d)) / np.sqrt(d)

    def made(self, student):
        """The model in the sandbox."""
        layers = [tuple(map(_tensor, parts)) for parts in self.layers]
        return student.given("stored_model", self.heads, *map(_tensor, (self.embed, self.place)), layers,
                             _tensor(self.out))

    def logits(self, tokens, *silent):
        """The logits without these heads, each given as (layer, head)."""
        tokens = np.asarray(tokens)
        T = tokens.shape[1]
        x = self.embed[tokens] + self.place[:T]
        for number, (patterns, values, o) in enumerate(self.layers):
            parts = [A[:T, :T] @ x @ V * ((number, i) not in silent)
                     for i, (A, V) in enumerate(zip(patterns, values))]
            x = x + np.concatenate(parts, axis=-1) @ o.T
        return x @ self.out.T


def _tensor(array):
    return torch.tensor(array, dtype=torch.float32)


@pytest.fixture
def numbers(rng):
    """numbers(layers, heads, w) is a model of stored patterns, drawn anew."""
    return lambda *sizes, **more: Numbers(rng, *sizes, **more)


@pytest.fixture
def given():
    """The public modules, to compute with on our side."""
    return GIVEN


@pytest.fixture
def slow_loss():
    """The loss on repeats, one place after the other."""

    def loss(logits, tokens, periods):
        found = []
        for rows, text, period in zip(*(to_array(each).tolist() for each in (logits, tokens, periods))):
            for t in range(period, len(text) - 1):
                top = max(rows[t])
                total = sum(np.exp(logit - top) for logit in rows[t])
                found.append(top + np.log(total) - rows[t][text[t + 1]])
        return float(np.mean(found))

    return loss
