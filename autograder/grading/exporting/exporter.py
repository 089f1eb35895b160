"""Grades for an LMS as a plugin of nbgrader's, run by `autograder export` and by `nbgrader export`."""

from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.plugins import ExportPlugin
from traitlets import Bool, List, Unicode

from autograder.grading.course import Course, find_course
from autograder.grading.errors import CourseError
from autograder.grading.exporting.amounts import rounded
from autograder.grading.exporting.filling import Filling
from autograder.grading.exporting.grades import ClassGrades, Student, class_grades
from autograder.grading.exporting.notes import Tell, tell_names, tell_unfinished
from autograder.grading.exporting.pairing import Arrangement, Pairs
from autograder.grading.exporting.titles import find_column, title
from autograder.grading.formulas import is_formula
from autograder.grading.reader import printable
from autograder.grading.results import write_whole
from autograder.grading.sheet import Sheet, read_sheet


class LmsExporter(ExportPlugin):
    """Fills in the table that the LMS wrote, or writes the least that it takes. Each LMS tells its name, what
    stands where in its tables (`arrangement`), and the least (`minimum`)."""

    template = Unicode("", help="The table that the LMS wrote; it is filled in.").tag(config=True)
    column = Unicode("", help="The title of the column, if it is not the lesson's.").tag(config=True)
    skip = List(Unicode(), help="Students who are left out.").tag(config=True)
    missing_as_zero = Bool(False, help="Give who handed in nothing 0 points.").tag(config=True)

    lms = ""

    def export(self, gradebook: Gradebook) -> None:
        """As `nbgrader export` calls it; what a user can mend is told in one line, and ends the program."""
        try:
            self.log.info("Wrote %s", self.write(gradebook, find_course(), self.log.warning))
        except CourseError as error:
            self.log.error("%s", error)
            raise SystemExit(1) from error

    def write(self, gradebook: Gradebook, course: Course, tell: Tell) -> Path:
        """Write the one file, and say where; `tell` is told what the teacher should know. CourseError, and
        no file, if anything does not fit."""
        if len(self.assignment) != 1:
            raise CourseError("an LMS takes one assignment at a time: give one lesson to --assignment.")
        lesson = course.lesson(str(self.assignment[0]))
        place = self._place(lesson.name)
        grades = class_grades(gradebook, course, lesson, self.lms)
        grades = grades.among(map(str, self.student), self.skip)
        write_whole(place, self.made(grades, course, tell))
        return place

    def made(self, grades: ClassGrades, course: Course, tell: Tell) -> bytes:
        """The bytes of the file."""
        if not self.template:
            data = self.minimum(grades, tell)
            tell_unfinished(tell, grades)
            done = "0 points written" if self.missing_as_zero else "no points written"
            tell_names(tell, f"handed in nothing, {done}", (student.id for student in grades.missing))
            return data
        filling = self.filling(grades, course, tell)
        self.check_heading(filling.heading, tell)
        self._compare_points(filling, tell)
        filling.fill(self.missing_as_zero)
        return filling.sheet.to_bytes()

    def filling(self, grades: ClassGrades, course: Course, tell: Tell) -> Filling:
        """The template, read, with the lesson's column found."""
        source = Path(self.template).name
        sheet = read_sheet(Path(self.template))
        arrangement = self.arrangement(sheet, source)
        column = arrangement.grade
        if column is None or self.column:
            column = find_column(arrangement.titles, sheet.header, course, grades.lesson, self.column, source)
        pairs = Pairs(sheet, arrangement, source, self.plain)
        return Filling(grades, sheet, arrangement, pairs, column, source, tell)

    def arrangement(self, sheet: Sheet, source: str) -> Arrangement:
        """What stands where. CourseError if this is no table of this LMS."""
        raise NotImplementedError

    def minimum(self, grades: ClassGrades, tell: Tell) -> bytes:
        """The least that the LMS takes, made without a template."""
        raise NotImplementedError

    def plain(self, text: str) -> str:
        """What identifies a student, without what the LMS puts around it in a table."""
        return text

    def check_heading(self, heading: str, tell: Tell) -> None:
        """Tell what the LMS would make of a column that is called so, if that is not what is meant."""

    def points_over(self, student: Student, maximum: float) -> None:
        """Called where somebody has more points than the LMS counts; most take them as they are."""

    def given(self, grades: ClassGrades) -> list[tuple[Student, float]]:
        """Who gets how many points in a file made without a template."""
        given = [(student, student.points) for student in grades.graded]
        return given + [(student, 0.0) for student in grades.missing if self.missing_as_zero]

    def heading(self, grades: ClassGrades) -> str:
        """What the column is called in a file made without a template."""
        return self.column or title(grades.lesson)

    def common_key(self, grades: ClassGrades, *kinds: str) -> str:
        """The first of these kinds by which everybody who gets points can be identified. CourseError if
        there is none."""
        given = [student for student, _ in self.given(grades)]
        for kind in kinds:
            keys = [key_of(student, kind) for student in given]
            if all(keys):
                return kind
        raise unknown_there(self.lms, next(student for student in given if not key_of(student, kinds[-1])))

    def _place(self, name: str) -> Path:
        place = Path(self.to or f"{name}-{self.lms}.csv").absolute()
        if place.is_dir() or not place.parent.is_dir():
            raise CourseError(
                f"{place} cannot be written: give the name of a file in a folder that is there."
            )
        if self.template and place.resolve() == Path(self.template).resolve():
            raise CourseError(f"{place} is the template itself: give another name, so that it is kept.")
        return place

    def _compare_points(self, filling: Filling, tell: Tell) -> None:
        maximum, ours = filling.arrangement.maximum.get(filling.column), filling.grades.max_points
        if maximum is None:
            return
        if maximum != ours:
            tell(
                f"`{filling.heading}` counts to {maximum:g} points there, the lesson to {ours:g}: set it to "
                f"{ours:g} there"
            )
        for student in filling.grades.graded:
            if rounded(student.points) > maximum:
                self.points_over(student, maximum)


def key_of(student: Student, kind: str) -> str:
    """What identifies a student in a file made without a template: of this kind, or `login`, the id here, if
    nothing else is known."""
    known = getattr(student.person, kind)
    someone = any((student.person.lms_id, student.person.login, student.person.number))
    key = known or (student.id if kind == "login" and not someone else "")
    if is_formula(key):
        raise CourseError(
            f"a spreadsheet would take the id {printable(key)!r} for a formula: give the LMS's own table to "
            "--template."
        )
    return key


def unknown_there(lms: str, student: Student) -> CourseError:
    """What to do about a student of whom the LMS's own ids are not known."""
    return CourseError(
        f"nothing tells how {lms} knows {printable(student.id)}: give its own table to --template, or "
        "collect the hand-ins from its own archive with that table as --roster."
    )
