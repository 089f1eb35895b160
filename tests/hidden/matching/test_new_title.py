"""b. The title on the spine is what a reader holds a question against: the key. A new one changes this
source's scores, and with them the weights of whoever asks; what the source passes on, its value, is the text
of the book, and that is as before. The question is the reader's own (a). A new text under the old title would
be a changed value (c). Key and value are indeed made from the same row, but through matrices of their own:
another Wk changes the keys alone (d)."""

from autograder.grading.suite import choice


def test_choice(student):
    """The choice is right."""
    choice(student.answer, "b")
