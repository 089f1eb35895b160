"""Canvas: the gradebook's CSV export, which its import reads again."""

import re

from autograder.grading.errors import CourseError
from autograder.grading.exporting.amounts import amount, shown
from autograder.grading.exporting.exporter import LmsExporter, key_of, unknown_there
from autograder.grading.exporting.grades import ClassGrades
from autograder.grading.exporting.notes import Tell
from autograder.grading.exporting.pairing import Arrangement
from autograder.grading.formulas import defused
from autograder.grading.sheet import Sheet, table_bytes

STUDENT = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
WITH_ID = re.compile(r"(?P<title>.*\S) *\((?P<id>\d+)\)")
# What Canvas itself computes; its import passes over these.
COMPUTED = re.compile(r"(Current|Final) (Score|Points|Grade)|Override (Score|Grade|Status)")
POSTING = re.compile(r"\s*(Muted|Manual Posting.*)?\s*", re.IGNORECASE)
POINTS = "    Points Possible"


class CanvasExporter(LmsExporter):
    """Canvas's gradebook. People are found by `ID`, Canvas's own, or by what the SIS gave them."""

    lms = "canvas"

    def arrangement(self, sheet: Sheet, source: str) -> Arrangement:
        columns = {name: place for place, name in enumerate(sheet.header)}
        first = sheet.header[0]
        if "ID" not in columns or "Section" not in columns or first not in ("Student", "LastName"):
            raise CourseError(
                f"{source} is no gradebook of Canvas (no Student, ID and Section): export it there anew."
            )
        rows = [row for row in sheet.filled if _is_student(sheet.row(row))]
        points = next((row for row in sheet.filled if _is_points(sheet.row(row))), None)
        possible = sheet.row(points) if points else [""] * len(sheet.header)
        titles = {
            place: _title(name)
            for name, place in columns.items()
            if place > columns["Section"] and not COMPUTED.search(name) and "read only" not in possible[place]
        }
        places = {name: [place] for name, place in columns.items()}
        login = places.get("SIS Login ID", [])
        return Arrangement(
            keys={
                "lms_id": places["ID"],
                "number": places.get("SIS User ID", []),
                "login": login,
                "email": login,
            },
            titles=titles,
            rows=rows,
            names=[0] if first == "Student" else [1, 0],
            maximum={place: float(most) for place in titles if (most := amount(possible[place])) is not None},
        )

    def check_heading(self, heading: str, tell: Tell) -> None:
        if not WITH_ID.fullmatch(heading):
            tell(
                f"`{heading}` has no number in brackets, so that Canvas would make a new assignment: export "
                "the gradebook there and give it to --template."
            )

    def minimum(self, grades: ClassGrades, tell: Tell) -> bytes:
        heading = self.heading(grades)
        self.check_heading(heading, tell)
        rows = [[*STUDENT, defused(heading)], [POINTS, *[""] * 4, shown(grades.max_points)]]
        for student, points in self.given(grades):
            number, login = key_of(student, "number"), key_of(student, "login")
            own = student.person.lms_id if student.person.lms_id.isdigit() else ""
            if not (own or number or login):
                raise unknown_there("canvas", student)
            rows.append([defused(student.person.name), own, number, login, "", shown(points)])
        return table_bytes(rows)


def _is_student(row: list[str]) -> bool:
    """Neither about the assignments nor Canvas's own test student."""
    posting = all(POSTING.fullmatch(cell) for cell in row)
    return not posting and not _is_points(row) and row[0] != "Student, Test"


def _is_points(row: list[str]) -> bool:
    return "Points Possible" in row[0]


def _title(header: str) -> str:
    found = WITH_ID.fullmatch(header)
    return found["title"] if found else header
