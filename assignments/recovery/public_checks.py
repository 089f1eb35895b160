"""Checks that run in the notebook: small inputs, most of them printed in the lesson.

`student` holds the student's functions under their names, and `student.answer` for a question.
Passing them is necessary, not sufficient: other inputs are tried after handing in.
"""

import torch

from autograder.check import expect

SECTIONS = {
    "fit": "2 Two maps, trained",
    "held_out_error": "3 Does it hold for new words?",
    "five_samples": "3 Does it hold for new words?",
    "centred": "4 One map is found, the other is not",
    "another_key": "4 One map is found, the other is not",
    "read_strength": "5 Which features are read?",
    "intervene": "6 Change the input and look",
    "twice_as_long": "6 Change the input and look",
}

NONE = [0.0, 0.0, 0.0]
TRUE_WQ = torch.tensor([NONE, NONE, [0, 0, 2], [2, 0, 0], [0, 2, 0], [0, 1, 1], NONE, NONE, NONE])
TRUE_WV = torch.tensor([[2, 0, 0], [0, 2, 0], [0, 0, 2], NONE, NONE, NONE, NONE, [1, 0, -1], NONE])


def test_fit_starts_at_random(student):
    data = some_data(student, 4, 0)
    one, again, other = (two_maps(student.fit(data, 0, seed)) for seed in (0, 0, 1))
    for here, there, elsewhere in zip(one, again, other):
        expect(there, here.detach(), hint="The same seed must give the same start.")
        far = float((elsewhere - here).detach().abs().max())
        assert far > 0.01, "Another seed must start elsewhere, with both maps. Where does yours use it?"


def test_fit_moves_both_maps(student):
    data = some_data(student, 64, 0)
    start, moved = (two_maps(student.fit(data, steps, 0)) for steps in (0, 1))
    for name, before, after in zip(("Wq", "Wv"), start, moved):
        far = float((after - before).detach().abs().max())
        assert far > 1e-6, f"After one step {name} is where it started. Is it what the optimizer changes?"


def test_fit_new_samples(student):
    Wq, Wv = two_maps(student.fit(some_data(student, 256, 0), 200, 0))
    x, sources, target = some_data(student, 1000, 1)
    error = float((student.head(x, sources, Wq, Wv) - target).detach().pow(2).mean())
    where = "After 200 steps on 256 samples, the loss on new ones"
    assert error < 1e-3, f"{where} is {error:.2g}, not below 1e-3. How does yours fall, step by step?"


def test_fit_true_maps(student):
    Wq, Wv = two_maps(student.fit(some_data(student, 256, 0), 200, 0))
    expect(Wv, TRUE_WV, atol=0.1, rtol=0, hint="Wv should come out as the true one.")
    found, true = (W.detach() - W.detach().mean(dim=1, keepdim=True) for W in (Wq, TRUE_WQ))
    expect(found, true, atol=0.1, rtol=0, hint="Less the means of its rows, Wq should be the true one.")


def test_held_out_error_by_hand(student):
    Wq, Wv = torch.zeros(9, 3), torch.eye(9)[:, :3]  # uniform weights: the mean of three sources
    sources = torch.zeros(1, 3, 9)
    sources[0, 1, 0] = 3
    error = student.held_out_error(Wq, Wv, (torch.ones(1, 9), sources, torch.tensor([[0.0, 0.0, 4.0]])))
    expect(error, 17 / 3, hint="The result is [1 0 0], the target [0 0 4]: the mean of 1, 0 and 16.")


def test_held_out_error_of_the_true_maps(student):
    error = student.held_out_error(TRUE_WQ, TRUE_WV, some_data(student, 50, 3))
    expect(error, 0, atol=1e-9, hint="The true maps make no error at all.")


def test_centred_keys_of_the_page(student):
    result = student.centred(TRUE_WQ, torch.eye(3))
    expect(result[2:4], [[-2 / 3, -2 / 3, 4 / 3], [4 / 3, -2 / 3, -2 / 3]],
           hint="A source's score counts from the mean of all three.")


def test_centred_other_keys(student):
    keys = torch.tensor([[1.0, 5.0], [2.0, 5.0], [6.0, 5.0], [3.0, 5.0]])
    result = student.centred(torch.tensor([[1.0, 7.0]] * 9), keys)
    expect(result, [[-2, -1, 3, 0]] * 9,
           hint="Which is the mean of these four keys? What is left of each, and what does a query see?")


def test_read_strength_two_rows(student):
    W = torch.zeros(9, 2)
    W[0], W[4] = torch.tensor([3.0, -4.0]), torch.tensor([0.0, -2.0])
    expect(student.read_strength(W), [5, 0, 0, 0, 2, 0, 0, 0, 0],
           hint="Each row has a length: the root of the sum of its squares.")


def test_intervene_one_reader(student):
    expect(student.intervene(torch.arange(9.0), 4, -1.5), [0, 1, 2, 3, 2.5, 5, 6, 7, 8],
           hint="One entry moves by size, counted from 0. The others stay.")


def test_intervene_readers_and_sources(student):
    for shape in ((2, 9), (2, 3, 9)):
        moved = student.intervene(torch.zeros(shape), 8, 2.0)
        expect(moved[..., 8], torch.full(shape[:-1], 2.0), hint="The features are along the last axis.")
        expect(moved[..., :8], torch.zeros(*shape[:-1], 8), hint="Only that feature moves.")


def test_five_samples_is_a_letter(student):
    one_letter(student.answer)


def test_another_key_is_a_letter(student):
    one_letter(student.answer)


def test_twice_as_long_is_a_letter(student):
    one_letter(student.answer)


def some_data(student, samples, seed):
    """Samples of the page's world."""
    return student.make_data(samples, torch.Generator().manual_seed(seed))


def two_maps(result):
    """The maps (Wq, Wv) of a result."""
    assert isinstance(result, (tuple, list)) and len(result) == 2, "Return the pair (Wq, Wv)."
    for W in result:
        assert torch.is_tensor(W) and W.shape == (9, 3), "Both maps are tensors of shape (9, 3)."
    return result


def one_letter(answer):
    """A question's answer can be read."""
    assert isinstance(answer, str) and answer in ("a", "b", "c", "d"), 'Write one letter, like answer = "a".'
