"""Checks that run in the notebook: the numbers of the lesson and small inputs.

`student` holds the student's functions under their names, and `student.answer` for a question.
Passing them is necessary, not sufficient: other inputs are tried after handing in.
"""

import numpy as np

from autograder.check import expect

SECTIONS = {
    "one_row_of_shares": "1 One row of shares is not enough",
    "split_heads": "2 Three heads in one table",
    "concat_heads": "2 Three heads in one table",
    "pack_projections": "2 Three heads in one table",
    "multi_head": "3 Many mixtures, one update",
    "attention_sublayer": "4 The word keeps itself",
    "without_head": "5 Taking a head away",
    "inventory": "6 What is learned, what is computed",
    "count_parameters": "6 What is learned, what is computed",
    "learned_ones": "6 What is learned, what is computed",
    "reachable": "7 How far does a word reach?",
    "at_the_same_time": "7 How far does a word reach?",
    "effect_of_change": "8 Who feels a nudge?",
}

SENTENCE = np.eye(5)[[4, 0, 3, 4, 1, 2]]  # "The chicken crossed the road carelessly"
PRINTED = 5e-3  # printed numbers are rounded to two digits
TABLE = [[10, 11, 20, 21], [12, 13, 22, 23], [14, 15, 24, 25]]  # three tokens; the first digit is the head's
STACK = [[[10, 11], [12, 13], [14, 15]], [[20, 21], [22, 23], [24, 25]]]
DIGITS = "Every number begins with the digit of its head, 1 or 2: which of them stand together in yours?"
UNTOUCHED = "The argument has changed during the call: build a new array."


def page(strength=3):
    """Wq, Wk, Wv, Wo of section 2: heads for who, what and how."""
    ones = np.eye(5)[:3]  # head i has to do with coordinate i
    asks = np.zeros((3, 5, 2))
    asks[:, 3] = strength  # a deed asks, in every head
    return asks, np.stack([ones, ones], axis=2), ones[:, :, None], ones


def test_split_heads_by_the_digits(student):
    expect(student.split_heads(TABLE, 2), STACK, hint=DIGITS)


def test_split_heads_one_column_each(student):
    expect(student.split_heads([[1, 2, 3], [4, 5, 6]], 3), [[[1], [4]], [[2], [5]], [[3], [6]]],
           hint="Three columns and three heads: head 0 has column 0, for both tokens.")


def test_concat_heads_by_the_digits(student):
    expect(student.concat_heads(STACK), TABLE, hint=DIGITS)


def test_concat_heads_single_head(student):
    expect(student.concat_heads([[[1, 2, 3], [4, 5, 6]]]), [[1, 2, 3], [4, 5, 6]],
           hint="A single head stands alone: its table comes out as it was, without the first axis.")


def test_pack_projections_by_the_digits(student):
    expect(student.pack_projections(STACK), TABLE,
           hint="Here d is 3, the number of rows; one head's two columns stand beside the other's. " + DIGITS)


def test_pack_projections_one_product(student):
    packed = shaped(student.pack_projections(page()[1]), (5, 6), "d rows, and the columns of all heads")
    expect(SENTENCE[1] @ packed, [1, 1, 0, 0, 0, 0], hint="Chicken has a key in head 0 only: its columns.")
    expect(SENTENCE[4] @ packed, [0, 0, 1, 1, 0, 0], hint="Road has a key in head 1 only: its columns.")


def test_multi_head_what_crossed_reads(student):
    A, update = weights_and_update(student.multi_head(SENTENCE, *page()), (3, 6, 6), (6, 5))
    rows = [[.01, .93, .01, .01, .01, .01], [.01, .01, .01, .01, .93, .01], [.01, .01, .01, .01, .01, .93]]
    expect(A[:, 2], rows, atol=PRINTED,
           hint="In head 0 the scores of crossed are 6/√2 for chicken and 0 for all others.")
    expect(update[2], [.93, .93, .93, 0, 0], atol=PRINTED,
           hint="Head 0 brings in who, head 1 what, head 2 how; Wo writes each to its own coordinate.")


def test_multi_head_other_words(student):
    A, update = weights_and_update(student.multi_head(SENTENCE, *page()), (3, 6, 6), (6, 5))
    expect(A[1, 0], [1 / 6] * 6, hint="The asks for nothing: equal scores, equal shares.")
    expect(update[0], [1 / 6] * 3 + [0, 0], hint="A sixth of what each coordinate holds in all six words.")


def test_multi_head_looking_back_only(student):
    got = student.multi_head(SENTENCE, *page(), causal=True)
    A, update = weights_and_update(got, (3, 6, 6), (6, 5))
    expect(A[1, 2], [1 / 3, 1 / 3, 1 / 3, 0, 0, 0], atol=1e-4,
           hint="Crossed may read The, chicken and itself. Later words have no share, the others share all.")
    expect(update[2], [.97, 0, 0, 0, 0], atol=PRINTED,
           hint="What and how come later in the sentence: crossed cannot have read them.")


def test_multi_head_order_of_mixtures(student):
    # One token reads itself alone, so the update is its values, side by side, times Wo.
    Wv = [[[1, 2]], [[3, 4]]]
    _, update = weights_and_update(student.multi_head([[1]], [[[1]], [[1]]], [[[1]], [[1]]], Wv,
                                                      [[1000], [100], [10], [1]]), (2, 1, 1), (1, 1))
    expect(update, [[1234]], hint="Head 0 mixes to [1 2], head 1 to [3 4]. In which order do they meet Wo?")


def test_attention_sublayer_row_of_crossed(student):
    Y = shaped(student.attention_sublayer(SENTENCE, *page()), (6, 5), "one array with a row per word")
    expect(Y[2], [.93, .93, .93, 1, 0], atol=PRINTED, hint="Crossed keeps its deed and gains the update.")


def test_attention_sublayer_causal_too(student):
    Y = shaped(student.attention_sublayer(SENTENCE, *page(), causal=True), (6, 5), "a row per word")
    expect(Y[2], [.97, 0, 0, 1, 0], atol=PRINTED, hint="Has `causal` reached the heads?")


def test_attention_sublayer_leaves_its_argument(student):
    X = SENTENCE.copy()
    student.attention_sublayer(X, *page())
    expect(X, SENTENCE, hint=UNTOUCHED)


def test_without_head_one_question_less(student):
    left = shaped(student.without_head(SENTENCE, *page(), head=1), (6, 5), "an update for each word")
    expect(left[2], [.93, 0, .93, 0, 0], atol=PRINTED, hint="Head 1 brings in what; who and how must stay.")


def test_without_head_looking_back_only(student):
    left = shaped(student.without_head(SENTENCE, *page(), head=1, causal=True), (6, 5), "an update per word")
    expect(left[2], [.97, 0, 0, 0, 0], atol=PRINTED, hint="The heads that stay are causal when asked to be.")
    left = shaped(student.without_head(SENTENCE, *page(), head=0, causal=True), (6, 5), "an update per word")
    expect(left[4], [0, 1 / 5, 0, 0, 0], atol=PRINTED, hint="With head 0 silenced, head 1 is still heard.")


def test_inventory_of_the_page(student):
    got = student.inventory(6, 5, 2, 1, 3)
    kept(got, "Q", 3, (6, 2), "Each head has its own queries: one row per token, d_k wide.")
    kept(got, "Wv", 3, (5, 1), "Each head has its own value projection, from d to d_v coordinates.")
    kept(got, "A", 3, (6, 6), "Each head has a share for every pair of tokens.")
    kept(got, "Wo", 1, (3, 5), "One output projection takes the mixtures of all heads together.")
    kept(got, "concat", 1, (6, 3), "The mixtures of all heads, side by side.")
    names = {"X", "Wq", "Wk", "Wv", "Q", "K", "V", "S", "A", "H", "concat", "Wo", "update", "output"}
    assert set(got) == names, f"Exactly the docstring's fourteen names; yours differ in {set(got) ^ names}."


def test_inventory_of_a_large_stack(student):
    got = student.inventory(2048, 12288, 128, 128, heads=96, blocks=96)
    for name in ("Wq", "Wk", "Wv"):
        kept(got, name, 9216, (12288, 128), "With N blocks of h heads there are Nh of each projection.")
    kept(got, "Wo", 96, (12288, 12288), "One output projection in each block.")


def test_count_parameters_of_the_page(student):
    expect(student.count_parameters(5, 2, 1, 3), 90, hint="Three heads of 10 + 10 + 5, and Wo with 3·5.")


def test_count_parameters_large_block(student):
    expect(student.count_parameters(12288, 128, 128, 96), 603_979_776, rtol=0,
           hint="Add up the entries of all matrices that one block learns, Wo included.")


def test_reachable_by_layers(student):
    window = np.eye(4, k=-1, dtype=bool)
    hint = "One layer: the word before, and by the residual connection itself. Each further layer: one more."
    expect(student.reachable(window, 1), np.tri(4, dtype=bool) & ~np.tri(4, k=-2, dtype=bool), hint=hint)
    expect(student.reachable(window, 2), np.tri(4, dtype=bool) & ~np.tri(4, k=-3, dtype=bool), hint=hint)


def test_reachable_without_layers(student):
    expect(student.reachable([[1, 1], [1, 1]], 0), np.eye(2, dtype=bool),
           hint="Without a layer nobody reads: each token is what it was, and depends on itself.")


def test_effect_of_change_as_crossed_feels_it(student):
    hint = "Only row 2 of the two outputs counts: the length of the difference between them."
    for word, effect in ((0, .01), (1, .12), (4, .12)):
        got = student.effect_of_change(SENTENCE, word, 2, [.1] * 5, page(), False)
        expect(got, effect, atol=PRINTED, hint=hint)


def test_effect_of_change_of_the_reader_itself(student):
    got = student.effect_of_change(SENTENCE, 2, 2, [.1] * 5, page(9), False)
    expect(got, 0, atol=PRINTED, hint="These heads are saturated: the update of crossed does not move.")
    got = student.effect_of_change(SENTENCE, 2, 2, [.1] * 5, page(9), True)
    expect(got, .22, atol=PRINTED, hint="With the residual path, the nudge itself arrives: √(5·.01).")


def test_one_row_of_shares_is_a_letter(student):
    one_letter(student.answer)


def test_learned_ones_is_a_letter(student):
    one_letter(student.answer)


def test_at_the_same_time_is_a_letter(student):
    one_letter(student.answer)


def shaped(got, shape, meaning):
    """`got` as an array, once it has the shape; a row of another shape would be compared in vain."""
    assert np.shape(got) == shape, f"Shape {np.shape(got)} instead of {shape}: {meaning}."
    return np.asarray(got)


def weights_and_update(result, weights, update):
    """The pair (A, update), in these shapes."""
    assert isinstance(result, (tuple, list)) and len(result) == 2, "multi_head returns two: A and update."
    order = "A has one matrix for each head, and comes first; update has one row for each token"
    return shaped(result[0], weights, order), shaped(result[1], update, order)


def kept(got, name, count, shape, hint):
    """The inventory has this count and this shape under `name`."""
    assert isinstance(got, dict), "inventory returns a dict: {name: (count, shape)}."
    assert name in got, f"The inventory lacks {name!r}."
    entry = got[name]
    assert isinstance(entry, (tuple, list)) and len(entry) == 2, f"At {name!r}: it must be a pair."
    assert int(entry[0]) == count, f"At {name!r}: {entry[0]} of them instead of {count}. {hint}"
    assert tuple(entry[1]) == shape, f"At {name!r}: shape {tuple(entry[1])} instead of {shape}. {hint}"


def one_letter(answer):
    """A question's answer can be read."""
    assert isinstance(answer, str) and answer in ("a", "b", "c", "d"), 'Write one letter, like answer = "a".'
