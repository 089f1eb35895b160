"""What the names in an LMS's archive say about each file in it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from autograder.grading.collecting.archive import Archive, Member


class Owner(NamedTuple):
    """Whose hand-in it is, as far as the LMS tells: `lms_id` and `login` are stable, and empty where it
    tells none; a display name may belong to several people."""

    lms_id: str
    name: str = ""
    login: str = ""

    @property
    def label(self) -> str:
        return " ".join(dict.fromkeys(part for part in (self.lms_id, self.login, self.name) if part))


@dataclass(frozen=True)
class Entry:
    """One file of one student's attempt. `file` is its path as handed in; `attempt` tells the attempts of a
    student apart; `handed_in` is in UTC and without a zone, None where the LMS tells no time; `order` grows
    with what came later in the same attempt; a `record` is the LMS's own and not the student's."""

    member: Member
    owner: Owner
    file: str
    attempt: str = ""
    handed_in: datetime | None = None
    order: int = 0
    late: bool = False
    record: bool = False


class Site(NamedTuple):
    """What has to be known to read an archive beside it: the lesson's name, the time zone of the LMS and
    the logins of the roster, in small letters."""

    lesson: str
    zone: str
    logins: frozenset[str] = frozenset()


class Layout(NamedTuple):
    """How one LMS names things: `entries` gives those files of an archive that are named so; `by_name` tells
    whether a roster may have nothing but people's names in common with it, `dated` whether it tells the time
    of every attempt, `is_lms` whether it is an LMS, and not a way of keeping files."""

    name: str
    entries: Callable[[Archive, Site], list[Entry]]
    by_name: bool = False
    dated: bool = False
    is_lms: bool = True
