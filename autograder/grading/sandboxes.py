"""The grader's end of the sandbox: the template process, and one fork of it."""

import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from autograder.grading.footprint import excess
from autograder.grading.limits import Limits
from autograder.sandbox.channel import Channel, ChannelBroken, ChannelClosed, ChannelTimeout
from autograder.sandbox.confinement import FULL, Bounds
from autograder.sandbox.messages import ANSWERS, LentCall, Ready, Reply
from autograder.sandbox.orders import Forked, ForkOrder, Order, Reaped, ReapOrder, Report, Started

GRACE = 0.5  # seconds an interrupted submission has to come to its senses before it is killed
POLL = 0.05  # seconds between two looks at what a submission takes up
START = 120.0  # seconds a template may take to import everything on a slow disk


class SandboxFailure(Exception):
    """The sandbox could not be had: our fault, never the student's."""


class StudentProcessEnded(Exception):
    """The submission's process is gone; the text says why, for the student."""


class SpokeOutOfTurn(StudentProcessEnded):
    """What came was said to an earlier request, which had its answer."""


class LimitHit(Exception):
    """A limit was hit; the text says which. `alive` tells whether the process came back to its senses."""

    def __init__(self, text: str, alive: bool):
        super().__init__(text)
        self.alive = alive


# Judges and sandboxes are as many as the machine has cores, and their libraries' threads wait for each other.
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class TemplateProcess:
    """A template, started by exec, and the orders it takes one at a time. `home` is for what libraries keep
    from one start to the next, such as matplotlib's list of fonts. `lacking` are the walls that do not stand
    around its forks: none in full confinement."""

    def __init__(self, modules: list[str], home: Path, confinement: str = FULL):
        home.mkdir(parents=True, exist_ok=True)
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            command = [
                sys.executable,
                "-I",
                "-m",
                "autograder.sandbox.template",
                str(theirs.fileno()),
                confinement,
                *modules,
            ]
            environment = _environment(str(home))
            self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()], env=environment, cwd="/")
        self._control = ours
        self._decoder = msgspec.json.Decoder(Report)
        started = self._receive(Started, START)
        self.owner, self.lacking = started.owner, list(started.lacking)

    def fork(self, order: ForkOrder, descriptor: int) -> int:
        socket.send_fds(self._control, [msgspec.json.encode(order)], [descriptor])
        return self._receive(Forked, START).pid

    def reap(self, pid: int) -> Reaped:
        self._order(ReapOrder(pid))
        return self._receive(Reaped, START)

    def _order(self, order: Order) -> None:
        self._control.send(msgspec.json.encode(order))

    def _receive(self, kind: type, timeout: float) -> Any:
        self._control.settimeout(timeout)
        try:
            data = self._control.recv(65536)
        except TimeoutError:
            raise SandboxFailure("the sandbox's template does not answer") from None
        if not data:
            raise SandboxFailure(
                "the sandbox's template has ended; `autograder doctor` tells what this machine lacks"
            )
        report = self._decoder.decode(data)
        if not isinstance(report, kind):
            raise SandboxFailure(f"the sandbox's template answered {type(report).__name__} out of turn")
        return report

    def close(self) -> None:
        """End the template; its forks die with it."""
        self._control.close()
        self._process.kill()
        self._process.wait()


def _environment(home: str) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "OPENBLAS_CORETYPE") if name in os.environ}
    return kept | ONE_THREAD | {"MPLBACKEND": "agg", "HOME": home, "MPLCONFIGDIR": home, "IPYTHONDIR": home}


class Sandbox:
    """One confined fork. `ask` sends a request and waits for its answer under a limit."""

    def __init__(self, template: TemplateProcess, private: Path, limits: Limits):
        self._template, self._private, self._limits = template, private, limits
        ours, theirs = socket.socketpair()
        memory = Bounds(
            memory_bytes=limits.memory,
            file_bytes=limits.file,
            open_files=limits.open_files,
            cpu_seconds=int(limits.submission) + 10,
        )
        order = ForkOrder(str(private), memory, (limits.output, limits.pictures))
        with theirs:
            self.pid = template.fork(order, theirs.fileno())
        self._channel = Channel(ours, Reply)
        self._tickets = iter(range(1, 2**62))
        self._ended: Reaped | None = None
        self._await_ready()

    def _await_ready(self) -> None:
        try:
            ready = self._channel.receive(START)
        except (ChannelClosed, ChannelBroken, ChannelTimeout) as error:
            self.close()
            raise SandboxFailure(f"a sandbox did not start ({type(error).__name__})") from None
        if not isinstance(ready, Ready) or ready.failure:
            self.close()
            raise SandboxFailure(
                f"a submission cannot be confined here ({getattr(ready, 'failure', 'no reason')}); "
                "run `autograder doctor`"
            )

    def talks(self) -> bool:
        """Whether something has come that nobody asked for."""
        return bool(select.select([self._channel.socket], [], [], 0)[0])

    def ask(
        self, make: Callable[[int], Any], seconds: float, lent: Callable[[LentCall], Any] | None = None
    ) -> Any:
        """The answer to `make(ticket)`. `lent` answers calls of lent functions in between. Raises LimitHit or
        StudentProcessEnded; afterwards a sandbox is of use only where `LimitHit.alive`."""
        ticket = next(self._tickets)
        deadline = time.monotonic() + seconds
        try:
            request = make(ticket)
            self._channel.send(request, timeout=seconds)
            return self._answer(request, deadline, lent)
        except ChannelTimeout:
            raise LimitHit(f"took longer than {seconds:g} s", self._interrupt(ticket)) from None
        except ChannelBroken:
            self.close()
            raise StudentProcessEnded("the code wrote into the grader's channel") from None
        except ChannelClosed:
            raise StudentProcessEnded(self._cause_of_death()) from None

    def _answer(self, request: Any, deadline: float, lent: Callable[[LentCall], Any] | None) -> Any:
        calls = 0
        while True:
            reply = self._wait(deadline)
            if isinstance(reply, LentCall) and lent is not None and calls < self._limits.lent_calls:
                calls += 1
                self._channel.send(lent(reply), timeout=max(0.1, deadline - time.monotonic()))
            elif reply.ticket < request.ticket:
                self.close()
                raise SpokeOutOfTurn("the code wrote into the grader's channel")
            elif reply.ticket != request.ticket or not isinstance(reply, ANSWERS[type(request)]):
                raise ChannelBroken("an answer nobody asked for")
            else:
                return reply

    def _wait(self, deadline: float) -> Any:
        """The next message, looking in between at what rlimits do not bound."""
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise ChannelTimeout
            try:
                return self._channel.receive(min(POLL, left))
            except ChannelTimeout:
                self._check_footprint()

    def _check_footprint(self) -> None:
        words = excess(self._private, self.pid, self._limits)
        if words:
            self.close()
            raise LimitHit(words, alive=False)

    def _interrupt(self, ticket: int) -> bool:
        """SIGINT ends Python loops; what does not answer to it within the grace is killed."""
        with contextlib.suppress(ProcessLookupError, ChannelClosed, ChannelBroken, ChannelTimeout):
            os.kill(self.pid, signal.SIGINT)
            if self._channel.receive(GRACE).ticket == ticket:
                return True
        self.close()
        return False

    def _cause_of_death(self) -> str:
        ended = self.close()
        if ended.signal == signal.SIGXCPU:
            return "the code used up its processor time"
        if ended.signal:
            return f"the process was killed ({signal.Signals(ended.signal).name})"
        return f"the code ended the process (exit code {ended.code})"

    def close(self) -> Reaped:
        """Kill the fork and wait for its end; a fork that ended by itself keeps its own cause."""
        if self._ended is not None:
            return self._ended
        descriptor = os.pidfd_open(self.pid)
        try:
            # A closed channel is seen a moment before the process is gone: let it die by itself if it is
            # dying.
            if not select.select([descriptor], [], [], GRACE if self._hung_up() else 0)[0]:
                os.kill(self.pid, signal.SIGKILL)
        finally:
            os.close(descriptor)
        self._channel.close()
        self._ended = self._template.reap(self.pid)
        return self._ended

    def _hung_up(self) -> bool:
        poller = select.poll()
        poller.register(self._channel.socket, select.POLLRDHUP)
        return bool(poller.poll(0))
