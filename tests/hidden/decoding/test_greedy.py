"""Hidden tests of `greedy`."""

import numpy as np
import pytest

from autograder.grading.suite import Mismatch, pair, same

NEXT = np.array([
    [.02, .02, .50, .40, .03, .03], [.10, .50, .10, .10, .10, .10], [.02, .30, .02, .02, .24, .40],
    [.01, .01, .02, .01, .90, .05], [.01, .02, .03, .01, .03, .90], [.01, .95, .01, .01, .01, .01],
])  # what comes after <start>, <end>, red, an, old, house


def some_step(seed, vocab, favored=None):
    """A model whose next token depends on all that was written; it favors one token, or none."""

    def step(tokens):
        scores = np.random.default_rng([seed, *(int(token) + 1 for token in tokens)]).normal(0, 1.5, vocab)
        scores[[] if favored is None else favored] += 1
        return scores - np.log(np.exp(scores).sum())

    return step


def slow_greedy(step, start, end, max_len):
    """One token after the other; the largest so far is replaced only by a larger one."""
    tokens, log_prob = [start], 0.
    for _ in range(max_len):
        best, most = None, -np.inf
        for token, score in enumerate(step(tokens)):
            if score > most:
                best, most = token, score
        tokens, log_prob = [*tokens, best], log_prob + most
        if best == end:
            break
    return tokens, log_prob


def some_text(rng, vocab, start, end, max_len, length, favored=None):
    """A model whose greedy text has that many tokens after the start."""
    while True:
        step = some_step(int(rng.integers(2**31)), vocab, favored)
        if len(slow_greedy(step, start, end, max_len)[0]) == length + 1:
            return step


def last(tokens):
    """The last of some tokens; Mismatch where they are no list."""
    if isinstance(tokens, list | tuple) and tokens or getattr(tokens, "ndim", 0) == 1 and len(tokens):
        return tokens[-1]
    raise Mismatch("The tokens must be a list.")


def right(student, step, start, end, max_len):
    tokens, log_prob = pair(student.greedy(step, start, end, max_len), "(tokens, log_prob)")
    expected = slow_greedy(step, start, end, max_len)
    same(tokens, expected[0])
    same(log_prob, expected[1])


@pytest.mark.public
def test_red_house(student):
    """On the page, greedy search writes "red house", with a probability of .19."""
    step = lambda tokens: np.log(NEXT[int(tokens[-1])])
    tokens, log_prob = pair(student.greedy(step, 0, 1, 6), "(tokens, log_prob)")
    same(tokens, [0, 2, 5, 1])
    same(log_prob, np.log(.19))


@pytest.mark.gate
def test_likeliest_token(student, rng):
    """Where the same token is always the likeliest, it is taken."""
    for best in rng.permutation([2, 3, 4])[:2].tolist():
        step = lambda tokens, best=best: np.log(np.where(np.arange(6) == best, .5, .1))
        tokens, _ = pair(student.greedy(step, 0, 1, 2), "(tokens, log_prob)")
        same(last(tokens), best)


@pytest.mark.weight(3)
def test_tokens(student, rng):
    """The tokens, from start to end, of texts that end by themselves."""
    for vocab, start, end, length in ((7, 0, 1, 4), (5, 4, 2, 3), (8, 3, 0, 5)):
        step = some_text(rng, vocab, start, end, 9, length)
        tokens, _ = pair(student.greedy(step, start, end, 9), "(tokens, log_prob)")
        same(tokens, slow_greedy(step, start, end, 9)[0])


@pytest.mark.weight(3)
def test_log_prob(student, rng):
    """The log-probability is the sum over all tokens that were taken, end included."""
    for vocab, start, end, length in ((7, 0, 1, 4), (5, 4, 2, 3), (8, 3, 0, 5)):
        step = some_text(rng, vocab, start, end, 9, length)
        _, log_prob = pair(student.greedy(step, start, end, 9), "(tokens, log_prob)")
        same(log_prob, slow_greedy(step, start, end, 9)[1])


@pytest.mark.weight(2)
def test_max_len(student, rng):
    """A text without an end stops after max_len tokens; the start is not one of them, and no end is added."""
    for max_len in (1, 2, 6):
        right(student, some_text(rng, 6, 0, 1, max_len + 3, max_len + 3), 0, 1, max_len)


def test_end_in_the_last_place(student, rng):
    """An end token that is taken as token number max_len counts like any other."""
    step = some_text(rng, 6, 5, 2, 9, 4)
    right(student, step, 5, 2, 4)


def test_end_at_once(student, rng):
    """The end may be the likeliest token from the beginning."""
    right(student, some_text(rng, 6, 2, 3, 9, 1, favored=3), 2, 3, 9)


def test_large_vocabulary(student, rng):
    """Start, end and what is written may be any of three hundred tokens."""
    start, *text = (260 + rng.permutation(40)[:4]).tolist()
    step = lambda tokens: np.where(np.arange(300) == text[(len(tokens) - 1) % 3], -1., -9)
    right(student, step, start, text[-1], 9)


def test_start_again(student, rng):
    """The start token may be taken again, like any other."""
    while True:
        step = some_step(int(rng.integers(2**31)), 5, favored=4)
        if slow_greedy(step, 4, 1, 6)[0].count(4) > 2:
            break
    right(student, step, 4, 1, 6)


def test_ties(student, rng):
    """Of equally likely tokens, the smaller is taken."""
    for equal in ([2, 4], [3, 5], [0, 5]):
        scores = np.full(6, -3.)
        scores[equal] = -.75
        right(student, lambda tokens, scores=scores: scores - len(tokens) / 4, 2, 1, 3)


def test_step_gets_all_tokens(student, rng):
    """step gets all tokens so far, start first."""
    seen = []
    step = some_text(rng, 6, 3, 1, 9, 5)

    def watching(tokens):
        seen.append([int(token) for token in tokens])
        return step(tokens)

    tokens, _ = pair(student.greedy(watching, 3, 1, 9), "(tokens, log_prob)")
    expected, _ = slow_greedy(step, 3, 1, 9)
    same(tokens, expected)
    for prefix in seen:
        same(prefix, expected[: len(prefix)])


def test_second_call(student, rng):
    """Another model, another start or another length gives a result of its own."""
    one, other = some_text(rng, 6, 0, 1, 9, 4), some_text(rng, 6, 0, 1, 9, 6)
    for call in ((one, 0, 1, 9), (other, 0, 1, 9), (one, 2, 1, 9), (one, 0, 1, 2), (one, 0, 1, 9)):
        right(student, *call)
