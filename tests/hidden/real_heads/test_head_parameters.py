"""Hidden tests of `head_parameters`."""

import numpy as np
import pytest
import torch

from autograder.compare import Unusable, to_array
from autograder.grading.suite import Mismatch, inputs_untouched, pair, same

pytestmark = pytest.mark.leans_on("multi_head")

PLACES = {"self.query": 0, "self.key": 1, "self.value": 2}
SIZES = (36, 2, torch.float64), (60, 1, torch.float32)  # d, layers, kind of number


def parts(got):
    """The five parts."""
    return pair(got, "(Wq, Wk, Wv, Wo, bo)")


def array(part):
    """A part as an array, so that it can be cut."""
    try:
        return to_array(part)
    except Unusable as found:
        raise Mismatch(f"A part of the result is {found}.") from None


def same_parts(got, layers, state, layer):
    """All five parts are those of this layer."""
    got = parts(got)
    for part, place in PLACES.items():
        same(got[place], layers.stacked(state, layer, part))
    for place, right in zip((3, 4), layers.output(state, layer)):
        same(got[place], right)


@pytest.mark.public
def test_a_layer_whose_numbers_tell_their_place(student, layers):
    """Of a layer whose weight[a, b] is 100 + a + b/100 and whose bias[a] is 100 + a + .5, and so on."""
    state, a, b = {}, torch.arange(24).double(), torch.arange(24).double() / 100
    for part, start in zip((*PLACES, "output.dense"), (100, 200, 300, 400)):
        state[f"encoder.layer.1.attention.{part}.weight"] = start + a[:, None] + b
        state[f"encoder.layer.1.attention.{part}.bias"] = start + a + .5
    same_parts(student.head_parameters(state, 1), layers, state, 1)


@pytest.mark.weight(2)
@pytest.mark.parametrize("part", PLACES)
def test_matrices_with_biases(student, rng, layers, part):
    """Each head has its own outputs as columns, and its share of the bias as the last row."""
    for d, count, dtype in SIZES:
        state = layers.draw(rng, d, count, dtype)
        got = parts(student.head_parameters(state, count - 1))[PLACES[part]]
        same(got, layers.stacked(state, count - 1, part))


@pytest.mark.weight(2)
def test_matrices_without_biases(student, rng, layers):
    """Above the row for the bias, each head has its own outputs of queries, keys and values as columns."""
    state = layers.draw(rng, 36)
    got = parts(student.head_parameters(state, 0))
    for part, place in PLACES.items():
        same(array(got[place])[:, :36], layers.stacked(state, 0, part)[:, :36])


def test_output_projection(student, rng, layers):
    """Wo takes the mixtures of all heads, side by side, to the update."""
    for d, count, dtype in SIZES:
        state = layers.draw(rng, d, count, dtype)
        got = parts(student.head_parameters(state, count - 1))[3]
        same(got, layers.output(state, count - 1)[0])


def test_output_bias(student, rng, layers):
    """bo is the bias of the output projection."""
    for d, count, dtype in SIZES:
        state = layers.draw(rng, d, count, dtype)
        got = parts(student.head_parameters(state, count - 1))[4]
        same(got, layers.output(state, count - 1)[1])


@pytest.mark.weight(2)
def test_weights_of_the_model(student, rng, layers):
    """With a column of ones behind X, multi_head gives the weights that the layer has in torch."""
    state, X = layers.draw(rng, 36), torch.tensor(rng.uniform(-1, 1, (5, 36)))
    weights, _ = layers.attention(state, 1, X)
    A, _ = as_a_layer(student, state, 1, X)
    same(A, weights)


@pytest.mark.weight(2)
def test_update_of_the_model(student, rng, layers):
    """With a column of ones behind X, multi_head gives the layer's update in torch, but for bo."""
    state, X = layers.draw(rng, 36), torch.tensor(rng.uniform(-1, 1, (5, 36)))
    _, update = layers.attention(state, 0, X)
    _, got = as_a_layer(student, state, 0, X)
    same(got, update - layers.output(state, 0)[1])


def as_a_layer(student, state, layer, X):
    """What multi_head makes of X with these parameters."""
    Wq, Wk, Wv, Wo, _ = (array(part) for part in parts(student.head_parameters(state, layer)))
    return pair(student.multi_head(np.column_stack([X, np.ones(len(X))]), Wq, Wk, Wv, Wo), "(A, update)")


def test_any_layer(student, rng, layers):
    """The layer that is asked for is taken, also where its number has two digits."""
    state = layers.draw(rng, 12, layers=12)
    for layer in (0, 1, 10, 11):
        same_parts(student.head_parameters(state, layer), layers, state, layer)


def test_state_is_left_as_it_was(student, rng, layers):
    """The state that was handed in is the same after the call."""
    state = layers.draw(rng, 24)
    same_parts(inputs_untouched(student.head_parameters, state, 1), layers, state, 1)


def test_second_call(student, rng, layers):
    """Another state, and another layer of the same, give their own result."""
    one, other = layers.draw(rng, 24), layers.draw(rng, 24)
    for state, layer in ((one, 0), (other, 0), (one, 1), (one, 0)):
        same_parts(student.head_parameters(state, layer), layers, state, layer)
