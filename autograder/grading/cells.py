"""One submission as it is graded: its cells in order, and what was odd about the file handed in."""

from typing import Literal

import msgspec


class Cell(msgspec.Struct, frozen=True):
    """One cell: `id` is its nbgrader grade_id, empty for an ordinary cell; `index` its place in the
    notebook."""

    id: str
    source: str
    kind: Literal["code", "markdown"]
    index: int


class Submission(msgspec.Struct, frozen=True):
    """What one student handed in for one lesson. The cells of a Python file are its statements. A file that
    cannot be read has no cells and says why in `problems`; `extra` are the files handed in beside it, by
    their path relative to it."""

    student: str
    lesson: str
    kind: Literal["notebook", "python"]
    cells: list[Cell]
    problems: list[str]
    extra: dict[str, bytes] = {}
