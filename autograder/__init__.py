"""What a student uses in a lesson: `check` and the pictures."""

from autograder.check import check
from autograder.moment import while_grading
from autograder.pictures import show_arrows, show_attention, show_matrices, show_presets, show_training

__all__ = [
    "check",
    "show_arrows",
    "show_attention",
    "show_matrices",
    "show_presets",
    "show_training",
    "while_grading",
]
