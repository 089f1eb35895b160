"""Hidden tests of `previous_token_score`."""

import numpy as np
import pytest
import torch

from autograder.grading.suite import inputs_untouched, same


def drawn(rng, B, h, T):
    """Causal patterns."""
    raw = np.tril(rng.uniform(.05, 1, (B, h, T, T)) ** 3)
    return torch.tensor(raw / raw.sum(axis=-1, keepdims=True), dtype=torch.float32)


def slow_score(A):
    """One share after the other."""
    B, h, T, _ = A.shape
    return [np.mean([A[b, i, t, t - 1].item() for b in range(B) for t in range(1, T)]) for i in range(h)]


@pytest.mark.public
def test_all_or_nothing(student):
    """A head that reads the token before has score 1, one that reads itself 0."""
    before = torch.eye(5).roll(-1, 1).tril()
    before[0, 0] = 1
    same(student.previous_token_score(torch.stack([before, torch.eye(5)])[None]), [1, 0])


@pytest.mark.gate
def test_the_head_that_does_it(student, rng):
    """Of three heads, one reads the token before."""
    for which in rng.permutation(3)[:2]:
        A = torch.eye(8).repeat(2, 3, 1, 1)
        A[:, which, 1:] = torch.eye(8)[:-1]
        same(student.previous_token_score(A), np.arange(3) == which, atol=.35)


@pytest.mark.weight(3)
def test_patterns(student, rng):
    """The mean share of the token before, head by head."""
    for sizes in ((1, 1, 4), (3, 2, 6), (2, 5, 3), (4, 4, 9)):
        A = drawn(rng, *sizes)
        same(student.previous_token_score(A), slow_score(A))


@pytest.mark.weight(2)
def test_first_place(student, rng):
    """The first place has none before it and does not count: of two tokens only the second row decides."""
    A = drawn(rng, 5, 3, 2)
    same(student.previous_token_score(A), A[:, :, 1, 0].mean(0))


def test_all_texts(student, rng):
    """Every text of the batch counts the same."""
    A = drawn(rng, 4, 3, 5)
    A[2:] = torch.eye(5)
    same(student.previous_token_score(A), slow_score(A))


def test_double_precision(student, rng):
    """Patterns of 64-bit floats are fine, too."""
    A = drawn(rng, 2, 3, 5).double()
    same(student.previous_token_score(A), slow_score(A))


def test_inputs_are_left_as_they_were(student, rng):
    """The patterns are the same after the call."""
    inputs_untouched(student.previous_token_score, drawn(rng, 2, 3, 5))
