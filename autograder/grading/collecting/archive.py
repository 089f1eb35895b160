"""Reads archives that strangers filled: zip, tar or a folder, member by member, never extracting by name."""

import contextlib
import errno
import hashlib
import lzma
import os
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

from autograder.grading.collecting.readers import Reader, Unreadable, reader_of
from autograder.grading.errors import CourseError

FILE_BYTES = 200 * 1024**2  # of one member; a larger one is never read
SYSTEM_FILES = {"__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini"}
BROKEN = (OSError, EOFError, ValueError, RuntimeError, NotImplementedError, zlib.error, struct.error)
BROKEN += (zipfile.BadZipFile, tarfile.TarError, lzma.LZMAError, MemoryError)
BROKEN += (ArithmeticError, LookupError)  # numbers and lengths that are not true

DISK_FULL = (errno.ENOSPC, errno.EDQUOT)


@dataclass(frozen=True)
class Member:
    """One file of an archive: its path with "/" between the parts, its size, when it was changed (ns since
    1970, 0 if unknown) and why it must not be read, if so."""

    name: str
    size: int
    modified: int
    problem: str
    key: object  # what the archive knows it by

    @property
    def parts(self) -> tuple[str, ...]:
        return tuple(self.name.split("/"))


class Caps(NamedTuple):
    """What an archive may hold at most: files, and bytes of those that may be read."""

    members: int = 100_000
    total: int = 20 * 1024**3


CLASS = Caps()  # of a whole class


class Archive:
    """An open archive. `sha256` is empty for a folder."""

    def __init__(self, path: Path, reader: Reader, caps: Caps):
        self.name, self._path, self._reader = path.name, path, reader
        self.members = _within(caps, reader)

    @property
    def files(self) -> list[Member]:
        """The members that a person made."""
        return [member for member in self.members if not is_system_file(member.name)]

    @cached_property
    def sha256(self) -> str:
        if self._path.is_dir():
            return ""
        with open(self._path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def copy(self, member: Member, target: Path, most: int = FILE_BYTES) -> None:
        """Write a member's bytes to `target`, with its time. Unreadable if it must not, or cannot, be
        read whole; what its header says about its size is not believed. OSError if it cannot be written."""
        if member.problem:
            raise Unreadable(member.problem)
        try:
            with open(target, "xb") as file:
                for block in self._blocks(member):
                    most -= len(block)
                    if most < 0:
                        raise Unreadable("is too large")
                    file.write(block)
        except (Unreadable, OSError):
            target.unlink(missing_ok=True)
            raise
        if member.modified:
            os.utime(target, ns=(member.modified, member.modified))

    def _blocks(self, member: Member) -> Iterator[bytes]:
        try:
            with self._reader.open(member.key) as source:
                while block := source.read(1 << 20):
                    yield block
        except BROKEN as error:
            raise Unreadable(f"cannot be read ({_reason(error)})") from error

    def text(self, member: Member, most: int = 1 << 16) -> str:
        """The beginning of a member as text; nothing where it cannot be read."""
        if member.problem:
            return ""
        try:
            with self._reader.open(member.key) as source:
                return source.read(most).decode("utf-8-sig", "replace")
        except BROKEN:
            return ""


def is_system_file(name: str) -> bool:
    """Whether macOS or Windows made a file; macOS puts "._" before the name of the file it tells about."""
    return any(part in SYSTEM_FILES or part.startswith("._") for part in name.split("/"))


@contextlib.contextmanager
def opened(path: Path, caps: Caps) -> Iterator[Archive]:
    """Open an archive, or a folder as one. Unreadable if it is none, is damaged, or holds too much."""
    with contextlib.ExitStack() as stack:
        try:
            archive = Archive(path, reader_of(path, stack, caps.members, caps.total), caps)
        except BROKEN as error:
            if getattr(error, "errno", None) in DISK_FULL:  # where a tar is unpacked, not the archive's fault
                raise
            raise Unreadable(f"cannot be read ({_reason(error)})") from error
        yield archive


@contextlib.contextmanager
def class_archive(path: Path) -> Iterator[Archive]:
    """The archive of a class. CourseError if it cannot be read."""
    with contextlib.ExitStack() as stack:
        try:
            archive = stack.enter_context(opened(path, CLASS))
        except Unreadable as error:
            raise CourseError(f"{path} {error}: download it from the LMS again.") from error
        yield archive


def _within(caps: Caps, reader: Reader) -> list[Member]:
    found, total = [], 0
    for key, raw, size, modified, problem in reader.members():
        name, trouble = _safe(raw)
        problem = problem or trouble or ("is too large" if size > FILE_BYTES else "")
        total += size if reader.streamed or not problem else 0
        if len(found) >= caps.members:
            raise Unreadable(f"holds more than {caps.members} files")
        if total > caps.total:
            raise Unreadable(f"unpacks to more than {caps.total // 1024**2} MB")
        found.append(Member(name, size, modified, problem, key))
    return found


def _safe(raw: str) -> tuple[str, str]:
    """A path as text of one form, and why it must not be followed, if so."""
    text = os.fsencode(raw).decode("utf-8", "backslashreplace")
    name = normalize("NFC", text).replace("\\", "/")
    parts = [part for part in name.split("/") if part not in ("", ".")]
    leads_out = name.startswith("/") or ".." in parts or name[1:3] == ":/" or "\0" in name
    return "/".join(parts) or "?", "leads out of the archive" if leads_out else ""


def _reason(error: BaseException) -> str:
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return text.splitlines()[0].rstrip(".:")
