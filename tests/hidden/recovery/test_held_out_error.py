"""Hidden tests of `held_out_error`."""

import math

import pytest
import torch

from autograder.grading.suite import inputs_untouched, same


def slow_error(Wq, Wv, data):
    """Sample by sample, source by source, number by number."""
    x, sources, target = (part.detach().double().numpy() for part in data)
    Wq, Wv = Wq.detach().double().numpy(), Wv.detach().double().numpy()
    squares = []
    for reader, its_sources, wanted in zip(x, sources, target):
        raw = [math.exp(score / math.sqrt(3)) for score in reader @ Wq]
        result = sum(share / math.fsum(raw) * (source @ Wv) for share, source in zip(raw, its_sources))
        squares += [(got - want) ** 2 for got, want in zip(result, wanted)]
    return math.fsum(squares) / len(squares)


def tensor(rng, *shape, size=1.5):
    return torch.tensor(rng.uniform(-size, size, shape)).float()


def some_maps(rng):
    return tensor(rng, 9, 3), tensor(rng, 9, 3)


def some_data(rng, n):
    """Samples whose targets lie anywhere, a different scale in each of the three coordinates."""
    return tensor(rng, n, 9), tensor(rng, n, 3, 9), tensor(rng, n, 3) * torch.tensor([1., 2, 4])


@pytest.mark.public
def test_by_hand(student):
    """Where all sources are read alike, the result is the mean of their values."""
    Wq, Wv, sources = torch.zeros(9, 3), torch.eye(9)[:, :3], torch.zeros(1, 3, 9)
    sources[0, 1, 0] = 3
    data = torch.ones(1, 9), sources, torch.tensor([[0., 0, 4]])
    same(student.held_out_error(Wq, Wv, data), 17 / 3)


@pytest.mark.gate
def test_grows_with_the_distance(student, rng):
    """The error is about the square of the distance between results and targets."""
    Wq, Wv = some_maps(rng)
    for far in (10., 30.):
        x, sources, _ = some_data(rng, 6)
        target = torch.full((6, 3), far)
        expected = slow_error(Wq, .1 * Wv, (x, sources, target))
        same(student.held_out_error(Wq, .1 * Wv, (x, sources, target)), expected, rtol=.5)


@pytest.mark.weight(3)
def test_error(student, rng):
    """The mean of the squared differences, over samples and coordinates."""
    for n in (2, 7, 40):
        maps, data = some_maps(rng), some_data(rng, n)
        same(student.held_out_error(*maps, data), slow_error(*maps, data))


def test_single_sample(student, rng):
    """One sample is enough."""
    maps, data = some_maps(rng), some_data(rng, 1)
    same(student.held_out_error(*maps, data), slow_error(*maps, data))


def test_maps_that_made_the_targets(student, rng):
    """Maps that make the targets have no error, and other maps that make the same none either."""
    Wq, Wv = some_maps(rng)
    x, sources, _ = some_data(rng, 20)
    weights = torch.softmax(x @ Wq / 3 ** .5, dim=1)
    data = x, sources, torch.einsum("nm,nmf,fv->nv", weights, sources, Wv)
    for same_weights in (Wq, Wq + tensor(rng, 9, 1)):
        same(student.held_out_error(same_weights, Wv, data), 0)


def test_small_errors(student, rng):
    """A small error is told as precisely as a large one."""
    Wq, Wv = some_maps(rng)
    x, sources, _ = some_data(rng, 20)
    weights = torch.softmax(x @ Wq / 3 ** .5, dim=1)
    result = torch.einsum("nm,nmf,fv->nv", weights, sources, Wv)
    data = x, sources, result + .03 * torch.sign(tensor(rng, 20, 3))
    same(student.held_out_error(Wq, Wv, data), 9e-4, atol=1e-6, rtol=1e-3)


def test_maps_that_require_gradients(student, rng):
    """Maps fresh from training may require gradients."""
    maps, data = some_maps(rng), some_data(rng, 5)
    trained = [W.clone().requires_grad_() for W in maps]
    same(student.held_out_error(*trained, data), slow_error(*maps, data))


def test_inputs_are_left_as_they_were(student, rng):
    """Maps and samples are the same after the call."""
    inputs_untouched(student.held_out_error, *some_maps(rng), some_data(rng, 5))


def test_second_call(student, rng):
    """Other maps or other samples give an error of their own."""
    one, other, data, more = some_maps(rng), some_maps(rng), some_data(rng, 5), some_data(rng, 9)
    for call in ((*one, data), (*other, data), (*one, more), (*one, data)):
        same(student.held_out_error(*call), slow_error(*call))
