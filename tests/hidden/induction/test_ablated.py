"""Hidden tests of `ablated`, on models whose patterns are stored."""

import pytest
import torch

from autograder.grading.suite import Mismatch, pair, same

pytestmark = pytest.mark.open_ended  # it gives no numbers: what the model says inside counts


def some_tokens(rng, B=2, T=6):
    return torch.tensor(rng.integers(0, 6, (B, T)))


def says(model, expected, tokens):
    """The model's logits are the expected ones."""
    logits, _ = pair(model(tokens), "(logits, patterns)")
    same(logits, expected, atol=1e-4)


def weights(model):
    """The weights with their names."""
    found = model.state_dict()
    if not isinstance(found, dict) or not found:
        raise Mismatch("The model has lost its weights.")
    return found


def unchanged(model, before):
    """The weights are those of before, under their names."""
    after = weights(model)
    if after.keys() != before.keys():
        raise Mismatch("The model has other parts than before.")
    for name, weight in before.items():
        same(after[name], weight, atol=0, rtol=0)


@pytest.mark.gate
def test_something_is_removed(student, rng, numbers):
    """In a model of one layer with one head, only the rows themselves are left."""
    for _ in range(2):
        ours, tokens = numbers(1, 1, 4), some_tokens(rng)
        model = ours.made(student)
        with student.ablated.kept(model, 0, 0):
            says(model, ours.logits(tokens, (0, 0)), tokens)


@pytest.mark.weight(3)
def test_each_head(student, rng, numbers):
    """The head that is named is silent, and no other: every head of every layer."""
    ours, tokens = numbers(3, 2, 3), some_tokens(rng)
    for layer in range(3):
        for head in range(2):
            model = ours.made(student)
            with student.ablated.kept(model, layer, head):
                says(model, ours.logits(tokens, (layer, head)), tokens)


@pytest.mark.weight(2)
def test_other_models(student, rng, numbers):
    """Any number of layers and heads, of any width."""
    cases = (1, 5, 2, (0, 3)), (4, 3, 1, (2, 1)), (2, 4, 3, (1, 0)), (2, 1, 5, (1, 0))
    for layers, heads, w, place in cases:
        ours, tokens = numbers(layers, heads, w), some_tokens(rng)
        model = ours.made(student)
        with student.ablated.kept(model, *place):
            says(model, ours.logits(tokens, place), tokens)


def test_several_texts_inside(student, rng, numbers):
    """Every call inside is without the head, for texts of any number and length."""
    ours = numbers(2, 2, 3)
    model = ours.made(student)
    with student.ablated.kept(model, 0, 1):
        for tokens in (some_tokens(rng), some_tokens(rng, 1, 3), some_tokens(rng, 4, 9)):
            says(model, ours.logits(tokens, (0, 1)), tokens)


def test_patterns_inside(student, rng, numbers):
    """The model gives its patterns as ever: only what is handed over is gone."""
    ours, tokens = numbers(2, 2, 3), some_tokens(rng)
    model = ours.made(student)
    with student.ablated.kept(model, 1, 0):
        _, patterns = pair(model(tokens), "(logits, patterns)")
    for got, (A, *_) in zip(pair(patterns, "(layer 0, layer 1)"), ours.layers):
        same(got, [A[:, :6, :6]] * 2)


@pytest.mark.weight(3)
def test_restored(student, rng, numbers):
    """After the block the model says what it said before, and its weights are the same, free to learn."""
    ours, tokens = numbers(2, 3, 2), some_tokens(rng)
    model = ours.made(student)
    before, learning = weights(model), student.given("Probe", model).trainable()
    for place in ((0, 2), (1, 0)):
        with student.ablated.kept(model, *place):
            model(tokens)
        says(model, ours.logits(tokens), tokens)
    unchanged(model, before)
    same(student.given("Probe", model).trainable(), learning, kind="bool")


@pytest.mark.weight(2)
def test_restored_after_an_error(student, rng, numbers):
    """After a block that an error ended, the model is as it was."""
    ours, tokens = numbers(2, 2, 3), some_tokens(rng)
    model = ours.made(student)
    before = weights(model)
    for place in ((0, 1), (1, 0)):
        student.given("Interrupted", student.ablated.kept(model, *place))
        says(model, ours.logits(tokens), tokens)
    unchanged(model, before)


def test_the_error_gets_out(student, numbers):
    """An error in the block is not swallowed."""
    context = student.ablated.kept(numbers(1, 2, 3).made(student), 0, 1)
    if not student.given("Interrupted", context).value("came_out"):
        raise Mismatch("An error inside the block did not get out of it.")


@pytest.mark.weight(3)
def test_nested(student, rng, numbers):
    """Blocks within blocks: each takes out its head and puts back that one only."""
    for places in (((0, 0), (1, 1)), ((1, 1), (0, 0)), ((0, 2), (0, 0)), ((1, 0), (1, 0)), ((1, 2), (1, 1))):
        ours, tokens = numbers(2, 3, 2), some_tokens(rng)
        model = ours.made(student)
        with student.ablated.kept(model, *places[0]):
            with student.ablated.kept(model, *places[1]):
                says(model, ours.logits(tokens, *places), tokens)
            says(model, ours.logits(tokens, places[0]), tokens)
        says(model, ours.logits(tokens), tokens)


@pytest.mark.weight(2)
def test_one_after_the_other(student, rng, numbers):
    """A second block, of the same head or another, in the same model or another."""
    ours, other, tokens = numbers(2, 3, 2), numbers(2, 3, 2), some_tokens(rng)
    first, second = ours.made(student), other.made(student)
    for place in ((0, 1), (0, 1), (1, 2)):
        for model, known in ((first, ours), (second, other)):
            with student.ablated.kept(model, *place):
                says(model, known.logits(tokens, place), tokens)
            says(model, known.logits(tokens), tokens)


def test_other_models_meanwhile(student, rng, numbers):
    """While a head of one model is out, another model is whole."""
    ours, other, tokens = numbers(2, 2, 3), numbers(2, 2, 3), some_tokens(rng)
    first, second = ours.made(student), other.made(student)
    with student.ablated.kept(first, 0, 1):
        says(second, other.logits(tokens), tokens)
        with student.ablated.kept(second, 1, 0):
            says(first, ours.logits(tokens, (0, 1)), tokens)
            says(second, other.logits(tokens, (1, 0)), tokens)
        says(first, ours.logits(tokens, (0, 1)), tokens)
    says(first, ours.logits(tokens), tokens)
