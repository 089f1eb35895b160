"""What a check says, before anybody decides how it looks."""

from enum import StrEnum
from typing import Any, NamedTuple

CODE = frozenset({"call", "gave", "from it", "expected", "before", "after"})  # values, not prose


class State(StrEnum):
    """Where a task stands in this session of the kernel."""

    PASSED = "passes"
    FAILED = "does not pass"
    CHANGED = "changed since its check"
    OPEN = "not checked yet"


SYMBOLS = {State.PASSED: "✓", State.FAILED: "✗", State.CHANGED: "↻", State.OPEN: "○"}


class Failure(NamedTuple):
    """Why a check did not pass: one line, then labeled rows. Code stands in backquotes and `CODE` rows."""

    headline: str
    rows: list[tuple[str, str]]


class Outcome(NamedTuple):
    """One check function. Of a task's failures only the first is explained: the others may follow from it."""

    title: str
    passed: bool
    failure: Failure | None = None
    interrupted: bool = False


class TaskReport(NamedTuple):
    """The checks of one task. `functions` are the student's that were at work, to notice a later change."""

    name: str
    section: str
    outcomes: list[Outcome]
    functions: dict[str, Any]

    @property
    def passed(self) -> bool:
        return not self.failures

    @property
    def failures(self) -> list[Outcome]:
        return [outcome for outcome in self.outcomes if not outcome.passed]

    @property
    def interrupted(self) -> bool:
        return any(outcome.interrupted for outcome in self.outcomes)

    @property
    def summary(self) -> str:
        count, total = len(self.outcomes) - len(self.failures), len(self.outcomes)
        return f"{count} of {total} checks pass" if total > 1 else ("passes" if count else "does not pass")


class Report(NamedTuple):
    """The tasks just checked, how all tasks of the lesson stand, and lines that matter besides."""

    tasks: list[TaskReport]
    standing: dict[str, State]
    notes: list[str]

    @classmethod
    def revived(cls, data: list[Any]) -> "Report":
        """A report out of what JSON keeps of one: everything but the functions."""
        tasks, standing, notes = data
        found = [
            TaskReport(name, section, [_revived(outcome) for outcome in outcomes], {})
            for name, section, outcomes, _ in tasks
        ]
        return cls(found, {name: State(state) for name, state in standing.items()}, notes)

    @property
    def detailed(self) -> TaskReport | None:
        """The task whose checks are listed: the first that does not pass, or the only one."""
        failed = next((task for task in self.tasks if not task.passed), None)
        return failed or (self.tasks[0] if len(self.tasks) == 1 else None)

    @property
    def legend(self) -> str:
        """What the less obvious symbols mean, where there are any."""
        states = [state for state in (State.CHANGED, State.OPEN) if state in self.standing.values()]
        return f"({', '.join(f'{SYMBOLS[state]} {state}' for state in states)})" if states else ""

    @property
    def total(self) -> str:
        done = sum(state is State.PASSED for state in self.standing.values())
        more = "; grading checks more than this" if done == len(self.standing) else ""
        return f"So far {done} of {len(self.standing)} tasks pass{more}"


def _revived(data: list[Any]) -> Outcome:
    title, passed, failure, interrupted = data
    rows = [(label, content) for label, content in failure[1]] if failure else []
    return Outcome(title, passed, Failure(failure[0], rows) if failure else None, interrupted)
