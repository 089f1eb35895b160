"""From an exception to what a student can do about it."""

import linecache
from collections.abc import Mapping
from types import FrameType
from typing import Any

import numpy as np

from autograder import values
from autograder.compare import Mismatch
from autograder.report import Failure
from autograder.student import Call, NotThere, StudentRaised

Rows = list[tuple[str, str]]


def explained(error: BaseException, calls: list[Call], namespace: Mapping[str, Any]) -> Failure:
    """Why the check that ended with `error` after `calls` did not pass; the functions are in `namespace`."""
    if isinstance(error, NotThere):
        return Failure(_sentence(str(error)), [])
    if isinstance(error, StudentRaised):
        return _raised(error, namespace)
    if isinstance(error, Mismatch):
        return _mismatch(error, calls)
    return _stopped(error, calls)


def _raised(problem: StudentRaised, namespace: Mapping[str, Any]) -> Failure:
    error, call = problem.error, problem.call
    frame, line = place(error, namespace)
    where = frame.f_code.co_name if frame else call.name
    rows = [("call", _printed(call))]
    if isinstance(error, NotImplementedError):
        via = "" if where == call.name else f", which `{call.name}` calls,"
        return Failure(
            f"`{where}`{via} is still the stub: write your own lines where it says "
            "`raise NotImplementedError()`, run the cell, and check again",
            [],
        )
    if frame:
        code = linecache.getline(frame.f_code.co_filename, line).strip()
        rows.append(("line", f"line {line}, in `{where}`" + (f": `{code}`" if code else "")))
    if isinstance(error, KeyboardInterrupt):
        rows.append(("hint", "is there a loop that never ends?"))
        return Failure(f"`{call.name}` was interrupted before it returned", rows)
    if isinstance(error, NameError) and error.name:
        rows.append(("hint", f"run the cell that defines {error.name}, or look for a slip in the name"))
    return Failure(f"`{call.name}` raised {named(error)}", rows)


def _mismatch(problem: Mismatch, calls: list[Call]) -> Failure:
    origin, path = _origin(problem.got, calls)
    call = origin or (calls[-1] if calls else None)
    rows: Rows = [("call", _printed(call) + path)] if call else []
    if problem.expected is ...:
        rows += [("gave", values.block(call.value))] if call and call.returned else []
    elif _changed(problem):
        rows += [("before", values.block(problem.expected)), ("after", values.block(problem.got))]
    else:
        derived = call is not None and call.returned and origin is None
        rows += [("gave", values.block(call.value))] if derived else []
        rows.append(("from it" if derived else "gave", values.block(problem.got)))
        rows.append(("expected", values.block(problem.expected)))
    return Failure(_headline(problem, call), rows + ([("hint", problem.hint)] if problem.hint else []))


def _changed(problem: Mismatch) -> bool:
    return problem.difference.reason == "it changed its input"


def _headline(problem: Mismatch, call: Call | None) -> str:
    name = f"`{call.name}`" if call else "This"
    return f"{name} changed its input: work on a copy" if _changed(problem) else f"{name}: {problem}"


def _origin(got: Any, calls: list[Call]) -> tuple[Call | None, str]:
    """The call that gave exactly this value, and which part of it: `[0][2]`, or "" for the whole."""
    for call in reversed(calls):
        path = _path(got, call.value) if call.returned else None
        if path is not None:
            return call, path
    return None, ""


def _path(got: Any, value: Any) -> str | None:
    if got is value:
        return ""
    if isinstance(value, np.ndarray):
        is_row = isinstance(got, np.ndarray) and got.shape == value.shape[1:] and value.ndim > 1
        rows = (
            (number for number, row in enumerate(value) if _is_same_memory(got, row)) if is_row else iter(())
        )
        return next((f"[{number}]" for number in rows), None)
    if isinstance(value, (tuple, list)) and not isinstance(got, (int, float, str, type(None))):
        paths = [_path(got, part) for part in value]
        return next((f"[{number}]{path}" for number, path in enumerate(paths) if path is not None), None)
    return None


def _is_same_memory(one: np.ndarray, other: np.ndarray) -> bool:
    return (one.ctypes.data, one.strides) == (other.ctypes.data, other.strides)


def _stopped(error: BaseException, calls: list[Call]) -> Failure:
    """The check function itself ended: on an `assert`, or on a result that it could not use."""
    line = f"`{_line_of_check(error)}`"
    if not calls:
        return Failure(f"This check is broken ({named(error)}): tell your teacher", [("line", line)])
    call = calls[-1]
    rows = [("call", _printed(call))]
    rows += [("gave", values.block(call.value))] if call.returned else []
    if isinstance(error, AssertionError):
        return Failure(_sentence(str(error) or f"`{call.name}` does not do what this check asks for"), rows)
    return Failure(f"What `{call.name}` gave cannot be used: {named(error)}", [*rows, ("used in", line)])


def place(error: BaseException, namespace: Mapping[str, Any]) -> tuple[FrameType | None, int]:
    """The deepest frame in the student's own code, and the line it had reached."""
    frame, line, trace = None, 0, error.__traceback__
    while trace:
        if trace.tb_frame.f_globals is namespace:
            frame, line = trace.tb_frame, trace.tb_lineno
        trace = trace.tb_next
    return frame, line


def _line_of_check(error: BaseException) -> str:
    """The runner's frame comes first, the check function's next."""
    trace = error.__traceback__ and error.__traceback__.tb_next
    return linecache.getline(trace.tb_frame.f_code.co_filename, trace.tb_lineno).strip() if trace else ""


def _printed(call: Call) -> str:
    return call.name if call.args is None else values.call(call.name, call.args, call.kwargs)


def named(error: BaseException) -> str:
    """An exception in one line: its type and its text, which may be long or raise itself. Of what is no
    Python the text would name a file, too, which for a cell is one of IPython's."""
    try:
        text = str(error.msg if isinstance(error, SyntaxError) else error)
        text = " ".join(text.split())
    except Exception:  # an exception class of the student's own
        text = ""
    text = text if len(text) <= 200 else text[:199] + "…"
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
