"""a. 128 coordinates hold 128 independent directions: among 1 000 rows, at least one is a weighted sum of the
others. To overlap little is another matter: 1 000 random directions stay below .5 (b), and no two of 129
directions need be parallel (d). Nor does a feature need a coordinate of its own: ten perpendicular
directions can each use all 128 coordinates (c), as the ten of the page do."""

from autograder.grading.suite import choice


def test_choice(student):
    """The choice is right."""
    choice(student.answer, "a")
