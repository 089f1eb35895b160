"""Hidden tests of `linear_attention`."""

import numpy as np
import pytest

from autograder.grading.suite import inputs_untouched, same

pytestmark = pytest.mark.leans_on("causal_mask")

KEYS, VALUES = [[1, 0], [0, 1], [.6, .8]], [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
SIZES = ((5, 3, 2), (4, 2, 6), (7, 5, 3), (3, 3, 3))  # n, d_k, d_v


def slow_linear_attention(Q, K, V):
    """out_t = the sum over s up to t of (q_t · k_s) v_s, one product after the other."""
    Q, K, V = (np.asarray(array, dtype=float) for array in (Q, K, V))
    out = np.zeros((len(Q), V.shape[1]))
    for t in range(len(Q)):
        for s in range(t + 1):
            for a in range(Q.shape[1]):
                out[t] += Q[t, a] * K[s, a] * V[s]
    return out


def some_words(rng, n, d_k, d_v):
    """Queries, keys and values."""
    return rng.uniform(-2, 2, (n, d_k)), rng.uniform(-2, 2, (n, d_k)), rng.uniform(-2, 2, (n, d_v))


@pytest.mark.public
def test_the_page(student):
    """With the keys and values of the page, and the keys as queries, out is as on paper."""
    same(student.linear_attention(KEYS, KEYS, VALUES), [[1, 2, 3], [4, 5, 6], [10.8, 13.2, 15.6]])


@pytest.mark.gate
def test_last_word(student, rng):
    """The last row mixes the values of all words (one coordinate in queries and keys)."""
    words = some_words(rng, 5, 1, 2)
    only_last = np.where(np.arange(5)[:, None] == 4, 1e-5, 1e3)
    same(student.linear_attention(*words), slow_linear_attention(*words), atol=only_last)


@pytest.mark.weight(3)
def test_every_word(student, rng):
    """Each row is the sum of the values up to and with that word, times the plain products."""
    for sizes in SIZES:
        words = some_words(rng, *sizes)
        same(student.linear_attention(*words), slow_linear_attention(*words))


@pytest.mark.weight(2)
def test_no_leak(student, rng):
    """Whichever word is changed, no earlier row moves, and the later ones are right."""
    Q, K, V = some_words(rng, 6, 3, 4)
    before = student.linear_attention(Q, K, V)
    right = slow_linear_attention(Q, K, V)
    same(before, right)
    for j in range(6):
        other = [rows.copy() for rows in (Q, K, V)]
        for rows in other:
            rows[j] += rng.choice([-1, 1], rows.shape[1]) * rng.uniform(1, 3, rows.shape[1])
        expected = np.vstack([np.asarray(before)[:j], slow_linear_attention(*other)[j:]])
        same(student.linear_attention(*other), expected)


def test_twice_the_query(student, rng):
    """Twice the queries, twice the result: nothing is normalized. Opposite ones, the opposite."""
    Q, K, V = some_words(rng, 5, 3, 2)
    out = slow_linear_attention(Q, K, V)
    same(student.linear_attention(2 * Q, K, V), 2 * out)
    same(student.linear_attention(-Q, K, V), -out)


def test_queries_and_keys(student, rng):
    """With queries and keys exchanged, the result is another."""
    Q, K, V = some_words(rng, 4, 3, 2)
    same(student.linear_attention(K, Q, V), slow_linear_attention(K, Q, V))


def test_rows_of_zeros(student, rng):
    """A query of zeros gets nothing, a key of zeros gives nothing."""
    Q, K, V = some_words(rng, 6, 3, 2)
    Q[2] = K[4] = 0
    same(student.linear_attention(Q, K, V), slow_linear_attention(Q, K, V))


def test_just_one(student, rng):
    """A single word, or single coordinates."""
    for sizes in ((1, 3, 2), (4, 1, 3), (5, 2, 1)):
        words = some_words(rng, *sizes)
        same(student.linear_attention(*words), slow_linear_attention(*words))


def test_large_products(student, rng):
    """Words eight times as long: the products are large, and still just weights."""
    Q, K, V = some_words(rng, 5, 3, 2)
    same(student.linear_attention(8 * Q, 8 * K, V), slow_linear_attention(8 * Q, 8 * K, V), atol=1e-3)


def test_kinds_of_numbers(student, rng):
    """Nested lists, integers and 32-bit floats give the same result as arrays of ordinary floats."""
    Q, K = rng.integers(-2, 3, (2, 4, 3)) / 4
    V = rng.integers(-2, 3, (4, 2))
    same(student.linear_attention(Q, K, V), slow_linear_attention(Q, K, V))
    whole = [rng.integers(-2, 3, shape) for shape in ((4, 3), (4, 3), (4, 2))]
    same(student.linear_attention(*whole), slow_linear_attention(*whole))
    same(student.linear_attention(*(rows.tolist() for rows in whole)), slow_linear_attention(*whole))
    single = [rows.astype(np.float32) for rows in some_words(rng, 4, 3, 2)]
    same(student.linear_attention(*single), slow_linear_attention(*single), atol=1e-4)


def test_inputs_are_left_as_they_were(student, rng):
    """Queries, keys and values are the same after the call."""
    inputs_untouched(student.linear_attention, *some_words(rng, 4, 3, 2))


def test_second_call(student, rng):
    """Other words of the same shapes give a result of their own."""
    first, second = some_words(rng, 4, 2, 3), some_words(rng, 4, 2, 3)
    for words in (first, second, first):
        same(student.linear_attention(*words), slow_linear_attention(*words))
