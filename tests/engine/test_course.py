"""Where a course keeps what, and which tasks a lesson asks for."""

import importlib.metadata
import json
from pathlib import Path

import pytest

from autograder.grading.course import Course, Task, find_course
from autograder.grading.errors import CourseError


def test_paths_of_a_lesson(course: Course):
    lesson, root = course.lesson("tides"), course.root
    assert lesson.text == root / "source/tides/tides.py"
    assert lesson.public_checks == root / "source/tides/public_checks.py"
    assert lesson.built == root / "build/source/tides/tides.ipynb"
    assert lesson.release == root / "assignments/tides/tides.ipynb"
    assert lesson.release_folder == root / "assignments/tides"
    assert lesson.solution == root / "solutions/tides.py"
    assert lesson.hidden == root / "tests/hidden/tides"
    assert lesson.samples == root / "tests/submissions/tides"
    assert course.build == root / "build"


def test_tasks_are_the_graded_code_cells_in_order(course: Course):
    level, cause = course.lesson("tides").tasks
    assert (level, cause) == (Task("level", 2.0, question=False), Task("cause", 1.0, question=True))


@pytest.mark.parametrize("change", [
    {"cell_type": "markdown"},
    {"metadata": {"nbgrader": {"grade_id": "level", "grade": True, "solution": True, "points": 2}}},
])
def test_a_cell_that_a_person_grades_is_no_task(course: Course, change: dict):
    lesson = course.lesson("tides")
    notebook = json.loads(lesson.release.read_text())
    next(cell for cell in notebook["cells"] if cell["id"] == "level").update(change)
    lesson.release.write_text(json.dumps(notebook))
    assert [task.name for task in lesson.tasks] == ["cause"]


def test_modules_are_those_that_code_cells_import(course: Course):
    lesson = course.lesson("tides")
    assert lesson.modules == ["json", "math", "numpy"]
    text = lesson.release.read_text()
    lesson.release.write_text(text.replace("# 1 Tides", "import torch"))
    assert "torch" not in lesson.modules, "prose is not code"
    for line, module in (("from torch import nn", "torch"), ("import scipy.special as s", "scipy.special")):
        lesson.release.write_text(text.replace("import numpy as np", line))
        assert module in lesson.modules and "numpy" not in lesson.modules


def test_a_lesson_lacks_modules_that_are_not_installed(course: Course, monkeypatch: pytest.MonkeyPatch):
    lesson = course.lesson("tides")
    assert lesson.lacking == ""
    text = lesson.release.read_text()
    lesson.release.write_text(text.replace("import numpy as np", "import scipy.nosuch, moon.phase, sun"))
    assert lesson.lacking == "tides needs moon, sun, not installed here: run `make setup`."
    monkeypatch.setattr(importlib.metadata, "metadata", lambda _: Message(["test", "tides"]))
    assert lesson.lacking.endswith(": run `pip install --editable '.[tides]'`.")
    monkeypatch.setattr(importlib.metadata, "metadata", lambda _: Message(None))
    assert lesson.lacking.endswith(": run `make setup`.")


class Message:
    """What importlib tells of a project that has these optional parts."""

    def __init__(self, extras: list[str] | None):
        self.extras = extras

    def get_all(self, field: str) -> list[str] | None:
        return self.extras if field == "Provides-Extra" else None


def test_a_lesson_that_was_not_released_says_how_to(new_course: Course):
    with pytest.raises(CourseError, match=r"is not there yet: run `autograder release tides`\.$"):
        new_course.lesson("tides").tasks


@pytest.mark.parametrize("content", ["{", "[]", '{"cells": 1', "{}"])
def test_a_broken_release_says_how_to_make_it_anew(course: Course, content: str):
    course.lesson("tides").release.write_text(content)
    with pytest.raises(CourseError, match=r"cannot be read: run `autograder release tides`\.$"):
        course.lesson("tides").tasks


def test_an_unknown_lesson_gets_a_suggestion(course: Course):
    with pytest.raises(CourseError, match=r"no lesson `tide` .*: did you mean `tides`\?$"):
        course.lesson("tide")
    with pytest.raises(CourseError, match=r"choose tides$"):
        course.lesson("moon")


@pytest.mark.parametrize("name", ["", ".", "../source/tides", "tides/"])
def test_a_path_is_no_lesson(course: Course, name: str):
    with pytest.raises(CourseError):
        course.lesson(name)


def test_lessons_come_by_number_then_by_name(course: Course):
    for name, heading in {"zebra": "# # 0 Z", "apple": "# # A", "ten": "# # 10 T", "two": "# # 2 T"}.items():
        folder = course.root / "source" / name
        folder.mkdir()
        (folder / f"{name}.py").write_text(f"# %% [markdown]\n{heading}\n# ## 1 Section\n")
    (course.root / "source" / "notes").mkdir()
    (course.root / "source" / "README.md").touch()
    assert [lesson.name for lesson in course.lessons()] == ["zebra", "tides", "two", "ten", "apple"]


def test_the_course_is_found_from_any_folder_in_it(course: Course, monkeypatch: pytest.MonkeyPatch):
    assert find_course(course.root / "source" / "tides").root == course.root
    monkeypatch.chdir(course.root / "build")
    assert find_course().root == course.root


def test_outside_of_a_course_the_error_says_where_to_go(tmp_path: Path):
    with pytest.raises(CourseError, match=r"not inside a course: go to the folder .*source/\.$"):
        find_course(tmp_path)
