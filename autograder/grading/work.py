"""What is put on the bench: a submission together with what its lesson says about running it."""

import ast
import json

import msgspec

from autograder.grading.course import Lesson, source_of
from autograder.grading.cells import Cell, Submission


class Work(msgspec.Struct, frozen=True):
    """`untouched` are the sources of grade cells as released, which hold no work of the student's and are
    not run; `lesson_cells` those of the lesson's own other cells, which call the student's functions: after
    one of them hung, the next ones get less time. `questions` are the ids of cells that answer one; `files`
    lie beside the notebook; `tasks` are to be graded."""

    submission: Submission
    untouched: frozenset[str]
    lesson_cells: frozenset[str]
    questions: frozenset[str]
    files: dict[str, bytes]
    tasks: list[str]


def work_on(lesson: Lesson, submission: Submission, tasks: list[str] | None = None) -> Work:
    """The work of grading `submission`: all of the lesson's tasks, or those named. A `.py` file answers no
    question, and finds what the lesson imports imported, as a notebook's cells do."""
    plain = submission.kind == "python"
    chosen = [
        task
        for task in lesson.tasks
        if not (plain and task.question) and (tasks is None or task.name in tasks)
    ]
    questions = frozenset(f"{task.name}_stub" for task in lesson.tasks if task.question)
    released = {
        str(path.relative_to(lesson.release_folder)): path.read_bytes()
        for path in sorted(lesson.release_folder.rglob("*"))
        if path.is_file() and path.suffix != ".ipynb"
    }
    graded, others = _released_cells(lesson)
    if plain:
        given = Cell("", _imports(others), "code", -1)
        submission = msgspec.structs.replace(submission, cells=[given, *submission.cells])
    return Work(
        submission, graded, others, questions, released | submission.extra, [task.name for task in chosen]
    )


def _released_cells(lesson: Lesson) -> tuple[frozenset[str], frozenset[str]]:
    """The sources of the released grade cells, and of the code cells that are neither graded nor a stub."""
    cells = json.loads(lesson.release.read_text(encoding="utf-8"))["cells"]
    marks = [(cell["metadata"].get("nbgrader", {}), cell) for cell in cells]
    graded = frozenset(source_of(cell) for mark, cell in marks if mark.get("grade"))
    others = frozenset(source_of(cell) for mark, cell in marks if not mark and cell["cell_type"] == "code")
    return graded, others


def _imports(sources: frozenset[str]) -> str:
    nodes = (node for source in sorted(sources) for node in ast.parse(source).body)
    return "\n".join(ast.unparse(node) for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))
