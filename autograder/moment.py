"""Whether a notebook runs at its student's or in a grader's sandbox."""

import os

GRADING = "AUTOGRADER_GRADING"  # the environment variable that a sandbox sets


def while_grading() -> bool:
    """Whether this is a grader's sandbox: then a lesson may take fewer steps of a training that no grade
    depends on."""
    return GRADING in os.environ
