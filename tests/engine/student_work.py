"""A small lesson as it lies on a student's disk, with work in it."""

import json
from pathlib import Path
from typing import Any

from autograder.manifest import Manifest, digest

CHECKS = '''
from autograder.check import expect

SECTIONS = {"double": "1 Twice", "half": "2 Half", "why": "3 A question"}


def test_double_two(student):
    expect(student.double(2), 4, hint="two times")


def test_half_four(student):
    expect(student.half(4), 2)


def test_why_is_a(student):
    assert student.answer == "a", 'write answer = "a"'
'''

IMPORTS, DOUBLE, HALF = (
    "from autograder import check",
    "def double(x):\n    return 2 * x",
    "def half(x):\n    return x / 2",
)
RIGHT = [
    IMPORTS, DOUBLE, 'check("double")', HALF, 'check("half")',
    'answer = "a"', 'check("why")', 'answer = "what another question gets"',
]  # fmt: skip
GRADED = {"double": 'check("double")', "half": 'check("half")', "why": 'check("why")'}


def notebook(*sources: str) -> dict[str, Any]:
    """A notebook of code cells, run from top to bottom."""
    names = {text: name for name, text in GRADED.items()}
    cells = []
    for number, source in enumerate(sources, 1):
        data = {"grade_id": names[source], "grade": True} if source in names else {}
        cells.append({
            "cell_type": "code",
            "id": names.get(source, f"cell-{number}"),
            "metadata": {"nbgrader": data} if data else {},
            "source": source,
            "execution_count": number,
            "outputs": [],
        })
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def put(folder: Path, *sources: str, name: str = "pairs.ipynb") -> Path:
    """The lesson's folder with this work in it; where the work is."""
    folder.mkdir(exist_ok=True)
    (folder / "public_checks.py").write_text(CHECKS, encoding="utf-8")
    manifest = Manifest("pairs", {task: digest(text) for task, text in GRADED.items()})
    (folder / "lesson.json").write_text(manifest.written(), encoding="utf-8")
    path = folder / name
    text = json.dumps(notebook(*sources)) if path.suffix == ".ipynb" else "\n".join(sources)
    path.write_text(text, encoding="utf-8")
    return path


def changed(*sources: str, **new: str) -> list[str]:
    """RIGHT with other functions: `changed(double="def double(x): ...")`, and cells in front."""
    swap = {DOUBLE: new.get("double", DOUBLE), HALF: new.get("half", HALF)}
    return [IMPORTS, *sources, *(swap.get(source, source) for source in RIGHT[1:])]
