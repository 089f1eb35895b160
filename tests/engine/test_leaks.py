"""A line of a solution is found wherever a student would read it."""

import json
from pathlib import Path

import pytest

from autograder.grading.course import Course
from autograder.grading.leaks import leaks
from autograder.grading.release import release


def plant(file: Path, line: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    text = file.read_text() if file.exists() else ""
    file.write_text(f"{text}\n{line}\n")


def test_nothing_leaks_from_the_small_course(course: Course):
    assert leaks(course.lesson("tides")) == []


@pytest.mark.parametrize("file", [
    "assignments/tides/public_checks.py",
    "assignments/tides/data.txt",
    "assignments/moons/moons.py",
    "autograder/check.py",
    "autograder/help/hints.txt",
])
def test_a_solution_line_is_found_in_every_file_of_a_student(course: Course, file: str):
    plant(course.root / file, "    half=np.asarray(hours,  dtype = float)/2")
    assert leaks(course.lesson("tides")) == [f"{file} holds `half = np.asarray(hours, dtype=float) / 2`"]


@pytest.mark.parametrize("place", ["source", "outputs", "metadata"])
def test_a_solution_line_is_found_in_the_released_notebook(course: Course, place: str):
    lesson = course.lesson("tides")
    notebook = json.loads(lesson.release.read_text())
    notebook["cells"][1][place] = {"text": ["a \"quoted\" line\n", "return np.sin(half)  # like a clock\n"]}
    lesson.release.write_text(json.dumps(notebook))
    line = "return np.sin(half)  # half as fast as the hour"
    assert leaks(lesson) == [f"assignments/tides/tides.ipynb holds `{line}`"]


def test_quotes_which_a_notebook_escapes_hide_nothing(course: Course, edit):
    lesson = course.lesson("tides")
    edit(lesson.text, "    half =", '    unit = "half an hour"\n    half =')
    edit(lesson.release, '"# 1 Tides\\n"', json.dumps('unit = "half an hour"\n'))
    assert leaks(lesson) == ['assignments/tides/tides.ipynb holds `unit = "half an hour"`']


def test_a_marking_scheme_is_a_secret_too(course: Course):
    plant(course.root / "autograder/check.py", "# One point for the far side.")
    assert leaks(course.lesson("tides")) == ["autograder/check.py holds `One point for the far side.`"]


@pytest.mark.parametrize("file", ["grading/x.py", "sandbox/x.py", "__pycache__/x.pyc"])
def test_the_teachers_part_of_the_package_may_hold_anything(course: Course, file: str):
    plant(course.root / "autograder" / file, "half = np.asarray(hours, dtype=float) / 2")
    assert leaks(course.lesson("tides")) == []


def test_what_the_text_prints_anyway_is_no_secret(course: Course, edit):
    lesson = course.lesson("tides")
    edit(lesson.text, "# The water", "# Write `half = np.asarray(hours, dtype=float) / 2`. The water")
    plant(course.root / "autograder/check.py", "half = np.asarray(hours, dtype=float) / 2")
    assert leaks(lesson) == []


def test_a_loop_that_the_public_checks_share_gives_nothing_away(course: Course, edit):
    lesson = course.lesson("tides")
    edit(lesson.text, "    half =", "    for hours in (0, 0.0):\n        pass\n    half =")
    release(lesson)
    plant(course.root / "autograder/check.py", "    for hours in (1, 1.0):")
    assert leaks(lesson) == []
