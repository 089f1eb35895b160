"""c. With the same word vector and the same place, the two rows are equal when layer 0 reads them. Equal rows
ask for the same and read the same (b), so they are equal after it, and so on: a later layer has no neighbors
to go by, since what a row reads does not depend on where it stands (a). Scores still depend on the words, so
nothing is uniform (d). Without places, attention knows a set of words, not a text."""

from autograder.grading.suite import choice


def test_choice(student):
    """The choice is right."""
    choice(student.answer, "c")
