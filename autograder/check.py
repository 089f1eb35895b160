"""`check("softmax")`: the public checks of a lesson, run on the functions of the notebook as they are now.

Nothing is stored and nothing leaves the machine.
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from autograder import card, notebook, screen, terminal
from autograder.compare import expect
from autograder.failure import explained
from autograder.lesson import LessonError, PublicCheck, load, title
from autograder.report import Outcome, Report, State, TaskReport
from autograder.student import Call, Student, StudentRaised

__all__ = ["check", "expect"]


class Check:
    """`check("softmax")` checks one task, `check()` all of them.

    The checks are those of `public_checks.py` beside the notebook; `lesson` names another folder. They run on
    the functions as the kernel holds them now. A check never raises: what goes wrong is said in one line.
    Where all of a notebook is run first and checked at its end, it is `deferred`: a call only notes the
    answer.
    """

    def __init__(self) -> None:
        self.deferred = False
        # What was checked in this session of the kernel, and what `answer` held when a question was: the next
        # question uses the same name.
        self._seen: dict[Path, dict[str, TaskReport]] = {}
        self._answers: dict[tuple[Path, str], Any] = {}

    def __call__(self, task: str | None = None, lesson: str | Path | None = None) -> None:
        namespace = sys._getframe(1).f_globals
        try:
            if self.deferred:
                self._answers[load(lesson).path, _name(task) or ""] = namespace.get("answer")
                return
            report = self.report(task, lesson, namespace)
            text, colored = terminal.rendered(report), terminal.rendered(report, color=True)
            screen.show(card.rendered(report), text, colored)
        except LessonError as problem:
            print(f"check: {problem}")
        except KeyboardInterrupt:
            print("check: interrupted; run the cell again")
        except Exception as problem:
            text = " ".join(f"{type(problem).__name__}: {problem}".split())
            print(f"check: could not run ({text}); restart the kernel and run all cells")

    def report(self, task: str | None, lesson: str | Path | None, namespace: Mapping[str, Any]) -> Report:
        """The same as data, for the functions of `namespace`. Raises `LessonError`."""
        checks = load(lesson)
        name = _name(task)
        chosen = checks.tasks if name is None else checks.named(name)
        if name is not None and not self.deferred:
            self._answers[checks.path, name] = namespace.get("answer")
        tasks: list[TaskReport] = []
        for name, functions in chosen.items():
            answer = self._answers.get((checks.path, name), namespace.get("answer"))
            outcomes, used = _outcomes(name, functions, namespace, answer)
            work = notebook.code_behind(used, namespace)
            tasks.append(TaskReport(name, checks.sections.get(name, ""), outcomes, work))
            if tasks[-1].interrupted:
                break
        seen = self._seen.setdefault(checks.path, {})
        seen.update({task.name: task for task in tasks})
        line = notebook.unsaved([name for task in tasks for name in task.functions], namespace)
        standing = {name: _state(seen.get(name), namespace) for name in checks.tasks}
        return Report(tasks, standing, [line] if line else [])


check = Check()


def _name(task: Any) -> str | None:
    """check(softmax) is as clear as check("softmax")."""
    return None if task is None else str(getattr(task, "__name__", task))


def _outcomes(
    task: str, functions: list[PublicCheck], namespace: Mapping[str, Any], answer: Any
) -> tuple[list[Outcome], set[str]]:
    """The checks of one task in order, and the names of the student's functions that they used.

    A check that the student interrupted is the last.
    """
    outcomes: list[Outcome] = []
    used = {task}
    for function in functions:
        calls: list[Call] = []
        outcome = Outcome(title(task, function), passed=True)
        try:
            function(Student({**namespace, "answer": answer}, calls))
        except Exception as error:
            first = all(earlier.passed for earlier in outcomes)
            failure = explained(error, calls, namespace) if first else None
            outcome = Outcome(
                outcome.title, False, failure, isinstance(error, StudentRaised) and error.interrupted
            )
        outcomes.append(outcome)
        used.update(call.name for call in calls if call.name != "answer")
        if outcome.interrupted:
            break
    return outcomes, used


def _state(task: TaskReport | None, namespace: Mapping[str, Any]) -> State:
    if task is None:
        return State.OPEN
    if any(namespace.get(name) is not function for name, function in task.functions.items()):
        return State.CHANGED
    return State.PASSED if task.passed else State.FAILED
