"""Results kept on disk, one file a submission, and the key that tells a fresh one from a stale one."""

import hashlib
import os
import secrets
import sys
from collections.abc import Iterable
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec

import autograder
from autograder.grading.course import Course, Lesson
from autograder.grading.errors import CourseError
from autograder.grading.limits import Limits
from autograder.grading.moments import TIME_NOTE
from autograder.grading.secret import course_secret
from autograder.grading.submission import file_names
from autograder.grading.verdict import SubmissionResult

DECIDING = ("numpy", "torch")  # packages on whose version a result depends


class ResultStore:
    """The results below build/results/<lesson>/<student>.json, or in another folder than "results"."""

    def __init__(self, course: Course, folder: str = "results"):
        self._folder = course.build / folder

    def path(self, lesson: Lesson, student: str) -> Path:
        if "/" in student or "\0" in student or student in ("", ".", ".."):
            raise CourseError(f"{student!r} cannot be a student's id: rename the folder in build/submitted.")
        return self._folder / lesson.name / f"{student}.json"

    def load(self, lesson: Lesson, student: str) -> SubmissionResult | None:
        """The result kept for a student; None if there is none, or none that can be read."""
        try:
            return msgspec.json.decode(self.path(lesson, student).read_bytes(), type=SubmissionResult)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            return None

    def save(self, lesson: Lesson, result: SubmissionResult) -> None:
        """Keep a result. A killed run leaves the old file or the new one, never half of one."""
        data = msgspec.json.encode(result)
        write_whole(self.path(lesson, result.student), data)

    def remove(self, lesson: Lesson, student: str) -> None:
        """Forget the result of a student, if there is one."""
        self.path(lesson, student).unlink(missing_ok=True)

    def fresh(self, lesson: Lesson, student: str, key: str) -> SubmissionResult | None:
        """The result kept under this key; an internal one is never fresh, so that the next run tries
        again."""
        result = self.load(lesson, student)
        return result if result is not None and result.key == key and not result.internal else None


class ResultKeys:
    """Keys of a lesson's results: SHA-256 over everything that decides one. What is the same for the whole
    class (suite, solution, release, engine, limits, secret, versions) is read once for each object of this
    class."""

    def __init__(self, course: Course, lesson: Lesson, limits: Limits):
        self._course, self._lesson, self._limits = course, lesson, limits

    def key(self, student: str) -> str:
        """The key that a result of `student`'s submission, as it lies in build/submitted now, has to
        carry."""
        folder = self._course.build / "submitted" / student / self._lesson.name
        handed_in = _digest_of_folder(folder, but=TIME_NOTE)  # a date decides no verdict
        return _digest([self._shared, student.encode("utf-8", "surrogateescape"), handed_in])

    @cached_property
    def _shared(self) -> bytes:
        lesson, engine = self._lesson, Path(autograder.__file__).parent
        parts = [_digest_of_folder(folder) for folder in (lesson.hidden, lesson.release_folder, engine)]
        parts += [
            lesson.solution.read_bytes(),
            course_secret(self._course.root),
            repr(self._limits).encode(),
            sys.version.encode(),
        ]
        return bytes.fromhex(_digest([*parts, *(_version(name) for name in DECIDING)]))


def write_whole(path: Path, data: bytes, staging: Path | None = None) -> None:
    """Write a file under another name and rename it: whoever reads `path` sees the old bytes or all of the
    new.

    The other name is in the folder `staging` where that of `path` must never hold anything else.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = (staging or path.parent) / f".{secrets.token_hex(8)}.part"
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _digest_of_folder(folder: Path, but: str = "") -> bytes:
    """The names and bytes of all ordinary files of a folder; links by name only, caches not at all."""
    names = sorted(name for name in file_names(folder) if "__pycache__" not in name and name != but)
    return bytes.fromhex(_digest(part for name in names for part in _name_and_bytes(folder, name)))


def _name_and_bytes(folder: Path, name: str) -> tuple[bytes, bytes]:
    path = folder / name
    ordinary = path.is_file() and not path.is_symlink()
    return os.fsencode(name), path.read_bytes() if ordinary else b""


def _digest(parts: Iterable[bytes]) -> str:
    """SHA-256 in hex; each part with its length, so that no two lists of parts read the same."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def _version(package: str) -> bytes:
    try:
        return version(package).encode()
    except PackageNotFoundError:
        return b""
