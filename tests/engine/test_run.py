"""A run over a class goes on, whatever is the matter with one of its students."""

from pathlib import Path

import pytest
from rich.console import Console
from small_class import Class

from autograder.grading import intake
from autograder.grading.cli import main
from autograder.grading.course import Course
from autograder.grading.errors import CourseError
from autograder.grading.grader import Grader
from autograder.grading.limits import Limits
from autograder.grading.run import ClassRun, grade_one, submitted_work
from autograder.grading.verdict import Verdict


def test_files_that_cannot_be_taken_in_stop_nobody_else(course: Course, monkeypatch: pytest.MonkeyPatch):
    tides = Class(course)
    tides.write_suites()
    for student in ("ana", "bo"):
        tides.hand_in(student)
    take_in = intake.take_in

    def disk_error(course, lesson, student):
        if student == "ana":
            raise OSError(5, "Input/output error")
        return take_in(course, lesson, student)

    monkeypatch.setattr(intake, "take_in", disk_error)
    results, failures = ClassRun(course, tides.lesson, Console(quiet=True), jobs=1).grade(None, regrade=False)
    assert [(result.student, result.task("level").verdict) for result in results] == [("bo", Verdict.PASSED)]
    folder = tides.folder("submitted", "ana")
    assert failures == [
        f"ana was not taken in ([Errno 5] Input/output error): look at the files in {folder}."
    ]
    assert tides.scores().keys() == {"bo"}


@pytest.mark.parametrize("way", ["the class", "files", "nbgrader's button"])
def test_where_a_module_of_the_lesson_is_missing_nothing_is_graded(
    course: Course, monkeypatch: pytest.MonkeyPatch, capsys, tmp_path: Path, way: str
):
    tides = Class(course)
    tides.write_suites()
    text = tides.lesson.release.read_text(encoding="utf-8")
    tides.lesson.release.write_text(text.replace("import numpy as np", "import numpy as np, moon"))
    monkeypatch.chdir(course.root)
    line = "tides needs moon, not installed here: run `make setup`."
    tides.hand_in("ana")
    if way == "nbgrader's button":
        with pytest.raises(CourseError, match=f"^{line}$"):
            grade_one(course, tides.lesson, "ana")
    else:
        files = ["--from", str(tides.folder("submitted", "ana")), "--json", str(tmp_path / "scores.json")]
        monkeypatch.setattr("autograder.grading.release.ensure_released", lambda *_: None)
        assert main(["grade", "tides", *(files if way == "files" else [])]) == 2
        assert capsys.readouterr().err == f"autograder: {line}\n"
    assert not (course.build / "results").exists() and not (tmp_path / "scores.json").exists()


def test_a_machine_that_lacks_a_module_gives_no_zero(course: Course):
    """A worker of a cluster, say: whoever gave it the order lacks nothing."""
    tides = Class(course)
    tides.write_suites()
    tides.hand_in("ana")
    work = submitted_work(course, tides.lesson, "ana")
    text = tides.lesson.release.read_text(encoding="utf-8")
    tides.lesson.release.write_text(text.replace("import numpy as np", "import numpy as np, moon"))
    with Grader(course, tides.lesson, Limits()) as grader:
        result = grader.grade(work)
    assert {task.verdict for task in result.tasks} == {Verdict.INTERNAL}
    assert result.problems == ["internal: tides needs moon, not installed here: run `make setup`."]
