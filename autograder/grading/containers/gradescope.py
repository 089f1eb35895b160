"""What Gradescope runs for each submission: `python -m autograder.grading.containers.gradescope
[/autograder]`.

Gradescope takes a score from a result or from its tests, and refuses to count a result that has none: so
ours looks where we failed.
"""

import json
import sys
from pathlib import Path

from autograder.grading.containers import job
from autograder.grading.feedback import task_html
from autograder.grading.verdict import TaskResult, Verdict


def main() -> int:
    root = Path(sys.argv[1] if sys.argv[1:] else "/autograder")
    return job.answer(root / "results" / "results.json", lambda: _grade(root), report_of_failure())


def _grade(root: Path) -> dict:
    packed = root / "source"
    graded = job.grade(packed, root / "submission", _student(root / "submission_metadata.json"))
    return report(graded, job.Packed.of(packed).visibility)


def _student(metadata: Path) -> str:
    """Who hands in, as a name that a folder can have; of a group, the same one each time. Hidden inputs are
    drawn for it."""
    try:
        names = [user["email"] for user in json.loads(metadata.read_bytes())["users"]]
    except (OSError, ValueError, KeyError, TypeError):
        names = []
    return job.folder_name(min(map(str, names), default=""))


def report(graded: job.Graded, visibility: str) -> dict:
    """A result as Gradescope takes it. With an internal failure in it, nothing is a score."""
    result, notes = graded.result, graded.notes
    if result.internal:
        notes = [job.FAILED, *notes]
    tests = [_test(number, task, result.internal) for number, task in enumerate(result.tasks, 1)]
    scores = {} if result.internal else {"score": result.points}
    return scores | {
        "execution_time": round(result.seconds),
        "output": "\n".join(notes),
        "output_format": "text",
        "visibility": visibility,
        "stdout_visibility": "hidden",
        "tests": tests,
        "extra_data": {
            "confinement": job.confinement(result),
            "verdicts": {task.name: str(task.verdict) for task in result.tasks},
        },
    }


def _test(number: int, task: TaskResult, internal: bool) -> dict:
    status = "passed" if task.verdict is Verdict.PASSED else "failed"
    scores = {} if internal else {"score": task.points, "max_score": task.max_points, "status": status}
    return scores | {
        "name": task.name,
        "number": str(number),
        "output": task_html(task),
        "output_format": "html",
    }


def report_of_failure(text: str = job.FAILED) -> dict:
    """What stands where there is no result: no score, so that nobody takes it for one."""
    return {"output": text, "output_format": "text", "stdout_visibility": "hidden"}


if __name__ == "__main__":
    sys.exit(main())
