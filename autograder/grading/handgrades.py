"""What was graded by hand: kept when the automatic result changes, and flagged to be looked at again."""

import contextlib
import json
from collections import defaultdict
from collections.abc import Iterator

from nbgrader import api
from nbgrader.coursedir import CourseDirectory
from sqlalchemy import or_

from autograder.grading.conversion import settings
from autograder.grading.course import Course, Lesson, source_of
from autograder.grading.reader import printable

OTHERS = "text"  # cells without a grade id, in which students answer, too


class HandGrades:
    """The grades of a lesson that somebody gave by hand, read at once."""

    def __init__(self, course: Course, lesson: Lesson):
        self._course, self._lesson = course, lesson
        self._db_url = CourseDirectory(config=settings(course)).db_url
        self._flags: dict[str, dict[str, bool]] = defaultdict(dict)  # student → grade id → needs a look
        self.lines: list[str] = []  # one for each student whose grades have to be looked at again
        with api.Gradebook(self._db_url) as gradebook:
            for student, grade, flag in self._rows(gradebook):
                self._flags[student][grade] = flag

    @contextlib.contextmanager
    def watched(self, student: str) -> Iterator[None]:
        """While nbgrader records a student again: it asks for a look at every manual grade whether anything
        changed or not. Afterwards nbgrader's `needs_manual_grade` is set for all of them if a task's points
        or message or a cell's text changed, and is as it was if nothing did."""
        before = self._seen(student) if student in self._flags else None
        yield
        if student not in self._flags:
            return
        after = self._seen(student)
        if not after:
            return  # it was not recorded, which is said elsewhere
        changed = before != after
        self._flag(student, changed)
        if changed:
            what = f"graded by hand before, and {_what(before or {}, after)} changed since"
            self.lines.append(f"{printable(student)}: {what}: look at it again in formgrader.")

    def _rows(self, gradebook: api.Gradebook) -> Iterator[tuple[str, str, bool]]:
        submission, notebook, grade = api.SubmittedAssignment, api.SubmittedNotebook, api.Grade
        return (
            gradebook.db.query(submission.student_id, api.BaseCell.name, grade.needs_manual_grade)
            .select_from(grade)
            .join(api.BaseCell, api.BaseCell.id == grade.cell_id)
            .join(notebook, notebook.id == grade.notebook_id)
            .join(submission, submission.id == notebook.assignment_id)
            .join(api.Assignment, api.Assignment.id == submission.assignment_id)
            .filter(api.Assignment.name == self._lesson.name)
            .filter(or_(grade.manual_score.is_not(None), grade.extra_credit.is_not(None)))
        )

    def _flag(self, student: str, changed: bool) -> None:
        with api.Gradebook(self._db_url) as gradebook:
            for name, flag in self._flags[student].items():
                grade = gradebook.find_grade(name, self._lesson.name, self._lesson.name, student)
                grade.needs_manual_grade = changed or flag
            gradebook.db.commit()

    def _seen(self, student: str) -> dict[str, str]:
        """What the TA sees, by grade id: the text, and of graded cells what the grader says."""
        path = self._course.build / "autograded" / student / self._lesson.name / f"{self._lesson.name}.ipynb"
        try:
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        except (OSError, ValueError, KeyError):
            return {}
        seen: dict[str, str] = defaultdict(str)
        for cell in cells:
            data = cell["metadata"].get("nbgrader", {})
            outputs = json.dumps(cell.get("outputs", [])) if data.get("grade") else ""
            seen[data.get("grade_id", OTHERS)] += f"{source_of(cell)}\n{outputs}\n"
        return dict(seen)


def _what(before: dict[str, str], after: dict[str, str]) -> str:
    """Names of the cells that changed, a few of them."""
    names = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    more = f" and {len(names) - 3} more" if names[3:] else ""
    return f"{', '.join(map(printable, names[:3]))}{more}"
