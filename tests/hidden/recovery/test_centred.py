"""Hidden tests of `centred`."""

import math

import pytest
import torch

from autograder.compare import to_array
from autograder.grading.suite import inputs_untouched, same

SIZES = ((3, 3), (5, 2), (2, 4), (6, 3), (4, 7))  # m, d_k


def slow_centred(Wq, keys):
    """Score by score: every feature with every key, less the mean over the keys."""
    Wq, keys = Wq.double().tolist(), keys.double().tolist()
    scores = [[math.fsum(a * b for a, b in zip(row, key)) for key in keys] for row in Wq]
    return [[score - math.fsum(row) / len(row) for score in row] for row in scores]


def some_maps(rng, m, d_k, dtype=torch.float32):
    return [torch.tensor(rng.uniform(-2, 2, shape)).to(dtype) for shape in ((9, d_k), (m, d_k))]


@pytest.mark.public
def test_keys_of_the_page(student):
    """With a key for each coordinate, every row is counted from its mean."""
    Wq = torch.zeros(9, 3)
    Wq[2, 2], Wq[3, 0], Wq[5, 1:] = 2, 2, 1
    result = torch.tensor(slow_centred(Wq, torch.eye(3)))
    same(student.centred(Wq, torch.eye(3)), result)


@pytest.mark.gate
def test_alike_and_different(student, rng):
    """What favors one source by far does so in the result, and comes out about as large."""
    for best in rng.permutation(4)[:2].tolist():
        keys = torch.eye(4)
        Wq = torch.full((9, 4), 3.)
        Wq[:, best] += torch.tensor(rng.uniform(5, 6, 9)).float()
        same(student.centred(Wq, keys), slow_centred(Wq, keys), atol=1)


@pytest.mark.weight(3)
def test_centred(student, rng):
    """Each feature's scores, counted from their mean over the sources, for any number of keys."""
    for sizes in SIZES:
        Wq, keys = some_maps(rng, *sizes)
        same(student.centred(Wq, keys), slow_centred(Wq, keys))


def test_same_weights(student, rng):
    """Softmax makes the same weights of it as of the scores."""
    Wq, keys = some_maps(rng, 5, 3)
    x = torch.tensor(rng.uniform(0, 2, (4, 9))).float()
    result = student.centred(Wq, keys)
    same(result, torch.zeros(9, 5), atol=1e6)  # any such numbers
    result = torch.tensor(to_array(result))
    weights = torch.softmax(x @ Wq @ keys.T / 3 ** .5, dim=1)
    same(torch.softmax(x @ result.float() / 3 ** .5, dim=1), weights)


def test_what_all_keys_share(student, rng):
    """A vector added to all keys changes nothing."""
    Wq, keys = some_maps(rng, 4, 3)
    shared = torch.tensor(rng.uniform(-2, 2, 3)).float()
    same(student.centred(Wq, keys + shared), slow_centred(Wq, keys))


def test_what_no_key_can_tell(student, rng):
    """Two query maps that score all sources alike, but for one number a feature, come out the same."""
    Wq, _ = some_maps(rng, 3, 3)
    other = Wq + torch.tensor(rng.uniform(-2, 2, (9, 1))).float()
    for W in (Wq, other):
        same(student.centred(W, torch.eye(3)), slow_centred(Wq, torch.eye(3)))


def test_single_key(student, rng):
    """With one source there is nothing to tell apart."""
    same(student.centred(*some_maps(rng, 1, 3)), torch.zeros(9, 1))


def test_one_coordinate(student, rng):
    """Queries may have a single coordinate."""
    Wq, keys = some_maps(rng, 4, 1)
    same(student.centred(Wq, keys), slow_centred(Wq, keys))


def test_kinds_of_numbers(student, rng):
    """64-bit floats are as good, also where the keys are far from zero."""
    Wq, keys = some_maps(rng, 5, 3, torch.float64)
    same(student.centred(Wq, keys + 1000), slow_centred(Wq, keys))


def test_inputs_are_left_as_they_were(student, rng):
    """The map and the keys are the same after the call."""
    inputs_untouched(student.centred, *some_maps(rng, 4, 3))


def test_second_call(student, rng):
    """Other keys, or another map, give a result of their own."""
    (one, keys), (other, more) = some_maps(rng, 4, 3), some_maps(rng, 6, 3)
    for call in ((one, keys), (other, keys), (one, more), (one, keys)):
        same(student.centred(*call), slow_centred(*call))
