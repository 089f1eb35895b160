"""Hidden tests of `tower_query`: any matrix will do with which tower reads Eiffel most."""

import numpy as np
import pytest

from autograder.grading.suite import same

pytestmark = pytest.mark.open_ended

CLOSEST = 1e-9  # a lead below this may be rounding


def finds_eiffel(Wq):
    """With keys as they are, tower ([1, 0]) reads Eiffel ([0, 1]) more than "the" ([0, 0]) and itself."""
    same(Wq, np.zeros((2, 2)), atol=np.inf)  # two by two real, finite numbers, whichever they are
    query = np.array([1, 0]) @ np.asarray(Wq, dtype=float)
    scores = np.array([0, query[1], query[0]]) / np.sqrt(2)
    exponentials = np.exp(scores - scores.max())
    to_the, to_eiffel, to_itself = exponentials / exponentials.sum()
    assert to_eiffel > max(to_the, to_itself) + CLOSEST


@pytest.mark.gate
@pytest.mark.weight(4)
def test_tower_reads_eiffel_most(student):
    """With the returned matrix as Wq, tower's weight on Eiffel is larger than each of its other two."""
    finds_eiffel(student.tower_query())


def test_second_call(student):
    """It is still so when the function is called again."""
    student.tower_query()
    finds_eiffel(student.tower_query())
