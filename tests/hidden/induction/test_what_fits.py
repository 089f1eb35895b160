"""a. B's row got the letter before it, A, from a head of layer 0; the last A asks for a row that holds its
own letter in that part. The query cannot ask for the letter to come (b): that is what is sought. Places (c)
would do only if the period were fixed. A head that wrote the next letter into a row (d) would have to read
the future, which the mask forbids."""

from autograder.grading.suite import choice


def test_choice(student):
    """The choice is right."""
    choice(student.answer, "a")
