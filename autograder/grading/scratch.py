"""Folders for work in progress; those of a run that was killed are cleared away by the next one."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path


@contextlib.contextmanager
def scratch_folder(place: Path, prefix: str) -> Iterator[Path]:
    """A new folder in `place`, gone afterwards. It is locked meanwhile, which the death of this process ends:
    that tells a remnant from a folder somebody works in."""
    _clear(place, prefix)
    path, lock = _made(place, prefix)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
        os.close(lock)


def _clear(place: Path, prefix: str) -> None:
    for path in place.glob(f"{prefix}*"):
        with contextlib.suppress(OSError):  # somebody works there, or it is not ours to remove
            lock = _locked(path)
            try:
                shutil.rmtree(path)
            finally:
                os.close(lock)


def _made(place: Path, prefix: str) -> tuple[Path, int]:
    """A new folder and its lock: another run may take it for a remnant before it is locked."""
    while True:
        path = Path(tempfile.mkdtemp(dir=place, prefix=prefix))
        try:
            lock = _locked(path)
        except (BlockingIOError, FileNotFoundError):
            continue
        if path.is_dir():
            return path, lock
        os.close(lock)


def _locked(path: Path) -> int:
    """The descriptor that holds the lock of a folder. BlockingIOError where another process has it."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        flock(descriptor, LOCK_EX | LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor
