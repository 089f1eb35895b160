"""Points into the table that an LMS wrote: one column changes, and of it only what is ours to change."""

from collections.abc import Callable
from dataclasses import dataclass

from autograder.grading.errors import CourseError
from autograder.grading.exporting.amounts import amount, rounded, shown, uses_comma
from autograder.grading.exporting.grades import ClassGrades, Student
from autograder.grading.exporting.notes import tell_names, tell_unfinished
from autograder.grading.exporting.pairing import Arrangement, Pairs
from autograder.grading.reader import printable
from autograder.grading.sheet import Sheet

EXCUSED = {"ex", "excused", "exempt", "n/a"}  # no points are due: such a cell stays, whatever we have
EMPTY = {"", "-"}


@dataclass(frozen=True)
class Filling:
    """The class, the table (`source` is its name), and the column for the points."""

    grades: ClassGrades
    sheet: Sheet
    arrangement: Arrangement
    pairs: Pairs
    column: int
    source: str
    tell: Callable[[str], None]

    @property
    def heading(self) -> str:
        return self.sheet.header[self.column]

    def fill(self, missing_as_zero: bool) -> None:
        """Write the points of everybody who has some, and 0 for those who handed in nothing if that is asked
        for. CourseError, before anything changes, if somebody with points is not in the table."""
        rows, comma = self.rows(), self._comma()
        excused = [student for student in rows if self._says(rows[student]) in EXCUSED]
        equal = 0
        for student in self.grades.graded:
            if student.id not in excused:
                equal += not self._put(rows[student.id], student, comma)
        same = f", {equal} of them as they were" if equal else ""
        self.tell(f"points of {len(rows) - len(excused)} students in `{self.heading}`{same}")
        tell_names(self.tell, "excused there, left so", excused)
        tell_unfinished(self.tell, self.grades)
        self._settle_absent(self._absent(rows), comma, missing_as_zero)

    def rows(self) -> dict[str, int]:
        """The row of each student who has points. CourseError where somebody has none."""
        graded = self.grades.graded
        rows = self.pairs.of(graded)
        strangers = [student for student in graded if student.id not in rows]
        if len(strangers) == len(graded):
            raise CourseError(
                f"none of the {len(graded)} students with points ({printable(graded[0].id)}, ...) is in "
                f"{self.source}: give a file of the same course and assignment, or collect the hand-ins with "
                "that as --roster, which tells who is who."
            )
        for student in strangers:
            points = shown(student.points)
            self.tell(f"{printable(student.id)} has {points} points and is not in {self.source}")
        if strangers:
            ids = " ".join(printable(student.id) for student in strangers)
            raise CourseError(
                f"{len(strangers)} of {len(graded)} students with points are not in {self.source}, so that "
                f"nothing is written: download it anew, or leave them out with --skip {ids}"
            )
        return rows

    def _comma(self) -> bool:
        """Whether the table has decimal commas: told by the column, else by all that identify nobody, else by
        the delimiter, which is a semicolon where numbers have commas."""
        keys = {column for columns in self.arrangement.keys.values() for column in columns}
        others = [column for column in range(len(self.sheet.header)) if column not in keys]
        for columns in ([self.column], others):
            cells = (self.sheet.value(row, column) for row in self.sheet.filled for column in columns)
            if (found := uses_comma(cells)) is not None:
                return found
        return self.sheet.delimiter == ";"

    def _says(self, row: int) -> str:
        return self.sheet.value(row, self.column).strip().casefold()

    def _put(self, row: int, student: Student, comma: bool) -> bool:
        """Write what a student has, where the table does not say the same; whether the points changed."""
        if self.arrangement.comments is not None:
            before = self.sheet.value(row, self.arrangement.comments).strip()
            if not before or before.startswith(f"{self.grades.lesson.name}: "):  # no words of anybody else
                self.sheet.put(row, self.arrangement.comments, student.comment)
        if amount(self._says(row)) == rounded(student.points):
            return False
        self.sheet.put(row, self.column, shown(student.points, comma))
        return True

    def _absent(self, rows: dict[str, int]) -> list[int]:
        """The rows of those who handed in nothing; of the chosen ones, if some were chosen."""
        missing = {student.id for student in self.grades.missing}
        here = [student for student in self.grades.students if student.id not in missing]
        known = {row for student in here for row in self.pairs.found(student)} | set(rows.values())
        wanted = self._of_missing() if self.grades.chosen else self.arrangement.rows
        return [row for row in self.arrangement.rows if row in wanted and row not in known]

    def _settle_absent(self, absent: list[int], comma: bool, missing_as_zero: bool) -> None:
        absent = [row for row in absent if self._says(row) not in EXCUSED]
        certain = self._certain(absent) if missing_as_zero else []
        empty = [row for row in certain if self._says(row) in EMPTY]
        for row in empty:
            self.sheet.put(row, self.column, shown(0, comma))
        tell_names(self.tell, "handed in nothing, 0 points written", map(self._name, empty))
        left = [row for row in absent if row not in empty]
        tell_names(self.tell, "handed in nothing, no points written", map(self._name, left))

    def _certain(self, absent: list[int]) -> list[int]:
        """The rows of those who surely handed in nothing: one of nobody who is known here may be the row of
        whoever handed in and is found in none."""
        lost = [s.id for s in self.grades.students if s.handed_in and not self.pairs.found(s)]
        if not lost:
            return absent
        what = f"handed in and not in {self.source}, so that no row that is unknown here gets 0 points"
        tell_names(self.tell, what, lost)
        return [row for row in absent if row in self._of_missing()]

    def _of_missing(self) -> set[int]:
        return {row for student in self.grades.missing for row in self.pairs.found(student)}

    def _name(self, row: int) -> str:
        name = " ".join(self.sheet.value(row, column) for column in self.arrangement.names).strip()
        return f"{name} (row {row + 1})"
