"""nbgrader's gradebook for a run over a class: what nbgrader asks for cell by cell is read at once, and what
it writes of a submission in a dozen openings is one transaction."""

import contextlib
import functools
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

from nbgrader import api
from nbgrader.converters import autograde
from nbgrader.preprocessors import latesubmissions, overwritecells, overwritekernelspec, saveautogrades

OPENERS = (api, autograde, latesubmissions, overwritecells, overwritekernelspec, saveautogrades)


class Wholesale(api.Gradebook):
    """The gradebook, opened for one submission and lent to whoever opens it meanwhile. It finds what
    nbgrader's own finds, in one reading for each kind, and keeps what is written when it is told to."""

    def __init__(self, *args: Any, **settings: Any):
        super().__init__(*args, **settings)
        # nbgrader commits cell by cell. SQLAlchemy flushes by itself before it reads, which is enough.
        self._commit, self.db.commit = self.db.commit, lambda: None
        self._forget()

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        """The next one to open it reads what stands there by then, as in a gradebook just opened; after an
        error that is what was kept."""
        if exc_type is None:
            self.db.flush()
        else:
            self.db.rollback()
        self.db.expunge_all()
        self._forget()

    def keep(self) -> None:
        """Write all of it."""
        self._commit()

    def _forget(self) -> None:
        self._source, self._graded = functools.cache(self._source_cells), functools.cache(self._graded_cells)
        self._grades = functools.cache(functools.partial(self._rows, api.Grade))
        self._comments = functools.cache(functools.partial(self._rows, api.Comment))

    def find_source_cell(self, name: str, notebook: str, assignment: str) -> api.SourceCell:
        found = self._source(notebook, assignment).get(name)
        return found or super().find_source_cell(name, notebook, assignment)

    def find_graded_cell(self, name: str, notebook: str, assignment: str) -> api.GradeCell | api.TaskCell:
        found = self._graded(notebook, assignment).get(name)
        return found or super().find_graded_cell(name, notebook, assignment)

    def find_grade(self, grade_cell: str, notebook: str, assignment: str, student: str) -> api.Grade:
        found = self._grades(notebook, assignment, student).get(grade_cell)
        return found or super().find_grade(grade_cell, notebook, assignment, student)

    def find_comment(self, solution_cell: str, notebook: str, assignment: str, student: str) -> api.Comment:
        found = self._comments(notebook, assignment, student).get(solution_cell)
        return found or super().find_comment(solution_cell, notebook, assignment, student)

    def _source_cells(self, notebook: str, assignment: str) -> dict[str, api.SourceCell]:
        return {cell.name: cell for cell in self.find_notebook(notebook, assignment).source_cells}

    def _graded_cells(self, notebook: str, assignment: str) -> dict[str, api.BaseCell]:
        found = self.find_notebook(notebook, assignment)
        return {cell.name: cell for cell in [*found.grade_cells, *found.task_cells]}

    def _rows(self, kind: type, notebook: str, assignment: str, student: str) -> dict[str, Any]:
        submission = self.find_submission_notebook(notebook, assignment, student)
        rows = self.db.query(api.BaseCell.name, kind).join(kind, kind.cell_id == api.BaseCell.id)
        return dict(rows.filter(kind.notebook_id == submission.id).all())


@contextlib.contextmanager
def one_gradebook(db_url: str) -> Iterator[Wholesale]:
    """While this holds, whoever opens the gradebook gets the same one; what was not kept is gone then."""
    gradebook = Wholesale(db_url)
    with contextlib.closing(gradebook), contextlib.ExitStack() as patches:
        for module in OPENERS:
            patches.enter_context(patch.object(module, "Gradebook", lambda *_: gradebook))
        yield gradebook


@contextlib.contextmanager
def one_engine() -> Iterator[None]:
    """While this holds, each opening of the gradebook goes over the same engine: SQLAlchemy compiles each
    statement once, and not each time. The course and the tables, which the run's own reading found, are not
    looked for again."""
    with (
        patch.object(api, "create_engine", functools.cache(api.create_engine)),
        patch.object(api.Base.metadata, "create_all", lambda bind: None),
        patch.object(api.Gradebook, "check_course", lambda gradebook, course_id: None),
    ):
        yield
