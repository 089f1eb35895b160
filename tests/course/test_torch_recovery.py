"""The reference solutions of the lesson on recovery agree with torch's own operators, and with the page."""

import ast
from pathlib import Path

import pytest
import torch
from torch.nn.functional import mse_loss, scaled_dot_product_attention

from autograder.grading.course import find_course
from solutions import recovery

LESSON = find_course(Path(__file__).parent).lesson("recovery")
GIVEN = ("FEATURES", "rows", "true_Wq", "true_Wv", "make_data")
KEYS = torch.eye(3)


@pytest.fixture(scope="module")
def page():
    """What the text defines before the first task: the world whose maps are known."""
    statements = ast.parse(LESSON.text.read_text(encoding="utf-8")).body
    names = lambda node: {getattr(node, "name", None), *map(ast.unparse, getattr(node, "targets", []))}
    given = [node for node in statements if names(node) & set(GIVEN)]
    space = {"torch": torch, "head": recovery.head}
    exec(compile(ast.Module(given, []), "page", "exec"), space)
    return space


@pytest.fixture(scope="module", params=[0, 1, 2])
def found(page, request):
    return recovery.fit(page["make_data"](256, torch.Generator().manual_seed(0)), 200, request.param)


def test_wv_and_the_centred_wq_are_recovered(page, found):
    Wq, Wv = found
    assert (Wv - page["true_Wv"]).abs().max() < 5e-4
    assert (recovery.centred(Wq, KEYS) - recovery.centred(page["true_Wq"], KEYS)).abs().max() < 5e-4


def test_the_raw_wq_is_not(page, found):
    off = found[0] - page["true_Wq"]
    assert 0.5 < off.abs().max() < 1.5
    torch.testing.assert_close(off, off[:, :1].expand(9, 3), atol=5e-4, rtol=0)  # a number for each feature


def test_new_samples_are_explained(page, found):
    new = page["make_data"](1000, torch.Generator().manual_seed(1))
    assert recovery.held_out_error(*found, new) < 1e-7


def test_five_samples_are_explained_by_other_maps(page):
    few, new = (page["make_data"](n, torch.Generator().manual_seed(2)) for n in (5, 1000))
    maps = recovery.fit(few, 200, 0)
    assert recovery.held_out_error(*maps, few) < 1e-6 and recovery.held_out_error(*maps, new) > 0.5


def test_features_that_are_read_move_the_result_and_others_do_not(page, found):
    x, sources, _ = page["make_data"](100, torch.Generator().manual_seed(1))
    before, read = recovery.head(x, sources, *found), recovery.read_strength(page["true_Wq"])
    for feature in range(9):
        after = recovery.head(recovery.intervene(x, feature, 1.0), sources, *found)
        moved = (after - before).norm(dim=1).mean()
        assert moved > 0.1 if read[feature] else moved < 1e-3
        shifted = recovery.head(x, recovery.intervene(sources, feature, 1.0), *found) - before
        torch.testing.assert_close(shifted, found[1][feature].expand_as(shifted), atol=1e-4, rtol=0)


def some_case(n: int) -> list[torch.Tensor]:
    generator = torch.Generator().manual_seed(n)
    shapes = (n, 9), (n, 3, 9), (9, 3), (9, 3), (n, 3)
    return [torch.randn(shape, generator=generator) for shape in shapes]


@pytest.mark.parametrize("n", [1, 4, 30])
def test_head_and_error(n):
    x, sources, Wq, Wv, target = some_case(n)
    expected = scaled_dot_product_attention((x @ Wq)[:, None], KEYS.expand(n, 3, 3), sources @ Wv)[:, 0]
    torch.testing.assert_close(recovery.head(x, sources, Wq, Wv), expected)
    error = recovery.held_out_error(Wq, Wv, (x, sources, target))
    torch.testing.assert_close(torch.tensor(error), mse_loss(expected, target))


def test_no_gradient_goes_to_what_all_keys_share():
    x, sources, Wq, Wv, target = some_case(40)
    Wq.requires_grad_()
    mse_loss(recovery.head(x, sources, Wq, Wv), target).backward()
    torch.testing.assert_close(Wq.grad.sum(dim=1), torch.zeros(9), atol=1e-6, rtol=0)


@pytest.mark.parametrize("m, d_k", [(3, 3), (5, 2), (1, 4)])
def test_centred_makes_the_same_weights(m, d_k):
    generator = torch.Generator().manual_seed(m)
    x, Wq, keys = (torch.randn(shape, generator=generator).double() for shape in ((6, 9), (9, d_k), (m, d_k)))
    centred = recovery.centred(Wq, keys)
    ones = torch.eye(m, dtype=torch.float64)  # as values, they show the weights
    expected = scaled_dot_product_attention((x @ Wq)[None], keys[None], ones[None])[0]
    torch.testing.assert_close(torch.softmax(x @ centred / d_k**0.5, dim=1), expected)
    torch.testing.assert_close(centred.sum(dim=1), torch.zeros(9, dtype=torch.float64))


def test_read_strength():
    W = some_case(1)[2]
    torch.testing.assert_close(recovery.read_strength(W), torch.linalg.vector_norm(W, dim=1))
