"""a. What is added to all three old scores alike is not added to the score of a key [0 0 0], which is
always 0: now it makes a difference, and the data tell it. In other words, the keys' distances from their
mean span all three coordinates. With keys twice as long (b), or all moved by the same vector (c), there
is still a direction of the query that scores all sources alike. And no number of samples (d) can tell
maps apart which give the same result on every sample."""

from autograder.grading.suite import choice


def test_choice(student):
    """The choice is right."""
    choice(student.answer, "a")
