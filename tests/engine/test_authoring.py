"""Mistakes in a lesson's text or public checks are refused in one line that says what to do."""

import pytest

from autograder.grading.course import Course
from autograder.grading.errors import CourseError
from autograder.grading.source import build

# What is replaced, by what, and what is said then.
MISTAKES = {
    "json": ('true, "points": 2', 'true "points": 2', "cannot be read: write its metadata as JSON"),
    "marker": ('tags=["question"]', 'tag=["question"]', "says `tag`, which means nothing here"),
    "text": ('{"grade_id": "level", "grade": true, "points": 2}', '"level"', "write nbgrader={...}"),
    "name": ('"grade_id": "level",', '"grade_id": "level up",', "`level up` cannot be a grade_id"),
    "long name": ('"grade_id": "level",', f'"grade_id": "{"l" * 60}",', "cannot be a grade_id: .* 59"),
    "number": ('"grade_id": "level",', '"grade_id": 3,', "`3` cannot be a grade_id"),
    "no name": ('"grade_id": "level", ', "", "`` cannot be a grade_id"),
    "key": ('"points": 2', '"points": 2, "pionts": 3', "unknown nbgrader key `pionts`"),
    "role": (', "solution": true', "", "`level_stub` is marked for nothing"),
    "no points": (', "points": 2', "", "`level` gives no points"),
    "text points": ('"points": 2', '"points": "2"', "`level` gives no points"),
    "true points": ('"points": 2', '"points": true', "`level` gives no points"),
    "negative points": ('"points": 2', '"points": -2', "`level` gives no points"),
    "endless points": ('"points": 2', '"points": Infinity', "`level` gives no points"),
    "task points": (', "points": 3', "", "`written_moon` gives no points"),
    "duplicate": ('"grade_id": "cause"', '"grade_id": "level"', "two cells have the grade_id `level`"),
    "syntax": ("import math, json", "import math json", "starts `import math json`, line 1, is not Python"),
    "no end": ("    ### END SOLUTION\n", "", "`level_stub`: `BEGIN SOLUTION` has no partner"),
    "no begin": ("    ### BEGIN SOLUTION\n", "", "`level_stub`: `### END SOLUTION` has no partner"),
    "nested": ("### BEGIN SOLUTION", "### BEGIN SOLUTION\n    ### BEGIN SOLUTION", "has no partner"),
    "wrong place": ("import math", "# BEGIN SOLUTION\n# END SOLUTION\nimport math", "is no solution cell"),
    "scheme end": ("# === END MARK SCHEME ===\n", "", "`written_moon`: `BEGIN MARK SCHEME` has no partner"),
    "scheme place": ("# *Your text.*", "# BEGIN MARK SCHEME\n# END MARK SCHEME", "is no task cell"),
    "hidden tests": ("import math", "# BEGIN HIDDEN TESTS\nimport math", "which feedback would show"),
    "task code": ("[markdown] nbgrader", "nbgrader", "task cell `written_moon` holds code"),
    "no scheme": (
        "# === BEGIN MARK SCHEME ===\n# One point for the far side.\n# === END MARK SCHEME ===\n",
        "",
        "tells the TA nothing",
    ),
    "grade cell": ('check("level")', 'check("levels")', r'`level` must hold nothing but check\("level"\)'),
    "stub name": ('"level_stub"', '"level_start"', "`level_start` must be a code cell called <task>_stub"),
    "whole stub": ('### BEGIN SOLUTION\nanswer = "b"\n### END SOLUTION\n', "", "would be cleared whole"),
    "no answer": ('answer = "b"', "answer = 3", "question `cause_stub` has no right answer"),
    "stub alone": (
        '# %% nbgrader={"grade_id": "level", "grade": true, "points": 2}\ncheck("level")\n',
        "",
        "stub cell `level_stub` has no grade cell",
    ),
    "no stub": ('"cause_stub"', '"clause_stub"', "grade cell `cause` has no stub before it"),
}


def assert_one_line_with_advice(error: CourseError) -> None:
    assert "\n" not in str(error)
    assert str(error)[-1] == "." and ": " in str(error)


@pytest.mark.parametrize("old, new, message", MISTAKES.values(), ids=MISTAKES)
def test_mistakes_in_the_text_are_named(new_course: Course, old: str, new: str, message: str, edit):
    lesson = new_course.lesson("tides")
    edit(lesson.text, old, new)
    with pytest.raises(CourseError, match=message) as caught:
        build(lesson)
    assert str(caught.value).startswith("source/tides/tides.py: ")
    assert_one_line_with_advice(caught.value)
    assert not lesson.solution.exists() and not lesson.built.exists()


@pytest.mark.parametrize("old, new, message", [
    ('{"level"', '{"levels"', "SECTIONS names `levels`, which is no task"),
    ("test_level_at", "test_levels_at", "test_levels_at_zero belongs to no task"),
    ("def test", "def def test", "line 4 is not Python"),
])
def test_mistakes_in_the_public_checks_are_named(new_course: Course, old: str, new: str, message: str, edit):
    lesson = new_course.lesson("tides")
    edit(lesson.public_checks, old, new)
    with pytest.raises(CourseError, match=message) as caught:
        build(lesson)
    assert str(caught.value).startswith("source/tides/public_checks.py: ")
    assert_one_line_with_advice(caught.value)


def test_missing_public_checks_are_named(new_course: Course):
    lesson = new_course.lesson("tides")
    lesson.public_checks.unlink()
    with pytest.raises(CourseError, match="public_checks.py: there is no such file: write"):
        build(lesson)
