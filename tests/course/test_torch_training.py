"""The reference solutions of the lesson on training agree with torch's own attention, SGD and autograd, and
their outcome is the one the page prints."""

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.functional import cross_entropy, scaled_dot_product_attention

from solutions import training

VOCAB = {"the": 0, "river": 1, "money": 2, "bank": 3}
SENTENCES = [("the river bank", 0), ("the money bank", 1), ("river bank", 0), ("money bank", 1)]
EXAMPLES = [(sentence.split(), label) for sentence, label in SENTENCES]
WORDS = "river money vault salmon lawyer attorney".split()


def seeded(vocab_size: int, d: int = 8, seed: int = 0) -> nn.Module:
    torch.manual_seed(seed)
    return training.OneHeadSense(vocab_size, d)


def library(model: nn.Module) -> nn.MultiheadAttention:
    """Torch's own attention with the maps of a model of ours."""
    d = model.emb.embedding_dim
    theirs = nn.MultiheadAttention(d, 1, bias=False, batch_first=True)
    maps = [model.Wq.weight, model.Wk.weight, model.Wv.weight]
    theirs.load_state_dict({"in_proj_weight": torch.cat(maps).detach(), "out_proj.weight": torch.eye(d)})
    return theirs


@pytest.mark.parametrize("d", [2, 5, 8])
@pytest.mark.parametrize("n", [1, 2, 6])
def test_the_head_is_that_of_multihead_attention(n, d):
    model, ids = seeded(7, d), torch.randint(0, 7, (n,))
    x = model.emb(ids)[None]
    mixed, weights = library(model)(x, x, x)
    logits, A = model(ids, return_attention=True)
    torch.testing.assert_close(A, weights[0])
    torch.testing.assert_close(logits, model.cls(mixed[0, -1]))
    torch.testing.assert_close(model(ids), logits)


def test_the_numbers_of_parameters():
    assert training.count_parameters(seeded(4)) == 242
    assert training.count_parameters(seeded(8)) == 274
    assert training.count_parameters(seeded(4, d=2)) == 26


def test_a_step_is_that_of_torchs_sgd():
    ours, theirs, ids = seeded(5, 3), seeded(5, 3), torch.tensor([4, 0, 2])
    sgd = torch.optim.SGD(theirs.parameters(), lr=0.3)
    for label in (1, 0):
        loss, gradients = training.sgd_step(ours, ids, label, 0.3)
        sgd.zero_grad()
        expected = cross_entropy(theirs(ids), torch.tensor(label))
        expected.backward()
        sgd.step()
        assert loss == pytest.approx(expected.item())
        for (name, one), other in zip(ours.named_parameters(), theirs.parameters()):
            torch.testing.assert_close(one, other)
            torch.testing.assert_close(gradients[name], other.grad)


def test_an_absent_word_gets_no_gradient():
    _, gradients = training.sgd_step(seeded(4), training.encode(["the", "river", "bank"], VOCAB), 0, 0.3)
    assert not gradients["emb.weight"][VOCAB["money"]].any()
    assert all(gradients["emb.weight"][VOCAB[word]].any() for word in ("the", "river", "bank"))


def test_the_outcome_of_seed_0_is_the_published_one():
    model = seeded(4)
    losses = training.train(model, EXAMPLES, VOCAB)
    assert len(losses) == 300 and losses[0] == pytest.approx(0.6252, abs=1e-4) and losses[-1] < 1e-3
    for (tokens, label), word in zip(EXAMPLES[:2], ("river", "money")):
        said, read = training.predict(model, tokens, VOCAB)
        assert said == label
        assert {token: round(weight, 2) for token, weight in read.items()} == {"the": 0, word: 1, "bank": 0}
    assert round(training.predict(model, EXAMPLES[0][0], VOCAB)[1]["river"], 4) == 0.9997


def test_assigned_labels_are_learned():
    vocab = {word: number for number, word in enumerate(["the", *WORDS, "bank"])}
    examples = [(["the", word, "bank"], number % 2) for number, word in enumerate(WORDS)]
    model = seeded(8)
    training.train(model, examples, vocab, 100)
    said = [training.predict(model, tokens, vocab) for tokens, _ in examples]
    assert [label for label, _ in said] == [0, 1, 0, 1, 0, 1]
    assert [round(read[word], 2) for word, (_, read) in zip(WORDS, said)] == [0, 1, 0, 1, 0, 1]


@pytest.mark.parametrize("n, m", [(1, 1), (3, 5), (6, 2)])
def test_softmax_backward_is_autograd(n, m):
    rng = np.random.default_rng([n, m])
    scores = torch.tensor(rng.uniform(-3, 3, (n, m)), requires_grad=True)
    A, dA = scores.softmax(-1), rng.uniform(-2, 2, (n, m))
    (expected,) = torch.autograd.grad(A, scores, torch.from_numpy(dA))
    agree(training.softmax_backward(A.detach().numpy(), dA), expected)


@pytest.mark.parametrize("n, d, d_k, d_v", [(1, 3, 2, 4), (3, 4, 2, 3), (5, 2, 6, 2)])
def test_head_backward_is_autograd(n, d, d_k, d_v):
    rng = np.random.default_rng([n, d])
    shapes = (n, d), (d, d_k), (d, d_k), (d, d_v)
    X, Wq, Wk, Wv = parts = [torch.tensor(rng.uniform(-1, 1, shape), requires_grad=True) for shape in shapes]
    H, dH = scaled_dot_product_attention(*(X @ W for W in (Wq, Wk, Wv))), rng.uniform(-1, 1, (n, d_v))
    expected = torch.autograd.grad(H, parts, torch.from_numpy(dH))
    for ours, theirs in zip(training.head_backward(*(part.detach().numpy() for part in parts), dH), expected):
        agree(ours, theirs)


def agree(ours: np.ndarray, theirs: torch.Tensor) -> None:
    torch.testing.assert_close(torch.from_numpy(ours), theirs, rtol=1e-9, atol=1e-11)
