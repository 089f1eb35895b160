"""Canvas: `name[_LATE]_userid_attachmentid_file.ext`, in one folder; no times, and of each student the newest
attempt only. The file's own time is when Canvas made the archive, so no time of a hand-in is made of it."""

import re

from autograder.grading.collecting.archive import Archive, Member
from autograder.grading.collecting.entries import Entry, Layout, Owner, Site

# The name has no "_digits_" in it: Canvas takes the underscores out. Older ones write "late".
NAMED = r"(?:(?P<name>.*?)_)??(?:(?P<late>LATE)_)?(?P<user>\d+)"
ANONYMOUS = r"(?:(?P<late>LATE)_)?(?P<user>anon_(?:LATE_)?[A-Za-z0-9]+)"
UPLOAD = r"_(?P<attachment>\d+)_(?P<file>.+)"
TYPED = r"_(?P<file>(?:text|link)(?:-\d+)?\.html)"
PATTERNS = [
    re.compile(who + what, re.IGNORECASE | re.DOTALL)
    for who in (ANONYMOUS, NAMED)
    for what in (UPLOAD, TYPED)
]


def entries(archive: Archive, _: Site) -> list[Entry]:
    top = _top(archive.files)
    found = (_entry(member, top) for member in archive.files)
    return [entry for entry in found if entry is not None]


def _top(members: list[Member]) -> int:
    """How many folders are around everything: with a date in its name, such a one looks like a hand-in."""
    top = 0
    while len({member.parts[top : top + 1] for member in members}) == 1:
        if not any(_match(part) for member in members for part in member.parts[top + 1 :]):
            break
        top += 1
    return top


def _entry(member: Member, top: int) -> Entry | None:
    for depth, part in enumerate(member.parts[top:], top):
        if match := _match(part):
            # Below it lies what somebody unpacked in place.
            return _named(member, match, "/".join((match["file"], *member.parts[depth + 1 :])))
    return None


def _match(part: str) -> re.Match | None:
    return next((match for pattern in PATTERNS if (match := pattern.fullmatch(part))), None)


def _named(member: Member, match: re.Match, file: str) -> Entry:
    parts = match.groupdict()
    late = bool(parts["late"]) or parts["user"].lower().startswith("anon_late_")
    user = re.sub("(?i)^anon_(late_)?", "anon_", parts["user"])
    owner = Owner(user, parts.get("name") or "")
    return Entry(member, owner, file, order=int(parts.get("attachment") or 0), late=late)


CANVAS = Layout("canvas", entries)
