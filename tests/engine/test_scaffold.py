"""`autograder new`: a lesson that works in every room, and says where its author has to write."""

from pathlib import Path

import pytest

from autograder.grading.cells import Cell, Submission
from autograder.grading.course import Course
from autograder.grading.errors import CourseError
from autograder.grading.grader import Grader
from autograder.grading.limits import Limits
from autograder.grading.release import release
from autograder.grading.samples import samples
from autograder.grading.scaffold import new_lesson, placeholders
from autograder.grading.verdict import SubmissionResult, Verdict
from autograder.grading.weaving import statements
from autograder.grading.work import work_on


@pytest.fixture
def made(new_course: Course) -> Course:
    new_lesson(new_course, "waves", "crest")
    return new_course


def test_every_room_has_its_file(made: Course):
    lesson = made.lesson("waves")
    for path in (lesson.text, lesson.public_checks, lesson.hidden / "test_crest.py", lesson.samples):
        assert path.exists()
    assert not [line for line in lesson.text.read_text(encoding="utf-8").splitlines() if "$" in line]


def test_the_new_lesson_is_released_and_graded(made: Course):
    lesson = made.lesson("waves")
    release(lesson)
    with Grader(made, lesson, Limits()) as grader:
        for sample in samples(lesson):
            result = grade(grader, lesson, sample.path)
            expected = sample.expected(["crest"])
            assert {task.name: task.verdict for task in result.tasks} == expected, sample.student
            if expected["crest"] is not Verdict.PASSED:
                assert result.task("crest").misconception == "PLACEHOLDER: squares"


def grade(grader: Grader, lesson, path: Path) -> SubmissionResult:
    parts = statements(path.read_text(encoding="utf-8"))
    cells = [Cell("", part, "code", index) for index, part in enumerate(parts)]
    return grader.grade(work_on(lesson, Submission(path.stem, lesson.name, "python", cells, [])))


def test_each_placeholder_is_reported_until_it_is_gone(made: Course):
    lesson = made.lesson("waves")
    rooms = {place.split(":")[0] for place in placeholders(lesson)}
    assert len(rooms) == 7 and len(placeholders(lesson)) > 10
    for room in rooms:
        path = made.root / room
        path.write_text(path.read_text(encoding="utf-8").replace("PLACEHOLDER", "x"), encoding="utf-8")
    assert placeholders(lesson) == []


@pytest.mark.parametrize(
    "name, task, said",
    [
        ("Two Words", "crest", "no name for a lesson"),
        ("waves", "cr-est", "no name for a task"),
        ("tides", "crest", "is there already"),
    ],
)
def test_what_cannot_be_made_is_refused_in_one_line(new_course: Course, name: str, task: str, said: str):
    before = sorted(new_course.root.rglob("*"))
    with pytest.raises(CourseError, match=said):
        new_lesson(new_course, name, task)
    assert sorted(new_course.root.rglob("*")) == before
