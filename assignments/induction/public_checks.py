"""Checks that run in the notebook: small inputs that can be followed by hand.

`student` holds the student's functions under their names, and `student.answer` for a question.
Passing them is necessary, not sufficient: other inputs are tried after handing in.
"""

import contextlib
import math

import torch
from torch import nn

from autograder.check import expect

SECTIONS = {
    "repeated_tokens": "1 Texts that repeat themselves",
    "CausalHeads": "2 A layer of heads",
    "repeat_loss": "3 A loss that counts what can be known",
    "previous_token_score": "4 Who reads the letter before?",
    "induction_score": "5 Who reads what came after?",
    "what_fits": "5 Who reads what came after?",
    "ablated": "6 Take it out",
    "ablation_table": "6 Take it out",
    "score_and_cost": "6 Take it out",
    "guaranteed": "7 Does it have to be so?",
}

THE_SAME = "Each place holds the token that stands one period before it."
OWN_COLUMNS = "Entries 0 and 1 of q, k and v are head 0's, entries 2 and 3 head 1's."
BEFORE = torch.eye(5).roll(-1, 1).tril()  # each row reads the one before it
BEFORE[0, 0] = 1.0


class Layer(nn.Module):
    """A layer that hands over every row as it is: the first half is head 0's mixture, the second head 1's."""

    def __init__(self):
        super().__init__()
        self.o = nn.Linear(4, 4, bias=False)
        nn.init.eye_(self.o.weight)

    def forward(self, x):
        return self.o(x), torch.eye(x.shape[1]).expand(len(x), 2, -1, -1)


class Model(nn.Module):
    """Two such layers on one-hot rows of four tokens: the logits count how often a token was handed over."""

    def __init__(self):
        super().__init__()
        self.heads, self.layers = 2, nn.ModuleList([Layer(), Layer()])

    def forward(self, tokens):
        x, patterns = nn.functional.one_hot(tokens, 4).float(), []
        for layer in self.layers:
            update, A = layer(x)
            x = x + update
            patterns.append(A)
        return x, patterns


def test_repeated_tokens_repeats(student):
    tokens, periods = texts(student.repeated_tokens(6, 12, 9, 2, 5, torch.Generator().manual_seed(0)))
    expect(list(tokens.shape), [6, 12], hint="A row for each text, a column for each place.")
    expect(list(periods.shape), [6], hint="A period for each text.")
    for text, period in zip(tokens.tolist(), periods.tolist()):
        assert 2 <= period <= 5, f"A period of {period}, where 2 to 5 are asked for."
        expect(text[period:], text[:-period], hint=THE_SAME)
        assert 0 <= min(text) and max(text) < 9, "Tokens of a vocabulary of 9 are the numbers 0 to 8."


def test_repeated_tokens_periods(student):
    _, periods = texts(student.repeated_tokens(400, 6, 9, 2, 4, torch.Generator().manual_seed(1)))
    drawn = sorted(set(periods.tolist()))
    expect(drawn, [2, 3, 4], hint="Of 400 texts some should have each period, the largest included.")


def test_repeated_tokens_generator(student):
    one, again = (student.repeated_tokens(3, 9, 50, 3, 5, torch.Generator().manual_seed(7)) for _ in range(2))
    hint = "Generators in the same state give the same texts, if all that is drawn is drawn from them."
    expect(texts(one)[0], texts(again)[0], hint=hint)


def test_CausalHeads_parts(student):
    layer = student.CausalHeads(6, 3, 5)
    for name in "qkvo":
        part = getattr(layer, name, None)
        assert isinstance(part, nn.Linear), f"`{name}` should be an nn.Linear."
        expect(list(part.weight.shape), [6, 6], hint=f"`{name}` maps d entries to d entries.")
        assert part.bias is None, f"`{name}` should have no bias."


def test_CausalHeads_reads_evenly(student):
    layer = with_weights(student.CausalHeads(4, 2, 5), q=0, k=0, v=1, o=1)
    update, A = two_parts(layer(torch.tensor([[[1.0, 2, 3, 4], [3, 4, 5, 6]]])))
    evenly = [[1, 0], [0.5, 0.5]]
    expect(A, [[evenly, evenly]], hint="All scores are 0: place 0 reads itself, place 1 both, in each head.")
    expect(update, [[[1, 2, 3, 4], [2, 3, 4, 5]]], hint="With v and o the identity, the rows are mixed.")


def test_CausalHeads_two_heads(student):
    layer = with_weights(student.CausalHeads(4, 2, 5), q=1, k=1, v=1, o=1)
    _, A = two_parts(layer(torch.tensor([[[0.0, 0, 2, 0], [1, 0, 2, 0]]])))
    share = math.exp(1 / math.sqrt(2))
    shares = [1 / (1 + share), share / (1 + share)]
    expect(A[0, 0, 1], shares, hint=f"{OWN_COLUMNS} The root is that of 4 / 2.")
    expect(A[0, 1, 1], [0.5, 0.5], hint=OWN_COLUMNS)


def test_repeat_loss_even_guess(student):
    loss = student.repeat_loss(torch.zeros(1, 6, 4), torch.tensor([[0, 1, 2, 0, 1, 2]]), torch.tensor([3]))
    expect(loss, math.log(4), hint="Whoever guesses evenly among four tokens pays log 4 at each place.")


def test_repeat_loss_counts_repeats(student):
    tokens = torch.tensor([[0, 1, 2, 0, 1, 2]])
    logits = torch.zeros(1, 6, 4)
    logits[0, :3, 3] = 50  # certain of a wrong token wherever nothing can be known
    logits[0, 3, 1] = logits[0, 4, 2] = 50
    logits[0, 5] = torch.tensor([0, 0, 0, 50.0])
    hint = "With a period of 3 the places 3 and 4 count. Each predicts the token after it; 5 has none."
    expect(student.repeat_loss(logits, tokens, torch.tensor([3])), 0.0, hint=hint)


def test_previous_token_score_all_or_nothing(student):
    A = torch.stack([BEFORE, torch.eye(5)])[None]
    expect(student.previous_token_score(A), [1, 0], hint="Row t of head 0 reads t − 1 alone; head 1, itself.")


def test_previous_token_score_shares(student):
    A = torch.full((3, 1, 4, 4), 0.25)
    expect(student.previous_token_score(A), [0.25], hint="Every place gets a quarter of every row.")


def test_induction_score_one_period(student):
    A = torch.zeros(1, 2, 6, 6)
    for t, s in ((3, 1), (4, 2), (5, 3)):
        A[0, 0, t, s], A[0, 1, t, s - 1] = 1, 1
    hint = "With a period of 3, place 4 stands on the same token as place 1. What came after is at place 2."
    expect(student.induction_score(A, torch.tensor([3])), [1, 0], hint=hint)


def test_induction_score_several_copies(student):
    A = torch.full((1, 1, 6, 6), 1 / 6)
    hint = "With a period of 2: place 2 counts 1; 3 counts 2 and 0; 4 counts 3 and 1; 5 counts 4, 2 and 0."
    expect(student.induction_score(A, torch.tensor([2])), [8 / 24], hint=hint)


def test_ablated_one_half(student):
    model, tokens = Model(), torch.tensor([[0, 1, 2, 3]])
    expect(model(tokens)[0].diagonal(dim1=1, dim2=2), [[4, 4, 4, 4]])
    with student.ablated(model, 0, 1):
        logits = model(tokens)[0]
    hint = "Tokens 2 and 3 lie in head 1's half of the mixtures: layer 0 should add nothing to their rows."
    expect(logits.diagonal(dim1=1, dim2=2), [[4, 4, 2, 2]], hint=hint)


def test_ablated_restores(student):
    model, tokens = Model(), torch.tensor([[0, 1, 2, 3]])
    with contextlib.suppress(KeyError), student.ablated(model, 1, 0):
        raise KeyError("on purpose")
    hint = "After the block, even one that was left by an exception, the model is as before."
    expect(model(tokens)[0].diagonal(dim1=1, dim2=2), [[4, 4, 4, 4]], hint=hint)


def test_ablation_table_two_halves(student):
    tokens, periods = torch.tensor([[0, 0, 0, 0], [3, 3, 3, 3]]), torch.tensor([1, 1])
    table = student.ablation_table(Model(), tokens, periods)
    whole, less = (math.log(1 + 3 * math.exp(-logit)) for logit in (4, 2))
    expect(table, [[(less - whole) / 2] * 2] * 2, hint="Half of the places lose half of their logit.")


def test_what_fits_is_a_letter(student):
    one_letter(student.answer)


def test_score_and_cost_is_a_letter(student):
    one_letter(student.answer)


def test_guaranteed_is_a_letter(student):
    one_letter(student.answer)


def two_parts(result):
    """A result of two parts."""
    assert isinstance(result, (tuple, list)) and len(result) == 2, "Two results are asked for, as a pair."
    return result


def texts(result):
    """Tokens and periods, as whole numbers."""
    for part in two_parts(result):
        whole = isinstance(part, torch.Tensor) and not part.dtype.is_floating_point
        assert whole, "Tokens and periods should be tensors of whole numbers."
    return result


def with_weights(layer, **factors):
    """The layer, each of its maps that multiple of the identity."""
    for name, factor in factors.items():
        weight = getattr(getattr(layer, name, None), "weight", None)
        assert weight is not None, f"`{name}` should be an nn.Linear."
        with torch.no_grad():
            weight.copy_(factor * torch.eye(len(weight)))
    return layer


def one_letter(answer):
    """A question's answer can be read."""
    assert isinstance(answer, str) and answer in ("a", "b", "c", "d"), 'Write one letter, like answer = "a".'
