"""`student`, as a hidden test sees it: the submission's functions, called in the sandbox, their results as
data."""

import contextlib
import copy
from collections.abc import Callable
from typing import Any

import msgspec

from autograder.grading.bench import Bench, BudgetSpent
from autograder.grading.sandboxes import LimitHit, StudentProcessEnded
from autograder.grading.verdict import Verdict
from autograder.sandbox.messages import Absent, LentCall, LentRaised, LentReturned, Raised, Refused, Returned
from autograder.sandbox.wire import Packer, Unpacker, WireError


class StudentFault(Exception):
    """A call ended without a result, by the submission's doing. `public_text` is shown where the inputs are
    public."""

    verdict = Verdict.ERROR

    def __init__(self, text: str, kind: str = "", public_text: str = "", cell: int = -1, line: int = 0):
        super().__init__(text)
        self.kind, self.public_text, self.cell, self.line = kind, public_text, cell, line


class StudentTimeout(StudentFault):
    verdict = Verdict.TIMEOUT


class StudentMissing(StudentFault):
    verdict = Verdict.MISSING


class StudentRefused(StudentFault):
    """The result is something that cannot be an answer, such as a generator or an array of objects."""

    verdict = Verdict.FAILED


class CallRecord(msgspec.Struct):
    """One call and what came of it, kept so that a known mistake can be recognised by its results."""

    function: str
    args: tuple
    kwargs: dict
    value: Any = None
    changed: Any = None  # [args, kwargs] after the call, where it changed one
    raised: str = ""


class Student:
    """The submission of one task. Attributes are its functions; `answer` is what it answered to a
    question."""

    def __init__(self, bench: Bench, task: str, lent: dict[str, Callable]):
        self._bench, self._task, self._lent = bench, task, lent
        self._stopped: StudentFault | None = None
        self.calls: list[CallRecord] = []

    @property
    def answer(self) -> Any:
        """What the variable `answer` held right after the question's cell had run, or None."""
        return Unpacker().unpack(self._bench.answers.get(f"{self._task}_stub"))

    def __getattr__(self, name: str) -> "StudentFunction":
        if name.startswith("_"):
            raise AttributeError(name)
        return StudentFunction(self, name)

    @contextlib.contextmanager
    def raises(self, *kinds: type[Exception]):
        """The call within must raise one of these exceptions."""
        try:
            yield
        except StudentFault as fault:
            if fault.verdict is not Verdict.ERROR or fault.kind not in {kind.__name__ for kind in kinds}:
                raise
        else:
            raise AssertionError(f"no {kinds[0].__name__} was raised")

    def call(self, function: str, args: tuple, kwargs: dict) -> CallRecord:
        """Call and record; raises StudentFault. After a limit was hit, memory ran out or the process ended,
        nothing
        more of the task is run: each of them costs a fork, and what it costs once it is not to cost again."""
        if self._stopped:
            raise type(self._stopped)(f"not run, since in an earlier call {self._stopped}")
        record = CallRecord(function, *copy.deepcopy((args, kwargs)))
        self.calls.append(record)
        try:
            reply = self._bench.call(function, args, kwargs, self._answer_lent)
        except (LimitHit, BudgetSpent) as hit:
            record.raised = "a limit"
            self._stopped = StudentTimeout(f"the code {hit}")
            raise self._stopped from None
        except StudentProcessEnded as end:
            record.raised = "the end of the process"
            self._stopped = StudentFault(str(end))
            raise self._stopped from None
        self._note(record, reply)
        return record

    def _note(self, record: CallRecord, reply: Any) -> None:
        match reply:
            case Returned():
                self._note_value(record, reply)
            case Absent():
                raise StudentMissing(f"there is no `{record.function}`")
            case Refused(_, what):
                raise StudentRefused(f"`{record.function}` returned {what[:80]}, which cannot be an answer")
            case Raised(_, kind, text, cell, line):
                record.raised = kind
                fault = _fault(kind, text, cell, line)
                self._stopped = StudentFault("memory ran out") if kind == "MemoryError" else None
                raise fault
            case _:
                raise StudentFault("the code answered something else than what was asked")

    def _note_value(self, record: CallRecord, reply: Returned) -> None:
        try:
            record.value = Unpacker().unpack(reply.value)
            record.changed = None if reply.changed is None else Unpacker().unpack(reply.changed)
        except WireError as error:
            raise StudentRefused(f"`{record.function}` returned {error}, which cannot be an answer") from None

    def _answer_lent(self, call: LentCall) -> LentReturned | LentRaised:
        """Compute what a lent function says: with the reference, on data only."""
        if call.function not in self._lent:
            return LentRaised(call.ticket, "NameError", f"{call.function} is not lent")
        try:
            args, kwargs = Unpacker().unpack(call.args), Unpacker().unpack(call.kwargs)
            return LentReturned(call.ticket, Packer().pack(self._lent[call.function](*args, **kwargs)))
        except Exception as error:  # the arguments are the student's: what they cause is theirs
            return LentRaised(call.ticket, type(error).__name__, str(error)[:300])


class StudentFunction:
    """A function of the submission; calling it gives the result as plain data and arrays."""

    def __init__(self, student: Student, name: str):
        self._student, self.name = student, name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return copy.deepcopy(self._student.call(self.name, args, kwargs).value)

    def with_changes(self, *args: Any, **kwargs: Any) -> tuple[Any, bool]:
        """The result, and whether the call changed an argument."""
        record = self._student.call(self.name, args, kwargs)
        return copy.deepcopy(record.value), record.changed is not None


BUILTIN_KINDS = frozenset(
    name
    for name, value in vars(__import__("builtins")).items()
    if isinstance(value, type) and issubclass(value, BaseException)
)


def _fault(kind: str, text: str, cell: int, line: int) -> StudentFault:
    kind = kind if kind in BUILTIN_KINDS else "Exception"
    if kind == "NotImplementedError":
        return StudentMissing("the stub is still in place (NotImplementedError)", kind)
    return StudentFault(f"{kind}", kind, text[:300], cell, line)
