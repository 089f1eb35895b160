"""From a lesson's text to the notebook that nbgrader releases, and to the solution module."""

import hashlib
import shutil
from collections.abc import Iterator
from pathlib import Path

import jupytext
import nbformat
from nbformat import NotebookNode

from autograder.grading.authoring import mistakes, mistakes_in_checks
from autograder.grading.course import Lesson
from autograder.grading.errors import CourseError
from autograder.grading.reference import solution_module

SCHEMA_VERSION = 3  # of nbgrader 0.9's cell metadata


def build(lesson: Lesson) -> None:
    """Write build/source/<lesson>/ (notebook with solutions, public_checks.py) and solutions/<lesson>.py.

    The same text gives the same bytes. CourseError for the first mistake; nothing is written then.
    """
    notebook = read(lesson)
    solution = solution_module(_short(lesson, lesson.text), notebook)
    checks = _read_checks(lesson, notebook)
    folder = lesson.built.parent
    shutil.rmtree(folder, ignore_errors=True)  # nbgrader gives students every file it finds there
    folder.mkdir(parents=True)
    nbformat.write(notebook, lesson.built)
    (folder / lesson.public_checks.name).write_text(checks, encoding="utf-8")
    lesson.solution.parent.mkdir(exist_ok=True)
    lesson.solution.write_text(solution, encoding="utf-8")


def read(lesson: Lesson) -> NotebookNode:
    """The notebook of a lesson's text, solutions included; CourseError for the first mistake in the text."""
    notebook = jupytext.reads(lesson.text.read_text(encoding="utf-8"), fmt="py:percent")
    for cell in notebook.cells:
        cell.source = cell.source.strip("\n")  # the text's spacing between cells
    _refuse(lesson, lesson.text, mistakes(notebook))
    for cell in notebook.cells:
        _fill_in(cell)
    _give_ids(notebook.cells)
    notebook.metadata = nbformat.from_dict({
        "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    })
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    nbformat.validate(notebook)
    return notebook


def _read_checks(lesson: Lesson, notebook: NotebookNode) -> str:
    graded = filter(None, map(_nbgrader, notebook.cells))
    tasks = [data.grade_id for data in graded if data.grade and not data.solution]
    try:
        text = lesson.public_checks.read_text(encoding="utf-8")
    except FileNotFoundError:
        _refuse(lesson, lesson.public_checks, iter(["there is no such file: write what a student may run."]))
    _refuse(lesson, lesson.public_checks, mistakes_in_checks(text, tasks))
    return text


def _refuse(lesson: Lesson, file: Path, found: Iterator[str]) -> None:
    first = next(found, None)
    if first:
        raise CourseError(f"{_short(lesson, file)}: {first}")


def _fill_in(cell: NotebookNode) -> None:
    """Complete nbgrader's metadata; take out jupytext's note on the text's blank lines."""
    cell.metadata.pop("lines_to_next_cell", None)
    data = _nbgrader(cell)
    if data:
        locked = bool(data.get("task") or data.get("grade") and not data.get("solution"))
        defaults = {"schema_version": SCHEMA_VERSION, "grade": False, "solution": False, "task": False}
        cell.metadata.nbgrader = nbformat.from_dict({"locked": locked, **defaults, **data})


def _give_ids(cells: list[NotebookNode]) -> None:
    """Cell ids that stay when other cells change: the grade_id, or else a hash of the cell's text."""
    taken = {data.grade_id for data in map(_nbgrader, cells) if data}
    for cell in cells:
        data = _nbgrader(cell)
        cell.id = data.grade_id if data else _free_id(cell, taken)
        taken.add(cell.id)


def _free_id(cell: NotebookNode, taken: set[str]) -> str:
    text = f"{cell.cell_type}\n{cell.source}"
    while (name := hashlib.sha256(text.encode()).hexdigest()[:8]) in taken:
        text += "\n"
    return name


def _nbgrader(cell: NotebookNode) -> NotebookNode | None:
    return cell.metadata.get("nbgrader")


def _short(lesson: Lesson, file: Path) -> str:
    return file.relative_to(lesson.root).as_posix()
