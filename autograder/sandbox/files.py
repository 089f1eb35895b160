"""Files a submission may see: Landlock.

It reads Python and the system's libraries, writes its private directory, and executes nothing. No other
file, no TCP port, no signal or abstract socket beyond itself.
"""

import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import landlockpy
from landlockpy import AccessFS, Scope

OLDEST_ABI = 3  # Linux 6.2: before it, truncating a file was nobody's business

READ_FILE = AccessFS.READ_FILE
READ = AccessFS.READ_FILE | AccessFS.READ_DIR
# Everything but executing and making sockets, devices and FIFOs (a FIFO hangs whoever opens it afterward).
OWN = (
    READ | AccessFS.WRITE_FILE | AccessFS.TRUNCATE | AccessFS.MAKE_REG | AccessFS.MAKE_DIR | AccessFS.MAKE_SYM
    | AccessFS.REMOVE_FILE | AccessFS.REMOVE_DIR | AccessFS.REFER
)  # fmt: skip

SYSTEM = ("/usr", "/lib", "/lib64", "/etc/ld.so.cache")
# /dev/zero only for reading: a shared mapping of it would be memory that RLIMIT_DATA does not count.
DEVICES = {
    "/dev/null": AccessFS.READ_FILE | AccessFS.WRITE_FILE,
    "/dev/zero": AccessFS.READ_FILE,
    "/dev/urandom": AccessFS.READ_FILE,
}


def readable_roots(readable: Iterable[Path]) -> tuple[Path, ...]:
    """What a submission may read, links resolved: the system's, the interpreter's prefixes, `readable`.

    FileNotFoundError if one of `readable` does not exist; systems differ in the others.
    """
    prefixes = (sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix)
    paths = {Path(path).resolve() for path in (*SYSTEM, *prefixes) if os.path.exists(path)}
    paths |= {path.resolve(strict=True) for path in readable}
    return tuple(sorted(path for path in paths if paths.isdisjoint(path.parents)))


def rehearse(roots: Iterable[Path]) -> None:
    """Do all but enforce the rules. RuntimeError on a kernel too old.

    landlockpy looks for libc with a subprocess at its first call, and first calls are slow in a fork, where
    every page that they touch is copied.
    """
    abi = landlockpy.abi_version()
    if abi < OLDEST_ABI:
        raise RuntimeError(f"Landlock has ABI {abi}, and {OLDEST_ABI} is needed: start Linux 6.2 or newer")
    _rules(roots, Path(tempfile.gettempdir())).close()


def restrict(roots: Iterable[Path], private: Path) -> None:
    """Confine this process to reading `roots` and owning `private`, for good. Sets no_new_privs as well."""
    with _rules(roots, private) as rules:
        rules.restrict()


def _rules(roots: Iterable[Path], private: Path) -> landlockpy.Ruleset:
    rules = landlockpy.Ruleset(scoped=Scope.SIGNAL | Scope.ABSTRACT_UNIX_SOCKET)
    for root in roots:
        rules.allow_path(root, READ if root.is_dir() else READ_FILE)
    for device, access in DEVICES.items():
        rules.allow_path(device, access)
    rules.allow_path(private, OWN)
    return rules
