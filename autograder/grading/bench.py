"""A submission on the bench: its cells run in a sandbox, a fork replaced when it hangs or dies, under one
budget."""

import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from autograder.grading.faults import BUILTIN_KINDS
from autograder.grading.footprint import remove, remove_strays
from autograder.grading.limits import Limits
from autograder.grading.outputs import cleaned
from autograder.grading.repair import names_defined
from autograder.grading.sandboxes import (
    LimitHit,
    Sandbox,
    SpokeOutOfTurn,
    StudentProcessEnded,
    TemplateProcess,
)
from autograder.grading.work import Work
from autograder.sandbox.confinement import LANDLOCK
from autograder.sandbox.messages import Lend, LentCall, Raised, RunCell
from autograder.sandbox.wire import Value

ANSWER = "answer"  # the variable a question's cell sets


class BudgetSpent(Exception):
    """The time of the whole submission is used up."""


class Bench:
    """Answers calls of the submission's functions. Outputs and answers come from the first run of the cells:
    later forks have met hidden inputs in calls of earlier ones only, and what they display is dropped."""

    def __init__(
        self,
        template: TemplateProcess,
        work: Work,
        limits: Limits,
        seconds: float,
        scratch: Path,
        skipped: set[int],
    ):
        self._template, self._work, self._limits, self._scratch = template, work, limits, scratch
        self._deadline = time.monotonic() + seconds
        self._sandbox: Sandbox | None = None
        self._private: Path | None = None
        self._lent: tuple[str, ...] = ()
        self.skipped = skipped  # cells that ended or hung their process: each costs that once
        self._forks = 0
        self._ends: dict[int, str] = {}  # cells that did not come to their end, and why
        self.outputs: list[list[dict[str, Any]]] = [[] for _ in work.submission.cells]
        self.answers: dict[str, Value] = {}
        self.problems: list[str] = []
        self.spent: Counter[str] = Counter()  # seconds, named as in verdict.Spent

    # Cells.

    def open(self) -> None:
        """Run the cells for the first time."""
        self._ready()

    def _ready(self) -> Sandbox:
        """A sandbox in which the cells have run and what is lent is in place."""
        while self._sandbox is None:
            # A task is taken up twice, for its public and for its hidden tests; what is lent may differ.
            if self._forks >= 2 * len(self._work.tasks) + 2 + len(self.skipped):
                raise StudentProcessEnded("the submission ended its process too often to go on")
            self._forks += 1
            with self.timed("start"):
                self._sandbox = Sandbox(self._template, self._fresh_folder(), self._limits)
            if not self._run_cells(self._sandbox):
                self._drop()
        return self._sandbox

    def _run_cells(self, sandbox: Sandbox) -> bool:
        """Run every cell in order; False where one took the process with it (it is skipped in the next
        fork)."""
        for number, cell in enumerate(self._work.submission.cells):
            if number in self.skipped or cell.kind != "code" or cell.source in self._work.untouched:
                continue
            try:
                self._run_cell(sandbox, number)
            except LimitHit as hit:
                self._skip(number, f"{self._name(number)} {hit}")
                if not hit.alive:
                    return False
            except StudentProcessEnded as end:
                self._skip(number, f"{self._name(number)}: {end}")
                return False
        if self._lent:
            sandbox.ask(lambda ticket: Lend(ticket, list(self._lent)), self._limits.call)
        return True

    def _run_cell(self, sandbox: Sandbox, number: int) -> None:
        cell = self._work.submission.cells[number]
        plain = self._work.submission.kind == "python"
        watch = ANSWER if cell.id in self._work.questions else None
        seconds = self._seconds("call" if self.skipped and cell.source in self._work.lesson_cells else "cell")
        started = time.monotonic()
        ran = sandbox.ask(lambda ticket: RunCell(ticket, number, cell.source, plain, watch), seconds)
        draws = any("data" in output for output in ran.outputs)
        self.spent["pictures" if draws else "cells"] += time.monotonic() - started
        if self._forks == 1:
            self.outputs[number] = cleaned(ran.outputs, self._limits)
        if watch:
            self.answers.setdefault(cell.id, ran.watched)
        if ran.error == "MemoryError":
            raise StudentProcessEnded("the memory allowed was used up")
        if ran.error not in ("", "NotImplementedError"):  # a stub in place tells its own story
            kind = ran.error if ran.error in BUILTIN_KINDS else "an exception"
            self._ends[number] = f"{self._name(number)} stopped with {kind}"

    def _skip(self, number: int, problem: str) -> None:
        self.skipped.add(number)
        self.problems.append(problem)
        self._ends[number] = problem

    def cause_of_absence(self, name: str) -> str:
        """Which cell was to define a name and why it did not, for the TA as well; empty where none tried."""
        cells = self._work.submission.cells
        for number, end in self._ends.items():
            if name in names_defined(cells[number].source):
                cause = f"{end} before it defined `{name}`"
                if end not in self.problems and cause not in self.problems:
                    self.problems.append(cause)
                return cause
        return ""

    def _name(self, number: int) -> str:
        """How the student finds the cell again: by its number, or, in a file, by its first line."""
        cell = self._work.submission.cells[number]
        first = cell.source.strip().partition("\n")[0][:60]
        return f"`{first}`" if self._work.submission.kind == "python" else f"cell {cell.index + 1}"

    def _seconds(self, limit: str) -> float:
        """Seconds allowed now: the limit, or what is left of the whole submission's."""
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise BudgetSpent(f"the {self._limits.submission:g} s for the whole submission were used up")
        return min(getattr(self._limits, limit), left)

    # Calls.

    def lend(self, functions: tuple[str, ...]) -> None:
        """Have these functions lent by the grader from now on, in a fresh fork."""
        if functions != self._lent:
            self._drop()
            self._lent = functions

    def ask(self, make: Callable[[int], Any], answer_lent: Callable[[LentCall], Any] | None) -> Any:
        """The sandbox's answer to one request; raises LimitHit, BudgetSpent or StudentProcessEnded. A fork
        that hung, died, ran out of memory or talks out of turn is replaced before the next one."""
        self._seconds("call")
        if self._sandbox is not None and self._sandbox.talks():
            self._drop()  # what it says now was not asked by the task whose turn it is
        try:
            return self._asked(make, answer_lent)
        except SpokeOutOfTurn:  # an earlier call did, and a fork that did not make it is to be asked
            return self._asked(make, answer_lent)

    def _asked(self, make: Callable[[int], Any], answer_lent: Callable[[LentCall], Any] | None) -> Any:
        sandbox, seconds = self._ready(), self._seconds("call")
        try:
            reply = sandbox.ask(make, seconds, answer_lent)
        except LimitHit as hit:
            if not hit.alive:
                self._drop()
            raise
        except StudentProcessEnded:
            self._drop()
            raise
        if isinstance(reply, Raised) and reply.kind == "MemoryError":
            self._drop()
        return reply

    # Forks and folders.

    def _drop(self) -> None:
        if self._sandbox is not None:
            self.spent["inside"] += self._sandbox.close().seconds
            self._sandbox = None
            if LANDLOCK in self._template.lacking:
                remove_strays(self._template.owner[0])
        self._remove_folder()

    def _fresh_folder(self) -> Path:
        self._private = Path(tempfile.mkdtemp(dir=self._scratch))
        for name, data in self._work.files.items():
            path = self._private / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        if self._template.owner:
            for path in (self._private, *self._private.rglob("*")):
                os.chown(path, *self._template.owner)
        return self._private

    def _remove_folder(self) -> None:
        if self._private is not None:
            remove(self._private)
            self._private = None

    def close(self) -> None:
        """End the fork and remove what it wrote."""
        self._drop()

    @contextmanager
    def timed(self, part: str) -> Iterator[None]:
        """Count the seconds of what is done meanwhile; what is counted apart in between counts there only."""
        started, apart = time.monotonic(), self._accounted()
        try:
            yield
        finally:
            self.spent[part] += time.monotonic() - started - (self._accounted() - apart)

    def _accounted(self) -> float:
        return sum(seconds for part, seconds in self.spent.items() if part != "inside")
