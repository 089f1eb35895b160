"""Which of the files a student handed in is the submission: the newest that can be read, whatever it is called."""

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.grading.reader import FILE_CAP, Content, printable
from autograder.grading.receipts import Received, Receipt, digest
from autograder.grading.submission import file_names, is_clutter, read_path

NOTEBOOK = re.compile(r"\.ipynb[^/]*$", re.IGNORECASE)  # also "mixing.ipynb.txt" and "mixing.ipynb (1)"
PYTHON = re.compile(r"\.py(\.txt)?$", re.IGNORECASE)


@dataclass(frozen=True)
class Candidate:
    """A file that may be the submission. `tier` 0 is a notebook by its name, 1 one by its content, 2 Python."""

    tier: int
    modified: int
    is_new: bool  # handed in, not the notebook that was put in place earlier
    receipt: Receipt
    content: Content

    @property
    def name(self) -> str:
        return self.receipt.name

    def rank(self, place: str) -> tuple:
        """The order of preference; on a tie what was handed in, then what has the right name already."""
        readable = self.content.notebook is not None or self.content.python is not None
        return (not readable, self.tier, -self.modified, not self.is_new, self.name != place, self.name)


class Candidates:
    """The candidates of a hand-in folder. Each is kept with a receipt as soon as it is looked at."""

    def __init__(self, folder: Path, place: Path, received: Received, released: set[str]):
        self._folder, self._place, self._received, self._released = folder, place, received, released

    def ranked(self) -> list[Candidate]:
        return sorted(self._all(), key=lambda candidate: candidate.rank(self._place.name))

    def _all(self) -> Iterator[Candidate]:
        for name in sorted(file_names(self._folder)):
            tier = None if is_clutter(name) else self._tier(name)
            candidate = self._candidate(name, tier) if tier is not None else None
            if candidate is not None:
                yield candidate

    def _tier(self, name: str) -> int | None:
        if NOTEBOOK.search(name):
            return 0
        if name in self._released:
            return None
        if PYTHON.search(name):
            return 2
        path = self._folder / name
        with contextlib.suppress(OSError):
            is_text = path.suffix.lower() in ("", ".txt", ".json") and path.stat().st_size <= FILE_CAP
            return 1 if is_text and b'"nbformat"' in path.read_bytes() else None
        return None

    def _candidate(self, name: str, tier: int) -> Candidate | None:
        """The candidate a file is. The notebook put in place earlier stands for the kept file it was made of."""
        path = self._folder / name
        modified = path.stat().st_mtime_ns
        if path == self._place and digest(path) == self._received.ledger.placed:
            receipt = self._received.chosen()
            if receipt is None:
                return None  # the released notebook, for want of any
            return Candidate(_tier_of(receipt), modified, False, receipt, self._read(receipt))
        if not digest(path) or path.stat().st_size > FILE_CAP:
            receipt = self._received.set_aside(path, name)  # `_read` says why it counts for nothing
        else:
            receipt = self._received.keep(path, name)
        return Candidate(tier, modified, True, receipt, self._read(receipt))

    def _read(self, receipt: Receipt) -> Content:
        return read_path(self._received.folder / receipt.kept_as, receipt.name.rpartition("/")[2])


def lines_about(ranked: list[Candidate], place: str) -> list[str]:
    """What the student and the TA should know about the choice of the first of these candidates."""
    if not ranked:
        return []
    chosen, lines = ranked[0], []
    others = {other.name: other for other in ranked if other.tier < 2 and other.name != chosen.name}
    if others:
        names = ", ".join(printable(name) for name in sorted(others))
        lines.append(f"{printable(chosen.name)} was graded, not {names}: hand in one notebook.")
    elif chosen.name != place:
        lines.append(f"{printable(chosen.name)} was handed in and taken as {place}.")
    for other in others.values():
        if other.content.notebook is None:
            lines += other.content.problems
    return lines


def _tier_of(receipt: Receipt) -> int:
    return 0 if NOTEBOOK.search(receipt.name) else 2 if PYTHON.search(receipt.name) else 1
