"""What a submission takes up where no resource limit counts: files and folders, and threads."""

import contextlib
import os
import subprocess
from pathlib import Path

from autograder.grading.limits import Limits

SHARED = ("/tmp", "/var/tmp", "/dev/shm")  # where every user may write
DEEPEST = 50  # folders within folders; deeper ones are made to break whoever walks them


def excess(private: Path, pid: int, limits: Limits) -> str:
    """What a running submission has too much of, as words for the student; empty if nothing."""
    with contextlib.suppress(OSError):
        if len(os.listdir(f"/proc/{pid}/task")) > limits.threads:
            return "started more threads than allowed"
    return "wrote more files than allowed" if _too_many_files(private, limits) else ""


def _too_many_files(private: Path, limits: Limits) -> bool:
    size = count = 0
    folders = [(str(private), 0)]
    while folders:
        folder, depth = folders.pop()
        with contextlib.suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                count += 1
                size += entry.stat(follow_symlinks=False).st_blocks * 512
                if entry.is_dir(follow_symlinks=False):
                    folders.append((entry.path, depth + 1))
                if size > limits.disk or count > limits.files or depth > DEEPEST:
                    return True
    return False


def remove_strays(owner: int) -> None:
    """Remove what a submission's own user left where everybody may write: only Landlock forbids that."""
    for place in SHARED:
        with contextlib.suppress(OSError), os.scandir(place) as entries:
            own = [entry.path for entry in entries if entry.stat(follow_symlinks=False).st_uid == owner]
            for path in own:
                remove(Path(path))


def remove(folder: Path) -> None:
    """Remove a folder with whatever a submission left in it: `rm` follows no link and minds no depth."""
    subprocess.run(["rm", "-rf", "--", str(folder)], stderr=subprocess.DEVNULL, check=False)
