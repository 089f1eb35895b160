"""Who takes the course, from a CSV file: an LMS's own export, told by its column titles, or a list
`student,lms_id[,name,email]` of the teacher's."""

import re
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

import msgspec

from autograder.grading import headings, participants
from autograder.grading.errors import CourseError
from autograder.grading.people import Person
from autograder.grading.reader import printable
from autograder.grading.sheet import read_sheet

CANVAS = {"id": "lms_id", "sisloginid": "login", "sisuserid": "number"}
SOUND = re.compile(r"\w[\w.@-]{0,99}")  # an id that nbgrader and file systems take


class Row(NamedTuple):
    """One student: who it is, by which id here, and what the LMS says about the time of the hand-in."""

    line: int
    student: str
    person: Person
    handed_in: str = ""


class Roster:
    """Everybody of the file."""

    def __init__(self, path: Path, rows: list[Row]):
        self.path, self.rows = path, rows
        self.logins = frozenset(key for row in rows for key in keys(row.person))


def keys(person: Person) -> list[str]:
    """The stable ids of a person that are no number of the LMS's own, in one form."""
    return [key.casefold() for key in (person.login, person.number, person.email) if key]


def read_roster(path: Path, lms: str) -> Roster:
    """Read a roster. CourseError if it cannot be read, tells nobody apart, or names somebody twice."""
    (_, heading), *body = _lines(path)
    columns = _columns(heading, [row for _, row in body], lms)
    if not columns.keys() & {"student", "lms_id", "login", "number", "email"}:
        titles = ", ".join(printable(title) for title in heading[:8])
        raise CourseError(
            f"{path} has no column that tells who is who ({titles}): export the gradebook, "
            "or write student,lms_id,name,email."
        )
    rows = [row for line, fields in body if (row := _row(line, fields, columns, lms))]
    _refuse_duplicates(path, rows)
    return Roster(path, rows)


def _lines(path: Path) -> list[tuple[int, list[str]]]:
    """The rows in which something stands, with their numbers; a list of the teacher's need not be even."""
    sheet = read_sheet(path, even=False)
    rows = ((number, sheet.row(number - 1)) for number in range(1, sheet.height + 1))
    return [(number, row) for number, row in rows if any(cell.strip() for cell in row)]


def _columns(heading: list[str], body: list[list[str]], lms: str) -> dict[str, int]:
    """Which column holds what; of several with the same meaning the first one."""
    titles = [headings.plain(title) for title in heading]
    columns: dict[str, int] = {}
    for place, title in enumerate(titles):
        field = "student" if title == "student" and "lmsid" in titles else headings.field(title)
        field = "name" if field is None and title == "student" else field
        field = CANVAS.get(title, field) if lms == "canvas" else field
        if field and field not in columns:
            columns[field] = place
    if lms == "moodle":
        _add_moodle(columns, heading, body)
    return columns


def _add_moodle(columns: dict[str, int], heading: list[str], body: list[list[str]]) -> None:
    """Moodle's grading worksheet, whose titles are in the site's language: participants look like
    "Participant 123", and of two columns "Last modified (...)" the first is the submission's."""
    if "lms_id" not in columns and 0 not in columns.values():
        if participants.are_participants([row[0] for row in body if row]):
            columns["lms_id"] = 0
    stems = [title.partition("(")[0] if "(" in title else "" for title in heading]
    twice = [place for place, stem in enumerate(stems) if stem and stem in stems[place + 1 :]]
    if twice:
        columns["handed_in"] = twice[0]


def _row(line: int, fields: list[str], columns: dict[str, int], lms: str) -> Row | None:
    said = {field: _cell(fields, place) for field, place in columns.items()}
    if lms == "canvas" and said.get("lms_id") == "":
        return None  # the row of the points to be had
    if lms == "moodle":
        said["lms_id"] = participants.number(said.get("lms_id", "")) or said.get("lms_id", "")
    if lms in ("blackboard", "exchange"):
        said["lms_id"] = said.get("lms_id") or said.get("login", "")
    for field in ("login", "number"):  # Brightspace keeps spreadsheets off with a "#"
        said[field] = said.get(field, "").removeprefix("#")
    last, first = said.get("last", ""), said.get("first", "")
    name = said.get("name") or " ".join(part for part in (first, last) if part)
    named = {field: said.get(field, "") for field in ("lms_id", "login", "email", "number")}
    person = Person(name=name, first=first, last=last, **named)
    student = said.get("student") or _id(person)
    return Row(line, student, person, said.get("handed_in", "")) if student else None


def _id(person: Person) -> str:
    """What becomes the id of a student here: the best that can be one."""
    known = [key for key in (person.login, person.number, person.email, person.lms_id) if key]
    return next((key for key in known if SOUND.fullmatch(key)), known[0] if known else "")


def _cell(fields: list[str], place: int) -> str:
    return normalize("NFC", fields[place].strip()) if place < len(fields) else ""


def _refuse_duplicates(path: Path, rows: list[Row]) -> None:
    for what in ("student", "lms_id"):
        seen: dict[str, int] = {}
        for row in rows:
            key = row.student if what == "student" else row.person.lms_id
            if key and key in seen:
                raise CourseError(
                    f"{path}, lines {seen[key]} and {row.line}: {printable(key)!r} stands for two students: "
                    "leave one of the lines."
                )
            seen[key] = row.line


def with_parts(person: Person) -> Person:
    """A person whose first and last name are told apart: "Lovelace, Ada" and "Ada Lovelace" are one."""
    if person.first or person.last or not person.name:
        return person
    last, comma, first = person.name.partition(",")
    if not comma:
        first, _, last = person.name.rpartition(" ")
    return msgspec.structs.replace(person, first=first.strip(), last=last.strip())
