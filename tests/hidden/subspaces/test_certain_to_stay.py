"""b. The query is x Wq, and Wq does not see the change: the query stays, whatever the other matrices are. The
word's weights (a) also depend on the keys, and one of these is its own: if Wk reads the changed direction,
that score moves, and with it every weight of the row. For the same reason others may read the word with
another weight (c). The residual connection adds the changed row itself, so that row moves in any case (d)."""

from autograder.grading.suite import choice


def test_choice(student):
    """The choice is right."""
    choice(student.answer, "b")
