"""The command `autograder`. The engine behind it is installed for teachers only."""

import re
import sys
from importlib import metadata


def main(argv: list[str] | None = None) -> int:
    """Hand over to the engine. Returns its exit code, or 2 where it, or what it needs, is not installed."""
    try:
        from autograder.grading.cli import main as grading

        return grading(argv)
    except ModuleNotFoundError as problem:
        line = _absence(problem.name or "")
        if not line:
            raise
        print(f"autograder: {line}", file=sys.stderr)
        return 2


def _absence(module: str) -> str:
    """What it means that there is no such module; "" where that is a fault of something else."""
    if f"{module}.".startswith("autograder.grading."):
        return "this is the student's install, without the grader: use check() in the notebook"
    if module.split(".")[0].lower() in _needed():
        return (
            f"the package {module} is not installed: run pip install -e '.[grading]' in the course's folder"
        )
    return ""


def _needed() -> set[str]:
    """The packages that this one asks for, optional ones included."""
    try:
        required = metadata.requires("attention-autograder") or []
    except metadata.PackageNotFoundError:
        return set()
    return {re.split(r"[^\w-]", line)[0].lower() for line in required}
