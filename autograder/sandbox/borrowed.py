"""What stands in a submission for a function or an object of the grader's: each use is a call back to it."""

from collections.abc import Callable
from typing import Any

from autograder.sandbox.wire import LentObject

Ask = Callable[[str, tuple, dict], Any]  # name, positional and keyword arguments -> what the grader answers


def borrowed_function(name: str, ask: Ask) -> Callable:
    """A function that asks the grader. Arguments and result cross as data."""

    def lent(*args: Any, **kwargs: Any) -> Any:
        return ask(name, args, kwargs)

    lent.__name__ = lent.__qualname__ = name
    return lent


def borrowed_object(lent: LentObject, ask: Ask) -> Any:
    """An object whose methods and values are the grader's."""
    methods = {name: _method(f"{lent.name}.{name}", ask) for name in lent.methods}
    values = {name: property(_reader(f"{lent.name}.{name}", ask)) for name in lent.values}
    return type("Lent", (), methods | values)()


def _method(name: str, ask: Ask) -> Callable:
    return lambda self, *args, **kwargs: ask(name, args, kwargs)


def _reader(name: str, ask: Ask) -> Callable:
    return lambda self: ask(name, (), {})
