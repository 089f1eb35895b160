"""Checks that run in the notebook: small inputs, which need no model.

`student` holds the student's functions under their names, and `student.answer` for a question.
Passing them is necessary, not sufficient: other inputs are tried after handing in.
"""

import numpy as np
import torch

from autograder.check import expect

SECTIONS = {
    "multi_head": "2 Your own `multi_head`",
    "head_parameters": "3 Heads out of the file",
    "idle_bias": "3 Heads out of the file",
    "same_place": "6 A hypothesis, and how it could fail",
    "weight_and_effect": "7 A large weight, a small effect",
    "encoder_alone": "8 What the vectors are for",
}

D, WIDTH = 24, 2  # of the small layer below: twelve heads of two coordinates each
START = {"self.query": 100, "self.key": 200, "self.value": 300, "output.dense": 400}
BIAS = .5
PARTS = "Wq", "Wk", "Wv", "Wo", "bo"


def small_state():
    """A layer in which every number tells where it stood: weight[a, b] is START + a + b/100, bias[a] is
    START + a + .5."""
    state, a, b = {}, torch.arange(D).double(), torch.arange(D).double() / 100
    for part, start in START.items():
        state[f"encoder.layer.1.attention.{part}.weight"] = start + a[:, None] + b
        state[f"encoder.layer.1.attention.{part}.bias"] = start + a + BIAS
    return state


def parts_of(student):
    """What head_parameters returns for the small layer, by name."""
    result = student.head_parameters(small_state(), 1)
    assert isinstance(result, (tuple, list)) and len(result) == 5, "Return five parts: (Wq, Wk, Wv, Wo, bo)."
    return dict(zip(PARTS, result))


def test_multi_head_what_crossed_reads(student):
    """The first three heads, on "The chicken crossed the road carelessly"."""
    X, asks, ones = np.eye(5)[[4, 0, 3, 4, 1, 2]], np.zeros((3, 5, 2)), np.eye(5)[:3]
    asks[:, 3] = 3
    result = student.multi_head(X, asks, np.stack([ones, ones], axis=2), ones[:, :, None], ones)
    assert isinstance(result, (tuple, list)) and len(result) == 2, "Two results are asked for: (A, update)."
    crossed = [np.asarray(part)[..., 2, :] for part in result]
    read = np.full((3, 6), .0134)
    read[[0, 1, 2], [1, 4, 5]] = .933
    expect(crossed[0], read, atol=1e-4, hint="Each head has its own row of shares: these are of crossed.")
    expect(crossed[1], [.933, .933, .933, 0, 0], atol=1e-3, hint="The mixtures side by side, times Wo.")


def test_head_parameters_first_query(student):
    """Head 0's matrix for queries, with the bias as its last row."""
    matrix = np.asarray(parts_of(student)["Wq"])
    assert matrix.shape == (12, D + 1, WIDTH), (
        f"Wq has shape {matrix.shape}: twelve heads, {D} rows and one for the bias, {WIDTH} columns are due."
    )
    rows = [[100 + column + row / 100 for column in (0, 1)] for row in range(D)]
    expect(matrix[0, :D], rows, hint="In the file a row is an output. Here an output is a column.")
    expect(matrix[0, D], [100.5, 101.5], hint="The last row holds the bias of head 0's two outputs.")


def test_head_parameters_last_head(student):
    """Head 11 gets the last outputs, of queries, keys and values."""
    parts = parts_of(student)
    for name, start in (("Wq", 100), ("Wk", 200), ("Wv", 300)):
        last = np.asarray(parts[name])[11]
        expect(last[[0, -1]], [[start + 22, start + 23], [start + 22.5, start + 23.5]],
               hint=f"{name}: of 24 outputs the first two are head 0's, the last two head 11's.")


def test_head_parameters_output(student):
    """The output projection and its bias."""
    parts = parts_of(student)
    rows = [[400 + column + row / 100 for column in range(D)] for row in range(D)]
    expect(parts["Wo"], rows, hint="For y = x weightᵀ + bias, what stands behind x?")
    expect(parts["bo"], [400.5 + column for column in range(D)], hint="bo is the bias of output.dense.")


def test_idle_bias_is_a_letter(student):
    one_letter(student.answer)


def test_same_place_is_a_letter(student):
    one_letter(student.answer)


def test_weight_and_effect_is_a_letter(student):
    one_letter(student.answer)


def test_encoder_alone_is_a_letter(student):
    one_letter(student.answer)


def one_letter(answer):
    """A question's answer can be read."""
    assert isinstance(answer, str) and answer in ("a", "b", "c", "d"), 'Write one letter, like answer = "a".'
