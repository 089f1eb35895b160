"""Hidden tests of `refactor`."""

import numpy as np
import pytest

from autograder.compare import to_array
from autograder.grading.suite import inputs_untouched, pair, same


def some_change(rng, d_k):
    """An invertible R that is neither symmetric nor a rotation."""
    U, V = (np.linalg.qr(rng.standard_normal((d_k, d_k)))[0] for _ in range(2))
    return U * rng.uniform(.4, 2.5, d_k) @ V


def slow_inverse(R):
    """The inverse by elimination, always with the largest pivot."""
    rows = np.hstack([np.asarray(R, dtype=float), np.eye(len(R))])
    for i in range(len(R)):
        best = i + int(np.argmax(np.abs(rows[i:, i])))
        rows[[i, best]] = rows[[best, i]]
        rows[i] /= rows[i, i]
        for j in range(len(R)):
            if j != i:
                rows[j] -= rows[j, i] * rows[i]
    return rows[:, len(R):]


def slow_product(A, B):
    """A B, one number after the other."""
    A, B = np.asarray(A, dtype=float), np.asarray(B, dtype=float)
    return np.array([[sum(a * b for a, b in zip(row, column)) for column in B.T] for row in A])


def same_maps(got, Wq, Wk, R):
    """The pair is the refactored maps."""
    new_q, new_k = pair(got, "(new query map, new key map)")
    same(new_q, slow_product(Wq, R))
    same(new_k, slow_product(Wk, slow_inverse(R).T))


@pytest.mark.public
def test_maps_of_the_page(student):
    """R = [[2 1] [0 .5]] turns the maps into [[2 1] [0 .5] [2 1.5]] and [[.5 0] [0 0] [-1 2]]."""
    Wq, Wk = [[1, 0], [0, 1], [1, 1]], [[1, 0], [0, 0], [0, 1]]
    new_q, new_k = pair(student.refactor(Wq, Wk, [[2, 1], [0, .5]]), "(new query map, new key map)")
    same(new_q, [[2, 1], [0, .5], [2, 1.5]])
    same(new_k, [[.5, 0], [0, 0], [-1, 2]])


@pytest.mark.gate
@pytest.mark.weight(2)
def test_query_map(student, rng):
    """The first result is Wq R."""
    (Wq, Wk), R = rng.uniform(-2, 2, (2, 5, 3)), some_change(rng, 3)
    new_q, _ = pair(student.refactor(Wq, Wk, R), "(new query map, new key map)")
    same(new_q, slow_product(Wq, R))


@pytest.mark.weight(4)
def test_key_map(student, rng):
    """The second result is Wk times the transposed inverse of R."""
    for d, d_k in ((5, 3), (4, 2)):
        (Wq, Wk), R = rng.uniform(-2, 2, (2, d, d_k)), some_change(rng, d_k)
        _, new_k = pair(student.refactor(Wq, Wk, R), "(new query map, new key map)")
        same(new_k, slow_product(Wk, slow_inverse(R).T))


@pytest.mark.weight(2)
def test_same_scores(student, rng):
    """Queries and keys change, but not one of their dot products does."""
    (Wq, Wk), R, X = rng.uniform(-2, 2, (2, 6, 4)), some_change(rng, 4), rng.uniform(-2, 2, (5, 6))
    new_q, new_k = pair(student.refactor(Wq, Wk, R), "(new query map, new key map)")
    same(new_q, slow_product(Wq, R))
    same(new_k, Wk, atol=np.inf)  # the shape, and that it holds numbers
    scores = X @ to_array(new_q).astype(float) @ (X @ to_array(new_k).astype(float)).T
    same(scores, [[np.dot(x @ Wq, y @ Wk) for y in X] for x in X])


def test_shapes(student, rng):
    """As many channels as coordinates, or more; one of either."""
    for d, d_k in ((3, 3), (2, 4), (1, 3), (4, 1)):
        (Wq, Wk), R = rng.uniform(1, 2, (2, d, d_k)), some_change(rng, d_k)
        same_maps(student.refactor(Wq, Wk, R), Wq, Wk, R)


def test_special_changes(student, rng):
    """The identity, exchanged channels, a rotation, and one that is almost zero but invertible."""
    Wq, Wk = rng.uniform(1, 2, (2, 4, 3))
    R = some_change(rng, 3)
    for R in (np.eye(3), np.eye(3)[[1, 2, 0]], np.linalg.qr(R)[0], 1e-3 * R):
        same_maps(student.refactor(Wq, Wk, R), Wq, Wk, R)


def test_kinds_of_numbers(student, rng):
    """Nested lists, integers and 32-bit floats give the same maps as arrays of ordinary floats."""
    Wq, Wk = rng.permutation([[1, 2], [2, -1], [0, 3]]), rng.permutation([[4, -2], [1, 1], [3, 0]])
    R = rng.permutation([[2, 1], [1, 3]])
    same_maps(student.refactor(Wq, Wk, R), Wq, Wk, R)
    same_maps(student.refactor(Wq.tolist(), Wk.tolist(), R.tolist()), Wq, Wk, R)
    Wq, Wk = rng.uniform(-2, 2, (2, 4, 3)).astype(np.float32)
    R = some_change(rng, 3).astype(np.float32)
    same_maps(student.refactor(Wq, Wk, R), Wq, Wk, R)


def test_inputs_are_left_as_they_were(student, rng):
    """The maps and R are the same after the call."""
    inputs_untouched(student.refactor, *rng.uniform(1, 2, (2, 4, 3)), some_change(rng, 3))


def test_second_call(student, rng):
    """Other arguments of the same shape give their own maps: nothing is remembered from call to call."""
    first, second = ((*rng.uniform(-2, 2, (2, 4, 2)), some_change(rng, 2)) for _ in range(2))
    for arguments in (first, second, first):
        same_maps(student.refactor(*arguments), *arguments)
