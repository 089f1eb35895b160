"""The last look at work before it is handed in."""

import hashlib
import platform
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from enum import StrEnum
from typing import NamedTuple

from autograder.allowance import CELLS, CODE_LENGTH, SLIM_BYTES
from autograder.document import Cell, Document
from autograder.manifest import FILE, Manifest, digest
from autograder.report import SYMBOLS, State
from autograder.rerun import Rerun

_MOST = 5  # cells or names in one line


class Mark(StrEnum):
    """How a finding stands: fine, worth a look, or to be put right before handing in."""

    FINE = SYMBOLS[State.PASSED]
    LOOK = "!"
    WRONG = SYMBOLS[State.FAILED]


class Finding(NamedTuple):
    """One line of the last look."""

    mark: Mark
    text: str


def findings(document: Document, manifest: Manifest | None, run: Rerun | str) -> list[Finding]:
    """What there is to say about a file whose code was run afresh, or why it could not be."""
    looks = [_name(document, manifest), _size(document), *_graded_cells(document, manifest)]
    if isinstance(run, str):
        return [*looks, Finding(Mark.WRONG, run)]
    return [*looks, *_running(run), *_stale(document, run), *_tasks(document, run)]


def worst(found: list[Finding]) -> Mark:
    """The mark that decides."""
    marks = [finding.mark for finding in found]
    return max(marks, key=list(Mark).index)


def receipt(document: Document) -> str:
    """One line to keep: the teacher's receipt names the same file by the same SHA-256."""
    saved = datetime.fromtimestamp(document.path.stat().st_mtime, UTC).isoformat(timespec="seconds")
    sha256 = hashlib.sha256(document.data).hexdigest()[:16]
    return f"receipt: {document.path.name}  SHA-256 {sha256}  {len(document.data)} bytes  saved {saved}"


def _name(document: Document, manifest: Manifest | None) -> Finding:
    got = document.path.name
    if manifest is None:
        advice = "unpack the lesson again"
        text = f"there is no {FILE} beside {got}: name and graded cells were not compared; {advice}"
        return Finding(Mark.LOOK, text)
    wanted = f"{manifest.lesson}{document.path.suffix}"
    if got != wanted:
        return Finding(Mark.WRONG, f"it is called {got}: rename it to {wanted}")
    return Finding(Mark.FINE, f"it is called {wanted}, as it was released")


def _size(document: Document) -> Finding:
    long = [cell for cell in document.code if len(cell.source) > CODE_LENGTH]
    if long:
        return Finding(Mark.WRONG, f"{_listed(long)} is longer than {CODE_LENGTH} characters: shorten it")
    if len(document.cells) > CELLS:
        return Finding(Mark.WRONG, f"it has {len(document.cells)} cells: {CELLS} are graded, join some")
    size = f"{len(document.data) / 1024**2:.2f} MB"
    if len(document.data) > SLIM_BYTES:
        return Finding(Mark.LOOK, f"it has {size}: its outputs will be left out, clear the large ones")
    return Finding(Mark.FINE, f"its size is fine ({size})")


def _graded_cells(document: Document, manifest: Manifest | None) -> Iterator[Finding]:
    if manifest is None or not document.is_notebook:
        return
    there = {mark for cell in document.cells for mark in (cell.name, cell.id, digest(cell.source))}
    lost = [name for name, text in manifest.graded.items() if not {name, text} & there]
    if lost:
        advice = "copy them from a fresh copy of the lesson"
        yield Finding(Mark.WRONG, f"graded cells are missing ({_names(lost)}): {advice}")
    else:
        yield Finding(Mark.FINE, f"all {len(manifest.graded)} graded cells are there")


def _running(run: Rerun) -> Iterator[Finding]:
    broken = run.broken
    waiting = [trouble.cell for trouble in run.troubles if trouble.kind == "stub"]
    yield from (Finding(Mark.WRONG, str(trouble)) for trouble in broken[:_MOST])
    if broken[_MOST:]:
        yield Finding(Mark.WRONG, f"{len(broken) - _MOST} more cells stopped, perhaps because of these")
    yield from (Finding(Mark.LOOK, str(trouble)) for trouble in run.troubles if trouble.kind == "colab")
    if waiting:
        yield Finding(Mark.LOOK, f"functions that are still to be written stopped {_listed(waiting)}")
    if not run.troubles:
        python = f"Python {platform.python_version()}"
        yield Finding(Mark.FINE, f"it runs from top to bottom in a fresh {python} ({run.seconds:.0f} s)")


def _stale(document: Document, run: Rerun) -> Iterator[Finding]:
    """What was not run, or not saved, since it was written. A file cannot tell what an editor still holds;
    but what is shown in it tells what was true when it was run."""
    if not document.is_notebook:
        return
    failed = {task.name for task in run.report.tasks if not task.passed}
    shown = {name for cell in document.code for name in _shown_to_pass(cell.shown)}
    if failed & shown:
        what = "the page shows a check that passed, but what is saved fails it"
        advice = "save the notebook, restart the kernel and run all cells"
        yield Finding(Mark.WRONG, f"{what} ({_names(sorted(failed & shown))}): {advice}")
    idle = [cell for cell in document.code if cell.count is None]
    if idle:
        what = "not run since they were written or cleared"
        yield Finding(Mark.LOOK, f"{what}: {_listed(idle)}; run all and save")
    counts = [cell.count for cell in document.code if cell.count is not None]
    if counts != sorted(counts):
        yield Finding(Mark.LOOK, "cells were run out of order: restart the kernel, run all cells, and save")
    if not (failed & shown or idle):
        yield Finding(Mark.FINE, "every code cell was run, and shows what the saved code does")


def _shown_to_pass(text: str) -> list[str]:
    """The tasks that a check's output says passed."""
    return re.findall(rf"(?m)^[{Mark.FINE}+] (\w+): ", text)


def _tasks(document: Document, run: Rerun) -> Iterator[Finding]:
    failed = [task.name for task in run.report.tasks if not task.passed]
    count = f"{len(run.report.tasks) - len(failed)} of {len(run.report.tasks)} tasks pass their checks"
    if failed:
        path = f'"{document.path}"' if " " in str(document.path) else document.path
        advice = f"`autograder check {path}` tells why"
        yield Finding(Mark.LOOK, f"{count}, not yet: {_names(failed)}; {advice}")
    else:
        yield Finding(Mark.FINE, f"{count}; grading checks more than this")


def _listed(cells: list[Cell]) -> str:
    more = f" and {len(cells) - _MOST} more" if cells[_MOST:] else ""
    return ", ".join(cell.title for cell in cells[:_MOST]) + more


def _names(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
