"""The command `autograder`. The engine behind most of it is installed for teachers only."""

import sys

from autograder import commands
from autograder.packages import is_needed


def main(argv: list[str] | None = None) -> int:
    """Run a student's command, or hand over to the engine. Returns the exit code: 2 where the engine, or what
    it needs, is not installed."""
    given = sys.argv[1:] if argv is None else argv
    if given[:1] and given[0] in commands.NAMES:
        return commands.main(given)
    try:
        from autograder.grading.cli import main as grading

        return grading(given)
    except ModuleNotFoundError as problem:
        if _is_engine(problem.name or "") and given[:1] in ([], ["-h"], ["--help"]):
            return commands.main(given or ["--help"])
        line = _absence(problem.name or "")
        if not line:
            raise
        print(f"autograder: {line}", file=sys.stderr)
        return 2


def _is_engine(module: str) -> bool:
    return f"{module}.".startswith("autograder.grading.")


def _absence(module: str) -> str:
    """What it means that there is no such module; "" where that is a fault of something else."""
    if _is_engine(module):
        known = " and ".join(f"`autograder {name}`" for name in commands.NAMES)
        return f"this is the student's install, without the grader: it has {known}"
    if is_needed(module):
        return (
            f"the package {module} is not installed: run pip install -e '.[grading]' in the course's folder"
        )
    return ""

