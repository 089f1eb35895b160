"""What a broken sample is, and the right notebook that it is made of."""

import ast
import copy
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.grading.course import Lesson
from autograder.grading.samples import Sample
from autograder.grading.verdict import Verdict

Files = dict[str, bytes]
Made = Files | bytes | None
HANDED_IN_AT = 1_700_000_000


@dataclass(frozen=True)
class Broken:
    """A submission with something broken. `make` changes the right notebook in place, or gives the bytes of
    the notebook, or the files that are handed in, oldest first. `problem` is in a line of `problems`, and
    there is none where it is empty; `message` is in what the student reads of each task that did not pass."""

    student: str
    make: Callable[[dict[str, Any]], Made]
    problem: str = ""
    message: str = ""
    mode: int = 0o644
    lesson: str = "mixing"

    def expected(self, lesson: Lesson) -> dict[str, Verdict]:
        """The verdict on each task, which the name tells."""
        return Sample(Path(self.student), lesson).expected([task.name for task in lesson.tasks])

    def files(self, lesson: Lesson) -> Files:
        """What this student hands in: the bytes of each file by its name."""
        notebook = right_notebook(lesson)
        made = self.make(notebook)
        if isinstance(made, dict):
            return made
        return {f"{lesson.name}.ipynb": as_bytes(notebook) if made is None else made}

    def hand_in(self, folder: Path, lesson: Lesson) -> Files:
        """Write the files into the student's folder, each a minute younger than the one before."""
        files = self.files(lesson)
        for minute, (name, data) in enumerate(files.items()):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            os.utime(path, (HANDED_IN_AT + 60 * minute,) * 2)
            path.chmod(self.mode)
        return files


def broken(student: str, problem: str = "", message: str = "", mode: int = 0o644, lesson: str = "mixing"):
    """Make a sample of a function that breaks the notebook it is given."""
    return lambda make: Broken(student, make, problem, message, mode, lesson)


def right_notebook(lesson: Lesson) -> dict[str, Any]:
    """The released notebook as JSON, every task done right and every code cell run."""
    notebook = json.loads(lesson.release.read_text(encoding="utf-8"))
    text = lesson.solution.read_text(encoding="utf-8")
    tree = ast.parse(text)
    functions = {node.name: ast.get_source_segment(text, node) for node in tree.body if hasattr(node, "name")}
    answers = ast.literal_eval(next(node.value for node in tree.body if _assigned(node) == "ANSWERS"))
    for number, cell in enumerate(notebook["cells"]):
        task = cell["id"].removesuffix("_stub")
        if cell["id"].endswith("_stub"):
            cell["source"] = functions[task] if task in functions else f"answer = {answers[task]!r}"
        if cell["cell_type"] == "code":
            cell["execution_count"] = number
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "as it was shown\n"}]
    return notebook


def _assigned(node: ast.stmt) -> str:
    return ast.unparse(node.targets[0]) if isinstance(node, ast.Assign) else ""


def as_bytes(notebook: dict[str, Any]) -> bytes:
    return (json.dumps(notebook, indent=1, ensure_ascii=False) + "\n").encode()


def cell(notebook: dict[str, Any], name: str) -> dict[str, Any]:
    """The cell of that id: a task's stub is `<task>_stub`."""
    return next(cell for cell in notebook["cells"] if cell.get("id") == name)


def code_cell(source: str, name: str = "own") -> dict[str, Any]:
    empty = {"metadata": {}, "outputs": [], "execution_count": None}
    return {"cell_type": "code", "id": name, "source": source} | copy.deepcopy(empty)


def text_cell(source: str, name: str = "own-text") -> dict[str, Any]:
    return {"cell_type": "markdown", "id": name, "source": source, "metadata": {}}


def insert(notebook: dict[str, Any], before: str, *cells: dict[str, Any]) -> None:
    """Put cells in front of the one of that id."""
    place = notebook["cells"].index(cell(notebook, before))
    notebook["cells"][place:place] = cells


def write(notebook: dict[str, Any], task: str, source: str) -> None:
    """Replace the source of a task's stub."""
    cell(notebook, f"{task}_stub")["source"] = source


def written(notebook: dict[str, Any], task: str) -> str:
    """The source of a task's stub."""
    return cell(notebook, f"{task}_stub")["source"]
