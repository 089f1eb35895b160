"""The student's functions as a check sees them: called with copies, each call remembered."""

import functools
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any

import numpy as np

from autograder.compare import Difference, Mismatch


class NotThere(Exception):
    """The student has no function of that name (yet). The text says what is there instead, and what to do."""


class StudentRaised(Exception):
    """The student's function raised `error`."""

    def __init__(self, call: "Call", error: BaseException) -> None:
        super().__init__(f"{call.name} raised {type(error).__name__}")
        self.call = call
        self.error = error
        self.interrupted = isinstance(error, KeyboardInterrupt)


class Call:
    """A call of one of the student's functions; `args` is None where a plain value was read."""

    def __init__(
        self, name: str, args: tuple[Any, ...] | None = None, kwargs: Mapping[str, Any] | None = None
    ) -> None:
        self.name = name
        self.args = args
        self.kwargs = kwargs or {}
        self.value: Any = None
        self.returned = False

    def finish(self, value: Any) -> Any:
        """Remember a copy of what came back, and return that copy."""
        self.value, self.returned = copied(value), True
        return self.value


class Student:
    """What a check function gets: `student.softmax(z)` calls the function of that name in `namespace`.

    It calls with copies of the arguments and returns a copy of the result, and records each call in `calls`.
    `student.answer` is the answer to a question.

    Raises `NotThere`, `StudentRaised`, and `Mismatch` where the function changed an argument.
    """

    def __init__(self, namespace: Mapping[str, Any], calls: list[Call]) -> None:
        self._namespace = namespace
        self._calls = calls

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # protocols that ask every object, such as copying
            raise AttributeError(name)
        value = self._namespace.get(name)
        if name == "answer":
            self._calls.append(Call(name))
            return self._calls[-1].finish(value)
        if not callable(value):
            self._calls.append(Call(name))
            raise NotThere(_absence(name, value, self._namespace))
        return functools.partial(self._call, name, value)

    @contextmanager
    def raises(self, *kinds: type[BaseException]) -> Iterator[None]:
        """Demand that a call inside the block raises one of these exceptions."""
        try:
            yield
        except StudentRaised as problem:
            if not isinstance(problem.error, kinds):
                raise
        else:
            missing = Difference("it raised nothing", f"{kinds[0].__name__} should have been raised here")
            raise Mismatch(..., ..., missing)

    def _call(self, name: str, function: Any, *args: Any, **kwargs: Any) -> Any:
        call = Call(name, args, kwargs)
        self._calls.append(call)
        given, named = copied(args), copied(kwargs)
        try:
            result = function(*given, **named)
        except BaseException as error:  # also SystemExit, and an interrupted endless loop
            raise StudentRaised(call, error) from error
        call.finish(result)
        for before, after in zip((*args, *kwargs.values()), (*given, *named.values())):
            if not same_data(before, after):
                raise Mismatch(after, before, Difference("it changed its input", f"{name} changed its input"))
        return call.value


def copied(value: Any) -> Any:
    """Arrays, tensors and their containers copied; models, generators and functions as they are."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if type(value) in (list, tuple):
        return type(value)(copied(part) for part in value)
    if type(value) is dict:
        return {key: copied(part) for key, part in value.items()}
    if hasattr(value, "detach") and hasattr(value, "clone"):
        return value.detach().clone().requires_grad_(value.requires_grad)
    return value


def same_data(before: Any, after: Any) -> bool:
    """Whether a copy still holds what it was made from. What `copied` does not copy always does."""
    if isinstance(before, np.ndarray):
        return np.array_equal(before, after, equal_nan=before.dtype.kind in "fc")
    if isinstance(before, (list, tuple)):
        return len(before) == len(after) and all(map(same_data, before, after))
    if isinstance(before, dict):
        return before.keys() == after.keys() and all(same_data(before[key], after[key]) for key in before)
    if hasattr(before, "detach") and hasattr(before, "clone"):
        return np.array_equal(before.detach().cpu().numpy(), after.detach().cpu().numpy(), equal_nan=True)
    plain = isinstance(before, (int, float, complex, str, bytes))
    return before is after or not plain or (type(before) is type(after) and before == after)


def _absence(name: str, value: Any, namespace: Mapping[str, Any]) -> str:
    if name in namespace:
        kind = type(value).__name__
        return f"`{name}` is a variable of type {kind} now, no function: run the cell that defines it again"
    own = namespace.get("__name__")  # what was imported has another one, and is no slip
    callables = {key: item for key, item in namespace.items() if callable(item) and not key.startswith("_")}
    names = [key for key, item in callables.items() if getattr(item, "__module__", None) == own]
    near = get_close_matches(name, names, n=1, cutoff=0.8)
    also = f" (there is a `{near[0]}`: is that the one?)" if near else ""
    return f"there is no function `{name}` yet{also}: run the cell that defines it"
