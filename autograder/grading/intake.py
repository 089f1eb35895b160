"""Takes in what lies in build/submitted: finds the notebook, repairs it, and keeps every original with a
receipt."""

import hashlib
import os
import stat
from functools import cached_property
from pathlib import Path

import msgspec
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, writes
from traitlets.log import get_logger

from autograder.grading.candidates import NOTEBOOK, Candidate, Candidates, lines_about
from autograder.grading.course import Course, Lesson, find_course
from autograder.grading.errors import CourseError
from autograder.grading.moments import TIME_NOTE, time_note
from autograder.grading.reader import Content, is_sound, load_notebook, printable
from autograder.grading.receipts import PROBLEMS, Received, digest
from autograder.grading.repair import repair
from autograder.grading.results import write_whole
from autograder.grading.submission import extra_files, file_names, too_much
from autograder.grading.turns import turn
from autograder.grading.weaving import woven

PLACEHOLDER = "nothing-readable"  # the cell that says so in a notebook put in the place of none
# Modules that decide what is put in place.
MAKERS = ("reader", "repair", "weaving", "intake", "submission", "candidates", "moments")
MAKERS += ("../script", "../allowance")


def students(course: Course, lesson: Lesson) -> list[str]:
    """The ids of those who handed something in for the lesson."""
    folders = (course.build / "submitted").glob(f"*/{lesson.name}")
    return sorted(folder.parent.name for folder in folders if folder.is_dir())


def problems(course: Course, lesson: Lesson, student: str) -> list[str]:
    """What was odd about a student's files when they were taken in."""
    return _kept_problems(_kept(course, lesson, student)) or []


def take_in(course: Course, lesson: Lesson, student: str) -> list[str]:
    """Make build/submitted/<student>/<lesson>/ hold one sound <lesson>.ipynb and, at most, small files beside
    it.

    The newest notebook (or Python file) that can be read is repaired where it needs it; where none can be
    read the released notebook takes its place, so that a zero is recorded and the class goes on. Every file
    that came is kept below build/received/<student>/<lesson>/ with a receipt. Returns the problems, which
    are kept too; a second run changes nothing. It waits while another program is at the lesson's hand-ins.
    CourseError if there is no such folder.
    """
    with turn(course, lesson):
        return _Intake(course, lesson, student).run()


def before_autograde(assignment: str, student: str, notebooks: list[str]) -> None:
    """nbgrader's `pre_convert_hook`: take in the student whose notebooks come next (`student` may be "*").

    nbgrader swallows what a hook raises and would go on with the raw notebook, which may stop its whole
    batch. So a failure is logged and the list left empty: nbgrader then reports this student, records
    nothing, and goes on.
    """
    folder = os.path.dirname(notebooks[0]) if notebooks else student
    del notebooks[:]
    try:
        course = find_course()
        lesson = course.lesson(assignment)
        take_in(course, lesson, os.path.basename(os.path.dirname(folder)))
        notebooks.append(os.path.join(folder, f"{lesson.name}.ipynb"))
    except Exception as error:
        get_logger().error(
            "%s could not be taken in (%s): look at its files, then run autograde again.", folder, error
        )


class _Intake:
    def __init__(self, course: Course, lesson: Lesson, student: str):
        self._lesson, self._student = lesson, student
        self._folder = course.build / "submitted" / student / lesson.name
        self._place = self._folder / f"{lesson.name}.ipynb"
        self._received = Received(_kept(course, lesson, student))
        self._ledger = self._received.ledger
        self._known = list(self._ledger.received)
        self._lines: list[str] = []

    def run(self) -> list[str]:
        if not self._folder.is_dir():
            raise CourseError(
                f"{self._student} handed in nothing for {self._lesson.name}: "
                f"put the notebook into {self._folder}."
            )
        self._open_folders()
        known = _kept_problems(self._received.folder)
        if known is not None and self._is_settled():
            return known
        self._begin_anew()
        specials = self._look_at_specials()
        chosen = self._choose()
        data, made = self._made_of(chosen)
        extra = self._extra(specials)
        self._enter(chosen, data)
        self._put_in_place(data)
        self._tidy(extra)
        told = list(dict.fromkeys([*self._ledger.arrival, *made]))
        write_whole(self._received.folder / PROBLEMS, msgspec.json.encode(told))
        return told

    # What is there.

    def _open_folders(self) -> None:
        """Folders that came without their owner's rights (an archive keeps them) would hide what is in them,
        or hold it fast."""
        _grant(self._folder, stat.S_IRWXU)
        for place, folders, _ in os.walk(self._folder):
            for path in (Path(place, name) for name in folders):
                if not path.is_symlink():
                    _grant(path, stat.S_IRWXU)

    def _is_settled(self) -> bool:
        """Whether nothing came since the last time, and the same would be made of it now."""
        if (
            self._ledger.made_by != self._makers
            or self._ledger.replaced
            or not self._received.is_placed(self._place)
        ):
            return False
        extra, left_out = extra_files(self._folder, but={self._place.name})
        names = {name for name in file_names(self._folder) if not self._is_time(name)}
        known = all(self._received.knows(self._folder / name, name) for name in extra)
        return (
            known
            and not left_out
            and names == {self._place.name, *extra}
            and not any(map(NOTEBOOK.search, extra))
        )

    @cached_property
    def _makers(self) -> str:
        modules = [Path(__file__).parent / f"{name}.py" for name in MAKERS]
        return hashlib.sha256(
            b"\0".join(path.read_bytes() for path in (self._lesson.release, *modules))
        ).hexdigest()

    @cached_property
    def _released(self) -> NotebookNode:
        return load_notebook(self._lesson.release)

    def _begin_anew(self) -> None:
        """Whatever an earlier run wrote last is gone until this one has come to its end; so are its
        remnants."""
        (self._received.folder / PROBLEMS).unlink(missing_ok=True)
        self._received.remove_remnants()

    def _look_at_specials(self) -> set[str]:
        """The links and pipes, which are never opened; files that nobody may read are made readable."""
        specials = set()
        for name in file_names(self._folder):
            path = self._folder / name
            if not stat.S_ISREG(path.lstat().st_mode):
                specials.add(name)
            elif _grant(path, stat.S_IRUSR):
                self._lines.append(f"{printable(name)} could be read by nobody; it was made readable.")
        self._lines += [
            f"{printable(name)} is no ordinary file: hand in the file itself." for name in sorted(specials)
        ]
        return specials

    def _choose(self) -> Candidate | None:
        """The submission. Lines about the choice are told when it is made, and when something new has come
        since."""
        released = set(file_names(self._lesson.release_folder))
        ranked = Candidates(self._folder, self._place, self._received, released).ranked()
        if not ranked:
            names = ", ".join(printable(name) for name in sorted(file_names(self._folder))[:5]) or "nothing"
            self._lines.append(f"No notebook was handed in ({names}): hand in {self._place.name}.")
            return None
        is_new = any(candidate.receipt not in self._known for candidate in ranked)
        if is_new or ranked[0].receipt.kept_as != self._ledger.chosen:
            self._lines += lines_about(ranked, self._place.name)
        return ranked[0]

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
        data = original if is_sound(original, repaired) else _bytes(repaired)
        return data, [*content.problems, *lines]

    def _placeholder(self) -> NotebookNode:
        notebook, _ = repair(self._released, self._released)
        text = (
            "**No notebook that can be read was handed in. This is the released one, put here in its place.**"
        )
        notebook.cells.insert(0, new_markdown_cell(text, id=PLACEHOLDER))
        return notebook

    @cached_property
    def _reserved(self) -> set[str]:
        """Names that stop nbgrader where they belong to a folder."""
        return {self._place.name, *file_names(self._lesson.release_folder)}

    def _is_in_the_way(self, name: str) -> bool:
        return "/" in name and name.split("/")[0] in self._reserved

    def _extra(self, specials: set[str]) -> set[str]:
        """The files that stay beside the notebook, each with a receipt."""
        extra, left_out = extra_files(self._folder, but={self._place.name})
        self._lines += [
            too_much(name) for name in left_out if not NOTEBOOK.search(name) and name not in specials
        ]
        staying = {name for name in extra if not NOTEBOOK.search(name)}
        for name in sorted(staying):
            self._received.keep(self._folder / name, name)
        return staying

    def _enter(self, chosen: Candidate | None, data: bytes) -> None:
        """Write down what is about to be done: a run that is killed from here on finds out what it did
        itself."""
        ledger, kept_as = self._ledger, chosen.receipt.kept_as if chosen else ""
        before = ledger.arrival if kept_as == ledger.chosen else []
        ledger.arrival = list(dict.fromkeys([*before, *self._lines]))
        ledger.chosen, ledger.made_by = kept_as, self._makers
        ledger.placed, ledger.replaced = hashlib.sha256(data).hexdigest(), ledger.placed
        self._received.save()

    def _put_in_place(self, data: bytes) -> None:
        in_the_way = [name for name in file_names(self._folder) if self._is_in_the_way(name)]
        if (
            os.path.lexists(self._place)
            and not self._place.is_dir()
            and not self._received.has_copy(self._place)
        ):
            in_the_way.append(self._place.name)
        self._received.set_aside(self._folder, in_the_way)
        self._remove_empty_folders()
        if digest(self._place) != self._ledger.placed:
            write_whole(self._place, data, staging=self._received.folder)

    def _tidy(self, extra: set[str]) -> None:
        """Whatever else is there moves out: other notebooks, hidden files, what is beyond the caps."""
        kept = {self._place.name, *extra}
        others = sorted(name for name in set(file_names(self._folder)) - kept if not self._is_time(name))
        self._received.set_aside(self._folder, others)
        self._remove_empty_folders()
        self._ledger.replaced = ""
        self._received.save()

    def _is_time(self, name: str) -> bool:
        """Whether a file is a note of the time that nbgrader can read; it fails on any other."""
        if name != TIME_NOTE:
            return False
        from nbgrader.utils import parse_utc  # a second to import, and not installed in a container

        try:
            text = time_note(self._folder)
            return not text or parse_utc(text) is not None
        except (OSError, ValueError, OverflowError):
            return False

    def _remove_empty_folders(self) -> None:
        for place, _, _ in os.walk(self._folder, topdown=False):
            if place != str(self._folder) and not os.listdir(place):
                os.rmdir(place)


def _grant(path: Path, rights: int) -> bool:
    """Give the owner of a file or folder these rights; whether that was needed and could be done."""
    mode = stat.S_IMODE(path.lstat().st_mode)
    if mode & rights == rights:
        return False
    try:
        path.chmod(mode | rights)
    except OSError:  # it belongs to somebody else
        return False
    return True


def _kept(course: Course, lesson: Lesson, student: str) -> Path:
    return course.build / "received" / student / lesson.name


def _kept_problems(folder: Path) -> list[str] | None:
    try:
        return msgspec.json.decode((folder / PROBLEMS).read_bytes(), type=list[str])
    except FileNotFoundError:
        return None


def _bytes(notebook: NotebookNode) -> bytes:
    return f"{writes(notebook)}\n".encode()
