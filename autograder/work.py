"""The file that somebody means by a path."""

import os
from pathlib import Path

from autograder import lesson, manifest
from autograder.lesson import LessonError
from autograder.spelling import choice, offer

_ADVICE = "give the path of your notebook"


def work_at(path: str | os.PathLike[str]) -> Path:
    """A notebook or Python file; a folder stands for the one notebook in it. `LessonError` where there is no
    such work, with what there is."""
    given = Path(path)
    if os.path.isdir(given):
        return _only_one(given)
    if not os.path.exists(given) and os.path.isfile(f"{given}.ipynb"):  # a lesson's name, in its own folder
        return Path(f"{given}.ipynb")
    around = _works(given.parent)
    if given.name in (lesson.FILE, manifest.FILE):
        raise LessonError(f"{given.name} is a part of the lesson, not your work: {choice(around, _ADVICE)}")
    if not os.path.exists(given):
        place = "here" if given.parent == Path() else f"in {given.parent}"
        raise LessonError(f"there is no {given.name} {place}{offer(given.name, around, _ADVICE)}")
    return given


def _only_one(folder: Path) -> Path:
    found = sorted(folder.glob("*.ipynb"))
    if len(found) == 1:
        return found[0]
    what = f"{folder} is a folder with {len(found)} notebooks"
    raise LessonError(f"{what}: {choice(_works(folder), _ADVICE)}")


def _works(folder: Path) -> list[str]:
    """What can be checked in a folder: lessons, notebooks, and Python files beside a lesson's checks."""
    lessons = [path.parent for path in folder.glob(f"*/{lesson.FILE}")]
    scripts = folder.glob("*.py") if (folder / lesson.FILE).is_file() else []
    found = {path.name for path in [*lessons, *folder.glob("*.ipynb"), *scripts]}
    return sorted(found - {lesson.FILE})
