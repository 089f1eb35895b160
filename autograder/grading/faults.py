"""How a call can end without a result, by the submission's doing."""

import builtins

from autograder.grading.verdict import Verdict
from autograder.sandbox.messages import Raised

BUILTIN_KINDS = frozenset(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
)


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
