"""Known mistakes: wrong answers with a name, recognised in a failing submission by what it returned."""

import contextlib
import copy
import importlib.util
import warnings
from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import numpy as np

from autograder.grading.student import REFUSED, CallRecord, StudentObject
from autograder.sandbox.messages import builtin_name
from autograder.sandbox.wire import Packer, Seed, Unpacker, WireError, imprint, seed_generators

ENOUGH = 0.5  # share of the telling calls that a known mistake must explain, exclusive


class Misconception(msgspec.Struct, frozen=True):
    """A wrong answer to `task` under its name; `hint` is for the student. `essence`, where there is one,
    takes a result to what is compared."""

    task: str
    name: str
    hint: str
    function: Callable
    essence: Callable | None = None


def load(path: Path) -> ModuleType:
    """The module of known mistakes (or right variants) at `path`."""
    spec = importlib.util.spec_from_file_location(f"hidden_{path.parent.name}_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def misconceptions(path: Path) -> list[Misconception]:
    """The known mistakes of a lesson, in the order written."""
    functions = list(vars(load(path)).values())
    essences = {function.essence[0]: function for function in functions if hasattr(function, "essence")}
    return [
        Misconception(*function.misconception, function, essences.get(function.misconception[0]))
        for function in functions
        if hasattr(function, "misconception")
    ]


def recognise(
    task: str, calls: list[CallRecord], reference: Mapping[str, Any], known: list[Misconception]
) -> Misconception | None:
    """The known mistake that explains what a submission did in the calls of one task, or None.

    Telling are the calls where the submission or the mistake differs from the reference; a mistake is
    recognised when the submission agrees with it on more than half of them, and the best one is named.
    """
    counted = [i for i, call in enumerate(calls) if call.function == task or call.on is not None]
    right = list(_replayed(calls, reference))
    came = [_Outcome(call.value, call.changed, call.raised) for call in calls]
    essence = known[0].essence if known else None
    wrong = [i for i in counted if not _as_good(came[i], right[i], essence)]
    best, most = None, ENOUGH
    for item in known if wrong else []:
        outcomes = _replayed(calls, {**reference, task: item.function})
        share = _explained(outcomes, right, came, counted, set(wrong), essence, most)
        if share > most:
            best, most = item, share
        if most == 1.0:  # no other can explain more
            break
    return best


def _explained(
    outcomes: Iterator["_Outcome"],
    right: list["_Outcome"],
    came: list["_Outcome"],
    counted: list[int],
    wrong: set[int],
    essence: Callable | None,
    enough: float,
) -> float:
    """The share of the telling calls that a mistake explains; 0 as soon as it cannot come to `enough`."""
    hits, telling = len(wrong), len(wrong)  # each wrong call counts as explained until it is seen not to be
    for i, outcome in enumerate(outcomes):
        if i not in counted:
            continue
        if i in wrong:
            hits -= not _alike(outcome, came[i], essence)
        else:
            telling += not _as_good(outcome, right[i], essence)
        if hits / telling <= enough:
            return 0.0
    return hits / telling


class _Outcome(msgspec.Struct):
    value: Any
    changed: bool
    raised: str


def _replayed(calls: list[CallRecord], functions: Mapping[str, Any]) -> Iterator[_Outcome]:
    """What the calls would have come to with these functions, objects kept from one to the next included."""
    kept: dict[int, Any] = {}
    for call in calls:
        with warnings.catch_warnings(), np.errstate(all="ignore"), contextlib.redirect_stdout(None):
            warnings.simplefilter("ignore")
            outcome = _outcome(call, functions, kept)
        yield outcome


def _outcome(call: CallRecord, functions: Mapping[str, Any], kept: dict[int, Any]) -> _Outcome:
    try:
        args, kwargs = _realised(copy.deepcopy((call.args, call.kwargs)), kept)
        before = imprint(args, kwargs)
        value = _repeated(call, functions, kept, args, kwargs)
        if call.kept is not None:
            kept[call.kept], value = value, None
        return _Outcome(_crossed(value), imprint(args, kwargs) != before, "")
    except WireError:
        return _Outcome(None, False, REFUSED)
    except Exception as error:
        return _Outcome(None, False, builtin_name(error))


def _repeated(
    call: CallRecord, functions: Mapping[str, Any], kept: dict[int, Any], args: tuple, kwargs: dict
) -> Any:
    match call.kind:
        case "seed":
            return seed_generators(*args)
        case "keep":
            return args[0]
        case "make":
            return call.maker(*args, **kwargs)
        case "read":
            return attrgetter(call.function)(kept[call.on])
    owner = functions[call.function] if call.on is None else getattr(kept[call.on], call.function)
    return owner(*args, **kwargs)


def _crossed(value: Any) -> Any:
    """The value as it would have come over the wire."""
    return Unpacker().unpack(Packer().pack(value))


def _realised(value: Any, kept: dict[int, Any]) -> Any:
    """The arguments as the student's code got them: seeds as generators, kept objects as they are now."""
    match value:
        case Seed():
            return value.generator()
        case StudentObject():
            return kept[value.number]
        case list() | tuple():
            return type(value)(_realised(part, kept) for part in value)
        case dict():
            return {key: _realised(part, kept) for key, part in value.items()}
    return value


def _as_good(one: _Outcome, right: _Outcome, essence: Callable | None) -> bool:
    """Whether one is what the reference gives. Ones and zeros are no booleans there; but who makes another
    mistake may give either, and it is named."""
    return _alike(one, right, essence) and _booleans(one.value) == _booleans(right.value)


def _booleans(value: Any) -> bool:
    """Whether a value, or a part of it, is a boolean or an array of them."""
    if isinstance(value, dict | tuple | list):
        return any(map(_booleans, value.values() if isinstance(value, dict) else value))
    return isinstance(value, bool) or str(getattr(value, "dtype", "")) in ("bool", "torch.bool")


def _alike(one: _Outcome, other: _Outcome, essence: Callable | None) -> bool:
    if one.raised or other.raised:
        return one.raised == other.raised
    values = (_reduced(one.value, essence), _reduced(other.value, essence))
    return one.changed == other.changed and _alike_values(*values)


def _reduced(value: Any, essence: Callable | None) -> Any:
    try:
        return value if essence is None else essence(value)
    except Exception:  # a result that is nothing of the kind stays as it is
        return value


def _alike_values(one: Any, other: Any) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_alike_values(one[key], other[key]) for key in one)
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        return len(one) == len(other) and all(_alike_values(*both) for both in zip(one, other))
    if isinstance(one, str) or isinstance(other, str):
        return type(one) is type(other) and one == other
    try:
        a, b = (np.asarray(getattr(each, "detach", lambda: each)(), dtype=float) for each in (one, other))
    except (TypeError, ValueError, RuntimeError):  # the last: a tensor that wants a gradient, in a tuple
        return one is other
    return a.shape == b.shape and bool(np.isclose(a, b, rtol=1e-4, atol=1e-5, equal_nan=True).all())
