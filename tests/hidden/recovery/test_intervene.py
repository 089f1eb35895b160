"""Hidden tests of `intervene`."""

import itertools

import numpy as np
import pytest
import torch

from autograder.grading.suite import inputs_untouched, same


def slow_moved(x, feature, size):
    """Entry by entry: the last index tells the feature."""
    moved = np.zeros(x.shape)
    for place in itertools.product(*map(range, x.shape)):
        moved[place] = x[place].item() + (size if place[-1] == feature else 0)
    return moved


def some_inputs(rng, *shape):
    return torch.tensor(rng.uniform(-1, 2, shape)).float()


@pytest.mark.public
def test_one_reader(student):
    """On the page one entry of a reader moves, counted from 0."""
    same(student.intervene(torch.arange(9.), 4, -1.5), [0, 1, 2, 3, 2.5, 5, 6, 7, 8])


@pytest.mark.gate
def test_large_move(student, rng):
    """A large move is seen where it was made, and nowhere else."""
    for feature in rng.permutation(9)[:3].tolist():
        x, size = some_inputs(rng, 9), float(rng.uniform(50, 90))
        same(student.intervene(x, feature, size), slow_moved(x, feature, size), atol=.9, rtol=0)


@pytest.mark.weight(2)
def test_every_feature(student, rng):
    """Each of the nine features can be moved, by any amount."""
    for feature in range(9):
        x, size = some_inputs(rng, 9), float(rng.uniform(-3, 3))
        same(student.intervene(x, feature, size), slow_moved(x, feature, size))


@pytest.mark.weight(2)
def test_many_readers(student, rng):
    """All readers are moved, along the same feature; also where there are as many as features."""
    for n in (5, 1, 9, 12):
        x, feature = some_inputs(rng, n, 9), int(rng.integers(9))
        same(student.intervene(x, feature, .75), slow_moved(x, feature, .75))


@pytest.mark.weight(2)
def test_sources(student, rng):
    """With more axes in front, as in sources, the features are still along the last one."""
    for shape in ((4, 3, 9), (9, 9, 9), (2, 1, 3, 9)):
        x, feature = some_inputs(rng, *shape), int(rng.integers(9))
        same(student.intervene(x, feature, -1.25), slow_moved(x, feature, -1.25))


def test_zeros(student, rng):
    """A feature that is absent is moved like any other, also below zero."""
    x, feature = torch.zeros(3, 9), int(rng.integers(9))
    for size in (1.5, -1.5):
        same(student.intervene(x, feature, size), slow_moved(x, feature, size))


def test_no_move(student, rng):
    """A move by 0 changes nothing."""
    x = some_inputs(rng, 4, 9)
    same(student.intervene(x, int(rng.integers(9)), 0), x)


def test_whole_sizes(student, rng):
    """The size may be a whole number."""
    x, feature = some_inputs(rng, 4, 9), int(rng.integers(9))
    same(student.intervene(x, feature, -2), slow_moved(x, feature, -2))


def test_inputs_are_left_as_they_were(student, rng):
    """The inputs are the same after the call."""
    inputs_untouched(student.intervene, some_inputs(rng, 4, 9), int(rng.integers(9)), 1.)
    inputs_untouched(student.intervene, some_inputs(rng, 9), int(rng.integers(9)), 1.)


def test_second_call(student, rng):
    """Moves do not add up from one call to the next."""
    x, other = some_inputs(rng, 9), some_inputs(rng, 2, 9)
    for inputs, feature, size in ((x, 3, 1.), (x, 5, 2.), (other, 5, 1.), (x, 3, 1.)):
        same(student.intervene(inputs, feature, size), slow_moved(inputs, feature, size))
