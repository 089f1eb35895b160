"""Hidden tests of `count_parameters`."""

import numpy as np
import pytest

from autograder.grading.suite import same

pytestmark = pytest.mark.leans_on("inventory")


def slow_count(d, d_k, d_v, heads):
    """The entries of all matrices of a block, made and counted."""
    matrices = [np.empty(shape) for _ in range(heads) for shape in ((d, d_k), (d, d_k), (d, d_v))]
    output = np.concatenate([np.empty((d_v, d)) for _ in range(heads)])
    return sum(matrix.size for matrix in [*matrices, output])


def same_count(got, right):
    """Exactly so many."""
    same(got, right, atol=1e-6, rtol=0)


@pytest.mark.public
def test_large_block(student):
    """A block of 96 heads of width 128, between tokens of 12 288 coordinates, learns 603 979 776 numbers."""
    same_count(student.count_parameters(12288, 128, 128, 96), 603_979_776)


@pytest.mark.gate
def test_sizes_of_one_head(student):
    """A single head learns the entries of its three projections, and of the output projection."""
    for sizes in ((6, 3, 5, 1), (7, 2, 4, 1)):
        same_count(student.count_parameters(*sizes), slow_count(*sizes))


@pytest.mark.weight(3)
def test_several_heads(student, rng):
    """The heads' projections add up, and the output projection has rows for all heads."""
    for heads in (2, 3):
        sizes = *(int(size) for size in rng.permutation([4, 5, 6, 7])[:3]), heads
        same_count(student.count_parameters(*sizes), slow_count(*sizes))


def test_usual_sizes(student):
    """Where the heads share out the width, four square matrices are learned."""
    same_count(student.count_parameters(12, 4, 4, 3), 4 * 12 * 12)


def test_all_ones(student):
    """Even the smallest block has four matrices."""
    same_count(student.count_parameters(1, 1, 1, 1), 4)


def test_by_name(student):
    """The sizes may be given by name, in any order."""
    same_count(student.count_parameters(heads=2, d_v=5, d_k=3, d=6), slow_count(6, 3, 5, 2))


def test_second_call(student):
    """Other sizes give their own count: nothing is remembered or added up from call to call."""
    for sizes in ((6, 3, 5, 2), (5, 6, 3, 2), (6, 3, 5, 2)):
        same_count(student.count_parameters(*sizes), slow_count(*sizes))
