"""d. The table E and the projections Wq, Wk, Wv and Wo are numbers that training sets and every text then
shares. All else is computed anew for each text: X is what the table (or the block before) gives for these
words (so not a); the weights A are coefficients for this text, no parameters and no counts of how often words
occur together (so not b); and Q, K, V, A and H of (c) all come from X and the parameters."""

from autograder.grading.suite import choice


def test_choice(student):
    """The choice is right."""
    choice(student.answer, "d")
