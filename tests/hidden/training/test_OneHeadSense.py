"""Hidden tests of `OneHeadSense`."""

import math

import numpy as np
import pytest
import torch

from autograder.grading.suite import Mismatch, pair, same

SIZES = [(5, 6, 3), (3, 4, 5), (2, 3, 8), (4, 5, 2)]  # n, rows of the table, d
NAMES = ["emb.weight", "Wq.weight", "Wk.weight", "Wv.weight", "cls.weight", "cls.bias"]


def some_weights(rng, rows, d, size=1.2):
    """Weights of a head that reads sharply, but not blindly."""
    shapes = {"emb.weight": (rows, d), "Wq.weight": (d, d), "Wk.weight": (d, d), "Wv.weight": (d, d),
              "cls.weight": (2, d), "cls.bias": (2,)}
    return {name: torch.tensor(rng.uniform(-size, size, shape), dtype=torch.float32)
            for name, shape in shapes.items()}


def some_ids(rng, n, rows):
    return torch.tensor(rng.integers(0, rows, n))


def loaded(student, weights):
    """The student's model with these weights. Whatever else it may hold is the same each time."""
    student.seed_generators(3)
    rows, d = weights["emb.weight"].shape
    model = student.OneHeadSense.kept(rows, d)
    _, strange = pair(model.load_state_dict(weights, strict=False), "(missing, unexpected)")
    if strange:
        raise Mismatch("The modules are not named as asked for: emb, Wq, Wk, Wv, cls.")
    return model


def slow_head(weights, ids):
    """Logits and A, one number after the other."""
    w = {name: value.double().tolist() for name, value in weights.items()}
    x = [w["emb.weight"][i] for i in ids.tolist()]
    q, k, v = ([_times(w[f"{name}.weight"], row) for row in x] for name in ("Wq", "Wk", "Wv"))
    A = []
    for asks in q:
        scores = [math.fsum(a * b for a, b in zip(asks, key)) / math.sqrt(len(asks)) for key in k]
        raw = [math.exp(score) for score in scores]
        A.append([each / math.fsum(raw) for each in raw])
    mixture = [math.fsum(share * row[place] for share, row in zip(A[-1], v)) for place in range(len(x[0]))]
    return np.add(_times(w["cls.weight"], mixture), w["cls.bias"]), np.array(A)


def _times(W, row):
    return [math.fsum(a * b for a, b in zip(line, row)) for line in W]


def slopes(weights, ids, along):
    """The slope of along·logits for each weight, by autograd on plain tensors."""
    w = {name: value.double().requires_grad_() for name, value in weights.items()}
    x = w["emb.weight"][ids]
    q, k, v = (x @ w[f"{name}.weight"].T for name in ("Wq", "Wk", "Wv"))
    shares = torch.exp(q[-1] @ k.T / x.shape[1] ** .5)
    logits = w["cls.weight"] @ (shares / shares.sum() @ v) + w["cls.bias"]
    return dict(zip(w, torch.autograd.grad((logits * along).sum(), list(w.values()))))


def same_logits(got, expected):
    """The same up to a number added to both: that changes no probability."""
    logits = np.asarray(expected, dtype=float)
    same(got, np.zeros(2), atol=1e9)  # two finite numbers
    values = np.array([float(each) for each in got])
    same(values - np.logaddexp(*values), logits - np.logaddexp(*logits))


def last_row(A, n):
    """The last row of a matrix (n, n)."""
    same(A, np.zeros((n, n)), atol=1e9)
    return A[-1]


def numbers_of(model):
    """The state dict, with all six names in it."""
    state = model.state_dict()
    if not isinstance(state, dict) or not state.keys() >= set(NAMES):
        raise Mismatch("The modules are not named as asked for: emb, Wq, Wk, Wv, cls.")
    return state


@pytest.mark.public
def test_page(student):
    """Seed 0, before training: bank reads .31, .35, .33 of the river bank; water has .47."""
    student.seed_generators(0)
    model = student.OneHeadSense.kept(4)
    logits, A = pair(model(torch.tensor([0, 1, 3]), return_attention=True), "(logits, A)")
    same(last_row(A, 3), [.314007, .353084, .332908])
    same_logits(logits, [.391256, .510771])


@pytest.mark.gate
def test_decides(student, rng):
    """Two logits, and where the classifier's bias leaves no doubt, the larger one is right."""
    for bias in ([4., -4.], [-4., 4.]):
        weights = {**some_weights(rng, 5, 3, .4), "cls.bias": torch.tensor(bias)}
        logits = loaded(student, weights)(some_ids(rng, 3, 5))
        same(logits, np.zeros(2), atol=1e9)
        if not float(logits[0] - logits[1]) * bias[0] > 0:
            raise Mismatch("The logits do not go with the classifier's bias.")


@pytest.mark.weight(3)
def test_logits(student, rng):
    """The logits are the classifier's, for the mixture of the last position."""
    for n, rows, d in SIZES:
        weights, ids = some_weights(rng, rows, d), some_ids(rng, n, rows)
        same_logits(loaded(student, weights)(ids), slow_head(weights, ids)[0])


@pytest.mark.weight(3)
def test_attention(student, rng):
    """A holds a row of shares for every position, softmax of scores divided by √d."""
    for n, rows, d in SIZES:
        weights, ids = some_weights(rng, rows, d), some_ids(rng, n, rows)
        logits, A = pair(loaded(student, weights)(ids, return_attention=True), "(logits, A)")
        right = slow_head(weights, ids)
        same(A, right[1])
        same_logits(logits, right[0])


@pytest.mark.weight(3)
def test_gradients(student, rng):
    """What is asked of the logits reaches every parameter, and with the right slope."""
    for n, rows, d in SIZES[:2]:
        weights, ids, along = some_weights(rng, rows, d), some_ids(rng, n, rows), torch.tensor([1., -1])
        found = student.given("Slopes", loaded(student, weights)).of(ids, along)
        for name, slope in slopes(weights, ids, along).items():
            if found.get(name) is None:
                raise Mismatch("A parameter gets no gradient from the logits.", f"({name})")
            same(found[name], slope)


@pytest.mark.weight(2)
def test_parameters(student, rng):
    """Six parameters and no other: a table, three maps without bias, a classifier with its bias."""
    rows, d = int(rng.integers(3, 9)), int(rng.integers(3, 7))
    model = student.OneHeadSense.kept(rows, d)
    found = student.given("Slopes", model).of(torch.tensor([0, 1]), torch.tensor([1., -1]))
    if sorted(found) != sorted(NAMES):
        raise Mismatch("The parameters are not the six asked for.", f"({', '.join(found)})")
    state = numbers_of(model)
    for name, value in some_weights(rng, rows, d).items():
        same(state[name], np.zeros(value.shape), atol=1e9)


@pytest.mark.weight(2)
def test_start(student, trainer, rng):
    """After the same seed everybody starts from the same numbers: the modules are made in the order given."""
    for seed in (0, int(rng.integers(1, 10**6))):
        student.seed_generators(seed)
        state, right = numbers_of(student.OneHeadSense.kept(4)), trainer.seeded(seed)
        maps = dict(zip(("Wq", "Wk", "Wv"), right["maps"].split(8)))
        for name, expected in {"emb": right["words.weight"], **maps, "cls": right["out.weight"]}.items():
            same(state[f"{name}.weight"], expected)
        same(state["cls.bias"], right["out.bias"])


def test_one_word(student, rng):
    """A word that is alone reads itself; its value goes to the classifier."""
    weights = some_weights(rng, 5, 3)
    logits, A = pair(loaded(student, weights)(torch.tensor([2]), return_attention=True), "(logits, A)")
    same(A, [[1]])
    same_logits(logits, slow_head(weights, torch.tensor([2]))[0])


def test_after_training(student, trainer):
    """With the numbers of seed 0 after twenty steps, bank reads river 1.00 and money 1.00: labels 0 and 1."""
    numbers = trainer.adam(trainer.seeded(0), trainer.sentences, trainer.vocab, 20, .05, "LibraryHead")[1]
    maps = dict(zip(("Wq", "Wk", "Wv"), np.split(numbers["maps"], 3)))
    parts = {"emb.weight": numbers["words.weight"], **{f"{name}.weight": part for name, part in maps.items()},
             "cls.weight": numbers["out.weight"], "cls.bias": numbers["out.bias"]}
    model = loaded(student, {name: torch.as_tensor(part) for name, part in parts.items()})
    for tokens, label in trainer.sentences[:2]:
        ids = torch.tensor([trainer.vocab[token] for token in tokens])
        logits, A = pair(model(ids, return_attention=True), "(logits, A)")
        same(last_row(A, 3), [0, 1, 0], atol=5e-3)
        same(logits, np.zeros(2), atol=1e9)
        if not float(logits[label] - logits[1 - label]) > 2:
            raise Mismatch("The prediction is not right, or not clear.")


def test_second_call(student, rng):
    """Another sentence gives a result of its own, and a second model keeps to its own numbers."""
    one, other = (some_weights(rng, 5, 3) for _ in range(2))
    sentences = some_ids(rng, 4, 5), some_ids(rng, 2, 5)
    first, second = loaded(student, one), loaded(student, other)
    for model, weights in ((first, one), (second, other), (first, one)):
        for ids in sentences:
            same_logits(model(ids), slow_head(weights, ids)[0])
