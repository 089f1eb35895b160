"""Where everything of a course stands: the folders of a lesson, and the tasks of its released notebook."""

import ast
import importlib.metadata
import importlib.util
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.grading.errors import CourseError
from autograder.packages import PROJECT
from autograder.spelling import offer

CONFIG = "nbgrader_config.py"


@dataclass(frozen=True)
class Task:
    """One automatically graded task: named by the grade cell's grade_id, written in cell `<name>_stub`."""

    name: str
    points: float
    question: bool


@dataclass(frozen=True)
class Lesson:
    """The paths of one lesson below the course's root, and its tasks."""

    name: str
    root: Path

    @property
    def text(self) -> Path:
        return self.root / "source" / self.name / f"{self.name}.py"

    @property
    def heading(self) -> str:
        """The first heading of the text, such as "1 Mixing: how one word takes in the others"."""
        found = re.search(r"^# # *(.*)$", self.text.read_text(encoding="utf-8"), re.MULTILINE)
        return found[1].strip() if found else ""

    @property
    def public_checks(self) -> Path:
        return self.text.with_name("public_checks.py")

    @property
    def built(self) -> Path:
        return self.root / "build" / "source" / self.name / f"{self.name}.ipynb"

    @property
    def release(self) -> Path:
        return self.release_folder / f"{self.name}.ipynb"

    @property
    def release_folder(self) -> Path:
        return self.root / "assignments" / self.name

    @property
    def solution(self) -> Path:
        return self.root / "solutions" / f"{self.name}.py"

    @property
    def hidden(self) -> Path:
        return self.root / "tests" / "hidden" / self.name

    @property
    def samples(self) -> Path:
        return self.root / "tests" / "submissions" / self.name

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The automatically graded tasks, in order: the code cells that give a grade and hold no solution."""
        cells = self._cells()
        questions = {_nbgrader(cell).get("grade_id") for cell in cells if "question" in _tags(cell)}
        return tuple(
            Task(data["grade_id"], float(data["points"]), f"{data['grade_id']}_stub" in questions)
            for cell in cells
            if cell["cell_type"] == "code"
            and (data := _nbgrader(cell)).get("grade")
            and not data.get("solution")
        )

    @property
    def modules(self) -> list[str]:
        """The modules that the released code imports, without this package's own."""
        sources = [source_of(cell) for cell in self._cells() if cell["cell_type"] == "code"]
        names = {name for source in sources for name in _imported(source)}
        return sorted(name for name in names if name.split(".")[0] != __package__.split(".")[0])

    @property
    def lacking(self) -> str:
        """What this machine lacks for the lesson's code, one line that ends with the cure; "" if nothing."""
        roots = dict.fromkeys(name.split(".")[0] for name in self.modules)
        absent = [name for name in roots if importlib.util.find_spec(name) is None]
        if not absent:
            return ""
        extra = self.name.replace("_", "-")
        cure = f"pip install --editable '.[{extra}]'" if extra in _extras() else "make setup"
        return f"{self.name} needs {', '.join(absent)}, not installed here: run `{cure}`."

    def _cells(self) -> list[dict]:
        try:
            return json.loads(self.release.read_text(encoding="utf-8"))["cells"]
        except FileNotFoundError:
            problem = "is not there yet"
        except (ValueError, KeyError, TypeError):
            problem = "cannot be read"
        raise CourseError(f"{self.release} {problem}: run `autograder release {self.name}`.")


def _extras() -> list[str]:
    """The optional parts of the project as it is installed; what only one lesson needs is called as that."""
    try:
        return importlib.metadata.metadata(PROJECT).get_all("Provides-Extra") or []
    except importlib.metadata.PackageNotFoundError:
        return []


def _imported(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


class Course:
    """A course: the folder that holds nbgrader_config.py and source/."""

    def __init__(self, root: Path | str):
        self.root = Path(root).resolve()
        self.build = self.root / "build"
        self.gradebook = self.build / "gradebook.db"  # nbgrader's, as the configuration names it

    def lesson(self, name: str) -> Lesson:
        """The lesson of that name; CourseError, naming the nearest one, if there is none."""
        lesson = Lesson(name, self.root)
        if name in self._names():
            return lesson
        advice = offer(name, self._names(), f"start it with `autograder new {name or 'positions'}`")
        raise CourseError(f"there is no lesson `{name}` in {self.root / 'source'}{advice}")

    def lessons(self) -> list[Lesson]:
        """Every lesson, by the number its first heading starts with ("# 1 Mixing"), then by name."""
        return sorted((Lesson(name, self.root) for name in self._names()), key=_place)

    def _names(self) -> list[str]:
        return sorted(text.stem for text in self.root.glob("source/*/*.py") if text.stem == text.parent.name)


def find_course(start: Path | str | None = None) -> Course:
    """The course that `start` (by default the current folder) stands in; CourseError outside of one."""
    start = Path(start or Path.cwd()).resolve()
    for folder in (start, *start.parents):
        if (folder / CONFIG).is_file() and (folder / "source").is_dir():
            return Course(folder)
    raise CourseError(f"{start} is not inside a course: go to the folder that holds {CONFIG} and source/.")


def source_of(cell: dict) -> str:
    """A cell's text; on disk notebooks may keep it as a list of lines."""
    source = cell.get("source", "")
    return source if isinstance(source, str) else "".join(source)


def _nbgrader(cell: dict) -> dict:
    return cell["metadata"].get("nbgrader", {})


def _tags(cell: dict) -> list[str]:
    return cell["metadata"].get("tags", [])


def _place(lesson: Lesson) -> tuple[float, str]:
    number = re.match(r"\d+\b", lesson.heading)
    return (int(number[0]) if number else float("inf"), lesson.name)
