"""b. In this run a word of label 1 is read, a word of label 0 is not, and bank alone then means 0: one class
is solved without anything of the word in the mixture. Still, bank compared its query with that word's key:
with attorney in its place it would read it, and say 1 (d). So it was no luck (a). There is no residual path
in this head (c). A heatmap alone does not explain a prediction."""

from autograder.grading.suite import choice


def test_choice(student):
    """The choice is right."""
    choice(student.answer, "b")
