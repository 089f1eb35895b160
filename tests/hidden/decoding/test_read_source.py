"""Hidden tests of `read_source`."""

import math

import numpy as np
import pytest

from autograder.grading.suite import inputs_untouched, pair, same

MEMORY = [[1, 0, 5], [0, 1, 7]]
ASKING = {"cross_q": [[0, 1], [1, 0]], "cross_k": [[1, 0], [0, 1], [0, 0]], "cross_v": [[0], [0], [1]]}
SIZES = ((5, 4, 6, 3, 2), (3, 6, 2, 5, 4), (7, 2, 3, 6, 3))  # m, d, d_m, d_k, d_v


def slow_look(state, memory, params):
    """The weights and the context, source word by source word."""
    state, memory = np.asarray(state, dtype=float), np.asarray(memory, dtype=float)
    Wq, Wk, Wv = (np.asarray(params[f"cross_{part}"], dtype=float) for part in "qkv")
    q = [math.fsum(a * b for a, b in zip(state, column)) for column in Wq.T]
    keys, values = (np.einsum("md,dk->mk", memory, W) for W in (Wk, Wv))
    scores = [math.fsum(a * b for a, b in zip(q, k)) / math.sqrt(len(q)) for k in keys]
    weights = [1 / math.fsum(math.exp(min(other - score, 700)) for other in scores) for score in scores]
    return weights, [math.fsum(w * v for w, v in zip(weights, column)) for column in values.T]


def some_look(rng, m, d, d_m, d_k, d_v):
    """A state, a memory and matrices, with scores between about -8 and 8."""
    shapes = {"cross_q": (d, d_k), "cross_k": (d_m, d_k), "cross_v": (d_m, d_v)}
    params = {name: rng.uniform(-1, 1, shape) for name, shape in shapes.items()}
    return rng.uniform(-2, 2, d), rng.uniform(-2, 2, (m, d_m)), params


def same_look(got, expected):
    """The pair (weights, context) is the expected one."""
    weights, context = pair(got, "(weights, context)")
    same(weights, expected[0])
    same(context, expected[1])


@pytest.mark.public
def test_two_looks(student):
    """The source of the page answers 6.79 if a noun is due, and 5.21 if an adjective is."""
    for state, shares, answer in (([3, 0], [.11, .89], 6.79), ([0, 3], [.89, .11], 5.21)):
        weights, context = pair(student.read_source(state, MEMORY, ASKING), "(weights, context)")
        same(weights, shares, atol=6e-3)
        same(context, [answer], atol=6e-3)


@pytest.mark.gate
def test_shares(student, rng):
    """The weights come first, and a source word that suits the state far better gets most of the share."""
    memory, params = rng.permutation([[-2.], [-1], [0], [1], [4]]), {name: np.eye(1) for name in ASKING}
    for state in (rng.uniform(1.5, 2, 1), rng.uniform(-4, -3, 1)):
        weights, _ = pair(student.read_source(state, memory, params), "(weights, context)")
        same(weights, slow_look(state, memory, params)[0], atol=.35)


@pytest.mark.weight(3)
def test_weights(student, rng):
    """The weights are the softmax, over the source words, of the products divided by the root of d_k."""
    for sizes in SIZES:
        look = some_look(rng, *sizes)
        weights, _ = pair(student.read_source(*look), "(weights, context)")
        same(weights, slow_look(*look)[0])


@pytest.mark.weight(2)
def test_context(student, rng):
    """The context mixes the values of the source words, as wide as cross_v says."""
    for sizes in SIZES:
        look = some_look(rng, *sizes)
        _, context = pair(student.read_source(*look), "(weights, context)")
        same(context, slow_look(*look)[1])


def test_square_matrices(student, rng):
    """Where all widths are the same, no matrix is taken for another, nor turned."""
    look = some_look(rng, 3, 3, 3, 3, 3)
    same_look(student.read_source(*look), slow_look(*look))


def test_single_word(student, rng):
    """A source of one word gives its value, whatever the state."""
    state, memory, params = some_look(rng, 1, 4, 3, 5, 2)
    for asking in (state, -3 * state):
        expected = [1], memory[0] @ params["cross_v"]
        same_look(student.read_source(asking, memory, params), expected)


def test_state_of_zeros(student, rng):
    """A state of zeros asks for nothing: the context is the mean of the values."""
    _, memory, params = some_look(rng, 5, 4, 3, 2, 3)
    expected = np.full(5, .2), (memory @ params["cross_v"]).mean(axis=0)
    same_look(student.read_source(np.zeros(4), memory, params), expected)


def test_order_of_the_source(student, rng):
    """Source words in another order: the same weights with them, the same context."""
    state, memory, params = some_look(rng, 5, 4, 3, 2, 3)
    order = np.roll(rng.permutation(5), 1)
    weights, context = slow_look(state, memory, params)
    same_look(student.read_source(state, memory[order], params), (np.array(weights)[order], context))


def test_scores_far_from_zero(student, rng):
    """Scores that are all near +1500, or near -1500, give finite, correct weights: only differences count."""
    memory = np.column_stack([np.full(5, 64.), rng.integers(-4, 5, (5, 2)) / 4])
    for sign in (1, -1):
        params = {"cross_q": np.eye(4)[:3], "cross_k": np.eye(4)[:3], "cross_v": rng.uniform(-1, 1, (3, 2))}
        state = np.array([sign * 48., *rng.integers(-4, 5, 2) / 2])
        same_look(student.read_source(state, memory, params), slow_look(state, memory, params))


def test_other_matrices_in_the_dict(student, rng):
    """Further entries of the dict, like those of self-attention, play no part."""
    state, memory, params = some_look(rng, 4, 3, 5, 2, 3)
    more = {name: rng.uniform(-1, 1, (3, 3)) for name in ("self_q", "self_k", "self_v")}
    same_look(student.read_source(state, memory, {**more, **params}), slow_look(state, memory, params))


def test_kinds_of_numbers(student, rng):
    """Lists, integers and 32-bit floats give the same result as arrays of ordinary floats."""
    state, memory = rng.integers(-2, 3, 4), rng.integers(-2, 3, (5, 3))
    params = {name: rng.integers(-1, 2, shape) for name, shape in
              (("cross_q", (4, 2)), ("cross_k", (3, 2)), ("cross_v", (3, 3)))}
    expected = slow_look(state, memory, params)
    same_look(student.read_source(state, memory, params), expected)
    lists = {name: matrix.tolist() for name, matrix in params.items()}
    same_look(student.read_source(state.tolist(), memory.tolist(), lists), expected)
    state, memory, params = some_look(rng, 4, 3, 5, 2, 3)
    single = {name: matrix.astype(np.float32) for name, matrix in params.items()}
    got = student.read_source(state.astype(np.float32), memory.astype(np.float32), single)
    same_look(got, slow_look(state, memory, params))


def test_inputs_are_left_as_they_were(student, rng):
    """The state, the memory and the matrices are the same after the call."""
    inputs_untouched(student.read_source, *some_look(rng, 4, 3, 5, 2, 3))


def test_second_call(student, rng):
    """Another source, or another state, gives a result of its own."""
    first, second = some_look(rng, 4, 3, 5, 2, 3), some_look(rng, 6, 3, 5, 2, 3)
    for look in (first, second, (second[0], *first[1:]), first):
        same_look(student.read_source(*look), slow_look(*look))
