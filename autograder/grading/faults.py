"""How a call can end without a result, by the submission's doing."""

import builtins

from autograder.grading.verdict import Verdict
from autograder.sandbox.messages import Raised
from autograder.sandbox.wire import MAX_BYTES, MAX_DEPTH, MAX_ITEMS, NAMES

BUILTIN_KINDS = frozenset(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
)

# What a refused result may be called. The words come from the submission's process, and its own name for a
# type could carry a hidden input into the feedback.
TYPES = ("range", "zip", "filter", "bytes", "bytearray", "frozenset", "dict_keys", "dict_values", "coroutine")
DTYPES = ("object", "str", "bytes", "void", "datetime", "timedelta", "complex")
REFUSALS = (
    frozenset(NAMES.values())
    | {f"an object of type {name}" for name in TYPES}
    | {f"an array of dtype {name}" for name in DTYPES}
    | {f"something nested more than {MAX_DEPTH} deep", "an integer of more than 64 bits"}
    | {f"more than {MAX_BYTES // 1024**2} MiB or {MAX_ITEMS:,} items"}
)


def in_our_words(what: str) -> str:
    """What a submission says it returned where that is one of the known kinds; else no word of its own."""
    return what if what in REFUSALS else "an object of some other type"


class StudentFault(Exception):
    """A call ended without a result. `public_text` is shown where the inputs are public."""

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


def fault_of(raised: Raised) -> StudentFault:
    """What a call's exception means for its verdict."""
    kind = raised.kind if raised.kind in BUILTIN_KINDS else "Exception"
    if kind == "NotImplementedError":
        return StudentMissing("the stub is still in place (NotImplementedError)", kind)
    return StudentFault(kind, kind, raised.text[:300], raised.cell, raised.line)
