"""a. In a recurrent network the first word is known to the last state only through all states between, 99
updates, each of which may blur it; a gradient has to come back the same way. Attention computes one score
for the two words and reads, at once (b and d). The recurrent network does connect them (c): what it lacks
is not a way but a short one. The price of attention is that every pair of words has a score, n² of them."""

from autograder.grading.suite import choice


def test_choice(student):
    """The choice is right."""
    choice(student.answer, "a")
