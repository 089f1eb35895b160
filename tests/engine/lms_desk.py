"""A teacher's desk: archives lie there, and `autograder collect` is typed."""

from pathlib import Path

import pytest
from lms_archives import Files, zipped

from autograder.grading.cli import main
from autograder.grading.course import Course


class Desk:
    """Where archives lie and the command is typed."""

    def __init__(self, course: Course, folder: Path, capsys: pytest.CaptureFixture):
        self.course, self.folder, self._capsys = course, folder, capsys
        folder.mkdir()

    def put(self, content: Files | bytes | str, name: str = "submissions.zip") -> Path:
        data = zipped(content) if isinstance(content, dict) else content
        (self.folder / name).write_bytes(data.encode() if isinstance(data, str) else data)
        return self.folder / name

    def collect(self, lms: str, path: Path, roster: str | bytes = "", *options: str) -> str:
        """Everything that a collect, which must succeed, prints."""
        code, out, err = self.run(lms, path, roster, *options)
        assert code == 0, err
        return out

    def run(self, lms: str, path: Path, roster: str | bytes = "", *options: str) -> tuple[int, str, str]:
        if roster:
            options += ("--roster", str(self.put(roster, "roster.csv")))
        code = main(["collect", lms, str(path), "--assignment", "tides", *options])
        printed = self._capsys.readouterr()
        return code, printed.out, printed.err

    def receipt(self, student: str) -> str:
        assert main(["receipt", student, "tides"]) == 0
        return self._capsys.readouterr().out

    def tree(self, room: str = "submitted") -> dict[str, set[str]]:
        """What lies there of each student."""
        found: dict[str, set[str]] = {}
        for path in (self.course.build / room).rglob("*"):
            if path.is_file():
                student, _, *parts = path.relative_to(self.course.build / room).parts
                found.setdefault(student, set()).add("/".join(parts))
        return found

    def times(self) -> dict[str, str]:
        notes = (self.course.build / "submitted").glob("*/tides/timestamp.txt")
        return {note.parent.parent.name: note.read_text().strip() for note in notes}

    def placed(self, student: str, name: str) -> bytes:
        return (self.course.build / "submitted" / student / "tides" / name).read_bytes()

    def state(self) -> dict[str, tuple]:
        files = (path for path in self.course.root.rglob("*") if path.is_file())
        return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}
