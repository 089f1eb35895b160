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
from autograder.grading.errors import CourseError
from autograder.grading.grader import Grader
from autograder.grading.limits import MIB, Limits
from autograder.grading.memory import free_memory
from autograder.grading.moments import TIME_NOTE
from autograder.grading.results import write_whole
from autograder.grading.submitted import submitted_work, was_readable
from autograder.grading.verdict import SubmissionResult
from autograder.sandbox.confinement import CONTAINER

PACKED, COURSE = "packed.json", "course"  # what is packed: which lesson it is, and what its grading takes
HALF_A_PROCESSOR = 2  # times longer than on a whole one: the smallest container that is offered has as much


class Need(NamedTuple):
    """Bytes of memory: `ours` for grader, judge and template, with room for the values that a submission
    returns; `theirs` for what is imported, and a little work with it."""

    ours: int
    theirs: int


# Measured: 160 and 90 to 170 MiB; with torch 570 and 330 MiB.
PLAIN, WITH_TORCH = Need(300 * MIB, 220 * MIB), Need(700 * MIB, 480 * MIB)

FAILED = "The grader failed. This is not your fault, and it is not your score."
UNFINISHED = (
    "Grading did not come to its end: the container was stopped at its limit of time or memory, or broke. "
    "This is not a score."
)
ADVICE = "Grade it again; if that does not help, choose a larger container (README.md tells the size)."


class Packed(msgspec.Struct, frozen=True):
    """Which lesson was packed; `visibility` is when students see its tests."""

    lesson: str
    visibility: str = "visible"

    @classmethod
    def of(cls, packed: Path) -> "Packed":
        return msgspec.json.decode((packed / PACKED).read_bytes(), type=cls)


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
        lesson = Lesson(Packed.of(packed).lesson, course.root)
        _copy_template_home(course)
        folder = course.build / "submitted" / student / lesson.name
        shutil.copytree(submission, folder, symlinks=True, ignore=shutil.ignore_patterns(TIME_NOTE))
        intake.take_in(course, lesson, student)
        with Grader(course, lesson, _limits(lesson), CONTAINER) as grader:
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
    if result.internal:
        return "not known, since the grading failed"
    if not result.lacking:
        return "confined by Landlock and seccomp"
    lacking = " and ".join(result.lacking)
    return f"confined without {lacking}, by a user of its own and this container only (see SECURITY.md)"


def _copy_template_home(course: Course) -> None:
    made = Path(sys.prefix, "template")  # when the image was built
    if made.is_dir():
        shutil.copytree(made, course.root / TEMPLATE_HOME)


def _limits(lesson: Lesson) -> Limits:
    """The usual limits on half a processor, and the memory that there is. CourseError if it is too little."""
    need = WITH_TORCH if "torch" in lesson.modules else PLAIN
    usual, free = Limits(), free_memory()
    if free < sum(need):
        lack = f"{free // MIB} MiB are free in this container, and {sum(need) // MIB} are needed"
        raise CourseError(f"{lack}: choose a larger one.")
    return usual.replaced(
        call=HALF_A_PROCESSOR * usual.call,
        cell=HALF_A_PROCESSOR * usual.cell,
        submission=HALF_A_PROCESSOR * usual.submission,
        memory=min(usual.memory, free - need.ours),
    )


def answer(path: Path, make: Callable[[], dict], failure: dict) -> int:
    """Write what `make` gives to `path`, whole, or `failure` where it raises. The exit code is 0 all the
    same: a container that ends otherwise may not be asked for its file."""
    try:
        text = json.dumps(make())
    except BaseException as error:
        if isinstance(error, CourseError):
            print(f"autograder: {error}")
        else:
            traceback.print_exc()
        print(f"autograder: {FAILED} {ADVICE}")
        text = json.dumps(failure)
    write_whole(path, text.encode())
    return 0
