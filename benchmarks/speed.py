"""Grading a class here, with stock nbgrader and with otter-grader, measured side by side: `make bench`.

All three grade the same hand-ins, with the same hidden numbers, one after the other. Ours and stock nbgrader
record in a gradebook; feedback is measured apart, ours and nbgrader's. `otter run` keeps no gradebook.
"""

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

from handed_in_class import course_copy, hand_in, notebooks
from measured import Cost, measured
from otter_course import OtterCourse
from rich.console import Console
from rich.table import Table
from stock import StockCourse

from autograder.grading.course import Course, Lesson
from autograder.grading.limits import MIB
from autograder.grading.results import ResultStore
from autograder.grading.verdict import Spent

ROOT = Path(__file__).resolve().parents[1]
LESSONS = ["mixing", "decoding"]  # one that needs numpy only, and one that imports torch
SIDES = ("ours", "stock nbgrader", "otter run", "ours, its feedback", "stock nbgrader, its feedback")
AUTOGRADER = str(Path(sys.executable).with_name("autograder"))


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure the grading of a class here and elsewhere.")
    parser.add_argument("lessons", nargs="*", default=LESSONS, help="lessons to measure")
    parser.add_argument("--submissions", type=int, default=100, metavar="N", help="hand-ins of each lesson")
    parser.add_argument(
        "--others", type=int, metavar="N", help="hand-ins that the other two grade (default: all of them)"
    )
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the numbers into a file")
    options = parser.parse_args()
    others = min(options.others or options.submissions, options.submissions)
    console, rows = Console(), []
    for name in options.lessons:
        with tempfile.TemporaryDirectory(prefix="speed-", ignore_cleanup_errors=True) as folder:
            Path(folder).chmod(0o711)  # an unprivileged sandbox must get to its own folder
            rows.append(measure(name, Path(folder), options.submissions, others))
        console.print(_table(rows))
        if options.json:
            options.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    return 0


def measure(name: str, folder: Path, number: int, others: int) -> dict:
    """The row of one lesson: costs for each submission, and where our time goes."""
    lesson = course_copy(Course(ROOT), Course(ROOT).lesson(name), folder / "ours")
    made = notebooks(lesson, number, folder / "texts")
    hand_in(lesson, made)
    few = dict(list(made.items())[:others])
    ours, points = _ours(lesson)
    pages = measured([AUTOGRADER, "grade", lesson.name, "--quiet"], lesson.root)
    recording = _recording(lesson)
    stock, stock_pages, theirs = _stock(lesson, folder / "stock", few)
    otter, scores = _otter(lesson, folder / "otter", few)
    _check(name, made, points, theirs, scores)
    return {
        "lesson": name,
        "submissions": number,
        "graded by others": others,
        "cores": len(os.sched_getaffinity(0)),
        "ours": _each(ours, number),
        "stock nbgrader": _each(stock, others),
        "otter run": _each(otter, others),
        "ours, its feedback": _each(pages, number),
        "stock nbgrader, its feedback": _each(stock_pages, others),
        "where ours goes": _spent(lesson, ours, recording, number),
    }


def _ours(lesson: Lesson) -> tuple[Cost, dict[str, float]]:
    cost = measured([AUTOGRADER, "grade", lesson.name, "--quiet", "--no-feedback"], lesson.root)
    return cost, {result.student: result.points for result in _results(lesson)}


def _recording(lesson: Lesson) -> Cost:
    """The same run once more with every result there already: what it costs to record them."""
    shutil.rmtree(lesson.root / "build" / "autograded")
    return measured([AUTOGRADER, "grade", lesson.name, "--quiet", "--no-feedback"], lesson.root)


def _stock(lesson: Lesson, root: Path, made: dict[str, bytes]) -> tuple[Cost, Cost, dict[str, float]]:
    course = StockCourse(lesson, root)
    course.write_source()
    course.release()
    for student, data in made.items():
        course.hand_in(student, data)
    nbgrader = [sys.executable, "-m", "nbgrader"]
    cost = measured([*nbgrader, "autograde", lesson.name], root, course.environment)
    pages = measured([*nbgrader, "generate_feedback", lesson.name], root, course.environment)
    return cost, pages, {student: sum(points.values()) for student, points in course.scores().items()}


def _otter(lesson: Lesson, root: Path, made: dict[str, bytes]) -> tuple[Cost, dict[str, float]]:
    course, total, scores = OtterCourse(lesson, root), Cost(0.0, 0.0), {}
    for student, data in made.items():
        path = root / f"{student}.ipynb"
        path.write_bytes(data)
        cost, scores[student] = course.run(path)
        total += cost
    return total, scores


def _check(name: str, made: dict[str, bytes], ours: dict, stock: dict, otter: dict) -> None:
    """All three must have graded: those who are right (every other one) got most from each."""
    for side, points in (("ours", ours), ("stock nbgrader", stock), ("otter run", otter)):
        right = [points.get(student, 0.0) for student in list(made)[::2] if student in points]
        wrong = [points.get(student, 0.0) for student in list(made)[1::2] if student in points]
        if not right or not wrong or min(right) <= statistics.mean(wrong):
            raise RuntimeError(f"{side} did not grade {name} ({points}): mend the benchmark.")


def _each(cost: Cost, number: int) -> dict[str, float]:
    return {"wall": cost.wall / number, "cpu": cost.cpu / number, "peak": cost.peak / MIB}


def _spent(lesson: Lesson, ours: Cost, recording: Cost, number: int) -> dict[str, float]:
    """Seconds a submission: in the workers by what they did, and of what the run itself does. `own cpu` is
    without what the student's code and its pictures used."""
    total = Spent()
    for result in _results(lesson):
        total += result.spent
    parts = {part: getattr(total, part) / number for part in Spent.__struct_fields__}
    inside = parts.pop("inside")
    return parts | {"record": recording.wall / number, "own cpu": ours.cpu / number - inside}


def _results(lesson: Lesson) -> list:
    store = ResultStore(Course(lesson.root))
    students = sorted(path.stem for path in store.path(lesson, "x").parent.glob("*.json"))
    return [store.load(lesson, student) for student in students]


def _table(rows: list[dict]) -> Table:
    table = Table(title="A submission costs (wall: the whole class's time divided by its submissions)")
    for head in ("", "wall s", "processor s", "peak MiB", "times ours"):
        table.add_column(head, justify="right" if head else "left")
    for row in rows:
        heading = f"{row['lesson']}: {row['submissions']} hand-ins, {row['graded by others']} by the others"
        table.add_row(f"[bold]{heading}, {row['cores']} cores")
        for side in SIDES:
            cost, ratio = row[side], row[side]["wall"] / row["ours"]["wall"]
            numbers = (f"{cost['wall']:.2f}", f"{cost['cpu']:.2f}", f"{cost['peak']:.0f}", f"{ratio:.1f}")
            table.add_row(side, *numbers)
        for part, seconds in row["where ours goes"].items():
            table.add_row(f"[dim]  {part}", f"[dim]{seconds:.3f}")
        table.add_section()
    return table


if __name__ == "__main__":
    sys.exit(main())
