"""Mistakes in a lesson's text and public checks, found before nbgrader or a student stumbles over them."""

import ast
import re
from collections.abc import Iterator
from math import inf

from nbformat import NotebookNode

from autograder.grading.marks import MARKS, code, regions
from autograder.grading.reference import answer, is_question

# With "_stub" behind it still a cell id of nbformat's, which has 64 characters at most.
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,58}")
ROLES = ("grade", "solution", "locked", "task")


def mistakes(notebook: NotebookNode) -> Iterator[str]:
    """What is wrong with a lesson's text, each in one line; a later check relies on the earlier ones."""
    for cell in notebook.cells:
        yield from _in_marker(cell)
    graded = [cell for cell in notebook.cells if "nbgrader" in cell.metadata]
    for cell in graded:
        yield from _in_metadata(cell.metadata.nbgrader)
    yield from _in_names([cell.metadata.nbgrader.grade_id for cell in graded])
    for cell in notebook.cells:
        yield from _in_code(cell)
        yield from _in_regions(cell)
    for cell in graded:
        yield from _in_role(cell, cell.metadata.nbgrader)
    yield from _in_pairs([cell.metadata.nbgrader for cell in graded])


def mistakes_in_checks(text: str, tasks: list[str]) -> Iterator[str]:
    """What is wrong with public_checks.py: tests and sections of tasks that the lesson does not have."""
    try:
        module = ast.parse(text)
    except SyntaxError as error:
        yield f"line {error.lineno} is not Python ({error.msg}): correct it."
        return
    known = ", ".join(tasks)
    for function in (node.name for node in module.body if isinstance(node, ast.FunctionDef)):
        if function.startswith("test_") and not any(function.startswith(f"test_{task}_") for task in tasks):
            yield f"{function} belongs to no task: call it test_<task>_<what>, the task one of {known}."
    for name in section_names(module):
        if name not in tasks:
            yield f"SECTIONS names `{name}`, which is no task: name one of {known}."


def section_names(module: ast.Module) -> list[str]:
    """The tasks that public_checks.py gives a section to: the keys of its SECTIONS."""
    for node in module.body:
        if isinstance(node, ast.Assign) and any(ast.unparse(target) == "SECTIONS" for target in node.targets):
            return [key.value for key in getattr(node.value, "keys", []) if isinstance(key, ast.Constant)]
    return []


def _in_marker(cell: NotebookNode) -> Iterator[str]:
    broken = cell.metadata.get("incorrectly_encoded_metadata")
    if broken:
        yield f"the cell marker `# %% {broken}` cannot be read: write its metadata as JSON."
    if not isinstance(cell.metadata.get("nbgrader", {}), dict):
        yield f"a cell marker says nbgrader={cell.metadata.nbgrader!r}: write nbgrader={{...}}."
    for key in sorted(set(cell.metadata) - {"nbgrader", "tags", "lines_to_next_cell"}):
        yield f"a cell marker says `{key}`, which means nothing here: use nbgrader={{...}} or tags=[...]."


def _in_metadata(data: NotebookNode) -> Iterator[str]:
    name = data.get("grade_id", "")
    if not (isinstance(name, str) and NAME.fullmatch(name)):
        yield f"`{name}` cannot be a grade_id: use letters, digits and _, at most 59 of them."
    for key in sorted(set(data) - {"grade_id", "points", *ROLES}):
        yield f"cell `{name}` has the unknown nbgrader key `{key}`: take it out or spell it as nbgrader does."
    if not any(data.get(role) is True for role in ROLES):
        yield f'cell `{name}` is marked for nothing: add "grade", "solution" or "task": true.'
    points = data.get("points")
    if (data.get("grade") or data.get("task")) and not (type(points) in (int, float) and 0 <= points < inf):
        yield f'cell `{name}` gives no points: add "points" with a number from 0.'


def _in_names(names: list[str]) -> Iterator[str]:
    for name in names:
        if names.count(name) > 1:
            yield f"two cells have the grade_id `{name}`: rename one of them."


def _in_code(cell: NotebookNode) -> Iterator[str]:
    if cell.cell_type != "code":
        return
    try:
        code(cell.source)
    except SyntaxError as error:
        yield f"{_title(cell)}, line {error.lineno}, is not Python ({error.msg}): correct it."


def _in_regions(cell: NotebookNode) -> Iterator[str]:
    for mark, role in MARKS.items():
        try:
            lines = regions(cell.source, mark)
        except ValueError as error:
            yield f"{_title(cell)}: {error}: write one END line for each BEGIN line."
            return
        if len(lines) < len(cell.source.split("\n")) and not cell.metadata.get("nbgrader", {}).get(role):
            yield f'{_title(cell)} has a {mark} region but is no {role} cell: add "{role}": true.'
    if "BEGIN HIDDEN TESTS" in cell.source:
        yield f"{_title(cell)} has hidden tests, which feedback would show: move them to tests/hidden/."


def _in_role(cell: NotebookNode, data: NotebookNode) -> Iterator[str]:
    name, is_code = data.grade_id, cell.cell_type == "code"
    if data.get("task"):
        if is_code:
            yield f"task cell `{name}` holds code: make it a [markdown] cell."
        elif "BEGIN MARK SCHEME" not in cell.source:
            yield f"task cell `{name}` tells the TA nothing: add a BEGIN MARK SCHEME region."
    elif data.get("grade") and not data.get("solution"):
        if not is_code or cell.source != f'check("{name}")':
            yield f'grade cell `{name}` must hold nothing but check("{name}"): move the rest to another cell.'
    elif data.get("solution") and not data.get("grade"):
        if not is_code or not name.endswith("_stub"):
            yield f"solution cell `{name}` must be a code cell called <task>_stub: rename it."
        elif "BEGIN SOLUTION" not in cell.source:
            yield f"stub cell `{name}` would be cleared whole: put a BEGIN SOLUTION region in it."
        elif is_question(cell) and answer(cell.source) is None:
            yield f'question `{name}` has no right answer: put answer = "..." into its SOLUTION region.'


def _in_pairs(graded: list[NotebookNode]) -> Iterator[str]:
    seen = set()
    stubs = [data.grade_id for data in graded if data.get("solution") and not data.get("grade")]
    tasks = [data.grade_id for data in graded if data.get("grade") and not data.get("solution")]
    for data in graded:
        seen.add(data.grade_id)
        if data.grade_id in tasks and f"{data.grade_id}_stub" not in seen.intersection(stubs):
            yield f"grade cell `{data.grade_id}` has no stub before it: add the cell `{data.grade_id}_stub`."
    for stub in stubs:
        task = stub.removesuffix("_stub")
        if task not in tasks:
            yield f"stub cell `{stub}` has no grade cell: add the cell `{task}` after it."


def _title(cell: NotebookNode) -> str:
    name = cell.metadata.get("nbgrader", {}).get("grade_id")
    start = cell.source.split("\n")[0][:40]
    return f"cell `{name}`" if name else f"the {cell.cell_type} cell that starts `{start}`"
