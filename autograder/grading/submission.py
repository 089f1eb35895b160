"""Reads a submission from the file that was handed in."""

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from nbformat import NotebookNode

from autograder.allowance import FILE_BYTES
from autograder.grading.cells import Cell, Submission
from autograder.grading.course import Lesson
from autograder.grading.reader import CONFLICT, Content, load_notebook, printable, read_content
from autograder.grading.repair import names_defined, repair
from autograder.grading.weaving import statements

EXTRA_BYTES = 8 * 1024**2
EXTRA_FILES = 100
NOT_EXTRA = {"__pycache__", "__MACOSX", "timestamp.txt", "Thumbs.db"}


def read_file(path: Path | str, lesson: Lesson) -> Submission:
    """The submission in a notebook or a Python file, repaired where that is certain; bad content never
    raises.

    A Python file is read as a cell for each of its statements. Below build/submitted/<student>/ the files
    beside it are taken along, and the student's id comes from the path; anywhere else the file stands alone
    and the id is the file's stem.
    """
    path = Path(path)
    content = read_path(path)
    extra, problems = {}, list(content.problems)
    handed_in = is_handed_in(path, lesson)
    if handed_in:
        extra, left_out = extra_files(path.parent, but={path.name})
        problems += [too_much(name) for name in left_out]
    kind, cells = "python", []
    if content.notebook is not None:
        notebook, more = mended(content.notebook, lesson)
        kind, cells = "notebook", cells_of(notebook)
        problems += more
    elif content.python is not None:
        parts = statements(content.python)
        cells = [Cell("", part, "code", index) for index, part in enumerate(parts)]
    student = path.parent.parent.name if handed_in else path.stem
    return Submission(student, lesson.name, kind, cells, problems, extra)


def mended(notebook: NotebookNode, lesson: Lesson) -> tuple[NotebookNode, list[str]]:
    """A clean notebook repaired after the lesson's release, with the problems that both of them show."""
    released = load_notebook(lesson.release)
    repaired, problems = repair(notebook, released)
    return repaired, [*problems, *remarks(repaired, released)]


def cells_of(notebook: NotebookNode) -> list[Cell]:
    return [
        Cell(cell.metadata.get("nbgrader", {}).get("grade_id", ""), cell.source, cell.cell_type, index)
        for index, cell in enumerate(notebook.cells)
        if cell.cell_type in ("code", "markdown")
    ]


def is_handed_in(path: Path, lesson: Lesson) -> bool:
    """Whether a file lies in a student's own folder: build/submitted/<student>/<lesson>/."""
    return path.absolute().parent.parent.parent == lesson.root / "build" / "submitted"


def read_path(path: Path, known_as: str | None = None) -> Content:
    """What the file at `path`, handed in as `known_as`, holds; links, pipes, too large and unreadable files
    hold nothing."""
    name = printable(known_as or path.name)
    try:
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode):
            return Content(problems=(f"{name} is no ordinary file: hand in the notebook itself.",))
        if status.st_size > FILE_BYTES:
            size = f"{status.st_size / 1024**2:.0f} MB"
            return Content(
                problems=(f"{name} is too large ({size}): clear its outputs and hand it in again.",)
            )
        return read_content(path.read_bytes(), known_as or path.name)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        return Content(
            problems=(f"{name} cannot be read ({reason}): make it readable, or hand it in again.",)
        )


def remarks(notebook: NotebookNode, released: NotebookNode) -> list[str]:
    """What keeps code from counting and only its author can put right."""
    code = {
        name for cell in notebook.cells if cell.cell_type == "code" for name in names_defined(cell.source)
    }
    asked = {
        name
        for cell in released.cells
        if cell.cell_type == "code" and cell.metadata.get("nbgrader", {}).get("solution")
        for name in names_defined(cell.source)
    }
    return [
        line
        for number, cell in enumerate(notebook.cells, 1)
        for line in _remarks_on(cell, number, asked - code)
    ]


def _remarks_on(cell: NotebookNode, number: int, lacking: set[str]) -> Iterator[str]:
    if cell.cell_type == "code" and CONFLICT.search(cell.source):
        yield f"Cell {number} holds merge-conflict markers (<<<<<<<): keep one version and hand it in again."
    if cell.cell_type == "markdown":
        for name in sorted(names_defined(cell.source) & lacking):
            yield f"Cell {number} holds `{name}` but is text: change its type to code and hand it in again."


def extra_files(folder: Path, but: Iterable[str] = ()) -> tuple[dict[str, bytes], list[str]]:
    """The ordinary files of a folder (path relative to it → bytes) under the caps, and the names left out.

    Hidden and generated files are passed over in silence; links and pipes are never followed or opened.
    """
    extra: dict[str, bytes] = {}
    left_out, room = [], EXTRA_BYTES
    for name in sorted(file_names(folder)):
        if name in but or is_clutter(name):
            continue
        data = _small_file(folder / name, room) if len(extra) < EXTRA_FILES else None
        if data is None or not _is_plain(name):
            left_out.append(name)
        else:
            extra[name] = data
            room -= len(data)
    return extra, left_out


def file_names(folder: Path) -> Iterator[str]:
    """Every file below a folder, links included, as a path relative to it; linked folders count as files."""
    for place, folders, files in os.walk(folder):
        links = [name for name in folders if os.path.islink(os.path.join(place, name))]
        for name in [*links, *files]:
            yield os.path.relpath(os.path.join(place, name), folder)


def is_clutter(name: str) -> bool:
    """Whether a relative path is a hidden or generated file, or nbgrader's own note of the time."""
    return any(part.startswith(".") or part in NOT_EXTRA for part in PurePosixPath(name).parts)


def _is_plain(name: str) -> bool:
    """Whether a name can be sent, stored and shown: text, without control characters."""
    return all(char >= " " and not "\ud800" <= char <= "\udfff" for char in name)


def too_much(name: str) -> str:
    allowed = f"at most {EXTRA_FILES} ordinary files, {EXTRA_BYTES // 1024**2} MB in all"
    return f"{printable(name)} was left out: hand in {allowed}, beside the notebook."


def _small_file(path: Path, room: int) -> bytes | None:
    try:
        status = path.lstat()
        fits = stat.S_ISREG(status.st_mode) and status.st_size <= room
        return path.read_bytes() if fits else None
    except OSError:
        return None
