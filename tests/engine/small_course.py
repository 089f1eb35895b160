"""The small course of one lesson that the engine is tested on."""

import shutil
from pathlib import Path

from autograder.grading.course import Course

ROOT = Path(__file__).resolve().parents[2]

TEXT = '''\
# %% [markdown]
# # 1 Tides
# The water rises and falls.

# %%
import math, json

import numpy as np
from autograder import check

# %% nbgrader={"grade_id": "level_stub", "solution": true}
def level(hours):
    """Height of the water, sin(hours / 2)."""
    ### BEGIN SOLUTION
    half = np.asarray(hours, dtype=float) / 2
    return np.sin(half)  # half as fast as the hour
    ### END SOLUTION

# %% nbgrader={"grade_id": "level", "grade": true, "points": 2}
check("level")

# %% tags=["question"] nbgrader={"grade_id": "cause_stub", "solution": true}
answer = None  # write "a" or "b"
### BEGIN SOLUTION
answer = "b"
### END SOLUTION

# %% nbgrader={"grade_id": "cause", "grade": true, "points": 1}
check("cause")

# %% [markdown] nbgrader={"grade_id": "written_moon", "task": true, "points": 3}
# Why twice a day?
#
# === BEGIN MARK SCHEME ===
# One point for the far side.
# === END MARK SCHEME ===

# %% [markdown]
# *Your text.*
'''

CHECKS = '''\
SECTIONS = {"level": "1 Tides", "cause": "1 Tides"}


def test_level_at_zero(student):
    for hours in (0, 0.0):
        assert student.level(hours) == 0
'''


def write_course(root: Path) -> Course:
    """A course that was never built: the text, the checks and the settings of this repository."""
    folder = root / "source" / "tides"
    folder.mkdir(parents=True)
    (folder / "tides.py").write_text(TEXT, encoding="utf-8")
    (folder / "public_checks.py").write_text(CHECKS, encoding="utf-8")
    shutil.copy(ROOT / "nbgrader_config.py", root)
    return Course(root)
