"""The hidden suites of a lesson, collected by pytest once in this process, and one pass of them over one
submission, with `student` as their fixture."""

import importlib
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from autograder.grading.bench import Bench
from autograder.grading.misconceptions import Misconception, load, recognise
from autograder.grading.secret import seed
from autograder.grading.faults import StudentFault
from autograder.grading.student import Given, Student
from autograder.grading.cells import Submission
from autograder.grading.suite import Mismatch, NoAnswer
from autograder.grading.verdict import TestResult, Verdict, task_verdict
from autograder.script import lines_of

MARKERS = (
    "gate: without this test the rest of the task earns at most a tenth",
    "weight(number): the test's share within its task (default 1)",
    "public: inputs and expected values stand in the lesson, so that numbers may be shown",
    "leans_on(*names): functions and classes this task may be judged with as lent by the grader",
    "open_ended: many answers are right, so that a slightly different one may be right too",
)


# Of pytest's own: each costs time at every start, the garbage collections of some of them most of all.
UNUSED_PLUGINS = (
    "cacheprovider",
    "terminal",
    "faulthandler",
    "unraisableexception",
    "threadexception",
    "warnings",
    "logging",
    "doctest",
    "junitxml",
    "pastebin",
    "stepwise",
    "unittest",
    "recwarn",
    "tmpdir",
    "monkeypatch",
)


class TaskPass(msgspec.Struct):
    """What one pass found of one task; `mistake` is the name and hint of a known one."""

    tests: list[TestResult] = []
    leans_on: list[str] = []
    explanation: str = ""
    mistake: tuple[str, str] | None = None


class SuiteFailure(Exception):
    """The suite itself failed: our fault."""


class Judging:
    """The pytest plugin. What pytest collected serves one pass, over what was taken up: the next one is to be
    run in another fork of this process."""

    def __init__(self, reference: Any, secret: bytes, known: list[Misconception], given: Given | None = None):
        self._reference, self._secret, self._known, self._given = reference, secret, known, given
        self._items: list[pytest.Item] = []
        self._item: pytest.Item | None = None  # the one that is running
        self.students: dict[str, Student] = {}
        self._passes: dict[str, TaskPass] = defaultdict(TaskPass)
        self._bench: Bench | None = None
        self._submission: Submission | None = None
        self._lent: dict[str, list[str]] = {}

    def take_up(self, bench: Bench, submission: Submission, lent: dict[str, list[str]]) -> None:
        """What the pass will be over, and the functions to lend to each task."""
        self._bench, self._submission, self._lent = bench, submission, lent

    def run(self, tasks: Iterable[str]) -> dict[str, TaskPass]:
        """Run the tests of these tasks."""
        chosen = [item for item in self._items if task_of(item) in tasks]
        for item, following in zip(chosen, [*chosen[1:], None]):
            self._item = item  # pytest's own `request` would cost a test as much as its call
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        return {task: self._passes[task] for task in tasks}

    def name_mistakes(self) -> None:
        """Name the known mistake in every task that did not pass."""
        for task, student in self.students.items():
            found = self._passes[task]
            if task_verdict(found.tests) not in (Verdict.PASSED, Verdict.MISSING):
                of_task = [item for item in self._known if item.task == task]
                mistake = recognise(task, student.calls, vars(self._reference), of_task)
                found.mistake = (mistake.name, mistake.hint) if mistake else None

    def counts(self) -> dict[str, int]:
        """The number of tests of each task."""
        return Counter(map(task_of, self._items))

    def pytest_configure(self, config: pytest.Config) -> None:
        for marker in MARKERS:
            config.addinivalue_line("markers", marker)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Public tests first, of all tasks: what their messages may quote comes from a process that has not
        yet met a hidden input and so cannot have remembered one."""
        items.sort(key=lambda item: item.get_closest_marker("public") is None)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._items = session.items
        for item in session.items:
            found = self._passes[task_of(item)]
            lean = item.get_closest_marker("leans_on")
            found.leans_on = list(lean.args) if lean else []
            found.explanation = _explanation(item)
            _ = item.location  # which pytest would work out anew in every fork

    @pytest.fixture
    def student(self) -> Student:
        return self._student(task_of(self._item))

    @pytest.fixture
    def rng(self) -> np.random.Generator:
        task, name = task_of(self._item), self._item.name
        return np.random.default_rng(seed(self._secret, self._submission.student, task, name))

    def _student(self, task: str) -> Student:
        lent = tuple(self._lent.get(task, ()))
        self._bench.lend(lent)
        if task not in self.students:
            functions = {name: getattr(self._reference, name) for name in lent}
            self.students[task] = Student(self._bench, task, functions, self._given)
        return self.students[task]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo) -> pytest.TestReport:
        """The record of a test; pytest's own report is left bare, since to draw one traceback costs 100
        ms."""
        if call.when == "call" or call.excinfo is not None:
            error = call.excinfo.value if call.excinfo else None
            self._passes[task_of(item)].tests.append(self._result(item, call.when, error))
        outcome = "failed" if call.excinfo else "passed"
        return pytest.TestReport(item.nodeid, item.location, {}, outcome, None, call.when)

    def _result(self, item: pytest.Item, when: str, error: BaseException | None) -> TestResult:
        public = item.get_closest_marker("public") is not None
        verdict, message = describe(error, public, self._submission)
        if when != "call" and verdict is not Verdict.INTERNAL and not isinstance(error, StudentFault):
            verdict = Verdict.INTERNAL  # a fixture of ours failed
        weight = item.get_closest_marker("weight")
        return TestResult(
            name=item.name,
            verdict=verdict,
            message=message,
            property=_property(item),
            weight=float(weight.args[0]) if weight else 1.0,
            gate=item.get_closest_marker("gate") is not None,
        )


def task_of(item: pytest.Item) -> str:
    """The task a hidden test belongs to: the suite is `test_<task>.py`."""
    return item.path.stem.removeprefix("test_")


def _property(item: pytest.Item) -> str:
    return " ".join((getattr(item.obj, "__doc__", None) or "").split())


def _explanation(item: pytest.Item) -> str:
    """The text shown after grading whatever was answered: the docstring of a suite that judges an answer."""
    return " ".join((item.module.__doc__ or "").split()) if "choice" in vars(item.module) else ""


def describe(error: BaseException | None, public: bool, submission: Submission) -> tuple[Verdict, str]:
    """The verdict on how a test ended, and what a student may read about it."""
    match error:
        case None:
            return Verdict.PASSED, ""
        case StudentFault():
            return error.verdict, _fault_text(error, public, submission)
        case Mismatch():
            return Verdict.FAILED, f"{error.reason} {error.details}".strip() if public else error.reason
        case NoAnswer():
            return Verdict.MISSING, str(error)
        case AssertionError():
            return Verdict.FAILED, ""
    return Verdict.INTERNAL, f"{type(error).__name__}: {error}"


def _fault_text(fault: StudentFault, public: bool, submission: Submission) -> str:
    text = str(fault)
    if fault.verdict is not Verdict.ERROR or not fault.kind:
        return f"{text[0].upper()}{text[1:]}."
    where = _own_line(fault, submission)
    said = f" It said: {fault.public_text}" if public and fault.public_text else ""
    return f"Your code raised {text}{where}.{said}"


def _own_line(fault: StudentFault, submission: Submission) -> str:
    if not 0 <= fault.cell < len(submission.cells):
        return ""
    lines, line = lines_of(submission.cells[fault.cell].source), fault.line
    if submission.kind == "notebook":  # IPython takes off, and does not count, blank lines at the top
        line += next((number for number, text in enumerate(lines) if text.strip()), 0)
    if not 1 <= line <= len(lines):
        return ""
    place = f"line {line} of its cell" if submission.kind == "notebook" else "this line"
    return f" at {place}: `{lines[line - 1].strip()[:120]}`"


def with_suites(judging: Judging, hidden: Path, tasks: list[str], use: Callable[[], None]) -> None:
    """Have pytest collect the suites of these tasks, and call `use` in the place of its own loop over the
    tests. SuiteFailure where they cannot be collected, and `use` is not called, or where `use` raises. May be
    called once in a process: pytest run twice may hold on to the suites of the first time."""
    files = [str(hidden / f"test_{task}.py") for task in tasks]
    arguments = [
        *files,
        "-c",
        os.devnull,
        f"--rootdir={hidden}",
        f"--confcutdir={hidden}",  # no conftest.py from further up, which belongs to other tests
        "--import-mode=importlib",
        "--strict-markers",
        "--assert=plain",
        "--capture=no",
        *(f"-pno:{plugin}" for plugin in UNUSED_PLUGINS),
    ]
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    loop = _Loop(use)
    code = pytest.main(arguments, plugins=[judging, loop])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        ended = f"pytest ended with {pytest.ExitCode(code).name} on the suites of {', '.join(tasks)}"
        raise SuiteFailure(loop.failure or ended)


class _Loop:
    """Takes the place of pytest's loop over the tests, where all could be collected."""

    def __init__(self, use: Callable[[], None]):
        self._use = use
        self.failure = ""  # to collect, the first one

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and not self.failure:
            lines = [line.removeprefix("E").strip() for line in report.longreprtext.splitlines()]
            reason = next((line for line in reversed(lines) if line), report.outcome)
            self.failure = f"{report.nodeid} cannot be collected: {reason}"

    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        if session.testsfailed or not session.items:
            return None  # pytest's own says so
        self._use()
        return True


def load_given(hidden: Path) -> Given | None:
    """The public modules of a lesson's suite, where it has any."""
    path = hidden / "given.py"
    return Given(path.read_text(encoding="utf-8"), vars(load(path))) if path.exists() else None


def load_reference(root: Path, lesson: str) -> Any:
    """The reference solutions of a lesson, as the hidden suites import them."""
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    return importlib.import_module(f"solutions.{lesson}")
