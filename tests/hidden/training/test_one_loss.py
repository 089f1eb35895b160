"""c. Change an entry of Wk a little: scores, weights, mixture and logits change a little, and so does the
loss. That slope is the gradient, and the chain rule finds it for every parameter on the way, so the
classifier is not the only one that learns (a). Adam sees gradients, no rows of A and no words (b), and there
is no second loss: one number is all that says how wrong the model was (d)."""

from autograder.grading.suite import choice


def test_choice(student):
    """The choice is right."""
    choice(student.answer, "c")
