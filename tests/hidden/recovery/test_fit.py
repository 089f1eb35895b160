"""Hidden tests of `fit`."""

import numpy as np
import pytest
import torch

from autograder.compare import to_array
from autograder.grading.suite import Mismatch, inputs_untouched, pair, same

pytestmark = pytest.mark.open_ended

NONE = [0., 0, 0]
PAGE = (torch.tensor([NONE, NONE, [0, 0, 2], [2, 0, 0], [0, 2, 0], [0, 1, 1], NONE, NONE, NONE]),
        torch.tensor([[2, 0, 0], [0, 2, 0], [0, 0, 2], NONE, NONE, NONE, NONE, [1, 0, -1], NONE]))
QUERY_ROWS = [[2., 0, 0], [0, 2, 0], [0, 0, 2], [-1, 1, 1], [1, 0, -1], [0, -2, 0]]
VALUE_ROWS = [[2., 0, 0], [0, 2, 0], [0, 0, 2], [1, 0, -1], [0, -1.5, 1]]


def some_truth(rng):
    """True maps: four features are read by either, one of them by both."""
    order, (Wq, Wv) = rng.permutation(9), np.zeros((2, 9, 3))
    Wq[order[:4]] = rng.permutation(QUERY_ROWS)[:4]
    Wv[order[3:7]] = rng.permutation(VALUE_ROWS)[:4]
    return torch.tensor(Wq).float(), torch.tensor(Wv).float()


def result_of(x, sources, Wq, Wv):
    """What the head makes of readers and sources."""
    weights = torch.softmax(x @ Wq / 3 ** .5, dim=1)
    return torch.einsum("nm,nmf,fv->nv", weights, sources, Wv)


def some_data(rng, samples, truth):
    """Sparse features in readers and sources, and the results of the true maps."""
    words = [rng.uniform(0, 2, shape) * (rng.random(shape) < .3) for shape in ((samples, 9), (samples, 3, 9))]
    x, sources = (torch.tensor(each).float() for each in words)
    return x, sources, result_of(x, sources, *truth)


def two_maps(result):
    """The pair of maps; Mismatch unless both hold finite numbers, in shape (9, 3)."""
    maps = pair(result, "(Wq, Wv)")
    for W in maps:
        same(W, np.zeros((9, 3)), atol=1e6)  # any such numbers
    return [torch.tensor(to_array(W)).float() for W in maps]


def error(maps, data):
    """The mean of the squared differences on these samples."""
    x, sources, target = data
    return float((result_of(x, sources, *maps) - target).pow(2).mean())


def demand(condition, reason):
    if not condition:
        raise Mismatch(reason)


def furthest(one, other):
    return float((one - other).abs().max())


def test_start(student, rng):
    """After 0 steps the maps are at a start that the seed alone decides, and that knows nothing."""
    data, seed = some_data(rng, 20, some_truth(rng)), int(rng.integers(1000))
    one, again, other = (two_maps(student.fit(data, 0, each)) for each in (seed, seed, seed + 1))
    for start, same_start, another in zip(one, again, other):
        same(same_start, start)
        demand(furthest(another, start) > .01, "Another seed must start elsewhere, with both maps.")
    demand(error(one, data) > 1e-2, "After 0 steps the maps must be as they started.")


def test_first_steps(student, rng):
    """Each step moves both maps, and a seed gives the same maps again after some steps, too."""
    data, seed = some_data(rng, 64, some_truth(rng)), int(rng.integers(1000))
    maps = [two_maps(student.fit(data, steps, seed)) for steps in (0, 1, 2, 5, 5)]
    for which, name in ((0, "Wq"), (1, "Wv")):
        for before, after in zip(maps, maps[1:4]):
            demand(furthest(before[which], after[which]) > 1e-6, f"A step has left {name} where it was.")
        same(maps[4][which], maps[3][which])


def test_inputs_are_left_as_they_were(student, rng):
    """The samples are the same after the call."""
    inputs_untouched(student.fit, some_data(rng, 30, some_truth(rng)), 3, 0)


@pytest.mark.public
@pytest.mark.gate
def test_learns(student, rng):
    """After 200 steps, samples of the page's maps are explained better than by the mean of their targets."""
    data = some_data(rng, 256, PAGE)
    maps = two_maps(student.fit(data, 200, int(rng.integers(1000))))
    worth = float(data[2].var(dim=0, correction=0).mean())
    demand(error(maps, data) < .6 * worth, "After 200 steps, the loss is still as large as without a head.")


@pytest.mark.weight(3)
def test_new_samples(student, rng):
    """Whatever the true maps, the loss on new samples is below 1e-3."""
    truth = some_truth(rng)
    maps = two_maps(student.fit(some_data(rng, 256, truth), 200, int(rng.integers(1000))))
    demand(error(maps, some_data(rng, 1000, truth)) < 1e-3, "The loss on new samples is not below 1e-3.")


@pytest.mark.weight(2)
def test_value_map(student, rng):
    """The value map is recovered in every entry."""
    truth = some_truth(rng)
    _, Wv = two_maps(student.fit(some_data(rng, 256, truth), 200, int(rng.integers(1000))))
    same(Wv, truth[1], atol=.1, rtol=0)


@pytest.mark.weight(2)
def test_query_map(student, rng):
    """The query map is recovered but for what it adds to all scores alike."""
    truth = some_truth(rng)
    Wq, _ = two_maps(student.fit(some_data(rng, 256, truth), 200, int(rng.integers(1000))))
    found, true = (W - W.mean(dim=1, keepdim=True) for W in (Wq, truth[0]))
    same(found, true, atol=.1, rtol=0)
