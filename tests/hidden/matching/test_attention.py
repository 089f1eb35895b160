"""Hidden tests of `attention`."""

import math

import numpy as np
import pytest

from autograder.grading.suite import inputs_untouched, pair, same

pytestmark = pytest.mark.leans_on("project", "attend_from")

TOWER = [[0, 0], [0, 1], [1, 0]]  # the, Eiffel, tower
SAME, SWAP = [[1, 0], [0, 1]], [[0, 1], [1, 0]]
MOST_TOWER, MOST_EIFFEL = [.2483, .2483, .5035], [.2483, .5035, .2483]


def slow_project(rows, W):
    """Each row times each column of W."""
    return [[math.fsum(a * b for a, b in zip(row, column)) for column in zip(*W)] for row in rows]


def slow_attention(X, Wq, Wk, Wv):
    """The weights and the mixtures, reader by reader and source by source."""
    X, Wq, Wk, Wv = (np.asarray(part, dtype=float).tolist() for part in (X, Wq, Wk, Wv))
    keys, values, A, H = slow_project(X, Wk), slow_project(X, Wv), [], []
    for query in slow_project(X, Wq):
        scores = [math.fsum(a * b for a, b in zip(query, key)) / math.sqrt(len(query)) for key in keys]
        exponentials = [math.exp(score - max(scores)) for score in scores]
        A.append([exponential / math.fsum(exponentials) for exponential in exponentials])
        H.append([math.fsum(w * value for w, value in zip(A[-1], column)) for column in zip(*values)])
    return np.array(A), np.array(H)


def some_head(rng, n, d, d_k, d_v):
    """X, Wq, Wk, Wv of these sizes; the largest scores are between one and eight."""
    X = rng.uniform(-2, 2, (n, d))
    Wq, Wk = rng.uniform(-1.2, 1.2, (2, d, d_k))
    return X, Wq, Wk, rng.uniform(-1, 1, (d, d_v))


def same_head(got, expected):
    """The pair (A, H) is the expected one."""
    A, H = pair(got, "(A, H)")
    same(A, expected[0])
    same(H, expected[1])


@pytest.mark.public
def test_identity_everywhere(student):
    """With three identity matrices, tower has the weights [.2483 .2483 .5035], the mixture [.5035 .2483]."""
    A, H = pair(student.attention(TOWER, SAME, SAME, SAME), "(A, H)")
    same(A, [[1 / 3] * 3, MOST_EIFFEL, MOST_TOWER], atol=1e-4)
    same(H, [[1 / 3] * 2, [.2483, .5035], [.5035, .2483]], atol=1e-4)


@pytest.mark.public
def test_another_match(student):
    """With the swap as Wq, tower has the weights [.2483 .5035 .2483] and the mixture [.2483 .5035]."""
    A, H = pair(student.attention(TOWER, SWAP, SAME, SAME), "(A, H)")
    same(A, [[1 / 3] * 3, MOST_TOWER, MOST_EIFFEL], atol=1e-4)
    same(H, [[1 / 3] * 2, [.5035, .2483], [.2483, .5035]], atol=1e-4)


@pytest.mark.public
def test_other_content(student):
    """The swap as Wv leaves tower's weights as they were, whatever Wq is, and changes what is mixed."""
    A, H = pair(student.attention(TOWER, SWAP, SAME, SWAP), "(A, H)")
    same(A, [[1 / 3] * 3, MOST_TOWER, MOST_EIFFEL], atol=1e-4)
    same(H, [[1 / 3] * 2, [.2483, .5035], [.5035, .2483]], atol=1e-4)
    A, H = pair(student.attention(TOWER, SAME, SAME, SWAP), "(A, H)")
    same(A, [[1 / 3] * 3, MOST_EIFFEL, MOST_TOWER], atol=1e-4)
    same(H, [[1 / 3] * 2, [.5035, .2483], [.2483, .5035]], atol=1e-4)


@pytest.mark.gate
@pytest.mark.weight(2)
def test_weights_from_plain_products(student, rng):
    """A comes first: each reader's shares (where every width is one, a score is a plain product)."""
    head = rng.uniform(-2, 2, (6, 1)), *rng.uniform(.6, 1.2, (3, 1, 1))
    A, _ = pair(student.attention(*head), "(A, H)")
    same(A, slow_attention(*head)[0])


@pytest.mark.weight(2)
def test_weights(student, rng):
    """Each row of A is the softmax of that reader's scores, divided by the root of d_k, for any sizes."""
    for sizes in ((5, 4, 3, 2), (3, 6, 5, 4), (4, 2, 7, 3)):
        head = some_head(rng, *sizes)
        A, _ = pair(student.attention(*head), "(A, H)")
        same(A, slow_attention(*head)[0])


@pytest.mark.weight(2)
def test_mixtures(student, rng):
    """Each row of H mixes the values with that reader's weights, for any width of the values."""
    for sizes in ((5, 4, 3, 2), (3, 6, 5, 4), (4, 2, 7, 3)):
        head = some_head(rng, *sizes)
        _, H = pair(student.attention(*head), "(A, H)")
        same(H, slow_attention(*head)[1])


def test_all_sizes_equal(student, rng):
    """Where every matrix is square, queries, keys and values still keep their roles."""
    head = some_head(rng, 3, 3, 3, 3)
    same_head(student.attention(*head), slow_attention(*head))


def test_asked_but_not_asking(student, rng):
    """Who asks nothing reads all alike, and may still be read: scores need not be mutual."""
    X, Wq, Wk, Wv = some_head(rng, 5, 3, 2, 4)
    X[:, 0] = [0, 0, 1.5, 0, -2]
    Wq[1:] = 0  # only what has the first coordinate asks
    A, H = slow_attention(X, Wq, Wk, Wv)
    same(A[[0, 1, 3]], np.full((3, 5), .2))
    same_head(student.attention(X, Wq, Wk, Wv), (A, H))


def test_no_keys(student, rng):
    """Where all keys are zero, every reader receives the mean of the values."""
    X, Wq, Wk, Wv = some_head(rng, 4, 3, 2, 5)
    A, H = np.full((4, 4), .25), np.tile((X @ Wv).mean(axis=0), (4, 1))
    same_head(student.attention(X, Wq, 0 * Wk, Wv), (A, H))


def test_content_has_no_part_in_the_match(student, rng):
    """Other value matrices leave every weight as it was, even one of zeros or of another width."""
    X, Wq, Wk, Wv = some_head(rng, 4, 3, 2, 3)
    for content in (Wv, 0 * Wv, Wv[:, :1]):
        same_head(student.attention(X, Wq, Wk, content), slow_attention(X, Wq, Wk, content))


def test_order_of_words(student, rng):
    """In another order, the same words get the same weights and mixtures: position counts for nothing."""
    X, *matrices = some_head(rng, 5, 4, 3, 2)
    A, H = slow_attention(X, *matrices)
    order = rng.permutation(5)
    same_head(student.attention(X[order], *matrices), (A[order][:, order], H[order]))


def test_single_word(student, rng):
    """A word that is alone gives itself all of its attention and receives its own value."""
    X, Wq, Wk, Wv = some_head(rng, 1, 4, 3, 5)
    same_head(student.attention(X, Wq, Wk, Wv), ([[1]], X @ Wv))


def test_single_coordinates(student, rng):
    """Words, queries and values of a single coordinate are enough."""
    head = some_head(rng, 4, 1, 1, 1)
    same_head(student.attention(*head), slow_attention(*head))


def test_large_scores(student, rng):
    """Scores far above 1000, or far below -1000, still give finite weights: only their differences count."""
    X = rng.integers(-4, 5, (5, 16)) / 4
    X[:, 0] = 80
    for sign in (1, -1):
        head = X, np.eye(16), sign * np.eye(16), np.eye(16)[:, 1:4]
        same_head(student.attention(*head), slow_attention(*head))


def test_kinds_of_numbers(student, rng):
    """Nested lists, integers and 32-bit floats give the same result as arrays of ordinary floats."""
    X = rng.permutation([[-1, 1, 2], [2, 1, -1], [1, 2, -1], [1, -1, 2]])
    matrices = [[1, 0], [0, 1], [-1, 1]], [[0, 1], [1, 0], [1, 1]], [[2], [3], [0]]
    whole = X, *(np.array(W) for W in matrices)
    same_head(student.attention(*whole), slow_attention(*whole))
    same_head(student.attention(*(part.tolist() for part in whole)), slow_attention(*whole))
    single = [part.astype(np.float32) for part in some_head(rng, 3, 4, 2, 5)]
    same_head(student.attention(*single), slow_attention(*single))


def test_inputs_are_left_as_they_were(student, rng):
    """The words and the three matrices that were handed in are the same after the call."""
    inputs_untouched(student.attention, *some_head(rng, 4, 3, 2, 5))
    inputs_untouched(student.attention, *some_head(rng, 3, 3, 3, 3))


def test_second_call(student, rng):
    """Other arguments of the same shapes give results of their own: nothing is remembered between calls."""
    first, second = some_head(rng, 3, 5, 2, 4), some_head(rng, 3, 5, 2, 4)
    for head in (first, second, (first[0], *second[1:]), first):
        same_head(student.attention(*head), slow_attention(*head))
