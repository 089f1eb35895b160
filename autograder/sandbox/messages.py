"""What the grader asks of a sandbox, and what a sandbox may answer: two closed sets of messages."""

import builtins
from typing import Any, Union

import msgspec

from autograder.sandbox.wire import Mapping, Tuple, Value


class _Message(msgspec.Struct, array_like=True, frozen=True):
    """Base of the tagged messages. `ticket` ties an answer to what was asked."""

    ticket: int


# The grader asks.


class RunCell(_Message, tag="run"):
    """Run one cell. `number` names it in tracebacks; `plain` is Python without IPython's magics; `watch`
    names a variable that is cleared before and reported after (the answer to a question)."""

    number: int
    source: str
    plain: bool
    watch: str | None


class Call(_Message, tag="call"):
    """Call a function of the student's by its name, or a method of the kept object number `on`. With `keep`
    the result stays in the sandbox and only its number comes back."""

    function: str
    args: Tuple
    kwargs: Mapping
    on: int | None = None
    keep: bool = False


class Read(_Message, tag="read"):
    """Read an attribute of the kept object number `on`; a name with dots reads on."""

    name: str
    on: int
    keep: bool = False


class Keep(_Message, tag="keep"):
    """Keep this data as an object: what comes back is its number."""

    value: Value


class Make(_Message, tag="make"):
    """Run this source in a module of its own and keep what its `name` makes of the arguments."""

    source: str
    name: str
    args: Tuple
    kwargs: Mapping


class SeedAll(_Message, tag="seed-all"):
    """Seed the global generators."""

    number: int


class Lend(_Message, tag="lend"):
    """Put lent functions in the place of the student's, under every name they go by."""

    functions: list[str]


class LentReturned(_Message, tag="lent-returned"):
    value: Value


class LentRaised(_Message, tag="lent-raised"):
    kind: str
    text: str


# The sandbox answers.


class Ready(_Message, tag="ready"):
    """Confined and waiting; or, with `failure`, why not: then no student code has run."""

    failure: str


class Ran(_Message, tag="ran"):
    """A cell ended. `outputs` are nbformat outputs under caps; `error` is the exception's name, or empty."""

    outputs: list[dict[str, Any]]
    error: str
    watched: Value


class Returned(_Message, tag="returned"):
    """A call returned. `changed` says that it changed one of its arguments."""

    value: Value
    changed: bool = False


class Raised(_Message, tag="raised"):
    """A call raised. `kind` is the nearest built-in exception; `cell` and `line` are the student's own."""

    kind: str
    text: str
    cell: int
    line: int


class Absent(_Message, tag="absent"):
    """There is no such name."""


class Refused(_Message, tag="refused"):
    """A call returned something that may not cross."""

    what: str


class LentCall(_Message, tag="lent-call"):
    """The student's code calls a lent function."""

    function: str
    args: Tuple
    kwargs: Mapping


Request = Union[RunCell, Call, Read, Keep, Make, SeedAll, Lend, LentReturned, LentRaised]
Reply = Union[Ready, Ran, Returned, Raised, Absent, Refused, LentCall]

# What each request may be answered with, when all is said.
ANSWERS: dict[type, tuple[type, ...]] = {
    RunCell: (Ran,),
    Call: (Returned, Raised, Absent, Refused),
    Read: (Returned, Raised, Refused),
    Make: (Returned, Raised, Refused),
    Keep: (Returned,),
    SeedAll: (Returned,),
    Lend: (Returned,),
}


def builtin_name(error: BaseException) -> str:
    """The exception's own name where it is a built-in one, else the nearest built-in it derives from."""
    for cls in type(error).__mro__:
        if getattr(builtins, cls.__name__, None) is cls:
            return cls.__name__
    return "Exception"
