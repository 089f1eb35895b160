"""Inside a fork: run the submission's cells, then answer calls of its functions, one request at a time."""

import builtins
import codeop
import contextlib
import signal
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable
from types import FrameType, FunctionType, ModuleType
from typing import Any

from autograder.sandbox.borrowed import borrowed_function
from autograder.sandbox.calls import Calls
from autograder.sandbox.channel import Channel
from autograder.sandbox.messages import (
    Call,
    Keep,
    Lend,
    LentCall,
    LentRaised,
    LentReturned,
    Make,
    Ran,
    Read,
    Returned,
    RunCell,
    SeedAll,
)
from autograder.sandbox.shell import CellShell, cell_file
from autograder.sandbox.wire import Packer, Unpacker, WireError

PLAIN_MODULE = "submission"  # the module name of a .py file: its `if __name__ == "__main__"` part is not run


class LentError(Exception):
    """The grader's own function raised something that has no built-in name."""


class Servant:
    """Serves one submission until the grader hangs up."""

    def __init__(self, channel: Channel, shell: CellShell):
        self._channel, self._shell = channel, shell
        self._namespace: dict[str, Any] = shell.user_ns
        self._compile = codeop.Compile()  # `from __future__` holds from one cell of a file to the next
        self._pump = threading.RLock()  # held by whoever reads the channel
        self._requests: deque[Any] = deque()
        self._lent_replies: dict[int, Any] = {}
        self._lent_tickets = iter(range(1, 2**62))
        self._calls = Calls(shell, self._students_turn, lambda: self._namespace, self.ask_lent)
        self._busy = False
        signal.signal(signal.SIGINT, self._interrupted)

    def serve(self) -> None:
        handlers = {
            RunCell: self._run,
            Call: self._calls.call,
            Read: self._calls.read,
            Keep: self._calls.keep,
            Make: self._calls.make,
            SeedAll: self._calls.seed_all,
            Lend: self._lend,
        }
        while True:
            request = self._next_request()
            self._channel.send(handlers[type(request)](request))

    def _interrupted(self, _number: int, _frame: FrameType | None) -> None:
        if self._busy:
            raise KeyboardInterrupt

    @contextlib.contextmanager
    def _students_turn(self):
        self._busy = True
        try:
            yield
        finally:
            self._busy = False

    # One reader at a time: the main thread waits for requests, a thread of the student's for what a lent
    # function says.

    def _next_request(self) -> Any:
        while not self._requests:
            with self._pump:
                if not self._requests:
                    self._sort(self._channel.receive())
        return self._requests.popleft()

    def _sort(self, message: Any) -> None:
        if isinstance(message, LentReturned | LentRaised):
            self._lent_replies[message.ticket] = message
        else:
            self._requests.append(message)

    def ask_lent(self, function: str, args: tuple, kwargs: dict) -> Any:
        """Call a lent function: the arguments go to the grader, its answer comes back."""
        ticket = next(self._lent_tickets)
        packer = Packer()
        call = LentCall(ticket, function, packer.pack(args), packer.pack(kwargs))
        with self._pump:
            self._channel.send(call)
            while ticket not in self._lent_replies:
                self._sort(self._channel.receive())
            reply = self._lent_replies.pop(ticket)
        if isinstance(reply, LentRaised):
            raise getattr(builtins, reply.kind, LentError)(reply.text)
        return Unpacker().unpack(reply.value)

    # Cells.

    def _run(self, request: RunCell) -> Ran:
        if request.watch:
            self._namespace.pop(request.watch, None)
        if request.plain:
            outputs, error = self._run_plain(request)
        else:
            with self._students_turn():
                outputs, error = self._shell.run_cell_outputs(request.source, request.number)
        name = type(error).__name__[:80] if error is not None else ""
        return Ran(request.ticket, outputs, name, self._watched(request.watch))

    def _watched(self, name: str | None) -> Any:
        try:
            return Packer().pack(self._namespace.get(name)) if name else None
        except WireError:
            return None

    def _run_plain(self, request: RunCell) -> tuple[list[dict[str, Any]], BaseException | None]:
        """Plain Python: no magics, and a module of its own."""
        self._enter_plain_module()
        with self._shell.captured() as outputs:
            try:
                code = self._compile(request.source, cell_file(request.number), "exec")
                with self._students_turn():
                    exec(code, self._namespace)
            except BaseException as error:  # SystemExit and KeyboardInterrupt end the cell, not the file
                self._show(outputs, error)
                return outputs.items, error
        return outputs.items, None

    def _enter_plain_module(self) -> None:
        if self._namespace.get("__name__") != PLAIN_MODULE:
            module = sys.modules[PLAIN_MODULE] = ModuleType(PLAIN_MODULE)
            module.__file__ = f"{PLAIN_MODULE}.py"
            self._namespace = module.__dict__

    def _show(self, outputs: Any, error: BaseException) -> None:
        lines = traceback.format_exception_only(error)
        outputs.error(type(error).__name__, str(error), [line.rstrip() for line in lines])

    # Lending.

    def _lend(self, request: Lend) -> Returned:
        for name in request.functions:
            self._replace(name, borrowed_function(name, self.ask_lent))
        return Returned(request.ticket, None)

    def _replace(self, name: str, lent: Callable) -> None:
        """Replace a function under every name it goes by, `g = softmax` and default arguments included."""
        own = self._namespace.get(name)
        self._namespace[name] = lent
        if not callable(own):  # a number may be what other names hold, too
            return
        for alias, value in list(self._namespace.items()):
            if value is own:
                self._namespace[alias] = lent
        if isinstance(own, FunctionType) and not own.__code__.co_freevars:
            own.__code__ = _forward.__code__
            own.__defaults__, own.__kwdefaults__ = None, {"_lent": lent}


def _forward(*args: Any, _lent: Callable, **kwargs: Any) -> Any:
    return _lent(*args, **kwargs)
