"""Which of the files a student handed in is the submission: the newest that can be read, whatever it is
called."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.allowance import FILE_BYTES
from autograder.grading.reader import Content, printable
from autograder.grading.receipts import Receipt, Received, digest
from autograder.grading.submission import file_names, is_clutter, read_path

NOTEBOOK = re.compile(r"\.ipynb[^/]*$", re.IGNORECASE)  # also "mixing.ipynb.txt" and "mixing.ipynb (1)"
PYTHON = re.compile(r"\.py(\.txt)?$", re.IGNORECASE)


@dataclass(frozen=True)
class Candidate:
    """A file that may be the submission. `tier` 0 is a notebook by its name, 1 one by its content, 2
    Python."""

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
        is_placed = self._received.is_placed(self._place)
        chosen = self._received.chosen()
        if chosen is not None and (is_placed or not os.path.lexists(self._place)):
            yield self._earlier(chosen)
        for name in sorted(file_names(self._folder)):
            is_earlier = is_placed and name == self._place.name
            rank = None if is_clutter(name) or is_earlier else tier(self._folder / name, name, self._released)
            if rank is not None:
                yield self._new(name, rank)

    def _new(self, name: str, tier: int) -> Candidate:
        path, known_as = self._folder / name, name.rpartition("/")[2]
        status = path.lstat()
        if status.st_size <= FILE_BYTES and digest(path):
            receipt = self._received.keep(path, name)
        else:
            receipt = self._received.enter(
                path, name
            )  # a link, too large or unreadable: it will only be moved
        return Candidate(tier, status.st_mtime_ns, True, receipt, read_path(path, known_as))

    def _earlier(self, receipt: Receipt) -> Candidate:
        """The notebook put in place earlier stands for the kept file that it was made of."""
        kept = self._received.folder / receipt.kept_as
        tier = 0 if NOTEBOOK.search(receipt.name) else 2 if PYTHON.search(receipt.name) else 1
        content = read_path(kept, receipt.name.rpartition("/")[2])
        return Candidate(tier, kept.lstat().st_mtime_ns, False, receipt, content)


def tier(path: Path, name: str, released: set[str]) -> int | None:
    """How likely a file, handed in as `name`, is the submission; None where it cannot be, as the files that
    come with the lesson."""
    if NOTEBOOK.search(name):
        return 0
    if name in released:
        return None
    if PYTHON.search(name):
        return 2
    suffix = Path(name).suffix.lower()
    is_text = suffix in ("", ".txt", ".json") and digest(path) and path.stat().st_size <= FILE_BYTES
    return 1 if is_text and b'"nbformat"' in path.read_bytes() else None


def lines_about(ranked: list[Candidate], place: str) -> list[str]:
    """What the student and the TA should know about the choice of the first of these candidates."""
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
