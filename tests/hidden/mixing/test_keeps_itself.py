"""d. The residual adds the mixture to bank's row, Y = X + H, so all of the old row is still there,
whatever the head does. The weight of 0 says only that the head's mixture H takes nothing from bank (a); H
is then .4 parts of "the" and .6 parts of river, and comes on top. The residual knows neither positions
nor shares: nothing is divided by three (b). How well bank matches itself matters for the weights, and so
for H, but not for X (c)."""

from autograder.grading.suite import choice


def test_choice(student):
    """The choice is right."""
    choice(student.answer, "d")
