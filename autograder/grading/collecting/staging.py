"""One attempt, copied out of an archive into a folder of our own: the files as they came, and what is placed
of them once archives within it are unpacked."""

import os
import re
import shutil
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from pathlib import Path, PurePosixPath

from autograder.grading.candidates import NOTEBOOK
from autograder.grading.collecting.archive import Archive, Caps, Member, is_system_file, opened
from autograder.grading.collecting.entries import Entry
from autograder.grading.collecting.readers import Unreadable
from autograder.grading.moments import TIME_NOTE
from autograder.grading.submission import is_clutter

DEPTH = 3  # archives within archives
UNPACKED = Caps(members=1000, total=500 * 1024**2)  # of one archive that a student handed in
ATTEMPT = Caps(members=2000, total=500 * 1024**2)  # of all files of an attempt, those unpacked included
PART_BYTES, PARTS = 200, 10  # of a path as it is placed; file systems take 255 bytes a part
RECORD = "a record of the LMS's"
MADE_BY_SYSTEM = "made by a system, not by hand"
NOT_UNPACKED = (".rar", ".7z")
OTHER_ZIPS = (".docx", ".xlsx", ".pptx", ".odt", ".ods", ".odp", ".npz", ".jar", ".whl", ".epub", ".pages")
TAR = (".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tbz2")
VERSION = re.compile(r"(?: ?\(\d+\)|-\d+)$")  # of an LMS or a browser, behind a name


@dataclass
class Attempt:
    """One attempt of one student. `originals` are the files as they came and `placed` what is put into
    build/submitted, both by name; `skipped` says of all others why they are not."""

    student: str
    handed_in: datetime | None
    late: bool
    order: tuple[int, int]
    originals: dict[str, Path] = field(default_factory=dict)
    placed: dict[str, Path] = field(default_factory=dict)
    skipped: list[tuple[str, str]] = field(default_factory=list)


def stage(archive: Archive, student: str, entries: list[Entry], folder: Path) -> Attempt:
    """Copy one attempt to `folder`, which is made."""
    folder.mkdir(parents=True)
    late = any(entry.late for entry in entries)
    attempt = Attempt(student, _handed_in(entries), late, order(entries))
    _Stage(archive, attempt, folder).fill(entries)
    return attempt


def order(entries: list[Entry]) -> tuple[int, int]:
    """What grows from one attempt to the next: the time that the LMS tells, or the number that it gives a
    file; and after that the time of the newest file."""
    when, newest = _handed_in(entries), max(entry.member.modified for entry in entries)
    if when is not None:
        return int((when - datetime(1970, 1, 1)).total_seconds()), newest
    return max(entry.order for entry in entries), newest


def newest_first(attempts: Iterable[list[Entry]]) -> list[list[Entry]]:
    """Several attempts of a student. Where `are_doubtful`, the files' own times have to do."""
    attempts = list(attempts)
    doubtful = are_doubtful(attempts)
    return sorted(attempts, key=lambda entries: order(entries)[:: -1 if doubtful else 1], reverse=True)


def are_doubtful(attempts: list[list[Entry]]) -> bool:
    """Whether there are several, and it is not told of every one when it was handed in."""
    return len(attempts) > 1 and None in map(_handed_in, attempts)


def _handed_in(entries: list[Entry]) -> datetime | None:
    return next((entry.handed_in for entry in entries if entry.handed_in), None)


class _TooMuch(Exception):
    """An archive within the hand-in unpacks to more than an attempt may hold."""


class _Stage:
    def __init__(self, archive: Archive, attempt: Attempt, folder: Path):
        self._archive, self._attempt, self._folder = archive, attempt, folder
        self._number, self._room = 0, ATTEMPT.total
        self._newest: dict[str, int] = {}

    def fill(self, entries: list[Entry]) -> None:
        own = [entry for entry in entries if not entry.record]
        for entry in entries:
            if own and entry.record:
                self._skip(entry.file, RECORD)
        own = [entry for entry in own or entries if not self._is_clutter(entry.file, entry.member)]
        for entry in sorted(own, key=lambda entry: (entry.order, entry.member.name)):
            self._take(entry, alone=len(own) == 1)

    def _skip(self, name: str, reason: str) -> None:
        self._attempt.skipped.append((name, reason))

    def _is_clutter(self, name: str, member: Member, within: str = "") -> bool:
        reason = "" if member.problem else _clutter(name)
        if reason:
            self._skip(f"{within}{name}", reason)
        return bool(reason)

    def _take(self, entry: Entry, alone: bool) -> None:
        path = self._folder / str(len(self._attempt.originals))
        try:
            self._archive.copy(entry.member, path, self._room)
        except Unreadable as error:
            return self._skip(entry.file, f"it {error}")
        self._room -= path.stat().st_size
        name = _unused(_fit(entry.file), self._attempt.originals)
        self._attempt.originals[name] = path
        if entry.order:
            self._put_in_order(name, path)
        self._place_or_unpack(name, path, "" if alone else f"{os.path.splitext(name)[0]}/")

    def _put_in_order(self, name: str, path: Path) -> None:
        """Of several versions of a notebook, the one that the LMS numbers highest is the newest, by a
        millisecond at least: the newest is graded."""
        if NOTEBOOK.search(name):
            stem = VERSION.sub("", os.path.splitext(name)[0])
            modified = max(path.stat().st_mtime_ns, self._newest.get(stem, 0) + 10**6)
            os.utime(path, ns=(modified, modified))
            self._newest[stem] = modified

    def _place_or_unpack(self, name: str, path: Path, base: str) -> None:
        attempt, number, room = self._attempt, self._number, self._room
        placed, skipped = dict(attempt.placed), list(attempt.skipped)
        inner = self._folder / f"{path.name}-unpacked"
        inner.mkdir()
        try:
            self._place(name, path, base, inner, depth=1)
        except _TooMuch:
            shutil.rmtree(inner)
            self._number, self._room = number, room
            attempt.placed, attempt.skipped = placed, skipped
            self._skip(name, "it unpacks to too much, so nothing of it was taken")

    def _place(self, name: str, path: Path, base: str, inner: Path, depth: int) -> None:
        """A file, or what is in it if it is an archive."""
        attempt = self._attempt
        if _is_archive(name, path):
            placed = dict(attempt.placed)
            try:
                if depth > DEPTH:
                    raise _TooMuch
                return self._unpack(name, path, base, inner, depth)
            except Unreadable as error:
                attempt.placed = placed
                self._skip(name, f"it {error}, so it was not unpacked")
        elif name.lower().endswith(NOT_UNPACKED):
            self._skip(name, "such archives are not unpacked: ask for a zip")
        attempt.placed[_unused(name, attempt.placed)] = path

    def _unpack(self, name: str, path: Path, base: str, inner: Path, depth: int) -> None:
        with opened(path, UNPACKED) as archive:
            members = [
                member for member in archive.members if not self._is_clutter(member.name, member, f"{name}: ")
            ]
            wrapped = _wrapping([member.name for member in members if not member.problem])
            for member in members:
                copy = self._copied(archive, member, f"{name}: {member.name}", inner)
                if copy is not None:
                    below = _fit(f"{base}{member.name[wrapped:]}")
                    deeper = base if len(members) == 1 else f"{os.path.splitext(below)[0]}/"
                    self._place(below, copy, deeper, inner, depth + 1)

    def _copied(self, archive: Archive, member: Member, label: str, inner: Path) -> Path | None:
        self._number += 1
        if self._number > ATTEMPT.members or not member.problem and member.size > self._room:
            raise _TooMuch
        target = inner / str(self._number)
        try:
            archive.copy(member, target)
        except Unreadable as error:
            self._skip(label, f"it {error}")
            return None
        self._room -= target.stat().st_size
        return target


def _clutter(name: str) -> str:
    """Why a file is never taken, by its name."""
    last = PurePosixPath(name).name
    if last == TIME_NOTE:
        return "the time is the LMS's to tell"
    return MADE_BY_SYSTEM if is_clutter(name) or is_system_file(name) else ""


def _is_archive(name: str, path: Path) -> bool:
    """Whether it is one by its first bytes, whatever it is called; office files and such are zips, too."""
    with open(path, "rb") as file:
        is_zip = file.read(4) in (b"PK\3\4", b"PK\5\6")
    return name.lower().endswith(TAR) or is_zip and not name.lower().endswith(OTHER_ZIPS)


def _wrapping(names: list[str]) -> int:
    """The length of the folders that are around all of these files."""
    common = os.path.commonprefix([name.rpartition("/")[0] + "/" for name in names])
    return common.rfind("/") + 1 if common != "/" else 0


def _fit(name: str) -> str:
    """A path that file systems take: short parts, and not too many."""
    parts = [_short(part) for part in name.split("/") if part]
    return "/".join(parts if len(parts) <= PARTS else parts[-1:])


def _short(part: str) -> str:
    stem, suffix = os.path.splitext(part)
    suffix = suffix[:20]
    while len(os.fsencode(stem + suffix)) > PART_BYTES:
        stem = stem[:-1]
    return stem + suffix


def _unused(name: str, taken: dict[str, Path]) -> str:
    """The name, or the nearest one that neither a file nor a folder of another one has."""
    if _above(name) & taken.keys():
        name = name.replace("/", "-")
    used = taken.keys() | {above for other in taken for above in _above(other)}
    stem, suffix = os.path.splitext(name)
    names = (name if number == 1 else f"{stem}-{number}{suffix}" for number in count(1))
    return next(free for free in names if free not in used)


def _above(name: str) -> set[str]:
    return {name[:place] for place, char in enumerate(name) if char == "/"}
