"""d. A row of the centred map is what a move by 1 adds to the scores, counted from their mean, so its length
is the length of that change. The two rows may point to different sources, so single scores need not change in
this proportion (b): one may not change at all. From scores to weights it takes softmax, in which a weight
near 1 or 0 hardly moves (c), and from weights to the result it takes values that differ: sources that are
all alike give the same result whatever the weights (a)."""

from autograder.grading.suite import choice


def test_choice(student):
    """The choice is right."""
    choice(student.answer, "d")
