"""Checks that run in the notebook: small inputs, most of them printed in the lesson.

`student` holds the student's functions under their names, and `student.answer` for a question.
Passing them is necessary, not sufficient: other inputs are tried after handing in.
"""

import numpy as np

from autograder.check import expect

SECTIONS = {
    "causal_mask": "1 Drawing the line",
    "masked_softmax": "2 Shares among those allowed",
    "attention": "3 Attention with a switch",
    "word_order": "3 Attention with a switch",
    "cross_attention": "4 Reading another text",
    "KVCache": "5 One word at a time",
    "decode_step": "5 One word at a time",
    "linear_attention": "6 A memory that does not grow",
    "fast_weights": "6 A memory that does not grow",
    "regrouping": "6 A memory that does not grow",
    "kernel_smoother": "7 Any compatibility will do",
}

RIVER = [[0, 0, 0, 1], [0, 1, 0, 0.2], [0.5, 0.5, 0.8, 0.2]]  # "the river bank"
UFER = [[0, 0, 0, 1], [0, 1, 0.8, 0.2]]  # "das Ufer"
SCORES = [[0.5, 0.1, 0.1], [0.1, 0.52, 0.27], [0.1, 0.27, 0.59]]
LATER = [[False, True, True], [False, False, True], [False, False, False]]
CAUSAL = [[1, 0, 0], [0.3965, 0.6035, 0], [0.2619, 0.3105, 0.4276]]
ONE = np.eye(4)
KEYS, VALUES = [[1, 0], [0, 1], [0.6, 0.8]], [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
FOUR = 1e-4  # printed with four digits
TWO = 6e-3  # printed with two digits


def test_causal_mask_three_words(student):
    expect(student.causal_mask(3), LATER,
           hint="True means forbidden. The first reader may read itself only, the last one everything.")


def test_causal_mask_a_single_word(student):
    expect(student.causal_mask(1), [[False]], hint="A word may always read itself.")


def test_masked_softmax_the_river_bank(student):
    expect(student.masked_softmax(SCORES, LATER), CAUSAL, atol=FOUR,
           hint="Forbidden entries get exactly 0, and the allowed ones of a row share everything.")


def test_masked_softmax_zero_is_a_score(student):
    expect(student.masked_softmax([[0, 0, 5]], [[False, False, True]]), [[0.5, 0.5, 0]],
           hint="An allowed score of 0 earns a share. Only the mask says what is forbidden.")


def test_masked_softmax_one_mask_for_all(student):
    hint = "The mask may be smaller than the scores: one row for all readers, or a single False."
    scores = [[1, 1, 7], [3, 3, 2]]
    expect(student.masked_softmax(scores, [False, False, True]), [[0.5, 0.5, 0]] * 2, hint=hint)
    expect(student.masked_softmax([[4, 4]], False), [[0.5, 0.5]], hint=hint)


def test_masked_softmax_nothing_allowed(student):
    with student.raises(ValueError):
        student.masked_softmax([[1, 2], [3, 4]], [[False, False], [True, True]])


def test_attention_causal(student):
    A, H = two_parts(student.attention(RIVER, ONE, ONE, ONE, causal=True), (3, 3), (3, 4))
    expect(A, CAUSAL, atol=FOUR, hint="Each row shares among itself and the rows before it.")
    expect(H[2], [0.21, 0.52, 0.34, 0.41], atol=TWO, hint="The mixtures use the weights that you return.")


def test_attention_without_a_mask(student):
    A, _ = two_parts(student.attention(RIVER, ONE, ONE, ONE), (3, 3), (3, 4))
    expect(A[1], [0.2697, 0.4105, 0.3197], atol=FOUR, hint="Unless causal is set, everybody reads everybody.")


def test_attention_scale(student):
    A, H = two_parts(student.attention([[1], [2]], [[0] * 8 + [3]], [[1] * 9], [[1, 10]]), (2, 2), (2, 2))
    expect(A[0], [1 / (1 + np.e), np.e / (1 + np.e)],
           hint="Keys here have nine coordinates, words one. The root of which of the two is it?")
    expect(H[:, 1], 10 * H[:, 0], hint="The values are X Wv: here two columns, one ten times the other.")


def test_cross_attention_two_words_read_three(student):
    A, H = two_parts(student.cross_attention(UFER, RIVER, ONE, ONE, ONE), (2, 3), (2, 4))
    expect(A[1], [0.24, 0.37, 0.39], atol=TWO, hint="The rows of X ask, all rows of Z are read.")
    expect(H[1], [0.1965, 0.5628, 0.3143, 0.3926], atol=FOUR, hint="What is mixed are rows of Z, not of X.")


def test_KVCache_grows(student):
    cache = student.KVCache()
    expect(len(cache), 0, hint="A fresh cache has length 0.")
    cache.append([1, 2], [3, 4, 5])
    cache.append([6, 7], [8, 9, 10])
    expect(len(cache), 2, hint="The length counts words: one for each append.")
    expect(cache.keys, [[1, 2], [6, 7]], hint="One row for each word, oldest first.")
    expect(cache.values, [[3, 4, 5], [8, 9, 10]], hint="One row for each word, as wide as its value.")


def test_KVCache_belongs_to_itself(student):
    one, other, k = student.KVCache(), student.KVCache(), np.array([1.0, 2.0])
    one.append(k, k)
    k[0] = 99
    expect(one.keys, [[1, 2]], hint="The key was changed after append: keep a copy of your own.")
    expect(len(other), 0, hint="A word was appended to another cache. What do the two have in common?")


def test_decode_step_the_river_bank(student):
    cache = student.KVCache()
    for t, x in enumerate(RIVER):
        weights, mixture = two_parts(student.decode_step(x, cache, ONE, ONE, ONE), (t + 1,), (4,))
        expect(weights, CAUSAL[t][: t + 1], atol=FOUR,
               hint="Append first, then read: the newest word reads all that came before, and itself.")
        expect(len(cache), t + 1, hint="Each step adds one word to the cache.")
    expect(mixture, [0.21, 0.52, 0.34, 0.41], atol=TWO, hint="The weights mix the values of the cache.")


def test_linear_attention_the_page(student):
    expect(student.linear_attention(KEYS, KEYS, VALUES), [[1, 2, 3], [4, 5, 6], [10.8, 13.2, 15.6]],
           hint="The products weigh the values as they are: of a word with itself and with those before it.")


def test_fast_weights_the_page(student):
    out, memory = two_parts(student.fast_weights(KEYS, KEYS, VALUES), (3, 3), (2, 3))
    expect(memory[1], [9.6, 11.4, 13.2], hint="Asked for [0 1], the memory answers with its second row.")
    expect(out, [[1, 2, 3], [4, 5, 6], [10.8, 13.2, 15.6]], hint="Each word is added first, and then read.")


def test_kernel_smoother_doubled(student):
    result = student.kernel_smoother([1], [[1], [3]], [[0, 4], [8, 0]], lambda q, k: float(q[0] * k[0]))
    weights, mixture = two_parts(result, (2,), (2,))
    expect(weights, [0.25, 0.75], hint="Compatibilities 1 and 3: divide by their total, and nothing else.")
    expect(mixture, [6, 1], hint="The weights mix the rows of V.")


def test_kernel_smoother_temperatures(student):
    hours, degrees = [[0], [4], [8], [12], [16], [20]], [[9], [7], [12], [19], [17], [12]]
    nearness = lambda q, k: float(np.exp(-np.sum((np.asarray(q) - k) ** 2) / 18))
    _, mixture = two_parts(student.kernel_smoother([10], hours, degrees, nearness), (6,), (1,))
    expect(mixture, [14.98], atol=TWO, hint="At 10 h, the measurements at 8 h and 12 h count most.")


def test_word_order_is_a_letter(student):
    one_letter(student.answer)


def test_regrouping_is_a_letter(student):
    one_letter(student.answer)


def two_parts(result, first, second):
    """A pair of arrays of these shapes."""
    assert isinstance(result, (tuple, list)) and len(result) == 2, "Two results are asked for, as a pair."
    for part, shape in zip(result, (first, second)):
        assert np.shape(part) == shape, f"Shape {np.shape(part)} instead of {shape}: see the docstring."
    return np.asarray(result[0]), np.asarray(result[1])


def one_letter(answer):
    """A question's answer can be read."""
    assert isinstance(answer, str) and answer in ("a", "b", "c", "d"), 'Write one letter, like answer = "a".'
