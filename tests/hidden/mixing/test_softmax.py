"""Hidden tests of `softmax`."""

import math

import numpy as np
import pytest

from autograder.grading.suite import inputs_untouched, same


def slow_softmax(z):
    """exp(z_i - top) / total, one row after the other."""
    z = np.asarray(z, dtype=float)
    shares = []
    for row in z.reshape(-1, z.shape[-1]).tolist():
        exponentials = [math.exp(score - max(row)) for score in row]
        shares.append([exponential / math.fsum(exponentials) for exponential in exponentials])
    return np.array(shares).reshape(z.shape)


def quarters(rng, shape):
    """Multiples of .25 between -4 and 4: adding 1000 loses no digit of them, in float32 either."""
    return rng.integers(-16, 17, shape) / 4


@pytest.mark.public
def test_row_of_bank(student):
    """The scores [.10 .27 .59] become the shares [.26 .31 .43]."""
    same(student.softmax([.10, .27, .59]), [.26, .31, .43], atol=5e-3)


@pytest.mark.public
def test_example_of_the_docstring(student):
    """The scores [[0, 0], [5, 5]] become [[.5, .5], [.5, .5]]: every row is shared out by itself."""
    same(student.softmax([[0, 0], [5, 5]]), [[.5, .5], [.5, .5]])


@pytest.mark.gate
@pytest.mark.weight(3)
def test_rows_of_a_matrix(student, rng):
    """In a matrix, every row becomes positive shares that sum to one, in the ratios of the exponentials."""
    z = rng.uniform(-4, 4, (5, 4))
    same(student.softmax(z), slow_softmax(z))
    z = rng.uniform(-4, 4, (4, 4))
    same(student.softmax(z), slow_softmax(z))


def test_one_dimension(student, rng):
    """A single row of scores, one-dimensional, is turned into shares of the same shape."""
    z = rng.uniform(-4, 4, 7)
    same(student.softmax(z), slow_softmax(z))


@pytest.mark.weight(2)
def test_more_dimensions(student, rng):
    """With three or four dimensions, too, the shares sum to one along the last axis."""
    for shape in ((2, 3, 5), (2, 3, 2, 4)):
        z = rng.uniform(-4, 4, shape)
        same(student.softmax(z), slow_softmax(z))


def test_order_and_ratios(student, rng):
    """A higher score gets the larger share, and a score far below the others still gets its small share."""
    z = np.stack([rng.permutation([0, -10, -20, -30]), rng.permutation([3, 2.5, -1, -9])])
    shares = student.softmax(z)
    same(shares, slow_softmax(z))
    same(shares, slow_softmax(z), atol=0, rtol=.1)  # the small ones as well


def test_adding_a_large_number(student, rng):
    """Adding 1000 to all scores leaves the shares as they are."""
    z = quarters(rng, (3, 6))
    same(student.softmax(z + 1000), slow_softmax(z))


def test_subtracting_a_large_number(student, rng):
    """Subtracting 1000 from all scores leaves the shares as they are."""
    z = quarters(rng, (3, 6))
    same(student.softmax(z - 1000), slow_softmax(z))


def test_scores_far_apart(student, rng):
    """Scores of +1000 and -1000 in one row give finite shares: what is far below the largest gets nothing."""
    z = rng.permutation([1000, 999.5, 998.25, 0, -1000, -1000, -1000, -1000, -1000])
    same(student.softmax(z), slow_softmax(z))


def test_minus_infinity(student, rng):
    """A score of -inf gets a share of exactly 0, wherever it stands, and the other scores share the rest."""
    z = rng.uniform(-4, 4, (3, 5))
    z[0, [0, 3]] = z[1, [1, 4]] = z[2, :4] = -np.inf
    shares = student.softmax(z)
    same(shares, slow_softmax(z))
    same(shares, slow_softmax(z), atol=0, rtol=.1)  # zero to the last digit


def test_one_score_and_equal_scores(student, rng):
    """A score that is alone in its row gets everything, and equal scores get equal shares."""
    same(student.softmax(rng.uniform(-4, 4, (3, 1))), np.ones((3, 1)))
    same(student.softmax(np.full((2, 5), rng.uniform(1, 4))), np.full((2, 5), .2))


def test_kinds_of_numbers(student, rng):
    """Nested lists, integers and 32-bit floats give the same shares as an array of ordinary floats."""
    integers = rng.permuted(np.tile(np.arange(-2, 3), (4, 1)), axis=1)
    same(student.softmax(integers), slow_softmax(integers))
    same(student.softmax(integers[1:].tolist()), slow_softmax(integers[1:]))
    single = rng.uniform(-4, 4, (2, 3)).astype(np.float32)
    same(student.softmax(single), slow_softmax(single))


def test_input_is_left_as_it_was(student, rng):
    """The scores that were handed in are the same after the call."""
    inputs_untouched(student.softmax, rng.uniform(-4, 4, (3, 4)))
    inputs_untouched(student.softmax, quarters(rng, 5) + 1000)


def test_second_call(student, rng):
    """Other scores of the same shape give their own shares: nothing is remembered from call to call."""
    first, second = rng.uniform(-4, 4, (2, 2, 6))
    for z in (first, second, first):
        same(student.softmax(z), slow_softmax(z))
