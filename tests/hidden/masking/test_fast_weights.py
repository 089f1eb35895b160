"""Hidden tests of `fast_weights`."""

import numpy as np
import pytest

from autograder.grading.suite import inputs_untouched, pair, same

pytestmark = pytest.mark.leans_on("linear_attention")

KEYS, VALUES = [[1, 0], [0, 1], [.6, .8]], [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
SIZES = ((5, 3, 2), (4, 2, 6), (7, 5, 3), (3, 3, 3))  # n, d_k, d_v


def slow_fast_weights(Q, K, V):
    """Number by number: the memory after each word, and what its query reads out of it."""
    Q, K, V = (np.asarray(array, dtype=float) for array in (Q, K, V))
    memory, out = np.zeros((K.shape[1], V.shape[1])), np.zeros((len(Q), V.shape[1]))
    for t in range(len(Q)):
        for a, b in np.ndindex(*memory.shape):
            memory[a, b] += K[t, a] * V[t, b]
            out[t, b] += Q[t, a] * memory[a, b]
    return out, memory


def some_words(rng, n, d_k, d_v):
    """Queries, keys and values."""
    return rng.uniform(-2, 2, (n, d_k)), rng.uniform(-2, 2, (n, d_k)), rng.uniform(-2, 2, (n, d_v))


def same_result(got, expected, atol=1e-5):
    """The pair (out, memory) is the expected one."""
    out, memory = pair(got, "(out, memory)")
    same(out, expected[0], atol=atol)
    same(memory, expected[1], atol=atol)


@pytest.mark.public
def test_the_page(student):
    """After the three words of the page, the second row of the memory is [9.6 11.4 13.2]."""
    expected = [[1, 2, 3], [4, 5, 6], [10.8, 13.2, 15.6]], [[5.2, 6.8, 8.4], [9.6, 11.4, 13.2]]
    same_result(student.fast_weights(KEYS, KEYS, VALUES), expected)


@pytest.mark.gate
def test_last_word(student, rng):
    """The last row of out is read from everything (one coordinate in queries and keys)."""
    words = some_words(rng, 5, 1, 2)
    out, _ = pair(student.fast_weights(*words), "(out, memory)")
    same(out, slow_fast_weights(*words)[0], atol=np.where(np.arange(5)[:, None] == 4, 1e-5, 1e3))


@pytest.mark.weight(2)
def test_out(student, rng):
    """Each row of out is read from the memory of all words up to that one, itself included."""
    for sizes in SIZES:
        words = some_words(rng, *sizes)
        out, _ = pair(student.fast_weights(*words), "(out, memory)")
        same(out, slow_fast_weights(*words)[0])


@pytest.mark.weight(2)
def test_memory(student, rng):
    """The memory holds the sum of all words' products, coordinates of keys by coordinates of values."""
    for sizes in SIZES:
        words = some_words(rng, *sizes)
        _, memory = pair(student.fast_weights(*words), "(out, memory)")
        same(memory, slow_fast_weights(*words)[1])


def test_size_of_the_memory(student, rng):
    """However many words there are, the memory has as many numbers."""
    for n in (1, 4, 30):
        words = some_words(rng, n, 3, 2)
        same_result(student.fast_weights(*words), slow_fast_weights(*words), atol=1e-4)


@pytest.mark.weight(2)
def test_no_leak(student, rng):
    """Whichever word is changed, no earlier row of out moves, and the later ones are right."""
    Q, K, V = some_words(rng, 6, 3, 4)
    before, _ = pair(student.fast_weights(Q, K, V), "(out, memory)")
    same(before, slow_fast_weights(Q, K, V)[0])
    for j in range(6):
        other = [rows.copy() for rows in (Q, K, V)]
        for rows in other:
            rows[j] += rng.choice([-1, 1], rows.shape[1]) * rng.uniform(1, 3, rows.shape[1])
        out, _ = pair(student.fast_weights(*other), "(out, memory)")
        same(out, np.vstack([np.asarray(before)[:j], slow_fast_weights(*other)[0][j:]]))


def test_keys_apart(student, rng):
    """Keys of length one at right angles are kept apart: asked for one, the memory gives its value."""
    K, _ = np.linalg.qr(rng.uniform(-2, 2, (4, 4)))
    V, order = rng.uniform(-2, 2, (4, 3)), rng.permutation(4)
    Q = K[order]
    known = (order <= np.arange(4))[:, None]  # a value that comes later is not there yet
    same_result(student.fast_weights(Q, K, V), (V[order] * known, K.T @ V))


def test_just_one(student, rng):
    """A single word, or single coordinates."""
    for sizes in ((1, 3, 2), (4, 1, 3), (5, 2, 1)):
        words = some_words(rng, *sizes)
        same_result(student.fast_weights(*words), slow_fast_weights(*words))


def test_rows_of_zeros(student, rng):
    """A query of zeros gets nothing, a key of zeros leaves the memory as it was."""
    Q, K, V = some_words(rng, 6, 3, 2)
    Q[2] = K[4] = 0
    same_result(student.fast_weights(Q, K, V), slow_fast_weights(Q, K, V))


def test_kinds_of_numbers(student, rng):
    """Nested lists, integers and 32-bit floats give the same result as arrays of ordinary floats."""
    Q, K = rng.integers(-2, 3, (2, 4, 3)) / 4
    V = rng.integers(-2, 3, (4, 2))
    same_result(student.fast_weights(Q, K, V), slow_fast_weights(Q, K, V))
    whole = [rng.integers(-2, 3, shape) for shape in ((4, 3), (4, 3), (4, 2))]
    same_result(student.fast_weights(whole[0] / 4, *whole[1:]), slow_fast_weights(whole[0] / 4, *whole[1:]))
    same_result(student.fast_weights(*(rows.tolist() for rows in whole)), slow_fast_weights(*whole))
    single = [rows.astype(np.float32) for rows in some_words(rng, 4, 3, 2)]
    same_result(student.fast_weights(*single), slow_fast_weights(*single), atol=1e-4)


def test_inputs_are_left_as_they_were(student, rng):
    """Queries, keys and values are the same after the call."""
    inputs_untouched(student.fast_weights, *some_words(rng, 4, 3, 2))


def test_second_call(student, rng):
    """Each call starts with an empty memory."""
    first, second = some_words(rng, 4, 2, 3), some_words(rng, 4, 2, 3)
    for words in (first, second, first):
        same_result(student.fast_weights(*words), slow_fast_weights(*words))
