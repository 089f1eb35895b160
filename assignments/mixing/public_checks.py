"""Checks that run in the notebook: small inputs, most of them printed in the lesson.

`student` holds the student's functions under their names, and `student.answer` for a question.
Passing them is necessary, not sufficient: other inputs are tried after handing in.
"""

import numpy as np

from autograder.check import expect

SECTIONS = {
    "softmax": "2 From scores to shares",
    "match_scores": "3 How well do two words match?",
    "mix": "4 Mixing rows",
    "attend": "5 One attention head",
    "same_weights": "5 One attention head",
    "add_residual": "6 Keeping the word itself",
    "keeps_itself": "6 Keeping the word itself",
    "uniform_mixture": "7 Would the plain mean have done it?",
    "sharpen": "8 Turning the contrast up and down",
    "unchanged_weights": "9 What a weight is, and what it is not",
}

RIVER = [[0, 0, 0, 1], [0, 1, 0, 0.2], [0.5, 0.5, 0.8, 0.2]]  # "the river bank"
MONEY = [[0, 0, 0, 1], [1, 0, 0, 0.2], [0.5, 0.5, 0.8, 0.2]]  # "the money bank"
PRINTED = 5e-3  # printed rows are rounded to two digits
UNTOUCHED = "The argument has changed during the call: build a new array."


def test_softmax_row_of_bank(student):
    expect(student.softmax([0.10, 0.27, 0.59]), [0.26, 0.31, 0.43], atol=PRINTED,
           hint="This is the hand calculation of section 2: exponentials, each divided by their total.")


def test_softmax_each_row_alone(student):
    expect(student.softmax([[0, 0], [5, 5], [0, np.log(3)]]), [[0.5, 0.5], [0.5, 0.5], [0.25, 0.75]],
           hint="Every row is normalized by itself: which entries have to share a total of one?")


def test_softmax_extreme_scores(student):
    hint = "Only differences of scores count. Which number can you subtract so that no exponential overflows?"
    expect(student.softmax([1000, 1000, 0]), [0.5, 0.5, 0], hint=hint)
    expect(student.softmax([-1000, -1000]), [0.5, 0.5], hint=hint)
    expect(student.softmax([-np.inf, 0, 0]), [0, 0.5, 0.5], hint="A score of -inf gets no share at all.")


def test_softmax_leaves_its_argument(student):
    z = np.array([[1.0, 1.0]])
    expect(student.softmax(z), [[0.5, 0.5]], hint="Equal scores, equal shares.")
    expect(z, [[1, 1]], hint=UNTOUCHED)


def test_match_scores_row_of_bank(student):
    S = shaped(student.match_scores(RIVER), (3, 3), "one score for each pair of rows")
    expect(S[2], [0.10, 0.27, 0.59], atol=PRINTED,
           hint="Bank's products are .20, .54, 1.18 before they are divided; what are they divided by?")


def test_match_scores_other_widths(student):
    hint = "Count the columns of the X that was given: this one is not 4 wide."
    expect(student.match_scores([[2], [3]]), [[4, 6], [6, 9]], hint=hint)
    expect(student.match_scores([[3, 0, 0, 0, 0, 0, 0, 0, 0]]), [[3]], hint=hint)


def test_mix_by_hand(student):
    expect(student.mix([[0.26, 0.31, 0.43]], RIVER), [[0.215, 0.525, 0.344, 0.408]], atol=1e-3,
           hint="One share for each row of V, then a sum over the rows: follow water in section 4.")


def test_mix_two_readers_of_three_sources(student):
    expect(student.mix([[1, 0, 0], [0, 0.5, 0.5]], [[2, 4], [6, 8], [0, 2]]), [[2, 4], [3, 5]],
           hint="The first reader takes source 0 only, the second half of source 1 and half of source 2.")


def test_mix_takes_shares_as_they_are(student):
    expect(student.mix([[2, 1]], [[1], [10]]), [[12]],
           hint="These shares do not sum to one; mix uses them all the same.")


def test_attend_the_river_bank(student):
    A, H = weights_and_mixtures(student.attend(RIVER))
    expect(A[2], [0.26, 0.31, 0.43], atol=PRINTED,
           hint="Bank's weights are the shares of its scores [.10 .27 .59], taken along the row.")
    expect(H[2], [0.21, 0.52, 0.34, 0.41], atol=PRINTED,
           hint="Bank's mixture uses bank's row of weights and the rows of the sentence, with no residual.")


def test_attend_the_money_bank(student):
    A, H = weights_and_mixtures(student.attend(MONEY))
    expect(A[2], [0.26, 0.31, 0.43], atol=PRINTED, hint="Bank has the same weights as beside the river.")
    expect(H[2], [0.52, 0.21, 0.34, 0.41], atol=PRINTED,
           hint="As beside the river: the weights in the last row of A, applied to the argument.")


def test_attend_every_word_reads(student):
    A, _ = weights_and_mixtures(student.attend(RIVER))
    expect(A.sum(axis=1), [1, 1, 1], hint="Each reader has a row of A to itself, and that row sums to one.")


def test_add_residual_row_of_bank(student):
    expect(student.add_residual([RIVER[2]], [[0.21, 0.52, 0.34, 0.41]]), [[0.71, 1.02, 1.14, 0.61]],
           hint="The mixture is added to the row that was there, coordinate by coordinate.")


def test_add_residual_leaves_its_arguments(student):
    X, H = np.array([[1.0, 2.0]]), np.array([[10.0, 20.0]])
    expect(student.add_residual(X, H), [[11, 22]], hint="Add the two tables entry by entry.")
    expect(X, [[1, 2]], hint=UNTOUCHED)
    expect(H, [[10, 20]], hint=UNTOUCHED)


def test_uniform_mixture_both_sentences(student):
    hint = "The mean of the three rows, coordinate by coordinate, in each of the three places."
    expect(student.uniform_mixture(RIVER), [[0.17, 0.50, 0.27, 0.47]] * 3, atol=PRINTED, hint=hint)
    expect(student.uniform_mixture(MONEY), [[0.50, 0.17, 0.27, 0.47]] * 3, atol=PRINTED, hint=hint)


def test_uniform_mixture_any_number_of_words(student):
    expect(student.uniform_mixture([[2, 4], [4, 8]]), [[3, 6], [3, 6]],
           hint="Two words, so each has a share of one half; there is one result for every word.")


def test_sharpen_row_of_bank(student):
    hint = "The factor multiplies the scores, before they become shares, and nothing else is divided."
    expect(student.sharpen([0.10, 0.27, 0.59], 5), [0.067, 0.157, 0.776], atol=1e-3, hint=hint)
    expect(student.sharpen([0.10, 0.27, 0.59], 0.1), [0.326, 0.332, 0.342], atol=1e-3, hint=hint)


def test_sharpen_extreme_scores(student):
    expect(student.sharpen([[1000, 0], [0, 0]], 5), [[1, 0], [0.5, 0.5]],
           hint="5 × 1000 is too large for an exponential; your softmax knows what to do about that.")


def test_same_weights_is_a_letter(student):
    one_letter(student.answer)


def test_keeps_itself_is_a_letter(student):
    one_letter(student.answer)


def test_unchanged_weights_is_a_letter(student):
    one_letter(student.answer)


def shaped(got, shape, meaning):
    """`got` as an array, once it has the shape; a row of another shape would be compared in vain."""
    assert np.shape(got) == shape, f"Shape {np.shape(got)} instead of {shape}: {meaning}."
    return np.asarray(got)


def weights_and_mixtures(result):
    """The pair (A, H) for three words of four coordinates."""
    assert isinstance(result, (tuple, list)) and len(result) == 2, "attend returns two arrays: return A, H."
    order = "A has one weight for each pair of words, H one mixture for each word; A comes first"
    return shaped(result[0], (3, 3), order), shaped(result[1], (3, 4), order)


def one_letter(answer):
    """A question's answer can be read."""
    assert isinstance(answer, str) and answer in ("a", "b", "c", "d"), 'Write one letter, like answer = "a".'
