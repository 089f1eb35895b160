"""c. Five samples give 15 conditions for 54 numbers, so very many pairs of maps meet them all; which of these
a training reaches depends on its start. A perfect fit of few samples is therefore no sign of the true maps
(a). Another seed leads to another of the many pairs (b). And more steps (d) bring the error on the five
samples down further, where it is small already: nothing in them tells about the features that they lack."""

from autograder.grading.suite import choice


def test_choice(student):
    """The choice is right."""
    choice(student.answer, "c")
