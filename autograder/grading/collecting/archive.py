"""Reads archives that strangers filled: zip, tar or a folder, member by member, never extracting by name."""

import bz2
import contextlib
import gzip
import hashlib
import lzma
import os
import stat
import struct
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import BinaryIO, NamedTuple, Protocol
from unicodedata import normalize

from autograder.grading.errors import CourseError

FILE_BYTES = 200 * 1024**2  # of one member; a larger one is never read
MEMBERS = 100_000  # of an archive of a whole class
TOTAL_BYTES = 20 * 1024**3  # of all its members that may be read
UNIX_TIME = 0x5455  # the extra field of a zip that holds a time in UTC
COMPRESSED = ((b"\x1f\x8b", gzip.open), (b"BZh", bz2.open), (b"\xfd7zXZ\0", lzma.open))
BROKEN = (OSError, EOFError, ValueError, RuntimeError, NotImplementedError, zlib.error, struct.error)
BROKEN += (zipfile.BadZipFile, tarfile.TarError, lzma.LZMAError, MemoryError)


class Unreadable(Exception):
    """An archive, or a member, that cannot or must not be read; the text says why, as the rest of a
    sentence."""


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
    """What an archive may hold at most."""

    members: int = MEMBERS
    total: int = TOTAL_BYTES


class Reader(Protocol):
    """One kind of archive."""

    streamed: bool  # what is passed over has to be unpacked all the same

    def members(self) -> Iterator[tuple[object, str, int, int, str]]: ...

    def open(self, key: object) -> BinaryIO: ...


class Archive:
    """An open archive. `sha256` is empty for a folder."""

    def __init__(self, path: Path, reader: Reader, caps: Caps):
        self.name, self._path, self._reader = path.name, path, reader
        self.members = _within(caps, reader)

    @cached_property
    def sha256(self) -> str:
        if self._path.is_dir():
            return ""
        with open(self._path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def copy(self, member: Member, target: Path, most: int = FILE_BYTES) -> None:
        """Write a member's bytes to `target`, with its time. Unreadable if it must not, or cannot, be
        read whole; what its header says about its size is not believed."""
        if member.problem:
            raise Unreadable(member.problem)
        try:
            with self._reader.open(member.key) as source, open(target, "xb") as file:
                while block := source.read(1 << 20):
                    most -= len(block)
                    if most < 0:
                        raise Unreadable("is too large")
                    file.write(block)
        except (Unreadable, *BROKEN) as error:
            target.unlink(missing_ok=True)
            reason = str(error) if isinstance(error, Unreadable) else f"cannot be read ({_reason(error)})"
            raise Unreadable(reason) from error
        if member.modified:
            os.utime(target, ns=(member.modified, member.modified))

    def text(self, member: Member, most: int = 1 << 16) -> str:
        """The beginning of a member as text; nothing where it cannot be read."""
        if member.problem:
            return ""
        try:
            with self._reader.open(member.key) as source:
                return source.read(most).decode("utf-8-sig", "replace")
        except BROKEN:
            return ""


@contextlib.contextmanager
def opened(path: Path, caps: Caps = Caps()) -> Iterator[Archive]:
    """Open an archive, or a folder as one. Unreadable if it is none, is damaged, or holds too much."""
    with contextlib.ExitStack() as stack:
        try:
            archive = Archive(path, _reader(path, stack, caps.total), caps)
        except BROKEN as error:
            raise Unreadable(f"cannot be read ({_reason(error)})") from error
        yield archive


@contextlib.contextmanager
def class_archive(path: Path) -> Iterator[Archive]:
    """The archive of a class. CourseError if it cannot be read."""
    with contextlib.ExitStack() as stack:
        try:
            archive = stack.enter_context(opened(path))
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


def _reader(path: Path, stack: contextlib.ExitStack, most: int) -> Reader:
    if path.is_dir():
        return _Folder(path)
    if not path.is_file():
        raise Unreadable("is not there" if not os.path.lexists(path) else "is no ordinary file")
    if zipfile.is_zipfile(path):
        return _Zip(stack.enter_context(zipfile.ZipFile(path)))
    plain = _decompressed(path, stack, most)
    try:
        return _Tar(stack.enter_context(tarfile.open(fileobj=plain, mode="r:")))
    except tarfile.ReadError:
        raise Unreadable("is neither a zip nor a tar archive, or is damaged") from None


def _decompressed(path: Path, stack: contextlib.ExitStack, most: int) -> BinaryIO:
    """A tar file without its compression, which may hide any size: tarfile reads some members into
    memory."""
    with open(path, "rb") as file:
        start = file.read(6)
    opens = next((opens for magic, opens in COMPRESSED if start.startswith(magic)), None)
    if opens is None:
        return stack.enter_context(open(path, "rb"))
    plain = stack.enter_context(tempfile.TemporaryFile())
    with opens(path) as source:
        while block := source.read(1 << 20):
            most -= len(block)
            if most < 0:
                raise Unreadable("unpacks to too much")
            plain.write(block)
    plain.seek(0)
    return plain


class _Zip:
    streamed = False

    def __init__(self, archive: zipfile.ZipFile):
        self._archive = archive

    def members(self) -> Iterator[tuple[object, str, int, int, str]]:
        for info in self._archive.infolist():
            if not info.is_dir():
                yield info, _zip_name(info), info.file_size, _zip_time(info), _zip_problem(info)

    def open(self, key: zipfile.ZipInfo) -> BinaryIO:
        return self._archive.open(key)


def _zip_name(info: zipfile.ZipInfo) -> str:
    """Many programs write UTF-8 without saying so; Python then reads it as cp437."""
    if info.flag_bits & 0x800:
        return info.orig_filename
    with contextlib.suppress(UnicodeError):
        return info.orig_filename.encode("cp437").decode("utf-8")
    return info.orig_filename


def _zip_time(info: zipfile.ZipInfo) -> int:
    """In UTC where the archive says so, else as if its clock had been."""
    extra = info.extra
    while len(extra) >= 4:
        kind, size = struct.unpack("<HH", extra[:4])
        if kind == UNIX_TIME and size >= 5 and extra[4] & 1:
            return struct.unpack("<i", extra[5:9])[0] * 10**9
        extra = extra[4 + size :]
    with contextlib.suppress(ValueError):
        return int(datetime(*info.date_time, tzinfo=UTC).timestamp()) * 10**9
    return 0


def _zip_problem(info: zipfile.ZipInfo) -> str:
    kind = stat.S_IFMT(info.external_attr >> 16) if info.create_system == 3 else 0
    if kind not in (0, stat.S_IFREG):
        return "is a link" if kind == stat.S_IFLNK else "is no ordinary file"
    return "is encrypted" if info.flag_bits & 1 else ""


class _Tar:
    streamed = True

    def __init__(self, archive: tarfile.TarFile):
        self._archive = archive

    def members(self) -> Iterator[tuple[object, str, int, int, str]]:
        for info in self._archive:
            if not info.isdir():
                yield info, info.name, info.size, int(info.mtime) * 10**9, _tar_problem(info)

    def open(self, key: tarfile.TarInfo) -> BinaryIO:
        return self._archive.extractfile(key)


def _tar_problem(info: tarfile.TarInfo) -> str:
    if info.isreg():
        return ""
    return "is a link" if info.issym() or info.islnk() else "is no ordinary file"


class _Folder:
    streamed = False

    def __init__(self, root: Path):
        self._root = root

    def members(self) -> Iterator[tuple[object, str, int, int, str]]:
        for place, folders, files in os.walk(self._root, onerror=_raise):
            folders.sort()
            links = [name for name in folders if os.path.islink(os.path.join(place, name))]
            for name in sorted([*links, *files]):
                path = Path(place, name)
                status = path.lstat()
                mode = status.st_mode
                problem = "is a link" if stat.S_ISLNK(mode) else ""
                problem = problem or ("" if stat.S_ISREG(mode) else "is no ordinary file")
                relative = path.relative_to(self._root).as_posix()
                yield path, relative, status.st_size, status.st_mtime_ns, problem

    def open(self, key: Path) -> BinaryIO:
        return open(key, "rb")


def _raise(error: OSError) -> None:
    raise error


def _reason(error: BaseException) -> str:
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return text.splitlines()[0].rstrip(".:")
