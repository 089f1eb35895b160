"""c. A mixture is weights times values, and the weights alone do not say what comes out, nor the other way
around. In section 6 tower has this very mixture twice: once it reads Eiffel most, with values as they are (a
would be right), and once itself, with swapped values (b would be right). Two heads with equal mixtures thus
need not have equal weights (d)."""

from autograder.grading.suite import choice


def test_choice(student):
    """The choice is right."""
    choice(student.answer, "c")
