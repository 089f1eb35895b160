"""Which row of a table is a student's: by what the LMS identifies people with, never by a name."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from autograder.grading.errors import CourseError
from autograder.grading.exporting.grades import Student
from autograder.grading.reader import printable
from autograder.grading.sheet import Sheet

KINDS = ("lms_id", "number", "login", "email")  # the surest first


@dataclass(frozen=True)
class Arrangement:
    """What stands where in a table: `keys` are the columns that identify a student, by kind, `titles` the
    columns that can take points, with the title that the LMS's users know, `rows` those of students, `names`
    the columns of their names, `maximum` the most points by column, `grade` the column for the points where
    the table is about one assignment only, `comments` that for words."""

    keys: dict[str, list[int]]
    titles: dict[int, str]
    rows: list[int]
    names: list[int]
    maximum: dict[int, float] = field(default_factory=dict)
    grade: int | None = None
    comments: int | None = None


class Pairs:
    """The rows of a table by student; `plain` strips an id of what the LMS puts around it."""

    def __init__(self, sheet: Sheet, arrangement: Arrangement, source: str, plain: Callable[[str], str]):
        self._sheet, self._arrangement, self._source, self._plain = sheet, arrangement, source, plain
        self._rows: dict[str, dict[str, set[int]]] = {kind: defaultdict(set) for kind in KINDS}
        for kind, columns in arrangement.keys.items():
            for row in arrangement.rows:
                for key in filter(None, (self._key(sheet.value(row, column)) for column in columns)):
                    self._rows[kind][key].add(row)

    def of(self, students: Iterable[Student]) -> dict[str, int]:
        """The row of each student who has one. CourseError where two have the same, or one has two."""
        rows: dict[str, int] = {}
        taken: dict[int, str] = {}
        for student in students:
            row = self._row(student)
            if row is None:
                continue
            if row in taken:
                both = f"{printable(taken[row])} and {printable(student.id)}"
                raise CourseError(
                    f"{both} are both row {row + 1} of {self._source}: leave one of them out with --skip."
                )
            rows[student.id] = row
            taken[row] = student.id
        return rows

    def found(self, student: Student) -> set[int]:
        """Every row that may be a student's."""
        for kind in KINDS:
            rows = self._rows[kind].get(self._key(getattr(student.person, kind)))
            if rows:
                return rows
        # Only without anything better: an id of ours may be any of these there.
        keys = [key for other in student.others if (key := self._key(other))]
        return {row for key in keys for kind in KINDS for row in self._rows[kind].get(key, ())}

    def _row(self, student: Student) -> int | None:
        found = self.found(student)
        if len(found) > 1:
            rows = " and ".join(str(row + 1) for row in sorted(found))
            raise CourseError(
                f"{printable(student.id)} fits rows {rows} of {self._source}: collect the hand-ins from the "
                "LMS's own archive, which tells who is who, or leave the student out with --skip."
            )
        row = next(iter(found), None)
        if row is not None:
            self._refuse_stranger(student, row)
        return row

    def _refuse_stranger(self, student: Student, row: int) -> None:
        """A row found by less than the LMS's own id must not have another one: then it is another person's,
        or, where the LMS numbers people anew in each assignment, another assignment's."""
        columns = self._arrangement.keys.get("lms_id", ())
        ids = [self._key(self._sheet.value(row, column)) for column in columns]
        ours = self._key(student.person.lms_id)
        if ours and any(ids) and ours not in ids:
            raise CourseError(
                f"{printable(student.id)} was {printable(ours)} when the hand-ins were collected and is "
                f"{printable(ids[0])} in row {row + 1} of {self._source}: give a file of the same assignment."
            )

    def _key(self, text: str) -> str:
        """What is compared; nothing, which nobody is found by, for an empty cell."""
        return self._plain(text).strip().casefold()
