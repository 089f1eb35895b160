"""What the gradebook has to say about a class, with everything that its students can be known by."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from html import escape

from nbgrader import api

from autograder.grading import intake
from autograder.grading.course import Course, Lesson
from autograder.grading.errors import CourseError
from autograder.grading.exporting.amounts import brief
from autograder.grading.gradebook import standings_in
from autograder.grading.people import People, Person, people
from autograder.grading.reader import printable


@dataclass(frozen=True)
class Student:
    """One student: `person` as the LMS knows them, `others` what else may be theirs there, `points` after
    the late penalty or None while nothing is graded, `waiting` whether some is still to be graded by hand,
    `comment` what the points are made of, as HTML without quotes."""

    id: str
    person: Person
    others: tuple[str, ...]
    handed_in: bool
    points: float | None = None
    waiting: bool = False
    comment: str = ""


@dataclass(frozen=True)
class ClassGrades:
    """A class in one lesson: everybody in the gradebook or with a hand-in. It is about those who are `chosen`
    (everybody, if nobody is) and not `skipped`."""

    lesson: Lesson
    max_points: float
    students: list[Student]
    chosen: frozenset[str] = frozenset()
    skipped: frozenset[str] = frozenset()

    @property
    def graded(self) -> list[Student]:
        return [student for student in self._wanted() if student.points is not None]

    @property
    def ungraded(self) -> list[Student]:
        """Those who handed in and have no points."""
        return [student for student in self._wanted() if student.points is None and student.handed_in]

    @property
    def missing(self) -> list[Student]:
        """Those who handed in nothing."""
        return [student for student in self._wanted() if student.points is None and not student.handed_in]

    def among(self, chosen: Iterable[str], skipped: Iterable[str]) -> "ClassGrades":
        """About fewer students. CourseError for an id that nobody has, and if nobody with points is left."""
        few = replace(self, chosen=frozenset(chosen), skipped=frozenset(skipped))
        unknown = sorted((few.chosen | few.skipped) - {student.id for student in self.students})
        if unknown:
            raise CourseError(f"no student is called {printable(unknown[0])}: compare the ids.")
        if not few.graded:
            name = self.lesson.name
            raise CourseError(f"nobody has points for {name} yet: run `autograder grade {name}`.")
        return few

    def _wanted(self) -> list[Student]:
        wanted = (self.chosen or {student.id for student in self.students}) - self.skipped
        return [student for student in self.students if student.id in wanted]


def class_grades(gradebook: api.Gradebook, course: Course, lesson: Lesson, lms: str) -> ClassGrades:
    """The grades of a lesson for an LMS. CourseError if the gradebook does not know the lesson."""
    try:
        max_points = gradebook.find_assignment(lesson.name).max_score
    except api.MissingEntry as error:
        raise CourseError(
            f"{lesson.name} is not in the gradebook: run `autograder release {lesson.name}`."
        ) from error
    known, standings = people(course, lesson), standings_in(gradebook, lesson)
    details, handed_in = _details(gradebook, lesson), set(intake.students(course, lesson))
    rows = {row.id: row for row in gradebook.students}
    students = []
    for name in sorted(rows.keys() | handed_in):
        person, others = _identity(name, rows.get(name), known, lms)
        student = Student(name, person, others, name in handed_in or name in details)
        if name in details:
            standing = standings[name]
            comment = _comment(lesson, details[name], standing.penalty)
            points = max(0.0, standing.total)
            student = replace(student, points=points, waiting=standing.waiting, comment=comment)
        students.append(student)
    return ClassGrades(lesson, float(max_points), students)


def _identity(
    student: str, row: api.Student | None, known: People, lms: str
) -> tuple[Person, tuple[str, ...]]:
    """What collecting found out, the rest from nbgrader's own table; an id of another LMS is none here."""
    person = known.students.get(student, Person(""))
    number = person.lms_id if known.lms == lms else ""
    spoken = " ".join(part for part in (row.first_name, row.last_name) if part) if row else ""
    email = person.email or (row.email or "" if row else "")
    others = (student, row.lms_user_id or "" if row else "")
    full = Person(number, person.name or spoken, person.login, email, person.number)
    return full, tuple(other for other in others if other)


def _details(gradebook: api.Gradebook, lesson: Lesson) -> dict[str, list[str]]:
    """Points by task, with what was written by hand about them, of everybody of whom anything is graded."""
    grade, notebook = api.Grade, api.SubmittedNotebook
    rows = (
        gradebook.db.query(
            *(api.SubmittedAssignment.student_id, notebook.id, api.BaseCell.name),
            *(grade.score, grade.max_score, grade.needs_manual_grade),
            *(grade.auto_score, grade.manual_score),
        )
        .join(notebook, notebook.assignment_id == api.SubmittedAssignment.id)
        .join(grade, grade.notebook_id == notebook.id)
        .join(api.BaseCell, api.BaseCell.id == grade.cell_id)
        .join(api.Assignment, api.Assignment.id == api.SubmittedAssignment.assignment_id)
        .filter(api.Assignment.name == lesson.name)
        .order_by(api.BaseCell.name)
    )
    remarks = _remarks(gradebook, lesson)
    details: dict[str, list[str]] = defaultdict(list)
    graded = set()
    for student, sheet, task, score, most, waiting, automatic, by_hand in rows:
        if automatic is not None or by_hand is not None:
            graded.add(student)
        remark = remarks.get((sheet, task), "")
        said = "not graded yet" if waiting else f"{brief(score)} of {brief(most)}"
        details[student].append(f"{task} {said}" + (f" ({' '.join(remark.split())})" if remark else ""))
    return {student: details[student] for student in graded}


def _remarks(gradebook: api.Gradebook, lesson: Lesson) -> dict[tuple[str, str], str]:
    """What was written by hand about a lesson, by notebook and task; it belongs to the cell with the
    answer."""
    comment, cell, notebook = api.Comment, api.BaseCell, api.SubmittedNotebook
    rows = (
        gradebook.db.query(comment.notebook_id, cell.name, comment.manual_comment)
        .join(cell, cell.id == comment.cell_id)
        .join(notebook, notebook.id == comment.notebook_id)
        .join(api.SubmittedAssignment, api.SubmittedAssignment.id == notebook.assignment_id)
        .join(api.Assignment, api.Assignment.id == api.SubmittedAssignment.assignment_id)
        .filter(api.Assignment.name == lesson.name, comment.manual_comment.isnot(None))
    )
    return {(sheet, name.removesuffix("_stub")): text for sheet, name, text in rows if text and text.strip()}


def _comment(lesson: Lesson, details: list[str], penalty: float) -> str:
    """Neither a quote nor a backslash: Moodle's reader takes a quote after a backslash for text."""
    late = [f"late: -{brief(penalty)}"] if penalty else []
    return escape(f"{lesson.name}: {', '.join([*details, *late])}").replace("\\", "&#92;")
