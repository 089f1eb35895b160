"""What a course cannot be graded again without, in one archive: gradebook, secret, hand-ins and results."""

import contextlib
import gzip
import os
import secrets
import sqlite3
import tarfile
import tempfile
import zlib
from datetime import datetime
from pathlib import Path

from autograder.grading.course import Course
from autograder.grading.errors import CourseError
from autograder.grading.extensions import FILE as EXTENSIONS
from autograder.grading.secret import NAME

GRADEBOOK = "build/gradebook.db"
FILES = (NAME, EXTENSIONS)
FOLDERS = tuple(
    f"build/{name}" for name in ("submitted", "received", "people", "results", "autograded", "feedback")
)


def back_up(course: Course, archive: Path) -> int:
    """Write the archive, readable by its owner only; the number of files in it. The gradebook is copied as
    SQLite copies it, whole even while somebody writes to it."""
    if archive.exists():
        raise CourseError(f"{archive} exists: give another name.")
    if not archive.absolute().parent.is_dir():
        raise CourseError(f"{archive.absolute().parent} is not a folder: make it first.")
    part = archive.absolute().with_name(f".{secrets.token_hex(8)}.part")
    try:
        with open(part, "xb", opener=_private) as file, tarfile.open(fileobj=file, mode="w:gz") as tar:
            _add_all(course, tar)
            count = len(tar.getmembers())
        if not count:
            raise CourseError(
                f"{course.root} holds nothing to back up yet: nobody handed in, nothing is graded."
            )
        part.replace(archive)
    finally:
        part.unlink(missing_ok=True)
    return count


def _add_all(course: Course, tar: tarfile.TarFile) -> None:
    for name in (*FILES, *FOLDERS):
        if (course.root / name).exists():
            tar.add(course.root / name, name)
    if (course.root / GRADEBOOK).exists():
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "gradebook.db"
            source, target = sqlite3.connect(course.root / GRADEBOOK), sqlite3.connect(copy)
            with contextlib.closing(source), contextlib.closing(target):
                source.backup(target)
            tar.add(copy, GRADEBOOK)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def restore(course: Course, archive: Path) -> Path | None:
    """Put back what the archive holds; where what was there before is set aside, if anything was."""
    with tempfile.TemporaryDirectory(dir=course.root, prefix=".restore-") as staging:
        try:
            _read_through(archive)
            with tarfile.open(archive, "r:gz") as tar:
                tar.extractall(staging, filter="data")
        except (OSError, tarfile.TarError, EOFError, zlib.error) as error:
            told = getattr(error, "strerror", None) or str(error)  # the path is said already
            reason = told.splitlines()[0].rstrip(":")
            raise CourseError(
                f"{archive} cannot be restored ({reason}): give a file that `autograder backup` wrote."
            ) from None
        names = [name for name in (*FILES, GRADEBOOK, *FOLDERS) if (Path(staging) / name).exists()]
        if not names:
            raise CourseError(
                f"{archive} is no backup of a course: give a file that `autograder backup` wrote."
            )
        aside = course.build / f"before-restore-{datetime.now():%Y%m%d-%H%M%S}"
        for name in (*FILES, GRADEBOOK, *FOLDERS):  # also what the archive lacks: it did not exist then
            _move(course.root / name, aside / name)
            _move(Path(staging) / name, course.root / name)
    return aside if aside.exists() else None


def _read_through(archive: Path) -> None:
    """Have every byte of an archive checked: tarfile takes damage in the middle for the end."""
    with gzip.open(archive) as data:
        while data.read(2**20):
            pass


def _move(old: Path, new: Path) -> None:
    if old.exists():
        new.parent.mkdir(parents=True, exist_ok=True)
        old.rename(new)
