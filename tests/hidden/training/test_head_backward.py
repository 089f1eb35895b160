"""Hidden tests of `head_backward`."""

import numpy as np
import pytest

from autograder.grading.suite import Mismatch, inputs_untouched, pair, same

pytestmark = pytest.mark.leans_on("softmax_backward")

NAMES = "(dX, dWq, dWk, dWv)"
SIZES = [(3, 4, 2, 3), (4, 3, 5, 2), (2, 5, 3, 4)]  # n, d, d_k, d_v


def some_head(rng, n, d, d_k, d_v):
    """X, Wq, Wk, Wv with scores of some size, and dH."""
    return *(rng.uniform(-1.5, 1.5, shape) for shape in ((n, d), (d, d_k), (d, d_k), (d, d_v))), \
        rng.uniform(-1, 2, (n, d_v))


def mixtures(X, Wq, Wk, Wv):
    """H, row by row."""
    rows = []
    for query in X @ Wq:
        scores = X @ Wk @ query / np.sqrt(Wq.shape[1])
        raw = np.exp(scores - scores.max())
        rows.append(raw / raw.sum() @ (X @ Wv))
    return np.array(rows)


def nudged(head):
    """The slope of Σ dH·H for each entry of X, Wq, Wk, Wv, by moving that entry a little both ways."""
    *parts, dH = (np.array(part, dtype=float) for part in head)
    found = []
    for part in parts:
        slopes = np.zeros(part.shape)
        for entry in np.ndindex(part.shape):
            kept = part[entry]
            for sign in (1, -1):
                part[entry] = kept + sign * 1e-4
                slopes[entry] += sign * (dH * mixtures(*parts)).sum() / 2e-4
            part[entry] = kept
        found.append(slopes)
    return found


def gradients(student, head):
    """The four results."""
    return pair(student.head_backward(*head), NAMES)


def same_gradients(got, head):
    """All four."""
    for part, right in zip(got, nudged(head)):
        same(part, right)


@pytest.mark.public
def test_page(student):
    """Two words that read alike, with d_k 4: all four gradients, worked out by hand."""
    head = np.eye(2), np.zeros((2, 4)), 2 * np.eye(2, 4), np.eye(2), [[1, 0], [0, 0]]
    dX, dWq, dWk, dWv = gradients(student, head)
    same(dWv, [[.5, 0], [.5, 0]])
    same(dWq, [[.25, -.25, 0, 0], [0] * 4])
    same(dWk, np.zeros((2, 4)))
    same(dX, [[.5, 0], [.5, 0]])


@pytest.mark.gate
def test_some_part(student, rng):
    """Of the four gradients at least one is right."""
    head = some_head(rng, *SIZES[0])
    problems = []
    for part, right in zip(gradients(student, head), nudged(head)):
        try:
            same(part, right)
        except Mismatch as problem:
            problems.append(problem)
    if len(problems) == 4:
        raise problems[0]


@pytest.mark.weight(3)
def test_dX(student, rng):
    """dX adds up what comes back through queries, keys and values."""
    for sizes in SIZES:
        head = some_head(rng, *sizes)
        same(gradients(student, head)[0], nudged(head)[0])


@pytest.mark.weight(3)
def test_dWq(student, rng):
    """dWq is the gradient for the query map."""
    for sizes in SIZES:
        head = some_head(rng, *sizes)
        same(gradients(student, head)[1], nudged(head)[1])


@pytest.mark.weight(3)
def test_dWk(student, rng):
    """dWk is the gradient for the key map."""
    for sizes in SIZES:
        head = some_head(rng, *sizes)
        same(gradients(student, head)[2], nudged(head)[2])


@pytest.mark.weight(3)
def test_dWv(student, rng):
    """dWv is the gradient for the value map."""
    for sizes in SIZES:
        head = some_head(rng, *sizes)
        same(gradients(student, head)[3], nudged(head)[3])


def test_one_word(student, rng):
    """A word that is alone reads itself whatever it asks: nothing comes back through queries and keys."""
    head = some_head(rng, 1, 4, 2, 3)
    X, _, _, Wv, dH = head
    expected = dH @ Wv.T, np.zeros((4, 2)), np.zeros((4, 2)), X.T @ dH
    for part, right in zip(gradients(student, head), expected):
        same(part, right)


def test_square_matrices(student, rng):
    """Where all widths are the same, no matrix is taken for another, nor turned."""
    head = some_head(rng, 3, 3, 3, 3)
    same_gradients(gradients(student, head), head)


def test_a_loss_of_the_last_row(student, rng):
    """Where only the last position counts, the others still get gradients as sources."""
    *parts, dH = some_head(rng, 4, 3, 2, 3)
    dH[:-1] = 0
    same_gradients(gradients(student, (*parts, dH)), (*parts, dH))


def test_kinds_of_numbers(student, rng):
    """Lists, integers and 32-bit floats give the same result as arrays of ordinary floats."""
    whole = [rng.integers(-1, 3, shape) for shape in ((3, 4), (4, 2), (4, 2), (4, 3), (3, 3))]
    same_gradients(gradients(student, whole), whole)
    same_gradients(gradients(student, [part.tolist() for part in whole]), whole)
    single = [part.astype(np.float32) for part in some_head(rng, 3, 4, 2, 3)]
    same_gradients(gradients(student, single), single)


def test_inputs_are_left_as_they_were(student, rng):
    """All five arguments are the same after the call."""
    head = some_head(rng, 3, 4, 2, 3)
    same_gradients(pair(inputs_untouched(student.head_backward, *head), NAMES), head)
