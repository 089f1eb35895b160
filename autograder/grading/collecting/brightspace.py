"""Brightspace: a folder `<user>-<number> - <Name> - <Mon D, YYYY HMM AM>` for each attempt, or all files in
one folder with that in front of their names; `index.html` is its own list. The first number is the user's,
the second one the assignment's or the attempt's. Some sites put a user name or a student number before the
name."""

import re
from typing import NamedTuple

from autograder.grading.collecting.archive import Archive, Member
from autograder.grading.collecting.dates import YEAR, read_dates
from autograder.grading.collecting.entries import Entry, Layout, Owner, Site
from autograder.grading.moments import moment

NUMBERS = re.compile(r"(?P<user>\d+)(?:-\d+)?")


class _Named(NamedTuple):
    member: Member
    numbers: str
    name: str
    date: str
    file: str


def entries(archive: Archive, site: Site) -> list[Entry]:
    named = [found for member in archive.files if (found := _named(member))]
    dates = read_dates(found.date for found in named)
    return [
        Entry(
            found.member,
            Owner(NUMBERS.fullmatch(found.numbers)["user"], found.name),
            found.file,
            f"{found.numbers} {found.date}",
            moment(f"{dates[found.date]} {site.zone}") if found.date in dates else None,
        )
        for found in named
    ]


def _named(member: Member) -> _Named | None:
    for depth, part in enumerate(member.parts):
        pieces = part.split(" - ")
        date = next((at for at, piece in enumerate(pieces) if at >= 2 and _is_date(piece)), None)
        if date is None or not NUMBERS.fullmatch(pieces[0].strip()):
            continue
        is_file = depth == len(member.parts) - 1
        file = " - ".join(pieces[date + 1 :]) if is_file else "/".join(member.parts[depth + 1 :])
        if file:
            when = re.sub(r" ?\(\d+\)$", "", pieces[date])  # as a browser names the second copy
            return _Named(member, pieces[0].strip(), " - ".join(pieces[1:date]).strip(), when, file)
    return None


def _is_date(text: str) -> bool:
    return YEAR.search(text) is not None and len(re.findall(r"\d+", text)) >= 3


BRIGHTSPACE = Layout("brightspace", entries, by_name=True, dated=True)
