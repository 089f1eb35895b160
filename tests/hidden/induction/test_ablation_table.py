"""Hidden tests of `ablation_table`, on models whose patterns are stored. Where `ablated` is wrong, a table
that is right for what it does is right here: that mistake is paid for already."""

import numpy as np
import pytest
import torch

from autograder.compare import to_array
from autograder.grading.faults import StudentFault
from autograder.grading.suite import Mismatch, pair, same

pytestmark = pytest.mark.leans_on("repeat_loss")


def some_texts(rng, B=3, T=9):
    """Tokens that do repeat, and periods."""
    periods = rng.integers(2, 5, B)
    texts = [np.resize(rng.integers(0, 6, period), T) for period in periods]
    return torch.tensor(np.array(texts)), torch.tensor(periods)


def table_of(loss, logits, ours, texts):
    """The table, where logits(place) are those without the head at that place."""
    whole = loss(ours.logits(texts[0]), *texts)
    return [[loss(logits((layer, head)), *texts) - whole for head in range(ours.heads)]
            for layer in range(len(ours.layers))]


def true_table(loss, ours, texts):
    return table_of(loss, lambda place: ours.logits(texts[0], place), ours, texts)


def own_table(student, loss, ours, texts):
    """The table that the student's own `ablated` leads to; None if it has none or removes nothing."""
    model = ours.made(student)

    def logits(place):
        with student.ablated.kept(model, *place):
            found, _ = pair(model(texts[0]), "(logits, patterns)")
        same(found, ours.logits(texts[0]), atol=1e9)
        return found

    try:
        table = table_of(loss, logits, ours, texts)
    except (StudentFault, Mismatch):
        return None
    return table if np.abs(table).max() > .01 else None


def right(student, loss, ours, texts, compare=lambda got, table: same(got, table, atol=2e-4, rtol=1e-3)):
    """The table of a fresh model of these numbers."""
    got = student.ablation_table(ours.made(student), *texts)
    try:
        compare(got, true_table(loss, ours, texts))
    except Mismatch:
        table = own_table(student, loss, ours, texts)
        if table is None:
            raise
        compare(got, table)


def same_peak(got, table):
    """The entry that is farthest from 0 stands at the same place."""
    same(got, table, atol=1e9)
    if np.abs(to_array(got)).argmax() != np.abs(table).argmax():
        raise Mismatch("The largest entry is not that of the head that matters.")


@pytest.mark.gate
def test_the_head_that_matters(student, rng, numbers, slow_loss):
    """Where one head outweighs all others, the largest entry is its own."""
    for layer, head in ((0, 1), (1, 2)):
        ours = numbers(2, 3, 3)
        for number, (_, _, o) in enumerate(ours.layers):
            o *= .02
            o[:, 3 * head:3 * head + 3] *= 100 if number == layer else 1
        right(student, slow_loss, ours, some_texts(rng), same_peak)


@pytest.mark.weight(3)
def test_two_layers(student, rng, numbers, slow_loss):
    """What the loss rises by without each head, the others in place, compared with the whole model."""
    for heads, w in ((3, 2), (2, 3)):
        right(student, slow_loss, numbers(2, heads, w), some_texts(rng))


@pytest.mark.weight(2)
def test_other_models(student, rng, numbers, slow_loss):
    """Any number of layers and heads: a row for each layer, a column for each head."""
    for layers, heads, w in ((1, 4, 2), (3, 2, 3), (4, 2, 2)):
        right(student, slow_loss, numbers(layers, heads, w), some_texts(rng, T=7))


@pytest.mark.weight(2)
def test_heads_that_do_harm(student, rng, numbers, slow_loss):
    """Where removal lowers the loss, the entry is negative."""
    while True:
        ours, texts = numbers(2, 3, 2), some_texts(rng)
        table = np.array(true_table(slow_loss, ours, texts))
        if (table < -.05).any() and (table > .05).any():
            break
    right(student, slow_loss, ours, texts)


def test_repeats_count(student, rng, numbers, slow_loss):
    """The loss is that of the repeats: the first blocks, and texts that do not repeat, count for nothing."""
    ours, (tokens, periods) = numbers(2, 2, 3), some_texts(rng, B=4)
    periods[0], periods[1] = 9, 7
    right(student, slow_loss, ours, (tokens, periods))


@pytest.mark.weight(2)
def test_the_model_is_left_whole(student, rng, numbers, slow_loss):
    """A second table of the same model is like the first, and that of another model is its own."""
    ours, other, texts, more = numbers(2, 2, 3), numbers(2, 2, 3), some_texts(rng), some_texts(rng, B=2)
    model = ours.made(student)
    first = student.ablation_table(model, *texts)
    same(first, np.zeros((2, 2)), atol=1e9)
    right(student, slow_loss, other, texts)
    right(student, slow_loss, ours, more)
    same(student.ablation_table(model, *texts), to_array(first))
    if np.abs(to_array(first)).max() < 1e-3:
        raise Mismatch("The table is empty.")


def test_texts_are_left_as_they_were(student, rng, numbers):
    """Tokens and periods are the same after the call."""
    _, changed = student.ablation_table.with_changes(numbers(1, 2, 2).made(student), *some_texts(rng))
    if changed:
        raise Mismatch("The function changed its input: work on a copy.")
