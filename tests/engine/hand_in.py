"""One student's hand-in folder in the small course, with what is kept of it."""

import hashlib
import json
import os
from pathlib import Path

import nbformat

from autograder.grading import intake
from autograder.grading.course import Course, Lesson
from autograder.grading.reader import load_notebook

RIGHT = "def level(hours):\n    return np.sin(np.asarray(hours) / 2)"
EARLY, LATE = 1_700_000_000, 1_800_000_000


def done(lesson: Lesson) -> dict:
    """The released notebook with its first task done, as JSON."""
    notebook = json.loads(lesson.release.read_text(encoding="utf-8"))
    next(cell for cell in notebook["cells"] if cell["id"] == "level_stub")["source"] = RIGHT
    return notebook


class HandIn:
    """One student's folder, with what is kept of it."""

    def __init__(self, course: Course, lesson: Lesson, student: str = "ana"):
        self.course, self.lesson, self.student = course, lesson, student
        self.folder = course.build / "submitted" / student / lesson.name
        self.kept = course.build / "received" / student / lesson.name
        self.folder.mkdir(parents=True)

    def put(self, name: str, content: bytes | str | dict, when: int = EARLY) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, dict):
            content = json.dumps(content)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        os.utime(path, (when, when))
        return path

    def take_in(self) -> list[str]:
        """Take in, and check what must hold each time: a second run changes nothing, nbgrader can read the
        result."""
        own = {".part", "receipts.json", "problems.json"}
        before = {
            self.digest(path)
            for path in self.all_files(self.folder, self.kept)
            if not {path.suffix, path.name} & own
        }
        told = intake.take_in(self.course, self.lesson, self.student)
        state = self.state()
        assert before <= {self.digest(path) for path in self.all_files(self.folder, self.kept)} | self.ours, (
            "lost"
        )
        assert intake.take_in(self.course, self.lesson, self.student) == told
        assert intake.problems(self.course, self.lesson, self.student) == told
        assert self.state() == state, "a second run changed something"
        assert [path.name for path in self.folder.rglob("*.ipynb")] == ["tides.ipynb"]
        nbformat.validate(nbformat.read(self.folder / "tides.ipynb", as_version=4))
        self.ours = {self.digest(self.folder / "tides.ipynb")}
        return told

    ours: set[str] = set()  # what take_in wrote itself may go

    def state(self) -> dict[str, tuple]:
        return {
            str(path): (path.read_bytes(), path.stat().st_mtime_ns)
            for path in self.all_files(self.folder, self.kept)
        }

    def receipts(self) -> dict[str, dict]:
        return {
            entry["name"]: entry
            for entry in json.loads((self.kept / "receipts.json").read_text())["received"]
        }

    def placed(self) -> str:
        return (self.folder / "tides.ipynb").read_text(encoding="utf-8")

    def notebook(self) -> dict:
        return load_notebook(self.folder / "tides.ipynb")

    def source(self, grade_id: str) -> str | None:
        cells = (
            c for c in self.notebook().cells if c.metadata.get("nbgrader", {}).get("grade_id") == grade_id
        )
        return next((cell.source for cell in cells), None)

    @staticmethod
    def all_files(*folders: Path) -> list[Path]:
        return [
            path
            for folder in folders
            for path in folder.rglob("*")
            if path.is_file() and not path.is_symlink()
        ]

    @staticmethod
    def digest(path: Path) -> str:
        return hashlib.sha256(path.read_bytes()).hexdigest()
