"""The processes below one, for tests that count, kill or weigh them."""

import contextlib

import psutil


def children(pid: int, recursive: bool = False) -> list[int]:
    """The processes that this one has started; none when it is gone."""
    with contextlib.suppress(psutil.NoSuchProcess):
        return [child.pid for child in psutil.Process(pid).children(recursive)]
    return []


def descendants(pid: int) -> list[int]:
    """Children of a process, their children, and so on."""
    return children(pid, recursive=True)


def command_line(pid: int) -> str:
    """The command line of a process; nothing when it is gone."""
    with contextlib.suppress(psutil.NoSuchProcess):
        return " ".join(psutil.Process(pid).cmdline())
    return ""


def proportional_share(pid: int) -> int:
    """Bytes of memory of a process, those that it shares divided by the number of those who share them; 0
    when it is gone."""
    with contextlib.suppress(psutil.Error):
        return psutil.Process(pid).memory_full_info().pss
    return 0
