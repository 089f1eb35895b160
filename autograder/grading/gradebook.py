"""nbgrader's gradebook: the roster, and recording of results by nbgrader's own converters, in this
process."""

import contextlib
import json
import re
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from nbconvert.writers import FilesWriter
from nbgrader import api
from nbgrader.converters import Autograde, GenerateFeedback
from nbgrader.converters.base import BaseConverter, NbGraderException
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.exc import SAWarning
from traitlets.config.loader import PyFileConfigLoader

from autograder.grading.course import CONFIG, Course, Lesson
from autograder.grading.errors import CourseError
from autograder.grading.reader import printable
from autograder.grading.release import Log
from autograder.grading.results import ResultStore
from autograder.grading.verdict import SubmissionResult

Scores = dict[str, dict[str, float | None]]  # student → grade_id → points given automatically


def record(
    course: Course, lesson: Lesson, students: Iterable[str], progress: Callable[[str], None] | None = None
) -> list[str]:
    """Record the kept results of these students and write their feedback; what went wrong, one line each.

    A result that stands in the gradebook already is not recorded again (nbgrader would ask for manual
    grades to be looked at again), and feedback is written only where it is older than the gradebook.
    `progress` is called with each student when done. `students` may come one by one, as they are graded.
    """
    with _Recording(course, lesson) as recording:
        failures = recording.run(students, progress or (lambda _: None))
    return [f"{printable(student)} was not recorded: {reason}" for student, reason in failures.items()]


def students(course: Course) -> list[str]:
    """The ids of everybody in the gradebook."""
    with _open(course) as gradebook:
        return sorted(student.id for student in gradebook.students)


def add_students(course: Course, ids: Iterable[str]) -> None:
    """Enter students into the gradebook; those who are in it stay as they are."""
    with _open(course) as gradebook:
        there = {student.id for student in gradebook.students}
        gradebook.db.add_all(api.Student(id=student) for student in sorted(set(ids) - there))
        gradebook.db.commit()


def scores(course: Course, lesson: Lesson) -> dict[str, float]:
    """Each student's points in the gradebook: automatic or, where given, manual ones, less late penalties."""
    with _open(course) as gradebook:
        submissions = gradebook.db.query(api.SubmittedAssignment).join(api.Assignment)
        return {
            submission.student_id: float(submission.score - (submission.late_submission_penalty or 0))
            for submission in submissions.filter(api.Assignment.name == lesson.name)
        }


class _Recording:
    """nbgrader's two converters, set up once and handed one student after another."""

    def __init__(self, course: Course, lesson: Lesson):
        self._course, self._lesson, self._log = course, lesson, Log("nbgrader")
        config = PyFileConfigLoader(CONFIG, path=str(course.root)).load_config()
        config.CourseDirectory.assignment_id = lesson.name
        coursedir = CourseDirectory(config=config, log=self._log)
        made = {"coursedir": coursedir, "config": config, "log": self._log, "force": True}
        self._autograde, self._feedback = Autograde(**made), GenerateFeedback(**made)
        self._url = coursedir.db_url

    def __enter__(self) -> "_Recording":
        for converter in (self._autograde, self._feedback):
            _set_up(converter)
        return self

    def __exit__(self, *_: object) -> None:
        self._log.texts.clear()

    def run(self, students: Iterable[str], progress: Callable[[str], None]) -> dict[str, str]:
        """Record all, then write feedback for all, so that feedback is younger than the gradebook; the
        failures."""
        failures: dict[str, str] = {}
        store, given = ResultStore(self._course), self._given()
        with contextlib.chdir(self._course.root), warnings.catch_warnings():
            warnings.simplefilter("ignore", SAWarning)  # nbgrader's own, at every first entry of a submission
            recorded = []
            for student in students:
                recorded.append(student)
                if not self._is_recorded(student, store.load(self._lesson, student), given[student]):
                    self._convert(self._autograde, "submitted", student, failures)
            for student in recorded:
                if student not in failures and not self._is_told(student):
                    self._convert(self._feedback, "autograded", student, failures)
                progress(student)
        return failures

    def _convert(self, converter: BaseConverter, step: str, student: str, failures: dict[str, str]) -> None:
        if "\n" in student:  # which nbgrader's patterns do not match
            failures[student] = "its name holds a line break: rename the folder in build/submitted."
            return
        folder = self._folder(step, student)
        converter.assignments = {str(folder): [str(folder / f"{self._lesson.name}.ipynb")]}
        self._log.texts.clear()
        try:
            converter.convert_notebooks()
        except NbGraderException as error:
            failures[student] = _reason(self._log.texts) or str(error)

    def _given(self) -> Scores:
        """What the gradebook holds, read at once."""
        given: Scores = defaultdict(dict)
        with api.Gradebook(self._url) as gradebook:
            if self._lesson.name not in [assignment.name for assignment in gradebook.assignments]:
                name = self._lesson.name
                raise CourseError(f"{name} is not in the gradebook: run `autograder release {name}`.")
            rows = (
                gradebook.db.query(
                    api.SubmittedAssignment.student_id, api.GradeCell.name, api.Grade.auto_score
                )
                .select_from(api.Grade)
                .join(api.GradeCell, api.GradeCell.id == api.Grade.cell_id)
                .join(api.SubmittedNotebook, api.SubmittedNotebook.id == api.Grade.notebook_id)
                .join(
                    api.SubmittedAssignment, api.SubmittedAssignment.id == api.SubmittedNotebook.assignment_id
                )
                .join(api.Assignment, api.Assignment.id == api.SubmittedAssignment.assignment_id)
                .filter(api.Assignment.name == self._lesson.name)
            )
            for student, task, points in rows:
                given[student][task] = points
        return given

    def _is_recorded(
        self, student: str, result: SubmissionResult | None, given: dict[str, float | None]
    ) -> bool:
        """Whether gradebook and autograded notebook both come from this result."""
        if result is None or any(given.get(task.name) != task.points for task in result.tasks):
            return False
        try:
            notebook = json.loads(self._notebook("autograded", student).read_text(encoding="utf-8"))
            return notebook["metadata"]["autograder"]["key"] == result.key
        except (OSError, ValueError, KeyError):
            return False

    def _is_told(self, student: str) -> bool:
        """Whether the feedback is younger than what it tells of: the notebook, and manual grades in the
        gradebook."""
        page = self._folder("feedback", student) / f"{self._lesson.name}.html"
        sources = [self._notebook("autograded", student), self._course.build / "gradebook.db"]
        try:
            return all(source.stat().st_mtime_ns < page.stat().st_mtime_ns for source in sources)
        except FileNotFoundError:
            return False

    def _folder(self, step: str, student: str) -> Path:
        return self._course.build / step / student / self._lesson.name

    def _notebook(self, step: str, student: str) -> Path:
        return self._folder(step, student) / f"{self._lesson.name}.ipynb"


def _reason(texts: list[str]) -> str:
    """What the last traceback that nbgrader logged says, without the exception's name."""
    tracebacks = [text for text in texts if text.startswith("Traceback")]
    lines = re.findall(r"^[\w.]+: (.+)$", tracebacks[-1], re.MULTILINE) if tracebacks else []
    if not lines:
        return ""
    return lines[-1] if lines[-1].endswith(".") else f"{lines[-1]}: run the same command again."


def _set_up(converter: BaseConverter) -> None:
    """What nbgrader's `start()` does once for a run."""
    converter.writer = FilesWriter(parent=converter, config=converter.config)
    converter.exporter = converter.exporter_class(parent=converter, config=converter.config)
    for preprocessor in converter.preprocessors:
        converter.exporter.register_preprocessor(preprocessor)


@contextlib.contextmanager
def _open(course: Course) -> Iterator[api.Gradebook]:
    config = PyFileConfigLoader(CONFIG, path=str(course.root)).load_config()
    with api.Gradebook(CourseDirectory(config=config).db_url) as gradebook:
        yield gradebook
