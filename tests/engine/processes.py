"""The processes below one, for tests that count, kill or weigh them."""

import contextlib
from pathlib import Path


def children(pid: int) -> list[int]:
    """The processes that any thread of this one has started."""
    found = []
    for thread in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += [int(child) for child in thread.read_text().split()]
    return found


def descendants(pid: int) -> list[int]:
    """Children of a process, their children, and so on."""
    found = children(pid)
    return [*found, *(below for child in found for below in descendants(child))]
