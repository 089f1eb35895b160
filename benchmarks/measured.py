"""What a command costs as a whole: wall seconds, seconds of the processor, and memory at its peak, all of the
processes that it starts included."""

import contextlib
import os
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil

EVERY = 0.25  # seconds between two looks at the memory


@dataclass(frozen=True)
class Cost:
    """`memory` are looks at it, in bytes: each page is counted once, however many processes share it."""

    wall: float
    cpu: float
    memory: list[int] = field(default_factory=list)

    @property
    def peak(self) -> int:
        return max(self.memory, default=0)

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(self.wall + other.wall, self.cpu + other.cpu, self.memory + other.memory)


def measured(
    command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None, weighed: bool = True
) -> Cost:
    """Run a command to its end in `folder`; RuntimeError, with the end of what it said, if it fails. To be
    `weighed` takes it a little time, the more the more processes it has."""
    started, looks = time.monotonic(), []
    with open(folder / "command.log", "w+b") as log:
        process = subprocess.Popen(
            command, cwd=folder, env=dict(environment) if environment else None,
            stdin=subprocess.DEVNULL, stdout=log, stderr=log,
        )
        with _watched(process.pid, looks) if weighed else contextlib.nullcontext():
            _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.monotonic() - started
        if process.returncode:
            log.seek(max(0, log.tell() - 2000))
            said = log.read().decode(errors="replace")
            raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}:\n{said}")
    return Cost(wall, used.ru_utime + used.ru_stime, looks)


@contextlib.contextmanager
def _watched(pid: int, looks: list[int]) -> Iterator[None]:
    """Look at the memory of a process and of all below it while this holds."""
    ended = threading.Event()
    watcher = threading.Thread(target=_watch, args=(pid, ended, looks))
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()


def _watch(pid: int, ended: threading.Event, looks: list[int]) -> None:
    while not ended.wait(EVERY):
        with contextlib.suppress(psutil.NoSuchProcess):
            process = psutil.Process(pid)
            looks.append(sum(map(_share, [process, *process.children(recursive=True)])))


def _share(process: psutil.Process) -> int:
    """A process's proportional share of memory, in bytes; 0 once it is gone."""
    with contextlib.suppress(psutil.Error):
        return process.memory_full_info().pss
    return 0
