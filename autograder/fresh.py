"""The inside of a fresh Python: `python -m autograder.fresh` runs work from top to bottom, then its checks.

What to run comes as a line of JSON on standard input, which stays open as long as somebody listens; what
happened goes out as lines of JSON. What the work itself prints, or writes to the same places, goes nowhere.
"""

import json
import linecache
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

from autograder.check import check
from autograder.failure import named, place
from autograder.lesson import LessonError, load
from autograder.packages import absence, is_needed
from autograder.report import Report

Tell = Callable[..., None]


def main() -> None:
    """Run one order: {"folder", "cells": [[number, source]], "tasks": [...] or None, "seconds", "total"}."""
    order = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with, args=(os.dup(0),), daemon=True).start()
    tell = _channel()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
    os.chdir(order["folder"])
    sys.path.insert(0, "")  # modules beside the notebook, as in a kernel
    try:
        checks = load()
        tasks = order["tasks"] or list(checks.tasks)
        for task in tasks:
            checks.named(task)  # a wrong name is told before anything runs
        namespace = _run(order["cells"], order["seconds"], order["total"], tell)
        _check(tasks, namespace, order["seconds"], tell)
    except LessonError as problem:
        tell("refused", str(problem))
    os._exit(0)  # threads and exit functions of the work may never come to an end


def _end_with(listener: int) -> None:
    """Work that never ends must not outlive the one who waits for it, however that one ended."""
    os.read(listener, 1)  # nothing more ever comes, but its end
    os._exit(1)


def _channel() -> Tell:
    """What tells the other process. The usual two outputs lead nowhere from here on."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)

    def tell(*event: Any) -> None:
        out.write(json.dumps(event) + "\n")
        out.flush()

    return tell


def _run(cells: list[tuple[int, str]], seconds: float, total: float, tell: Tell) -> dict[str, Any]:
    """Run the cells in IPython, without a kernel; the names as they are at the end."""
    from traitlets.config import Config

    from autograder.bareshell import BareShell

    config = Config()
    config.HistoryManager.enabled = False  # a look at one's work is no part of one's history
    shell = BareShell.instance(config=config)
    check.deferred = True
    end = monotonic() + total
    for number, source in cells:
        tell("cell", number)
        if monotonic() > end:
            late = f"was left out, since all before it took {total:.0f} s"
            tell("trouble", number, "late", late, "")
            continue
        try:
            with _limited(seconds):
                result = shell.run_cell(source, store_history=True)
            error = result.error_before_exec or result.error_in_exec
        except KeyboardInterrupt as late:  # it came between two lines of our own
            error = late
        if error is not None:
            tell("trouble", number, *_told(error, shell.user_ns, seconds))
    shell.user_ns.pop("answer", None)  # whose answer that was, only `check` knows
    return shell.user_ns


def _told(error: BaseException, namespace: dict[str, Any], seconds: float) -> tuple[str, ...]:
    """The kind of trouble, a sentence without its subject, the student's own line, and a name that is not
    defined."""
    code = _line(error, namespace)
    if isinstance(error, KeyboardInterrupt):
        return "time", f"took more than {seconds:.0f} s and was stopped", code
    if isinstance(error, ModuleNotFoundError) and error.name:
        if f"{error.name}.".startswith("google."):
            return "colab", "works in Colab only; grading goes on without it", ""
        return "package" if is_needed(error.name) else "error", absence(error.name), ""
    kind = "stub" if isinstance(error, NotImplementedError) else "error"
    lacks = error.name or "" if isinstance(error, NameError) else ""
    return kind, f"stopped with {named(error)}", code, lacks


def _line(error: BaseException, namespace: dict[str, Any]) -> str:
    """The student's own line that was reached, or that is no Python."""
    frame, line = place(error, namespace)
    if frame:
        return linecache.getline(frame.f_code.co_filename, line).strip()
    return (error.text or "").strip() if isinstance(error, SyntaxError) else ""


def _check(tasks: list[str], namespace: dict[str, Any], seconds: float, tell: Tell) -> None:
    """Check one task after the other, so that one that never returns costs only itself."""
    reports: list[Report] = []
    for task in tasks:
        tell("task", task)
        try:
            with _limited(seconds):
                reports.append(check.report(task, None, namespace))
        except KeyboardInterrupt:
            raise LessonError(f"the checks of {task} took more than {seconds:.0f} s: look at that one alone")
    done = [task._replace(functions={}) for report in reports for task in report.tasks]
    notes = list(dict.fromkeys(note for report in reports for note in report.notes))
    standing = reports[-1].standing if reports else {}
    tell("report", Report(done, standing, notes))


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Interrupt what runs within after some seconds, as Ctrl-C does."""
    timer = threading.Timer(seconds, _interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _interrupt() -> None:
    if hasattr(signal, "pthread_kill"):  # this alone wakes a sleeping thread
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
    else:
        signal.raise_signal(signal.SIGINT)


if __name__ == "__main__":
    main()
