"""Hidden tests of `sgd_step`."""

import pytest
import torch

from autograder.grading.suite import Mismatch, inputs_untouched, pair, same


def some_ids(rng, size, rows=4):
    return torch.tensor(rng.integers(0, rows, size))


def stepped(student, model, ids, label, lr):
    """The loss and the gradients of a step."""
    loss, gradients = pair(student.sgd_step(model, ids, label, lr), "(loss, gradients)")
    return loss, gradients


def same_numbers(got, expected):
    """A dict with these names and these arrays."""
    if not isinstance(got, dict):
        raise Mismatch("The gradients are no dict.")
    if got.keys() != expected.keys():
        raise Mismatch("The names are not those of model.named_parameters(), or not all of them.")
    for name, numbers in expected.items():
        same(got[name], numbers)


def own_step(model, ids, label, lr):
    """Loss, gradients and weights afterwards, for a model of ours, which moves."""
    names, parameters = zip(*model.named_parameters())
    scores = model(ids)
    loss = torch.logsumexp(scores, 0) - scores[label]
    slopes = torch.autograd.grad(loss, parameters)
    for parameter, slope in zip(parameters, slopes):
        parameter.data = parameter.data - lr * slope
    return loss.item(), dict(zip(names, slopes)), {n: p.detach().clone() for n, p in zip(names, parameters)}


@pytest.mark.public
def test_page(student, trainer, rng):
    """From zeros: the loss log 2, a gradient of probability minus truth for the bias, nothing else."""
    weights = {name: torch.zeros_like(value) for name, value in trainer.weights(rng).items()}
    model = student.given("Bag", weights)
    loss, gradients = stepped(student, model, torch.tensor([0, 3]), 1, .2)
    same(loss, 0.6931472)
    same_numbers(gradients, {**weights, "layers.1.bias": torch.tensor([.5, -.5])})
    same(model.state_dict()["layers.1.bias"], [-.1, .1])


@pytest.mark.weight(2)
def test_loss(student, trainer, rng):
    """The loss is the cross-entropy before the step."""
    for label, size in ((0, 2), (1, 5), (1, 1)):
        weights, ids = trainer.weights(rng), some_ids(rng, size)
        loss, _ = stepped(student, student.given("Bag", weights), ids, label, .3)
        same(loss, own_step(trainer.bag(weights), ids, label, .3)[0])


@pytest.mark.weight(3)
def test_gradients(student, trainer, rng):
    """The gradients of all parameters by their names, those that made the step."""
    for label, size in ((1, 2), (0, 5)):
        weights, ids = trainer.weights(rng), some_ids(rng, size)
        _, gradients = stepped(student, student.given("Bag", weights), ids, label, .3)
        same_numbers(gradients, own_step(trainer.bag(weights), ids, label, .3)[1])


@pytest.mark.weight(3)
def test_step(student, trainer, rng):
    """Every parameter moves by lr against its gradient, once."""
    for label, lr in ((0, .1), (1, .7)):
        weights, ids = trainer.weights(rng), some_ids(rng, 3)
        model = student.given("Bag", weights)
        stepped(student, model, ids, label, lr)
        same_numbers(model.state_dict(), own_step(trainer.bag(weights), ids, label, lr)[2])


@pytest.mark.weight(2)
def test_two_steps(student, trainer, rng):
    """The second step starts where the first one ended, and remembers nothing else of it."""
    weights, steps = trainer.weights(rng), [(some_ids(rng, 3), 0), (some_ids(rng, 2), 1)]
    model, own = student.given("Bag", weights), trainer.bag(weights)
    for ids, label in steps:
        loss, gradients = stepped(student, model, ids, label, .4)
        expected = own_step(own, ids, label, .4)
        same(loss, expected[0])
        same_numbers(gradients, expected[1])
        same_numbers(model.state_dict(), expected[2])


def test_gradients_from_before(student, trainer, rng):
    """Gradients that are left from something else play no part."""
    weights, ids = trainer.weights(rng), some_ids(rng, 3)
    model = student.given("Bag", weights)
    student.given("Stains", model).spread(2.)
    _, gradients = stepped(student, model, ids, 1, .3)
    expected = own_step(trainer.bag(weights), ids, 1, .3)
    same_numbers(gradients, expected[1])
    same_numbers(model.state_dict(), expected[2])


def test_copies(student, trainer, rng):
    """The gradients returned stay as they are when the model's own are written over."""
    weights, ids = trainer.weights(rng), some_ids(rng, 3)
    model = student.given("Bag", weights)
    shelf = student.given("Shelf", student.sgd_step.kept(model, ids, 0, .3))
    student.given("Stains", model).spread(7.)
    _, gradients = pair(shelf.look(), "(loss, gradients)")
    same_numbers(gradients, own_step(trainer.bag(weights), ids, 0, .3)[1])


def test_in_place(student, trainer, rng):
    """The parameters that move are the model's own, not new ones in their place."""
    weights, ids = trainer.weights(rng), some_ids(rng, 3)
    model = student.given("Bag", weights)
    held = {name: model.part(name) for name in weights}
    stepped(student, model, ids, 1, .3)
    expected = own_step(trainer.bag(weights), ids, 1, .3)[2]
    for name, parameter in held.items():
        same(parameter.detach(), expected[name])


def test_inputs_are_left_as_they_were(student, trainer, rng):
    """The numbers of the words are the same after the call."""
    weights, ids = trainer.weights(rng), some_ids(rng, 4)
    loss, _ = pair(inputs_untouched(student.sgd_step, student.given("Bag", weights), ids, 1, .3),
                   "(loss, gradients)")
    same(loss, own_step(trainer.bag(weights), ids, 1, .3)[0])
