"""What a run shows while it goes on: a live picture in a terminal, else a line at times; and its log."""

import time
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TextIO

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from autograder.grading.reader import printable
from autograder.grading.table import SYMBOLS
from autograder.grading.verdict import SubmissionResult, Verdict

EVERY = 10.0  # seconds between two lines where the output is no terminal


class RunProgress:
    """Told of each submission that is started and finished. `log` is a file that gets a line for each."""

    def __init__(self, console: Console, total: int, log: Path):
        self._console, self._total, self._log_path = console, total, log
        self._running: dict[str, float] = {}
        self._verdicts: Counter[Verdict] = Counter()
        self._done = self._step_done = 0
        self._step: tuple[str, int] | None = None
        self._began = self._said = time.monotonic()
        self._log_file: TextIO | None = None
        self._live = Live(get_renderable=self._picture, console=console, transient=True)

    def __enter__(self) -> "RunProgress":
        self._log_path.parent.mkdir(parents=True, exist_ok=True)
        self._log_file = self._log_path.open("a", encoding="utf-8", errors="backslashreplace", buffering=1)
        self.log(f"{self._total} to grade")
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, _: TracebackType | None) -> None:
        if self._live.is_started:
            self._live.stop()
        self.log(f"{'stopped' if kind else 'ended'}: {self.line()}")
        self._log_file.close()

    def started(self, student: str) -> None:
        self._running[student] = time.monotonic()

    def finished(self, result: SubmissionResult) -> SubmissionResult:
        """Count the result and pass it on."""
        self._running.pop(result.student, None)
        self._done += 1
        self._verdicts.update(task.verdict for task in result.tasks)
        self.log(_record(result))
        if not self._console.is_terminal and time.monotonic() - self._said >= EVERY:
            self._said = time.monotonic()
            self._console.print(self.line(), markup=False, highlight=False)
        return result

    def step(self, name: str, total: int) -> Callable[[int], None]:
        """What follows the grading: a function that is told how many more are done of it."""
        self._step, self._step_done = (name, total), 0

        def advance(count: int) -> None:
            self._step_done += count

        return advance

    def say(self, text: str) -> None:
        """A message in between, which also goes into the log."""
        self.log(text)
        self._console.print(text, markup=False, highlight=False)

    def line(self) -> str:
        """Everything in one line."""
        counts = ", ".join(f"{count} {verdict}" for verdict, count in self._counts())
        slowest = f"; slowest now: {self._slowest()}" if self._running else ""
        return f"{self._done} of {self._total} graded, {self._pace()}; tasks: {counts or 'none yet'}{slowest}"

    def _picture(self) -> Group:
        bar = Table.grid(padding=(0, 1), expand=True)
        bar.add_column(ratio=1)
        if self._step:
            name, total = self._step
            bar.add_row(ProgressBar(total, self._step_done), f"{self._step_done}/{total}", name)
        else:
            bar.add_row(ProgressBar(self._total, self._done), f"{self._done}/{self._total}", self._pace())
        counts = [
            (f"{SYMBOLS[verdict][0]} {count} {verdict}   ", SYMBOLS[verdict][1])
            for verdict, count in self._counts()
        ]
        slowest = Text(f"slowest now: {self._slowest()}", "dim", no_wrap=True, overflow="ellipsis")
        return Group(bar, Text.assemble("tasks: ", *counts), slowest)

    def _counts(self) -> list[tuple[Verdict, int]]:
        return [(verdict, self._verdicts[verdict]) for verdict in Verdict if self._verdicts[verdict]]

    def _pace(self) -> str:
        seconds = time.monotonic() - self._began
        if not self._done:
            return f"{_spoken(seconds)} so far"
        left = (self._total - self._done) * seconds / self._done
        return f"{self._done / seconds:.1f} a second, {_spoken(left)} left"

    def _slowest(self) -> str:
        if not self._running:
            return "nobody"
        student, began = min(self._running.items(), key=lambda item: item[1])
        return f"{printable(student)} ({_spoken(time.monotonic() - began)})"

    def log(self, text: str) -> None:
        """A line for the log only."""
        self._log_file.write(f"{datetime.now().astimezone().isoformat(timespec='seconds')} {text}\n")


def log_path(build: Path, lesson: str) -> Path:
    """The log of a run that begins now."""
    return build / "logs" / f"{lesson}-{datetime.now():%Y%m%d-%H%M%S}.log"


def _record(result: SubmissionResult) -> str:
    tasks = " ".join(f"{task.name}={task.verdict}" for task in result.tasks)
    problems = "".join(f"; {' '.join(problem.split())}" for problem in result.problems)
    points = f"{result.points:g}/{result.max_points:g}"
    return f"{printable(result.student)} {points} in {result.seconds:.1f} s: {tasks}{problems}"


def _spoken(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"
