"""A course whose class is full of attackers: canaries planted wherever nobody may look, everybody's hand-in
graded and recorded, and what can be seen of each student afterwards."""

import contextlib
import os
import shutil
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import msgspec
from nbgrader.api import Gradebook
from rich.console import Console

from autograder.grading import intake
from autograder.grading.course import Course
from autograder.grading.limits import MIB, Limits
from autograder.grading.pool import grade_all
from autograder.grading.progress import RunProgress, log_path
from autograder.grading.release import release
from autograder.grading.results import ResultKeys, ResultStore
from autograder.grading.run import keep, submitted_work
from autograder.grading.samples import Sample
from autograder.grading.verdict import SubmissionResult

ROOMS = ("source", "tests/hidden")
QUICK = Limits(call=1.0, memory=1024 * MIB, threads=64)
GOT_THROUGH = "got through"  # what an attack prints when it reached what it must not reach
HONEST = "honest"  # the student whose work the others want to see
NUMBER = 20261957  # in an input of a hidden test
LEFT = {"attack", "seen-by-an-attack", "left-by-an-attack"}  # names that attacks give to files
CANARIES = {
    place: f"CANARY-of-the-{place}"
    for place in ("secret", "suite", "solution", "gradebook", "submission", "environment")
} | {"input": str(NUMBER)}
CANARY_TEST = f'''

def test_of_the_canary(student):
    """Large numbers are added like small ones."""
    X = np.full((3, 2), {NUMBER}.0)
    same(student.add_residual(X, X), 2 * X)
'''


class AttackedClass:
    """A copy of the course at `root`, released, with the canaries in place. `scratch` is where its graders
    are to keep what they need for a while."""

    def __init__(self, original: Path, root: Path, scratch: Path):
        self.scratch = scratch
        for room in ROOMS:
            shutil.copytree(original / room, root / room, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(original / "nbgrader_config.py", root)
        fonts = original / "build" / "template"  # matplotlib's list of them takes seconds to make
        if fonts.is_dir():
            shutil.copytree(fonts, root / "build" / "template")
        self.course = Course(root)
        self.lesson = self.course.lesson("mixing")
        release(self.lesson)
        self._plant()

    def _plant(self) -> None:
        (self.course.root / "course_secret").write_text(CANARIES["secret"] * 3)
        for suite in self.lesson.hidden.glob("*.py"):
            extra = CANARY_TEST if suite.name == "test_add_residual.py" else ""
            suite.write_text(f"{suite.read_text()}{extra}\nCANARY = {CANARIES['suite']!r}\n")
        with self.lesson.solution.open("a") as file:
            file.write(f"\nCANARY = {CANARIES['solution']!r}\n")
        with Gradebook(f"sqlite:///{self.course.build / 'gradebook.db'}") as gradebook:
            gradebook.add_student(HONEST, last_name=CANARIES["gradebook"])

    def hand_in(self, sample: Sample) -> str:
        """Hand in a sample, and with it, for attackers, a note on where the course is; the student's id."""
        folder = self.course.build / "submitted" / sample.student / self.lesson.name
        sample.hand_in(folder)
        (folder / "course.txt").write_text(str(self.course.root))
        intake.take_in(self.course, self.lesson, sample.student)
        return sample.student

    def sample(self, folder: Path, name: str, text: str) -> Sample:
        """A sample of the moment."""
        path = folder / f"{name}.py"
        path.write_text(text, encoding="utf-8")
        return Sample(path, self.lesson)

    def grade(self, students: Iterable[str], jobs: int) -> dict[str, SubmissionResult]:
        return {result.student: result for result in self.results(students, jobs)}

    def results(self, students: Iterable[str], jobs: int) -> Iterator[SubmissionResult]:
        """The same, one by one as they come."""
        works = [partial(submitted_work, self.course, self.lesson, student) for student in students]
        return grade_all(self.course, self.lesson, QUICK, works, jobs)

    def record(self, results: Iterable[SubmissionResult]) -> list[str]:
        """Keep and record results as a grading does, and write the feedback; what went wrong."""
        store, keys = ResultStore(self.course), ResultKeys(self.course, self.lesson, Limits())
        students = []
        for result in results:
            store.save(self.lesson, msgspec.structs.replace(result, key=keys.key(result.student)))
            students.append(result.student)
        with RunProgress(Console(quiet=True), 0, log_path(self.course.build, self.lesson.name)) as progress:
            return keep(self.course, self.lesson, students, 2, progress)

    def published(self, student: str) -> dict[str, str]:
        """Everything that tells of a student: the result, the recorded notebook, the feedback."""
        build, name = self.course.build, self.lesson.name
        paths = {
            "result": ResultStore(self.course).path(self.lesson, student),
            "autograded": build / "autograded" / student / name / f"{name}.ipynb",
            "feedback": build / "feedback" / student / name / f"{name}.html",
        }
        return {what: path.read_text(encoding="utf-8") for what, path in paths.items() if path.exists()}

    def leaks(self, student: str) -> dict[str, set[str]]:
        """The places whose canaries are found in what is published of a student."""
        return {
            what: found
            for what, text in self.published(student).items()
            if (found := {place for place, canary in CANARIES.items() if canary in text})
        }

    def processes(self) -> list[str]:
        """Command lines of the processes that were started by a template or a judge of this course, without
        the one that Python keeps for its own processes."""
        marks, found = [os.fsencode(folder) for folder in (self.course.root, self.scratch)], []
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                environment = (process / "environ").read_bytes()
                if int(process.name) != os.getpid() and any(mark in environment for mark in marks):
                    found.append((process / "cmdline").read_text().replace("\0", " "))
        return [command for command in found if "multiprocessing.resource_tracker" not in command]


def ipc_objects() -> set[str]:
    """System V objects with the attacks' key, POSIX queues, and files and sockets with the attacks' name."""
    found = set()
    for kind in ("shm", "msg", "sem"):
        with contextlib.suppress(OSError):
            lines = Path("/proc/sysvipc", kind).read_text().splitlines()[1:]
            found |= {f"{kind} {line}" for line in lines if int(line.split()[0]) == 0x41747461}
    for folder in ("/dev/mqueue", "/dev/shm", "/run/lock", "/tmp"):
        with contextlib.suppress(OSError):
            found |= {f"{folder}/{name}" for name in os.listdir(folder) if name in LEFT}
    sockets = Path("/proc/net/unix").read_text().splitlines()
    return found | {line for line in sockets if line.endswith("@attack")}
