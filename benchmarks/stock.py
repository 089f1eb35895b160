"""A lesson of ours as a course of stock nbgrader: hidden tests in the notebook, everything else as it comes.

course = StockCourse(lesson, folder)
course.hand_in("ada", notebook)
course.autograde("ada").seconds, course.scores()["ada"]
"""

import contextlib
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import nbformat
from inlined import hidden_tests
from nbgrader.api import Gradebook

from autograder.grading.course import Lesson
from autograder.grading.errors import CourseError
from autograder.grading.limits import MIB

# What nbgrader's documentation lets a new course start with. The limit is its default, said aloud.
CONFIG = """\
c = get_config()
c.CourseDirectory.course_id = "stock"
c.ExecutePreprocessor.timeout = 30
c.ExecutePreprocessor.interrupt_on_timeout = True
"""
MEMORY = 4096 * MIB  # of each process: nbgrader sets no bound, but the machine must live
OPEN_FILES = 1024
GRACE = 2.0  # seconds in which a kernel may end after nbgrader has


@dataclass(frozen=True)
class Run:
    """One command of nbgrader's: `over` says that it was ended after its time, `left` the processes that it
    left (they have been ended)."""

    code: int
    seconds: float
    text: str
    over: bool
    left: tuple[str, ...]


class StockCourse:
    """The lesson released by stock nbgrader in the folder `root`, which is made. `environment` is what its
    commands find in theirs, beside what they need; `seconds` is the most that one may take."""

    def __init__(
        self, lesson: Lesson, root: Path, environment: Mapping[str, str] | None = None, seconds: float = 300
    ):
        self.lesson, self.root, self._seconds = lesson, root.resolve(), seconds
        self.home = self.root.with_name(f"{root.name}-home")
        self.temporary = self.root.with_name(f"{root.name}-tmp")
        for folder in (self.root, self.home, self.temporary):
            folder.mkdir(parents=True)
        programs = os.pathsep.join([str(Path(sys.executable).parent), "/usr/local/bin", "/usr/bin", "/bin"])
        own = {"HOME": str(self.home), "TMPDIR": str(self.temporary), "PATH": programs, "LANG": "C.UTF-8"}
        self.environment = own | dict(environment or {})
        (self.root / "nbgrader_config.py").write_text(CONFIG)

    def write_source(self, extra: Mapping[str, list[str]] | None = None) -> None:
        """Put the lesson's notebook, hidden tests in its grade cells, where nbgrader looks for it. `extra`
        are further lines of hidden tests, by task."""
        shutil.copytree(self.lesson.built.parent, self.source.parent)
        notebook = nbformat.read(self.source, 4)
        tests = hidden_tests(self.lesson.root, self.lesson.name)
        for cell in notebook.cells:
            task = cell.metadata.get("nbgrader", {}).get("grade_id", "")
            if task in tests:
                lines = ["import numpy as np", *tests[task], *(extra or {}).get(task, [])]
                cell.source += "\n".join(["", "### BEGIN HIDDEN TESTS", *lines, "### END HIDDEN TESTS"])
        nbformat.write(notebook, self.source)

    def release(self) -> None:
        """CourseError where nbgrader does not release the lesson."""
        run = self._run("generate_assignment", self.lesson.name)
        released = self.root / "release" / self.lesson.name / self.source.name
        if run.code or "HIDDEN TESTS" in released.read_text(encoding="utf-8"):
            raise CourseError(f"stock nbgrader did not release {self.lesson.name}: see {self._log}.")

    @property
    def source(self) -> Path:
        return self.root / "source" / self.lesson.name / f"{self.lesson.name}.ipynb"

    @property
    def _log(self) -> Path:
        return self.root / "nbgrader.log"

    def hand_in(self, student: str, notebook: bytes, files: Mapping[str, str] | None = None) -> None:
        """Put a notebook, and files beside it, where nbgrader looks for what students handed in."""
        folder = self.root / "submitted" / student / self.lesson.name
        folder.mkdir(parents=True)
        (folder / self.source.name).write_bytes(notebook)
        for name, text in (files or {}).items():
            (folder / name).write_text(text, encoding="utf-8")

    def autograde(self, student: str = "*", again: bool = True) -> Run:
        """Grade one student, or everybody; `again`, too, who has been graded."""
        return self._run("autograde", self.lesson.name, f"--student={student}", *["--force"] * again)

    def feedback(self, student: str = "*") -> Run:
        return self._run("generate_feedback", self.lesson.name, f"--student={student}", "--force")

    def autograded(self, student: str) -> Path:
        return self.root / "autograded" / student / self.lesson.name / self.source.name

    def page(self, student: str) -> Path:
        """The feedback a student gets."""
        return self.root / "feedback" / student / self.lesson.name / f"{self.lesson.name}.html"

    def scores(self) -> dict[str, dict[str, float]]:
        """The points of everybody whom nbgrader's gradebook knows, by task."""
        with Gradebook(f"sqlite:///{self.root / 'gradebook.db'}") as gradebook:
            return {
                submission.student.id: {grade.name: grade.score for grade in notebook.grades}
                for submission in gradebook.assignment_submissions(self.lesson.name)
                for notebook in submission.notebooks
            }

    def _run(self, *words: str) -> Run:
        """Run nbgrader in a process group of its own, under limits, and end whatever it leaves."""
        started, over = time.monotonic(), False
        with self._log.open("w+", encoding="utf-8", errors="replace") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "nbgrader", *words], cwd=self.root, env=self.environment,
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
            )
            resource.prlimit(process.pid, resource.RLIMIT_DATA, (MEMORY, MEMORY))
            resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (OPEN_FILES, OPEN_FILES))
            try:
                process.wait(self._seconds)
            except subprocess.TimeoutExpired:
                over = True
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            finally:
                left = self._end_what_is_left()
        text = self._log.read_text(encoding="utf-8", errors="replace")
        return Run(process.returncode, time.monotonic() - started, text, over, tuple(left.values()))

    def _end_what_is_left(self) -> dict[int, str]:
        """End the processes that nbgrader left, kernels have sessions of their own; their command lines."""
        deadline = time.monotonic() + GRACE
        while (left := self._processes()) and time.monotonic() < deadline:
            time.sleep(0.1)
        for process in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        return left

    def _processes(self) -> dict[int, str]:
        """The processes with this course's home in their environment, but for this one and the dead."""
        mark, found = os.fsencode(f"HOME={self.home}\0"), {}
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if mark in (process / "environ").read_bytes() and int(process.name) != os.getpid():
                    found[int(process.name)] = (process / "cmdline").read_text().replace("\0", " ").strip()
        return found
