"""A class that is known to an LMS, graded once, and the tables that the LMS would write about it.

In a text, « → » marks what changes: before the arrow what the LMS wrote, after it what comes back.
"""

import re
from pathlib import Path

from small_class import Class

from autograder.grading import gradebook, people
from autograder.grading.cli import main
from autograder.grading.course import Course
from autograder.grading.people import People, Person

DUE = "2026-12-01 18:00 UTC"
FORMULA_NAME = '=HYPERLINK("http://evil.example","_9001_")'
REMARK = 'Look at <the sine>\nof "h/2" \\'
NAMES = {  # everybody, by the id here, which is the login there
    "ana": "Ana Müller-Łoś",
    "bela": "Béla O'Neil, jr.",
    "kim": "Kim Lee",
    "kim2": "Kim Lee",
    "evil": FORMULA_NAME,
    "dora": "Dora Ungraded",
    "emil": "Emil Missing",
}
POINTS = {
    "ana": 1.3,
    "bela": 1.3,
    "kim": 2.0,
    "kim2": 0.125,
    "evil": 0.0,
}  # of the first task; the other gives 1
TOTALS = {
    "ana": 2.3,
    "bela": 2.07,
    "kim": 3.0,
    "kim2": 1.13,
    "evil": 1.0,
}  # bela's is late, and loses a tenth


class LmsClass(Class):
    """Seven students of an LMS: five graded, one not graded yet, one who handed in nothing."""

    def __init__(self, course: Course):
        super().__init__(course)
        self.folder_of_files = course.root.parent

    def grade_all(self) -> None:
        with self.gradebook() as book:
            book.update_or_create_assignment("tides", duedate=DUE)
        for student, points in POINTS.items():
            self.hand_in(student)
            self.grade(student, points)
        (self.folder("submitted", "bela") / "timestamp.txt").write_text("2026-12-02 12:00 UTC")
        assert self.record(*POINTS) == []
        with self.gradebook() as book:
            book.find_comment("level_stub", "tides", "tides", "kim2").manual_comment = REMARK
            book.db.commit()
        self.hand_in("dora")
        gradebook.add_students(self.course, NAMES)

    def known_to(self, lms: str, first: int) -> None:
        """Enter who is who, as collecting does: the LMS's own numbers go upwards from `first`; Blackboard's
        archives tell user names."""
        found = {}
        for number, (student, name) in enumerate(NAMES.items(), first):
            own = student if lms == "blackboard" else str(number)
            found[student] = Person(own, name, student, f"{student}@uni.example", f"s{number}")
        people.keep(self.course, self.lesson, People(lms, found))

    def unknown(self) -> None:
        """Forget who is who."""
        people.keep(self.course, self.lesson, People())

    def file(self, name: str, data: bytes) -> Path:
        path = self.folder_of_files / name
        path.write_bytes(data)
        return path

    def export(
        self, lms: str, *options: str, template: bytes | None = None, out: str = "out.csv"
    ) -> bytes | None:
        """What `autograder export` writes, None if it refuses; then nothing is written."""
        place = self.folder_of_files / out
        place.unlink(missing_ok=True)
        given = ["--template", str(self.file("template.csv", template))] if template is not None else []
        before = set(self.folder_of_files.iterdir())
        code = main(["export", lms, "--assignment", "tides", "--out", str(place), *given, *options])
        if code:
            assert code == 2 and set(self.folder_of_files.iterdir()) == before
        return None if code else place.read_bytes()


def before_and_after(text: str) -> tuple[str, str]:
    """The two texts of one in which « → » marks what changes."""
    change = re.compile("«([^→»]*)→([^»]*)»")
    return change.sub(r"\1", text), change.sub(r"\2", text)
