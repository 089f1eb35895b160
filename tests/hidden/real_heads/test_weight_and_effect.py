"""b. A row of A tells how much of each value is read. What these values hold of river, where Wo takes it, and
how long it is beside the row itself, no heatmap shows; and heads 4 and 10 read river as well. The weight is
right to six digits (a). That another head made up for the loss in one pair of texts says nothing about other
texts (c). Head 4 has the second largest weight and the largest effect, and heads that hardly read river have
hardly any: a small weight is no recommendation (d)."""

from autograder.grading.suite import choice


def test_choice(student):
    """The choice is right."""
    choice(student.answer, "b")
