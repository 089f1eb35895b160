"""Hidden tests of `encode`."""

import pytest
import torch

from autograder.grading.suite import Mismatch, inputs_untouched, same

VOCAB = {"the": 0, "river": 1, "money": 2, "bank": 3}


def some_words(rng, count):
    """Words, and a vocabulary that numbers them in no order."""
    words = [f"word{place}" for place in range(count)]
    numbers = rng.permutation(count).tolist()
    return words, dict(zip(words, numbers))


@pytest.mark.public
def test_page(student):
    """The sentences of the page, number by number."""
    same(student.encode(["the", "river", "bank"], VOCAB), [0, 1, 3])
    same(student.encode(["money", "bank"], VOCAB), [2, 3])


@pytest.mark.gate
def test_one_word(student, rng):
    """A sentence of one word gives one number, in a row of its own."""
    words, vocab = some_words(rng, 9)
    for word in words:
        same(student.encode([word], vocab), [vocab[word]])


@pytest.mark.weight(2)
def test_order(student, rng):
    """The order is that of the sentence, not that of the vocabulary."""
    words, vocab = some_words(rng, 9)
    for size in (2, 5, 8):
        sentence = rng.choice(words, size, replace=False).tolist()
        same(student.encode(sentence, vocab), [vocab[word] for word in sentence])


@pytest.mark.weight(2)
def test_kind(student):
    """The result is a tensor of whole numbers (torch.int64), as an Embedding needs it."""
    ids = student.encode(["bank", "the"], VOCAB)
    if not isinstance(ids, torch.Tensor):
        raise Mismatch("The result is no tensor.")
    if ids.dtype != torch.int64:
        raise Mismatch("The tensor does not hold whole numbers of the kind torch.int64.")
    same(ids, [3, 0])


def test_a_word_twice(student, rng):
    """A word that occurs more than once has its number at each place."""
    words, vocab = some_words(rng, 5)
    for sentence in (words[:2] * 2, [words[3]] * 3, [words[4], words[0], words[4]]):
        same(student.encode(sentence, vocab), [vocab[word] for word in sentence])


def test_inputs_are_left_as_they_were(student, rng):
    """Sentence and vocabulary are the same after the call; a tuple of words is as good as a list."""
    words, vocab = some_words(rng, 6)
    expected = [vocab[word] for word in words[1:]]
    same(inputs_untouched(student.encode, words[1:], vocab), expected)
    same(student.encode(tuple(words[1:]), vocab), expected)
