"""b. The heads of a block read the same X and do not look at one another: their mixtures may be computed in
any order or all at once, and meet only at Wo. Block 2 reads what block 1 puts out (a), so blocks come one
after another; for the same reason no head of block 2 can start before the update of block 1 is there (d).
And a head mixes with its weights, so the mixtures wait for them (c)."""

from autograder.grading.suite import choice


def test_choice(student):
    """The choice is right."""
    choice(student.answer, "b")
