"""Hidden tests of `project`."""

import numpy as np
import pytest

from autograder.grading.suite import inputs_untouched, pair, same

TOWER = [[0, 0], [0, 1], [1, 0]]  # the, Eiffel, tower
SAME, SWAP = [[1, 0], [0, 1]], [[0, 1], [1, 0]]


def slow_product(X, W):
    """Y[i, j] = sum_k X[i, k] W[k, j], one number after the other."""
    X, W = np.asarray(X, dtype=float), np.asarray(W, dtype=float)
    Y = np.zeros((X.shape[0], W.shape[1]))
    for i, j, k in np.ndindex(*Y.shape, X.shape[1]):
        Y[i, j] += X[i, k] * W[k, j]
    return Y


def some_words(rng, n, d, d_k, d_v):
    """X, Wq, Wk, Wv of these sizes."""
    return tuple(rng.uniform(-2, 2, shape) for shape in ((n, d), (d, d_k), (d, d_k), (d, d_v)))


def same_projections(got, X, *matrices):
    """The triple (Q, K, V) is the expected one."""
    for part, W in zip(pair(got, "(Q, K, V)"), matrices, strict=True):
        same(part, slow_product(X, W))


@pytest.mark.public
def test_queries_of_the_tower(student):
    """The swap as Wq turns the queries of the, Eiffel, tower into [0 0], [1 0], [0 1]."""
    Q, K, V = pair(student.project(TOWER, SWAP, SAME, SAME), "(Q, K, V)")
    same(Q, [[0, 0], [1, 0], [0, 1]])
    same(K, TOWER)
    same(V, TOWER)


@pytest.mark.gate
@pytest.mark.weight(2)
def test_queries(student, rng):
    """Q comes first: each row of X times Wq, for matrices that are not square."""
    for sizes in ((5, 4, 3, 2), (3, 2, 5, 4)):
        X, Wq, Wk, Wv = some_words(rng, *sizes)
        Q, _, _ = pair(student.project(X, Wq, Wk, Wv), "(Q, K, V)")
        same(Q, slow_product(X, Wq))


@pytest.mark.weight(2)
def test_keys(student, rng):
    """K comes second: each row of X times Wk, and nothing else."""
    for sizes in ((5, 4, 3, 2), (3, 2, 5, 4)):
        X, Wq, Wk, Wv = some_words(rng, *sizes)
        _, K, _ = pair(student.project(X, Wq, Wk, Wv), "(Q, K, V)")
        same(K, slow_product(X, Wk))


@pytest.mark.weight(2)
def test_values(student, rng):
    """V comes third: each row of X times Wv, whose width is its own."""
    for sizes in ((5, 4, 3, 2), (3, 2, 5, 4)):
        X, Wq, Wk, Wv = some_words(rng, *sizes)
        _, _, V = pair(student.project(X, Wq, Wk, Wv), "(Q, K, V)")
        same(V, slow_product(X, Wv))


def test_all_sizes_equal(student, rng):
    """Where every matrix is square, rows and columns still keep their roles."""
    words = some_words(rng, 3, 3, 3, 3)
    same_projections(student.project(*words), *words)


def test_just_one(student, rng):
    """One word, one coordinate, or queries and values of width one are enough."""
    for sizes in ((1, 5, 3, 2), (4, 1, 2, 3), (3, 4, 1, 1)):
        words = some_words(rng, *sizes)
        same_projections(student.project(*words), *words)


def test_word_of_zeros(student, rng):
    """A word of zeros has a query, a key and a value of zeros: nothing is added to the products."""
    X, *matrices = some_words(rng, 4, 3, 2, 5)
    X[2] = 0
    same_projections(student.project(X, *matrices), X, *matrices)


def test_kinds_of_numbers(student, rng):
    """Nested lists, integers and 32-bit floats give the same projections as arrays of ordinary floats."""
    X, *matrices = some_words(rng, 3, 4, 2, 3)
    whole = np.rint(3 * X).astype(int)
    same_projections(student.project(whole, *matrices), whole, *matrices)
    lists = [part.tolist() for part in (X, *matrices)]
    same_projections(student.project(*lists), X, *matrices)
    single = [part.astype(np.float32) for part in (X, *matrices)]
    same_projections(student.project(*single), *single)


def test_inputs_are_left_as_they_were(student, rng):
    """The words and the three matrices that were handed in are the same after the call."""
    inputs_untouched(student.project, *some_words(rng, 5, 4, 3, 2))
    inputs_untouched(student.project, *some_words(rng, 3, 3, 3, 3))


def test_second_call(student, rng):
    """Other words or matrices of the same shapes give results of their own: nothing is remembered."""
    first, second = some_words(rng, 4, 3, 2, 5), some_words(rng, 4, 3, 2, 5)
    for words in (first, second, (first[0], *second[1:]), first):
        same_projections(student.project(*words), *words)
