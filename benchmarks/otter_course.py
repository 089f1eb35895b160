"""A lesson of ours as an assignment of otter-grader: the same hidden tests, in its own kind of test file."""

import json
import os
import sys
from pathlib import Path

from inlined import hidden_tests
from measured import Cost, measured

from autograder.grading.course import Lesson

CONFIG = {"seed": 1, "pdf": False}  # no answer is printed for hand grading: ours and nbgrader print none


class OtterCourse:
    """The lesson's autograder zip in the folder `root`, which is made."""

    def __init__(self, lesson: Lesson, root: Path):
        self.lesson, self.root = lesson, root.resolve()
        tests = self.root / "tests"
        tests.mkdir(parents=True)
        (self.root / "out").mkdir()
        for task, lines in hidden_tests(lesson.root, lesson.name).items():
            points = next(each.points for each in lesson.tasks if each.name == task)
            (tests / f"{task}.py").write_text(_test_file(task, points, lines), encoding="utf-8")
        (self.root / "otter_config.json").write_text(json.dumps(CONFIG))
        self._otter("generate", "--tests-dir", "tests", "--output-path", "autograder.zip")

    def run(self, notebook: Path) -> tuple[Cost, float]:
        """Grade one notebook: what that cost, and the points."""
        out = self.root / "out"
        cost = self._otter("run", "--no-logo", "-a", "autograder.zip", "-o", str(out), str(notebook))
        results = json.loads((out / "results.json").read_text(encoding="utf-8"))
        return cost, sum(test["score"] for test in results["tests"] if "score" in test)

    def _otter(self, *words: str) -> Cost:
        home = {"HOME": str(self.root), "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
        return measured([str(Path(sys.executable).with_name("otter")), *words], self.root, os.environ | home)


def _test_file(task: str, points: float, lines: list[str]) -> str:
    """A test file with one doctest of all lines: otter counts a case as passed or not."""
    code = "\n".join(f">>> {line}" for line in ["import numpy as np", *lines])
    code = "\n".join(f"{line}\n..." if line.startswith(">>> for ") else line for line in code.splitlines())
    suite = {"cases": [{"code": code, "hidden": True, "locked": False}], "scored": True, "setup": "",
             "teardown": "", "type": "doctest"}
    return f"OK_FORMAT = True\n\ntest = {{'name': {task!r}, 'points': {points}, 'suites': [{suite!r}]}}\n"
