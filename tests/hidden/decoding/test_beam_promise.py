"""b. In some round, three other beginnings may look better than the one that greedy search follows. Then
that one is gone, and if the three turn out badly, the result is less probable than greedy's. It is rare,
and a wider beam makes it rarer. So c is tempting and wrong: what greedy takes is in the beam only until it
is crowded out. Nor does a beam try all texts (a): that takes a width as large as their number. And at
max_len it stops with what it has, finished or not (d)."""

from autograder.grading.suite import choice


def test_choice(student):
    """The choice is right."""
    choice(student.answer, "b")
