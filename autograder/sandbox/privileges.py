"""What a submission may use up, and as whom it runs: resource limits, capabilities, user."""

import ctypes
import functools
import os
import pwd
import resource
import signal
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.prctl.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
PR_SET_PDEATHSIG, PR_CAPBSET_READ, PR_CAPBSET_DROP, PR_CAP_AMBIENT = 1, 23, 24, 47
PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 36, 38
PR_CAP_AMBIENT_CLEAR_ALL = 4
CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_KILL, CAP_SETGID, CAP_SETUID, CAP_SETPCAP = 0, 1, 5, 6, 7, 8
CAPABILITY_VERSION_3 = 0x20080522
PROCESSES = 256  # of a submission's own user, threads included, where seccomp does not forbid to start any
ROUNDS = 1000


class _CapabilityHeader(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]


class _CapabilityData(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint32) for name in ("effective", "permitted", "inheritable")]


def limit(memory_bytes: int, file_bytes: int, open_files: int, cpu_seconds: int) -> None:
    """Set the resource limits, hard ones too.

    RLIMIT_DATA is the bound on memory: an allocation beyond it fails cleanly. It counts writable pages
    only, and a page can be filled and then made read-only, so the address space is bounded as well:
    loosely, since threads and BLAS reserve far more of it than they use.
    """
    with open("/proc/self/statm") as file:
        pages = int(file.read().split()[0])
    address_space = pages * resource.getpagesize() + 2 * memory_bytes
    for kind, soft, hard in (
        (resource.RLIMIT_DATA, memory_bytes, memory_bytes),
        (resource.RLIMIT_AS, address_space, address_space),
        (resource.RLIMIT_FSIZE, file_bytes, file_bytes),
        (resource.RLIMIT_NOFILE, open_files, open_files),
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_CPU, cpu_seconds, cpu_seconds + 1),  # SIGXCPU, which can be caught; then SIGKILL
    ):
        ceiling = resource.getrlimit(kind)[1]
        ceiling = sys.maxsize if ceiling == resource.RLIM_INFINITY else ceiling
        resource.setrlimit(kind, (min(soft, ceiling), min(hard, ceiling)))


def drop_bounding_set() -> None:
    """Take every capability out of the bounding set, where that is allowed (else no_new_privs has to do)."""
    if not _effective() >> CAP_SETPCAP & 1:
        return
    capability = 0
    while LIBC.prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0:  # the kernel says where the list ends
        prctl(PR_CAPBSET_DROP, capability)
        capability += 1


def become(owner: tuple[int, int]) -> None:
    """Change to the user and group `owner`, with no other groups."""
    uid, gid = owner
    os.setgroups([])
    os.setresgid(gid, gid, gid)
    os.setresuid(uid, uid, uid)


def drop_capabilities() -> None:
    """Clear the ambient, effective, permitted and inheritable sets."""
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    header = _CapabilityHeader(CAPABILITY_VERSION_3, 0)
    _check(LIBC.capset(ctypes.byref(header), (_CapabilityData * 2)()))


def die_with(parent: int) -> None:
    """Have the kernel kill this process when `parent` ends. A later change of user would undo it."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        raise RuntimeError("the process that forked this one has ended")


def gain_nothing() -> None:
    """Set no_new_privs: no program gives this process a right it does not have. seccomp asks for it."""
    prctl(PR_SET_NO_NEW_PRIVS, 1)


def works(step: Callable[[], None]) -> bool:
    """Whether a fork of this process can take a step that cannot be undone; this process does not take it."""
    pid = os.fork()
    if pid == 0:
        try:
            gain_nothing()
            step()
            os._exit(0)
        finally:
            os._exit(1)
    return os.waitpid(pid, 0)[1] == 0


def limit_processes() -> None:
    """Bound the number of processes and threads of a user that is a submission's own."""
    resource.setrlimit(resource.RLIMIT_NPROC, (PROCESSES, PROCESSES))


def adopt_orphans() -> None:
    """Become the parent of whatever a child of this process leaves behind."""
    prctl(PR_SET_CHILD_SUBREAPER, 1)


def end_orphans() -> None:
    """Kill all children of this process. RuntimeError if they come faster than they go."""
    for _ in range(ROUNDS):
        children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
        if not children:
            return
        for child in map(int, children):
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    raise RuntimeError("a submission's processes could not be ended")


def prctl(option: int, *values: int) -> None:
    """prctl(2), the missing values 0. OSError if the kernel refuses."""
    _check(LIBC.prctl(option, *values, *[0] * (4 - len(values))))


def unprivileged_owner(needed: Iterable[Path]) -> tuple[int, int] | None:
    """(uid, gid) of `nobody` if root may become it and it can read all `needed` paths; None: stay who we are.

    Root must also be able to end that user's process and to give it, read and remove its private directory.
    """
    wanted = (CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_KILL, CAP_SETGID, CAP_SETUID)
    if os.geteuid() != 0 or not all(_effective() >> capability & 1 for capability in wanted):
        return None
    try:
        nobody = pwd.getpwnam("nobody")
    except KeyError:
        return None
    owner = nobody.pw_uid, nobody.pw_gid
    mapped = _mapped(owner[0], "uid_map") and _mapped(owner[1], "gid_map")
    return owner if mapped and can_read(needed, owner) else None


def can_read(paths: Iterable[Path], owner: tuple[int, int]) -> bool:
    """Whether the modes let `owner` read all paths: each itself, and every folder above it and its target."""
    permits = functools.cache(lambda path, bits: _permits(path, owner, bits))
    forms = (form for path in paths for form in (path.absolute(), path.resolve()))
    return all(permits(form, 0o4) and all(permits(folder, 0o1) for folder in form.parents) for form in forms)


def _permits(path: Path, owner: tuple[int, int], bits: int) -> bool:
    try:
        status = path.stat()
    except OSError:
        return False
    shift = 6 if status.st_uid == owner[0] else 3 if status.st_gid == owner[1] else 0
    return status.st_mode >> shift & bits == bits


def _mapped(number: int, table: str) -> bool:
    """Whether the user namespace has this id: a container may map a few only."""
    rows = (line.split() for line in Path("/proc/self", table).read_text().splitlines())
    return any(int(first) <= number < int(first) + int(count) for first, _, count in rows)


def _effective() -> int:
    header = _CapabilityHeader(CAPABILITY_VERSION_3, 0)
    data = (_CapabilityData * 2)()
    _check(LIBC.capget(ctypes.byref(header), data))
    return data[0].effective | data[1].effective << 32


def _check(result: int) -> None:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
