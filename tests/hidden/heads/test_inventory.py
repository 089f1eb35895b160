"""Hidden tests of `inventory`."""

import numpy as np
import pytest

from autograder.grading.suite import Mismatch, pair, same

NAMES = ["X", "Wq", "Wk", "Wv", "Q", "K", "V", "S", "A", "H", "concat", "Wo", "update", "output"]
# tokens, d, d_k, d_v, heads, blocks: all different, and no product of two of them equal to a third
STACK = 7, 11, 3, 5, 2, 4


def expected(tokens, d, d_k, d_v, heads, blocks):
    """The inventory, counted block by block and head by head."""
    found = {}
    for block in range(blocks):
        rows = {**dict.fromkeys(["X", "update", "output"], (tokens, d)), "concat": (tokens, 0), "Wo": (0, d)}
        for head in range(heads):
            own = {"Q": (tokens, d_k), "K": (tokens, d_k), "V": (tokens, d_v), "S": (tokens, tokens),
                   "Wq": (d, d_k), "Wk": (d, d_k), "Wv": (d, d_v), "A": (tokens, tokens), "H": (tokens, d_v)}
            rows["Wo"] = rows["Wo"][0] + d_v, d
            rows["concat"] = tokens, rows["concat"][1] + d_v
            found = _with(found, own)
        found = _with(found, rows)
    return found


def _with(found, more):
    return found | {name: (found.get(name, (0,))[0] + 1, shape) for name, shape in more.items()}


def entries(got, names):
    """The counts and the shapes under these names."""
    if not isinstance(got, dict):
        raise Mismatch("The function must return a dict {name: (count, shape)}.")
    missing = [name for name in names if name not in got]
    if missing:
        raise Mismatch(f"The inventory lacks {', '.join(missing)}.")
    rows = [pair(got[name], "(count, shape)") for name in names]
    return [count for count, _ in rows], [shape for _, shape in rows]


def same_entries(got, right, names):
    """Counts and shapes under these names are exactly right, as tuples, lists or numpy's integers."""
    counts, shapes = entries(got, names)
    same(counts, [right[name][0] for name in names], atol=1e-6, rtol=0)
    same(shapes, [right[name][1] for name in names], atol=1e-6, rtol=0)


@pytest.mark.public
def test_large_stack(student):
    """With 96 blocks of 96 heads there are 9216 projections of each kind, and 96 output projections."""
    counts, shapes = entries(student.inventory(2048, 12288, 128, 128, heads=96, blocks=96), NAMES)
    learned = [NAMES.index(name) for name in ("Wq", "Wk", "Wv", "Wo")]
    same([counts[i] for i in learned], [9216, 9216, 9216, 96], atol=1e-6, rtol=0)
    same([shapes[i] for i in learned], [(12288, 128)] * 3 + [(12288, 12288)], atol=1e-6, rtol=0)


@pytest.mark.gate
def test_a_single_head(student, rng):
    """One block of one head: one of everything, of the right shapes."""
    sizes = *(int(size) for size in rng.permutation([4, 5, 6, 7])), 1, 1
    same_entries(student.inventory(*sizes), expected(*sizes), NAMES)


@pytest.mark.weight(2)
def test_projections(student):
    """Each head of each block has its own Wq, Wk and Wv, and their shapes do not depend on the text."""
    same_entries(student.inventory(*STACK), expected(*STACK), ["Wq", "Wk", "Wv"])


@pytest.mark.weight(2)
def test_output_projection(student):
    """Each block has one Wo, which takes in the mixtures of all its heads."""
    same_entries(student.inventory(*STACK), expected(*STACK), ["Wo"])


@pytest.mark.weight(2)
def test_queries_keys_values(student):
    """Each head of each block has its own queries, keys and values: one row per token."""
    same_entries(student.inventory(*STACK), expected(*STACK), ["Q", "K", "V"])


@pytest.mark.weight(2)
def test_weights_and_mixtures(student):
    """Each head of each block has its own scores, weights and mixtures."""
    same_entries(student.inventory(*STACK), expected(*STACK), ["S", "A", "H"])


@pytest.mark.weight(2)
def test_rows_of_a_block(student):
    """Each block has one input, one row of all mixtures side by side per token, one update and one output."""
    same_entries(student.inventory(*STACK), expected(*STACK), ["X", "concat", "update", "output"])


def test_one_block_unless_told(student, rng):
    """Without a number of blocks, one is counted."""
    sizes = [int(size) for size in rng.permutation([3, 4, 5, 6, 7])]
    same_entries(student.inventory(*sizes), expected(*sizes, 1), NAMES)


def test_exactly_these_names(student):
    """The inventory holds the fourteen names of the docstring and no others."""
    got = student.inventory(*STACK)
    entries(got, NAMES)
    if set(got) != set(NAMES):
        raise Mismatch("The inventory holds a name that does not belong there.")


def test_all_ones(student):
    """Where every size is one, there is one of each, and each is one number."""
    same_entries(student.inventory(1, 1, 1, 1, 1, 1), dict.fromkeys(NAMES, (1, (1, 1))), NAMES)


def test_second_call(student, rng):
    """Other sizes give their own inventory: nothing is remembered or added up from call to call."""
    first, second = (tuple(int(size) for size in rng.permutation([2, 3, 4, 5, 6, 7])) for _ in range(2))
    for sizes in (first, second, first):
        same_entries(student.inventory(*sizes), expected(*sizes), NAMES)
