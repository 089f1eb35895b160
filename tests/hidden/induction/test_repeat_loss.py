"""Hidden tests of `repeat_loss`."""

import numpy as np
import pytest
import torch

from autograder.grading.suite import Mismatch, inputs_untouched, same

SIZES = ((1, 6, 4, [2]), (3, 9, 5, [2, 5, 7]), (4, 12, 7, [1, 4, 9, 10]), (2, 8, 3, [6, 3]))


def drawn(rng, B, T, vocab, periods):
    """Logits, tokens and periods; the loss does not ask whether the tokens do repeat."""
    logits, tokens = rng.normal(0, 2, (B, T, vocab)), rng.integers(0, vocab, (B, T))
    return torch.tensor(logits, dtype=torch.float32), torch.tensor(tokens), torch.tensor(periods)


@pytest.mark.public
def test_an_even_guess(student):
    """Whoever guesses evenly among four tokens pays log 4 at each place."""
    tokens = torch.tensor([[0, 1, 2, 0, 1, 2]])
    same(student.repeat_loss(torch.zeros(1, 6, 4), tokens, torch.tensor([3])), np.log(4))


@pytest.mark.gate
def test_certain(student, rng):
    """To be certain costs nothing where it is right, and much where it is wrong."""
    for right, expected in ((True, 0), (False, 20)):
        token = int(rng.integers(4))
        logits = torch.zeros(2, 7, 5)
        logits[:, :, token if right else 4] = 20
        tokens, periods = torch.full((2, 7), token), torch.tensor([1, 1])
        same(student.repeat_loss(logits, tokens, periods), expected, atol=.5, rtol=.2)


@pytest.mark.weight(3)
def test_texts_of_several_periods(student, rng, slow_loss):
    """The mean over all places from the first repeated token on, each with a token after it."""
    for sizes in SIZES:
        case = drawn(rng, *sizes)
        same(student.repeat_loss(*case), slow_loss(*case))


@pytest.mark.weight(2)
def test_one_text(student, rng, slow_loss):
    """In a single text: every period, up to the last that leaves one place to count."""
    for period in range(1, 6):
        case = drawn(rng, 1, 7, 4, [period])
        same(student.repeat_loss(*case), slow_loss(*case))


@pytest.mark.weight(2)
def test_each_place_counts_the_same(student, rng, slow_loss):
    """A text with many places has more say than one with few."""
    logits, tokens, periods = drawn(rng, 2, 12, 4, [1, 9])
    logits[1] *= 4
    same(student.repeat_loss(logits, tokens, periods), slow_loss(logits, tokens, periods))


def test_places_that_do_not_count(student, rng, slow_loss):
    """Logits in the first block, and at the last place, change nothing."""
    logits, tokens, periods = drawn(rng, 2, 9, 5, [4, 6])
    expected = slow_loss(logits, tokens, periods)
    for place in ((0, slice(0, 4)), (1, slice(0, 6)), (slice(None), 8)):
        logits[place] = torch.tensor(rng.normal(0, 8, logits[place].shape), dtype=torch.float32)
        same(student.repeat_loss(logits, tokens, periods), expected)


def test_a_text_without_a_place(student, rng, slow_loss):
    """A text that is too short for its period adds nothing."""
    for periods in ([3, 7, 4], [8, 5, 2], [7, 7, 6]):
        case = drawn(rng, 3, 8, 4, periods)
        same(student.repeat_loss(*case), slow_loss(*case))


def test_logits_far_from_zero(student, rng, slow_loss):
    """Logits near ±1000 give a finite, correct loss: only differences count."""
    logits, tokens, periods = drawn(rng, 2, 8, 5, [3, 2])
    logits = torch.round(4 * logits) / 4
    expected = slow_loss(logits, tokens, periods)
    for shift in (1000, -1000):
        same(student.repeat_loss(logits + shift, tokens, periods), expected, atol=1e-3)


@pytest.mark.weight(2)
def test_gradients(student, rng):
    """Gradients flow back to the logits: probability minus one for the right token, shared by the places."""
    logits, tokens, periods = drawn(rng, 2, 7, 4, [2, 4])
    held = student.keep(logits.clone().requires_grad_())
    student.repeat_loss.kept(held, tokens, periods).backward()
    found = held.value("grad")
    if found is None:
        raise Mismatch("No gradient came back to the logits.")
    counted = torch.arange(7) >= periods[:, None]
    counted[:, 6] = False
    right = torch.nn.functional.one_hot(tokens.roll(-1, 1), 4)
    same(found, (logits.softmax(-1) - right) * counted[:, :, None] / counted.sum())


def test_inputs_are_left_as_they_were(student, rng):
    """Logits, tokens and periods are the same after the call."""
    inputs_untouched(student.repeat_loss, *drawn(rng, 3, 9, 5, [2, 5, 7]))


def test_second_call(student, rng, slow_loss):
    """Other texts give a loss of their own."""
    one, other = drawn(rng, 3, 9, 5, [2, 5, 7]), drawn(rng, 2, 6, 3, [3, 2])
    for case in (one, other, one):
        same(student.repeat_loss(*case), slow_loss(*case))
