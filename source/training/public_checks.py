"""Checks that run in the notebook: small inputs, most of them printed in the lesson.

`student` holds the student's functions under their names, and `student.answer` for a question.
Passing them is necessary, not sufficient: other inputs are tried after handing in.
"""

import numpy as np
import torch
from torch import nn

from autograder.check import expect

SECTIONS = {
    "encode": "1 Four sentences, two senses",
    "OneHeadSense": "2 A head as a module",
    "count_parameters": "2 A head as a module",
    "train": "3 Three hundred times through four sentences",
    "predict": "3 Three hundred times through four sentences",
    "one_loss": "3 Three hundred times through four sentences",
    "what_rows_say": "4 Labels without sense",
    "sgd_step": "5 One update, number by number",
    "softmax_backward": "6 Where the gradients come from",
    "head_backward": "6 Where the gradients come from",
}

VOCAB = {"the": 0, "river": 1, "money": 2, "bank": 3}
EXAMPLES = [(["the", "river", "bank"], 0), (["the", "money", "bank"], 1),
            (["river", "bank"], 0), (["money", "bank"], 1)]
NAMES = ["emb.weight", "Wq.weight", "Wk.weight", "Wv.weight", "cls.weight", "cls.bias"]
PRINTED = 5e-3  # printed with two digits
SENTENCE = torch.tensor([0, 1, 3])


class Counts(nn.Module):
    """A model without a head, to try a single function on: a row of two scores for each word, added up."""

    def __init__(self):
        super().__init__()
        self.scores = nn.Embedding(4, 2)
        nn.init.zeros_(self.scores.weight)

    def forward(self, ids, return_attention=False):
        A = torch.tensor([[1.0, 2, 3, 4]])[:, : len(ids)].repeat(len(ids), 1).tril()
        logits = self.scores(ids).sum(0)
        return (logits, A / A.sum(1, keepdim=True)) if return_attention else logits


def test_encode_the_river_bank(student):
    ids = student.encode(["the", "river", "bank"], VOCAB)
    assert isinstance(ids, torch.Tensor), "A tensor is asked for: torch can make one of a list of numbers."
    assert ids.dtype == torch.int64, "An Embedding looks up whole numbers: dtype torch.int64."
    expect(ids, [0, 1, 3], hint="The vocabulary says which number a word has.")


def test_encode_a_word_twice(student):
    expect(student.encode(["bank", "the", "bank"], VOCAB), [3, 0, 3],
           hint="Every word of the sentence gets its number, in the order of the sentence.")


def test_OneHeadSense_names_and_order(student):
    torch.manual_seed(0)
    model = student.OneHeadSense(4)
    names = [name for name, _ in model.named_parameters()]
    assert sorted(names) == sorted(NAMES), f"The parameters are {names}, but should be {NAMES}."
    torch.manual_seed(0)
    made = nn.Embedding(4, 8), *(nn.Linear(8, 8, bias=False) for _ in range(3)), nn.Linear(8, 2)
    right = [parameter for module in made for parameter in module.parameters()]
    for name, parameter in zip(NAMES, right):
        expect(model.get_parameter(name), parameter,
               hint=f"{name} does not start from its number of seed 0: are the modules made in order?")


def test_OneHeadSense_before_training(student):
    torch.manual_seed(0)
    logits, A = two_parts(student.OneHeadSense(4)(SENTENCE, return_attention=True))
    expect(A.shape, (3, 3), hint="Every position reads every position.")
    expect(A.sum(1), [1, 1, 1], hint="The shares of a row add up to 1.")
    expect(A[-1], [0.31, 0.35, 0.33], atol=PRINTED, hint="Scores are q·k/√d. Are rows and columns right?")
    expect(logits.softmax(0), [0.47, 0.53], atol=PRINTED, hint="The last row of A v goes to the classifier.")


def test_OneHeadSense_learns_everywhere(student):
    torch.manual_seed(0)
    model = student.OneHeadSense(4)
    model(SENTENCE)[0].backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None, f"{name} gets no gradient: where is it cut off from the logits?"


def test_count_parameters_of_one_head(student):
    expect(student.count_parameters(student.OneHeadSense(4)), 242,
           hint="4·8 for the table, 3·8·8 for the maps, 8·2 + 2 for the classifier.")


def test_count_parameters_of_a_single_map(student):
    expect(student.count_parameters(nn.Linear(3, 5)), 20, hint="3·5 weights and 5 biases.")


def test_train_losses_of_one_word(student):
    losses = student.train(Counts(), [(["bank"], 1)], VOCAB, 2, 0.5)
    assert isinstance(losses, list) and len(losses) == 2, "Return a list with one loss for each step."
    expect(losses, [np.log(2), np.log1p(np.exp(-1))],
           hint="The loss before the first update is log 2. Then Adam moves both scores by lr, 0.5 each.")


def test_train_two_examples(student):
    model = Counts()
    losses = student.train(model, [(["the"], 0), (["money"], 1)], VOCAB, 1, 0.5)
    expect(losses, [np.log(2)], hint="The mean of the losses of both examples, each before its own update.")
    expect(model.scores.weight[0], [0.835, -0.835], atol=PRINTED,
           hint="Each example gets an update of its own, from its own gradient; Adam remembers the last one.")


def test_train_seed_0(student):
    torch.manual_seed(0)
    model = student.OneHeadSense(4)
    losses = student.train(model, EXAMPLES, VOCAB)
    expect(len(losses), 300, hint="300 steps are the default.")
    expect(losses[0], 0.625, atol=PRINTED, hint="The loss of the first step, in order, one update each.")
    for tokens, label in EXAMPLES[:2]:
        logits, A = model(student.encode(tokens, VOCAB), return_attention=True)
        expect(logits.argmax(), label, hint="After training, all four sentences are right.")
        expect(A[-1], [0, 1, 0], atol=PRINTED, hint=f"Bank reads {tokens[1]}, and nothing else.")


def test_predict_label_and_weights(student):
    model = Counts()
    with torch.no_grad():
        model.scores.weight[2, 1] = 1
    label, read = two_parts(student.predict(model, ["the", "money", "bank"], VOCAB))
    expect(label, 1, hint="The label of the larger logit.")
    expect(read, {"the": 1 / 6, "money": 2 / 6, "bank": 3 / 6}, hint="The weights in the last row of A.")


def test_predict_a_word_twice(student):
    _, read = two_parts(student.predict(Counts(), ["bank", "the", "bank"], VOCAB))
    expect(read, {"bank": 4 / 6, "the": 2 / 6}, hint="Bank is read at two places: both weights count.")


def test_sgd_step_one_update(student):
    model = Counts()
    loss, gradients = two_parts(student.sgd_step(model, torch.tensor([0, 3]), 1, 0.2))
    expect(loss, np.log(2), hint="The loss before the step.")
    expect(gradients, {"scores.weight": [[0.5, -0.5], [0, 0], [0, 0], [0.5, -0.5]]},
           hint="Probability minus truth, for the words that occur; zeros for those that do not.")
    expect(model.scores.weight, [[-0.1, 0.1], [0, 0], [0, 0], [-0.1, 0.1]],
           hint="Each parameter, less lr times its gradient, in the model itself.")


def test_sgd_step_again(student):
    model = Counts()
    first = two_parts(student.sgd_step(model, torch.tensor([0]), 1, 1.0))[1]
    loss, gradients = two_parts(student.sgd_step(model, torch.tensor([1]), 1, 1.0))
    expect(loss, np.log(2), hint="River was not in the first sentence.")
    expect(gradients["scores.weight"][0], [0, 0], hint="Gradients of the step before were not cleared.")
    expect(first["scores.weight"][0], [0.5, -0.5], hint="The gradients returned first have changed.")


def test_softmax_backward_one_row(student):
    expect(student.softmax_backward([[0.5, 0.25, 0.25]], [[1, 0, 0]]), [[0.25, -0.125, -0.125]],
           hint="Σ_k A_ik dA_ik is .5 here; it is taken off before the product with A.")


def test_softmax_backward_two_rows(student):
    expect(student.softmax_backward([[0.5, 0.5], [1, 0]], [[0, 2], [3, 5]]), [[-0.5, 0.5], [0, 0]],
           hint="Each row has a sum of its own.")


def test_head_backward_by_hand(student):
    X, Wq, Wk = np.eye(2), np.zeros((2, 4)), 2 * np.eye(2, 4)
    right = [[0.5, 0], [0.5, 0]], [[0.25, -0.25, 0, 0], [0, 0, 0, 0]], np.zeros((2, 4)), [[0.5, 0], [0.5, 0]]
    found = student.head_backward(X, Wq, Wk, np.eye(2), [[1, 0], [0, 0]])
    same_parts(found, right, "Both rows of A are [.5 .5]; √d_k is 2; with queries of zeros dWk is zero.")


def test_head_backward_by_nudges(student):
    rng = np.random.default_rng(1)
    *parts, dH = (rng.normal(size=shape) for shape in ((3, 4), (4, 2), (4, 2), (4, 5), (3, 5)))
    right = [nudged(parts, place, dH) for place in range(4)]
    same_parts(student.head_backward(*parts, dH), right, "It is not what nudging each entry gives.")


def test_one_loss_is_a_letter(student):
    one_letter(student.answer)


def test_what_rows_say_is_a_letter(student):
    one_letter(student.answer)


def nudged(parts, place, dH):
    """The slope of Σ dH·H for each entry of one of the parts (X, Wq, Wk, Wv)."""
    slopes = np.zeros_like(parts[place])
    for entry in np.ndindex(slopes.shape):
        for sign in (1, -1):
            X, Wq, Wk, Wv = moved = [part.copy() for part in parts]
            moved[place][entry] += sign * 1e-5
            raw = np.exp((X @ Wq) @ (X @ Wk).T / np.sqrt(Wq.shape[1]))
            slopes[entry] += sign * (dH * (raw / raw.sum(1, keepdims=True) @ (X @ Wv))).sum() / 2e-5
    return slopes


def same_parts(found, right, hint):
    """All four gradients."""
    assert isinstance(found, (tuple, list)) and len(found) == 4, "Four results are asked for."
    for name, part, wanted in zip(("dX", "dWq", "dWk", "dWv"), found, right):
        expect(part, wanted, hint=f"{name}: {hint}")


def two_parts(result):
    """A result of two parts."""
    assert isinstance(result, (tuple, list)) and len(result) == 2, "Two results are asked for, as a pair."
    return result


def one_letter(answer):
    """A question's answer can be read."""
    assert isinstance(answer, str) and answer in ("a", "b", "c", "d"), 'Write one letter, like answer = "a".'
