"""`student`, as a hidden test sees it: the submission's functions, called in the sandbox, their results as
data."""

import contextlib
import copy
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, Literal, NamedTuple

import msgspec

from autograder.grading.bench import Bench, BudgetSpent
from autograder.grading.faults import (
    StudentFault,
    StudentMissing,
    StudentRefused,
    StudentTimeout,
    fault_of,
    in_our_words,
)
from autograder.grading.loans import Loans, OwnObject
from autograder.grading.sandboxes import LimitHit, StudentProcessEnded
from autograder.grading.verdict import Verdict
from autograder.sandbox.messages import Absent, Call, Keep, Make, Raised, Read, Refused, Returned, SeedAll
from autograder.sandbox.wire import MAX_BYTES, Handle, Outside, Packer, Unpacker, WireError, weight

REFUSED = "what cannot be an answer"  # stands for the exception where a result may not cross


class CallRecord(msgspec.Struct):
    """One request and what came of it, kept so that a known mistake can be recognised by its results: a call,
    an attribute read, data kept as an object, an object made by something given, or the generators seeded.
    `on` is the number of the kept object that it was made on, `kept` that of the object that the result
    became, `maker` what is given."""

    function: str
    args: tuple = ()
    kwargs: dict = {}
    on: int | None = None
    kind: Literal["call", "read", "keep", "make", "seed"] = "call"
    value: Any = None
    kept: int | None = None
    changed: bool = False
    raised: str = ""
    maker: Callable | None = None


class Given(NamedTuple):
    """The public modules of a suite, its `given.py`: small functions and classes that its tests need in the
    sandbox, such as a model with other parts than those a student was to write. The text goes into the
    sandbox, where a submission may read it: it must hold nothing secret and no solution."""

    text: str
    names: Mapping[str, Any]


class Student:
    """The submission of one task. Attributes are its functions; `answer` is what it answered to a
    question."""

    def __init__(self, bench: Bench, task: str, lent: dict[str, Callable], given: Given | None = None):
        self._bench, self._task, self._lent, self._given = bench, task, lent, given
        self._loans = Loans(lent)
        self._stopped: StudentFault | None = None
        self._objects: list[int | OwnObject] = []  # kept: the sandbox's number, or ours
        self._room = MAX_BYTES  # for all results of the task, which are kept until its mistake is named
        self.calls: list[CallRecord] = []

    @property
    def answer(self) -> Any:
        """What the variable `answer` held right after the question's cell had run, or None."""
        try:
            return Unpacker().unpack(self._bench.answers.get(f"{self._task}_stub"))
        except WireError as error:
            raise StudentRefused(f"`answer` held {error}, which cannot be an answer") from None

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

    def keep(self, value: Any) -> "StudentObject":
        """Put data into the sandbox as an object, such as an array that is changed between two calls."""
        record = CallRecord("keep", (copy.deepcopy(value),), kind="keep")
        return StudentObject(self, self.ask(record, keep=True).kept)

    def given(self, name: str, *args: Any, **kwargs: Any) -> "StudentObject":
        """Make an object in the sandbox by a class or function of the suite's `given.py`."""
        maker = self._given.names[name]
        record = CallRecord(name, *copy.deepcopy((args, kwargs)), kind="make", maker=maker)
        return StudentObject(self, self.ask(record, keep=True).kept)

    def seed_generators(self, number: int) -> None:
        """Seed the global generators of Python, numpy and torch in the sandbox."""
        self.ask(CallRecord("seed_generators", (number,), kind="seed"))

    def ask(self, record: CallRecord, keep: bool = False) -> CallRecord:
        """Make the call (or read the attribute) that the record describes and fill it in; raises
        StudentFault. After a limit was hit, memory ran out or the process ended, nothing more of the task is
        run: each of them costs a fork, and what it costs once it is not to cost again."""
        if self._stopped:
            raise type(self._stopped)(f"not run, since in an earlier call {self._stopped}")
        self.calls.append(record)
        if keep:
            record.kept = len(self._objects)
        if self._is_ours(record, keep):
            self._use_ours(record)
        else:
            self._note(record, self._reply(record, keep))
        return record

    def _reply(self, record: CallRecord, keep: bool) -> Any:
        try:
            return self._bench.ask(self._request(record, keep), self._loans.answer)
        except (LimitHit, BudgetSpent) as hit:
            record.raised = "a limit"
            self._stopped = StudentTimeout(f"the code {hit}")
            raise self._stopped from None
        except StudentProcessEnded as end:
            record.raised = "the end of the process"
            self._stopped = StudentFault(str(end))
            raise self._stopped from None

    def _request(self, record: CallRecord, keep: bool) -> Callable[[int], Any]:
        on = None if record.on is None else self._objects[record.on]
        packer = Packer(self._outside)
        args, kwargs = packer.pack(record.args), packer.pack(record.kwargs)
        match record.kind:
            case "read":
                return lambda ticket: Read(ticket, record.function, on, keep)
            case "keep":
                return lambda ticket: Keep(ticket, args.items[0])
            case "make":
                source = self._given.text
                return lambda ticket: Make(ticket, source, record.function, args, kwargs)
            case "seed":
                return lambda ticket: SeedAll(ticket, *record.args)
        return lambda ticket: Call(ticket, record.function, args, kwargs, on, keep)

    def _outside(self, value: Any) -> Outside:
        """What crosses for an argument that is no data: a kept object, or a function lent for this call."""
        if isinstance(value, StudentObject):
            value = self._objects[value.number]
        return Handle(value) if isinstance(value, int) else self._loans.lend(value)

    def _note(self, record: CallRecord, reply: Any) -> None:
        match reply:
            case Returned():
                record.changed = reply.changed
                self._note_value(record, reply.value)
            case Absent():
                raise StudentMissing(self._absence(record.function))
            case Refused(_, what):
                record.raised = REFUSED
                words = f"{in_our_words(what)}, which cannot be an answer"
                raise StudentRefused(f"`{record.function}` returned {words}")
            case Raised():
                record.raised = reply.kind
                self._stopped = StudentFault("memory ran out") if reply.kind == "MemoryError" else None
                raise fault_of(reply)

    def _absence(self, name: str) -> str:
        cause = self._bench.cause_of_absence(name)
        cure = "run that cell and mend what it says" if cause else "define it under this very name"
        return f"there is no `{name}`: {f'{cause}: ' if cause else ''}{cure}"

    def _note_value(self, record: CallRecord, value: Any) -> None:
        if record.kept is not None:
            if not isinstance(value, Handle):
                raise StudentFault("the code answered something else than what was asked")
            self._objects.append(value.number)
            return
        self._room -= weight(value)
        if self._room < 0:
            record.raised = REFUSED
            most = f"{MAX_BYTES // 1024**2} MiB"
            self._stopped = StudentRefused(f"the code returned more than {most} in the calls of this task")
            raise self._stopped
        try:
            record.value = Unpacker().unpack(value)
        except WireError as error:
            record.raised = REFUSED
            raise StudentRefused(f"`{record.function}` returned {error}, which cannot be an answer") from None

    # Objects of a lent class are the grader's own.

    def _is_ours(self, record: CallRecord, keep: bool) -> bool:
        if record.on is None:
            return keep and record.kind == "call" and record.function in self._lent
        return isinstance(self._objects[record.on], OwnObject)

    def _use_ours(self, record: CallRecord) -> None:
        args, kwargs = copy.deepcopy((record.args, record.kwargs))
        if record.on is None:
            value = self._lent[record.function](*args, **kwargs)
        else:
            found = attrgetter(record.function)(self._objects[record.on].instance)
            value = found if record.kind == "read" else found(*args, **kwargs)
        if record.kept is not None:
            self._objects.append(OwnObject(value))
        else:
            record.value = copy.deepcopy(value)


class StudentFunction:
    """A function of the submission, or a method of an object it made; calling it gives the result as plain
    data and arrays."""

    def __init__(self, student: Student, name: str, on: int | None = None):
        self._student, self.name, self._on = student, name, on

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return copy.deepcopy(self._ask(args, kwargs).value)

    def with_changes(self, *args: Any, **kwargs: Any) -> tuple[Any, bool]:
        """The result, and whether the call changed an argument."""
        record = self._ask(args, kwargs)
        return copy.deepcopy(record.value), record.changed

    def kept(self, *args: Any, **kwargs: Any) -> "StudentObject":
        """Call it and leave the result, an object of any kind, in the sandbox."""
        return StudentObject(self._student, self._ask(args, kwargs, keep=True).kept)

    def _ask(self, args: tuple, kwargs: dict, keep: bool = False) -> CallRecord:
        return self._student.ask(CallRecord(self.name, *copy.deepcopy((args, kwargs)), self._on), keep)


class StudentObject:
    """An object that stays in the sandbox. Its methods are called as usual, `value` reads an attribute, and
    it may be an argument of another call. In a `with` statement it is entered and left there."""

    def __init__(self, student: Student, number: int):
        self._student, self.number = student, number

    def __getattr__(self, name: str) -> StudentFunction:
        if name.startswith("_"):
            raise AttributeError(name)
        return StudentFunction(self._student, name, self.number)

    def value(self, name: str) -> Any:
        """The attribute of that name as data."""
        record = self._student.ask(CallRecord(name, on=self.number, kind="read"))
        return copy.deepcopy(record.value)

    def part(self, name: str) -> "StudentObject":
        """The attribute of that name, an object of any kind, left in the sandbox."""
        record = self._student.ask(CallRecord(name, on=self.number, kind="read"), keep=True)
        return StudentObject(self._student, record.kept)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return StudentFunction(self._student, "__call__", self.number)(*args, **kwargs)

    def __len__(self) -> int:
        size = StudentFunction(self._student, "__len__", self.number)()
        if not isinstance(size, int) or not 0 <= size < 2**31:
            raise StudentRefused("`len` returned what cannot be a length")
        return size

    def __enter__(self) -> "StudentObject":
        return StudentFunction(self._student, "__enter__", self.number).kept()

    def __exit__(self, *_: object) -> None:
        StudentFunction(self._student, "__exit__", self.number)(None, None, None)

    def __deepcopy__(self, _: dict) -> "StudentObject":
        return self
