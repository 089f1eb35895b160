"""What hidden suites are written with: the strict comparison, and the marks of mistakes and of right answers.

same(student.softmax(z), expected, atol=1e-5)
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.compare import difference
from autograder.sandbox.wire import Seed

__all__ = [
    "Mismatch",
    "choice",
    "essence",
    "inputs_untouched",
    "misconception",
    "numpy_rng",
    "pair",
    "same",
    "torch_rng",
    "variant",
]


class Mismatch(AssertionError):
    """An answer is not what it should be. `reason` may always be shown; `details` holds values, and is shown
    only where the inputs are public."""

    def __init__(self, reason: str, details: str = ""):
        super().__init__(f"{reason} {details}".strip())
        self.reason, self.details = reason, details


def same(got: Any, expected: Any, atol: float = 1e-5, rtol: float = 1e-4, *, kind: str = "number") -> None:
    """Fail unless `got` has the shape of `expected`, is of the right kind, finite where `expected` is, and
    within `atol + rtol·|expected|` of it everywhere. Nothing is broadcast. Lists, tuples, integers, float32
    and tensors are as good as arrays; booleans, complex numbers and half precision are no numbers here.
    `kind` is "number" or "bool"; booleans are compared exactly."""
    found = difference(got, np.asarray(expected), atol=atol, rtol=rtol, kind=kind)
    if found:
        end = "" if found.reason.endswith("?") else "."
        raise Mismatch(f"The result is not right: {found.reason}{end}", f"({found.detail})")


def pair(value: Any, names: str) -> tuple:
    """The parts of a result of several, such as "(A, H)"; Mismatch where it is not a tuple or list of that
    length."""
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


def numpy_rng(seed: int) -> Seed:
    """An argument that the student's code receives as `np.random.default_rng(seed)`."""
    return Seed("numpy", seed)


def torch_rng(seed: int) -> Seed:
    """An argument that the student's code receives as a torch Generator seeded so."""
    return Seed("torch", seed)


def choice(answer: Any, right: str) -> None:
    """Fail unless the answer to a question is the right letter, in either case."""
    if answer is None or answer == "":
        raise NoAnswer("No answer was given.")
    if not isinstance(answer, str) or answer.strip().lower() != right:
        raise Mismatch("This is not the right choice.")


class NoAnswer(AssertionError):
    """A question was left open."""


def misconception(task: str, name: str, *, hint: str) -> Callable[[Callable], Callable]:
    """Mark a wrong answer a student might give to `task`: its name for the class report, and a hint for the
    student that points at the idea without giving the code."""
    return _mark("misconception", (task, name, hint))


def variant(task: str, name: str) -> Callable[[Callable], Callable]:
    """Mark a right answer to `task` written differently: it must get every point."""
    return _mark("variant", (task, name))


def essence(task: str) -> Callable[[Callable], Callable]:
    """Mark a function that takes a result of `task`, of which many are right, to what they have in common: a
    basis to its projection, say. A known mistake is then recognised by that instead of by its numbers."""
    return _mark("essence", (task,))


def _mark(kind: str, what: tuple) -> Callable[[Callable], Callable]:
    def mark(function: Callable) -> Callable:
        setattr(function, kind, what)
        return function

    return mark
