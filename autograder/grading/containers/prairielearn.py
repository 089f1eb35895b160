"""What PrairieLearn runs for each submission: `python -m autograder.grading.containers.prairielearn
[/grade]`."""

import json
import sys
from pathlib import Path

from autograder.grading.containers import job
from autograder.grading.feedback import task_text
from autograder.grading.verdict import TaskResult


def main() -> int:
    root = Path(sys.argv[1] if sys.argv[1:] else "/grade")
    return job.answer(root / "results" / "results.json", lambda: _grade(root), report_of_failure())


def _grade(root: Path) -> dict:
    return report(job.grade(root / "tests", root / "student", _student(root / "data" / "data.json")))


def _student(data: Path) -> str:
    """PrairieLearn tells no grader who hands in, but has a seed for each student's variant of a question."""
    try:
        seed = json.loads(data.read_bytes())["variant_seed"]
    except (OSError, ValueError, KeyError, TypeError):
        seed = ""
    return job.folder_name(str(seed))


def report(graded: job.Graded) -> dict:
    """A result as PrairieLearn takes it. What is no score, of our doing or theirs, costs no attempt."""
    result = graded.result
    if result.internal:
        return report_of_failure()
    if not graded.readable:
        return {"gradable": False, "format_errors": graded.notes, "message": "\n".join(graded.notes)}
    return {
        "gradable": True,
        "score": min(1.0, result.points / result.max_points),
        "message": f"{result.points:g} of {result.max_points:g} points",
        "output": "\n".join(graded.notes),
        "confinement": job.confinement(result),
        "tests": [_test(task) for task in result.tasks],
    }


def _test(task: TaskResult) -> dict:
    return {
        "name": task.name,
        "points": task.points,
        "max_points": task.max_points,
        "message": task_text(task),
    }


def report_of_failure(text: str = job.FAILED) -> dict:
    """What stands where there is no result."""
    return {"gradable": False, "format_errors": [text], "message": text}


if __name__ == "__main__":
    sys.exit(main())
