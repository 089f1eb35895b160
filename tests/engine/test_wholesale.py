"""A run over a class writes what nbgrader's own converter writes, and all of it or nothing."""

import shutil
from typing import Any

import pytest
from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader import api
from nbgrader.preprocessors import SaveAutoGrades
from small_class import Class, stock_run
from sqlalchemy.exc import OperationalError

from autograder.grading.course import Course
from autograder.grading.deadlines import Deadlines
from autograder.grading.wholesale import Wholesale, one_gradebook

TABLES = (
    (api.SubmittedAssignment, ("student_id", "timestamp", "extension", "score", "needs_manual_grade")),
    (api.SubmittedNotebook, ("student", "name", "late_submission_penalty", "needs_manual_grade")),
    (api.Grade, ("student", "name", "auto_score", "manual_score", "extra_credit", "needs_manual_grade")),
    (api.Comment, ("student", "name", "auto_comment", "manual_comment")),
)


@pytest.fixture
def tides(course: Course) -> Class:
    return Class(course)


def _rows(tides: Class) -> list[list[tuple[str, ...]]]:
    with tides.gradebook() as book:
        return [sorted(_row(entry, names) for entry in book.db.query(kind)) for kind, names in TABLES]


def _row(entry: Any, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(str(getattr(value, "id", value)) for value in (getattr(entry, name) for name in names))


def _notebooks(tides: Class, students: list[str]) -> list[dict]:
    """As recorded, but for the ids of cells, of which the notice about a file gets a new one each time."""
    notebooks = [tides.autograded(student) for student in students]
    return [notebook | {"cells": [cell | {"id": ""} for cell in notebook["cells"]]} for notebook in notebooks]


def _correct(tides: Class, student: str) -> None:
    """What a TA does in formgrader."""
    with tides.gradebook() as book:
        grade = book.find_grade("level", "tides", "tides", student)
        grade.manual_score, grade.needs_manual_grade = 0.5, False
        book.find_comment("level_stub", "tides", "tides", student).manual_comment = "Look at noon."
        book.db.commit()


def _class_of_three(tides: Class) -> list[str]:
    for student, change in {
        "ana": lambda notebook: None,
        "bo": lambda notebook: notebook["cells"].pop(3),
        "cy": lambda notebook: notebook["cells"][-1].update(source="The moon."),
    }.items():
        tides.hand_in(student, change)
        tides.grade(student)
    (tides.folder("submitted", "bo") / "timestamp.txt").write_text("2031-02-03 18:00:00 UTC")
    return ["ana", "bo", "cy"]


@pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")  # nbgrader's own
def test_it_writes_what_nbgraders_own_passes_write(tides: Class):
    students = _class_of_three(tides)
    assert tides.record(*students) == []
    _correct(tides, "ana")
    tides.grade("ana", 0.7)  # recorded again, with a grade given by hand
    assert tides.record(*students) == []
    ours, notebooks = _rows(tides), _notebooks(tides, students)
    assert any("Look at noon." in row for row in ours[-1])
    with tides.gradebook() as book:
        for grade in book.db.query(api.Grade):
            grade.auto_score = None
        book.db.commit()
    shutil.rmtree(tides.course.build / "autograded")
    stock_run(tides.course)
    assert _rows(tides) == ours and _notebooks(tides, students) == notebooks


def test_a_penalty_is_taken_of_the_points_that_are_written_with_it(
    tides: Class, monkeypatch: pytest.MonkeyPatch
):
    with tides.gradebook() as book:
        book.update_or_create_assignment("tides", duedate="2026-12-01 18:00 UTC")
    tides.hand_in("ana")
    (tides.folder("submitted", "ana") / "timestamp.txt").write_text("2026-12-03 12:00:00 UTC")
    monkeypatch.setattr(Deadlines, "settle", lambda *_: ([], {}))  # which would take it anew at the end
    for points in (1.3, 0.4):
        tides.grade("ana", points)
        assert tides.record("ana") == []
        with tides.gradebook() as book:
            entry = book.find_submission("tides", "ana")
            assert entry.score == points + 1.0
            assert entry.late_submission_penalty == pytest.approx(0.2 * entry.score)


def test_each_opening_reads_what_the_one_before_it_wrote_and_only_what_is_kept_stays(tides: Class):
    tides.hand_in("ana")
    tides.grade("ana")
    tides.record("ana")
    url = f"sqlite:///{tides.course.gradebook}"
    with one_gradebook(url):
        with api.Gradebook(url) as book:
            seen = book.find_submission_notebook("tides", "tides", "ana")
            assert seen.score == 2.3
            book.find_grade("level", "tides", "tides", "ana").auto_score = 0.1
            book.db.commit()
        with api.Gradebook(url) as book:
            assert book.find_submission_notebook("tides", "tides", "ana").score == 1.1
    assert tides.scores() == {"ana": 2.3}


def test_what_cannot_be_written_in_the_end_leaves_no_trace(tides: Class, monkeypatch: pytest.MonkeyPatch):
    tides.hand_in("ana")
    tides.grade("ana")

    def full(self: Wholesale) -> None:
        raise OperationalError("COMMIT", {}, Exception("database or disk is full"))

    with monkeypatch.context() as patched:
        patched.setattr(Wholesale, "keep", full)
        (line,) = tides.record("ana")
    assert line.startswith("ana was not recorded: ") and "disk is full" in line
    assert not any(_rows(tides)) and not tides.folder("autograded", "ana").exists()
    assert tides.record("ana") == [] and tides.scores() == {"ana": 2.3}


def test_an_error_in_the_middle_leaves_the_points_as_they_were(tides: Class, monkeypatch: pytest.MonkeyPatch):
    tides.hand_in("ana")
    tides.grade("ana")
    tides.record("ana")
    before = _rows(tides)
    tides.grade("ana", 0.4)
    add_comment = SaveAutoGrades._add_comment

    def fail_late(self: SaveAutoGrades, cell: NotebookNode, resources: ResourcesDict) -> None:
        if cell.metadata.nbgrader.grade_id == "written_moon":  # the last one
            raise RuntimeError("no more")
        add_comment(self, cell, resources)

    with monkeypatch.context() as patched:
        patched.setattr(SaveAutoGrades, "_add_comment", fail_late)
        assert len(tides.record("ana")) == 1
    assert _rows(tides) == before
    assert tides.record("ana") == [] and tides.scores() == {"ana": 1.4}
