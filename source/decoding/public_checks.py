"""Checks that run in the notebook: small inputs, most of them printed in the lesson.

`student` holds the student's functions under their names, and `student.answer` for a question.
Passing them is necessary, not sufficient: other inputs are tried after handing in.
"""

import numpy as np

from autograder.check import expect

SECTIONS = {
    "read_source": "2 What attention adds",
    "longest_path": "3 How far apart are two words?",
    "path_length": "3 How far apart are two words?",
    "decoder_step": "4 One step of writing",
    "who_reads": "4 One step of writing",
    "greedy": "5 The likeliest word, again and again",
    "beam_search": "6 When the likeliest word is a trap",
    "beam_promise": "6 When the likeliest word is a trap",
}

MEMORY = [[1, 0, 5], [0, 1, 7]]
ASKING = {"cross_q": [[0, 1], [1, 0]], "cross_k": [[1, 0], [0, 1], [0, 0]], "cross_v": [[0], [0], [1]]}
PRINTED = 5e-3  # printed with two digits
NEXT = np.array([
    [0.02, 0.02, 0.50, 0.40, 0.03, 0.03], [0.10, 0.50, 0.10, 0.10, 0.10, 0.10],
    [0.02, 0.30, 0.02, 0.02, 0.24, 0.40], [0.01, 0.01, 0.02, 0.01, 0.90, 0.05],
    [0.01, 0.02, 0.03, 0.01, 0.03, 0.90], [0.01, 0.95, 0.01, 0.01, 0.01, 0.01],
])  # what comes after <start>, <end>, red, an, old, house
RED_HOUSE, OLD_HOUSE, RED = [0, 2, 5, 1], [0, 3, 4, 5, 1], [0, 2, 1]
LONG = "The end token was never taken here: stop after max_len tokens. The start token is not one of them."


def next_word(tokens):
    """The table of section 6."""
    return np.log(NEXT[int(tokens[-1])])


def test_read_source_two_looks(student):
    for state, shares, answer in (([3, 0], [0.11, 0.89], 6.79), ([0, 3], [0.89, 0.11], 5.21)):
        weights, context = two_parts(student.read_source(state, MEMORY, ASKING))
        expect(weights, shares, atol=PRINTED, hint="The state asks, the rows are asked.")
        expect(context, [answer], atol=PRINTED, hint="The weights mix the values, memory cross_v.")


def test_read_source_one_row(student):
    weights, context = two_parts(student.read_source([2, 1], [[4, 0, 9]], ASKING))
    expect(weights, [1], hint="A row that is alone gets everything.")
    expect(context, [9], hint="The context is the row's value; the state is not added here.")


def test_longest_path_recurrent(student):
    hint = "Two neighbors are one step apart. How many steps is it from the first to the last of n words?"
    expect(student.longest_path("recurrent", 2), 1, hint=hint)
    expect(student.longest_path("recurrent", 12), 11, hint=hint)


def test_longest_path_attention(student):
    expect(student.longest_path("attention", 12), 1, hint="Each word reads any other directly.")


def test_decoder_step_alone(student):
    params = {"embed": [[0, 1], [1, 0]], "place": [[0, 0], [0, 0]], "out": [[1, 0], [0, 1]],
              "blocks": [{"self_q": [[0], [0]], "self_k": [[0], [0]], "self_v": [[0, 0], [0, 0]]}]}
    expect(student.decoder_step([1], None, params), [np.log(np.e / (1 + np.e)), np.log(1 / (1 + np.e))],
           hint="Nothing is read here: the row of token 1 goes through `out`, then log of softmax.")
    params["place"] = [[0, 0], [0, 2]]
    expect(student.decoder_step([0, 1], None, params), [np.log(1 / (1 + np.e)), np.log(np.e / (1 + np.e))],
           hint="The last row counts, and a row is the token's vector plus that of its place.")


def test_decoder_step_reads_itself(student):
    block = {"self_q": [[0], [0]], "self_k": [[0], [0]], "self_v": [[1, 0], [0, 1]]}
    params = {"embed": [[0, 1], [1, 0]], "place": [[0, 0]] * 2, "out": [[2, 0], [0, 2]], "blocks": [block]}
    expect(student.decoder_step([0, 1], None, params), [-np.log1p(np.exp(-2)), -2 - np.log1p(np.exp(-2))],
           hint="All scores are 0: the last row reads half of each row, and adds what it reads to itself.")


def test_decoder_step_reads_the_source(student):
    nothing = [[0, 0], [0, 0]]
    block = {"self_q": nothing, "self_k": nothing, "self_v": nothing, "cross_q": nothing, "cross_k": nothing,
             "cross_v": [[3, 0], [0, 0]]}
    params = {"embed": [[0, 1], [1, 0]], "place": nothing, "out": [[1, 0], [0, 1]], "blocks": [block]}
    expect(student.decoder_step([0], [[1, 0], [1, 5]], params),
           [-np.log1p(np.exp(-2)), -2 - np.log1p(np.exp(-2))],
           hint="The context of read_source is added to the row, which itself is kept.")


def test_greedy_red_house(student):
    tokens, log_prob = two_parts(student.greedy(next_word, 0, 1, 6))
    expect(tokens, RED_HOUSE, hint="The likeliest token each time, from start until end, both listed.")
    expect(np.exp(log_prob), 0.19, hint="The log-probability of a text is the sum over the tokens taken.")


def test_greedy_stops_in_time(student):
    tokens, log_prob = two_parts(student.greedy(next_word, 0, 1, 2))
    expect(tokens, RED_HOUSE[:3], hint=LONG)
    expect(np.exp(log_prob), 0.2, hint="Two tokens were taken: .50 times .40.")


def test_greedy_ties(student):
    tokens, _ = two_parts(student.greedy(lambda tokens: np.array([-2.0, -3.0, -1.0, -1.0]), 0, 1, 1))
    expect(tokens, [0, 2], hint="Of two tokens that are equally likely, take the smaller.")


def test_beam_search_width_2(student):
    hint = "Red is ahead after one word, not after two. How many hypotheses are kept in each round?"
    right = [(OLD_HOUSE, 0.3078), (RED_HOUSE, 0.19)]
    same_hypotheses(student.beam_search(next_word, 0, 1, 2, 6), right, hint)


def test_beam_search_width_3(student):
    hint = "A finished hypothesis stays as it is, and keeps its slot while it is among the best."
    right = [(OLD_HOUSE, 0.3078), (RED_HOUSE, 0.19), (RED, 0.15)]
    same_hypotheses(student.beam_search(next_word, 0, 1, 3, 6), right, hint)


def test_beam_search_width_1_is_greedy(student):
    hint = "With a width of 1, only the likeliest token is ever kept."
    same_hypotheses(student.beam_search(next_word, 0, 1, 1, 6), [(RED_HOUSE, 0.19)], hint)


def test_beam_search_stops_in_time(student):
    right = [([0, 3, 4], 0.36), (RED_HOUSE[:3], 0.2)]
    same_hypotheses(student.beam_search(next_word, 0, 1, 2, 2), right, LONG)


def test_path_length_is_a_letter(student):
    one_letter(student.answer)


def test_who_reads_is_a_letter(student):
    one_letter(student.answer)


def test_beam_promise_is_a_letter(student):
    one_letter(student.answer)


def two_parts(result):
    """A result of two parts."""
    assert isinstance(result, (tuple, list)) and len(result) == 2, "Two results are asked for, as a pair."
    return result


def same_hypotheses(result, right, hint):
    """The hypotheses with these tokens and probabilities, in this order."""
    assert isinstance(result, (tuple, list)), "Return a list of hypotheses, each a pair (tokens, log_prob)."
    assert len(result) == len(right), f"{len(result)} hypotheses instead of {len(right)}. {hint}"
    for hypothesis, (tokens, probability) in zip(result, right):
        got, log_prob = two_parts(hypothesis)
        expect(got, tokens, hint=hint)
        expect(np.exp(log_prob), probability, hint="Log-probabilities are added up, token by token.")


def one_letter(answer):
    """A question's answer can be read."""
    assert isinstance(answer, str) and answer in ("a", "b", "c", "d"), 'Write one letter, like answer = "a".'
