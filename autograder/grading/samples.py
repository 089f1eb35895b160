"""Sample submissions: student work whose file name says the verdict and why, `failed-softmax--columns.py`.

A `.py` sample holds plain functions and classes. To become a notebook it is woven into the released one, as a
Python file that a student hands in is, so that there is no second copy of a lesson. The line
`# here stand the right functions` stands for the functions and classes of the reference that the sample does
not define itself, `# here stand the right functions, but for: softmax, mix` for the others only.
"""

import ast
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import writes

from autograder.grading.course import Lesson
from autograder.grading.errors import CourseError
from autograder.grading.reader import load_notebook
from autograder.grading.reference import Definition, definition_text
from autograder.grading.repair import repair
from autograder.grading.verdict import Verdict
from autograder.grading.weaving import woven

HEADER = re.compile(
    r"^# (handed in as|handed in by|cells deleted|nothing handed in)(?:: *(.*))?$", re.MULTILINE
)
RIGHT = re.compile(r"^# here stand the right functions(?:, but for: (.*))?$", re.MULTILINE)


@dataclass(frozen=True)
class Sample:
    """One sample. Its stem is the student's id, unless `# handed in by: "..."` gives another, as Python
    writes a string."""

    path: Path
    lesson: Lesson

    @property
    def student(self) -> str:
        given = self._headers.get("handed in by")
        return ast.literal_eval(given) if given else self.path.stem

    @property
    def text(self) -> str:
        """A `.py` sample as its student would have written it, the right functions in their place."""
        text = self.path.read_text(encoding="utf-8")
        return RIGHT.sub(lambda line: self._right(_defined(text), line[1] or ""), text)

    def _right(self, own: set[str], left_out: str) -> str:
        solution = self.lesson.solution.read_text(encoding="utf-8")
        gone = own | set(re.findall(r"\w+", left_out))
        return "\n\n\n".join(
            definition_text(solution, node) for node in _definitions(solution) if node.name not in gone
        )

    @property
    def handed_in(self) -> bool:
        return "nothing handed in" not in self._headers

    @property
    def is_edited(self) -> bool:
        """Whether cells are taken out of the notebook: then the file alone is not what was handed in."""
        return "cells deleted" in self._headers

    def expected(self, tasks: list[str]) -> dict[str, Verdict]:
        """The verdict the name promises for each of these tasks: "failed-mix+error-attend--why" for those
        named, or "missing--why" for all; a task that is not named passes."""
        promised = dict.fromkeys(tasks, Verdict.PASSED)
        for part in self.path.stem.split("--")[0].split("+"):
            verdict, _, task = part.partition("-")
            for name in [task] if task else tasks:
                if name not in promised and name not in {t.name for t in self.lesson.tasks}:
                    raise CourseError(f"{self.path}: there is no task `{name}`: rename the sample.")
                promised[name] = Verdict(verdict)
        return {task: promised[task] for task in tasks}

    def hand_in(self, folder: Path) -> None:
        """Write into `folder` what this student handed in; nothing if nothing was."""
        if not self.handed_in:
            return
        folder.mkdir(parents=True, exist_ok=True)
        name = self._headers.get("handed in as") or f"{self.lesson.name}.ipynb"
        (folder / name).write_bytes(self.notebook())

    def notebook(self) -> bytes:
        """The sample as the bytes of a notebook: woven from Python, or as it is where it is no Python."""
        if self.path.suffix != ".py":
            return self.path.read_bytes()
        released = load_notebook(self.lesson.release)
        notebook, _ = repair(woven(self.text, released), released)
        answers = {f"{question}_stub": letter for question, letter in _answers(self.lesson).items()}
        gone = set(re.findall(r"\w+", self._headers.get("cells deleted", "")))
        notebook.cells = [cell for cell in notebook.cells if _grade_id(cell) not in gone]
        for cell in notebook.cells:
            if _grade_id(cell) in answers:
                cell.source = f"answer = {answers[_grade_id(cell)]!r}"
        return writes(notebook).encode()

    @property
    def _headers(self) -> dict[str, str]:
        if self.path.suffix != ".py":
            return {}
        return {name: value for name, value in HEADER.findall(self.path.read_text(encoding="utf-8"))}


def samples(lesson: Lesson, folder: Path | None = None) -> list[Sample]:
    """The sample submissions of a lesson, its own or those in another folder, by name."""
    paths = (path for path in (folder or lesson.samples).iterdir() if path.suffix in (".py", ".ipynb"))
    return [Sample(path, lesson) for path in sorted(paths)]


def _defined(text: str) -> set[str]:
    return {node.name for node in _definitions(text)}


def _definitions(text: str) -> list[Definition]:
    return [node for node in ast.parse(text).body if isinstance(node, Definition)]


def _grade_id(cell: NotebookNode) -> str:
    return cell.metadata.get("nbgrader", {}).get("grade_id", "")


def _answers(lesson: Lesson) -> dict[str, str]:
    namespace: dict[str, Any] = {}
    exec(compile(lesson.solution.read_text(encoding="utf-8"), str(lesson.solution), "exec"), namespace)
    return namespace["ANSWERS"]
