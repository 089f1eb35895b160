"""Waits for a file to be saved."""

import time
from pathlib import Path

PAUSE = 0.3  # seconds between two looks; polling works on every system, and on network drives


def stamp(path: Path) -> tuple[int, int] | None:
    """What changes when a file is saved; None while there is none, as editors replace it."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def wait_for_save(path: Path, seen: tuple[int, int] | None) -> None:
    """Return when the file is there, is not as it was `seen`, and is no longer being written."""
    before = seen
    while (now := stamp(path)) in (None, seen) or now != before:
        before = now
        time.sleep(PAUSE)
