"""Moodle: the grading worksheet of an assignment, the gradebook's CSV import, and files with feedback.

What is written follows the code that reads it: mod/assign/feedback/offline (the worksheet),
mod/assign/feedback/file (the archive) and grade/import/csv (the gradebook).
"""

import re
from pathlib import Path

from autograder.grading.course import Course
from autograder.grading.errors import CourseError
from autograder.grading import headings, participants
from autograder.grading.exporting.amounts import amount, shown
from autograder.grading.exporting.exporter import LmsExporter, key_of
from autograder.grading.exporting.feedbackzip import feedback_zip
from autograder.grading.exporting.grades import ClassGrades, Student
from autograder.grading.exporting.notes import Tell
from autograder.grading.exporting.pairing import Arrangement
from autograder.grading.formulas import defused
from autograder.grading.reader import printable
from autograder.grading.sheet import Sheet, table_bytes

IDENTIFIER, GRADE, MODIFIED = "Identifier", "Grade", "Last modified (grade)"
MAXIMUM, SCALE = "Maximum Grade", "Scale"
MAIL = re.compile(r"\S+@\S+")
HEADINGS = {"email": "Email address", "login": "Username", "number": "ID number"}
DECORATION = re.compile(r"(?:[^:]+: )?(?P<title>.*?)(?: \((?P<kind>[^()]*)\))?")


class MoodleExporter(LmsExporter):
    """Moodle, by what the template is: the worksheet of an assignment or an export of the gradebook. Where
    the file to write ends in .zip it holds feedback for the assignment."""

    lms = "moodle"

    def made(self, grades: ClassGrades, course: Course, tell: Tell) -> bytes:
        if Path(self.to).suffix.casefold() != ".zip":
            return super().made(grades, course, tell)
        return feedback_zip(course, grades, self._folders(grades, course, tell), tell)

    def arrangement(self, sheet: Sheet, source: str) -> Arrangement:
        if SCALE in sheet.header:
            raise CourseError(
                f"{source} is of an assignment that is graded on a scale: choose points there, and download "
                "it anew."
            )
        return _worksheet(sheet) or _gradebook(sheet, source)

    def plain(self, text: str) -> str:
        found = participants.PARTICIPANT.fullmatch(text.strip())
        return found["number"] if found and found["word"].endswith(" ") else text

    def points_over(self, student: Student, maximum: float) -> None:
        raise CourseError(
            f"{printable(student.id)} has {shown(student.points)} points of {maximum:g}, which Moodle would "
            "pass over without a word: raise the maximum grade there, and download the worksheet anew."
        )

    def minimum(self, grades: ClassGrades, tell: Tell) -> bytes:
        if all(student.person.lms_id for student, _ in self.given(grades)):
            return self._minimal_worksheet(grades, tell)
        kind = self.common_key(grades, *HEADINGS)
        tell(f"for the gradebook's CSV import: map `{HEADINGS[kind]}` to the same, the other to its item")
        rows = [[HEADINGS[kind], defused(self.heading(grades))]]
        rows += [[key_of(student, kind), shown(points)] for student, points in self.given(grades)]
        return table_bytes(rows)

    def _minimal_worksheet(self, grades: ClassGrades, tell: Tell) -> bytes:
        """Moodle takes a date of `-` for older than every grade it has."""
        tell(
            "a worksheet for a Moodle in English; where it has grades already, let it update records that "
            "were modified more recently than the spreadsheet, or give its own worksheet to --template"
        )
        rows = [[IDENTIFIER, "Full name", GRADE, MODIFIED, "Feedback comments"]]
        for student, points in self.given(grades):
            who, name = f"Participant {student.person.lms_id}", student.person.name.replace("\\", "")
            rows.append([who, defused(name), shown(points), "-", student.comment])
        return table_bytes(rows)

    def _folders(self, grades: ClassGrades, course: Course, tell: Tell) -> dict[str, str]:
        """The folder of each student who has points, as Moodle names them: full name and participant."""
        if not self.template:
            self.common_key(grades, "lms_id")
            people = {student.id: student.person for student in grades.graded}
            return {name: _folder(person.name, person.lms_id) for name, person in people.items()}
        filling = self.filling(grades, course, tell)
        if "lms_id" not in filling.arrangement.keys:
            raise CourseError(
                f"{filling.source} names no participants: give the assignment's grading worksheet to "
                "--template."
            )
        sheet, rows = filling.sheet, filling.rows()
        number, name = filling.arrangement.keys["lms_id"][0], filling.arrangement.names[0]
        return {
            student: _folder(sheet.value(row, name), self.plain(sheet.value(row, number)))
            for student, row in rows.items()
        }


def _folder(name: str, number: str) -> str:
    """Moodle takes what follows the first underscore for the participant, so a name must have none; before
    4.1 it wants one at the end."""
    plain = re.sub(r"[\x00-\x1f\x7f\\/:*?\"<>|&'`_]+", " ", name)[:80].strip(" .~")
    return f"{plain or 'Participant'}_{number}_assignfeedback_file_"


def _worksheet(sheet: Sheet) -> Arrangement | None:
    """The arrangement of a grading worksheet; None for any other table. In another language than English it
    shows by its numbered participants and by a column with one number, the maximum, beside that of the
    grades."""
    header, rows = sheet.header, sheet.filled
    if {IDENTIFIER, GRADE, MODIFIED} <= set(header):
        identifier, grade = header.index(IDENTIFIER), header.index(GRADE)
        most = header.index(MAXIMUM) if MAXIMUM in header else None
    elif _is_numbered(sheet, rows) and not any(re.search(r":.*\(.*\)\s*$", name) for name in header):
        identifier, most = 0, _maximum(sheet, rows)
        if most is None:
            return None
        grade = most - 1
    else:
        return None
    points = amount(sheet.value(rows[0], most)) if rows and most is not None else None
    return Arrangement(
        keys={"lms_id": [identifier], **_people(sheet, rows)},
        titles={grade: header[grade]},
        rows=rows,
        names=[1] if grade > 2 else [identifier],  # nobody has a name where marking is blind
        maximum={grade: float(points)} if points is not None else {},
        grade=grade,
        comments=next(iter(headings.called(header, "comments")), None),
    )


def _gradebook(sheet: Sheet, source: str) -> Arrangement:
    """The arrangement of an export of the gradebook."""
    header, rows = sheet.header, sheet.filled
    keys = _people(sheet, rows)
    if not keys:
        raise CourseError(
            f"{source} is neither a grading worksheet of Moodle nor an export of its gradebook (nothing in "
            "it identifies people): download it there anew."
        )
    identifying = {place for places in keys.values() for place in places}
    found = {place: DECORATION.fullmatch(name) for place, name in enumerate(header)}
    points = {place for place, match in found.items() if match["kind"] in headings.POINTS}
    titles = {place: match["title"] for place, match in found.items() if place in (points or found)}
    return Arrangement(
        keys=keys,
        titles={place: title for place, title in titles.items() if place not in identifying},
        rows=rows,
        names=[0, 1],
    )


def _is_numbered(sheet: Sheet, rows: list[int]) -> bool:
    return participants.are_participants(sheet.value(row, 0) for row in rows)


def _maximum(sheet: Sheet, rows: list[int]) -> int | None:
    """The first column with the same number for everybody, right of one with numbers or nothing."""
    for place in range(2, len(sheet.header)):
        most = {amount(sheet.value(row, place)) for row in rows}
        before = {sheet.value(row, place - 1).strip() for row in rows} - {""}
        if len(most) == 1 and None not in most | {amount(cell) for cell in before}:
            return place
    return None


def _people(sheet: Sheet, rows: list[int]) -> dict[str, list[int]]:
    """The columns that identify people, by kind; an e-mail address shows by what it is."""
    header = sheet.header
    cells = {place: {sheet.value(row, place) for row in rows} - {""} for place in range(len(header))}
    found = {
        "email": [place for place, said in cells.items() if said and all(map(MAIL.fullmatch, said))],
        "login": headings.called(header, "login"),
        "number": headings.called(header, "number"),
    }
    return {kind: columns for kind, columns in found.items() if columns}
