"""The teacher's list of extensions, `extensions.csv` at the course's root: who may hand in later, and until
when.

    student,lesson,until
    ada,mixing,2026-12-08 18:00 Europe/Berlin
    bela,mixing,+3

`until` is a date and time with its zone, or a number of days (of 24 hours) after the due date.
"""

import csv
import io
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path

from autograder.grading.course import Course
from autograder.grading.errors import CourseError
from autograder.grading.moments import moment, names_zone

FILE = "extensions.csv"
COLUMNS = ["student", "lesson", "until"]
DAYS = re.compile(r"\+(\d{1,3}(?:\.\d+)?)(?: ?days?)?")
MOMENT = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d?:\d\d.*")

Until = datetime | timedelta  # in UTC without a zone, or after the due date


def read_extensions(course: Course) -> dict[tuple[str, str], Until] | None:
    """What is granted, by student and lesson; None without the file. CourseError, with the number of the
    line, for the first one that is not as it should be."""
    try:
        return _read(course.root, (course.root / FILE).read_bytes())
    except FileNotFoundError:
        return None


def extension(until: Until | None, due: datetime) -> timedelta | None:
    """By how much a due date moves; the later one of the two counts, so that nobody loses time."""
    extra = until - due if isinstance(until, datetime) else until
    return extra if extra and extra > timedelta(0) else None


@lru_cache(maxsize=1)  # nbgrader's preprocessor asks again for every student
def _read(root: Path, data: bytes) -> dict[tuple[str, str], Until]:
    course, granted = Course(root), {}
    for number, row in _rows(data):
        try:
            key, until = _line(course, row)
        except (CourseError, ValueError) as error:
            raise _error(number, str(error)) from error
        if key in granted:
            raise _error(number, f"{key[0]} has an extension of {key[1]} already: leave one of the lines.")
        granted[key] = until
    return granted


def _rows(data: bytes) -> Iterator[tuple[int, list[str]]]:
    """The lines under the heading, numbered; spreadsheets separate by semicolons, too."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CourseError(f"{FILE} is not UTF-8: save it as CSV in UTF-8.") from error
    separator = ";" if ";" in text.partition("\n")[0] else ","
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        heading = [name.strip().lower() for name in next(lines, [])]
        if heading != COLUMNS:
            raise _error(1, f"the heading is missing: write {','.join(COLUMNS)}.")
        for row in lines:
            if any(field.strip() for field in row):
                yield lines.line_num, [field.strip() for field in row]
    except csv.Error as error:
        raise _error(lines.line_num, f"{error}: write {','.join(COLUMNS)}.") from error


def _line(course: Course, row: list[str]) -> tuple[tuple[str, str], Until]:
    if len(row) != len(COLUMNS) or not all(row):
        raise ValueError(f"it has not the three fields {','.join(COLUMNS)}: write them all.")
    student, lesson, until = row
    return (student, course.lesson(lesson).name), _until(until)


def _until(text: str) -> Until:
    if match := DAYS.fullmatch(text):
        return timedelta(days=float(match[1]))
    try:
        when = moment(text) if MOMENT.fullmatch(text) else None
    except ValueError as error:
        raise ValueError(f"{text!r}: {error}: write it as 2026-12-08 18:00 Europe/Berlin.") from error
    if when is None:
        raise ValueError(f"{text!r} is no date with a time, and no +days: write 2026-12-08 18:00 UTC or +3.")
    if not names_zone(text):
        raise ValueError(f"{text!r} has no time zone: write it as {text} Europe/Berlin, or with +01:00.")
    return when


def _error(number: int, what: str) -> CourseError:
    return CourseError(f"{FILE}, line {number}: {what}")
