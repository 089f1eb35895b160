"""What would give a solution away: lines of it in what students get."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from autograder.grading.course import Lesson
from autograder.grading.marks import MARKS, regions
from autograder.grading.source import read

SHORTEST = 15  # characters without spaces; a shorter line says too little to be told from anyone's code
TEACHERS_PARTS = {"grading", "sandbox"}  # of the package: not in the student wheel


def leaks(lesson: Lesson, released: Path | None = None) -> list[str]:
    """Each place where a line of the lesson's solutions or marking schemes stands in what students get.

    Students get assignments/ (`released` is looked at in place of the lesson's own folder there) and the
    package without the engine. A line that the text prints outside of solutions gives nothing away, nor
    does a loop's or condition's first line that the public checks share.
    """
    secrets = _secrets(lesson)
    found = []
    for file in _files(lesson, released or lesson.release_folder):
        text = _squeeze(_text(file))
        place = file.relative_to(lesson.root).as_posix()
        found += [f"{place} holds `{line}`" for squeezed, line in secrets.items() if squeezed in text]
    return found


def _secrets(lesson: Lesson) -> dict[str, str]:
    """The lines that must not stand anywhere, by their squeezed form."""
    lines = [pair for cell in read(lesson).cells for pair in _marked(cell.source)]
    checks = lesson.public_checks.read_text(encoding="utf-8").splitlines()
    given = [line for inside, line in lines if not inside]
    public = _squeeze("\n".join(given + [line for line in checks if line.rstrip().endswith(":")]))
    hidden = {_squeeze(_bare(line)): line.strip() for inside, line in lines if inside}
    return {short: line for short, line in hidden.items() if len(short) >= SHORTEST and short not in public}


def _marked(source: str) -> Iterator[tuple[bool, str]]:
    """Every line of a cell, with whether it stands in a region of any kind."""
    kinds = [dict(enumerate(regions(source, mark))) for mark in MARKS if f"BEGIN {mark}" in source]
    yield from kinds[0].values() if kinds else ((False, line) for line in source.split("\n"))


def _bare(line: str) -> str:
    """A line of code without the comment behind it; a comment of its own counts as a line."""
    return re.sub(r"(?<=\S)\s+#.*", "", line)


def _squeeze(text: str) -> str:
    return "".join(text.split())


def _files(lesson: Lesson, released: Path) -> list[Path]:
    package = lesson.root / "autograder"
    ours = [file for file in package.rglob("*") if file.relative_to(package).parts[0] not in TEACHERS_PARTS]
    assignments = (lesson.root / "assignments").rglob("*")
    others = [file for file in assignments if lesson.release_folder not in file.parents]
    files = [*others, *released.rglob("*"), *ours]
    return sorted(file for file in files if file.is_file() and "__pycache__" not in file.parts)


def _text(file: Path) -> str:
    """A file's text; of a notebook every string in it, since JSON escapes quotes and line ends."""
    text = file.read_text(encoding="utf-8", errors="replace")
    return "\n".join(_strings(json.loads(text))) if file.suffix == ".ipynb" else text


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
