"""Hidden tests of `direction_query`."""

import numpy as np
import pytest

from autograder.grading.suite import inputs_untouched, same


def slow_query_matrix(direction, strength=3.75):
    """Three rows of zeros and one, the third, of products."""
    nothing = [0.0, 0.0, 0.0]
    return np.array([nothing, nothing, [float(strength) * float(part) for part in direction], nothing])


def some_direction(rng):
    """Three different coefficients, none near zero, two of them positive and one negative."""
    return rng.permutation([rng.uniform(.3, .6), rng.uniform(.8, 1.2), rng.uniform(-1.8, -1.4)])


@pytest.mark.public
def test_water(student):
    """The direction water puts 3.75 into the row of structure and the column of water, 0 elsewhere."""
    same(student.direction_query([0, 1, 0]), [[0, 0, 0], [0, 0, 0], [0, 3.75, 0], [0, 0, 0]])


@pytest.mark.public
def test_opposite_of_water(student):
    """The direction [0, -1, 0] puts -3.75 there: bank asks for the opposite of water."""
    same(student.direction_query([0, -1, 0]), [[0, 0, 0], [0, 0, 0], [0, -3.75, 0], [0, 0, 0]])


@pytest.mark.gate
@pytest.mark.weight(2)
def test_row_of_structure(student):
    """With strength 1, each of the three directions stands as it is in the row of structure, alone."""
    for direction in np.eye(3):
        same(student.direction_query(direction, 1), slow_query_matrix(direction, 1))


@pytest.mark.weight(2)
def test_strength(student, rng):
    """The row of structure is strength times direction; both ways to hand the strength over work."""
    direction, (strong, weak) = rng.permutation(np.eye(3))[0], rng.uniform([2, .3], [5, .6])
    same(student.direction_query(direction, strong), slow_query_matrix(direction, strong))
    same(student.direction_query(direction, strength=weak), slow_query_matrix(direction, weak))


def test_strength_that_is_not_given(student):
    """Without a strength, it is 3.75 for every direction."""
    for direction in np.eye(3):
        same(student.direction_query(direction), slow_query_matrix(direction))


@pytest.mark.weight(2)
def test_mixed_direction(student, rng):
    """A direction may mix all three criteria, in any proportion and with any sign, and is used as it is."""
    for strength in (1, rng.uniform(2, 5)):
        direction = some_direction(rng)
        same(student.direction_query(direction, strength), slow_query_matrix(direction, strength))


def test_length_of_the_direction(student, rng):
    """A direction twice or a tenth as long gives a row twice or a tenth as large."""
    direction = np.abs(some_direction(rng))
    for length in (2, .1):
        same(student.direction_query(length * direction), slow_query_matrix(length * direction))


def test_negative_or_no_strength(student, rng):
    """A negative strength turns the direction around, and a strength of 0 asks for nothing."""
    direction = some_direction(rng)
    for strength in (-1.5, 0):
        same(student.direction_query(direction, strength), slow_query_matrix(direction, strength))


def test_no_direction(student):
    """A direction of zeros gives a matrix of zeros."""
    same(student.direction_query([0, 0, 0]), np.zeros((4, 3)))


def test_query_of_any_word(student, rng):
    """A word's query is its structure times strength times direction, whatever its other coordinates are."""
    X, direction = rng.uniform(-2, 2, (5, 4)), some_direction(rng)
    Wq = student.direction_query(direction, 2.5)
    same(Wq, slow_query_matrix(direction, 2.5))
    same(X @ np.asarray(Wq), 2.5 * np.outer(X[:, 2], direction))


def test_kinds_of_numbers(student, rng):
    """Integers and lists keep the fractions of the strength; tuples and 32-bit floats work, too."""
    whole = rng.permutation([3, -2, 1])
    same(student.direction_query(whole), slow_query_matrix(whole))
    same(student.direction_query(whole.tolist(), 1.25), slow_query_matrix(whole, 1.25))
    several = tuple(some_direction(rng).tolist())
    same(student.direction_query(several, 2), slow_query_matrix(several, 2))
    single = some_direction(rng).astype(np.float32)
    same(student.direction_query(single, 3), slow_query_matrix(single, 3))


def test_input_is_left_as_it_was(student, rng):
    """The direction that was handed in is the same after the call."""
    inputs_untouched(student.direction_query, some_direction(rng), 2.0)
    inputs_untouched(student.direction_query, some_direction(rng).tolist())


def test_second_call(student, rng):
    """Another direction or strength gives a matrix of its own: nothing is left over from earlier calls."""
    first, second = some_direction(rng), some_direction(rng)
    for direction, strength in ((first, 2), (second, 2), (first, .5), (first, 2)):
        same(student.direction_query(direction, strength), slow_query_matrix(direction, strength))
