"""What the teacher's commands have in common."""

import argparse

INTERNAL = 1  # the exit code where something of ours failed
LMS = ("canvas", "moodle", "blackboard", "brightspace")


def positive(text: str) -> int:
    """An option's number; argparse says what is wrong with any other text."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("give a number of at least 1")
    return number
