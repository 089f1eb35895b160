"""Hidden tests of `effect_of_change`."""

import math

import numpy as np
import pytest

from autograder.grading.suite import inputs_untouched, same

pytestmark = pytest.mark.leans_on(
    "multi_head", "attention_sublayer", "split_heads", "concat_heads", "pack_projections"
)


def slow_effect(loops, X, source, receiver, delta, params, residual):
    """The change of each coordinate at the receiver, squared, added up, and the root of it."""
    X = np.asarray(X, dtype=float)
    moved = X.copy()
    moved[source] = moved[source] + np.asarray(delta, dtype=float)
    change = loops.update(moved, *params)[receiver] - loops.update(X, *params)[receiver]
    if residual:
        change = change + moved[receiver] - X[receiver]
    return math.sqrt(math.fsum(part * part for part in change))


def setting(rng, loops, n=5, d=6, d_k=3, d_v=5, h=2):
    """X, delta and the parameters."""
    X, *params = loops.draw(rng, n, d, d_k, d_v, h)
    return X, rng.uniform(.3, .9, d) * rng.choice([-1, 1], d), tuple(params)


def saturated(rng, loops):
    """Two heads that let every token read the next one alone, the last token the first: X, delta, params."""
    X, *_ = loops.draw(rng, 5, 6, 6, 4, 2)
    X[:, :5] = np.eye(5)  # who a token is; coordinate 5 is its content
    Wq, Wk = np.zeros((2, 6, 6)), np.zeros((2, 6, 6))
    Wq[:, :5, :5] = 300 * np.roll(np.eye(5), 1, axis=1)
    Wk[:, :5, :5] = np.eye(5)
    Wv, Wo = rng.uniform(-1, 1, (2, 6, 4)), rng.uniform(-1, 1, (8, 6))
    return X, rng.uniform(.1, .2, 6), (Wq, Wk, Wv, Wo)


@pytest.mark.public
def test_as_crossed_feels_it(student, loops):
    """A nudge to chicken, road or carelessly moves the update of crossed by .12, one to The by .01."""
    X, *params = loops.page()
    for word, effect in ((0, .0078), (1, .1178), (4, .1178), (5, .1178)):
        same(student.effect_of_change(X, word, 2, [.1] * 5, tuple(params), False), effect, atol=2e-4)


@pytest.mark.public
def test_saturated_crossed(student, loops):
    """With queries three times as long, a nudge to crossed moves its update by .00, its output by .22."""
    X, *params = loops.page(9)
    same(student.effect_of_change(X, 2, 2, [.1] * 5, tuple(params), False), 0, atol=5e-4)
    same(student.effect_of_change(X, 2, 2, [.1] * 5, tuple(params), True), .2236, atol=5e-4)


@pytest.mark.gate
@pytest.mark.weight(2)
def test_change_at_another_token(student, rng, loops):
    """The effect at another token is the length of the change of its output, from its sources alone."""
    X, delta, params = setting(rng, loops)
    for source, receiver in ((1, 3), (4, 0)):
        got = student.effect_of_change(X, source, receiver, delta, params, False)
        same(got, slow_effect(loops, X, source, receiver, delta, params, False))


@pytest.mark.weight(2)
def test_change_at_the_token_itself(student, rng, loops):
    """At the token that is moved, the update changes too, since it asks and offers something else."""
    X, delta, params = setting(rng, loops)
    for token in (0, 3):
        got = student.effect_of_change(X, token, token, delta, params, False)
        same(got, slow_effect(loops, X, token, token, delta, params, False))


@pytest.mark.weight(2)
def test_residual_path(student, rng, loops):
    """With the residual path the change of the token itself is part of the change of its output."""
    X, delta, params = setting(rng, loops)
    for token in (0, 3):
        got = student.effect_of_change(X, token, token, delta, params, True)
        same(got, slow_effect(loops, X, token, token, delta, params, True))


def test_residual_path_of_another_token(student, rng, loops):
    """The residual path carries a change to the token itself only: elsewhere it makes no difference."""
    X, delta, params = setting(rng, loops)
    expected = slow_effect(loops, X, 1, 3, delta, params, False)
    for residual in (True, False):
        same(student.effect_of_change(X, 1, 3, delta, params, residual), expected)


def test_saturated_heads(student, rng, loops):
    """Heads that give all weight to one other token block a change of the reader, not of what it reads."""
    X, delta, params = saturated(rng, loops)
    delta[:5] = 0
    length = math.sqrt(math.fsum(part * part for part in delta))
    same(student.effect_of_change(X, 1, 1, delta, params, False), 0)
    same(student.effect_of_change(X, 1, 1, delta, params, True), length)
    same(student.effect_of_change(X, 3, 1, delta, params, True), 0)
    expected = slow_effect(loops, X, 2, 1, delta, params, False)
    same(student.effect_of_change(X, 2, 1, delta, params, False), expected)


def test_no_output(student, rng, loops):
    """Without an output projection only the residual path is left, and it carries the change as it is."""
    X, delta, (Wq, Wk, Wv, Wo) = setting(rng, loops)
    nothing = Wq, Wk, Wv, 0 * Wo
    same(student.effect_of_change(X, 2, 2, delta, nothing, True), math.sqrt(math.fsum(delta * delta)))
    same(student.effect_of_change(X, 2, 4, delta, nothing, True), 0)


def test_no_change(student, rng, loops):
    """A change of zero has no effect anywhere."""
    X, delta, params = setting(rng, loops)
    for receiver in (1, 2):
        same(student.effect_of_change(X, 1, receiver, 0 * delta, params, True), 0)


def test_size_of_the_change(student, rng, loops):
    """A change ten times as large or as small has its own effect, which is not divided by its size."""
    X, delta, params = setting(rng, loops)
    for size in (10, .1):
        got = student.effect_of_change(X, 2, 2, size * delta, params, True)
        same(got, slow_effect(loops, X, 2, 2, size * delta, params, True))


def test_sizes(student, rng, loops):
    """Two tokens, one head or a width of one are enough; the widths are free."""
    for sizes in ((2, 6, 3, 5, 1), (4, 3, 1, 2, 3), (3, 1, 2, 1, 2), (6, 6, 3, 3, 2)):
        X, delta, params = setting(rng, loops, *sizes)
        got = student.effect_of_change(X, 1, 0, delta, params, False)
        same(got, slow_effect(loops, X, 1, 0, delta, params, False))


def test_kinds_of_numbers(student, rng, loops):
    """Integer tokens take a fractional change; nested lists and 32-bit floats are as good as arrays."""
    X, delta, params = setting(rng, loops)
    integers = rng.permutation(np.arange(30) % 5 - 2).reshape(5, 6)
    expected = slow_effect(loops, integers, 3, 3, delta, params, True)
    same(student.effect_of_change(integers, 3, 3, delta, params, True), expected)
    lists = [matrix.tolist() for matrix in params]
    same(student.effect_of_change(integers.tolist(), 3, 3, delta.tolist(), lists, True), expected)
    single = [matrix.astype(np.float32) for matrix in (X, delta, *params)]
    got = student.effect_of_change(single[0], 2, 4, 4 * single[1], tuple(single[2:]), False)
    same(got, slow_effect(loops, single[0], 2, 4, 4 * single[1], single[2:], False))


def test_inputs_are_left_as_they_were(student, rng, loops):
    """The tokens, the change and the parameters are the same after the call."""
    X, delta, params = setting(rng, loops)
    inputs_untouched(student.effect_of_change, X, 2, 2, delta, params, True)


def test_second_call(student, rng, loops):
    """Another change gives its own effect: the first one has left no trace."""
    X, delta, params = setting(rng, loops)
    for source, residual in ((0, True), (1, False), (0, True)):
        got = student.effect_of_change(X, source, 1, delta, params, residual)
        same(got, slow_effect(loops, X, source, 1, delta, params, residual))
