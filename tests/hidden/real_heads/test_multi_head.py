"""Hidden tests of `multi_head`, pasted from an earlier lesson: does it do what this one needs?"""

import numpy as np
import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from autograder.grading.suite import inputs_untouched, pair, same

SIZES = (5, 7, 6, 3, 5, 2), (4, 5, 4, 2, 3, 3), (1, 4, 3, 1, 1, 4)  # n, d, d_out, d_k, d_v, h


def draw(rng, n, d, d_out, d_k, d_v, h):
    """X, Wq, Wk, Wv, Wo."""
    shapes = (h, d, d_k), (h, d, d_k), (h, d, d_v), (h * d_v, d_out)
    return rng.uniform(-2, 2, (n, d)), *(rng.uniform(-1, 1, shape) for shape in shapes)


def by_torch(X, Wq, Wk, Wv, Wo):
    """The weights and the update."""
    X, Wq, Wk, Wv, Wo = (torch.tensor(matrix) for matrix in (X, Wq, Wk, Wv, Wo))
    one = torch.eye(len(X), dtype=X.dtype).expand(len(Wq), -1, -1)  # as values, it shows the weights
    A, H = (scaled_dot_product_attention(X @ Wq, X @ Wk, values) for values in (one, X @ Wv))
    return A.numpy(), (torch.cat(list(H), dim=1) @ Wo).numpy()


def both_same(got, inputs):
    A, update = pair(got, "(A, update)")
    for part, right in zip((A, update), by_torch(*inputs)):
        same(part, right)


@pytest.mark.public
def test_what_crossed_reads(student):
    """Crossed reads chicken, road and carelessly with .93 each."""
    X, asks, ones = np.eye(5)[[4, 0, 3, 4, 1, 2]], np.zeros((3, 5, 2)), np.eye(5)[:3]
    asks[:, 3] = 3
    inputs = X, asks, np.stack([ones, ones], axis=2), ones[:, :, None], ones
    both_same(student.multi_head(*inputs), inputs)


def test_weights(student, rng):
    """A holds every reader's shares, head by head."""
    for sizes in SIZES:
        inputs = draw(rng, *sizes)
        A, _ = pair(student.multi_head(*inputs), "(A, update)")
        same(A, by_torch(*inputs)[0])


def test_update(student, rng):
    """The mixtures of all heads, side by side, go through the output projection, which sets the width."""
    for sizes in SIZES:
        inputs = draw(rng, *sizes)
        _, update = pair(student.multi_head(*inputs), "(A, update)")
        same(update, by_torch(*inputs)[1])


def test_inputs_are_left_as_they_were(student, rng):
    """X and the parameters that were handed in are the same after the call, and after a second one."""
    for _ in range(2):
        inputs = draw(rng, *SIZES[0])
        both_same(inputs_untouched(student.multi_head, *inputs), inputs)
