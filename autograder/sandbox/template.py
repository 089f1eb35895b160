"""The process that submissions are forked from: `python -I -m autograder.sandbox.template CONTROL_FD
CONFINEMENT MODULE ...`; CONFINEMENT is "full" or "container".

It imports what a lesson needs once and prepares the shell, then forks on request. It never imports the
engine, and nothing secret is ever loaded in it. One thread, so that a fork is a whole process. It ends when
its control socket does.
"""

import contextlib
import gc
import importlib
import os
import pkgutil
import signal
import socket
import sys
from pathlib import Path

import msgspec

import autograder
from autograder.sandbox import privileges
from autograder.sandbox.channel import Channel, ChannelBroken, ChannelClosed
from autograder.sandbox.confinement import Confinement, prepare
from autograder.sandbox.messages import Ready, Request
from autograder.sandbox.orders import Forked, ForkOrder, Order, Reaped, Report, Started
from autograder.sandbox.servant import Servant
from autograder.sandbox.shell import CellShell

MAX_CONTROL = 65536


class Template:
    def __init__(self, control: socket.socket, shell: CellShell, confinement: Confinement):
        self._control, self._shell, self._confinement = control, shell, confinement
        self._decoder = msgspec.json.Decoder(Order)

    def serve(self) -> None:
        self._report(Started(self._confinement.private_owner, self._confinement.lacking))
        while True:
            data, descriptors, _, _ = socket.recv_fds(self._control, MAX_CONTROL, 1)
            if not data:
                return
            order = self._decoder.decode(data)
            if isinstance(order, ForkOrder):
                self._fork(order, descriptors[0])
            else:
                self._reap(order.pid)

    def _report(self, report: Report) -> None:
        self._control.send(msgspec.json.encode(report))

    def _fork(self, order: ForkOrder, descriptor: int) -> None:
        pid = os.fork()
        if pid == 0:
            self._become_sandbox(order, descriptor)
        os.close(descriptor)
        self._report(Forked(pid))

    def _reap(self, pid: int) -> None:
        _, status, used = os.wait4(pid, 0)
        if not self._confinement.syscall_filter:
            privileges.end_orphans()
        killed = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 0
        self._report(Reaped(killed, code, used.ru_utime + used.ru_stime))

    def _become_sandbox(self, order: ForkOrder, descriptor: int) -> None:
        """Never returns. No student byte runs before every wall stands."""
        try:
            channel = Channel(socket.socket(fileno=descriptor), Request)
            failure = self._confine(order, descriptor)
            self._shell.caps = order.output_caps
            channel.send(Ready(0, failure))
            if not failure:
                with contextlib.suppress(ChannelClosed, ChannelBroken):
                    Servant(channel, self._shell).serve()
        finally:
            os._exit(0)  # no atexit, no destructor of the student's

    def _confine(self, order: ForkOrder, descriptor: int) -> str:
        try:
            self._confinement.apply(Path(order.private), descriptor, order.bounds)
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        return ""


FIRST_STEP = """
import torch
torch.set_num_threads(1)
weight = torch.nn.Parameter(torch.zeros(1))
optimizer = torch.optim.Adam([weight])
weight.sum().backward()
optimizer.step()
"""


def _preload(modules: list[str]) -> None:
    for info in pkgutil.iter_modules(autograder.__path__):  # the student package is not readable from inside
        if not info.ispkg and info.name not in ("cli", "panel"):  # what only people use
            importlib.import_module(f"autograder.{info.name}")
    for module in modules:
        with contextlib.suppress(ImportError):  # one that is not to be had is missed by those who need it
            importlib.import_module(module)
    # An editable install has the course's own folder on the path: a submission has no business there.
    python = (sys.prefix, sys.base_prefix, sys.base_exec_prefix)
    sys.path[:] = [
        folder for folder in sys.path if any(Path(folder).is_relative_to(prefix) for prefix in python)
    ]


def _warm(shell: CellShell) -> None:
    """Pay once for what the first figure, the first traceback and the first optimizer cost."""
    shell.run_cell_outputs("import matplotlib.pyplot as plt\nplt.plot([0, 1]); plt.close()", 0)
    shell.run_cell_outputs("1 / 0", 0)
    if "torch" in sys.modules:
        shell.run_cell_outputs(FIRST_STEP, 0)
    shell.reset(new_session=True, aggressive=False)


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the grader to handle
    control = socket.socket(fileno=int(sys.argv[1]))
    _preload(sys.argv[3:])
    shell = CellShell()
    shell.enable_matplotlib("inline")
    _warm(shell)
    confinement = prepare([], sys.argv[2])
    if not confinement.syscall_filter:
        privileges.adopt_orphans()
    gc.collect()
    gc.freeze()
    Template(control, shell, confinement).serve()


if __name__ == "__main__":
    main()
