"""d. A key of layer 0 is made of one row, and before layer 0 a row holds its own token and place alone:
what came before can be written into it by a layer, not be there from the start. That is why it takes two
layers. With a fixed period no head reads the token before (a), the four heads of layer 1 score high and
cost little (b), and another seed may share the work among several heads or use the same one (c)."""

from autograder.grading.suite import choice


def test_choice(student):
    """The choice is right."""
    choice(student.answer, "d")
