"""Checks that run in the notebook: small inputs, most of them printed in the lesson.

`student` holds the student's functions under their names, and `student.answer` for a question.
Passing them is necessary, not sufficient: other inputs are tried after handing in.
"""

import numpy as np

from autograder.check import expect

SECTIONS = {
    "project": "2 One row, three roles",
    "new_title": "2 One row, three roles",
    "attend_from": "3 One question to any sources",
    "attention": "4 Every word asks",
    "tower_query": "5 A query that finds Eiffel",
    "same_mixture": "6 Change the match, then change the content",
    "direction_query": "7 What could this query match?",
    "bank_match": "7 What could this query match?",
    "other_sentence": "7 What could this query match?",
}

TOWER = [[0, 0], [0, 1], [1, 0]]  # the, Eiffel, tower: structure, Paris identity
SAME, SWAP = [[1, 0], [0, 1]], [[0, 1], [1, 0]]
RIVER = [[0, 0, 0, 1], [0, 1, 0, 0.2], [0.5, 0.5, 0.8, 0.2]]  # "the river bank"
MONEY = [[0, 0, 0, 1], [1, 0, 0, 0.2], [0.5, 0.5, 0.8, 0.2]]  # "the money bank"
KEYS = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]]  # finance, water, structure; generic is dropped
FOR_WATER = [[0, 0, 0], [0, 0, 0], [0, 3.75, 0], [0, 0, 0]]
PRINTED = 1e-4  # the lesson prints four digits of tower's numbers
PERCENT = 1e-3  # and a tenth of a percent of bank's weights
UNTOUCHED = "The argument has changed during the call: build a new array."


def test_project_queries_of_the_tower(student):
    Q, K, V = parts(student.project(TOWER, SWAP, SAME, SAME), "project", "Q, K, V")
    expect(Q, [[0, 0], [1, 0], [0, 1]], hint="This query matrix swaps the two coordinates of a row.")
    expect(K, TOWER, hint="With the identity as Wk, a word's key is its row.")
    expect(V, TOWER, hint="With the identity as Wv, a word's value is its row.")


def test_project_other_widths(student):
    Wq, Wk, Wv = [[1, 0], [2, 0], [3, 1]], [[0, 1], [0, 0], [1, 0]], [[1], [1], [1]]
    result = student.project([[1, 10, 100]], Wq, Wk, Wv)
    Q, K, V = parts(result, "project", "Q, K, V")
    expect(Q, [[321, 100]], hint="Entry j of the query is the row times column j of Wq: 1·1 + 10·2 + 100·3.")
    expect(K, [[100, 1]], hint="Keys are made as queries are, with a matrix of their own.")
    expect(V, [[111]], hint="Values have a matrix of their own, too; its width is their width.")


def test_project_leaves_its_arguments(student):
    X, W = np.array([[1.0, 2.0]]), np.array([[0.0, 1.0], [1.0, 0.0]])
    Q, _, _ = parts(student.project(X, W, W, W), "project", "Q, K, V")
    expect(Q, [[2, 1]], hint="The row [1 2], with its two coordinates swapped.")
    expect(X, [[1, 2]], hint=UNTOUCHED)
    expect(W, SWAP, hint=UNTOUCHED)


def test_new_title_is_a_letter(student):
    one_letter(student.answer)


def test_attend_from_tower(student):
    weights, mixture = parts(student.attend_from([1, 0], TOWER, TOWER), "attend_from", "weights, mixture")
    expect(weights, [0.2483, 0.2483, 0.5035], atol=PRINTED,
           hint="Section 1 by hand: the products are 0, 0, 1; what are they divided by before softmax?")
    expect(mixture, [0.5035, 0.2483], atol=PRINTED, hint="Each value times its weight, added up.")


def test_attend_from_values_of_their_own(student):
    result = student.attend_from([0, 0, 0], [[1, 2, 3], [4, 5, 6]], [[2, 4, 6, 8], [0, 0, 0, 2]])
    weights, mixture = parts(result, "attend_from", "weights, mixture")
    expect(weights, [0.5, 0.5], hint="A query of zeros scores 0 with every key.")
    expect(mixture, [1, 2, 3, 5], hint="Values are mixed, not keys; they may have another width.")


def test_attend_from_width_of_the_key(student):
    result = student.attend_from([np.log(3)] + [0] * 8, [[3] + [0] * 8, [0] * 9], [[4], [0]])
    weights, mixture = parts(result, "attend_from", "weights, mixture")
    expect(weights, [0.75, 0.25], hint="This query has nine coordinates. The root of which number is it now?")
    expect(mixture, [3], hint="Three quarters of 4 and one quarter of 0.")


def test_attention_identity_everywhere(student):
    A, H = head(student.attention(TOWER, SAME, SAME, SAME))
    expect(A[2], [0.2483, 0.2483, 0.5035], atol=PRINTED,
           hint="Tower's row is section 1 by hand: softmax, along the row, of scores divided by √2.")
    expect(H[2], [0.5035, 0.2483], atol=PRINTED, hint="Tower's weights mix the rows of V.")


def test_attention_match_and_content(student):
    A, H = head(student.attention(TOWER, SWAP, SAME, SAME))
    expect(A[2], [0.2483, 0.5035, 0.2483], atol=PRINTED, hint="Wq makes the queries: tower asks for [0 1].")
    expect(H[2], [0.2483, 0.5035], atol=PRINTED, hint="With the identity as Wv, the rows of X are mixed.")
    A, H = head(student.attention(TOWER, SAME, SAME, SWAP))
    expect(A[2], [0.2483, 0.2483, 0.5035], atol=PRINTED, hint="Wv has no part in the weights.")
    expect(H[2], [0.2483, 0.5035], atol=PRINTED, hint="What is mixed has been through Wv.")


def test_attention_who_asks_whom(student):
    A, _ = head(student.attention(TOWER, [[0, 5], [0, 0]], SAME, SAME))
    expect(A.sum(axis=1), [1, 1, 1], hint="Each reader has a row of A to itself, and that row sums to one.")
    expect(A[1], [1 / 3] * 3, hint="Here Eiffel's query is zero. Which index of A is the reader's?")


def test_tower_query_finds_eiffel(student):
    Wq = student.tower_query()
    assert np.shape(Wq) == (2, 2), f"Shape {np.shape(Wq)} instead of (2, 2): a row for each coordinate."
    query = np.asarray(Wq, dtype=float)[0]  # what [1 0] picks out
    assert np.isfinite(query).all(), "The matrix holds nan or inf: choose finite numbers."
    to_the, to_eiffel, to_tower = 0, query[1], query[0]
    assert to_eiffel > to_tower, (
        f"Tower's query is {query}. Its product with Eiffel's key [0 1], {to_eiffel:g}, is not larger than "
        f"that with its own key [1 0], {to_tower:g}."
    )
    assert to_eiffel > to_the, (
        f"Tower's query is {query}. Its product with Eiffel's key [0 1], {to_eiffel:g}, is not larger than "
        "that with the key of \"the\", which is 0."
    )


def test_same_mixture_is_a_letter(student):
    one_letter(student.answer)


def test_direction_query_water(student):
    expect(student.direction_query([0, 1, 0]), FOR_WATER,
           hint="Four rows: finance, water, structure, generic. Whose row says what structures ask for?")


def test_direction_query_any_direction(student):
    hint = "The direction is used as it is, signs and lengths included, times the strength."
    expect(student.direction_query([1, -2, 0.5], 2)[2], [2, -4, 1], hint=hint)
    expect(student.direction_query([0, 0, 0])[2], [0, 0, 0], hint=hint)


def test_direction_query_leaves_its_argument(student):
    direction = np.array([0.0, 1.0, 0.0])
    expect(student.direction_query(direction), FOR_WATER, hint="As in the check before.")
    expect(direction, [0, 1, 0], hint=UNTOUCHED)


def test_bank_match_the_river_bank(student):
    query, keys, scores, weights = parts(student.bank_match(RIVER, FOR_WATER, KEYS), "bank_match", FOUR)
    expect(query, [0, 3, 0], hint="Bank is the last word; its structure is .8, and .8 · 3.75 = 3.")
    expect(keys, [[0, 0, 0], [0, 1, 0], [0.5, 0.5, 0.8]], hint="One key for each word, bank included.")
    expect(scores, [0, 1.732, 0.866], atol=PERCENT, hint="Products 0, 3, 1.5, divided by the root of 3.")
    expect(weights, [0.111, 0.626, 0.263], atol=PERCENT, hint="Softmax of the scores: shares, not percent.")


def test_bank_match_the_money_bank(student):
    query, _, scores, weights = parts(student.bank_match(MONEY, FOR_WATER, KEYS), "bank_match", FOUR)
    expect(query, [0, 3, 0], hint="The query is made from bank's own row: the same as beside the river.")
    expect(scores, [0, 0, 0.866], atol=PERCENT, hint="Money's key holds no water.")
    expect(weights, [0.228, 0.228, 0.543], atol=PERCENT, hint="Softmax of the scores.")


def test_bank_match_the_last_of_two(student):
    query, keys, scores, weights = parts(student.bank_match([[9], [2]], [[1]], [[3]]), "bank_match", FOUR)
    expect(query, [2], hint="The last word asks, however many there are.")
    expect(keys, [[27], [6]], hint="The keys of all words.")
    expect(scores, [54, 12], hint="With a width of one, a score is a plain product.")
    expect(weights, [1, 0], hint="Softmax of the scores.")


def test_other_sentence_is_a_letter(student):
    one_letter(student.answer)


FOUR = "query, keys, scores, weights"


def parts(result, task, names):
    """A result of several, as arrays."""
    count = names.count(",") + 1
    is_several = isinstance(result, (tuple, list)) and len(result) == count
    assert is_several, f"{task} returns {count} arrays: return {names}."
    return tuple(np.asarray(part) for part in result)


def head(result):
    """The pair (A, H) for three words with values of two coordinates."""
    A, H = parts(result, "attention", "A, H")
    order = "A has one weight for each pair of words, H one mixture for each word; A comes first"
    assert A.shape == (3, 3), f"The first part has shape {A.shape} instead of (3, 3): {order}."
    assert H.shape == (3, 2), f"The second part has shape {H.shape} instead of (3, 2): {order}."
    return A, H


def one_letter(answer):
    """A question's answer can be read."""
    assert isinstance(answer, str) and answer in ("a", "b", "c", "d"), 'Write one letter, like answer = "a".'
