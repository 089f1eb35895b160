"""What is put on the bench: a submission together with what its lesson says about running it."""

import json

import msgspec

from autograder.grading.course import Lesson, source_of
from autograder.grading.submission import Submission


class Work(msgspec.Struct, frozen=True):
    """`untouched` are the sources of grade cells as released, which hold no work of the student's and are not run;
    `questions` are the ids of cells that answer one; `files` lie beside the notebook; `tasks` are to be graded."""

    submission: Submission
    untouched: frozenset[str]
    questions: frozenset[str]
    files: dict[str, bytes]
    tasks: list[str]


def work_on(lesson: Lesson, submission: Submission, tasks: list[str] | None = None) -> Work:
    """The work of grading `submission`: all of the lesson's tasks, or those named; a `.py` file answers no question."""
    plain = submission.kind == "python"
    chosen = [task for task in lesson.tasks if not (plain and task.question) and (tasks is None or task.name in tasks)]
    questions = frozenset(f"{task.name}_stub" for task in lesson.tasks if task.question)
    released = {
        str(path.relative_to(lesson.release_folder)): path.read_bytes()
        for path in sorted(lesson.release_folder.rglob("*"))
        if path.is_file() and path.suffix != ".ipynb"
    }
    return Work(submission, _grade_cells(lesson), questions, released | submission.extra, [t.name for t in chosen])


def _grade_cells(lesson: Lesson) -> frozenset[str]:
    cells = json.loads(lesson.release.read_text(encoding="utf-8"))["cells"]
    return frozenset(source_of(cell) for cell in cells if cell["metadata"].get("nbgrader", {}).get("grade"))
