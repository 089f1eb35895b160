"""What a grading says: verdicts, scores, and the records that are stored, shown and exported."""

from enum import StrEnum
from typing import Any

import msgspec


class Verdict(StrEnum):
    """How a test, and a task, ended. The set is closed, and our own fault (`INTERNAL`) is apart from the
    student's."""

    PASSED = "passed"
    FAILED = "failed"  # an answer came, and it is wrong
    ERROR = "error"  # the student's code raised
    TIMEOUT = "timeout"  # a limit was hit
    MISSING = "missing"  # no such function, or the stub was left in place
    INTERNAL = "internal"  # the grader failed: never a student's zero


class TestResult(msgspec.Struct, frozen=True):
    """One hidden test: `property` is the sentence a student may read, `message` what came of it."""

    __test__ = False  # not a test class of pytest's

    name: str
    verdict: Verdict
    message: str = ""
    property: str = ""
    weight: float = 1.0
    gate: bool = False


class TaskResult(msgspec.Struct, frozen=True):
    """One task. `misconception` and `hint` name the mistake where it is a known one; `lent` lists the
    functions the grader lent so that an earlier mistake was not paid for twice; `explanation` is shown
    whatever came."""

    name: str
    verdict: Verdict
    points: float
    max_points: float
    misconception: str | None = None
    hint: str = ""
    lent: list[str] = []
    explanation: str = ""
    tests: list[TestResult] = []


class Spent(msgspec.Struct, frozen=True):
    """Where the seconds of a grading went: sandboxes started, cells run, those of them that display pictures,
    the suite with the calls it makes, naming mistakes. `inside` are the processor's seconds in the sandbox,
    those of the student's code and of its pictures."""

    start: float = 0.0
    cells: float = 0.0
    pictures: float = 0.0
    suite: float = 0.0
    naming: float = 0.0
    inside: float = 0.0

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(*(a + b for a, b in zip(msgspec.structs.astuple(self), msgspec.structs.astuple(other))))


class SubmissionResult(msgspec.Struct, frozen=True):
    """One submission. `outputs` holds, cell by cell of the submitted notebook, what running it displayed
    (nbformat outputs; empty for a `.py` file); `problems` is what a TA should know; `key` tells a fresh
    result from a stale one; `lacking` are the walls of the sandbox that did not stand, as may be in a
    container of its own only."""

    student: str
    assignment: str
    problems: list[str]
    tasks: list[TaskResult]
    outputs: list[list[dict[str, Any]]] = []
    key: str = ""
    seconds: float = 0.0
    spent: Spent = Spent()
    lacking: list[str] = []

    @property
    def points(self) -> float:
        return round(sum(task.points for task in self.tasks), 4)

    @property
    def max_points(self) -> float:
        return sum(task.max_points for task in self.tasks)

    @property
    def internal(self) -> bool:
        return any(task.verdict is Verdict.INTERNAL for task in self.tasks)

    def task(self, name: str) -> TaskResult | None:
        return next((task for task in self.tasks if task.name == name), None)

    def report(self) -> dict[str, Any]:
        """The published JSON record: what outside scripts read."""
        return {
            "student": self.student,
            "assignment": self.assignment,
            "points": self.points,
            "max_points": self.max_points,
            "problems": self.problems,
            "tasks": [_task_report(task) for task in self.tasks],
        }


def _task_report(task: TaskResult) -> dict[str, Any]:
    tests = [{"name": t.name, "verdict": str(t.verdict), "message": t.message} for t in task.tests]
    return {
        "name": task.name,
        "verdict": str(task.verdict),
        "points": task.points,
        "max_points": task.max_points,
        "misconception": task.misconception,
        "tests": tests,
    }


def score(tests: list[TestResult], max_points: float) -> float:
    """Points of a task: the passed share of the weights, at most a tenth while a gate is not passed."""
    total = sum(test.weight for test in tests)
    share = sum(test.weight for test in tests if test.verdict is Verdict.PASSED) / total if total else 0.0
    if any(test.gate and test.verdict is not Verdict.PASSED for test in tests):
        share = min(share, 0.1)
    return round(share * max_points, 4)


def task_verdict(tests: list[TestResult]) -> Verdict:
    """The verdict of a task: internal, then timeout, win over all; missing only where nothing was there."""
    verdicts = {test.verdict for test in tests}
    if not verdicts:
        return Verdict.INTERNAL
    for decisive in (Verdict.INTERNAL, Verdict.TIMEOUT):
        if decisive in verdicts:
            return decisive
    if verdicts == {Verdict.MISSING} or verdicts == {Verdict.PASSED}:
        return verdicts.pop()
    return Verdict.FAILED if Verdict.FAILED in verdicts else Verdict.ERROR
