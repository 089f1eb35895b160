"""Hidden tests of `induction_score`."""

import numpy as np
import pytest
import torch

from autograder.grading.suite import inputs_untouched, same

SIZES = ((1, 1, 7, [3]), (3, 2, 9, [2, 4, 6]), (4, 3, 12, [5, 3, 11, 4]), (2, 4, 10, [2, 7]))


def drawn(rng, B, h, T, periods):
    """Causal patterns and periods."""
    raw = np.tril(rng.uniform(.05, 1, (B, h, T, T)) ** 3)
    return torch.tensor(raw / raw.sum(axis=-1, keepdims=True), dtype=torch.float32), torch.tensor(periods)


def slow_score(A, periods):
    """One place after the other."""
    found = []
    for rows, period in zip(A.tolist(), periods.tolist()):
        for t in range(period, A.shape[-1]):
            places = range(t - period + 1, -1, -period)
            found.append([sum(head[t][place] for place in places) for head in rows])
    return np.mean(found, axis=0)


@pytest.mark.public
def test_one_copy(student):
    """With a period of 3, place 4 stands on the same token as place 1; what came after is at place 2."""
    A = torch.zeros(1, 2, 6, 6)
    for t, s in ((3, 1), (4, 2), (5, 3)):
        A[0, 0, t, s], A[0, 1, t, s - 1] = 1, 1
    same(student.induction_score(A, torch.tensor([3])), [1, 0])


@pytest.mark.gate
def test_the_head_that_does_it(student, rng):
    """Of three heads, one reads what came after the earlier copy; the others read themselves."""
    for which in rng.permutation(3)[:2]:
        A = torch.eye(7).repeat(2, 3, 1, 1)
        A[:, which, 3:] = torch.eye(7)[1:5]
        same(student.induction_score(A, torch.tensor([3, 3])), np.arange(3) == which, atol=.45)


@pytest.mark.weight(3)
def test_patterns(student, rng):
    """The share of what came after any earlier copy, head by head, in texts of several periods."""
    for sizes in SIZES:
        case = drawn(rng, *sizes)
        same(student.induction_score(*case), slow_score(*case))


@pytest.mark.weight(2)
def test_two_copies_of_one_text(student, rng):
    """In a single text of two blocks."""
    for period in (2, 3, 4):
        case = drawn(rng, 1, 2, 2 * period, [period])
        same(student.induction_score(*case), slow_score(*case))


@pytest.mark.weight(2)
def test_several_copies(student):
    """A head that spreads its share over what came after each of the earlier copies has score 1."""
    for period, T in ((2, 8), (3, 11)):
        A = torch.zeros(1, 2, T, T)
        A[:, 1] = torch.eye(T)
        for t in range(period, T):
            places = list(range(t - period + 1, -1, -period))
            A[0, 0, t, places] = 1 / len(places)
        same(student.induction_score(A, torch.tensor([period])), [1, 0])


def test_the_first_place(student, rng):
    """Place 0 came after a copy, too, where it stands two blocks back or more."""
    A, periods = drawn(rng, 2, 3, 8, [2, 3])
    A[:, :, :, 1:] /= 2
    A[:, :, :, 0] += 1 - A.sum(-1)
    same(student.induction_score(A, periods), slow_score(A, periods))


@pytest.mark.weight(2)
def test_places_that_do_not_count(student, rng):
    """What is read within the first block does not matter; what the last place reads does."""
    A, periods = drawn(rng, 2, 2, 9, [4, 6])
    expected = slow_score(A, periods)
    for text, period in enumerate((4, 6)):
        A[text, :, :period] = drawn(rng, 1, 2, 9, [1])[0][0, :, :period]
    same(student.induction_score(A, periods), expected)
    A[:, :, 8] = torch.eye(9)[8]
    same(student.induction_score(A, periods), slow_score(A, periods))


@pytest.mark.weight(2)
def test_each_place_counts_the_same(student, rng):
    """A text with many places has more say than one with few."""
    A, periods = drawn(rng, 2, 2, 12, [3, 10])
    A[1, 0, 10:] = torch.eye(12)[[1, 2]]
    same(student.induction_score(A, periods), slow_score(A, periods))


def test_short_texts(student, rng):
    """A text that is not longer than its period adds nothing."""
    for periods in ([8, 3, 12], [7, 9, 8]):
        case = drawn(rng, 3, 2, 8, periods)
        same(student.induction_score(*case), slow_score(*case))


def test_places_ahead(student, rng):
    """What a pattern without a mask reads ahead is no copy's, at whatever distance it stands."""
    for periods in ([3, 4], [1, 2]):
        A = torch.tensor(rng.dirichlet(np.ones(9), (2, 3, 9)), dtype=torch.float32)
        same(student.induction_score(A, torch.tensor(periods)), slow_score(A, torch.tensor(periods)))


def test_period_of_one(student, rng):
    """With a period of 1 all that is read up to here came after a copy."""
    A, _ = drawn(rng, 2, 3, 6, [1, 1])
    same(student.induction_score(A, torch.tensor([1, 1])), [1, 1, 1])


def test_inputs_are_left_as_they_were(student, rng):
    """Patterns and periods are the same after the call."""
    inputs_untouched(student.induction_score, *drawn(rng, 3, 2, 9, [2, 4, 6]))


def test_second_call(student, rng):
    """Other patterns give a score of their own."""
    one, other = drawn(rng, 3, 2, 9, [2, 4, 6]), drawn(rng, 1, 4, 7, [3])
    for case in (one, other, one):
        same(student.induction_score(*case), slow_score(*case))
