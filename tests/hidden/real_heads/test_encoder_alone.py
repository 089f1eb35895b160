"""d. To write a sentence, each word has to depend on the words written before, which are not in the source:
that takes a decoder, which reads the encoder's vectors by cross-attention. A judgment about the text is a map
of one vector, or of their mean (a), one about each word a map of each vector (b), and similarity compares two
vectors (c)."""

from autograder.grading.suite import choice


def test_choice(student):
    """The choice is right."""
    choice(student.answer, "d")
