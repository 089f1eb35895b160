"""The report about a class: what it misunderstood, how the tasks did, who needs a look; numbers for all of
it."""

from datetime import datetime
from typing import Any

import msgspec
import numpy as np

from autograder.grading import gradebook, intake
from autograder.grading.analysis import TaskStatistics, common_mistakes, is_whole, statistics
from autograder.grading.course import Course, Lesson, source_of
from autograder.grading.errors import CourseError
from autograder.grading.gradebook import Standing
from autograder.grading.limits import Limits
from autograder.grading.reader import load_notebook
from autograder.grading.results import ResultKeys, ResultStore
from autograder.grading.similar import Cells, Fingerprints, Pair, excerpts, similar_pairs
from autograder.grading.submission import read_path
from autograder.grading.verdict import SubmissionResult

SHOWN_PAIRS = 30  # with an excerpt on the page; the CSV file has them all


class Row(msgspec.Struct, frozen=True):
    """One student: the result if there is one, and what the gradebook has."""

    student: str
    handed_in: bool
    result: SubmissionResult | None
    standing: Standing | None

    @property
    def state(self) -> str:
        if not self.handed_in:
            return "nothing handed in"
        if self.result is None:
            return "not graded"
        return "internal error" if self.result.internal else "graded"


class Likeness(msgspec.Struct, frozen=True):
    """A pair with where the two agree most."""

    pair: Pair
    one: str
    other: str


class Report(msgspec.Struct, frozen=True):
    """Everything that is told about a class; `stale` are those whose result is older than the hand-in, the
    suite or the engine."""

    lesson: Lesson
    made: datetime
    rows: list[Row]
    tasks: list[TaskStatistics]
    pairs: list[Pair]
    likenesses: list[Likeness]
    stale: list[str]

    @property
    def results(self) -> list[SubmissionResult]:
        return [row.result for row in self.rows if row.result]

    @property
    def whole(self) -> list[SubmissionResult]:
        return [result for result in self.results if is_whole(self.lesson, result)]

    @property
    def max_points(self) -> float:
        return sum(task.points for task in self.lesson.tasks)

    def numbers(self) -> dict[str, Any]:
        """The published JSON record: what outside scripts read."""
        points = [result.points for result in self.whole]
        return {
            "lesson": self.lesson.name,
            "made": self.made.isoformat(timespec="seconds"),
            "handed_in": sum(row.handed_in for row in self.rows),
            "graded": len(self.whole),
            "internal": [result.student for result in self.results if result.internal],
            "stale": self.stale,
            "max_points": self.max_points,
            "mean": round(float(np.mean(points)), 4) if points else None,
            "median": round(float(np.median(points)), 4) if points else None,
            "mistakes": msgspec.to_builtins(common_mistakes(self.tasks)),
            "tasks": msgspec.to_builtins(self.tasks),
            "students": [_student(row) for row in self.rows],
            "pairs": msgspec.to_builtins(self.pairs),
        }


def report(course: Course, lesson: Lesson) -> Report:
    """Look at a class that was graded. CourseError where nobody was."""
    handed_in = intake.students(course, lesson)
    rows = _rows(course, lesson, handed_in)
    results = [row.result for row in rows if row.result]
    if not results:
        raise CourseError(f"nobody's result for {lesson.name} is kept: run `autograder grade {lesson.name}`.")
    fingerprints = Fingerprints(_given(lesson))
    cells = {student: _cells(course, lesson, student) for student in handed_in}
    pairs = similar_pairs(cells, fingerprints)
    likenesses = [
        Likeness(pair, *excerpts(cells[pair.one], cells[pair.other], fingerprints))
        for pair in pairs[:SHOWN_PAIRS]
    ]
    tasks, stale = statistics(lesson, results), _stale(course, lesson, results)
    return Report(lesson, datetime.now(), rows, tasks, pairs, likenesses, stale)


def _rows(course: Course, lesson: Lesson, handed_in: list[str]) -> list[Row]:
    """Everybody who handed in or is in the gradebook, by name."""
    store, there = ResultStore(course), set(handed_in)
    known = gradebook.standings(course, lesson)
    return [
        Row(
            student,
            student in there,
            store.load(lesson, student) if student in there else None,
            known.get(student),
        )
        for student in sorted(there | set(gradebook.students(course)))
    ]


def _stale(course: Course, lesson: Lesson, results: list[SubmissionResult]) -> list[str]:
    keys = ResultKeys(course, lesson, Limits())
    return [result.student for result in results if result.key != keys.key(result.student)]


def _given(lesson: Lesson) -> list[str]:
    """What everybody got, and the reference: who writes what the teacher would copied from nobody."""
    released = [cell.source for cell in load_notebook(lesson.release).cells if cell.cell_type == "code"]
    return [*released, lesson.solution.read_text(encoding="utf-8")]


def _cells(course: Course, lesson: Lesson, student: str) -> Cells:
    """The code that a student handed in, as far as it can be read."""
    path = course.build / "submitted" / student / lesson.name / f"{lesson.name}.ipynb"
    content = read_path(path)
    if content.notebook is None:
        return [content.python] if content.python else []
    return [source_of(cell) for cell in content.notebook.cells if cell.cell_type == "code"]


def _student(row: Row) -> dict[str, Any]:
    result, standing = row.result, row.standing
    return {
        "student": row.student,
        "state": row.state,
        "automatic": result.points if result and not result.internal else None,
        "by_hand": standing and standing.by_hand,
        "late_penalty": standing and standing.penalty,
        "total": standing and round(standing.total, 4),
        "max_total": standing and standing.max_points,
        "to_grade_by_hand": standing and standing.waiting,
        "seconds": result and round(result.seconds, 3),
        "problems": result.problems if result else [],
        "tasks": {task.name: _task(task) for task in result.tasks} if result else {},
    }


def _task(task: Any) -> dict[str, Any]:
    return {"verdict": str(task.verdict), "points": task.points, "misconception": task.misconception}
