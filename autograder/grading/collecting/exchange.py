"""nbgrader's own exchange: a folder `<student>+<assignment>+<time>[+<random>]` for each attempt."""

import re
from datetime import datetime

from autograder.grading.collecting.archive import Archive, Member
from autograder.grading.collecting.entries import Entry, Layout, Owner, Site
from autograder.grading.moments import moment

# Where colons cannot stand in a file's name, they were replaced.
TIME = re.compile(r"(?P<day>\d{4}-\d\d-\d\d) (?P<clock>\d\d[:_.-]\d\d[:_.-]\d\d)(?P<rest>(?:\.\d+)?(?: .+)?)")
RECORDS = {"timestamp.txt", "submission_secret.txt"}


def entries(archive: Archive, site: Site) -> list[Entry]:
    found = (_entry(member, site.lesson) for member in archive.files)
    return [entry for entry in found if entry is not None]


def _entry(member: Member, lesson: str) -> Entry | None:
    for depth, part in enumerate(member.parts[:-1]):
        pieces = part.rsplit("+", 3)
        if not TIME.fullmatch(pieces[-1]):
            pieces = pieces[:-1]  # the random text at the end
        elif len(pieces) == 4:
            pieces = part.rsplit("+", 2)
        when = _moment(pieces[-1]) if len(pieces) == 3 else None
        if when is not None and pieces[1] == lesson:
            file = "/".join(member.parts[depth + 1 :])
            owner = Owner(pieces[0], login=pieces[0])
            return Entry(member, owner, file, part, when, record=file in RECORDS)
    return None


def _moment(text: str) -> datetime | None:
    match = TIME.fullmatch(text)
    if match is None:
        return None
    clock = re.sub("[_.-]", ":", match["clock"])
    try:
        return moment(f"{match['day']} {clock}{match['rest']}")
    except ValueError:
        return None


EXCHANGE = Layout("exchange", entries, dated=True, is_lms=False)
