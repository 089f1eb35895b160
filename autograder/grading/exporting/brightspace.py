"""Brightspace: the CSV export of the grade book."""

import re

from autograder.grading.errors import CourseError
from autograder.grading.exporting.amounts import amount, shown
from autograder.grading.exporting.exporter import LmsExporter, key_of
from autograder.grading.exporting.grades import ClassGrades
from autograder.grading.exporting.notes import Tell
from autograder.grading.exporting.pairing import Arrangement
from autograder.grading.formulas import defused
from autograder.grading.sheet import Sheet, table_bytes

NUMBER, USERNAME, END = "OrgDefinedId", "Username", "End-of-Line Indicator"
POINTS = " Points Grade"
COLUMN = re.compile(rf"(?P<title>.*){POINTS}(?P<more> <.*>)?")
MAXIMUM = re.compile(r"MaxPoints:(\d+(?:[.,]\d+)?)")
HEADINGS = {"number": NUMBER, "login": USERNAME}


class BrightspaceExporter(LmsExporter):
    """Brightspace's grade book. People are found by `OrgDefinedId` or `Username`, before which it writes a #
    that keeps spreadsheets from changing them."""

    lms = "brightspace"

    def arrangement(self, sheet: Sheet, source: str) -> Arrangement:
        header = sheet.header
        keys = {
            kind: [place for place, name in enumerate(header) if name.strip() == heading]
            for kind, heading in {**HEADINGS, "email": "Email"}.items()
        }
        found = {place: match for place, name in enumerate(header) if (match := COLUMN.fullmatch(name))}
        if header[-1].strip() != END or not (keys["number"] or keys["login"]):
            raise CourseError(
                f"{source} is no grade book of Brightspace (no {NUMBER} or {USERNAME}, or no {END} at the "
                "end): export it there anew."
            )
        names = [place for place, name in enumerate(header) if name.strip() in ("First Name", "Last Name")]
        most = {place: MAXIMUM.search(match["more"] or "") for place, match in found.items()}
        return Arrangement(
            keys=keys,
            titles={place: match["title"] for place, match in found.items()},
            rows=sheet.filled,
            names=names or [*keys["login"], *keys["number"]][:1],
            maximum={place: float(amount(match[1])) for place, match in most.items() if match},
        )

    def plain(self, text: str) -> str:
        return text.strip().removeprefix("#")

    def minimum(self, grades: ClassGrades, tell: Tell) -> bytes:
        kind = self.common_key(grades, *HEADINGS)
        heading = self.heading(grades)
        heading = heading if COLUMN.fullmatch(heading) else heading + POINTS
        rows = [[HEADINGS[kind], defused(heading), END]]
        rows += [
            [f"#{self.plain(key_of(student, kind))}", shown(points), "#"]
            for student, points in self.given(grades)
        ]
        return table_bytes(rows)
