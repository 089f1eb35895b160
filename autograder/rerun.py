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
from pathlib import Path
from time import monotonic
from typing import IO, Any, NamedTuple

from autograder.allowance import CELL_SECONDS, WORK_SECONDS
from autograder.document import Cell, Document
from autograder.lesson import LessonError
from autograder.moment import GRADING
from autograder.report import Report

GRACE = 5.0  # seconds that what was interrupted has to end
START = 60.0  # seconds for a fresh Python to come up, on a slow disk


class Trouble(NamedTuple):
    """A cell that did not run to its end. `kind`: an "error", a "package" of the course that is
    missing, a "stub" that raised, what only "colab" has, "time" or "late"."""

    cell: Cell
    kind: str
    what: str
    line: str

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
        """What has to be mended. Where a package is missing, that explains the rest."""
        absent = [trouble for trouble in self.troubles if trouble.kind == "package"]
        return absent or [trouble for trouble in self.troubles if trouble.kind not in ("stub", "colab")]


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
    began, doing, troubles, report = monotonic(), "its start", [], None
    cells = {cell.number: cell for cell in document.code}
    order = {
        "folder": str(document.path.absolute().parent),
        "cells": [(cell.number, cell.source) for cell in document.code],
        "tasks": tasks,
        "seconds": seconds,
        "total": total,
    }
    for event, *more in _Fresh(order, patience=seconds + GRACE):
        match event:
            case "cell":
                doing = cells[more[0]].title
            case "task":
                doing = f"the checks of {more[0]}"
            case "trouble":
                troubles.append(Trouble(cells[more[0]], *more[1:]))
            case "report":
                report = Report.revived(more[0])
            case "refused":
                raise LessonError(more[0])
            case "stuck":
                advice = "does it catch every error?"
                raise LessonError(f"{doing} could not be stopped after {seconds:.0f} s: {advice}")
            case "ended":
                raise LessonError(f"Python ended in {doing} (exit code {more[0]}): run it alone to see why")
    assert report is not None
    return Rerun(troubles, report, monotonic() - began)


class _Fresh:
    """A fresh Python at work: iterating gives what it tells, then "stuck" or "ended" where it did not finish.

    It is gone when the iteration ends, however that happens.
    """

    def __init__(self, order: dict[str, Any], patience: float):
        self._order, self._patience = order, patience

    def __iter__(self) -> Iterator[list[Any]]:
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
            yield from self._events(process)
        finally:
            _end(process)

    def _events(self, process: subprocess.Popen) -> Iterator[list[Any]]:
        events: queue.SimpleQueue[list[Any]] = queue.SimpleQueue()
        threading.Thread(target=_listen, args=(process.stdout, events), daemon=True).start()
        _send(process.stdin, self._order)
        patience = START
        while True:
            try:
                event = events.get(timeout=patience)
            except queue.Empty:
                event = ["stuck"]
            if event == ["ended"]:
                event.append(process.wait())
            if event == ["done"]:
                return
            yield event
            if event[0] in ("stuck", "ended"):
                return
            patience = self._patience


def _environment() -> dict[str, str]:
    """Ours, but with no notebook around, no windows, and known to lessons as a run that nobody watches."""
    kept = {name: value for name, value in os.environ.items() if name != "JPY_SESSION_NAME"}
    return kept | {GRADING: "1", "MPLBACKEND": "agg"}


def _send(stream: IO[str], order: dict[str, Any]) -> None:
    try:
        json.dump(order, stream)
        stream.close()
    except OSError:  # it ended at once, which is seen soon
        pass


def _listen(stream: IO[str], events: queue.SimpleQueue[list[Any]]) -> None:
    for line in stream:
        events.put(json.loads(line))
    events.put(["ended"])


def _end(process: subprocess.Popen) -> None:
    """The process and what it started."""
    if process.poll() is None:
        with contextlib.suppress(OSError):  # it has just ended
            os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()
    process.wait()
    process.stdout.close()


def work_at(path: str | os.PathLike[str]) -> Path:
    """The file that somebody means by a path: a folder stands for the one notebook in it. `LessonError`."""
    given = Path(path)
    if not given.is_dir():
        return given
    found = sorted(given.glob("*.ipynb"))
    if len(found) != 1:
        raise LessonError(f"{given} is a folder with {len(found)} notebooks: give the path of one")
    return found[0]
