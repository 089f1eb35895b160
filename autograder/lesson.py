"""The public checks of a lesson: the file beside the notebook, and which function checks which task."""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

from autograder.packages import absence
from autograder.spelling import offer
from autograder.student import Student

FILE = "public_checks.py"
PublicCheck = Callable[[Student], None]


class LessonError(Exception):
    """The checks cannot be run. The text is one line that ends with what to do."""


class PublicChecks(NamedTuple):
    """The check functions by task, in file order, and the section of the lesson that each task belongs to."""

    path: Path
    sections: Mapping[str, str]
    tasks: dict[str, list[PublicCheck]]

    def named(self, task: str) -> dict[str, list[PublicCheck]]:
        """The one task of that name. Raises `LessonError` with the nearest name."""
        if task in self.tasks:
            return {task: self.tasks[task]}
        if task in self.sections:
            raise LessonError(f"{task} has no public check: go on, it is graded after you hand in")
        advice = offer(task, self.tasks, "fetch the lesson's file again")
        raise LessonError(f"this lesson has no task `{task}`{advice}")


def load(lesson: str | Path | None = None) -> PublicChecks:
    """Run the lesson's `public_checks.py`: in `lesson` (a folder or the file), else here or one folder up.

    It is read anew at each call, so nothing stale is ever checked. Raises `LessonError`.
    """
    path = _find(lesson)
    module: dict[str, Any] = {"__name__": "public_checks", "__file__": str(path)}
    try:
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), module)
    except ModuleNotFoundError as problem:
        raise LessonError(f"this lesson {absence(problem.name or '')}") from problem
    except Exception as problem:
        raise LessonError(
            f"{path.name} does not run ({type(problem).__name__}: {problem}): fetch the lesson's file again"
        ) from problem
    sections = module.get("SECTIONS", {})
    tasks: dict[str, list[PublicCheck]] = {}
    for name, function in module.items():
        if name.startswith("test_") and isinstance(function, FunctionType):
            tasks.setdefault(_task(function, sections), []).append(function)
    return PublicChecks(path, sections, tasks)


def title(task: str, check: PublicCheck) -> str:
    """What a check looks at: the first line of its docstring, else its name."""
    words = check.__name__.removeprefix(f"test_{task}").replace("_", " ").strip()
    return (check.__doc__ or "").strip().split("\n")[0].rstrip(".") or words or task


def _find(lesson: str | Path | None) -> Path:
    here = Path.cwd()
    places = [Path(lesson)] if lesson is not None else [here, here.parent]
    for place in places:
        path = place / FILE if place.is_dir() else place
        if path.is_file():
            return path.resolve()
    if lesson is not None:
        raise LessonError(f"{lesson} is no lesson (no {FILE} there): give the folder that holds the notebook")
    raise LessonError(
        f"no {FILE} beside this notebook (looked in {here} and one folder up): "
        'open the notebook in its lesson\'s folder, or write check(lesson="path/to/the/lesson")'
    )


def _task(check: FunctionType, sections: Mapping[str, str]) -> str:
    """The longest name that begins the check's own: of `SECTIONS`, of what it calls, or its first word."""
    name = check.__name__.removeprefix("test_")
    known = [task for task in (sections or check.__code__.co_names) if f"{name}_".startswith(f"{task}_")]
    return max(known, key=len, default=name.split("_")[0])
