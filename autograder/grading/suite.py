"""What hidden suites are written with: the strict comparison, and the marks of mistakes and of right answers.

    same(student.softmax(z), expected, atol=1e-5)
"""

from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["Mismatch", "choice", "inputs_untouched", "misconception", "pair", "same", "variant"]

HALF = (np.dtype("f2"),)


class Mismatch(AssertionError):
    """An answer is not what it should be. `reason` may always be shown; `details` holds values, and is shown only
    where the inputs are public."""

    def __init__(self, reason: str, details: str = ""):
        super().__init__(f"{reason} {details}".strip())
        self.reason, self.details = reason, details


def same(got: Any, expected: Any, atol: float = 1e-5, rtol: float = 1e-4, *, kind: str = "number") -> None:
    """Fail unless `got` has the shape of `expected`, is of the right kind, finite where `expected` is, and within
    `atol + rtol·|expected|` of it everywhere. Nothing is broadcast. Lists, tuples, integers, float32 and tensors
    are as good as arrays; booleans, complex numbers and half precision are no numbers here. `kind` is "number" or
    "bool"; booleans are compared exactly."""
    got, expected = as_array(got, kind), np.asarray(expected)
    if got.shape != expected.shape:
        raise Mismatch(f"The result has shape {got.shape}, not {expected.shape}.")
    if kind == "bool":
        wrong = got != expected
    else:
        wrong = _differs(got, expected.astype(float), atol, rtol)
    if wrong.any():
        raise Mismatch("The values are not right.", f"Expected {_show(expected)}, got {_show(got)}.")


def _differs(got: np.ndarray, expected: np.ndarray, atol: float, rtol: float) -> np.ndarray:
    finite = np.isfinite(expected)
    if not np.isfinite(got[finite]).all():
        raise Mismatch("The result holds values that are not finite (nan or inf).")
    with np.errstate(invalid="ignore"):
        far = np.abs(got - expected) > atol + rtol * np.abs(expected)
    return np.where(finite, far, ~_same_infinite(got, expected))


def _same_infinite(got: np.ndarray, expected: np.ndarray) -> np.ndarray:
    return (got == expected) | (np.isnan(got) & np.isnan(expected))


def as_array(value: Any, kind: str = "number") -> np.ndarray:
    """The answer as an array of float64 (or bool); Mismatch where it is nothing of the kind."""
    if value is None:
        raise Mismatch("The function returned None: is there a `return`?")
    if hasattr(value, "detach"):
        value = value.detach().numpy()
    array = _numeric(value)
    if array.dtype in HALF:
        raise Mismatch("Half precision (float16, bfloat16) is too coarse to be judged: use float32 or float64.")
    if kind == "bool" and array.dtype.kind != "b":
        raise Mismatch(f"The result is {_kind_name(array)}, not boolean.")
    if kind == "number" and array.dtype.kind not in "iuf":
        raise Mismatch(f"The result is {_kind_name(array)}, not real numbers.")
    return array.astype(bool if kind == "bool" else float)


def _numeric(value: Any) -> np.ndarray:
    try:
        return np.asarray(_plain(value))
    except (ValueError, TypeError, OverflowError):
        raise Mismatch("The result is not a regular array of numbers.") from None


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value.detach().numpy() if hasattr(value, "detach") else value


def _kind_name(array: np.ndarray) -> str:
    return {"b": "boolean", "c": "complex", "U": "text", "O": "a mixture of objects"}.get(array.dtype.kind, "numbers")


def _show(array: np.ndarray) -> str:
    return np.array2string(array, precision=4, threshold=20, separator=", ").replace("\n", "")


def pair(value: Any, names: str) -> tuple:
    """The parts of a result of several, such as "(A, H)"; Mismatch where it is not a tuple or list of that length."""
    count = names.count(",") + 1
    if not isinstance(value, list | tuple) or len(value) != count:
        raise Mismatch(f"The function must return {names}: {count} results.")
    return tuple(value)


def inputs_untouched(function: Any, *args: Any, **kwargs: Any) -> Any:
    """Call a student's function and fail if it changed an argument; the result."""
    value, changed = function.with_changes(*args, **kwargs)
    if changed:
        raise Mismatch("The function changed its input: work on a copy.")
    return value


def choice(answer: Any, right: str) -> None:
    """Fail unless the answer to a question is the right letter, in either case."""
    if answer is None or answer == "":
        raise NoAnswer("No answer was given.")
    if not isinstance(answer, str) or answer.strip().lower() != right:
        raise Mismatch("This is not the right choice.")


class NoAnswer(AssertionError):
    """A question was left open."""


def misconception(task: str, name: str, *, hint: str) -> Callable[[Callable], Callable]:
    """Mark a wrong answer a student might give to `task`: its name for the class report, and a hint for the student
    that points at the idea without giving the code."""
    return _mark("misconception", (task, name, hint))


def variant(task: str, name: str) -> Callable[[Callable], Callable]:
    """Mark a right answer to `task` written differently: it must get every point."""
    return _mark("variant", (task, name))


def _mark(kind: str, what: tuple) -> Callable[[Callable], Callable]:
    def mark(function: Callable) -> Callable:
        setattr(function, kind, what)
        return function

    return mark
