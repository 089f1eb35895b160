"""Hidden tests of `reachable`."""

import numpy as np
import pytest

from autograder.grading.suite import inputs_untouched, same


def slow_reach(allowed, layers):
    """Whoever can be traced back: for each token, the set of those it depends on grows layer by layer."""
    n = len(allowed)
    sets = [{i} for i in range(n)]
    for _ in range(layers):
        sets = [set().union(sets[i], *(sets[j] for j in range(n) if allowed[i][j])) for i in range(n)]
    return np.array([[j in sets[i] for j in range(n)] for i in range(n)])


def window(n, back, ahead=0):
    """Each token reads so many before it and after it, and itself."""
    place = np.arange(n)
    distance = place[:, None] - place
    return (distance <= back) & (-distance <= ahead)


def same_reach(got, right):
    """The same array of True and False."""
    same(got, right, kind="bool")


@pytest.mark.public
def test_one_word_back(student):
    """If each of six words reads the one before it, every layer adds one word, and five layers reach all."""
    before = np.eye(6, k=-1, dtype=bool)
    for layers in (1, 2, 3, 5):
        same_reach(student.reachable(before, layers), window(6, layers))


@pytest.mark.gate
@pytest.mark.weight(2)
def test_two_layers(student):
    """Through two layers a token depends on what its sources have read, and not the other way round."""
    allowed = window(7, 2)
    same_reach(student.reachable(allowed, 2), window(7, 4))


@pytest.mark.weight(2)
def test_windows(student):
    """A window reaches as many tokens further with each layer, on either side."""
    for back, ahead, layers in ((1, 0, 3), (2, 1, 2), (1, 2, 3)):
        got = student.reachable(window(9, back, ahead), layers)
        same_reach(got, window(9, layers * back, layers * ahead))


@pytest.mark.weight(2)
def test_any_rule_of_reading(student, rng):
    """Whoever may read whom: a token depends on those at the end of a chain of at most so many readings."""
    for layers in (1, 2, 3):
        allowed = rng.permuted(np.arange(64) < 12).reshape(8, 8)
        same_reach(student.reachable(allowed, layers), slow_reach(allowed, layers))


def test_no_layers(student, rng):
    """Without a layer every token depends on itself only, whoever may read whom."""
    same_reach(student.reachable(rng.permuted(np.arange(25) < 12).reshape(5, 5), 0), np.eye(5, dtype=bool))


def test_nobody_reads(student):
    """If nobody may read, the residual connection still keeps every token, through any number of layers."""
    for layers in (1, 4):
        same_reach(student.reachable(np.zeros((4, 4), dtype=bool), layers), np.eye(4, dtype=bool))


def test_causal_mask(student):
    """Under a causal mask one layer reaches the whole past, and further layers reach no future."""
    for layers in (1, 2, 5):
        same_reach(student.reachable(window(5, 4), layers), window(5, 4))


def test_all_read_all(student):
    """Where every token reads every token, one layer reaches everything."""
    for layers in (1, 3):
        same_reach(student.reachable(np.ones((4, 4), dtype=bool), layers), np.ones((4, 4), dtype=bool))


def test_readers_who_do_not_read_themselves(student):
    """Two tokens that read only each other depend on both, after one layer and after two."""
    swapped = np.array([[False, True, False], [True, False, False], [False, False, False]])
    pair_and_one = np.array([[True, True, False], [True, True, False], [False, False, True]])
    for layers in (1, 2):
        same_reach(student.reachable(swapped, layers), pair_and_one)


def test_a_long_chain(student, rng):
    """A chain through all tokens takes exactly as many layers as it has steps."""
    order = rng.permutation(12)
    allowed = np.zeros((12, 12), dtype=bool)
    allowed[order[1:], order[:-1]] = True
    for layers in (10, 11, 70):
        same_reach(student.reachable(allowed, layers), slow_reach(allowed, layers))


def test_one_token(student):
    """A token that is alone depends on itself."""
    same_reach(student.reachable([[False]], 3), [[True]])


def test_kinds_of_truth(student):
    """Nested lists, and ones and zeros, are as good as an array of True and False."""
    allowed = window(5, 1).astype(int)
    same_reach(student.reachable(allowed, 2), window(5, 2))
    same_reach(student.reachable(allowed.tolist(), 3), window(5, 3))
    same_reach(student.reachable(window(5, 0, 1).tolist(), 2), window(5, 0, 2))
    same_reach(student.reachable(window(5, 2).astype(float), 2), window(5, 4))


def test_input_is_left_as_it_was(student):
    """The rule of reading that was handed in is the same after the call."""
    inputs_untouched(student.reachable, np.eye(5, k=-1, dtype=bool), 3)


def test_second_call(student):
    """Another rule or another depth gives its own result: nothing is remembered from call to call."""
    for allowed, layers in ((window(6, 1), 3), (window(6, 2), 1), (window(6, 1), 2)):
        same_reach(student.reachable(allowed, layers), slow_reach(allowed, layers))
