"""Hidden tests of `beam_search`."""

import itertools

import numpy as np
import pytest

from autograder.grading.suite import Mismatch, pair, same

NEXT = np.array([
    [.02, .02, .50, .40, .03, .03], [.10, .50, .10, .10, .10, .10], [.02, .30, .02, .02, .24, .40],
    [.01, .01, .02, .01, .90, .05], [.01, .02, .03, .01, .03, .90], [.01, .95, .01, .01, .01, .01],
])  # what comes after <start>, <end>, red, an, old, house
START, END = 0, 1
TELLING = 10  # of a model of seven words in which greedy search, each width and each known mistake differ
CROWDED = 233  # of one whose beam of width 2 ends up below greedy search


def some_step(seed, vocab, end):
    """A model whose next token depends on all that was written, and is the end a little more often."""

    def step(tokens):
        scores = np.random.default_rng([seed, *(int(token) + 1 for token in tokens)]).normal(0, 1.2, vocab)
        scores[end] += .8
        return scores - np.log(np.exp(scores).sum())

    return step


def rounds(step, start, end, width, max_len):
    """All candidates of each round, best first."""
    beam = [([start], 0.)]
    for _ in range(max_len):
        pool = [item for item in beam if len(item[0]) > 1 and item[0][-1] == end]
        for tokens, log_prob in beam:
            if len(tokens) == 1 or tokens[-1] != end:
                pool.extend((tokens + [token], log_prob + score) for token, score in enumerate(step(tokens)))
        pool.sort(key=lambda item: (-item[1], item[0]))
        beam = pool[:width]
        yield pool


def slow_beam(step, start, end, width, max_len):
    """The candidates of the last round, cut to the width."""
    return list(rounds(step, start, end, width, max_len))[-1][:width]


def every_text(step, start, end, vocab, max_len):
    """All texts that end, or have max_len tokens, with their log-probabilities: best first."""
    texts = []
    for length in range(1, max_len + 1):
        for tail in itertools.product(range(vocab), repeat=length):
            if end not in tail[:-1] and (tail[-1] == end or length == max_len):
                prefixes = [[start, *tail[:i]] for i in range(length)]
                total = sum(step(prefix)[token] for prefix, token in zip(prefixes, tail))
                texts.append(([start, *tail], total))
    return sorted(texts, key=lambda item: -item[1])


def clear(step, start, end, width, max_len):
    """Whether no two of the best candidates come close to each other in any round."""
    pools = rounds(step, start, end, width, max_len)
    return all(np.diff([-item[1] for item in pool[: width + 1]]).min(initial=1) > 1e-3 for pool in pools)


def some_model(rng, vocab, start, end, width, max_len):
    """A clear model on which greedy search loses, and some but not all hypotheses end early."""
    while True:
        step = some_step(int(rng.integers(2**31)), vocab, end)
        found = slow_beam(step, start, end, width, max_len)
        ended = [tokens for tokens, _ in found if tokens[-1] == end and len(tokens) <= max_len]
        greedy = slow_beam(step, start, end, 1, max_len)[0]
        loses = width == 1 or found[0][1] > greedy[1] + .01 and 0 < len(ended) < width
        if loses and clear(step, start, end, width, max_len):
            return step


def same_hypotheses(got, expected):
    """The hypotheses are the expected ones, in this order."""
    if not isinstance(got, list | tuple) or len(got) != len(expected):
        raise Mismatch("Not as many hypotheses came back as there should be, in a list.")
    for hypothesis, (tokens, log_prob) in zip(got, expected):
        parts = pair(hypothesis, "(tokens, log_prob)")
        same(parts[0], tokens)
        same(parts[1], log_prob)


def right(student, *search):
    same_hypotheses(student.beam_search(*search), slow_beam(*search))


def best_of(got):
    """The first hypothesis, as a pair."""
    if not isinstance(got, list | tuple) or not got:
        raise Mismatch("The result must be a list of hypotheses.")
    return pair(got[0], "(tokens, log_prob)")


def last(tokens):
    """The last of some tokens; Mismatch where they are no list."""
    if isinstance(tokens, list | tuple) and tokens or getattr(tokens, "ndim", 0) == 1 and len(tokens):
        return tokens[-1]
    raise Mismatch("The tokens must be a list.")


@pytest.mark.public
def test_an_old_house(student):
    """On the page, width 2 finds "an old house", and width 3 has "red" in third place."""
    step = lambda tokens: np.log(NEXT[int(tokens[-1])])
    expected = [([0, 3, 4, 5, 1], np.log(.30780)), ([0, 2, 5, 1], np.log(.19)), ([0, 2, 1], np.log(.15))]
    for width in (2, 3):
        same_hypotheses(student.beam_search(step, 0, 1, width, 6), expected[:width])


@pytest.mark.gate
def test_likeliest_token(student, rng):
    """Where the same token is always the likeliest, it is taken."""
    for best in rng.permutation([2, 3, 4])[:2].tolist():
        step = lambda tokens, best=best: np.log(np.where(np.arange(6) == best, .5, .1))
        tokens, _ = best_of(student.beam_search(step, 0, 1, 1, 2))
        same(last(tokens), best)


@pytest.mark.weight(2)
def test_a_model_on_which_greedy_loses(student):
    """A fixed model of seven words: three hypotheses of up to six tokens."""
    right(student, some_step(TELLING, 7, END), START, END, 3, 6)


@pytest.mark.weight(3)
def test_every_width(student, rng):
    """The hypotheses of widths 2, 3 and 5, finished or not, best first."""
    for width in (2, 3, 5):
        right(student, some_model(rng, 6, START, END, width, 5), START, END, width, 5)


def test_best_tokens(student, rng):
    """The best hypothesis has the right tokens."""
    for width in (2, 3):
        step = some_model(rng, 7, START, END, width, 4)
        tokens, _ = best_of(student.beam_search(step, START, END, width, 4))
        same(tokens, slow_beam(step, START, END, width, 4)[0][0])


@pytest.mark.weight(2)
def test_width_one(student, rng):
    """With a width of 1, the search is greedy: one hypothesis."""
    for max_len in (1, 4, 8):
        right(student, some_model(rng, 6, START, END, 1, max_len), START, END, 1, max_len)


@pytest.mark.weight(2)
def test_wide_enough_for_all(student, rng):
    """A beam as wide as all texts returns every one of them, in the order of their probabilities."""
    step = some_step(int(rng.integers(2**31)), 3, 2)
    same_hypotheses(student.beam_search(step, 0, 2, 100, 3), every_text(step, 0, 2, 3, 3))


def test_wide_enough_for_the_best(student, rng):
    """A beam that loses nothing before the last round finds the most probable texts of all."""
    step = some_model(rng, 4, 3, 0, 9, 3)
    same_hypotheses(student.beam_search(step, 3, 0, 16, 3), every_text(step, 3, 0, 4, 3)[:16])


def test_crowded_out(student):
    """A fixed model where the beam loses sight of what greedy search finds: that happens, and is right."""
    right(student, some_step(CROWDED, 5, END), START, END, 2, 5)


def test_finished_hypotheses(student, rng):
    """Where several hypotheses end early, each keeps its slot and its log-probability to the last."""
    while True:
        step = some_step(int(rng.integers(2**31)), 6, 4)
        found = slow_beam(step, 2, 4, 4, 6)
        if sum(tokens[-1] == 4 and len(tokens) < 5 for tokens, _ in found) >= 2 and clear(step, 2, 4, 4, 6):
            break
    right(student, step, 2, 4, 4, 6)


def test_finished_and_overtaken(student, rng):
    """A finished hypothesis that later ones overtake loses its slot."""
    while True:
        step = some_step(int(rng.integers(2**31)), 6, END)
        pools = list(rounds(step, START, END, 2, 5))
        ended = [tokens for pool in pools[:-1] for tokens, _ in pool[:2] if tokens[-1] == END]
        kept = [tokens for tokens, _ in pools[-1][:2]]
        if any(tokens not in kept for tokens in ended) and clear(step, START, END, 2, 5):
            break
    right(student, step, START, END, 2, 5)


@pytest.mark.weight(2)
def test_unfinished(student, rng):
    """Hypotheses without an end after max_len tokens are kept as they are; the start is not counted."""
    for max_len in (1, 2, 3):
        step = some_step(int(rng.integers(2**31)), 6, END)
        never = lambda tokens, step=step: step(tokens) - 20 * (np.arange(6) == END)
        right(student, never, START, END, 3, max_len)


def test_end_at_once(student, rng):
    """Everything may be finished after the first round."""
    scores = np.log(np.where(np.arange(6) == 3, .9, .02)) - np.arange(6) / 4
    right(student, lambda tokens: scores - 2 * (len(tokens) > 1), 5, 3, 1, 4)


def test_other_ends(student, rng):
    """Other numbers for start and end, 0 among them."""
    for start, end in ((3, 0), (0, 5), (5, 2)):
        right(student, some_model(rng, 6, start, end, 3, 4), start, end, 3, 4)


def test_large_vocabulary(student, rng):
    """Start, end and what is written may be any of three hundred tokens."""
    start, end, word = (260 + rng.permutation(40)[:3]).tolist()
    scores = np.full(300, -9.)
    scores[[word, end]] = -.75, -1
    right(student, lambda tokens: scores, start, end, 2, 2)


def test_ties(student):
    """Of equally likely extensions of a hypothesis, the smaller token goes first."""
    scores = np.array([-3., -5, -1, -3, -1, -3])
    for width in (1, 2, 4):
        right(student, lambda tokens: scores, START, END, width, 1)


def test_longer_hypotheses_get_no_bonus(student):
    """A short text and a long one are compared by the plain sum."""
    table = {0: [-9., -1.5, -.5, -8], 1: [-9, -7, -8, -6], 2: [-9., -8, -9, -.75], 3: [-9., -.5, -7, -8]}
    for width in (2, 3):
        right(student, lambda tokens: np.array(table[int(tokens[-1])]), START, END, width, 4)


def test_second_call(student, rng):
    """Another model, width, start or length gives a result of its own."""
    one, other = (some_model(rng, 6, START, END, 3, 4) for _ in range(2))
    for step, *call in ((one, 0, 1, 3, 4), (other, 0, 1, 3, 4), (one, 0, 1, 2, 4), (one, 2, 1, 3, 2)):
        right(student, step, *call)
    right(student, one, 0, 1, 3, 4)
