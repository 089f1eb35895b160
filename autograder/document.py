"""A notebook or a Python file on disk: its bytes, and its cells."""

import json
from importlib.util import decode_source
from pathlib import Path
from typing import Any, NamedTuple

from autograder.allowance import FILE_BYTES
from autograder.lesson import LessonError
from autograder.script import lines_of, parts, unix_lines

STATEMENT = "statement"  # the kind of a cell of a Python file


class Cell(NamedTuple):
    """One cell, counted from 1. `name` is its grade_id, `shown` the text of what was shown below it, and
    `count` the number it had when it was run, None if it was not."""

    number: int
    kind: str
    source: str
    id: str = ""
    name: str = ""
    is_graded: bool = False
    count: int | None = None
    shown: str = ""

    @property
    def title(self) -> str:
        """What tells people which cell it is: its number and its first line."""
        first = next((line.strip() for line in lines_of(self.source) if line.strip()), "")
        what = "statement" if self.kind == STATEMENT else "cell"
        return f"{what} {self.number} (`{first if len(first) <= 50 else first[:49] + '…'}`)"


class Document(NamedTuple):
    """A file as it was read once: whatever is said about it is said about these bytes."""

    path: Path
    data: bytes
    cells: list[Cell]

    @property
    def is_notebook(self) -> bool:
        return self.path.suffix != ".py"

    @property
    def code(self) -> list[Cell]:
        """The code cells that hold something."""
        return [cell for cell in self.cells if cell.kind in ("code", STATEMENT) and cell.source.strip()]


def read(path: Path) -> Document:
    """The notebook or Python file at `path`. Raises `LessonError`."""
    try:
        size, data = path.stat().st_size, b""
        if size <= FILE_BYTES:
            data = path.read_bytes()
    except OSError as problem:
        reason = "there is no such file" if isinstance(problem, FileNotFoundError) else problem.strerror
        raise LessonError(f"{path} cannot be read ({reason}): give the path of your notebook") from problem
    if size > FILE_BYTES:
        raise LessonError(
            f"{path.name} has {size / 1024**2:.0f} MB, more than the {FILE_BYTES // 1024**2} MB that are "
            "graded: clear its outputs and save it"
        )
    return Document(path, data, _script(path, data) if path.suffix == ".py" else notebook_cells(path, data))


def notebook_cells(path: Path, data: bytes) -> list[Cell]:
    """The cells of a notebook's bytes, of any format. Raises `LessonError`."""
    try:
        raw = json.loads(data)
        sheets = [raw, *raw.get("worksheets", [])]  # format 3 and older
        cells = [cell for sheet in sheets for cell in sheet.get("cells", [])]
        if not cells:
            raise ValueError("it holds no cells")
        return [_cell(number, cell) for number, cell in enumerate(cells, 1)]
    except (ValueError, TypeError, AttributeError, RecursionError) as problem:
        text = " ".join(str(problem).split())
        raise LessonError(f"{path.name} is no notebook ({text}): save it in Jupyter again") from problem


def _cell(number: int, raw: dict[str, Any]) -> Cell:
    source = joined(raw.get("source", raw.get("input", "")))
    metadata = raw.get("metadata") or {}
    data = metadata.get("nbgrader") or {}
    name, is_graded = str(data.get("grade_id", "")), bool(data.get("grade") or data.get("task"))
    count = raw.get("execution_count", raw.get("prompt_number"))
    count = count if isinstance(count, int) else None
    shown = "\n".join(_text(output) for output in raw.get("outputs") or [])
    kind, cell_id = raw.get("cell_type", ""), str(raw.get("id", ""))
    return Cell(number, kind, source, cell_id, name, is_graded, count, shown)


def _text(output: dict[str, Any]) -> str:
    return joined(output.get("text") or (output.get("data") or {}).get("text/plain", ""))


def joined(text: str | list[str]) -> str:
    """Text that a notebook may keep as a list of lines, with the ends of lines that Python knows."""
    return unix_lines(text if isinstance(text, str) else "".join(text))


def _script(path: Path, data: bytes) -> list[Cell]:
    try:
        text = decode_source(data)
    except (SyntaxError, UnicodeDecodeError) as problem:
        raise LessonError(f"{path.name} is no text in UTF-8: save it as UTF-8 again") from problem
    return [Cell(number, STATEMENT, source) for number, (source, _) in enumerate(parts(text), 1)]
