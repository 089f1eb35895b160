"""The limits of a grading, in one place."""

import msgspec

from autograder.allowance import CELL_SECONDS, WORK_SECONDS

MIB = 1024**2


class Limits(msgspec.Struct, frozen=True):
    """What one submission may use. Times are wall seconds; a result made under other limits is stale."""

    call: float = 3.0  # one call of a student's function
    cell: float = CELL_SECONDS  # one cell of the notebook
    submission: float = WORK_SECONDS  # everything together
    memory: int = 2048 * MIB  # RLIMIT_DATA of the sandbox
    file: int = 8 * MIB  # one file written
    disk: int = 64 * MIB  # all files in the private directory
    files: int = 1000  # their number, folders included
    threads: int = 512
    open_files: int = 64
    output: int = 200_000  # characters of text kept of one cell
    pictures: int = 4 * MIB  # bytes of pictures kept of one cell
    lent_calls: int = 10_000  # calls of one lent function within one call of the student's

    def replaced(self, **changes: float) -> "Limits":
        return msgspec.structs.replace(self, **changes)
