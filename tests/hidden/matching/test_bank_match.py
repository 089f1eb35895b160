"""Hidden tests of `bank_match`."""

import math

import numpy as np
import pytest

from autograder.grading.suite import inputs_untouched, pair, same

pytestmark = pytest.mark.leans_on("project", "attend_from", "attention")

RIVER = [[0, 0, 0, 1], [0, 1, 0, .2], [.5, .5, .8, .2]]  # "the river bank"
MONEY = [[0, 0, 0, 1], [1, 0, 0, .2], [.5, .5, .8, .2]]
KEYS = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]]  # finance, water, structure
FOUR = "(query, keys, scores, weights)"


def slow_match(X, Wq, Wk):
    """Query, keys, scores and weights of the last row, number by number."""
    rows, Wq, Wk = (np.asarray(part, dtype=float).tolist() for part in (X, Wq, Wk))
    query = [math.fsum(x * w for x, w in zip(rows[-1], column)) for column in zip(*Wq)]
    keys = [[math.fsum(x * w for x, w in zip(row, column)) for column in zip(*Wk)] for row in rows]
    scores = [math.fsum(a * b for a, b in zip(query, key)) / math.sqrt(len(query)) for key in keys]
    exponentials = [math.exp(score - max(scores)) for score in scores]
    weights = [exponential / math.fsum(exponentials) for exponential in exponentials]
    return tuple(np.array(part) for part in (query, keys, scores, weights))


def some_sentence(rng, n, d, d_k):
    """X, Wq, Wk of these sizes; the largest scores are between one and eight."""
    return rng.uniform(-2, 2, (n, d)), *rng.uniform(-1.2, 1.2, (2, d, d_k))


def same_match(got, expected):
    """All four parts are the expected ones."""
    for part, wanted in zip(pair(got, FOUR), expected, strict=True):
        same(part, wanted)


def asking_for(direction):
    """Wq of the lesson: 3.75 times the direction in the row of structure."""
    return [[0, 0, 0], [0, 0, 0], [3.75 * part for part in direction], [0, 0, 0]]


def weights_are(student, sentence, direction, percent):
    """Bank's weights are these, in percent."""
    _, _, _, weights = pair(student.bank_match(sentence, asking_for(direction), KEYS), FOUR)
    same(weights, np.array(percent) / 100, atol=6e-4)


@pytest.mark.public
def test_water_in_the_river_bank(student):
    """Bank's query [0 3 0] scores [0 1.732 .866] in "the river bank": 11.1, 62.6, 26.3 %."""
    query, keys, scores, weights = pair(student.bank_match(RIVER, asking_for([0, 1, 0]), KEYS), FOUR)
    same(query, [0, 3, 0])
    same(keys, [[0, 0, 0], [0, 1, 0], [.5, .5, .8]])
    same(scores, [0, 1.732, .866], atol=6e-4)
    same(weights, [.111, .626, .263], atol=6e-4)


@pytest.mark.public
def test_water_in_the_money_bank(student):
    """The same query meets other keys in "the money bank": 22.8, 22.8, 54.3 %."""
    query, keys, scores, weights = pair(student.bank_match(MONEY, asking_for([0, 1, 0]), KEYS), FOUR)
    same(query, [0, 3, 0])
    same(keys, [[0, 0, 0], [1, 0, 0], [.5, .5, .8]])
    same(scores, [0, 0, .866], atol=6e-4)
    same(weights, [.228, .228, .543], atol=6e-4)


@pytest.mark.public
def test_other_directions(student):
    """Finance mirrors water; structure gives 16.7, 16.7, 66.7 %; nothing thirds; -3.75 on water opposes."""
    weights_are(student, RIVER, [1, 0, 0], [22.8, 22.8, 54.3])
    weights_are(student, MONEY, [1, 0, 0], [11.1, 62.6, 26.3])
    weights_are(student, RIVER, [0, 0, 1], [16.7, 16.7, 66.7])
    weights_are(student, MONEY, [0, 0, 0], [33.3, 33.3, 33.3])
    weights_are(student, RIVER, [0, -1, 0], [62.6, 11.1, 26.3])


@pytest.mark.gate
@pytest.mark.weight(2)
def test_weights_from_plain_products(student, rng):
    """The last word's weights come last (where every width is one, a score is a plain product)."""
    sentence = np.append(rng.uniform(-2, 2, (5, 1)), [[1.5]], axis=0), *rng.uniform(.6, 1.2, (2, 1, 1))
    _, _, _, weights = pair(student.bank_match(*sentence), FOUR)
    same(weights, slow_match(*sentence)[3])


def test_query(student, rng):
    """The query is the last row of X times Wq, for any number of words and any sizes."""
    for sizes in ((5, 4, 3), (2, 3, 6), (7, 2, 5)):
        sentence = some_sentence(rng, *sizes)
        query, _, _, _ = pair(student.bank_match(*sentence), FOUR)
        same(query, slow_match(*sentence)[0])


def test_keys(student, rng):
    """The keys are all rows of X times Wk, the last one included."""
    for sizes in ((5, 4, 3), (2, 3, 6), (7, 2, 5)):
        sentence = some_sentence(rng, *sizes)
        _, keys, _, _ = pair(student.bank_match(*sentence), FOUR)
        same(keys, slow_match(*sentence)[1])


@pytest.mark.weight(2)
def test_scores(student, rng):
    """The scores are the query's products with the keys, divided by the root of their width."""
    for sizes in ((5, 4, 3), (2, 3, 6), (7, 2, 5)):
        sentence = some_sentence(rng, *sizes)
        _, _, scores, _ = pair(student.bank_match(*sentence), FOUR)
        same(scores, slow_match(*sentence)[2])


@pytest.mark.weight(2)
def test_weights(student, rng):
    """The weights are the softmax of the scores that were divided, for any sizes."""
    for sizes in ((5, 4, 3), (2, 3, 6), (7, 2, 5)):
        sentence = some_sentence(rng, *sizes)
        _, _, _, weights = pair(student.bank_match(*sentence), FOUR)
        same(weights, slow_match(*sentence)[3])


def test_all_sizes_equal(student, rng):
    """Where both matrices are square, rows and columns still keep their roles."""
    sentence = some_sentence(rng, 3, 3, 3)
    same_match(student.bank_match(*sentence), slow_match(*sentence))


def test_another_neighbor(student, rng):
    """Another word in front changes its own key and score and every weight, but not the query."""
    X, Wq, Wk = some_sentence(rng, 4, 3, 2)
    other = X.copy()
    other[1] = rng.uniform(-2, 2, 3)
    for sentence in (X, other):
        same_match(student.bank_match(sentence, Wq, Wk), slow_match(sentence, Wq, Wk))


def test_one_more_word(student, rng):
    """One more word in front changes every weight, but no query, key or score of the others."""
    X, Wq, Wk = some_sentence(rng, 6, 4, 3)
    same_match(student.bank_match(X[1:], Wq, Wk), slow_match(X[1:], Wq, Wk))
    same_match(student.bank_match(X, Wq, Wk), slow_match(X, Wq, Wk))


def test_no_question(student, rng):
    """A word without a question scores 0 everywhere and reads all words alike."""
    X, Wq, Wk = some_sentence(rng, 5, 4, 3)
    same_match(student.bank_match(X, 0 * Wq, Wk), (np.zeros(3), X @ Wk, np.zeros(5), np.full(5, .2)))


def test_just_one(student, rng):
    """A sentence of one word reads itself; words of one coordinate are enough."""
    for sizes in ((1, 4, 3), (4, 1, 2), (1, 1, 1)):
        sentence = some_sentence(rng, *sizes)
        same_match(student.bank_match(*sentence), slow_match(*sentence))


def test_large_scores(student, rng):
    """Scores far above 1000, or far below -1000, still give finite weights: only their differences count."""
    X = rng.integers(-4, 5, (5, 16)) / 4
    X[:, 0] = 80
    for sign in (1, -1):
        sentence = X, np.eye(16), sign * np.eye(16)
        same_match(student.bank_match(*sentence), slow_match(*sentence))


def test_kinds_of_numbers(student, rng):
    """Nested lists, integers and 32-bit floats give the same result as arrays of ordinary floats."""
    X = rng.permutation([[-1, 1, 2], [2, 1, -1], [1, 2, -1], [1, -1, 2]])
    whole = X, np.array([[1, 0], [0, 1], [-1, 1]]), np.array([[0, 1], [1, 0], [1, 1]])
    same_match(student.bank_match(*whole), slow_match(*whole))
    same_match(student.bank_match(*(part.tolist() for part in whole)), slow_match(*whole))
    single = [part.astype(np.float32) for part in some_sentence(rng, 3, 5, 2)]
    same_match(student.bank_match(*single), slow_match(*single))


def test_inputs_are_left_as_they_were(student, rng):
    """The words and the two matrices that were handed in are the same after the call."""
    inputs_untouched(student.bank_match, *some_sentence(rng, 4, 3, 2))
    inputs_untouched(student.bank_match, *some_sentence(rng, 3, 3, 3))


def test_second_call(student, rng):
    """Other arguments of the same shapes give results of their own: nothing is remembered between calls."""
    first, second = some_sentence(rng, 4, 5, 2), some_sentence(rng, 4, 5, 2)
    for sentence in (first, second, (first[0], *second[1:]), first):
        same_match(student.bank_match(*sentence), slow_match(*sentence))
