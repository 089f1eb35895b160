"""Checks that run in the notebook: small inputs, most of them printed in the lesson.

`student` holds the student's functions under their names, and `student.answer` for a question.
Passing them is necessary, not sufficient: other inputs are tried after handing in.
"""

import numpy as np

from autograder.check import expect

SECTIONS = {
    "null_space": "2 The directions that leave no trace",
    "split_by_map": "3 A read part and an ignored part",
    "count_directions": "4 How many directions?",
    "unseen_change": "5 A change that a head does not see",
    "certain_to_stay": "5 A change that a head does not see",
    "compatibility_form": "6 One matrix behind all scores",
    "refactor": "7 The same head in other clothes",
    "dot_product_variance": "8 Why the root?",
    "coherence": "9 More features than directions",
    "crowded_features": "9 More features than directions",
}

WQ = [[1, 0], [0, 1], [1, 1]]  # reads x1 + x3 and x2 + x3, ignores [1 1 -1]
WK = [[1, 0], [0, 0], [0, 1]]  # reads x1 and x3
ROWS = [[2, 3, 1], [6, 7, -3]]  # two rows with the query [3 4]
READ = [2 / 3, 5 / 3, 7 / 3]  # of both


def test_null_space_of_the_page(student):
    N = shaped(student.null_space(WQ), (3, 1), "one column for the one ignored direction")
    expect(N.T @ np.array(WQ), [[0, 0]], hint="Multiplied by Wq, the column must give zeros; [1 1 -1] does.")
    expect(N.T @ N, [[1]], hint="The column must have length one.")


def test_null_space_of_repeated_columns(student):
    W = np.array([[1, 1], [2, 2], [2, 2], [0, 0]])
    meaning = "both columns read the same, so three of four directions are ignored"
    N = shaped(student.null_space(W), (4, 3), meaning)
    expect(N.T @ W, np.zeros((3, 2)), hint="Multiplied by W, each column must give zeros.")
    expect(N.T @ N, np.eye(3), hint="Columns have length one and are perpendicular to each other.")


def test_null_space_where_nothing_is_ignored(student):
    meaning = "nothing is ignored, so there are no columns"
    shaped(student.null_space([[2, 1], [0, 1]]), (2, 0), meaning)


def test_null_space_of_zeros(student):
    N = shaped(student.null_space([[0, 0], [0, 0]]), (2, 2), "a map of zeros ignores both directions")
    expect(N.T @ N, np.eye(2), hint="Columns have length one and are perpendicular to each other.")


def test_split_by_map_of_one_row(student):
    read, ignored = two(student.split_by_map(ROWS[0], WQ), "read, ignored")
    expect(ignored, [4 / 3, 4 / 3, -4 / 3], hint="Section 3 computes this part by hand, along [1 1 -1].")
    expect(read, READ, hint="What is left of the row when its ignored part is taken away?")


def test_split_by_map_of_two_rows(student):
    read, ignored = two(student.split_by_map(ROWS, WQ), "read, ignored")
    expect(read, [READ, READ], hint="The rows differ only in what is ignored: their read parts are equal.")
    expect(ignored, [[4 / 3, 4 / 3, -4 / 3], [16 / 3, 16 / 3, -16 / 3]],
           hint="Each row is split by itself; the two parts of a row add up to the row.")


def test_count_directions_of_the_page(student):
    expect(student.count_directions(WQ), (2, 1), hint="The map reads two directions and ignores [1 1 -1].")


def test_count_directions_of_repeated_columns(student):
    expect(student.count_directions([[1, 1], [2, 2], [2, 2], [0, 0]]), (1, 3),
           hint="The second column reads nothing that the first does not read.")


def test_unseen_change_keeps_the_query(student):
    moved = shaped(student.unseen_change(ROWS[0], WQ, 2, np.random.default_rng(0)), (3,), "one row")
    expect(moved @ np.array(WQ), [3, 4], hint="The query of [2 3 1] is [3 4], and must still be.")
    expect(np.linalg.norm(moved - ROWS[0]), 2,
           hint="How far is the new row from the old one? The distance asked for is 2.")


def test_unseen_change_with_other_generators(student):
    W = [[1], [0], [0], [0]]
    one, other = (student.unseen_change([1, 2, 3, 4], W, 1, np.random.default_rng(s)) for s in (1, 2))
    again = student.unseen_change([1, 2, 3, 4], W, 1, np.random.default_rng(1))
    expect(again, one, hint="The same seed must give the same row: draw from the generator that is given.")
    apart = np.linalg.norm(shaped(one, (4,), "one row") - shaped(other, (4,), "one row"))
    assert apart > 1e-6, "Two generators gave the same row: where is the chance in your change?"


def test_unseen_change_where_nothing_is_ignored(student):
    with student.raises(ValueError):
        student.unseen_change([1, 2], [[2, 1], [0, 1]], 1, np.random.default_rng(0))


def test_compatibility_form_of_the_page(student):
    expect(student.compatibility_form(WQ, WK), [[1, 0, 0], [0, 0, 1], [1, 0, 1]],
           hint="M has a row for each coordinate of the reader, a column for each of the source.")


def test_compatibility_form_gives_scores(student):
    M = shaped(student.compatibility_form([[2], [1]], [[0], [3]]), (2, 2), "d rows and d columns")
    expect(np.array([1, 1]) @ M @ np.array([5, 1]), 9,
           hint="[1 1] has the query 3, [5 1] the key 3: their score is 9. The reader stands on the left.")


def test_refactor_of_the_page(student):
    new_q, new_k = two(student.refactor(WQ, WK, [[2, 1], [0, 0.5]]), "new query map, new key map")
    expect(new_q, [[2, 1], [0, 0.5], [2, 1.5]], hint="The queries are turned by R itself.")
    expect(new_k, [[0.5, 0], [0, 0], [-1, 2]],
           hint="Write down the product of the two new maps: what cancels R there?")


def test_refactor_by_nothing(student):
    new_q, new_k = two(student.refactor(WQ, WK, [[1, 0], [0, 1]]), "new query map, new key map")
    expect(new_q, WQ, hint="With R = I, nothing changes.")
    expect(new_k, WK, hint="With R = I, nothing changes.")


def test_dot_product_variance_near_its_theory(student):
    raw, scaled = two(student.dot_product_variance(16, 20_000, np.random.default_rng(0)), "raw, scaled")
    expect(raw, 16, atol=2, hint="The variances of 16 products of two standard normal numbers add up to 16.")
    expect(scaled, 1, atol=0.125, hint="Dividing by a root divides the variance by what stands under it.")


def test_dot_product_variance_of_one_sample(student):
    raw, scaled = two(student.dot_product_variance(9, 5, np.random.default_rng(0)), "raw, scaled")
    expect(np.asarray(raw) / 9, scaled, hint="Measure both on the same pairs: one is then 9 times the other.")
    other, _ = two(student.dot_product_variance(9, 5, np.random.default_rng(1)), "raw, scaled")
    assert abs(float(other) - float(raw)) > 1e-6, "Another generator must give another sample."
    again, _ = two(student.dot_product_variance(9, 5, np.random.default_rng(0)), "raw, scaled")
    expect(again, raw, hint="The same seed must give the same sample: draw from the generator that is given.")


def test_coherence_by_hand(student):
    expect(student.coherence([[3, 4], [1, 0]]), 0.6, hint="The dot product is 3, the lengths are 5 and 1.")
    expect(student.coherence([[1, 0, 0], [0, 2, 0], [0, 0, 3]]), 0,
           hint="Three perpendicular rows: every row is compared with the others, never with itself.")
    expect(student.coherence([[3, 4], [-2, 0]]), 0.6, hint="Pointing the opposite way is an overlap, too.")


def test_coherence_of_the_star(student):
    turns = 2 * np.pi * np.arange(5) / 5
    star = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    expect(student.coherence(star), 0.809, atol=1e-3, hint="The largest overlap of any two rows counts.")


def test_certain_to_stay_is_a_letter(student):
    one_letter(student.answer)


def test_crowded_features_is_a_letter(student):
    one_letter(student.answer)


def shaped(got, shape, meaning):
    """`got` as an array, once it has the shape; one of another shape would be compared in vain."""
    assert np.shape(got) == shape, f"Shape {np.shape(got)} instead of {shape}: {meaning}."
    return np.asarray(got)


def two(result, names):
    """The parts of a pair."""
    assert isinstance(result, (tuple, list)) and len(result) == 2, f"Two results are needed: return {names}."
    return result


def one_letter(answer):
    """A question's answer can be read."""
    assert isinstance(answer, str) and answer in ("a", "b", "c", "d"), 'Write one letter, like answer = "a".'
