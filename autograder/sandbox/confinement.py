"""The order in which a fresh fork gives up everything that a submission does not need.

The template calls `prepare` once, before its first fork; each fork calls `apply` before the first byte of a
submission runs. Nothing here can be undone by the process itself. If `apply` raises, the fork must die: a
submission never runs half confined. Only in a container of its own may it run without Landlock or seccomp,
and then as a user of its own.
"""

import ctypes.util
import importlib.util
import itertools
import os
import platform
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.moment import GRADING

if TYPE_CHECKING:
    from autograder.sandbox.syscalls import Filter

MACHINES = ("x86_64", "aarch64")  # whose constants the system call rules use
PR_GET_SECCOMP = 21
LANDLOCK, SECCOMP = "Landlock", "seccomp"  # the walls that a container's kernel may lack
FULL, CONTAINER = "full", "container"  # kinds of confinement: every wall, or those that a container can raise


@dataclass(frozen=True)
class Bounds:
    """What one submission may use up. `memory_bytes` includes what the template had already allocated."""

    memory_bytes: int
    cpu_seconds: int
    file_bytes: int = 8 * 2**20
    open_files: int = 64

    def __post_init__(self) -> None:
        if min(vars(self).values()) <= 0:  # the kernel takes -1 for "no bound"
            raise ValueError(f"bounds must be positive: {self}")


@dataclass(frozen=True)
class Confinement:
    """All that can be known before the fork.

    Where `private_owner` (uid, gid) is not None, the private directory must belong to it, and it must be
    able to reach it. Without `landlock` or a `syscall_filter` that wall does not stand: `lacking` names it.
    """

    private_owner: tuple[int, int] | None
    template: int
    roots: tuple[Path, ...]
    syscall_filter: "Filter | None"
    landlock: bool = True

    @property
    def lacking(self) -> tuple[str, ...]:
        """The walls that do not stand."""
        walls = {LANDLOCK: self.landlock, SECCOMP: self.syscall_filter is not None}
        return tuple(name for name, stands in walls.items() if not stands)

    def apply(self, private: Path, channel_fd: int, bounds: Bounds) -> None:
        """Confine this process, a single-threaded fork of the template, for good.

        Afterward only `channel_fd` is open, and 0-2, which lead to /dev/null. A Python object that owns
        another descriptor must be kept or detached, or it closes a stranger's later.
        """
        from autograder.sandbox import files, privileges

        os.setsid()
        _keep_only(channel_fd)
        _move_into(private)
        privileges.limit(bounds.memory_bytes, bounds.file_bytes, bounds.open_files, bounds.cpu_seconds)
        privileges.drop_bounding_set()
        if self.private_owner:
            privileges.become(self.private_owner)
        privileges.drop_capabilities()
        if not os.access(private, os.R_OK | os.W_OK | os.X_OK):
            raise RuntimeError(f"user {os.geteuid()} cannot use the private directory {private}")
        privileges.die_with(self.template)
        privileges.gain_nothing()
        if self.landlock:
            files.restrict(self.roots, private)
        if self.syscall_filter:
            self.syscall_filter.load()
        else:
            privileges.limit_processes()


def prepare(readable: Iterable[Path], kind: str = FULL) -> Confinement:
    """Everything that need not wait for the fork; called in the template when all its imports are done.

    `readable`: what a submission may read besides Python and the system's libraries, if anything.
    `kind`: where one submission is alone in a CONTAINER, Landlock or seccomp may be missing. RuntimeError if
    it cannot have a user of its own then.
    """
    from autograder.sandbox import files, privileges  # not to be had on every machine

    roots = files.readable_roots(readable)
    landlock = kind == FULL or not _missing_landlock()
    if landlock:
        files.rehearse(roots)
    owner = privileges.unprivileged_owner(itertools.chain(roots, _imported(roots)))
    confinement = Confinement(owner, os.getpid(), roots, _syscall_filter(kind), landlock)
    if confinement.lacking and owner is None:
        raise RuntimeError(f"without {' and '.join(confinement.lacking)} a submission needs its own user")
    return confinement


def _syscall_filter(kind: str) -> "Filter | None":
    if kind != FULL and _missing_seccomp():
        return None
    from autograder.sandbox import privileges, syscalls

    if kind != FULL and not privileges.works(lambda: syscalls.compiled().load()):
        return None
    return syscalls.compiled()


def environment(private: Path) -> dict[str, str]:
    """All the environment variables a submission sees.

    The template should be started with as few: those it was given by exec stay in its memory.
    """
    home = str(private)
    places = ("HOME", "TMPDIR", "IPYTHONDIR", "MPLCONFIGDIR", "TORCHINDUCTOR_CACHE_DIR")
    threads = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    fixed = {"PATH": "/usr/bin:/bin", "USER": "student", "LANG": "C.UTF-8", GRADING: "1"}
    return fixed | dict.fromkeys(places, home) | dict.fromkeys(threads, "1")


def missing() -> list[str]:
    """What this machine lacks for confinement, one line each, ending with the cure; empty: it can confine."""
    if sys.platform != "linux":
        return [f"Only Linux confines submissions, and this is {sys.platform}: grade in a container or VM."]
    lines = []
    if platform.machine() not in MACHINES:
        lines.append(f"No rules for a {platform.machine()} processor: grade on one of {', '.join(MACHINES)}.")
    if not os.path.isdir("/proc/self/fd"):
        lines.append("/proc is not mounted: mount it with `mount -t proc proc /proc`.")
    return lines + _missing_landlock() + _missing_seccomp()


def _missing_landlock() -> list[str]:
    if importlib.util.find_spec("landlockpy") is None:
        return ["The package landlockpy is not installed: run `make setup`."]
    from autograder.sandbox.files import OLDEST_ABI

    abi = landlock_abi()
    if abi >= OLDEST_ABI:
        return []
    found = f"Landlock has ABI {abi} here" if abi else "Landlock is switched off or refused here"
    return [
        f"{found}, and ABI {OLDEST_ABI} is needed: start Linux 6.2 or newer with `landlock` in its `lsm=` "
        "list, and allow landlock_* in the container's seccomp profile."
    ]


def _missing_seccomp() -> list[str]:
    lines = []
    if importlib.util.find_spec("pyseccomp") is None:
        lines.append("The package pyseccomp is not installed: run `make setup`.")
    if ctypes.util.find_library("seccomp") is None:
        lines.append("The library libseccomp is missing: run `apt-get install libseccomp2` or its like.")
    if ctypes.CDLL(None).prctl(PR_GET_SECCOMP, 0, 0, 0, 0) < 0:
        lines.append("The kernel has no seccomp: start one built with CONFIG_SECCOMP_FILTER.")
    return lines


def landlock_abi() -> int:
    """The ABI version of Landlock that the kernel offers; 0: none, or a container refuses to tell."""
    import landlockpy

    try:
        return landlockpy.abi_version()
    except landlockpy.LandlockError:
        return 0


def _keep_only(channel_fd: int) -> None:
    """Close every descriptor but the channel, and lead 0-2 to /dev/null."""
    if channel_fd <= 2:
        raise ValueError(f"the channel cannot be descriptor {channel_fd}")
    null = os.open("/dev/null", os.O_RDWR)
    for standard in range(3):
        os.dup2(null, standard)
    for number in map(int, os.listdir("/proc/self/fd")):
        if number > 2 and number != channel_fd:
            os.closerange(number, number + 1)  # unlike close, no error for the listing's own, closed by now


def _move_into(private: Path) -> None:
    """Make the private directory the only place that environment, tempfile and relative paths know."""
    os.environ.clear()
    os.environ.update(environment(private))
    tempfile.tempdir = str(private)
    os.chdir(private)


def _imported(roots: tuple[Path, ...]) -> Iterator[Path]:
    """The files of imported modules below the roots: a stand-in for what a submission will import."""
    for module in list(sys.modules.values()):
        name = getattr(module, "__dict__", {}).get("__file__")  # a lazy module would import at a plain look
        if name and not set(roots).isdisjoint(Path(name).resolve().parents):
            yield Path(name)
