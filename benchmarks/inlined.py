"""A hidden suite of ours as the lines a teacher would write into a notebook: calls with their numbers.

The suite is run once on the reference itself. What it asked, and what came back, becomes one line a call:
`np.testing.assert_allclose(softmax([0, 0]), np.array([0.5, 0.5]), rtol=0.0001, atol=1e-05)`.
"""

import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from autograder.grading.cells import Submission
from autograder.grading.course import Course
from autograder.grading.judging import Judging, load_given, load_reference, with_suites
from autograder.grading.student import CallRecord
from autograder.sandbox.messages import Absent, Call, Raised, Refused, Returned, builtin_name
from autograder.sandbox.wire import Packer, Unpacker, WireError

TOLERANCE = "rtol=0.0001, atol=1e-05"  # what our suites allow where they say nothing else
LONGEST = 2000  # characters of a line that a teacher would still keep in a notebook
STUDENT, SECRET = "teacher", b"no secret: the numbers stand in the notebook"


def hidden_tests(root: Path, lesson: str) -> dict[str, list[str]]:
    """The lines of each task, made in a process of its own: pytest runs a suite once in one process."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_written, str(root), lesson).result()


class ReferenceBench:
    """Stands where a submission's bench would: calls are answered by the reference's own functions. What is
    no plain data (objects, lent functions, seeds) is refused, which ends the test that needs it."""

    def __init__(self, reference: Any):
        self._reference = reference
        self.answers = {f"{task}_stub": letter for task, letter in reference.ANSWERS.items()}

    def lend(self, functions: tuple[str, ...]) -> None:
        """Nothing is lent: the reference has all of its own."""

    def cause_of_absence(self, name: str) -> str:
        return ""

    def ask(self, make: Callable[[int], Any], answer_lent: Callable) -> Any:
        request = make(0)
        if not isinstance(request, Call) or request.on is not None or request.keep:
            return Refused(0, "an object that stays")
        function = getattr(self._reference, request.function, None)
        if function is None:
            return Absent(0)
        try:
            args, kwargs = Unpacker().unpack(request.args), Unpacker().unpack(request.kwargs)
            return Returned(0, Packer().pack(function(*args, **kwargs)))
        except WireError as error:
            return Refused(0, str(error))
        except Exception as error:
            return Raised(0, builtin_name(error), str(error), -1, 0)


def _written(root: str, name: str) -> dict[str, list[str]]:
    sys.dont_write_bytecode = True
    lesson = Course(root).lesson(name)
    reference = load_reference(lesson.root, name)
    submission = Submission(STUDENT, name, "notebook", [], [])
    bench = ReferenceBench(reference)
    judging = Judging(reference, SECRET, [], load_given(lesson.hidden))
    judging.take_up(bench, submission, {})
    tasks = [task.name for task in lesson.tasks]
    with_suites(judging, lesson.hidden, tasks, lambda: judging.run(tasks))
    lines = {}
    for task in lesson.tasks:
        if task.question:
            lines[task.name] = [f"assert str(answer).strip().lower() == {reference.ANSWERS[task.name]!r}"]
        else:
            asked = _lines(judging.students[task.name].calls)
            lines[task.name] = asked or [f"assert callable({task.name})"]  # all of it takes or gives objects
    return lines


def _lines(calls: list[CallRecord]) -> list[str]:
    lines = {}
    for call in calls:
        if call.kind == "call" and call.on is None and call.kept is None and not call.raised:
            try:
                line = _line(call)
            except ValueError:
                continue  # no plain data
            if len(line) <= LONGEST:
                lines[line] = None
    return list(lines)


def _line(call: CallRecord) -> str:
    named = [f"{name}={literal(value)}" for name, value in call.kwargs.items()]
    asked = f"{call.function}({', '.join([*map(literal, call.args), *named])})"
    value = call.value
    if _is_numeric(value):
        return f"np.testing.assert_allclose({asked}, {literal(value)}, {TOLERANCE})"
    if isinstance(value, tuple | list) and value and all(map(_is_numeric, value)):
        comparison = f"np.testing.assert_allclose(got, expected, {TOLERANCE})"
        return f"for got, expected in zip({asked}, {literal(value)}, strict=True): {comparison}"
    if isinstance(value, str | bool | type(None)):
        return f"assert {asked} == {value!r}"
    raise ValueError("is compared in no simple way")


def _is_numeric(value: Any) -> bool:
    """Whether a value is one number or one array of numbers, lists of lists included."""
    if isinstance(value, str | bool | dict | type(None)):
        return False
    try:
        return np.asarray(value).dtype.kind in "biuf"
    except ValueError:  # ragged
        return False


def literal(value: Any) -> str:
    """A value as a notebook with `import numpy as np` writes it; ValueError if it is no data."""
    match value:
        case bool() | None | str() | int():
            return repr(value)
        case float():
            text = repr(float(value))
            return text if np.isfinite(value) else text.replace("nan", "np.nan").replace("inf", "np.inf")
        case list():
            return f"[{', '.join(map(literal, value))}]"
        case tuple():
            return f"({''.join(f'{literal(item)}, ' for item in value)})"
        case dict():
            return f"{{{', '.join(f'{literal(key)}: {literal(item)}' for key, item in value.items())}}}"
        case np.ndarray():
            return _array(value)
        case np.generic():
            return literal(value.item())
    raise ValueError(f"{type(value).__name__} is no plain data")


def _array(value: np.ndarray) -> str:
    usual = value.dtype in (np.dtype(float), np.dtype(int), np.dtype(bool)) and value.size
    kind = "" if usual else f", dtype={value.dtype.name!r}"
    shape = "" if value.size else f".reshape({value.shape})"
    return f"np.array({literal(value.tolist())}{kind}){shape}"
