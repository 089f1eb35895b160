"""What the grader lends to a submission: functions and objects that its code may use, as calls back."""

from collections.abc import Callable
from typing import Any

from autograder.sandbox.messages import LentCall, LentRaised, LentReturned
from autograder.sandbox.wire import Lent, LentObject, Packer, Unpacker, WireError, describe

SPECIAL = ("__call__", "__len__")


class Loans:
    """The functions and objects on loan to one task, by the names a submission asks for them with."""

    def __init__(self, functions: dict[str, Callable]):
        self._functions = dict(functions)
        self._numbers = iter(range(1, 2**62))

    def lend(self, value: Any) -> Lent | LentObject:
        """Put a function or an object of ours on loan; raises WireError for anything else."""
        name = f"loan{next(self._numbers)}"
        if isinstance(value, OwnObject):
            return self._lend_object(name, value.instance)
        if not callable(value):
            raise WireError(describe(value))
        self._functions[name] = value
        return Lent(name)

    def _lend_object(self, name: str, instance: Any) -> LentObject:
        public = [each for each in dir(instance) if not each.startswith("_") or each in SPECIAL]
        methods = [each for each in public if callable(getattr(type(instance), each, None))]
        values = [each for each in public if each not in methods]
        self._functions |= {f"{name}.{method}": getattr(instance, method) for method in methods}
        self._functions |= {f"{name}.{value}": _reader(instance, value) for value in values}
        return LentObject(name, methods, values)

    def answer(self, call: LentCall) -> LentReturned | LentRaised:
        """What a lent function says, computed on data only. What its arguments cause is the student's."""
        if call.function not in self._functions:
            return LentRaised(call.ticket, "NameError", f"{call.function} is not lent")
        try:
            args, kwargs = Unpacker().unpack(call.args), Unpacker().unpack(call.kwargs)
            return LentReturned(call.ticket, Packer().pack(self._functions[call.function](*args, **kwargs)))
        except Exception as error:
            return LentRaised(call.ticket, type(error).__name__, str(error)[:300])


class OwnObject:
    """An object of the grader's that stands where the submission's own would."""

    def __init__(self, instance: Any):
        self.instance = instance


def _reader(instance: Any, name: str) -> Callable[[], Any]:
    return lambda: getattr(instance, name)
