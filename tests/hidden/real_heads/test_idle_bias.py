"""b. A bias of the keys adds q·b to all scores in the row of the query q: softmax does not see what all of
them have in common. A bias of the queries adds b·k, another number for each key k (a). A bias of the values
leaves the weights alone, but since the shares sum to one, it arrives in every mixture whole (c). The
experiment removed them all at once (d): it does not say which of them moved the weights."""

from autograder.grading.suite import choice


def test_choice(student):
    """The choice is right."""
    choice(student.answer, "b")
