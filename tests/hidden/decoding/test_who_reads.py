"""d. Keys and values of cross-attention are made of the encoder's vectors, which are complete before the
first word is written: translators compute them once. Queries are made of the decoder's rows, and there is a
new row at every step (b), so the weights are new, too, although the source stays (a): look at the rows of
the picture. In self-attention it is the other way around: every new word brings a key and a value of its
own (c)."""

from autograder.grading.suite import choice


def test_choice(student):
    """The choice is right."""
    choice(student.answer, "d")
