"""The dates in nbgrader's gradebook, kept as the teacher's files have them, and what being late costs then.

The due date is nbgrader's own (formgrader, or `nbgrader db assignment add --duedate`). A hand-in without a
`timestamp.txt` is not late. Everything is in UTC.
"""

import os
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from math import isclose
from pathlib import Path
from typing import NamedTuple

from nbgrader import api
from nbgrader.coursedir import CourseDirectory
from sqlalchemy import func

from autograder.grading.conversion import settings
from autograder.grading.course import Course, Lesson
from autograder.grading.extensions import FILE, extension, read_extensions
from autograder.grading.late import configured, handed_in_at
from autograder.grading.moments import TIME_NOTE, shown
from autograder.grading.reader import printable
from autograder.grading.receipts import was_late


class Lateness(NamedTuple):
    """When something was handed in, by how much its due date is moved, and what it costs in points."""

    timestamp: datetime | None
    extension: timedelta | None
    penalty: float | None


class Recorded(NamedTuple):
    """One submission as the gradebook has it; `score` are the points reached, those given by hand
    included."""

    submission: str
    notebook: str
    student: str
    score: float
    lateness: Lateness


class Deadlines:
    """The dates of one lesson. CourseError, before anything is graded or recorded, if the list of extensions
    or the settings are not as they should be."""

    def __init__(self, course: Course, lesson: Lesson):
        self._course, self._lesson = course, lesson
        self._granted = read_extensions(course)
        config = settings(course)
        self._plugin = configured(config)
        self._db_url = CourseDirectory(config=config).db_url

    def prepare(self) -> None:
        """Take extensions back where there is no due date any more: nbgrader fails on such submissions."""
        with api.Gradebook(self._db_url) as gradebook:
            if self._due(gradebook) is None:
                extended = [entry for entry in self._entries(gradebook) if entry.lateness.extension]
                _write(gradebook, {entry: entry.lateness._replace(extension=None) for entry in extended})

    def settle(self, students: Iterable[str]) -> tuple[list[str], dict[str, str]]:
        """Bring dates and penalties of these students up to date: what the teacher should know, a line each,
        and why that failed, by student. Where nothing changed, nothing is written."""
        wanted = set(students)
        with api.Gradebook(self._db_url) as gradebook:
            due = self._due(gradebook)
            entries = [entry for entry in self._entries(gradebook) if entry.student in wanted]
            settled, failures = self._settled(entries, due)
            changed = {entry: now for entry, now in settled.items() if _differ(entry.lateness, now)}
            _write(gradebook, changed)
            lines = [line for entry, now in settled.items() for line in self._lines(entry, now)]
            lines += self._nobody(gradebook)
        late = sum(bool(now.penalty) for now in settled.values())
        return [*lines, *self._summary(due, late, len(entries))], failures

    def _due(self, gradebook: api.Gradebook) -> datetime | None:
        return gradebook.find_assignment(self._lesson.name).duedate

    def _entries(self, gradebook: api.Gradebook) -> Iterator[Recorded]:
        """All of them, read at once: nbgrader's own sums are made anew for each."""
        submission, notebook = api.SubmittedAssignment, api.SubmittedNotebook
        rows = (
            gradebook.db.query(
                *(submission.id, notebook.id, submission.student_id),
                func.coalesce(func.sum(api.Grade.score), 0),
                *(submission.timestamp, submission.extension, notebook.late_submission_penalty),
            )
            .join(notebook, notebook.assignment_id == submission.id)
            .join(api.Assignment, api.Assignment.id == submission.assignment_id)
            .outerjoin(api.Grade, api.Grade.notebook_id == notebook.id)
            .filter(api.Assignment.name == self._lesson.name)
            .group_by(notebook.id)
        )
        for row in rows.all():
            yield Recorded(*row[:4], Lateness(*row[4:]))

    def _settled(
        self, entries: list[Recorded], due: datetime | None
    ) -> tuple[dict[Recorded, Lateness], dict[str, str]]:
        settled: dict[Recorded, Lateness] = {}
        failures: dict[str, str] = {}
        for entry in entries:
            try:
                settled[entry] = self._lateness(entry, due)
            except ValueError as error:
                failures[entry.student] = str(error)
        return settled, failures

    def _lateness(self, entry: Recorded, due: datetime | None) -> Lateness:
        """What the files say now. ValueError if the time of the hand-in cannot be read."""
        timestamp = handed_in_at(_folder(self._course, self._lesson, entry.student))
        extra = _extension(self._granted, self._lesson, entry.student, due, entry.lateness.extension)
        if due is None or timestamp is None or timestamp <= due + (extra or timedelta(0)):
            return Lateness(timestamp, extra, None)
        seconds = (timestamp - due - (extra or timedelta(0))).total_seconds()
        penalty = self._plugin.late_submission_penalty(entry.student, entry.score, seconds)
        return Lateness(timestamp, extra, None if penalty is None else max(0, min(entry.score, penalty)))

    def _lines(self, entry: Recorded, lateness: Lateness) -> Iterator[str]:
        """What would otherwise be in a student's favour, or against it, without a word."""
        student, before = printable(entry.student), entry.lateness
        received = self._course.build / "received" / entry.student / self._lesson.name
        folder = _folder(self._course, self._lesson, student)
        if lateness.timestamp is None and was_late(received):
            yield (
                f"{student}: the LMS calls it late and tells no time, so the work counts as in time: "
                f"write one, such as 2026-12-01 18:00 UTC, into {folder / TIME_NOTE}."
            )
        elif lateness.timestamp is None and os.path.lexists(received / TIME_NOTE):
            yield (
                f"{student}: the timestamp.txt that came says no time, so the work counts as in time: "
                f"write one, such as 2026-12-01 18:00 UTC, into {folder}."
            )
        elif lateness.timestamp is None and before.timestamp is not None:
            yield (
                f"{student}: no timestamp.txt any more (it was {shown(before.timestamp)}), "
                "so the work counts as in time: write it again if it was late."
            )
        if before.extension is not None and lateness.extension is None:
            yield (
                f"{student}: the extension of {before.extension} is taken back: "
                f"write a line into {FILE} to grant it again."
            )

    def _nobody(self, gradebook: api.Gradebook) -> Iterator[str]:
        """The students of the list whom nobody knows: probably a slip of the pen."""
        named = {student for student, lesson in self._granted or () if lesson == self._lesson.name}
        unknown = named - {student for (student,) in gradebook.db.query(api.Student.id)} if named else set()
        for student in sorted(unknown):
            if not (self._course.build / "submitted" / student).is_dir():
                yield f"{FILE}: no student is called {printable(student)!r} yet: compare the ids."

    def _summary(self, due: datetime | None, late: int, handed_in: int) -> Iterator[str]:
        granted = [student for student, lesson in self._granted or () if lesson == self._lesson.name]
        if due is not None:
            yield f"due {shown(due)}: {late} of {handed_in} lose points for being late"
        elif granted:
            yield (
                f"{FILE} names {self._lesson.name}, which has no due date, so that nobody is late: "
                "set it in formgrader."
            )


def enter_dates(gradebook: api.Gradebook, course: Course, lesson: Lesson, student: str) -> None:
    """Enter a student's dates, after which nbgrader itself assigns the penalty. CourseError or ValueError if
    the list of extensions or the time of the hand-in cannot be read."""
    submission = gradebook.find_submission(lesson.name, student)
    due, granted = submission.assignment.duedate, read_extensions(course)
    submission.timestamp = handed_in_at(_folder(course, lesson, student))
    submission.extension = _extension(granted, lesson, student, due, submission.extension)
    gradebook.db.commit()


def _extension(
    granted: dict | None, lesson: Lesson, student: str, due: datetime | None, before: timedelta | None
) -> timedelta | None:
    """Without a list, what stands in the gradebook stays, as nbgrader's own API granted it."""
    if due is None or granted is None:
        return None if due is None else before
    return extension(granted.get((student, lesson.name)), due)


def _write(gradebook: api.Gradebook, settled: dict[Recorded, Lateness]) -> None:
    """Write them in one transaction; none at all leaves the file as it is, and so the feedback fresh."""
    if settled:
        dates = [
            {"id": entry.submission, "timestamp": now.timestamp, "extension": now.extension}
            for entry, now in settled.items()
        ]
        penalties = [
            {"id": entry.notebook, "late_submission_penalty": now.penalty} for entry, now in settled.items()
        ]
        gradebook.db.bulk_update_mappings(api.SubmittedAssignment, dates)
        gradebook.db.bulk_update_mappings(api.SubmittedNotebook, penalties)
        gradebook.db.commit()


def _differ(before: Lateness, after: Lateness) -> bool:
    return before[:2] != after[:2] or not isclose(before.penalty or 0, after.penalty or 0, abs_tol=1e-9)


def _folder(course: Course, lesson: Lesson, student: str) -> Path:
    return course.build / "submitted" / student / lesson.name
