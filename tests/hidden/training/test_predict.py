"""Hidden tests of `predict`."""

import numpy as np
import pytest
import torch

from autograder.grading.suite import Mismatch, inputs_untouched, pair, same

pytestmark = pytest.mark.leans_on("encode")

VOCAB = {"the": 0, "river": 1, "money": 2, "bank": 3}


def some_model(student, rng, rows=6, favored=None):
    """A vocabulary in no order, and a model whose shares and scores are drawn, with what it stores."""
    words = [f"word{place}" for place in range(rows)]
    vocab = dict(zip(words, rng.permutation(rows).tolist()))
    shares, scores = rng.uniform(.1, 1, (rows, rows)) ** 2, rng.uniform(-1, 1, (rows, 2))
    if favored is not None:
        scores[:, favored] = scores[:, 1 - favored] + rng.uniform(.1, .5, rows)
    stored = [torch.tensor(each, dtype=torch.float32) for each in (shares, scores)]
    return student.given("Stored", *stored), words, vocab, shares, scores


def reading(tokens, vocab, shares):
    """What the last position reads, word by word."""
    numbers = [vocab[token] for token in tokens]
    row = [shares[numbers[-1]][number] for number in numbers]
    read = {}
    for token, share in zip(tokens, row):
        read[token] = read.get(token, 0) + share / sum(row)
    return read


def same_reading(read, expected):
    """The same words with the same weights."""
    if not isinstance(read, dict):
        raise Mismatch("The second result is no dict.")
    if read.keys() != expected.keys():
        raise Mismatch("The keys of the dict must be the words of the sentence, each of them once.")
    for token, weight in expected.items():
        same(read[token], weight)


def said(student, model, tokens, vocab):
    """The two results for a sentence."""
    return pair(student.predict(model, tokens, vocab), "(label, weights)")


@pytest.mark.public
def test_page(student):
    """A model that reads later words more: the label, and 1/6, 2/6, 3/6."""
    shares = torch.tensor([[1., 2, 2, 3]]).repeat(4, 1)
    model = student.given("Stored", shares, torch.tensor([[0., 0], [1, 0], [0, 1], [0, 0]]))
    for word, right in (("river", 0), ("money", 1)):
        label, read = said(student, model, ["the", word, "bank"], VOCAB)
        same(label, right, atol=1e-9, rtol=0)
        same_reading(read, {"the": 1 / 6, word: 2 / 6, "bank": 3 / 6})


@pytest.mark.gate
def test_some_part(student, rng):
    """The label, or the words of the weights, belong to the sentence."""
    for favored in (0, 1):
        model, words, vocab, _, _ = some_model(student, rng, favored=favored)
        label, read = said(student, model, words[1:5], vocab)
        if isinstance(read, dict) and set(read) == set(words[1:5]):
            continue
        same(label, favored, atol=1e-9, rtol=0)


@pytest.mark.weight(2)
def test_label(student, rng):
    """The label is that of the larger logit, as a plain int."""
    for favored in (1, 0, 1, 0):
        model, words, vocab, _, _ = some_model(student, rng, favored=favored)
        label, _ = said(student, model, rng.choice(words, 4, replace=False).tolist(), vocab)
        same(label, favored, atol=1e-9, rtol=0)
        if not isinstance(label, int):
            raise Mismatch("The label must be a plain int.")


@pytest.mark.weight(3)
def test_last_row(student, rng):
    """The weights are those of the last position, word by word."""
    model, words, vocab, shares, _ = some_model(student, rng)
    for size in (2, 3, 5, 6):
        tokens = rng.choice(words, size, replace=False).tolist()
        same_reading(said(student, model, tokens, vocab)[1], reading(tokens, vocab, shares))


@pytest.mark.weight(2)
def test_a_word_twice(student, rng):
    """The weights of a word that occurs more than once are added up, wherever it stands."""
    model, (a, b, c, *_), vocab, shares, _ = some_model(student, rng)
    for tokens in ([a, b, a], [b, a, a, c], [a, a, a], [c, b, c, b, c]):
        same_reading(said(student, model, tokens, vocab)[1], reading(tokens, vocab, shares))


def test_one_word(student, rng):
    """A word that is alone reads itself, with weight 1."""
    model, words, vocab, _, _ = some_model(student, rng)
    same_reading(said(student, model, words[2:3], vocab)[1], {words[2]: 1})


def test_small_weights(student):
    """Weights are not rounded, and small ones are not left out."""
    shares = torch.tensor([[.001, .002, 1]]).repeat(3, 1)
    model = student.given("Stored", shares, torch.eye(3, 2))
    vocab = {"a": 0, "b": 1, "c": 2}
    same_reading(said(student, model, ["a", "b", "c"], vocab)[1], reading("abc", vocab, shares.numpy()))


def test_the_model_can_learn_afterwards(student, rng):
    """Asking a model changes nothing in it: the parameters are as they were, and can still learn."""
    model, words, vocab, shares, scores = some_model(student, rng)
    slopes = student.given("Slopes", model)
    said(student, model, words[:3], vocab)
    number = vocab[words[0]]
    found = slopes.of(torch.tensor([number]), torch.tensor([1., -1]))
    same(found["scores"], np.outer(np.arange(6) == number, [1., -1]))
    state = model.state_dict()
    same(state["shares"], shares)
    same(state["scores"], scores)


def test_inputs_are_left_as_they_were(student, rng):
    """Sentence and vocabulary are the same after the call; a tuple of words is as good as a list."""
    model, words, vocab, shares, _ = some_model(student, rng)
    for tokens in (words[:4], tuple(words[1:5])):
        _, read = pair(inputs_untouched(student.predict, model, tokens, vocab), "(label, weights)")
        same_reading(read, reading(tokens, vocab, shares))
