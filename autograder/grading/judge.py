"""The judge: a process of its own, `python -m autograder.grading.judge FD`, that grades one submission after
another.

It is started by exec and has one thread. It has pytest collect the lesson's suites once, and each pass runs
in a fork of that, over sandboxes forked from a template that it keeps. It runs no student code.
"""

import gc
import importlib
import os
import resource
import select
import signal
import socket
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from autograder.grading.bench import Bench, BudgetSpent
from autograder.grading.bundle import TEMPLATE_HOME
from autograder.grading.footprint import remove
from autograder.grading.judging import (
    Judging,
    SuiteFailure,
    TaskPass,
    load_given,
    load_reference,
    with_suites,
)
from autograder.grading.limits import Limits
from autograder.grading.misconceptions import misconceptions
from autograder.grading.sandboxes import SandboxFailure, StudentProcessEnded, TemplateProcess
from autograder.grading.verdict import Spent
from autograder.grading.work import Work
from autograder.sandbox.channel import Channel, ChannelClosed, ChannelTimeout

MARGIN = 60.0  # seconds a pass may take beyond the submission's own limit before it counts as ours


class Setup(msgspec.Struct, tag="setup", frozen=True):
    """What a judge is told first: the lesson's folders, limits, secret, modules its sandboxes need, and how
    they are confined."""

    root: str
    lesson: str
    hidden: str
    tasks: list[str]
    limits: Limits
    secret: bytes
    modules: list[str]
    confinement: str


class PassOrder(msgspec.Struct, tag="pass", frozen=True):
    """Judge these tasks; `lent` names the functions to lend, task by task."""

    work: Work
    tasks: list[str]
    lent: dict[str, list[str]]
    seconds: float
    skipped: set[int] = set()  # cells that an earlier pass found to end or hang the process


class PassReport(msgspec.Struct, tag="report"):
    """What came of a pass. `failure` says what went wrong on our side; `lacking` are the walls that did not
    stand around the submission."""

    passes: dict[str, TaskPass] = {}
    outputs: list[list[dict[str, Any]]] = []
    problems: list[str] = []
    skipped: set[int] = set()
    failure: str = ""
    lacking: list[str] = []
    seconds: float = 0.0
    spent: Spent = Spent()


Order = Setup | PassOrder


class Judge:
    def __init__(self, channel: Channel, setup: Setup):
        self._channel, self._setup = channel, setup
        hidden = Path(setup.hidden)
        reference = load_reference(Path(setup.root), setup.lesson)
        known = misconceptions(hidden / "misconceptions.py")
        self._judging = Judging(reference, setup.secret, known, load_given(hidden))
        self._failure = ""  # of the suites, which no submission can be judged with then
        _import_late_parts()
        self._template: TemplateProcess | None = None
        self._scratch = Path(tempfile.mkdtemp(prefix="grading-"))
        self._scratch.chmod(0o711)  # an unprivileged sandbox must get to its own folder

    def serve(self) -> None:
        """Answer orders until the caller hangs up."""
        try:
            with_suites(self._judging, Path(self._setup.hidden), self._setup.tasks, self._answer)
        except SuiteFailure as failure:
            self._failure = str(failure)
            self._answer()
        finally:
            self._end_template()
            remove(self._scratch)

    def _answer(self) -> None:
        gc.freeze()  # what is loaded now is shared with every fork, and no fork's collector need look at it
        with suppress(ChannelClosed):
            while True:
                order = self._channel.receive()
                report = PassReport(failure=self._failure) if self._failure else self._judge(order)
                self._channel.send(report)

    def _judge(self, order: PassOrder) -> PassReport:
        if self._template is None:
            try:
                home = Path(self._setup.root) / TEMPLATE_HOME
                self._template = TemplateProcess(self._setup.modules, home, self._setup.confinement)
            except SandboxFailure as failure:
                return PassReport(failure=str(failure))
        report = self._in_fork(order)
        if report.failure:
            self._end_template()  # it may have been left in the middle of an order
        return self._counted(report, order)

    def _counted(self, report: PassReport, order: PassOrder) -> PassReport:
        """A number of tests unlike the suite's own means that the suite did not run as it should."""
        counts = self._judging.counts()
        odd = [t for t in order.tasks if len(report.passes.get(t, TaskPass()).tests) != counts.get(t, -1)]
        if odd and not report.failure:
            report.failure = f"the suite of {', '.join(odd)} did not run whole"
        return report

    def _in_fork(self, order: PassOrder) -> PassReport:
        ours, theirs = socket.socketpair()
        started = time.monotonic()
        pid = os.fork()
        if pid == 0:
            ours.close()
            _silence(2)
            self._report_from_fork(Channel(theirs, None), order)
        theirs.close()
        report = self._await_report(Channel(ours, PassReport), pid, order.seconds + MARGIN)
        report.seconds = time.monotonic() - started
        for left in self._scratch.iterdir():  # of a fork that was killed
            remove(left)
        return report

    def _await_report(self, channel: Channel, pid: int, seconds: float) -> PassReport:
        """The fork's report; where our own caller hangs up meanwhile, the fork and this process end."""
        readable, _, _ = select.select([channel.socket, self._channel.socket], [], [], seconds)
        hung_up = self._channel.socket in readable
        try:
            if channel.socket not in readable:
                raise ChannelTimeout
            return channel.receive(MARGIN)
        except (ChannelTimeout, ChannelClosed) as error:
            os.kill(pid, signal.SIGKILL)
            reason = "was cut short" if hung_up else f"gave no report ({type(error).__name__})"
            return PassReport(failure=f"a pass of the suite {reason}")
        finally:
            channel.close()
            os.waitpid(pid, 0)

    def _report_from_fork(self, channel: Channel, order: PassOrder) -> None:
        _bound_memory(self._setup.limits.memory)
        try:
            channel.send(self._pass(order))
        except BaseException as error:
            channel.send(PassReport(failure=f"{type(error).__name__}: {error}"))
        finally:
            os._exit(0)

    def _pass(self, order: PassOrder) -> PassReport:
        bench = Bench(
            self._template, order.work, self._setup.limits, order.seconds, self._scratch, set(order.skipped)
        )
        self._judging.take_up(bench, order.work.submission, order.lent)
        try:
            _open(bench)
            with bench.timed("suite"):
                passes = self._judging.run(order.tasks)
            with bench.timed("naming"):
                self._judging.name_mistakes()
        finally:
            bench.close()
        return PassReport(
            passes,
            bench.outputs,
            bench.problems,
            bench.skipped,
            lacking=self._template.lacking,
            spent=Spent(**bench.spent),
        )

    def _end_template(self) -> None:
        if self._template is not None:
            self._template.close()
            self._template = None


def _import_late_parts() -> None:
    """Torch's first optimizer imports hundreds of modules: once here, and not for a second in every fork."""
    if "torch" in sys.modules:
        importlib.import_module("torch._dynamo")


def _open(bench: Bench) -> None:
    """Run the cells; what cannot be run shows again, and is judged, at each call."""
    try:
        bench.open()
    except (BudgetSpent, StudentProcessEnded) as reason:
        bench.problems.append(str(reason))


def _bound_memory(size: int) -> None:
    """Let this process allocate `size` bytes more: a submission chooses what it answers and what it asks the
    functions lent to it, and all of that is held here."""
    with open("/proc/self/statm") as file:
        data = int(file.read().split()[5]) * resource.getpagesize()
    ceiling = resource.getrlimit(resource.RLIMIT_DATA)[1]
    wanted = data + size if ceiling == resource.RLIM_INFINITY else min(data + size, ceiling)
    resource.setrlimit(resource.RLIMIT_DATA, (wanted, wanted))


def _silence(*descriptors: int) -> None:
    """Suites print nothing, and nothing that a library prints may reach the grader's own output."""
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in descriptors:
        os.dup2(null, descriptor)


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who started the grading
    _silence(0, 1)
    channel = Channel(socket.socket(fileno=int(sys.argv[1])), Order)
    Judge(channel, channel.receive()).serve()


if __name__ == "__main__":
    main()
