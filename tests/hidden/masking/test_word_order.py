"""c. In "the river bank", the reads only itself and river reads both; in "river the bank" it is the other
way around, so both have other mixtures. Bank stands last in both and reads the same three rows; in which
order they stand enters no score and no sum, so its mixture stays (d, and a: other neighbors alone change
nothing). b would be right without the mask. So the mask brings in some order, but not all of it: what a word
reads is a set of earlier words. To tell their places apart takes positions."""

from autograder.grading.suite import choice


def test_choice(student):
    """The choice is right."""
    choice(student.answer, "c")
