"""Hidden tests of `multi_head`."""

import numpy as np
import pytest

from autograder.grading.suite import inputs_untouched, pair, same

pytestmark = pytest.mark.leans_on("split_heads", "concat_heads", "pack_projections")

SIZES = (5, 6, 3, 5, 2), (4, 7, 2, 3, 3)  # n, d, d_k, d_v, h
CROSSED = [[.0134, .9330, .0134, .0134, .0134, .0134],
           [.0134, .0134, .0134, .0134, .9330, .0134],
           [.0134, .0134, .0134, .0134, .0134, .9330]]


def weights_and_update(got):
    """The pair (A, update)."""
    return pair(got, "(A, update)")


def same_heads(got, loops, inputs, causal=False):
    """The weights of all heads, and their update, are those of the loops."""
    A, update = weights_and_update(got)
    same(A, loops.weights(*inputs, causal))
    same(update, loops.update(*inputs, causal))


@pytest.mark.public
def test_what_crossed_reads(student, loops):
    """Crossed reads chicken, road and carelessly with .93 each, and its update is [.93 .93 .93 0 0]."""
    A, update = weights_and_update(student.multi_head(*loops.page()))
    expected = np.full((3, 6, 6), 1 / 6)
    expected[:, 2] = CROSSED
    same(A, expected, atol=1e-4)
    same(update, [[1 / 6] * 3 + [0, 0]] * 2 + [[.933] * 3 + [0, 0]] + [[1 / 6] * 3 + [0, 0]] * 3, atol=1e-3)


@pytest.mark.public
def test_crossed_looks_back_only(student, loops):
    """With causal=True crossed has [.97 0 0 0 0]: what and how come later."""
    A, update = weights_and_update(student.multi_head(*loops.page(), causal=True))
    expected = np.tile(np.tri(6) / np.arange(1, 7)[:, None], (3, 1, 1))
    expected[0, 2] = [.0139, .9721, .0139, 0, 0, 0]
    same(A, expected, atol=1e-4)
    who, what, how = [0, .5, .9721, .25, .2, 1 / 6], [0, 0, 0, 0, .2, 1 / 6], [0, 0, 0, 0, 0, 1 / 6]
    same(update, np.array([who, what, how, [0] * 6, [0] * 6]).T, atol=1e-4)


@pytest.mark.gate
def test_a_single_head(student, rng, loops):
    """A comes first and holds, for one head among tokens of one coordinate, each reader's shares."""
    inputs = rng.uniform(-2, 2, (6, 1)), *rng.uniform(.7, 1.5, (3, 1, 1, 1)), rng.uniform(1, 2, (1, 1))
    A, _ = weights_and_update(student.multi_head(*inputs))
    same(A, loops.weights(*inputs))


@pytest.mark.weight(2)
def test_weights(student, rng, loops):
    """A holds one matrix for each head: every reader's shares, from that head's own scaled scores."""
    for sizes in SIZES:
        inputs = loops.draw(rng, *sizes)
        A, _ = weights_and_update(student.multi_head(*inputs))
        same(A, loops.weights(*inputs))


@pytest.mark.weight(3)
def test_update(student, rng, loops):
    """The update is made of the mixtures of all heads, side by side, by the output projection."""
    for sizes in SIZES:
        inputs = loops.draw(rng, *sizes)
        _, update = weights_and_update(student.multi_head(*inputs))
        same(update, loops.update(*inputs))


@pytest.mark.weight(2)
def test_causal_weights(student, rng, loops):
    """With causal=True no head reads a later token, and the shares of the others sum to one."""
    for sizes in SIZES:
        inputs = loops.draw(rng, *sizes)
        A, _ = weights_and_update(student.multi_head(*inputs, causal=True))
        same(A, loops.weights(*inputs, True))


@pytest.mark.weight(2)
def test_causal_update(student, rng, loops):
    """With causal=True the update mixes earlier tokens and the reader itself, with shares that sum to one."""
    for sizes in SIZES:
        inputs = loops.draw(rng, *sizes)
        _, update = weights_and_update(student.multi_head(*inputs, causal=True))
        same(update, loops.update(*inputs, True))


def test_nothing_leaks_back(student, rng, loops):
    """With causal=True a change of any token leaves the updates of all earlier ones as they were."""
    X, *params = loops.draw(rng, 5, 6, 3, 5, 2)
    before = loops.update(X, *params, True)
    for token in range(1, 5):
        changed = X.copy()
        changed[token] += rng.uniform(1, 2, 6)
        after = loops.update(changed, *params, True)
        _, update = weights_and_update(student.multi_head(changed, *params, causal=True))
        same(update, np.vstack([before[:token], after[token:]]))


def test_square_sizes(student, rng, loops):
    """All is well too where the mixtures together are as wide as a token."""
    for sizes in ((3, 6, 3, 3, 2), (4, 4, 4, 4, 1), (6, 6, 2, 2, 3)):
        inputs = loops.draw(rng, *sizes)
        same_heads(student.multi_head(*inputs), loops, inputs)


def test_update_is_the_sum_of_the_parts(student, rng, loops):
    """Each head alone, with its own rows of Wo, makes its part of the update; the parts add up to it."""
    X, Wq, Wk, Wv, Wo = loops.draw(rng, 4, 6, 3, 5, 3)
    total = np.zeros((4, 6))
    for i in range(3):
        alone = Wq[i:i + 1], Wk[i:i + 1], Wv[i:i + 1], Wo[5 * i:5 * i + 5]
        A, part = weights_and_update(student.multi_head(X, *alone))
        same(A, loops.weights(X, *alone))
        same(part, loops.update(X, *alone))
        total += part
    _, update = weights_and_update(student.multi_head(X, Wq, Wk, Wv, Wo))
    same(update, total)


def test_order_of_heads(student, rng, loops):
    """If the heads change places and their rows of Wo with them, the update stays the same."""
    X, Wq, Wk, Wv, Wo = loops.draw(rng, 5, 6, 3, 5, 3)
    order = np.array([1, 2, 0])
    moved = Wq[order], Wk[order], Wv[order], Wo.reshape(3, 5, 6)[order].reshape(15, 6)
    A, update = weights_and_update(student.multi_head(X, *moved))
    same(A, loops.weights(X, Wq, Wk, Wv, Wo)[order])
    same(update, loops.update(X, Wq, Wk, Wv, Wo))


def test_order_of_tokens(student, rng, loops):
    """Without causal, the same tokens in another order get the same updates: position counts for nothing."""
    X, *params = loops.draw(rng, 5, 6, 3, 5, 2)
    order = np.roll(rng.permutation(5), 1)
    A, update = weights_and_update(student.multi_head(X[order], *params))
    same(A, loops.weights(X, *params)[:, order][:, :, order])
    same(update, loops.update(X, *params)[order])


def test_token_of_zeros(student, rng, loops):
    """A token of zeros scores 0 with everybody, and a score of 0 earns a share like any other."""
    inputs = loops.draw(rng, 5, 6, 3, 5, 2)
    inputs[0][1] = 0
    same_heads(student.multi_head(*inputs), loops, inputs)
    same_heads(student.multi_head(*inputs, causal=True), loops, inputs, True)


def test_just_one(student, rng, loops):
    """One token, one coordinate or a width of one are enough."""
    for sizes in ((1, 6, 3, 5, 2), (4, 1, 2, 3, 2), (4, 3, 1, 1, 2)):
        inputs = loops.draw(rng, *sizes)
        same_heads(student.multi_head(*inputs, causal=True), loops, inputs, True)


def test_large_scores(student, rng, loops):
    """Scores near +2000 in one head, near -2000 in another, give finite weights: differences count."""
    X, Wq, Wk, Wv, Wo = loops.draw(rng, 5, 6, 4, 5, 2)
    X, Wq, Wk = np.round(X), np.round(4 * Wq) / 4, np.round(4 * Wk) / 4  # exact even in 32 bits
    X[:, 0], Wq[:, 0], Wk[:, 0] = 2, 0, 0
    Wq[:, :, 0] = Wk[:, :, 0] = 0
    Wq[:, 0, 0], Wk[:, 0, 0] = 32, (32, -32)
    inputs = X, Wq, Wk, Wv, Wo
    same_heads(student.multi_head(*inputs), loops, inputs)
    same_heads(student.multi_head(*inputs, causal=True), loops, inputs, True)


def test_kinds_of_numbers(student, rng, loops):
    """Nested lists, integers and 32-bit floats give the same result as arrays of ordinary floats."""
    inputs = tuple(rng.permutation(np.arange(size) % 4 - 1).reshape(shape) for size, shape in (
        (12, (4, 3)), (18, (2, 3, 3)), (18, (2, 3, 3)), (12, (2, 3, 2)), (12, (4, 3))))
    same_heads(student.multi_head(*inputs), loops, inputs)
    same_heads(student.multi_head(*(matrix.tolist() for matrix in inputs), causal=True), loops, inputs, True)
    single = tuple(matrix.astype(np.float32) for matrix in loops.draw(rng, 3, 4, 2, 3, 2))
    same_heads(student.multi_head(*single), loops, single)


def test_inputs_are_left_as_they_were(student, rng, loops):
    """The tokens and the parameters that were handed in are the same after the call."""
    inputs_untouched(student.multi_head, *loops.draw(rng, 4, 6, 3, 5, 2))
    inputs_untouched(student.multi_head, *loops.draw(rng, 4, 6, 3, 5, 2), causal=True)


def test_second_call(student, rng, loops):
    """Other inputs of the same shapes give their own result, and causal is not remembered."""
    first, second = loops.draw(rng, 4, 6, 3, 5, 2), loops.draw(rng, 4, 6, 3, 5, 2)
    for inputs, causal in ((first, True), (second, False), (first, False), (second, True)):
        same_heads(student.multi_head(*inputs, causal=causal), loops, inputs, causal)
