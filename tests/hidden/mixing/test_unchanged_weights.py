"""b. Adding one number to all scores of a row multiplies every exponential by the same factor, and the
factor cancels in the shares. Doubling the scores doubles their differences as well: that is sharpening
with factor 2 (a). A row of zeros scores 0, but the exponential of 0 is 1, so the new word takes a share
from all the others (c). Scaling rows to length one leaves the angles alone, but a dot product also grows
with length: the scores become cosines, with other differences (d)."""

from autograder.grading.suite import choice


def test_choice(student):
    """The choice is right."""
    choice(student.answer, "b")
