"""Hidden tests of `attend`."""

import math

import numpy as np
import pytest

from autograder.grading.suite import inputs_untouched, pair, same

pytestmark = pytest.mark.leans_on("softmax", "match_scores", "mix")

RIVER = [[0, 0, 0, 1], [0, 1, 0, .2], [.5, .5, .8, .2]]  # "the river bank"
MONEY = [[0, 0, 0, 1], [1, 0, 0, .2], [.5, .5, .8, .2]]
LONG_RIVER = [[0, 0, 0, 1], [0, 2, 0, .4], [.5, .5, .8, .2]]  # river's row twice as long
WEIGHTS = [[.43, .29, .29], [.27, .41, .32], [.26, .31, .43]]  # of both sentences


def slow_attend(X):
    """The weights and the mixtures, reader by reader and word by word."""
    rows = np.asarray(X, dtype=float).tolist()
    A, H = [], []
    for reader in rows:
        scores = [math.fsum(a * b for a, b in zip(reader, word)) / math.sqrt(len(reader)) for word in rows]
        # A ratio of exponentials is the exponential of a difference: nothing to overflow.
        A.append([1 / math.fsum(math.exp(other - score) for other in scores) for score in scores])
        H.append([math.fsum(share * value for share, value in zip(A[-1], column)) for column in zip(*rows)])
    return np.array(A), np.array(H)


def same_head(got, expected):
    """The pair (A, H) is the expected one."""
    A, H = pair(got, "(A, H)")
    same(A, expected[0])
    same(H, expected[1])


@pytest.mark.public
def test_the_river_bank(student):
    """In "the river bank", bank has the weights [.26 .31 .43] and the mixture [.21 .52 .34 .41]."""
    A, H = pair(student.attend(RIVER), "(A, H)")
    same(A, WEIGHTS, atol=5e-3)
    same(H, [[.14, .43, .23, .54], [.16, .57, .26, .42], [.21, .52, .34, .41]], atol=5e-3)


@pytest.mark.public
def test_the_money_bank(student):
    """In "the money bank", bank has the same weights, [.26 .31 .43], and the mixture [.52 .21 .34 .41]."""
    A, H = pair(student.attend(MONEY), "(A, H)")
    same(A, WEIGHTS, atol=5e-3)
    same(H, [[.43, .14, .23, .54], [.57, .16, .26, .42], [.52, .21, .34, .41]], atol=5e-3)


@pytest.mark.public
def test_a_longer_river(student):
    """With river's row twice as long, bank's weights move to [.239 .371 .390]."""
    A, _ = pair(student.attend(LONG_RIVER), "(A, H)")
    same(A, [[.415, .307, .278], [.112, .731, .157], [.239, .371, .390]], atol=6e-4)


@pytest.mark.gate
@pytest.mark.weight(2)
def test_weights_from_plain_products(student, rng):
    """A comes first and holds each reader's shares (with one coordinate, a score is a plain product)."""
    X = rng.uniform(-2, 2, (6, 1))
    A, _ = pair(student.attend(X), "(A, H)")
    same(A, slow_attend(X)[0])


@pytest.mark.weight(2)
def test_weights(student, rng):
    """Each row of A is the softmax of that reader's scaled scores, for any width and number of words."""
    for shape in ((5, 3), (3, 7)):
        X = rng.uniform(-2, 2, shape)
        A, _ = pair(student.attend(X), "(A, H)")
        same(A, slow_attend(X)[0])


@pytest.mark.weight(2)
def test_mixtures(student, rng):
    """Each row of H mixes all rows of X with that reader's weights, for any width and number of words."""
    for shape in ((5, 3), (3, 7)):
        X = rng.uniform(-2, 2, shape)
        _, H = pair(student.attend(X), "(A, H)")
        same(H, slow_attend(X)[1])


def test_same_products_other_words(student, rng):
    """Other words with the same products get the same weights, but mixtures of their own coordinates."""
    X = rng.uniform(-2, 2, (4, 3))
    A, H = slow_attend(X)
    order, sign = rng.permutation(3), rng.choice([-1, 1], 3)
    same_head(student.attend(X[:, order] * sign), (A, H[:, order] * sign))


def test_order_of_words(student, rng):
    """In another order, the same words get the same weights and mixtures: position counts for nothing."""
    X = rng.uniform(-2, 2, (5, 6))
    A, H = slow_attend(X)
    order = rng.permutation(5)
    same_head(student.attend(X[order]), (A[order][:, order], H[order]))


def test_equal_words(student, rng):
    """If all words are equal, every share is the same and mixing changes nothing."""
    X = np.tile(rng.uniform(1, 2, 3), (4, 1))
    same_head(student.attend(X), (np.full((4, 4), .25), X))


def test_word_of_zeros(student, rng):
    """A word of zeros reads all words alike, itself included, and is read like any other."""
    X = rng.uniform(-2, 2, (5, 3))
    X[1] = 0
    same_head(student.attend(X), slow_attend(X))


def test_single_word(student, rng):
    """A word that is alone gives itself all of its attention."""
    X = rng.uniform(-2, 2, (1, 5))
    same_head(student.attend(X), ([[1]], X))


def test_large_scores(student, rng):
    """Scores far above 1000 still give finite weights: only their differences count."""
    X = rng.integers(-4, 5, (5, 16)) / 4
    X[:, 0] = 80
    same_head(student.attend(X), slow_attend(X))


def test_kinds_of_numbers(student, rng):
    """Nested lists, integers and 32-bit floats give the same result as an array of ordinary floats."""
    integers = rng.permutation([[-1, 1, 2], [2, 1, -1], [1, 2, -1], [1, -1, 2]])
    same_head(student.attend(integers), slow_attend(integers))
    same_head(student.attend(integers[1:].tolist()), slow_attend(integers[1:]))
    single = rng.uniform(-2, 2, (2, 6)).astype(np.float32)
    same_head(student.attend(single), slow_attend(single))


def test_input_is_left_as_it_was(student, rng):
    """The rows that were handed in are the same after the call."""
    inputs_untouched(student.attend, rng.uniform(-2, 2, (4, 3)))


def test_second_call(student, rng):
    """Other words of the same shape give their own result: nothing is remembered from call to call."""
    first, second = rng.uniform(-2, 2, (2, 3, 5))
    for X in (first, second, first):
        same_head(student.attend(X), slow_attend(X))
