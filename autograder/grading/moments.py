"""Moments in time, as nbgrader keeps them: datetimes without a zone, in UTC."""

import re
import stat
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from dateutil import parser
from dateutil.tz import gettz, tzoffset

NAMED = re.compile(r"(?P<time>.*\d) *(?P<zone>(?!T\d|[AP]M\b)[A-Z]\w*(?:[/+-]\w+)*)", re.ASCII | re.I)
OFFSET = re.compile(r"(?P<time>.*:\d\d(?:\.\d+)?) *(?P<zone>[+-]\d\d(?::?\d\d)?)", re.ASCII)
TIME_NOTE, LONGEST = "timestamp.txt", 200  # the file, and the most bytes of it
OTHER_DAYS = (datetime(2000, 1, 1), datetime(2001, 2, 2))  # what a text leaves out would come from these


def moment(text: str) -> datetime:
    """The moment that a text such as "2026-12-01 18:00 Europe/Berlin" names, in UTC and without a zone. A
    zone is a name or an offset (+0100); without one the time is in UTC, as in nbgrader.

    nbgrader's own `parse_utc` takes "18:00 +0100" for an offset of 100 seconds, and a zone that it does not
    know for UTC. ValueError, which says what is wrong, if the text names no moment or an unknown zone.
    """
    text = text.strip()
    try:
        if match := NAMED.fullmatch(text):
            when = _local(match["time"].strip()).replace(tzinfo=_zone(match["zone"]))
        elif match := OFFSET.fullmatch(text):
            when = _local(f"{match['time']}{match['zone']}")
        else:
            when = _local(text)
        return when.astimezone(UTC).replace(tzinfo=None) if when.tzinfo else when
    except (OverflowError, parser.ParserError) as error:
        raise ValueError("it is no date and time") from error


def time_note(folder: Path) -> str:
    """What the `timestamp.txt` beside a hand-in says; nothing without one. ValueError if it is a link,
    a pipe or too long: a student may have sent it."""
    path = folder / TIME_NOTE
    try:
        status = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return ""
    if not stat.S_ISREG(status.st_mode) or status.st_size > LONGEST:
        raise ValueError("it is no short file")
    return path.read_text(encoding="utf-8").strip()


def names_zone(text: str) -> bool:
    """Whether a text that names a moment says in which time zone."""
    return bool(NAMED.fullmatch(text.strip()) or OFFSET.fullmatch(text.strip()))


def shown(when: datetime) -> str:
    """A moment, kept in UTC, for people."""
    return f"{when:%Y-%m-%d %H:%M} UTC"


def _local(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)  # much faster, and what nbgrader writes
    except ValueError:
        first, second = (parser.parse(text, default=day, tzinfos=_offset) for day in OTHER_DAYS)
        if first != second:
            raise ValueError("it names no day") from None
        return first


def _zone(name: str) -> tzinfo:
    zone = UTC if name in ("Z", "UTC") else gettz(name)
    if zone is None:
        raise ValueError(f"{name} is no time zone")
    return zone


def _offset(name: str | None, seconds: int | None) -> tzinfo | None:
    if seconds is not None:
        return tzoffset(name, seconds)
    return _zone(name) if name else None
