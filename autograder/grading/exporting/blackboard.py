"""Blackboard: the table of the grade center, CSV or tab-separated text that is called .xls."""

import csv
import re

from autograder.grading.errors import CourseError
from autograder.grading import headings
from autograder.grading.exporting.amounts import amount, shown
from autograder.grading.exporting.exporter import LmsExporter, key_of
from autograder.grading.exporting.grades import ClassGrades
from autograder.grading.exporting.notes import Tell
from autograder.grading.exporting.pairing import Arrangement
from autograder.grading.formulas import defused
from autograder.grading.sheet import Sheet, table_bytes

# "Tides [Total Pts: 6 Score] |123", where the words in the brackets are in the site's language.
COLUMN = re.compile(r"(?P<title>.*?) \[[^\]]*?(?P<points>\d+(?:[.,]\d+)?)[^\]]*\](?: *\|(?P<id>\S+))?")


class BlackboardExporter(LmsExporter):
    """Blackboard's grade center. People are found by their user name."""

    lms = "blackboard"

    def arrangement(self, sheet: Sheet, source: str) -> Arrangement:
        header = sheet.header
        found = {place: match for place, name in enumerate(header) if (match := COLUMN.fullmatch(name))}
        third = [2] if found and min(found) > 2 else []  # after the names, in any language
        user = headings.called(header, "login") or third
        if not found or not user:
            raise CourseError(
                f"{source} is no table of Blackboard's (no user name, or no column like `Title [Total Pts: 6 "
                "Score] |1`): download it there anew, with user names."
            )
        return Arrangement(
            keys={"lms_id": user, "login": user, "number": headings.called(header, "number")},
            titles={place: match["title"] for place, match in found.items()},
            rows=sheet.filled,
            names=[place for place in (1, 0) if place < min(user)],
            maximum={place: float(amount(match["points"])) for place, match in found.items()},
        )

    def check_heading(self, heading: str, tell: Tell) -> None:
        found = COLUMN.fullmatch(heading)
        if not found or not found["id"]:
            tell(
                f"`{heading}` has no number after a |, so that Blackboard would make a new column: download "
                "the grade center there and give it to --template."
            )

    def minimum(self, grades: ClassGrades, tell: Tell) -> bytes:
        heading = self.column or f"{self.heading(grades)} [Total Pts: {grades.max_points:g}]"
        self.check_heading(heading, tell)
        kind = self.common_key(grades, "lms_id", "login")
        rows = [["Username", defused(heading)]]
        rows += [[key_of(student, kind), shown(points)] for student, points in self.given(grades)]
        return table_bytes(rows, csv.QUOTE_ALL)
