"""Work run from top to bottom in a fresh Python, under limits, and checked there."""

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from time import monotonic
from typing import IO, Any, NamedTuple

from autograder.allowance import CELL_SECONDS, WORK_SECONDS
from autograder.document import Cell, Document
from autograder.lesson import LessonError
from autograder.moment import GRADING
from autograder.notebook import defines
from autograder.report import Report

GRACE = 5.0  # seconds that what was interrupted has to end
START = 60.0  # seconds for a fresh Python to come up, on a slow disk


class Trouble(NamedTuple):
    """A cell that did not run to its end. `kind`: an "error", a "package" of the course that is
    missing, a "stub" that raised, what only "colab" has, "time" or "late". `lacks` is the name that was not
    defined, where that is why."""

    cell: Cell
    kind: str
    what: str
    line: str
    lacks: str = ""

    def __str__(self) -> str:
        line = f", at `{self.line}`" if self.line else ""
        return f"{self.cell.title} {self.what}{line}"


class Rerun(NamedTuple):
    """How a run went: cells in trouble, the checks at its end, and the seconds it took."""

    troubles: list[Trouble]
    report: Report
    seconds: float

    @property
    def broken(self) -> list[Trouble]:
        """What has to be mended. Where a package is missing, that explains the rest; where a cell that
        defines something stopped, that explains who lacks it."""
        absent = [trouble for trouble in self.troubles if trouble.kind == "package"]
        found = [trouble for trouble in self.troubles if trouble.kind not in ("stub", "colab")]
        return absent or [
            trouble
            for number, trouble in enumerate(found)
            if not any(defines(earlier.cell.source, trouble.lacks) for earlier in found[:number])
        ]


def rerun(
    document: Document,
    tasks: list[str] | None = None,
    seconds: float = CELL_SECONDS,
    total: float = WORK_SECONDS,
) -> Rerun:
    """Run a document's code cells in a new process, then the checks of `tasks` (None: of all).

    A cell, or the checks of a task, may take so many `seconds`, and all cells `total`. Lessons shorten what
    no grade depends on, as they do for the grader. Raises `LessonError` where there are no checks, or where
    the process does not live to its end.
    """
    order = {
        "folder": str(document.path.absolute().parent),
        "cells": [(cell.number, cell.source) for cell in document.code],
        "tasks": tasks,
        "seconds": seconds,
        "total": total,
    }
    began = monotonic()
    with contextlib.closing(_fresh(order, seconds + GRACE)) as events:
        return _heard(document, events, seconds)._replace(seconds=monotonic() - began)


def _heard(document: Document, events: Iterator[list[Any]], seconds: float) -> Rerun:
    doing, troubles = "its start", []
    cells = {cell.number: cell for cell in document.code}
    for event, *more in events:
        match event:
            case "cell":
                doing = cells[more[0]].title
            case "task":
                doing = f"the checks of {more[0]}"
            case "trouble":
                troubles.append(Trouble(cells[more[0]], *more[1:]))
            case "report":
                return Rerun(troubles, Report.revived(more[0]), 0)
            case "refused":
                raise LessonError(more[0])
            case "stuck":
                advice = "does it catch every error?"
                raise LessonError(f"{doing} could not be stopped after {seconds:.0f} s: {advice}")
    raise LessonError(f"Python ended in {doing} (exit code {more[0]}): run it alone to see why")


def _fresh(order: dict[str, Any], patience: float) -> Iterator[list[Any]]:
    """What a fresh Python tells of an order, and at last ["stuck"] or ["ended", its exit code]. It is gone
    when this is closed."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "autograder.fresh"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
        env=_environment(),
        start_new_session=True,  # Ctrl-C is ours alone; on Windows, the group
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )
    try:
        yield from _events(process, order, patience)
    finally:
        _end(process)


def _events(process: subprocess.Popen, order: dict[str, Any], patience: float) -> Iterator[list[Any]]:
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(process.stdout, lines), daemon=True).start()
    _send(process.stdin, order)
    wait = START
    try:
        while line := lines.get(timeout=wait):
            yield json.loads(line)
            wait = patience
        yield ["ended", process.wait()]
    except queue.Empty:
        yield ["stuck"]


def _environment() -> dict[str, str]:
    """Ours, but with no notebook around, no windows, and known to lessons as a run that nobody watches."""
    kept = {name: value for name, value in os.environ.items() if name != "JPY_SESSION_NAME"}
    return kept | {GRADING: "1", "MPLBACKEND": "agg"}


def _send(stream: IO[str], order: dict[str, Any]) -> None:
    try:
        stream.write(json.dumps(order) + "\n")
        stream.flush()
    except OSError:  # it ended at once, which is seen soon
        pass


def _listen(stream: IO[str], lines: queue.SimpleQueue[str]) -> None:
    for line in stream:
        lines.put(line)
    lines.put("")


def _end(process: subprocess.Popen) -> None:
    """The process and what it started."""
    if process.poll() is None:
        with contextlib.suppress(OSError):  # it has just ended
            os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()
    process.wait()
    with contextlib.suppress(OSError):  # what could not be sent
        process.stdin.close()
    process.stdout.close()
