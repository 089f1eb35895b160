"""What a machine needs to grade a lesson, as one value: so workers need no shared disk."""

import shutil
import tempfile
from pathlib import Path

import msgspec

from autograder.grading.course import Course, Lesson
from autograder.grading.limits import Limits
from autograder.grading.secret import NAME, course_secret

TEMPLATE_HOME = "build/template"  # what libraries keep between two starts, such as matplotlib's list of fonts


class Bundle(msgspec.Struct, frozen=True):
    """Release, reference, hidden suite and secret of a lesson, and the limits it is graded under."""

    lesson: str
    limits: Limits
    files: dict[str, bytes]

    @classmethod
    def of(cls, course: Course, lesson: Lesson, limits: Limits) -> "Bundle":
        """Read what grading the lesson takes."""
        folders = (lesson.release_folder, lesson.hidden, course.root / TEMPLATE_HOME)
        paths = [lesson.solution, *(path for folder in folders for path in folder.rglob("*"))]
        kept = (path for path in paths if path.is_file() and "__pycache__" not in path.parts)
        files = {path.relative_to(course.root).as_posix(): path.read_bytes() for path in kept}
        return cls(lesson.name, limits, files | {NAME: course_secret(course.root)})


class Unpacked:
    """A bundle in a folder of its own, which nobody else may read; removed at the end."""

    def __init__(self, bundle: Bundle):
        self.folder = Path(tempfile.mkdtemp(prefix="course-"))
        for name, data in bundle.files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        self.lesson = Lesson(bundle.lesson, self.folder)
        self.course = Course(self.folder)

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
