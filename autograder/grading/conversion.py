"""nbgrader's own converters in this process: set up once and handed one student after another."""

import contextlib
import gc
import re
import warnings
from collections.abc import Iterator
from pathlib import Path

from nbconvert.writers import FilesWriter
from nbgrader.converters import Autograde
from nbgrader.converters.base import BaseConverter, NbGraderException
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.exc import SAWarning
from traitlets import default
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from autograder.grading.course import CONFIG, Course, Lesson
from autograder.grading.release import Log
from autograder.grading.wholesale import one_engine, one_gradebook


class Recording(Autograde):
    """nbgrader's `Autograde` in one pass: the same preprocessors in the same order, but made once for all
    students, without writing the sanitized notebook and reading it again in between, and with the gradebook
    opened once."""

    @default("preprocessors")
    def _both(self) -> list[str]:
        return [*self.sanitize_preprocessors, *self.autograde_preprocessors]

    def convert_notebooks(self) -> None:
        with one_gradebook(self.coursedir.db_url) as self._gradebook:
            super().convert_notebooks()

    def convert_single_notebook(self, notebook_filename: str) -> None:
        BaseConverter.convert_single_notebook(self, notebook_filename)
        self._gradebook.keep()


class Conversion:
    """One converter, `Recording` or `GenerateFeedback`, at work on a lesson."""

    def __init__(self, kind: type[BaseConverter], course: Course, lesson: Lesson):
        self._course, self._lesson, self._log = course, lesson, Log("nbgrader")
        config = settings(course)
        config.CourseDirectory.assignment_id = lesson.name
        coursedir = CourseDirectory(config=config, log=self._log)
        self._converter = kind(coursedir=coursedir, config=config, log=self._log, force=True)
        _set_up(self._converter)

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Where nbgrader expects to be run, and without warnings of its own making."""
        gc.freeze()  # a hundred thousand objects of imported libraries, not to be looked through all the time
        try:
            with contextlib.chdir(self._course.root), warnings.catch_warnings(), one_engine():
                warnings.simplefilter("ignore", SAWarning)  # at every first entry of a submission
                yield
        finally:
            gc.unfreeze()

    def convert(self, folder: Path) -> str:
        """Convert one student's notebook in `folder`; why that failed, or nothing."""
        self._converter.assignments = {str(folder): [str(folder / f"{self._lesson.name}.ipynb")]}
        self._log.texts.clear()
        try:
            self._converter.convert_notebooks()
        except NbGraderException as error:
            return _reason(self._log.texts) or str(error)
        return ""


def settings(course: Course) -> Config:
    """The course's nbgrader configuration."""
    return PyFileConfigLoader(CONFIG, path=str(course.root)).load_config()


def _set_up(converter: BaseConverter) -> None:
    """What nbgrader's `start()` does once for a run."""
    converter.writer = FilesWriter(parent=converter, config=converter.config)
    converter.exporter = converter.exporter_class(parent=converter, config=converter.config)
    for preprocessor in converter.preprocessors:
        converter.exporter.register_preprocessor(preprocessor)


def _reason(texts: list[str]) -> str:
    """What the last traceback that nbgrader logged says, without the exception's name."""
    tracebacks = [text for text in texts if text.startswith("Traceback")]
    lines = re.findall(r"^[\w.]+: (.+)$", tracebacks[-1], re.MULTILINE) if tracebacks else []
    if not lines:
        return ""
    return lines[-1] if lines[-1].endswith(".") else f"{lines[-1]}: run the same command again."
