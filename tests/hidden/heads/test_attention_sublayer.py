"""Hidden tests of `attention_sublayer`."""

import numpy as np
import pytest

from autograder.grading.suite import inputs_untouched, same

pytestmark = pytest.mark.leans_on("multi_head", "split_heads", "concat_heads", "pack_projections")

SIZES = (5, 6, 3, 5, 2), (4, 7, 2, 3, 3)  # n, d, d_k, d_v, h


def output(loops, X, *params, causal=False):
    """X + update, from the loops."""
    return np.asarray(X, dtype=float) + loops.update(X, *params, causal)


@pytest.mark.public
def test_row_of_crossed(student, loops):
    """Crossed keeps its deed and gains who, what and how: [.93 .93 .93 1 0]."""
    expected = loops.page()[0] + [1 / 6, 1 / 6, 1 / 6, 0, 0]
    expected[2] = [.933, .933, .933, 1, 0]
    same(student.attention_sublayer(*loops.page()), expected, atol=1e-3)


@pytest.mark.public
def test_second_layer(student, loops):
    """After a second layer crossed has 2.00 of what, or .93 if head 1 was silenced in the first."""
    X, *params = loops.page()
    parts = loops.parts(X, *params)
    for first, what in ((X + sum(parts), 1.999), (X + parts[0] + parts[2], .933), (X, .933)):
        expected = output(loops, first, *params)
        expected[2, 1] = what
        same(student.attention_sublayer(first, *params), expected, atol=1e-3)


@pytest.mark.gate
@pytest.mark.weight(2)
def test_tokens_plus_update(student, rng, loops):
    """Every token keeps its row and gains its update."""
    for sizes in SIZES:
        inputs = loops.draw(rng, *sizes)
        same(student.attention_sublayer(*inputs), output(loops, *inputs))


@pytest.mark.weight(2)
def test_causal(student, rng, loops):
    """With causal=True the update comes from heads that read no later token."""
    for sizes in SIZES:
        inputs = loops.draw(rng, *sizes)
        same(student.attention_sublayer(*inputs, causal=True), output(loops, *inputs, causal=True))


def test_no_update(student, rng, loops):
    """If the output projection is zero, every token stays what it was."""
    X, Wq, Wk, Wv, Wo = loops.draw(rng, 4, 6, 3, 5, 2)
    same(student.attention_sublayer(X, Wq, Wk, Wv, 0 * Wo), X)


def test_order_of_tokens(student, rng, loops):
    """Without causal, the same tokens in another order give the same rows, in that order."""
    X, *params = loops.draw(rng, 5, 6, 3, 5, 2)
    order = np.roll(rng.permutation(5), 1)
    same(student.attention_sublayer(X[order], *params), output(loops, X, *params)[order])


def test_square_sizes(student, rng, loops):
    """All is well too where the mixtures together are as wide as a token."""
    inputs = loops.draw(rng, 5, 6, 2, 3, 2)
    same(student.attention_sublayer(*inputs), output(loops, *inputs))


def test_just_one(student, rng, loops):
    """One token, one head or a width of one are enough."""
    for sizes in ((1, 6, 3, 5, 2), (4, 6, 3, 5, 1), (4, 1, 1, 1, 2)):
        inputs = loops.draw(rng, *sizes)
        same(student.attention_sublayer(*inputs), output(loops, *inputs))


def test_kinds_of_numbers(student, rng, loops):
    """Integer tokens keep the fractions of their update; nested lists and 32-bit floats are as good."""
    X, *params = loops.draw(rng, 4, 6, 3, 5, 2)
    integers = rng.integers(-2, 3, (4, 6))
    same(student.attention_sublayer(integers, *params), output(loops, integers, *params))
    lists = [matrix.tolist() for matrix in (integers, *params)]
    same(student.attention_sublayer(*lists), output(loops, integers, *params))
    single = [matrix.astype(np.float32) for matrix in (X, *params)]
    same(student.attention_sublayer(*single), output(loops, *single))


def test_inputs_are_left_as_they_were(student, rng, loops):
    """The tokens and the parameters that were handed in are the same after the call."""
    inputs_untouched(student.attention_sublayer, *loops.draw(rng, 4, 6, 3, 5, 2))


def test_second_call(student, rng, loops):
    """Other inputs of the same shapes give their own result, and causal is not remembered."""
    first, second = loops.draw(rng, 4, 6, 3, 5, 2), loops.draw(rng, 4, 6, 3, 5, 2)
    for inputs, causal in ((first, True), (second, False), (first, False)):
        same(student.attention_sublayer(*inputs, causal=causal), output(loops, *inputs, causal=causal))
