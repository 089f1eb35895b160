"""d. Bank's score for itself is made of bank's own query and bank's own key, and both come from bank's row:
it is .866 in both sentences. The second word has another key, so its score falls from 1.732 to 0 (a). Weights
share one total: as soon as one score changes, all weights do, that on "the" from 11.1 to 22.8 % (b) and that
on bank itself from 26.3 to 54.3 % (c), although nothing about these two words is new."""

from autograder.grading.suite import choice


def test_choice(student):
    """The choice is right."""
    choice(student.answer, "d")
