"""One submission graded in a container of its own, and the one file that tells of it."""

import json
import re
import shutil
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import msgspec

from autograder.grading import intake
from autograder.grading.bundle import TEMPLATE_HOME
from autograder.grading.course import Course, Lesson
from autograder.grading.grader import Grader
from autograder.grading.limits import MIB, Limits
from autograder.grading.memory import free_memory
from autograder.grading.moments import TIME_NOTE
from autograder.grading.results import write_whole
from autograder.grading.submitted import submitted_work, was_readable
from autograder.grading.verdict import SubmissionResult
from autograder.sandbox.confinement import CONTAINER

MANIFEST, COURSE = "lesson.json", "course"  # what is packed: which lesson it is, and what its grading takes
OURS = 300 * MIB  # what grader, judge and template need beside a submission, with room for its largest values
SMALLEST = 256 * MIB  # less is not enough for a submission that does nothing but import numpy
HALF_A_PROCESSOR = 2  # times longer than on a whole one: the smallest container that is offered has as much

FAILED = "The grader failed. This is not your fault, and it is not your score."
UNFINISHED = (
    "Grading did not come to its end: the container was stopped at its limit of time or memory, or broke. "
    "This is not a score."
)
ADVICE = "Grade it again; if that does not help, choose a larger container: the course's README tells the size."


class Manifest(msgspec.Struct, frozen=True):
    """Which lesson was packed; `visibility` is when students see its tests."""

    lesson: str
    visibility: str = "visible"

    @classmethod
    def of(cls, packed: Path) -> "Manifest":
        return msgspec.json.decode((packed / MANIFEST).read_bytes(), type=cls)


class Graded(NamedTuple):
    """A result, and whether what was handed in could be read at all."""

    result: SubmissionResult
    readable: bool

    @property
    def notes(self) -> list[str]:
        """What its student should know about the files; what is ours goes to the teacher only."""
        return [line for line in self.result.problems if not line.startswith("internal: ")][:20]


def grade(packed: Path, submission: Path, student: str) -> Graded:
    """Take in the files of the folder `submission` as those of a class are, and grade them. What of the
    confinement is missing in this container, and what went wrong, is printed."""
    with tempfile.TemporaryDirectory(prefix="course-") as place:
        course = Course(shutil.copytree(packed / COURSE, Path(place, COURSE)))
        lesson = Lesson(Manifest.of(packed).lesson, course.root)
        _copy_template_home(course)
        folder = course.build / "submitted" / student / lesson.name
        shutil.copytree(submission, folder, symlinks=True, ignore=shutil.ignore_patterns(TIME_NOTE))
        intake.take_in(course, lesson, student)
        with Grader(course, lesson, _limits(), CONTAINER) as grader:
            result = grader.grade(submitted_work(course, lesson, student))
        readable = was_readable(course, lesson, student)
    for line in [*result.problems, confinement(result)]:
        print(f"autograder: {line}")
    return Graded(result, readable)


def folder_name(text: str) -> str:
    """Text from outside as a name that a folder can have."""
    return re.sub(r"[^\w@+-]", "_", text)[:100] or "unnamed"


def confinement(result: SubmissionResult) -> str:
    """How the submission was confined, in words."""
    if not result.lacking:
        return "confined by Landlock and seccomp"
    lacking = " and ".join(result.lacking)
    return f"confined without {lacking}, by a user of its own and this container only (see SECURITY.md)"


def _copy_template_home(course: Course) -> None:
    made = Path(sys.prefix, "template")  # when the image was built
    if made.is_dir():
        shutil.copytree(made, course.root / TEMPLATE_HOME)


def _limits() -> Limits:
    """The usual limits on half a processor, and as much memory as there is. MemoryError if it is too little."""
    usual, room = Limits(), free_memory() - OURS
    if room < SMALLEST:
        raise MemoryError(f"{room // MIB} MiB are left for a submission, and {SMALLEST // MIB} are needed")
    return usual.replaced(
        call=HALF_A_PROCESSOR * usual.call,
        cell=HALF_A_PROCESSOR * usual.cell,
        submission=HALF_A_PROCESSOR * usual.submission,
        memory=min(usual.memory, room),
    )


def answer(path: Path, make: Callable[[], dict], failure: dict) -> int:
    """Write what `make` gives to `path`, whole, or `failure` where it raises. The exit code is 0 all the same:
    a container that ends otherwise may not be asked for its file."""
    try:
        text = json.dumps(make())
    except BaseException:
        traceback.print_exc()
        print(f"autograder: {FAILED} {ADVICE}")
        text = json.dumps(failure)
    write_whole(path, text.encode())
    return 0
