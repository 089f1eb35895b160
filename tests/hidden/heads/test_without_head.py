"""Hidden tests of `without_head`."""

import numpy as np
import pytest

from autograder.grading.suite import inputs_untouched, same

pytestmark = pytest.mark.leans_on("multi_head", "split_heads", "concat_heads", "pack_projections")


def left(loops, inputs, head, causal=False):
    """The sum of the parts of all other heads."""
    return np.delete(loops.parts(*inputs, causal), head, axis=0).sum(axis=0)


@pytest.mark.public
def test_one_question_less(student, loops):
    """Without head 1, crossed has no what in its update: [.93 0 .93 0 0]."""
    expected = np.full((6, 5), 1 / 6) * [1, 0, 1, 0, 0]
    expected[2] = [.933, 0, .933, 0, 0]
    same(student.without_head(*loops.page(), head=1), expected, atol=1e-3)


@pytest.mark.gate
@pytest.mark.weight(3)
def test_other_heads_are_left(student, rng, loops):
    """Whichever head is silenced, the parts of all others are left, and nothing else."""
    inputs = loops.draw(rng, 5, 6, 3, 5, 3)
    for head in range(3):
        same(student.without_head(*inputs, head), left(loops, inputs, head))


@pytest.mark.weight(2)
def test_two_heads(student, rng, loops):
    """With two heads, silencing either leaves the part of the other."""
    inputs = loops.draw(rng, 4, 7, 3, 2, 2)
    for head in range(2):
        same(student.without_head(*inputs, head=head), left(loops, inputs, head))


@pytest.mark.weight(2)
def test_causal(student, rng, loops):
    """With causal=True the heads that are left read no later token."""
    inputs = loops.draw(rng, 5, 6, 3, 5, 2)
    for head in range(2):
        same(student.without_head(*inputs, head, causal=True), left(loops, inputs, head, True))


def test_square_sizes(student, rng, loops):
    """All is well too where heads, tokens and widths are equally many."""
    for sizes in ((3, 6, 2, 2, 3), (2, 6, 3, 3, 2), (3, 3, 3, 3, 3)):
        inputs = loops.draw(rng, *sizes)
        same(student.without_head(*inputs, 1), left(loops, inputs, 1))


def test_only_head(student, rng, loops):
    """If the only head is silenced, nothing is left: an update of zeros for every token."""
    same(student.without_head(*loops.draw(rng, 4, 6, 3, 5, 1), 0), np.zeros((4, 6)))


def test_one_token(student, rng, loops):
    """A sentence of one token loses the silenced head's part like any other."""
    inputs = loops.draw(rng, 1, 6, 3, 5, 3)
    same(student.without_head(*inputs, 2), left(loops, inputs, 2))


def test_large_values(student, rng, loops):
    """However much the silenced head brought in, nothing of it is left."""
    inputs = loops.draw(rng, 5, 6, 3, 5, 3)
    inputs[3][1] *= 1000
    same(student.without_head(*inputs, 1), left(loops, inputs, 1))


def test_kinds_of_numbers(student, rng, loops):
    """Nested lists, integers and 32-bit floats give the same result as arrays of ordinary floats."""
    integers = [rng.permutation(np.arange(size) % 4 - 1).reshape(shape) for size, shape in (
        (12, (4, 3)), (18, (2, 3, 3)), (18, (2, 3, 3)), (12, (2, 3, 2)), (12, (4, 3)))]
    same(student.without_head(*integers, 1), left(loops, integers, 1))
    same(student.without_head(*(matrix.tolist() for matrix in integers), 0), left(loops, integers, 0))
    single = [matrix.astype(np.float32) for matrix in loops.draw(rng, 3, 4, 2, 3, 2)]
    same(student.without_head(*single, 0), left(loops, single, 0))


def test_inputs_are_left_as_they_were(student, rng, loops):
    """The tokens and the parameters, of the silenced head too, are the same after the call."""
    inputs_untouched(student.without_head, *loops.draw(rng, 4, 6, 3, 5, 3), 1)


def test_second_call(student, rng, loops):
    """A head that was silenced is heard again in the next call; causal is not remembered."""
    inputs = loops.draw(rng, 4, 6, 3, 5, 3)
    for head, causal in ((0, True), (1, False), (0, False)):
        same(student.without_head(*inputs, head, causal), left(loops, inputs, head, causal))
