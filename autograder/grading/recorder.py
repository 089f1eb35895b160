"""nbgrader's preprocessor that records a grading done elsewhere, in place of the one that runs a notebook."""

import contextlib
import copy
import functools
import re
from typing import Any

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode, from_dict
from nbformat.v4 import new_markdown_cell
from nbgrader import api
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade, is_solution

from autograder.grading.course import Course, Lesson, find_course
from autograder.grading.deadlines import enter_dates
from autograder.grading.feedback import plain_points, prose, task_html, task_text
from autograder.grading.limits import Limits
from autograder.grading.reader import load_notebook
from autograder.grading.results import ResultKeys, ResultStore
from autograder.grading.submission import cells_of
from autograder.grading.verdict import SubmissionResult

OUTPUTS_CAP = 8 * 1024**2  # characters of all outputs of one notebook
LEFT_OUT = "(output left out: the outputs of this notebook are too large)\n"

# Pages with a TA's rights show these cells, and nbconvert escapes text only: of what a student's code
# displayed, text and pictures are kept; of what a student wrote, tags without attributes and ordinary links.
BASE64 = re.compile(r"[A-Za-z0-9+/=\s]*")
TAG = re.compile(
    r"<(?!/?(?:b|i|u|s|p|br|hr|em|strong|sub|sup|code|pre|ul|ol|li|details|summary)\s*/?>)(?=[a-zA-Z/!?])"
)
LINK = re.compile(
    r"\](?=\s*[(:]\s*(?:<[^>\n]*[:&]|[^\s)<>]*[:&]))(?!\s*[(:]\s*<?(?:https?://|mailto:|attachment:))",
    re.IGNORECASE,
)
KEPT = ("nbgrader", "deletable", "editable")


class Materials:
    """What recording needs of a lesson, read once for each object of this class."""

    def __init__(self, assignment: str):
        self.course = find_course()
        self.lesson = self.course.lesson(assignment)
        self.keys = ResultKeys(self.course, self.lesson, Limits())
        self.released = load_notebook(self.lesson.release)


class Recorder(NbGraderPreprocessor):
    """Writes a submission's outputs and the points and message of each task into the notebook that nbgrader
    records."""

    def __init__(self, **settings: Any):
        super().__init__(**settings)
        self._materials = functools.cache(Materials)

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, ResourcesDict]:
        """`nb` is nbgrader's sanitized copy; the result belongs to the file in build/submitted. Where there
        is no fresh result the submission is graded now, confined. RuntimeError, by which nbgrader records
        nothing, if the grader itself failed or a graded cell has no result: a cell without output would earn
        full points."""
        names = resources["nbgrader"]
        materials = self._materials(names["assignment"])
        try:
            result = _result(materials, names["student"])
            _record(nb, materials, result)
            with api.Gradebook(names["db_url"]) as gradebook:
                enter_dates(gradebook, materials.course, materials.lesson, names["student"])
        except BaseException:
            _withdraw(names)
            raise
        return nb, resources


def _record(nb: NotebookNode, materials: Materials, result: SubmissionResult) -> None:
    _write_outputs(nb, result, _outputs_by_id(materials.course, materials.lesson, result))
    for cell in nb.cells:
        if is_grade(cell) and cell.cell_type == "code" and not is_solution(cell):
            _write_grade(cell, result)
    _defuse(nb, materials.released)
    if result.problems:
        nb.cells.insert(0, new_markdown_cell(_problems(result.problems)))
    nb.metadata["autograder"] = {"key": result.key}


def _withdraw(names: dict[str, str]) -> None:
    """Take back the empty entry, if any, that nbgrader made before it came here: exported, it would be a
    zero."""
    with contextlib.suppress(api.MissingEntry), api.Gradebook(names["db_url"]) as gradebook:
        entry = gradebook.find_submission(names["assignment"], names["student"])
        grades = [grade for notebook in entry.notebooks for grade in notebook.grades]
        if all(grade.auto_score is None and grade.manual_score is None for grade in grades):
            gradebook.remove_submission(names["assignment"], names["student"])


def _result(materials: Materials, student: str) -> SubmissionResult:
    course, lesson = materials.course, materials.lesson
    result = ResultStore(course).fresh(lesson, student, materials.keys.key(student))
    if result is None:
        from autograder.grading.run import grade_one  # only where needed: it brings the whole engine

        result = grade_one(course, lesson, student)
    if result.internal:
        reason = next(
            (line for line in result.problems if line.startswith("internal")), "see the result's file"
        )
        raise RuntimeError(f"the grader failed on {student} ({reason}): nothing is recorded, grade it again.")
    return result


def _outputs_by_id(
    course: Course, lesson: Lesson, result: SubmissionResult
) -> dict[str, list[dict[str, Any]]]:
    """Outputs by cell id, since sanitizing may have added cells. They are in the order of the graded
    cells."""
    path = course.build / "submitted" / result.student / lesson.name / f"{lesson.name}.ipynb"
    submitted = load_notebook(path)
    graded = [submitted.cells[cell.index].get("id", "") for cell in cells_of(submitted)]
    return dict(zip(graded, result.outputs, strict=False))  # none at all where no cell could be run


def _write_outputs(
    nb: NotebookNode, result: SubmissionResult, outputs: dict[str, list[dict[str, Any]]]
) -> None:
    room = OUTPUTS_CAP
    for cell in nb.cells:
        if cell.cell_type != "code":
            continue
        shown = [_shown(output) for output in outputs.get(cell.get("id", ""), [])]
        room -= sum(len(repr(output)) for output in shown)
        cell.outputs = from_dict(shown if room >= 0 else [_stream(LEFT_OUT)])
        cell.execution_count = None


def _shown(output: dict[str, Any]) -> dict[str, Any]:
    """An output cut down to text and pictures, without metadata."""
    if output["output_type"] not in ("display_data", "execute_result"):
        return output
    data = {
        kind: value
        for kind, value in output["data"].items()
        if kind == "text/plain" or _is_picture(kind, value)
    }
    return output | {
        "data": data or {"text/plain": "(something that is no text and no picture)"},
        "metadata": {},
    }


def _is_picture(kind: str, value: Any) -> bool:
    return (
        kind in ("image/png", "image/jpeg") and isinstance(value, str) and BASE64.fullmatch(value) is not None
    )


def _stream(text: str) -> dict[str, Any]:
    return {"output_type": "stream", "name": "stdout", "text": text}


def _write_grade(cell: NotebookNode, result: SubmissionResult) -> None:
    name = cell.metadata.nbgrader["grade_id"]
    task = result.task(name)
    if task is None:
        raise RuntimeError(
            f"{name} has no result for {result.student}: release the lesson and grade it again."
        )
    message = {"text/html": task_html(task), "text/plain": task_text(task)}
    points = {"text/plain": plain_points(task.points)}
    cell.outputs = from_dict(  # nbconvert checks the whole notebook; to check each output is slow
        [
            {"output_type": "display_data", "data": message, "metadata": {}},
            {
                "output_type": "execute_result",
                "data": points,
                "metadata": {},
                "execution_count": None,
            },
        ]
    )


def _defuse(nb: NotebookNode, released: NotebookNode) -> None:
    """Make what a student wrote harmless to whoever reads it in a browser; the released text stays as it
    is."""
    ours = {cell.source for cell in released.cells}
    nb.metadata = copy.deepcopy(released.metadata)  # which the next student's notebook gets, too
    for cell in nb.cells:
        cell.metadata = from_dict({key: cell.metadata[key] for key in KEPT if key in cell.metadata})
        for pictures in cell.get("attachments", {}).values():
            for kind in [kind for kind, value in pictures.items() if not _is_picture(kind, value)]:
                del pictures[kind]
        if cell.cell_type != "code" and cell.source not in ours:
            cell.source = LINK.sub(r"\\]", TAG.sub("< ", cell.source))


def _problems(problems: list[str]) -> str:
    """A block of HTML on one line, in which Markdown has no say: a problem may quote the name of a file."""
    items = "".join(f"<li>{prose(problem)}</li>" for problem in problems)
    return f"<div><b>About the file that was handed in</b><ul>{items}</ul></div>"
