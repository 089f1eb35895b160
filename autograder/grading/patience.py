"""Waits while the gradebook cannot be written: another program holds it, or it is not in its place."""

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

POLL = 1.0  # seconds between two tries


def await_gradebook(path: Path, tell: Callable[[str], None]) -> None:
    """Return once the SQLite file at `path` can be written; `tell` is told once why that takes time."""
    reason = _obstacle(path)
    if not reason:
        return
    tell(f"{reason} Waiting; results are kept meanwhile, and Ctrl-C loses none.")
    while _obstacle(path):
        time.sleep(POLL)
    tell("The gradebook is back: going on.")


def _obstacle(path: Path) -> str:
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=0.5)
        try:
            connection.execute("BEGIN IMMEDIATE")
        finally:
            connection.close()
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            return f"{path} is locked by another program: close what writes to it."
        return f"{path} cannot be opened ({error}): put it back in its place."
    return ""
