"""c. Removal says what this model loses without the head, everything else in place: here next to nothing,
since three others read the same. The score need not mislead for that (a): it says where the head reads, not
whether it is needed. How a model with one head less would have learned (b) only training can tell. And
increases do not add up (d): each of the four costs about .02, all four together more than 3."""

from autograder.grading.suite import choice


def test_choice(student):
    """The choice is right."""
    choice(student.answer, "c")
