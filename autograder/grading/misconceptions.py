"""Known mistakes: wrong answers with a name, recognised in a failing submission by what it returned."""

import contextlib
import copy
import importlib.util
import warnings
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import numpy as np

from autograder.grading.student import CallRecord
from autograder.sandbox.messages import builtin_name

ENOUGH = 0.5  # share of the telling calls that a known mistake must explain, exclusive


class Misconception(msgspec.Struct, frozen=True):
    """A wrong answer to `task` under its name; `hint` is for the student."""

    task: str
    name: str
    hint: str
    function: Callable


def load(path: Path) -> ModuleType:
    """The module of known mistakes (or right variants) at `path`."""
    spec = importlib.util.spec_from_file_location(f"hidden_{path.parent.name}_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def misconceptions(path: Path) -> list[Misconception]:
    """The known mistakes of a lesson, in the order written."""
    marked = (value for value in vars(load(path)).values() if hasattr(value, "misconception"))
    return [Misconception(*function.misconception, function) for function in marked]


def recognise(
    calls: list[CallRecord], reference: Callable, known: list[Misconception]
) -> Misconception | None:
    """The known mistake that explains what a submission returned, or None.

    Telling are the calls where the submission or the mistake differs from the reference; a mistake is
    recognised
    when the submission agrees with it on more than half of them, and the best one is named.
    """
    right = [_outcome(reference, call) for call in calls]
    came = [_came(call) for call in calls]
    wrong = [not _alike(outcome, expected) for outcome, expected in zip(came, right)]
    scored = [(_explained(item, calls, right, came, wrong), item) for item in known]
    best = max(scored, key=lambda pair: pair[0], default=(0.0, None))
    return best[1] if best[0] > ENOUGH else None


def _explained(item: Misconception, calls: list, right: list, came: list, wrong: list[bool]) -> float:
    outcomes = [_outcome(item.function, call) for call in calls]
    telling = [i for i in range(len(calls)) if wrong[i] or not _alike(outcomes[i], right[i])]
    hits = sum(wrong[i] and _alike(outcomes[i], came[i]) for i in telling)
    return hits / len(telling) if telling else 0.0


class _Outcome(msgspec.Struct):
    value: Any
    changed: bool
    raised: str


def _came(call: CallRecord) -> _Outcome:
    return _Outcome(call.value, call.changed is not None, call.raised)


def _outcome(function: Callable, call: CallRecord) -> _Outcome:
    args, kwargs = copy.deepcopy((call.args, call.kwargs))
    with warnings.catch_warnings(), np.errstate(all="ignore"), contextlib.redirect_stdout(None):
        warnings.simplefilter("ignore")
        try:
            value = function(*args, **kwargs)
        except Exception as error:
            return _Outcome(None, False, builtin_name(error))
    return _Outcome(value, not _alike_values([args, kwargs], [list(call.args), call.kwargs]), "")


def _alike(one: _Outcome, other: _Outcome) -> bool:
    if one.raised or other.raised:
        return one.raised == other.raised
    return one.changed == other.changed and _alike_values(one.value, other.value)


def _alike_values(one: Any, other: Any) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_alike_values(one[key], other[key]) for key in one)
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        return len(one) == len(other) and all(_alike_values(*both) for both in zip(one, other))
    try:
        a, b = np.asarray(one, dtype=float), np.asarray(other, dtype=float)
    except (TypeError, ValueError):
        return one is other
    return a.shape == b.shape and bool(np.isclose(a, b, rtol=1e-4, atol=1e-5, equal_nan=True).all())
