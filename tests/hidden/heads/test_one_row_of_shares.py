"""c. The shares in a row sum to one, so three of them cannot be .9, whatever the scores are: at best each of
the three gets a third. Wider queries and keys (a) let a head ask for several things, but still join them into
one score per word, and one row of shares. Sharper scores (b) favor the largest and starve the others, unless
all three are exactly equal, and then a third each is the limit. Training (d) changes the scores, not the fact
that softmax shares out a total of one. Three heads have three rows: that is what they are for."""

from autograder.grading.suite import choice


def test_choice(student):
    """The choice is right."""
    choice(student.answer, "c")
