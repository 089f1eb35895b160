"""A notebook out of Python text that was handed in, so that nbgrader can record and show it like any
other."""

import ast
import copy
import re
import warnings
from collections.abc import Iterator

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_raw_cell

from autograder.grading.repair import names_bound, names_defined
from autograder.script import parts

EXPORT_MARK = re.compile(r"^# (?:In\[[ \d]*\]:|%%.*)$", re.MULTILINE)  # as nbconvert and jupytext write them
TRAILING_COMMENTS = re.compile(r"(?:^(?:#.*)?\n)*(?:^#.*)?\Z", re.MULTILINE)


def woven(text: str, released: NotebookNode) -> NotebookNode:
    """The text's cells in the released notebook; metadata and ids are left to `repair`.

    An exported notebook falls into the cells it was made of. Colab writes no marks between them; there the
    checks tell, and each statement is a cell. Plain Python goes in front of the first graded
    cell, a cell for each statement (what goes wrong in one stays there), in place of the stubs whose
    functions it defines.
    """
    notebook = copy.deepcopy(released)
    if EXPORT_MARK.search(text):
        notebook.cells = list(_exported(text))
        return notebook
    graded = {cell.source.strip() for cell in notebook.cells if _is_graded(cell)}
    if any(part.strip() in graded for part, _ in parts(text)):
        notebook.cells = [_without_id(_cell_of(part)) for part, _ in parts(text)]
        return notebook
    defined = names_bound(text)
    notebook.cells = [
        cell for cell in notebook.cells if not (_is_stub(cell) and names_defined(cell.source) & defined)
    ]
    place = next((i for i, cell in enumerate(notebook.cells) if _is_graded(cell)), len(notebook.cells))
    notebook.cells[place:place] = [
        _without_id(new_raw_cell(part) if main else new_code_cell(part)) for part, main in parts(text)
    ]
    return notebook


def _exported(text: str) -> Iterator[NotebookNode]:
    for part in EXPORT_MARK.split(text):
        comments = TRAILING_COMMENTS.search(part).group()
        code = part[: len(part) - len(comments)].strip("\n")
        prose = re.sub(r"^# ?", "", comments, flags=re.MULTILINE).strip("\n")
        if code:
            yield _without_id(new_code_cell(code))
        if prose:
            yield _without_id(new_markdown_cell(prose))


def _cell_of(part: str) -> NotebookNode:
    """A text cell where a statement is nothing but a string, as Colab writes those."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "\d" in prose is no news
            text = ast.literal_eval(part.strip())
    except (SyntaxError, ValueError):
        text = None
    return new_markdown_cell(text.strip("\n")) if isinstance(text, str) else new_code_cell(part)


def statements(text: str) -> list[str]:
    """The parts of Python text to be run one after the other, so that what goes wrong in one stays there: a
    statement each, imports together. All of it, where it is no Python."""
    return [part for part, _ in parts(text)]


def _is_stub(cell: NotebookNode) -> bool:
    return cell.cell_type == "code" and bool(cell.metadata.get("nbgrader", {}).get("solution"))


def _is_graded(cell: NotebookNode) -> bool:
    return cell.cell_type == "code" and bool(cell.metadata.get("nbgrader", {}).get("grade"))


def _without_id(cell: NotebookNode) -> NotebookNode:
    """nbformat's new cells carry random ids; the same file must give the same notebook."""
    del cell["id"]
    return cell
