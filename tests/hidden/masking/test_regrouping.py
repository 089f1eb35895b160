"""a. A product can be regrouped: (q · k) v is q times the table kᵀ v, which does not know q, so the tables
can be added up before the query comes. The exponential of q · k cannot be split like that into d_k numbers of
each, so every new query needs every key again. The total of the weights is no obstacle (b): it is a sum over
the past as well, and normalized linear attention keeps it beside its memory. A constant factor can be moved
out of any sum (c). And a mask need not be stored (d): what is not in the memory is not read."""

from autograder.grading.suite import choice


def test_choice(student):
    """The choice is right."""
    choice(student.answer, "a")
