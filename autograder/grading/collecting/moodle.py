"""Moodle: a folder `<Full name>_<participant>_assignsubmission_file` for each student, with or without an
underscore at its end, or all files in one folder with that in front of their names."""

import re

from autograder.grading.collecting.archive import Archive, Member
from autograder.grading.collecting.entries import Entry, Layout, Owner, Site

# Of a team's folder, and of some sites' own naming, the number is missing.
FOLDER = re.compile(r"(?P<name>.*?)(?:_(?P<number>\d+))?_assignsubmission_(?P<kind>[a-z]+)_?")
FLAT = re.compile(
    r"(?P<name>.*?)(?:_(?P<number>\d+))?_assignsubmission_(?P<kind>[a-z]+)_(?P<file>[^/]+)", re.DOTALL
)


def entries(archive: Archive, _: Site) -> list[Entry]:
    found = (_entry(member) for member in archive.files)
    return [entry for entry in found if entry is not None]


def _entry(member: Member) -> Entry | None:
    for depth, part in enumerate(member.parts):
        is_file = depth == len(member.parts) - 1
        match = (FLAT if is_file else FOLDER).fullmatch(part)
        if match:
            file = match["file"] if is_file else "/".join(member.parts[depth + 1 :])
            number = match["number"] or ""
            return Entry(member, Owner(number, match["name"].strip("_")), file)
    return None


MOODLE = Layout("moodle", entries, by_name=True)
