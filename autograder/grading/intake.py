"""Takes in what lies in build/submitted: finds the notebook, repairs it, and keeps every original with a receipt."""

import contextlib
import hashlib
import json
import os
import stat
from functools import cached_property
from pathlib import Path

import msgspec
from nbformat import NotebookNode, ValidationError, from_dict, validate
from nbformat.v4 import new_markdown_cell, writes
from nbgrader.utils import parse_utc
from traitlets.log import get_logger

from autograder.grading.candidates import NOTEBOOK, Candidate, Candidates, lines_about
from autograder.grading.course import Course, Lesson, find_course, source_of
from autograder.grading.errors import CourseError
from autograder.grading.reader import Content, load_notebook, printable
from autograder.grading.receipts import PROBLEMS, Received, digest
from autograder.grading.repair import repair
from autograder.grading.results import write_whole
from autograder.grading.submission import extra_files, file_names, too_much
from autograder.grading.weaving import woven

SLIM = 4 * 1024**2  # bytes; a larger notebook is put in place without its outputs
MAKERS = ("reader", "repair", "weaving", "intake", "submission", "candidates")  # modules that decide what is put in place


def students(course: Course, lesson: Lesson) -> list[str]:
    """The ids of those who handed something in for the lesson."""
    folders = (course.build / "submitted").glob(f"*/{lesson.name}")
    return sorted(folder.parent.name for folder in folders if folder.is_dir())


def problems(course: Course, lesson: Lesson, student: str) -> list[str]:
    """What was odd about a student's files when they were taken in."""
    return _kept_problems(_kept(course, lesson, student)) or []


def take_in(course: Course, lesson: Lesson, student: str) -> list[str]:
    """Make build/submitted/<student>/<lesson>/ hold one sound <lesson>.ipynb and, at most, small files beside it.

    The newest notebook (or Python file) that can be read is repaired where it needs it; where none can be read the
    released notebook takes its place, so that a zero is recorded and the class goes on. Every file that came is kept
    below build/received/<student>/<lesson>/ with a receipt. Returns the problems, which are kept too; a second run
    changes nothing. CourseError if there is no such folder.
    """
    return _Intake(course, lesson, student).run()


def before_autograde(assignment: str, student: str, notebooks: list[str]) -> None:
    """nbgrader's `pre_convert_hook`: take in the student whose notebooks come next (`student` may be "*").

    nbgrader swallows what a hook raises and would go on with the raw notebook, which may stop its whole batch. So a
    failure is logged and the list left empty: nbgrader then reports this student, records nothing, and goes on.
    """
    folder = os.path.dirname(notebooks[0]) if notebooks else student
    del notebooks[:]
    try:
        course = find_course()
        lesson = course.lesson(assignment)
        take_in(course, lesson, os.path.basename(os.path.dirname(folder)))
        notebooks.append(os.path.join(folder, f"{lesson.name}.ipynb"))
    except Exception as error:
        get_logger().error("%s could not be taken in (%s): look at its files, then run autograde again.", folder, error)


class _Intake:
    def __init__(self, course: Course, lesson: Lesson, student: str):
        self._lesson, self._student = lesson, student
        self._folder = course.build / "submitted" / student / lesson.name
        self._place = self._folder / f"{lesson.name}.ipynb"
        self._received = Received(_kept(course, lesson, student))
        self._ledger = self._received.ledger
        self._lines: list[str] = []

    def run(self) -> list[str]:
        if not self._folder.is_dir():
            raise CourseError(f"{self._student} handed in nothing for {self._lesson.name}: "
                              f"put the notebook into {self._folder}.")
        known = _kept_problems(self._received.folder)
        if known is not None and self._is_settled():
            return known
        self._set_aside_specials()
        chosen = self._choose()
        data, made = self._made_of(chosen)
        self._settle(chosen, data)
        told = list(dict.fromkeys([*self._ledger.arrival, *made]))
        write_whole(self._received.folder / PROBLEMS, msgspec.json.encode(told))
        return told

    # What is there.

    def _is_settled(self) -> bool:
        """Whether nothing came since the last time, and the same would be made of it now."""
        if self._ledger.made_by != self._makers or not self._is_ours(self._place):
            return False
        extra, left_out = extra_files(self._folder, but={self._place.name})
        names = {name for name in file_names(self._folder) if name != "timestamp.txt"}
        known = all(self._received.knows(self._folder / name, name) for name in extra)
        return known and not left_out and names == {self._place.name, *extra} and not any(map(NOTEBOOK.search, extra))

    def _is_ours(self, path: Path) -> bool:
        return path == self._place and bool(self._ledger.placed) and digest(path) == self._ledger.placed

    @cached_property
    def _makers(self) -> str:
        modules = [Path(__file__).with_name(f"{name}.py") for name in MAKERS]
        return hashlib.sha256(b"\0".join(path.read_bytes() for path in (self._lesson.release, *modules))).hexdigest()

    @cached_property
    def _released(self) -> NotebookNode:
        return load_notebook(self._lesson.release)

    def _set_aside_specials(self) -> None:
        """Links and pipes leave the folder before anything is opened, files that nobody may read are made readable."""
        for name in sorted(file_names(self._folder)):
            path = self._folder / name
            if not stat.S_ISREG(path.lstat().st_mode):
                self._set_aside(name)
                self._lines.append(f"{printable(name)} is no ordinary file: hand in the file itself.")
            elif not os.access(path, os.R_OK):
                with contextlib.suppress(OSError):
                    path.chmod(0o600)

    def _set_aside(self, name: str) -> None:
        self._received.set_aside(self._folder / name, name)

    def _choose(self) -> Candidate | None:
        released = set(file_names(self._lesson.release_folder))
        ranked = Candidates(self._folder, self._place, self._received, released).ranked()
        self._lines += lines_about(ranked, self._place.name)
        if not ranked:
            names = ", ".join(printable(name) for name in sorted(file_names(self._folder))[:5]) or "nothing"
            self._lines.append(f"No notebook was handed in ({names}): hand in {self._place.name}.")
        return ranked[0] if ranked else None

    # What is made of it.

    def _made_of(self, chosen: Candidate | None) -> tuple[bytes, list[str]]:
        """The bytes to put in place, and the problems that the chosen file showed."""
        content = chosen.content if chosen else Content()
        if content.notebook is None and content.python is None:
            return _bytes(self._placeholder()), list(content.problems)
        notebook = content.notebook or woven(content.python, self._released)
        repaired, lines = repair(notebook, self._released)
        if content.notebook is None:
            return _bytes(repaired), list(content.problems)  # what weaving leaves to repair is no news
        original = (self._received.folder / chosen.receipt.kept_as).read_bytes()
        data = original if _is_sound(original, repaired) else _bytes(repaired)
        return data, [*content.problems, *lines]

    def _placeholder(self) -> NotebookNode:
        notebook, _ = repair(self._released, self._released)
        text = "**No notebook that can be read was handed in. This is the released one, put here in its place.**"
        notebook.cells.insert(0, new_markdown_cell(text, id="nothing-readable"))
        return notebook

    def _settle(self, chosen: Candidate | None, data: bytes) -> None:
        """Put `data` in place and tidy the folder. The ledger is written first: a run that is killed anywhere here
        finds out by it what it put in place itself."""
        kept_as = chosen.receipt.kept_as if chosen else ""
        extra, left_out = extra_files(self._folder, but={self._place.name})
        self._lines += [too_much(name) for name in left_out if not NOTEBOOK.search(name)]
        for name in extra:
            self._received.keep(self._folder / name, name)
        before = self._ledger.arrival if kept_as == self._ledger.chosen else []
        self._ledger.arrival = list(dict.fromkeys([*before, *self._lines]))
        self._ledger.chosen, self._ledger.made_by = kept_as, self._makers
        self._ledger.placed = hashlib.sha256(data).hexdigest()
        self._received.save()
        self._clear_place()
        if digest(self._place) != self._ledger.placed:
            write_whole(self._place, data, staging=self._received.folder)
        if chosen:
            os.utime(self._place, ns=(chosen.modified, chosen.modified))
        self._tidy({self._place.name, *(name for name in extra if not NOTEBOOK.search(name))})
        self._received.save()

    def _clear_place(self) -> None:
        """A folder under the notebook's name, or under that of a released file, would stop nbgrader."""
        reserved = {self._place.name, *file_names(self._lesson.release_folder)}
        for name in sorted(file_names(self._folder)):
            if "/" in name and name.split("/")[0] in reserved:
                self._set_aside(name)
        self._remove_empty_folders()

    def _tidy(self, kept: set[str]) -> None:
        """Whatever else is there moves out: other notebooks, hidden files, what is beyond the caps."""
        for name in sorted(set(file_names(self._folder)) - kept):
            if name == "timestamp.txt" and _is_time(self._folder / name):
                continue
            self._set_aside(name)
        self._remove_empty_folders()

    def _remove_empty_folders(self) -> None:
        for place, _, _ in os.walk(self._folder, topdown=False):
            if place != str(self._folder) and not os.listdir(place):
                os.rmdir(place)


def _kept(course: Course, lesson: Lesson, student: str) -> Path:
    return course.build / "received" / student / lesson.name


def _kept_problems(folder: Path) -> list[str] | None:
    try:
        return msgspec.json.decode((folder / PROBLEMS).read_bytes(), type=list[str])
    except FileNotFoundError:
        return None


def _bytes(notebook: NotebookNode) -> bytes:
    return f"{writes(notebook)}\n".encode()


def _is_sound(data: bytes, repaired: NotebookNode) -> bool:
    """Whether a notebook file needs no repair: valid, of a fair size, and saying what the repaired one says."""
    try:
        raw = json.loads(data.decode())
        if len(data) > SLIM or _gist(raw) != _gist(repaired):
            return False
        validate(from_dict(raw))
    except (ValueError, ValidationError, RecursionError, KeyError, TypeError, AttributeError):
        return False
    return True


def _gist(raw: dict) -> tuple:
    """All of a notebook that grading depends on."""
    cells = [(c["cell_type"], source_of(c), c["id"], c["metadata"].get("nbgrader")) for c in raw["cells"]]
    kernel = raw["metadata"].get("kernelspec", {}).get("name")
    return raw["nbformat"], raw["nbformat_minor"], kernel, cells


def _is_time(path: Path) -> bool:
    """Whether a file holds a time that nbgrader understands; it fails on any other."""
    try:
        text = path.read_text().strip()
        return not text or parse_utc(text) is not None
    except (OSError, ValueError, OverflowError):
        return False
