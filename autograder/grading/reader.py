"""From the bytes of a file to a clean notebook or Python text, whatever a browser, an editor or an LMS did to
them."""

import codecs
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbformat import NotebookNode, ValidationError, from_dict, validate

from autograder.allowance import CELLS, CODE_LENGTH, SLIM_BYTES
from autograder.grading.course import source_of
from autograder.script import unix_lines

TEXT_CAP = 2_000_000  # characters of one text cell (pasted pictures) and of all code

BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
CELL_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
PYTHON = re.compile(r"^(?:(?:async )?def |class |import |from \w|# In\[|# %%|@\w|\w+ = )", re.MULTILINE)
CONFLICT = re.compile(r"^(<{7}|>{7}) ", re.MULTILINE)
AGAIN = "save it in Jupyter and hand it in again."


@dataclass(frozen=True)
class Content:
    """What a file holds: a clean notebook (format 4.5, no outputs), Python text, or neither."""

    notebook: NotebookNode | None = None
    python: str | None = None
    problems: tuple[str, ...] = ()


def load_notebook(path: Path) -> NotebookNode:
    """A notebook of the course's own, without outputs: as released, or as put in place."""
    return _clean(json.loads(path.read_text(encoding="utf-8")))[0]


def read_content(data: bytes, name: str) -> Content:
    """What `data`, handed in under `name`, holds. Never raises for bad content."""
    text, problems = _decode(data)
    shown, is_python = printable(name), name.lower().endswith((".py", ".py.txt"))
    problems = [f"{shown} {problem}" for problem in problems]
    raw, error = _parse(text)
    if isinstance(raw, dict) and ("cells" in raw or "worksheets" in raw):
        notebook, more = _clean(raw)
        if is_python:
            more.insert(0, "holds a notebook, not Python text; it was read as a notebook.")
        return Content(notebook=notebook, problems=(*problems, *(f"{shown} {line}" for line in more)))
    reason = _reason(text, error, is_python)
    if is_python and not _is_web_page(text) or _is_python(text):
        line = (
            f"{shown} {reason}"
            if is_python
            else f"{shown} holds Python text, not a notebook; it was read as Python."
        )
        return Content(python=unix_lines(text), problems=(*problems, *([line] if reason else [])))
    return Content(problems=(f"{shown} {reason}",))


def is_sound(data: bytes, repaired: NotebookNode) -> bool:
    """Whether a notebook file needs no repair: valid, of a fair size, and saying what the repaired one
    says."""
    try:
        raw = json.loads(data.decode())
        if len(data) > SLIM_BYTES or _gist(raw) != _gist(repaired):
            return False
        validate(from_dict(raw))
    except (ValueError, ValidationError, RecursionError, KeyError, TypeError, AttributeError):
        return False
    return True


def _gist(raw: dict[str, Any]) -> tuple:
    """All of a notebook that grading depends on."""
    cells = [(c["cell_type"], source_of(c), c["id"], c["metadata"].get("nbgrader")) for c in raw["cells"]]
    kernel = raw["metadata"].get("kernelspec", {}).get("name")
    return raw["nbformat"], raw["nbformat_minor"], kernel, cells


def printable(text: str) -> str:
    """A student's own words on one line, without control characters (terminals obey them)."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text[:200])


def is_cell_id(value: Any) -> bool:
    """Whether a value is a cell id that nbformat 4.5 accepts."""
    return isinstance(value, str) and CELL_ID.fullmatch(value) is not None


def _decode(data: bytes) -> tuple[str, list[str]]:
    for mark, encoding in BOMS:
        if data.startswith(mark):
            line = f"starts with a byte order mark ({encoding.upper()}); it was read all the same."
            return data[len(mark) :].decode(encoding, "replace"), [line]
    if data[:200].count(0) > len(data[:200]) // 4:
        encoding = "utf-16-be" if data[0] == 0 else "utf-16-le"
        return data.decode(encoding, "replace"), [
            f"is encoded as {encoding.upper()}; it was read all the same."
        ]
    try:
        return data.decode(), []
    except UnicodeDecodeError:
        return data.decode("latin-1"), [
            "is not encoded as UTF-8; it was read as Latin-1, accents may be wrong."
        ]


def _parse(text: str) -> tuple[Any, Exception | None]:
    if not text.lstrip().startswith(("{", "[", '"')):
        return None, None
    try:
        return json.loads(text), None
    except (ValueError, RecursionError, MemoryError) as error:
        return None, error


def _reason(text: str, error: Exception | None, is_python: bool) -> str:
    """Why a file is no notebook, as the rest of a sentence; empty for ordinary Python text."""
    if not text.strip():
        return f"is empty: {AGAIN}"
    if _is_web_page(text):
        return "is a web page, perhaps a login page: log in, download the notebook itself and hand that in."
    if CONFLICT.search(text):
        return (
            "holds merge-conflict markers (<<<<<<<): keep one version of each passage and hand it in again."
        )
    if is_python:
        return ""
    if isinstance(error, json.JSONDecodeError):
        if error.pos >= len(text.rstrip()) - 1 or error.msg.startswith("Unterminated"):
            return f"ends in the middle, as after a broken download: {AGAIN}"
        return f"is not valid JSON (line {error.lineno}, column {error.colno}): {AGAIN}"
    return f"is not a notebook: {AGAIN}"


def _is_web_page(text: str) -> bool:
    return text.lstrip()[:15].lower().startswith(("<!doctype html", "<html"))


def _is_python(text: str) -> bool:
    return not text.lstrip().startswith(("{", "<!", "<html")) and PYTHON.search(text) is not None


def _clean(raw: dict[str, Any]) -> tuple[NotebookNode, list[str]]:
    """A notebook of format 4.5 out of whatever JSON says it is one; cell ids may still be missing."""
    problems = _version_problems(raw)
    cells = [_clean_cell(cell) for cell in _raw_cells(raw) if isinstance(cell, dict)]
    if len(cells) > CELLS:
        problems.append(f"has {len(cells)} cells; only the first {CELLS} were read.")
    problems += _tame(cells[:CELLS])
    clean = {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": _kernel(raw.get("metadata")),
        "cells": cells[:CELLS],
    }
    return from_dict(clean), problems


def _version_problems(raw: dict[str, Any]) -> list[str]:
    version = raw.get("nbformat")
    if version == 4:
        return []
    if version in (2, 3):
        return [f"is in the old notebook format {version}; it was read all the same."]
    return ["states no notebook format that is known; it was read as format 4."]


def _raw_cells(raw: dict[str, Any]) -> list[Any]:
    sheets = raw["worksheets"] if isinstance(raw.get("worksheets"), list) else []
    lists = [raw.get("cells"), *(sheet.get("cells") for sheet in sheets if isinstance(sheet, dict))]
    return [cell for cells in lists if isinstance(cells, list) for cell in cells]


def _clean_cell(raw: dict[str, Any]) -> dict[str, Any]:
    kind = raw.get("cell_type")
    source = _joined(raw.get("source", raw.get("input", "")))
    if kind == "heading":  # formats 2 and 3
        kind, source = "markdown", f"# {source}"
    cell = {"cell_type": kind if kind in ("code", "markdown") else "raw", "source": source}
    cell["metadata"] = _clean_metadata(raw.get("metadata"))
    if is_cell_id(raw.get("id")):
        cell["id"] = raw["id"]
    if kind == "code":
        cell |= {"outputs": [], "execution_count": None}
    elif isinstance(raw.get("attachments"), dict):
        cell["attachments"] = {
            name: data for name, data in raw["attachments"].items() if _is_attachment(name, data)
        }
    return cell


def _clean_metadata(raw: Any) -> dict[str, Any]:
    if not isinstance(raw, dict):
        return {}
    kept = {key: raw[key] for key in ("deletable", "editable") if isinstance(raw.get(key), bool)}
    if isinstance(raw.get("tags"), list):
        tags = dict.fromkeys(tag for tag in raw["tags"] if isinstance(tag, str) and is_cell_id(tag))
        kept["tags"] = list(tags)
    if "nbgrader" in raw:
        kept["nbgrader"] = raw["nbgrader"] if isinstance(raw["nbgrader"], dict) else {}
    return kept


def _is_attachment(name: str, data: Any) -> bool:
    return (
        name.isprintable()
        and isinstance(data, dict)
        and all(isinstance(value, str) and value.isascii() for value in data.values())
    )


def _kernel(metadata: Any) -> dict[str, Any]:
    """Of the notebook's own metadata only the kernel is kept, and only where both of its names are text."""
    spec = metadata.get("kernelspec") if isinstance(metadata, dict) else None
    names = {key: spec.get(key) for key in ("name", "display_name")} if isinstance(spec, dict) else {}
    return (
        {"kernelspec": names}
        if names and all(isinstance(name, str) and name.isprintable() for name in names.values())
        else {}
    )


def _joined(source: Any) -> str:
    if isinstance(source, list):
        return "".join(line for line in source if isinstance(line, str))
    return source if isinstance(source, str) else ""


def _tame(cells: list[dict[str, Any]]) -> list[str]:
    """Bring sources, in place, to Unix line ends, encodable text and a length that slows nobody down."""
    problems, room = [], TEXT_CAP
    for number, cell in enumerate(cells, 1):
        is_code = cell["cell_type"] == "code"
        if len(cell["source"]) > min(room, CODE_LENGTH if is_code else TEXT_CAP):
            problems.append(
                f"has a cell too long to be read (cell {number}): shorten it and hand it in again."
            )
            cell["source"] = ""
        room -= len(cell["source"]) if is_code else 0
        cell["source"] = _encodable(cell["source"])
    if any("\r" in cell["source"] for cell in cells):
        problems.append("has Windows line ends inside its cells; they were converted.")
        for cell in cells:
            cell["source"] = unix_lines(cell["source"])
    return problems


def _encodable(text: str) -> str:
    """JSON can spell halves of a surrogate pair, which no encoder takes."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
