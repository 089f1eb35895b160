"""From a lesson's built notebook to what students get, through nbgrader's `generate_assignment`."""

import logging
import re
import shutil
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters import GenerateAssignment, NbGraderException
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from autograder import document, manifest
from autograder.grading.course import CONFIG, Course, Lesson
from autograder.grading.errors import CourseError
from autograder.grading.leaks import leaks
from autograder.grading.source import build

STAGING = "build/release"


def release(lesson: Lesson) -> None:
    """Build the lesson, let nbgrader clear the solutions, and put the result into assignments/<lesson>/.

    The same text gives the same bytes, whatever the gradebook holds. CourseError for a mistake in the text,
    for what nbgrader refuses, and for a line of a solution in what students would get; assignments/ stays
    as it was then.
    """
    build(lesson)
    found = leaks(lesson, _generate(lesson, enter=False))
    if found:
        more = f" (and {len(found) - 1} more)" if found[1:] else ""
        what = f"{found[0]}{more}, a line of the solution"
        raise CourseError(f"{lesson.name} was not released: {what}: take it out.")
    staged = _generate(lesson, enter=True)
    lesson.release_folder.parent.mkdir(exist_ok=True)
    shutil.rmtree(lesson.release_folder, ignore_errors=True)
    staged.rename(lesson.release_folder)


def ensure_released(course: Course, lesson: Lesson) -> None:
    """Make build/ and the gradebook know the lesson as it stands in assignments/: a clone has only that.

    CourseError if the text gives another release by now: students have worked with the one that stands there.
    """
    if lesson.built.exists() and _is_entered(course, lesson):
        return
    build(lesson)
    if _files(_generate(lesson, enter=False)) != _files(lesson.release_folder):
        place = lesson.release_folder.relative_to(course.root).as_posix()
        raise CourseError(f"{place} is not what its text gives: run `autograder release {lesson.name}`.")
    _generate(lesson, enter=True)


def _is_entered(course: Course, lesson: Lesson) -> bool:
    """Whether the gradebook holds the lesson's tasks with the points that they have in assignments/."""
    if not course.gradebook.exists():
        return False
    with Gradebook(_config(lesson).CourseDirectory.db_url) as gradebook:
        try:
            cells = gradebook.find_notebook(lesson.name, lesson.name).grade_cells
        except MissingEntry:
            return False
        entered = {cell.name: cell.max_score for cell in cells}
    return {task.name: task.points for task in lesson.tasks}.items() <= entered.items()


def _files(folder: Path) -> dict[Path, bytes]:
    return {file.relative_to(folder): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def _generate(lesson: Lesson, enter: bool) -> Path:
    """Run nbgrader's converter; the folder it wrote. `enter`: the lesson goes into the gradebook, too."""
    log = Log("nbgrader")
    config = _config(lesson)
    config.GenerateAssignment.no_database = not enter
    config.SaveCells.enabled = enter
    coursedir = CourseDirectory(config=config, log=log)
    try:
        GenerateAssignment(coursedir=coursedir, config=config, log=log).start()
    except NbGraderException as error:
        advice = "change the text accordingly, or set build/gradebook.db aside"
        raise CourseError(f"{lesson.name} was not released: {log.reason() or error}: {advice}.") from error
    folder = lesson.root / STAGING / lesson.name
    (folder / manifest.FILE).write_text(_manifest(folder / lesson.release.name).written(), encoding="utf-8")
    return folder


def _manifest(released: Path) -> manifest.Manifest:
    cells = document.read(released).cells
    graded = {cell.name: cell.source for cell in cells if cell.is_graded}
    return manifest.Manifest(released.stem, {name: manifest.digest(text) for name, text in graded.items()})


def _config(lesson: Lesson) -> Config:
    config = PyFileConfigLoader(CONFIG, path=str(lesson.root)).load_config()
    config.CourseDirectory.release_directory = STAGING  # into assignments/ only what was looked at
    config.CourseDirectory.assignment_id = lesson.name
    config.GenerateAssignment.force = True
    return config


class Log(logging.Logger):
    """A logger of its own, so that nbgrader stays quiet, which keeps the tracebacks that nbgrader logs."""

    def __init__(self, name: str):
        super().__init__(name, logging.ERROR)
        self.texts: list[str] = []

    def handle(self, record: logging.LogRecord) -> None:
        self.texts.append(record.getMessage())

    def reason(self) -> str:
        """What the last traceback ends with: nbgrader's own exception only points to it."""
        tracebacks = [text for text in self.texts if text.startswith("Traceback")]
        return re.sub(r"^[\w.]+: ", "", tracebacks[-1].strip().splitlines()[-1]) if tracebacks else ""
