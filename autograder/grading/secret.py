"""The course secret: what makes hidden inputs unguessable, and the same again at a regrade."""

import contextlib
import hashlib
import os
import secrets
import tempfile
from pathlib import Path

from autograder.grading.errors import CourseError

NAME = "course_secret"


def course_secret(root: Path) -> bytes:
    """The secret of the course at `root`, made once. It must be backed up with the gradebook: with another
    secret a regrade draws other hidden inputs."""
    path = root / NAME
    if not path.exists():
        with tempfile.NamedTemporaryFile("w", dir=root, prefix=f".{NAME}-") as file:  # mode 0600
            file.write(secrets.token_hex(32) + "\n")
            file.flush()
            with contextlib.suppress(FileExistsError):  # another run was faster: its secret counts
                os.link(file.name, path)
    return _read(path)


def _read(path: Path) -> bytes:
    try:
        text = path.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise CourseError(f"{path} cannot be read ({error}): restore it from your backup.") from None
    if len(text) < 32:
        raise CourseError(
            f"{path} is damaged: restore it from your backup, or delete it to draw new hidden inputs."
        )
    return text.encode()


def seed(secret: bytes, *parts: str) -> int:
    """A seed made of the secret and, for example, student, task and test."""
    return int.from_bytes(
        hashlib.sha256(b"\0".join([secret, *(p.encode() for p in parts)])).digest()[:16], "big"
    )
