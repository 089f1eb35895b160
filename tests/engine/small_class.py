"""A small class of the small course: hands in, keeps results as a grading would, and records them."""

import json
from collections.abc import Callable
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.converters import Autograde
from nbgrader.coursedir import CourseDirectory
from rich.console import Console
from traitlets.config.loader import PyFileConfigLoader

from autograder.grading import gradebook, intake
from autograder.grading.course import Course
from autograder.grading.limits import Limits
from autograder.grading.progress import RunProgress, log_path
from autograder.grading.results import ResultKeys, ResultStore
from autograder.grading.run import keep
from autograder.grading.verdict import SubmissionResult, TaskResult, TestResult, Verdict

RIGHT = "def level(hours):\n    return np.sin(np.asarray(hours) / 2)"
SUITES = {
    "test_level.py": '''
import numpy as np
from autograder.grading.suite import same

def test_noon(student):
    """The height at noon."""
    same(student.level(12.0), np.sin(6.0))

def test_night(student, rng):
    """The height at night."""
    hours = rng.uniform(18, 24, 3)
    same(student.level(hours), np.sin(hours / 2))
''',
    "test_cause.py": '''"""Because of the far side."""
from autograder.grading.suite import choice

def test_choice(student):
    """The right letter."""
    choice(student.answer, "b")
''',
    "misconceptions.py": "",
}
EVIL = "<script>alert(1)</script>"


def written(text: str) -> Callable[[dict], None]:
    """A change of the released notebook: the stub holds this text."""

    def change(notebook: dict) -> None:
        next(cell for cell in notebook["cells"] if cell["id"] == "level_stub")["source"] = text

    return change


def stock_run(course: Course) -> None:
    """What `nbgrader autograde tides` does."""
    config = PyFileConfigLoader("nbgrader_config.py", path=str(course.root)).load_config()
    coursedir = CourseDirectory(config=config, assignment_id="tides")
    Autograde(config=config, coursedir=coursedir).start()


class Class:
    """A small class: hands in, and keeps results as a grading would."""

    def __init__(self, course: Course):
        self.course, self.lesson = course, course.lesson("tides")
        self.store = ResultStore(course)

    def folder(self, step: str, student: str) -> Path:
        return self.course.build / step / student / "tides"

    def write_suites(self) -> None:
        """Hidden suites, for what grades in earnest."""
        self.lesson.hidden.mkdir(parents=True)
        for name, text in SUITES.items():
            (self.lesson.hidden / name).write_text(text, encoding="utf-8")

    def hand_in(self, student: str, change=lambda notebook: None) -> None:
        notebook = json.loads(self.lesson.release.read_text(encoding="utf-8"))
        written(RIGHT)(notebook)
        change(notebook)
        self.folder("submitted", student).mkdir(parents=True)
        (self.folder("submitted", student) / "tides.ipynb").write_text(json.dumps(notebook))
        intake.take_in(self.course, self.lesson, student)

    def result(
        self, student: str, level: float = 1.3, verdict: Verdict = Verdict.FAILED, **more
    ) -> SubmissionResult:
        tests = [
            TestResult("test_noon", Verdict.PASSED, "", "The height at noon."),
            TestResult("test_night", verdict, f"it is {EVIL}", "The height at night."),
        ]
        tasks = [
            TaskResult("level", verdict, level, 2.0, tests=tests),
            TaskResult("cause", Verdict.PASSED, 1.0, 1.0),
        ]
        key = ResultKeys(self.course, self.lesson, Limits()).key(student)
        known = intake.problems(self.course, self.lesson, student)
        return SubmissionResult(student, "tides", **{"problems": known, "tasks": tasks, "key": key} | more)

    def grade(self, student: str, *args, **more) -> None:
        self.store.save(self.lesson, self.result(student, *args, **more))

    def record(self, *students: str, jobs: int = 1) -> list[str]:
        with RunProgress(Console(quiet=True), 0, log_path(self.course.build, self.lesson.name)) as progress:
            return keep(self.course, self.lesson, students, jobs, progress)

    def scores(self) -> dict[str, float]:
        return gradebook.scores(self.course, self.lesson)

    def autograded(self, student: str):
        return json.loads((self.folder("autograded", student) / "tides.ipynb").read_text(encoding="utf-8"))

    def page(self, student: str) -> Path:
        return self.folder("feedback", student) / "tides.html"

    def gradebook(self) -> Gradebook:
        return Gradebook(f"sqlite:///{self.course.build / 'gradebook.db'}")
