"""Hidden tests of `CausalHeads`."""

import math

import numpy as np
import pytest
import torch

from autograder.compare import Unusable, to_array
from autograder.grading.suite import Mismatch, inputs_untouched, pair, same

SIZES = ((6, 3, 4, 2), (8, 2, 5, 1), (5, 1, 3, 2), (3, 3, 3, 3))  # d, heads, T, B
NAMES = "qkvo"


class Twin(torch.nn.Module):
    """The same layer by torch's own operator."""

    def __init__(self, given, weights, heads):
        super().__init__()
        self.heads = heads
        for name, weight in weights.items():
            self.add_module(name, given.linear(weight))

    def forward(self, x):
        cut = [getattr(self, name)(x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for name in "qkv"]
        mixtures = torch.nn.functional.scaled_dot_product_attention(*cut, is_causal=True)
        return self.o(mixtures.transpose(1, 2).flatten(2)), None


def some_weights(rng, d, size=1.5):
    """The four matrices, with scores up to about 8."""
    drawn = {name: rng.normal(0, size / np.sqrt(d), (d, d)) for name in NAMES}
    return {name: torch.tensor(weight, dtype=torch.float32) for name, weight in drawn.items()}


def some_rows(rng, B, T, d):
    return torch.tensor(rng.normal(0, 1.5, (B, T, d)), dtype=torch.float32)


def built(student, weights, heads, length):
    """The student's layer with these weights."""
    return student.given("loaded", student.CausalHeads.kept(len(weights["q"]), heads, length), weights)


def slow(x, weights, heads):
    """Update and patterns, one number after the other."""
    maps = {name: weight.double().numpy() for name, weight in weights.items()}
    w = len(maps["q"]) // heads
    updates, patterns = [], []
    for rows in x.double().numpy():
        A, mixtures = np.zeros((heads, len(rows), len(rows))), np.zeros(rows.shape)
        for i in range(heads):
            q, k, v = (rows @ maps[name][i * w:(i + 1) * w].T for name in "qkv")
            for t in range(len(rows)):
                raw = [math.exp(math.fsum(q[t] * k[s]) / math.sqrt(w)) for s in range(t + 1)]
                A[i, t, :t + 1] = np.array(raw) / math.fsum(raw)
                mixtures[t, i * w:(i + 1) * w] = A[i, t] @ v
        updates.append(mixtures @ maps["o"].T)
        patterns.append(A)
    return np.array(updates), np.array(patterns)


def parts(result):
    """Update and patterns as arrays."""
    return tuple(map(numbers, pair(result, "(update, A)")))


def numbers(value):
    try:
        return to_array(value)
    except Unusable:
        raise Mismatch("The result is not made of numbers.") from None


def right(result, expected):
    """Update and patterns are the expected ones."""
    for got, wanted in zip(parts(result), expected):
        same(got, wanted, atol=2e-5)


@pytest.mark.public
def test_reads_evenly(student):
    """Where all scores are 0, place 0 reads itself, place 1 both."""
    weights = {name: torch.eye(4) * (name in "vo") for name in NAMES}
    x = torch.tensor([[[1., 2, 3, 4], [3, 4, 5, 6]]])
    evenly = [[1, 0], [.5, .5]]
    right(built(student, weights, 2, 5)(x), ([[[1, 2, 3, 4], [2, 3, 4, 5]]], [[evenly, evenly]]))


@pytest.mark.gate
def test_shares(student, rng):
    """The patterns come second, and a place that suits the last one far better gets most of its share."""
    weights = {name: torch.eye(2) for name in NAMES}
    for sign in (1, -1):
        x = torch.tensor(rng.uniform(1.5, 2, (1, 2, 2)), dtype=torch.float32)
        x[0, 0] *= 4 if sign > 0 else -1
        _, A = parts(built(student, weights, 1, 2)(x))
        same(A, np.zeros((1, 1, 2, 2)), atol=1e9)
        same(A[0, 0, 1], slow(x, weights, 1)[1][0, 0, 1], atol=.35)


@pytest.mark.weight(3)
def test_patterns(student, rng):
    """Each head's shares, for several widths, numbers of heads, texts and places."""
    for d, heads, T, B in SIZES:
        weights, x = some_weights(rng, d), some_rows(rng, B, T, d)
        _, A = parts(built(student, weights, heads, T)(x))
        same(A, slow(x, weights, heads)[1], atol=2e-5)


@pytest.mark.weight(3)
def test_updates(student, rng):
    """The mixtures of all heads, side by side, through o."""
    for d, heads, T, B in SIZES:
        weights, x = some_weights(rng, d), some_rows(rng, B, T, d)
        update, _ = parts(built(student, weights, heads, T)(x))
        same(update, slow(x, weights, heads)[0], atol=2e-5)


def test_one_place(student, rng):
    """A text of one token reads itself: the update is o(v(x))."""
    weights, x = some_weights(rng, 6), some_rows(rng, 3, 1, 6)
    expected = (x @ weights["v"].T @ weights["o"].T, np.ones((3, 2, 1, 1)))
    right(built(student, weights, 2, 4)(x), expected)


def test_shorter_texts(student, rng):
    """The same layer takes texts of any length up to its own."""
    weights = some_weights(rng, 4)
    layer = built(student, weights, 2, 5)
    for T in (5, 3, 2):
        x = some_rows(rng, 2, T, 4)
        right(layer(x), slow(x, weights, 2))


@pytest.mark.weight(2)
def test_no_leak(student, rng):
    """A change of any token leaves all rows before it as they were."""
    weights, x = some_weights(rng, 4), some_rows(rng, 1, 5, 4)
    layer = built(student, weights, 2, 5)
    before, _ = slow(x, weights, 2)
    for t in range(1, 5):
        moved = x.clone()
        moved[0, t] += 2
        update, _ = parts(layer(moved))
        same(update, slow(moved, weights, 2)[0], atol=2e-5)
        same(update[:, :t], before[:, :t], atol=2e-5)


def test_the_future_is_exactly_zero(student, rng):
    """No share falls on a later place, however well it suits; large scores stay finite."""
    weights = {name: weight * (8 if name in "qk" else 1) for name, weight in some_weights(rng, 6).items()}
    _, A = parts(built(student, weights, 2, 5)(some_rows(rng, 2, 5, 6)))
    same(A, np.zeros((2, 2, 5, 5)), atol=2)
    same(np.triu(A, 1), np.zeros((2, 2, 5, 5)), atol=1e-30)


def test_rows_of_zeros(student, rng):
    """Rows of zeros are read like any other, and read evenly."""
    weights, x = some_weights(rng, 4), some_rows(rng, 2, 4, 4)
    x[0, 1:3] = 0
    right(built(student, weights, 2, 4)(x), slow(x, weights, 2))


def test_texts_do_not_read_each_other(student, rng):
    """A text gives the same alone as in a batch."""
    weights, x = some_weights(rng, 6), some_rows(rng, 2, 4, 6)
    layer = built(student, weights, 3, 4)
    for text in x:
        right(layer(text[None]), slow(text[None], weights, 3))


@pytest.mark.weight(2)
def test_parameters(student):
    """Four maps without bias, and no other parameters."""
    found = student.given("Probe", student.CausalHeads.kept(6, 2, 4)).shapes()
    if found != {f"{name}.weight": [6, 6] for name in NAMES}:
        raise Mismatch("The layer should have the parameters of q, k, v and o, and no others.")


@pytest.mark.weight(2)
def test_gradients(student, rng, given):
    """Through the update, gradients reach all four maps: as in torch's own operator."""
    weights, x, wanted = some_weights(rng, 6, .8), some_rows(rng, 2, 4, 6), some_rows(rng, 2, 4, 6)
    found = student.given("Probe", built(student, weights, 2, 4)).gradients(x, wanted)
    expected = given.Probe(Twin(given, weights, 2)).gradients(x, wanted)
    for name, gradient in expected.items():
        if not isinstance(found, dict) or found.get(name) is None:
            raise Mismatch("A map got no gradient.")
        same(found[name], gradient, atol=1e-4, rtol=1e-3)


@pytest.mark.weight(2)
def test_training(student, rng, given):
    """Two layers in a small model learn as they should: the loss of the first steps, from given weights."""
    vocab, T, d = 5, 6, 6
    tables = [some_rows(rng, 1, size, d)[0] / 2 for size in (vocab, T)]
    weights, out = [some_weights(rng, d, .8) for _ in range(2)], some_rows(rng, 1, vocab, d)[0] / 2
    tokens = torch.tensor(rng.integers(0, vocab, (4, T)))
    ours = given.Model(2, *tables, [Twin(given, each, 2) for each in weights], out.clone())
    layers = [built(student, each, 2, T) for each in weights]
    found = student.given("Model", 2, *tables, layers, out).losses(tokens, 3, .3)
    same(found, ours.losses(tokens, 3, .3), atol=1e-4, rtol=1e-3)


def test_a_circuit_made_by_hand(student, rng):
    """Two layers by hand: one writes the token before into each row, the next finds what came after."""
    vocab, T, period = 4, 10, 4
    d = 2 * vocab + T  # the token, the token before, the place
    token, before, place = slice(0, vocab), slice(vocab, 2 * vocab), slice(2 * vocab, 2 * vocab + T)
    first, second = ({name: torch.zeros(d, d) for name in NAMES} for _ in range(2))
    first["q"][place, place], first["k"][place, place] = 60 * torch.eye(T), torch.eye(T).roll(1, 0)
    first["v"][token, token], first["o"][before, token] = torch.eye(vocab), torch.eye(vocab)
    second["q"][token, token], second["k"][token, before] = 60 * torch.eye(vocab), torch.eye(vocab)
    second["k"][token, place.start] = -1  # place 0 read itself: it is not to be found
    second["v"][token, token], second["o"][token, token] = torch.eye(vocab), 5 * torch.eye(vocab)
    embed, places, out = torch.zeros(vocab, d), torch.zeros(T, d), torch.zeros(vocab, d)
    embed[:, token], places[:, place], out[:, token] = torch.eye(vocab), torch.eye(T), torch.eye(vocab)
    layers = [built(student, weights, 1, T) for weights in (first, second)]
    tokens = torch.tensor(np.resize(rng.permutation(vocab), (1, T)))
    model = student.given("Model", 1, embed, places, layers, out)
    logits, _ = pair(model(tokens), "(logits, patterns)")
    same(logits, np.zeros((1, T, vocab)), atol=1e9)
    same(to_array(logits)[0, period:-1].argmax(-1), tokens[0, period + 1:])


def test_input_is_left_as_it_was(student, rng):
    """The rows are the same after the call."""
    inputs_untouched(built(student, some_weights(rng, 4), 2, 5).forward, some_rows(rng, 2, 5, 4))


def test_second_layer(student, rng):
    """Two layers, and two calls of one, do not know of each other."""
    one, other = some_weights(rng, 4), some_weights(rng, 6)
    first, second = built(student, one, 2, 4), built(student, other, 3, 5)
    for layer, weights, heads, x in ((first, one, 2, some_rows(rng, 2, 4, 4)),
                                     (second, other, 3, some_rows(rng, 1, 5, 6)),
                                     (first, one, 2, some_rows(rng, 3, 2, 4))):
        right(layer(x), slow(x, weights, heads))
