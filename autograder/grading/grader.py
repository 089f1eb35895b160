"""Grades one submission after another: starts a judge, asks it for the passes, and makes the result of
them."""

import os
import socket
import subprocess
import sys
import time
from contextlib import suppress

from autograder.grading.course import Course, Lesson, Task
from autograder.grading.judge import MARGIN, PassOrder, PassReport, Setup
from autograder.grading.judging import TaskPass
from autograder.grading.limits import Limits
from autograder.grading.sandboxes import ONE_THREAD
from autograder.grading.secret import course_secret
from autograder.grading.verdict import SubmissionResult, TaskResult, Verdict, score, task_verdict
from autograder.grading.work import Work
from autograder.sandbox.channel import Channel, ChannelBroken, ChannelClosed, ChannelTimeout
from autograder.sandbox.confinement import CONTAINER, FULL


class Grader:
    """One judge process and what it is asked. A judge that fails is replaced; its submission is then
    internal. In a container's confinement it takes one submission only: nobody else may be near it."""

    def __init__(self, course: Course, lesson: Lesson, limits: Limits, confinement: str = FULL):
        self._lesson, self._limits, self._lacking = lesson, limits, lesson.lacking
        modules = ["numpy", "matplotlib", "IPython", *lesson.modules]
        suites = [task.name for task in lesson.tasks]
        self._setup = Setup(
            str(course.root),
            lesson.name,
            str(lesson.hidden),
            suites,
            limits,
            course_secret(course.root),
            modules,
            confinement,
        )
        self._is_spent = False
        self._tasks = {task.name: task for task in lesson.tasks}
        self._channel: Channel | None = None
        self._process: subprocess.Popen | None = None

    def grade(self, work: Work, follow_through: bool = True) -> SubmissionResult:
        """The result of one submission. A task that failed is judged again with the functions lent that it
        leans on and that did not pass, so that a mistake made once is paid once; the better result
        counts."""
        if self._lacking:  # here, which may be another machine than the one that gave the order
            return not_graded(self._lesson, work, self._lacking)
        if self._is_spent:
            return not_graded(self._lesson, work, "a container is for one submission, and this is another")
        self._is_spent = self._setup.confinement == CONTAINER
        started = time.monotonic()
        first = self._ask(PassOrder(work, work.tasks, {}, self._limits.submission))
        results = {name: _task_result(self._tasks[name], first, []) for name in work.tasks}
        leaning = work.tasks if follow_through else ()
        again = {name: lent for name in leaning if (lent := _to_lend(first, name, results))}
        left = self._limits.submission - first.seconds
        second = (
            self._ask(PassOrder(work, list(again), again, left, first.skipped))
            if again and left > 0
            else None
        )
        if second is not None:
            for name, lent in again.items():
                results[name] = _better(results[name], _task_result(self._tasks[name], second, lent))
        problems = [*work.submission.problems, *first.problems]
        problems += [f"internal: {report.failure}" for report in (first, second) if report and report.failure]
        return SubmissionResult(
            student=work.submission.student,
            assignment=self._lesson.name,
            problems=problems,
            tasks=list(results.values()),
            outputs=first.outputs,
            lacking=first.lacking,
            seconds=round(time.monotonic() - started, 3),
            spent=first.spent + second.spent if second else first.spent,
        )

    def _ask(self, order: PassOrder) -> PassReport:
        if not order.tasks:
            return PassReport()
        try:
            channel = self._judge()
            channel.send(order)
            return channel.receive(order.seconds + 3 * MARGIN)
        except (ChannelClosed, ChannelBroken, ChannelTimeout) as error:
            self.close()
            return PassReport(failure=f"the judge process failed ({type(error).__name__})")

    def _judge(self) -> Channel:
        if self._channel is None:
            ours, theirs = socket.socketpair()
            with theirs:
                command = [sys.executable, "-m", "autograder.grading.judge", str(theirs.fileno())]
                self._process = subprocess.Popen(
                    command,
                    pass_fds=[theirs.fileno()],
                    stdin=subprocess.DEVNULL,
                    env=os.environ | ONE_THREAD,
                )
            self._channel = Channel(ours, PassReport)
            self._channel.send(self._setup)
        return self._channel

    def close(self) -> None:
        """Hang up: the judge ends its template and itself."""
        if self._channel is not None:
            self._channel.close()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(10)
            self._process.kill()
            self._process.wait()
            self._channel = self._process = None

    def __enter__(self) -> "Grader":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def not_graded(lesson: Lesson, work: Work, reason: str) -> SubmissionResult:
    """The result of a submission that our side failed on: internal, never a zero."""
    tasks = [
        _task_result(task, PassReport(failure=reason), []) for task in lesson.tasks if task.name in work.tasks
    ]
    problems = [*work.submission.problems, f"internal: {reason}"]
    return SubmissionResult(
        student=work.submission.student, assignment=lesson.name, problems=problems, tasks=tasks, outputs=[]
    )


def _to_lend(report: PassReport, task: str, results: dict[str, TaskResult]) -> list[str]:
    """The functions to lend to a task that did not pass: those it leans on, but for what passed by itself."""
    if report.failure or results[task].verdict in (Verdict.PASSED, Verdict.INTERNAL):
        return []
    passed = {name for name, result in results.items() if result.verdict is Verdict.PASSED}
    return [name for name in report.passes[task].leans_on if name not in passed]


def _task_result(task: Task, report: PassReport, lent: list[str]) -> TaskResult:
    found = report.passes.get(task.name, TaskPass())
    verdict = Verdict.INTERNAL if report.failure else task_verdict(found.tests)
    name, hint = found.mistake or (None, "")
    return TaskResult(
        name=task.name,
        verdict=verdict,
        points=score(found.tests, task.points),
        max_points=task.points,
        misconception=name,
        hint=hint,
        lent=lent,
        explanation=found.explanation,
        tests=found.tests,
    )


def _better(first: TaskResult, second: TaskResult) -> TaskResult:
    if second.verdict is Verdict.INTERNAL:
        return second
    return second if second.points > first.points else first
