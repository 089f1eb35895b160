"""The kinds of archives, each read as a list of raw members: zip, tar, and a folder."""

import bz2
import contextlib
import gzip
import os
import stat
import struct
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Protocol

UNIX_TIME = 0x5455  # the extra field of a zip that holds a time in UTC
COMPRESSED = ((b"\x1f\x8b", gzip.open), (b"BZh", bz2.open))
LATEST = 1 << 33  # seconds since 1970, some centuries from now: no file system takes just any time
LISTED = 2000  # bytes of a member in a zip's own list, on the average


class Unreadable(Exception):
    """An archive, or a member, that cannot or must not be read; the text says why, as the rest of a
    sentence."""


class Reader(Protocol):
    """One kind of archive."""

    streamed: bool  # what is passed over has to be unpacked all the same

    def members(self) -> Iterator[tuple[object, str, int, int, str]]: ...

    def open(self, key: object) -> BinaryIO: ...


def reader_of(path: Path, stack: contextlib.ExitStack, members: int, total: int) -> Reader:
    """Open an archive of any kind, of which at most so many members and bytes may be read; `stack` closes
    it."""
    if path.is_dir():
        return _Folder(path)
    if not path.is_file():
        raise Unreadable("is not there" if not os.path.lexists(path) else "is no ordinary file")
    if zipfile.is_zipfile(path):
        if _list_size(path) > members * LISTED:
            raise Unreadable(f"holds more than {members} files")
        return _Zip(stack.enter_context(zipfile.ZipFile(path)))
    plain = _decompressed(path, stack, total)
    try:
        return _Tar(stack.enter_context(tarfile.open(fileobj=plain, mode="r:")), members)
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


def _list_size(path: Path) -> int:
    """How many bytes a zip's list of its members takes, all of which Python reads at once: the most that any
    end of a zip tells, since which of them counts is for Python to find out."""
    with open(path, "rb") as file:
        file.seek(max(0, path.stat().st_size - (1 << 16) - 100))
        end = file.read()
    sizes = [struct.unpack_from("<I", end, at + 12)[0] for at in _places(end, b"PK\5\6", 16)]
    sizes += [struct.unpack_from("<Q", end, at + 40)[0] for at in _places(end, b"PK\6\6", 48)]
    return max((size for size in sizes if size != 0xFFFFFFFF), default=0)  # that one refers to the other kind


def _places(data: bytes, mark: bytes, length: int) -> Iterator[int]:
    """Where the mark stands with so many bytes from there on."""
    at = data.find(mark)
    while 0 <= at <= len(data) - length:
        yield at
        at = data.find(mark, at + 1)


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

    def __init__(self, archive: tarfile.TarFile, most: int):
        self._archive, self._most = archive, most

    def members(self) -> Iterator[tuple[object, str, int, int, str]]:
        for number, info in enumerate(self._archive):
            if number >= self._most:  # folders take time and memory, too
                raise Unreadable(f"holds more than {self._most} files and folders")
            if not info.isdir():
                yield info, info.name, info.size, _tar_time(info), _tar_problem(info)

    def open(self, key: tarfile.TarInfo) -> BinaryIO:
        return self._archive.extractfile(key)


def _tar_time(info: tarfile.TarInfo) -> int:
    """Whoever made the archive may have written any number, or none."""
    return int(info.mtime) * 10**9 if 0 < info.mtime < LATEST else 0


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
