"""A run over a class goes on, whatever is the matter with one of its students."""

import pytest
from rich.console import Console
from small_class import Class

from autograder.grading import intake
from autograder.grading.course import Course
from autograder.grading.run import ClassRun
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
