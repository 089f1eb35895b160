"""Calls of a submission's functions, and of the objects that they left in the sandbox."""

import contextlib
import sys
from collections.abc import Callable
from operator import attrgetter
from typing import Any

from autograder.sandbox.borrowed import Ask, borrowed_function, borrowed_object
from autograder.sandbox.messages import (
    Absent,
    Call,
    Keep,
    Make,
    Raised,
    Read,
    Refused,
    Returned,
    SeedAll,
    builtin_name,
)
from autograder.sandbox.shell import CellShell
from autograder.sandbox.wire import (
    Handle,
    Lent,
    LentObject,
    Outside,
    Packer,
    Seed,
    Unpacker,
    Value,
    WireError,
    imprint,
    seed_generators,
)

GIVEN_MODULE = "given"


class Calls:
    """Answers one request after the other. `turn` is a context in which the grader may interrupt,
    `namespace` gives the submission's names as they are now."""

    def __init__(
        self,
        shell: CellShell,
        turn: Callable[[], contextlib.AbstractContextManager],
        namespace: Callable[[], dict[str, Any]],
        ask_lent: Ask,
    ):
        self._shell, self._turn, self._namespace, self._ask_lent = shell, turn, namespace, ask_lent
        self._kept: list[Any] = []
        self._given: dict[str, dict[str, Any]] = {}

    def call(self, request: Call) -> Any:
        if request.on is None and request.function not in self._namespace():
            return Absent(request.ticket)
        unpacker = Unpacker(self._from_outside)
        args, kwargs = unpacker.unpack(request.args), unpacker.unpack(request.kwargs)
        before = imprint(args, kwargs)
        try:
            with self._shell.silenced(), self._turn():
                value = self._packed(self._function(request)(*args, **kwargs), request.keep)
        except WireError as error:
            return Refused(request.ticket, str(error))
        except BaseException as error:  # SystemExit and KeyboardInterrupt too: they never pass through
            return self._raised(request.ticket, error)
        finally:
            _close_figures()
        return Returned(request.ticket, value, _changed(before, args, kwargs))

    def _function(self, request: Call) -> Any:
        if request.on is None:
            return self._namespace()[request.function]
        return getattr(self._kept[request.on], request.function)

    def read(self, request: Read) -> Any:
        try:
            with self._shell.silenced(), self._turn():
                value = attrgetter(request.name)(self._kept[request.on])
                return Returned(request.ticket, self._packed(value, request.keep))
        except WireError as error:
            return Refused(request.ticket, str(error))
        except BaseException as error:
            return self._raised(request.ticket, error)

    def keep(self, request: Keep) -> Returned:
        return Returned(request.ticket, self._packed(Unpacker().unpack(request.value), keep=True))

    def make(self, request: Make) -> Any:
        """Errors are the student's: a patched library is what makes the grader's own source fail."""
        unpacker = Unpacker(self._from_outside)
        try:
            names = self._given.setdefault(request.source, {"__name__": GIVEN_MODULE})
            if len(names) == 1:
                exec(request.source, names)
            args, kwargs = unpacker.unpack(request.args), unpacker.unpack(request.kwargs)
            return Returned(request.ticket, self._packed(names[request.name](*args, **kwargs), keep=True))
        except BaseException as error:
            return self._raised(request.ticket, error)

    def seed_all(self, request: SeedAll) -> Returned:
        seed_generators(request.number)
        return Returned(request.ticket, None)

    def _packed(self, value: Any, keep: bool) -> Value:
        if not keep:
            return Packer().pack(value)
        self._kept.append(value)
        return Handle(len(self._kept) - 1)

    def _from_outside(self, value: Outside) -> Any:
        match value:
            case Seed():
                return value.generator()
            case Handle(number):
                return self._kept[number]
            case Lent(name):
                return borrowed_function(name, self._ask_lent)
            case LentObject():
                return borrowed_object(value, self._ask_lent)

    def _raised(self, ticket: int, error: BaseException) -> Raised:
        cell, line = _own_line(error)
        return Raised(ticket, builtin_name(error), _text(error), cell, line)


def _changed(before: bytes, args: tuple, kwargs: dict) -> bool:
    try:
        return imprint(args, kwargs) != before
    except WireError:  # an argument now holds what may not cross
        return True


def _close_figures() -> None:
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        with contextlib.suppress(Exception):
            pyplot.close("all")


def _text(error: BaseException) -> str:
    try:
        return str(error)[:300]
    except Exception:
        return ""


def _own_line(error: BaseException) -> tuple[int, int]:
    """Cell and line of the innermost frame that is the student's own; (-1, 0) where none is."""
    found, trace = (-1, 0), error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if name.startswith("<cell ") and name[6:-1].isdigit():
            found = (int(name[6:-1]), trace.tb_lineno)
        trace = trace.tb_next
    return found
