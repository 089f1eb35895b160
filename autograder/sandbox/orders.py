"""What the grader orders of a template over its control socket, and what the template reports."""

import msgspec

from autograder.sandbox.confinement import Bounds


class ForkOrder(msgspec.Struct, tag="fork", frozen=True):
    """Fork a sandbox over the descriptor sent along, in an existing private directory."""

    private: str
    bounds: Bounds
    output_caps: tuple[int, int]  # of one cell: characters of text, bytes of pictures


class ReapOrder(msgspec.Struct, tag="reap", frozen=True):
    """Wait for a fork that has ended or been killed."""

    pid: int


class Forked(msgspec.Struct, tag="forked", frozen=True):
    pid: int


class Reaped(msgspec.Struct, tag="reaped", frozen=True):
    """`signal` is the one that ended the fork, or 0; `code` its exit code; `seconds` of the processor."""

    signal: int
    code: int
    seconds: float = 0.0


class Started(msgspec.Struct, tag="started", frozen=True):
    """The template is ready; a private directory must belong to `owner` (uid and gid), or to nobody in
    particular. `lacking` names the walls that do not stand."""

    owner: tuple[int, int] | None
    lacking: tuple[str, ...] = ()


Order = ForkOrder | ReapOrder
Report = Forked | Reaped | Started
