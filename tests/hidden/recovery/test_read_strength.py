"""Hidden tests of `read_strength`."""

import math

import pytest
import torch

from autograder.grading.suite import inputs_untouched, same


def slow_strength(W):
    """Row by row."""
    return [math.sqrt(math.fsum(entry * entry for entry in row)) for row in W.double().tolist()]


def some_map(rng, k, dtype=torch.float32):
    return torch.tensor(rng.uniform(-3, 3, (9, k))).to(dtype)


@pytest.mark.public
def test_two_rows(student):
    """A row [3 -4] has length 5, one of zeros 0."""
    W = torch.zeros(9, 2)
    W[0], W[4] = torch.tensor([3., -4]), torch.tensor([0., -2])
    same(student.read_strength(W), [5, 0, 0, 0, 2, 0, 0, 0, 0])


@pytest.mark.gate
def test_strong_and_weak(student, rng):
    """One number for each feature: large where its row is, small where that is."""
    for k in (3, 5):
        W = some_map(rng, k) + torch.tensor(rng.permutation([0., 0, 0, 0, 0, 0, 40, 70, -90]))[:, None]
        W = W.float()
        same(student.read_strength(W), slow_strength(W), atol=1, rtol=.1)


@pytest.mark.weight(3)
def test_lengths(student, rng):
    """The Euclidean length of every row, however many columns there are."""
    for k in (3, 2, 5, 9, 64):
        W = some_map(rng, k)
        same(student.read_strength(W), slow_strength(W))


def test_single_column(student, rng):
    """With one column, the length is the size of the number, whatever its sign."""
    W = some_map(rng, 1)
    same(student.read_strength(W), W.abs().flatten())


def test_rows_of_any_size(student, rng):
    """Small rows and large ones: twice the row is twice the length, and zeros stay zero."""
    W = some_map(rng, 3) * torch.tensor([0., 0, .02, .1, .5, 1, 10, 100, 1000])[:, None]
    for factor in (1, 2):
        same(student.read_strength(factor * W), slow_strength(factor * W), atol=1e-6)


def test_kinds_of_numbers(student, rng):
    """64-bit floats are as good, and so is a map that requires gradients."""
    W = some_map(rng, 3, torch.float64)
    same(student.read_strength(W), slow_strength(W))
    W = some_map(rng, 4)
    same(student.read_strength(W.clone().requires_grad_()), slow_strength(W))


def test_inputs_are_left_as_they_were(student, rng):
    """The map is the same after the call."""
    inputs_untouched(student.read_strength, some_map(rng, 3))


def test_second_call(student, rng):
    """Another map has strengths of its own."""
    one, other = some_map(rng, 3), some_map(rng, 5)
    for W in (one, other, one):
        same(student.read_strength(W), slow_strength(W))
