"""nbgrader's gradebook: the roster, the scores, and recording of results by nbgrader's own converter."""

import contextlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

import msgspec
from nbgrader import api
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.exc import OperationalError

from autograder.grading.conversion import Conversion, Recording, settings
from autograder.grading.course import Course, Lesson
from autograder.grading.deadlines import Deadlines
from autograder.grading.errors import CourseError
from autograder.grading.handgrades import HandGrades
from autograder.grading.patience import await_gradebook
from autograder.grading.results import ResultStore
from autograder.grading.verdict import SubmissionResult

Scores = dict[str, dict[str, float | None]]  # student → grade_id → points given automatically


class Standing(msgspec.Struct, frozen=True):
    """A student's points for a lesson as the gradebook has them: `by_hand` is what manual grading changed
    (written answers, corrections, extra credit), `waiting` tells whether some of it is still to be done."""

    automatic: float
    by_hand: float
    penalty: float
    max_points: float
    waiting: bool

    @property
    def total(self) -> float:
        return self.automatic + self.by_hand - self.penalty


def record(
    course: Course, lesson: Lesson, students: Iterable[str], tell: Callable[[str], None] = lambda text: None
) -> dict[str, str]:
    """Record the kept results of these students and what being late costs them; why that failed, by student.
    `tell` is told what the teacher should know, a line at a time. While the gradebook is held by another
    program, or out of its place, this waits.

    A result that stands in the gradebook already is not recorded again; its penalty follows the dates as
    they are now. `students` may come one by one, as they are graded.
    """
    recording = Conversion(Recording, course, lesson)
    path = course.gradebook
    await_gradebook(path, tell)
    store, given = ResultStore(course), _given(course, lesson)
    deadlines, by_hand = Deadlines(course, lesson), HandGrades(course, lesson)
    deadlines.prepare()
    failures: dict[str, str] = {}
    seen: list[str] = []
    with recording.running():
        for student in students:
            seen.append(student)
            if _is_recorded(course, lesson, store.load(lesson, student), given[student]):
                continue
            await_gradebook(path, tell)
            if "\n" in student:  # which nbgrader's patterns do not match
                failures[student] = "its name holds a line break: rename the folder in build/submitted."
                continue
            with by_hand.watched(student):
                reason = recording.convert(course.build / "submitted" / student / lesson.name)
            if reason:
                failures[student] = reason
    lines, undated = deadlines.settle(student for student in seen if student not in failures)
    for line in [*by_hand.lines, *lines]:
        tell(line)
    return failures | undated


def await_in_place(course: Course, tell: Callable[[str], None]) -> None:
    """Return once the gradebook can be written, or at once where there is none yet. CourseError where results
    were recorded and the gradebook they were recorded in is gone: a new one would lack the grades given by
    hand."""
    path = course.gradebook
    if path.exists():
        await_gradebook(path, tell)
    elif any((course.build / "autograded").glob("*")):
        raise CourseError(
            f"{path} is gone, in which results were recorded: put it back, or `autograder restore` a backup; "
            "to begin a new one, move build/autograded away."
        )


def students(course: Course) -> list[str]:
    """The ids of everybody in the gradebook."""
    with opened(course) as gradebook:
        return sorted(student.id for student in gradebook.students)


def add_students(course: Course, ids: Iterable[str]) -> None:
    """Enter students into the gradebook; those who are in it stay as they are."""
    with opened(course) as gradebook:
        there = {student.id for student in gradebook.students}
        gradebook.db.add_all(api.Student(id=student) for student in sorted(set(ids) - there))
        gradebook.db.commit()


def name_students(course: Course, known: dict[str, dict[str, str]]) -> None:
    """Enter students, by id, with what is known of them (first_name, last_name, email, lms_user_id); where
    something is not known, or stands there already, nothing is written."""
    with opened(course) as gradebook:
        there = {student.id: student for student in gradebook.students}
        for student_id, fields in known.items():
            told = {field: text for field, text in fields.items() if text}
            student = there.get(student_id)
            if student is None or any(getattr(student, field) != text for field, text in told.items()):
                gradebook.update_or_create_student(student_id, **told)


def scores(course: Course, lesson: Lesson) -> dict[str, float]:
    """Each student's points in the gradebook: automatic or, where given, manual ones, less late penalties."""
    with opened(course) as gradebook:
        submissions = gradebook.db.query(api.SubmittedAssignment).join(api.Assignment)
        return {
            submission.student_id: float(submission.score - (submission.late_submission_penalty or 0))
            for submission in submissions.filter(api.Assignment.name == lesson.name)
        }


def standings(course: Course, lesson: Lesson) -> dict[str, Standing]:
    """Where each student stands in a lesson that is recorded; the total is what `scores` gives."""
    with opened(course) as gradebook:
        return standings_in(gradebook, lesson)


def standings_in(gradebook: api.Gradebook, lesson: Lesson) -> dict[str, Standing]:
    """The same, of a gradebook that is open."""
    submitted = api.SubmittedAssignment
    automatic = dict(
        gradebook.db.query(api.SubmittedNotebook.assignment_id, api.func.sum(api.Grade.auto_score))
        .join(api.Grade, api.Grade.notebook_id == api.SubmittedNotebook.id)
        .group_by(api.SubmittedNotebook.assignment_id)
        .all()
    )
    rows = gradebook.db.query(
        submitted.id,
        submitted.student_id,
        submitted.score,
        submitted.late_submission_penalty,
        submitted.max_score,
        submitted.needs_manual_grade,
    ).join(api.Assignment)
    return {
        student: _standing(automatic.get(number) or 0.0, score, penalty or 0.0, most, waiting)
        for number, student, score, penalty, most, waiting in rows.filter(api.Assignment.name == lesson.name)
    }


def _standing(automatic: float, score: float, penalty: float, max_points: float, waiting: bool) -> Standing:
    by_hand = round(float(score - automatic), 4) + 0.0  # never -0
    return Standing(float(automatic), by_hand, float(penalty), float(max_points), bool(waiting))


def _given(course: Course, lesson: Lesson) -> Scores:
    """What the gradebook holds, read at once."""
    given: Scores = defaultdict(dict)
    with opened(course) as gradebook:
        if lesson.name not in [assignment.name for assignment in gradebook.assignments]:
            raise CourseError(
                f"{lesson.name} is not in the gradebook: run `autograder release {lesson.name}`."
            )
        rows = (
            gradebook.db.query(api.SubmittedAssignment.student_id, api.GradeCell.name, api.Grade.auto_score)
            .select_from(api.Grade)
            .join(api.GradeCell, api.GradeCell.id == api.Grade.cell_id)
            .join(api.SubmittedNotebook, api.SubmittedNotebook.id == api.Grade.notebook_id)
            .join(api.SubmittedAssignment, api.SubmittedAssignment.id == api.SubmittedNotebook.assignment_id)
            .join(api.Assignment, api.Assignment.id == api.SubmittedAssignment.assignment_id)
            .filter(api.Assignment.name == lesson.name)
        )
        for student, task, points in rows:
            given[student][task] = points
    return given


def _is_recorded(
    course: Course, lesson: Lesson, result: SubmissionResult | None, given: dict[str, float | None]
) -> bool:
    """Whether gradebook and autograded notebook both come from this result."""
    if result is None or any(given.get(task.name) != task.points for task in result.tasks):
        return False
    autograded = course.build / "autograded" / result.student / lesson.name / f"{lesson.name}.ipynb"
    try:
        notebook = json.loads(autograded.read_text(encoding="utf-8"))
        return notebook["metadata"]["autograder"]["key"] == result.key
    except (OSError, ValueError, KeyError):
        return False


@contextlib.contextmanager
def opened(course: Course) -> Iterator[api.Gradebook]:
    """The gradebook, for as long as it is needed. CourseError where that is too long in another program's
    hands, or its disk is full."""
    try:
        with api.Gradebook(CourseDirectory(config=settings(course)).db_url) as gradebook:
            yield gradebook
    except OperationalError as error:
        raise CourseError(
            f"the gradebook cannot be used ({error.orig}): close what holds it, see that its disk has room, "
            "and run the same command again."
        ) from error
