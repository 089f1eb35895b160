"""Hidden tests of `causal_mask`."""

import numpy as np
import pytest

from autograder.grading.suite import same


def slow_mask(n):
    """Entry by entry: position j stands behind reader i."""
    return np.array([[j > i for j in range(n)] for i in range(n)])


@pytest.mark.public
def test_three_words(student):
    """Of three words, the first may read itself only, the second two of them, the third all."""
    expected = [[False, True, True], [False, False, True], [False, False, False]]
    same(student.causal_mask(3), expected, kind="bool")


@pytest.mark.gate
@pytest.mark.weight(2)
def test_later_positions(student):
    """True where a position stands behind the reader, False everywhere else, as booleans."""
    same(student.causal_mask(5), slow_mask(5), kind="bool")


def test_lengths(student, rng):
    """Texts of other lengths, short and long."""
    for n in (2, int(rng.integers(6, 12)), 20):
        same(student.causal_mask(n), slow_mask(n), kind="bool")


def test_single_word(student):
    """A word that is alone may read itself."""
    same(student.causal_mask(1), [[False]], kind="bool")


def test_second_call(student):
    """Each call answers for its own length."""
    for n in (4, 3, 4):
        same(student.causal_mask(n), slow_mask(n), kind="bool")
