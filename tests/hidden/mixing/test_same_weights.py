"""b. River and money suit bank equally well: both products are .5 + .04 = .54, so the scores, and with
them the weights, agree to the last digit; nothing is hidden by rounding (a). A mixture is weights times
rows, and the same share of .31 brings in river's row in one sentence and money's in the other. Looking
bank up gives the same row every time, which is why its scores with itself and with "the" agree as well
(c). Softmax does treat each row of scores by itself, but equal scores always become equal shares (d)."""

from autograder.grading.suite import choice


def test_choice(student):
    """The choice is right."""
    choice(student.answer, "b")
