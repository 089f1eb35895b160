"""Hidden tests of `train`."""

import numpy as np
import pytest
import torch

from autograder.grading.suite import Mismatch, inputs_untouched, same

pytestmark = pytest.mark.leans_on("encode")

WORDS = ["river", "money", "vault", "salmon", "lawyer", "attorney"]
SOME = [(["b", "a", "c"], 1), (["a"], 0), (["d", "c"], 0)]  # sentences of other words
LETTERS = {"c": 1, "a": 3, "d": 0, "b": 2}


def same_losses(got, expected, of=None):
    """A list of these numbers, or of as many more as it takes to make `of`."""
    if not isinstance(got, list):
        raise Mismatch("The result is no list of losses.")
    same(len(got), of or len(expected), atol=0)
    same(got[: len(expected)], expected)


def same_weights(model, expected):
    """The model's parameters are these."""
    state = model.state_dict()
    for name, numbers in expected.items():
        same(state[name], numbers, atol=1e-4)


def prints(model, tokens, vocab):
    """The label, and what the last position reads."""
    scores, A = model.forward(torch.tensor([vocab[token] for token in tokens]), return_attention=True)
    return int(scores.argmax()), A[-1].tolist()


def assigned():
    """The six sentences with assigned labels, and their vocabulary."""
    vocab = {word: number for number, word in enumerate(["the", *WORDS, "bank"])}
    return [(["the", word, "bank"], number % 2) for number, word in enumerate(WORDS)], vocab


@pytest.mark.public
def test_from_zeros(student, trainer, rng):
    """From zeros, with lr .5, the loss of a single word is log 2, then .3133."""
    weights = {name: torch.zeros_like(value) for name, value in trainer.weights(rng).items()}
    losses = student.train(student.given("Bag", weights), [(["bank"], 1)], trainer.vocab, 2, .5)
    same_losses(losses, [0.6931472, 0.3132617])


@pytest.mark.public
def test_head(student, trainer):
    """A head, too, moves as it should: a first step from seed 0, with the loss .625 of the page."""
    model = student.given("LibraryHead", trainer.seeded(0))
    same_losses(student.train(model, trainer.sentences, trainer.vocab, 1), [.6252049])


@pytest.mark.gate
def test_learns(student, trainer, rng):
    """After some steps, the model itself makes less of a loss."""
    weights, examples = trainer.weights(rng), SOME[:2]
    model, before = student.given("Bag", weights), trainer.bag(weights)
    student.train(model, examples, LETTERS, 4, .1)
    after = trainer.bag(model.state_dict())
    old, new = (np.mean([trainer.loss(each, *example, LETTERS) for example in examples])
                for each in (before, after))
    if not new < .98 * old:
        raise Mismatch("The model has not learned.")


@pytest.mark.weight(2)
def test_losses(student, trainer, rng):
    """The loss of a step is the mean over the examples, each before its own update."""
    weights = trainer.weights(rng)
    losses = student.train(student.given("Bag", weights), SOME, LETTERS, 2, .2)
    same_losses(losses, trainer.adam(weights, SOME, LETTERS, 2, .2)[0])


@pytest.mark.weight(3)
def test_parameters(student, trainer, rng):
    """All parameters after three steps: one update for each example, in their order."""
    weights = trainer.weights(rng)
    model = student.given("Bag", weights)
    student.train(model, SOME, LETTERS, 3, .1)
    same_weights(model, trainer.adam(weights, SOME, LETTERS, 3, .1)[1])


def test_number_of_losses(student, trainer, rng):
    """There is one loss for each step, not for each update."""
    weights = trainer.weights(rng)
    for steps in (1, 3):
        losses = student.train(student.given("Bag", weights), SOME[1:], LETTERS, steps, .05)
        same_losses(losses, trainer.adam(weights, SOME[1:], LETTERS, steps, .05)[0])


def test_gradients_from_before(student, trainer, rng):
    """Gradients that the model brings along play no part."""
    weights = trainer.weights(rng)
    model = student.given("Bag", weights)
    student.given("Stains", model).spread(3.)
    losses = student.train(model, SOME[:2], LETTERS, 2, .1)
    expected = trainer.adam(weights, SOME[:2], LETTERS, 2, .1)
    same_losses(losses, expected[0])
    same_weights(model, expected[1])


def test_second_call(student, trainer, rng):
    """A second call goes on from where the first one ended, with an Adam of its own."""
    weights = trainer.weights(rng)
    model = student.given("Bag", weights)
    for examples in (SOME, SOME[::-1]):
        losses = student.train(model, examples, LETTERS, 1, .1)
        expected, numbers = trainer.adam(weights, examples, LETTERS, 1, .1)
        same_losses(losses, expected)
        same_weights(model, numbers)
        weights = {name: torch.as_tensor(value) for name, value in numbers.items()}


def test_chance_is_left_alone(student, trainer, rng):
    """Nothing is seeded, and nothing drawn."""
    model, chance = student.given("Bag", trainer.weights(rng)), student.given("Chance")
    number = int(rng.integers(1, 10**6))
    student.seed_generators(number)
    student.train(model, SOME[:1], LETTERS, 1, .05)
    same(chance.draw(), torch.rand(3, generator=torch.Generator().manual_seed(number)))


def test_inputs_are_left_as_they_were(student, trainer, rng):
    """Examples and vocabulary are the same after the call."""
    weights = trainer.weights(rng)
    losses = inputs_untouched(student.train, student.given("Bag", weights), SOME, LETTERS, 1, .05)
    same_losses(losses, trainer.adam(weights, SOME, LETTERS, 1, .05)[0])


# What takes long comes last: a mistake that is known by its earlier results is not asked for these.


def test_defaults(student):
    """Unless something else is asked for, there are 300 steps with lr .05."""
    losses = student.train(student.given("Two", torch.zeros(2)), SOME[1:2], LETTERS)
    same_losses(losses, [0.6931472, 0.6443967], of=300)
    same(losses[-1], 0, atol=.05)


@pytest.mark.weight(2)
def test_seed_0(student, trainer):
    """From seed 0 the four sentences lead to both labels, and bank reads river 1.00, then money 1.00."""
    model = student.given("LibraryHead", trainer.seeded(0))
    losses = student.train(model, trainer.sentences, trainer.vocab, 9)
    same_losses(losses, [.6252049, .1138675], of=9)
    for tokens, label in trainer.sentences[:2]:
        said, row = prints(model, tokens, trainer.vocab)
        same(said, label, atol=1e-9, rtol=0)
        same(row, [0, 1, 0], atol=5e-3)


@pytest.mark.weight(2)
def test_predictions(student, trainer):
    """From another seed, and with labels that are assigned, every prediction comes to be right."""
    for seed, (examples, vocab) in ((1, (trainer.sentences, trainer.vocab)), (0, assigned())):
        weights = trainer.seeded(seed, len(vocab))
        model = student.given("LibraryHead", weights)
        losses = student.train(model, examples, vocab, 9)
        same_losses(losses, trainer.adam(weights, examples, vocab, 1, .05, "LibraryHead")[0], of=9)
        for tokens, label in examples:
            same(prints(model, tokens, vocab)[0], label, atol=1e-9, rtol=0)
