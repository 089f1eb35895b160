"""System calls a submission may make: an allowlist for seccomp. Whatever is not named here answers EPERM.

The names are Linux's; one that this architecture (arm64 has no `open`) or this libseccomp does not know is
left out, and so refused. Honest notebooks use about half of them.
"""

import ctypes
import errno
import mmap
import os
import socket
import struct
import tempfile
import termios
from dataclasses import dataclass
from fcntl import F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_GETFL, F_SETFD, F_SETFL

import pyseccomp
from pyseccomp import ALLOW, EQ, ERRNO, MASKED_EQ, NE, Arg, SyscallFilter

from autograder.sandbox import privileges

FREE = tuple( """
    read write readv writev pread64 pwrite64 lseek close close_range dup dup2 dup3
    fstat stat lstat newfstatat statx access faccessat faccessat2
    openat open creat readlink readlinkat getcwd chdir fchdir getdents64
    mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 symlink symlinkat
    ftruncate truncate fsync fdatasync fallocate fadvise64 copy_file_range sendfile umask flock
    mprotect munmap mremap madvise brk mbind msync mincore membarrier get_mempolicy
    futex set_robust_list get_robust_list rseq exit exit_group set_tid_address sched_yield sched_getaffinity
    gettid getpid getppid getuid geteuid getgid getegid getpgrp
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigsuspend rt_sigtimedwait sigaltstack
    pause setitimer getitimer alarm timer_create timer_settime timer_delete timer_gettime restart_syscall
    nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time times getrusage
    sysinfo uname getrandom arch_prctl
    epoll_create1 epoll_ctl epoll_wait epoll_pwait poll ppoll select pselect6 pipe pipe2 eventfd2
    recvfrom sendto recvmsg getsockname getpeername getsockopt shutdown
    """.split()
)

# These answer "done" and do nothing (listxattr: no attributes). shutil's copying breaks on a refusal, and
# Landlock does not stop a change of what stands around a file.
PRETENDED = tuple( """
    chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat setxattr lsetxattr fsetxattr
    removexattr lremovexattr fremovexattr listxattr llistxattr flistxattr
    """.split()
)

PROCESS_ITSELF = 0x7EA51DE5  # stands for the process's number, which is at most 2**22, in the compiled filter
CLONE_THREAD = 0x10000
CLONE_NEW_NAMESPACES = 0x7E020080  # CLONE_NEW: CGROUP, IPC, NET, NS, PID, TIME, USER, UTS
MAP_GROWSDOWN = 0x100
SOCKET_TYPE = 0xFFFFFFFF & ~(socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK)
FCNTL_COMMANDS = (F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL)
IOCTL_REQUESTS = (termios.TCGETS, termios.TIOCGWINSZ, termios.FIONBIO, termios.FIOCLEX, termios.FIONREAD)

# Calls allowed in these shapes only: any row that fits. Arguments count from 0.
SHAPES = (
    ("clone", Arg(0, MASKED_EQ, CLONE_THREAD | CLONE_NEW_NAMESPACES, CLONE_THREAD)),
    # RLIMIT_DATA counts neither shared memory nor stacks that grow down. A file may be mapped shared.
    ("mmap", Arg(3, MASKED_EQ, mmap.MAP_SHARED | MAP_GROWSDOWN, 0)),
    ("mmap", Arg(3, MASKED_EQ, mmap.MAP_ANONYMOUS | MAP_GROWSDOWN, 0)),
    ("kill", Arg(0, EQ, PROCESS_ITSELF)),
    ("tgkill", Arg(0, EQ, PROCESS_ITSELF)),
    ("prlimit64", Arg(0, EQ, PROCESS_ITSELF)),
    ("prlimit64", Arg(0, EQ, 0)),
    # What asyncio wakes itself with.
    ("socketpair", Arg(0, EQ, socket.AF_UNIX), Arg(1, MASKED_EQ, SOCKET_TYPE, socket.SOCK_STREAM)),
    *(("fcntl", Arg(1, EQ, command)) for command in FCNTL_COMMANDS),
    *(("ioctl", Arg(1, EQ, request)) for request in IOCTL_REQUESTS),
)

# Pretended too, in these shapes only. Path.touch() sets the time to now (it gives no times) and makes the
# file only where that is refused.
PRETENDED_SHAPES = (
    ("utime", Arg(1, NE, 0)),
    ("utimes", Arg(1, NE, 0)),
    ("futimesat", Arg(2, NE, 0)),
    ("utimensat", Arg(2, NE, 0)),
)

PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2
INSTRUCTION = struct.Struct("=HBBI")  # struct sock_filter: code, jump if true, jump if false, constant


class _Program(ctypes.Structure):
    """struct sock_fprog."""

    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]


@dataclass(frozen=True)
class Filter:
    """The compiled filter. Compiling takes libseccomp 2 ms, more than any other step of a fork, so it is done
    once, and each fork only puts its own number where `PROCESS_ITSELF` stands."""

    instructions: tuple[tuple[int, int, int, int], ...]

    def load(self) -> None:
        """Enforce the filter on this process, for good. Landlock comes first: it sets no_new_privs."""
        own = os.getpid()
        code = b"".join(
            INSTRUCTION.pack(*jump, own if constant == PROCESS_ITSELF else constant)
            for *jump, constant in self.instructions
        )
        program = _Program(len(self.instructions), code)
        privileges.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(program))


def compiled() -> Filter:
    """The filter, compiled by libseccomp for this machine."""
    with tempfile.TemporaryFile() as file:
        _rules().export_bpf(file)
        file.seek(0)
        return Filter(tuple(INSTRUCTION.iter_unpack(file.read())))


def _rules() -> SyscallFilter:
    rules = SyscallFilter(ERRNO(errno.EPERM))
    # 32-bit and x32 calls have other numbers.
    rules.set_attr(pyseccomp.Attr.ACT_BADARCH, pyseccomp.KILL_PROCESS)
    for name in FREE:
        _add(rules, ALLOW, name)
    for name in PRETENDED:
        _add(rules, ERRNO(0), name)
    for name, *shape in PRETENDED_SHAPES:
        _add(rules, ERRNO(0), name, *shape)
    for name, *shape in SHAPES:
        _add(rules, ALLOW, name, *shape)
    _add(rules, ERRNO(errno.ENOSYS), "clone3")  # a filter cannot see its flags; libc falls back to clone
    return rules


def _add(rules: SyscallFilter, action: int, name: str, *shape: Arg) -> None:
    number = pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name)
    if number >= 0:  # negative: unknown here, or libseccomp's stand-in for a call of another architecture
        rules.add_rule(action, number, *shape)
