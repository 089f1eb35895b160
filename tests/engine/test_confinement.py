"""What a confined fork can and cannot do.

Everything here happens in forks of a little template (this file, run as a program), never in pytest's own
process. Each attack runs twice: confined, where it must be refused, and free, where it must not be, so that a
refusal is the confinement's doing. Attacks ask for little (signal 0, a null pointer): free, they harm nobody.
"""

import asyncio
import concurrent.futures
import contextlib
import ctypes
import errno
import fcntl
import gc
import io
import json
import mmap
import os
import platform
import resource
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.sandbox import confinement

ROOT = Path(__file__).resolve().parents[2]
OUTSIDE = Path("../outside")  # as seen from the private directory: none of the fork's business
MIB = 2**20
REFUSALS = (errno.EPERM, errno.EACCES)
IS_ROOT = os.geteuid() == 0
linux = pytest.mark.skipif(bool(confinement.missing()), reason="this machine cannot confine")
pytestmark = [linux, pytest.mark.xdist_group("confinement")]  # one template, started once


KERNEL_PROBES = {335, 336}  # uretprobe, uprobe: kept out of filters by the kernel, which kills who calls them


def raw(name: str, *values: int) -> int:
    """The system call `name`, past libc."""
    import pyseccomp

    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    number = pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name)
    result = libc.syscall(ctypes.c_long(number), *map(ctypes.c_long, values))
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def new_ipc(get: str, control: str, *values: int) -> None:
    raw(control, raw(get, 0, *values), 0, 0, 0)  # IPC_PRIVATE; IPC_RMID


def fork_and_leave() -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    with contextlib.suppress(PermissionError):  # the fork is the attack, the wait is not
        os.waitpid(pid, 0)


def link_and_read(target: Path) -> str:
    os.symlink(target, "link")
    return Path("link").read_text()


def make_shm_file() -> None:
    path = Path(f"/dev/shm/confinement-{os.getpid()}")
    path.write_text("x")
    path.unlink()


def send_out(kind: int) -> None:
    with socket.socket(socket.AF_INET, kind) as end:
        end.connect(("127.0.0.1", 9))


IPC = 0o1600  # IPC_CREAT, mode 0600
ATTACKS = {
    # other processes
    "read another's limits": lambda: resource.prlimit(os.getppid(), resource.RLIMIT_CORE),
    "signal the template": lambda: os.kill(os.getppid(), 0),
    "signal the group": lambda: os.kill(0, 0),
    "signal everybody": lambda: raw("kill", -os.getpid(), 0),
    "signal another's thread": lambda: raw("tgkill", os.getppid(), os.getppid(), 0),
    "signal by thread number": lambda: raw("tkill", os.getppid(), 0),
    "queue a signal": lambda: raw("rt_sigqueueinfo", os.getppid(), 0, 0),
    "signal by pidfd": lambda: os.close(os.pidfd_open(os.getppid())),
    "be signaled on behalf of others": lambda: fcntl.fcntl(0, fcntl.F_SETOWN, os.getppid()),
    "set another's processors": lambda: os.sched_setaffinity(os.getppid(), os.sched_getaffinity(0)),
    "set one's own processors": lambda: os.sched_setaffinity(0, os.sched_getaffinity(0)),
    "set another's disk priority": lambda: raw("ioprio_set", 1, os.getppid(), 0),
    "set another's priority": lambda: raw("setpriority", 0, os.getppid(), 0),
    "ptrace": lambda: raw("ptrace", 2, os.getppid(), 0, 0),
    "read another's memory": lambda: raw("process_vm_readv", os.getppid(), 0, 0, 0, 0, 0),
    "write another's memory": lambda: raw("process_vm_writev", os.getppid(), 0, 0, 0, 0, 0),
    "compare with another": lambda: raw("kcmp", os.getpid(), os.getppid(), 0, 0, 0),
    # new processes
    "fork": lambda: fork_and_leave(),
    "vfork": lambda: os.waitpid(os.posix_spawn("/bin/true", ["true"], {}), 0),
    "subprocess": lambda: subprocess.run(["/bin/true"], check=True),
    "shell": lambda: subprocess.run("true", shell=True, check=True),
    "execve": lambda: os.execv("nosuch", ["x"]),
    "execveat": lambda: raw("execveat", -1, 0, 0, 0, 0),
    # memory and objects that nothing counts or that outlive the process
    "System V memory": lambda: new_ipc("shmget", "shmctl", 4096, IPC),
    "System V queue": lambda: new_ipc("msgget", "msgctl", IPC),
    "System V semaphores": lambda: new_ipc("semget", "semctl", 1, IPC),
    "POSIX queue": lambda: raw("mq_open", ctypes.addressof(ctypes.create_string_buffer(b"nosuch")), 0, 0, 0),
    "read a keyring": lambda: raw("keyctl", 0, -3, 0),
    "add a key": lambda: raw("add_key", 0, 0, 0, 0, 0),
    "shared anonymous memory": lambda: mmap.mmap(-1, 4096).close(),
    "shared memory from /dev/zero": lambda: mmap.mmap(os.open("/dev/zero", os.O_RDWR), 4096).close(),
    "a stack that grows": lambda: mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x100).close(),
    "memfd": lambda: os.close(os.memfd_create("x")),
    "secret memory": lambda: raw("memfd_secret", -1),
    "/dev/shm": lambda: make_shm_file(),
    "lock memory": lambda: raw("mlock", 0, 0),
    # sockets
    "TCP": lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM).close(),
    "UDP": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close(),
    "IPv6": lambda: socket.socket(socket.AF_INET6, socket.SOCK_STREAM).close(),
    "UNIX socket": lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM).close(),
    "netlink": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close(),
    "send a datagram": lambda: send_out(socket.SOCK_DGRAM),
    "pair of datagram sockets": lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].close(),
    "pair of packet sockets": lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)[0].close(),
    "pass a descriptor on": lambda: raw("sendmsg", -1, 0, 0),
    # the kernel's side doors
    "io_uring": lambda: raw("io_uring_setup", 0, 0),
    "bpf": lambda: raw("bpf", 5, 0, 0),
    "perf": lambda: raw("perf_event_open", 0, 0, 0, -1, 0),
    "userfaultfd": lambda: raw("userfaultfd", -1),
    "unshare": lambda: raw("unshare", 0),
    "setns": lambda: raw("setns", -1, 0),
    "mount": lambda: raw("mount", 0, 0, 0, 0, 0),
    "chroot": lambda: os.chroot("nosuch"),
    "open by handle": lambda: raw("open_by_handle_at", -1, 0, 0),
    "become another user": lambda: os.setuid(os.getuid()),
    "outlive the template": lambda: raw("prctl", 1, 0, 0, 0, 0),
    "push a key into a terminal": lambda: fcntl.ioctl(0, 0x5412, b"x"),
    "watch files": lambda: os.close(raw("inotify_init1", 0)),
    # files
    "read the repository": lambda: Path(__file__).read_text(),
    "list the repository": lambda: os.listdir(ROOT),
    "read a stranger's file": lambda: (OUTSIDE / "secret").read_text(),
    "read through a link": lambda: link_and_read(OUTSIDE / "secret"),
    "read /etc/passwd": lambda: Path("/etc/passwd").read_text(),
    "read one's own /proc": lambda: Path("/proc/self/status").read_text(),
    "read another's environment": lambda: Path(f"/proc/{os.getppid()}/environ").read_bytes(),
    "open another's memory": lambda: os.close(os.open(f"/proc/{os.getppid()}/mem", os.O_RDONLY)),
    "read another's program": lambda: os.readlink(f"/proc/{os.getppid()}/exe"),
    "list /proc": lambda: os.listdir("/proc"),
    "list /tmp": lambda: os.listdir("/tmp"),
    "write outside": lambda: (OUTSIDE / "new").write_text("x"),
    "append outside": lambda: (OUTSIDE / "victim").open("a").close(),
    "truncate outside": lambda: os.truncate(OUTSIDE / "victim", 0),
    "truncate by opening": lambda: os.close(os.open(OUTSIDE / "victim", os.O_RDONLY | os.O_TRUNC)),
    "mkdir outside": lambda: (OUTSIDE / "new").mkdir(),
    "symlink outside": lambda: (OUTSIDE / "new").symlink_to("victim"),
    "unlink outside": lambda: (OUTSIDE / "victim").unlink(),
    "rename outside": lambda: (OUTSIDE / "victim").rename(OUTSIDE / "new"),
    "move in": lambda: (OUTSIDE / "victim").rename("stolen"),
    "link in": lambda: os.link(OUTSIDE / "secret", "stolen"),
    "link inside": lambda: (Path("own").touch(), os.link("own", "twin")),
    "named pipe": lambda: os.mkfifo("pipe"),
    "device": lambda: os.mknod("null", 0o20600, os.makedev(1, 3)),
    "write into Python": lambda: os.close(os.open(os.__file__, os.O_RDWR)),
    "open the random device for writing": lambda: os.close(os.open("/dev/urandom", os.O_WRONLY)),
}  # fmt: skip
ROOT_ONLY = {"mount", "chroot", "open by handle", "device", "write into Python", "perf", "setns", "bpf"}


def lay_out(folder: Path) -> None:
    """The folder outside, as it was."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name in ("secret", "victim"):
        (folder / name).write_text(name)


def all_attacks(free: bool) -> dict[str, int]:
    """What each attack got: an error number, or 0."""
    outcomes = {}
    for name, attack in ATTACKS.items():
        if free:  # the one before may have succeeded
            lay_out(OUTSIDE)
        try:
            attack()
        except OSError as error:
            outcomes[name] = error.errno
        else:
            outcomes[name] = 0
    return outcomes


def attacks_confined() -> dict[str, int]:
    return all_attacks(free=False)


def attacks_free() -> dict[str, int]:
    return all_attacks(free=True)


def threads() -> int:
    total = []
    workers = [threading.Thread(target=lambda: total.append(sum(range(10_000)))) for _ in range(12)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        return sum(total) + sum(pool.map(len, ["ab", "cde"]))


def linear_algebra() -> list[float]:
    import numpy as np
    import scipy.linalg

    matrix = np.random.default_rng(0).normal(size=(120, 120))
    values = np.linalg.svd(matrix, compute_uv=False)
    results = (values[0], np.linalg.det(np.linalg.inv(matrix) @ matrix), abs(np.linalg.eigvals(matrix)).max(),
               scipy.linalg.det(matrix[:9, :9]))  # fmt: skip
    return [round(float(result), 6) for result in results]


def torch_training() -> list[float]:
    import torch
    from torch.nn import functional

    torch.manual_seed(0)
    torch.set_num_threads(2)
    model = torch.nn.Sequential(torch.nn.Conv2d(1, 2, 3), torch.nn.Flatten(), torch.nn.Linear(72, 3))
    pairs = torch.utils.data.TensorDataset(torch.randn(8, 1, 8, 8), torch.arange(8) % 3)
    data = torch.utils.data.DataLoader(pairs, 4)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for x, y in data:
        optimizer.zero_grad()
        loss = functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
    torch.save(model.state_dict(), "model.pt")
    model.load_state_dict(torch.load("model.pt"))
    q = torch.randn(1, 2, 5, 4)
    attended = functional.scaled_dot_product_attention(q, q, q, is_causal=True)
    return [round(loss.item(), 4), round(attended.sum().item(), 4)]


def scratch_files() -> list[str]:
    with tempfile.NamedTemporaryFile("w+") as file, tempfile.TemporaryDirectory() as folder:
        file.write("text")
        file.flush()
        for copy in (shutil.copy, shutil.copy2, shutil.copyfile):
            copy(file.name, Path(folder, copy.__name__))
        shutil.copytree(folder, "tree")
    shutil.move("tree", "moved")
    Path("moved/copy").rename("copy")
    Path("copy").chmod(0o600)
    Path("touched").touch()
    Path("touched").touch()
    os.utime("copy", (1, 1))
    os.symlink("copy", "link")
    found = sorted(path.name for path in Path().rglob("*"))
    shutil.rmtree("moved")
    return [Path("link").read_text(), *found]


def array_files() -> list[float]:
    import numpy as np

    shared = np.memmap("map", dtype=float, mode="w+", shape=(1000,))
    shared[:] = 1
    shared.flush()
    np.save("array.npy", np.arange(5))
    return [float(np.fromfile("map").sum()), float(np.load("array.npy", mmap_mode="r").sum())]


def coroutines() -> list[int]:
    async def one(number: int) -> int:
        await asyncio.sleep(0.001)
        return await asyncio.to_thread(lambda: number**2)

    async def several() -> list[int]:
        return await asyncio.gather(*map(one, range(4)))

    return asyncio.run(several())


def figure() -> bool:
    import matplotlib.pyplot as plt

    image = io.BytesIO()
    plt.imshow([[0.1, 0.9], [0.5, 0.5]])
    plt.title("weights $\\alpha$")
    plt.colorbar()
    for target in (image, "figure.png"):
        plt.savefig(target)
    plt.close()
    return image.getvalue()[:4] == Path("figure.png").read_bytes()[:4] == b"\x89PNG"


def notebook_cells() -> list[str]:
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    shell = InteractiveShell(config=Config({"HistoryManager": {"enabled": False}}))
    cells = ["import asyncio; await asyncio.sleep(0); x = 1", "%time y = x", "1 / 0", "%%capture\nprint(y)"]
    results = [shell.run_cell(cell) for cell in cells]
    return [str(result.error_in_exec or result.success) for result in results]


def clocks_and_signals() -> list[str]:
    import datetime
    import decimal
    import random
    import sqlite3
    import uuid
    import zoneinfo

    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, 0.001)
    signal.pause()
    signal.raise_signal(signal.SIGALRM)
    os.kill(os.getpid(), 0)
    signal.pthread_kill(threading.get_ident(), 0)
    resource.setrlimit(resource.RLIMIT_CORE, resource.getrlimit(resource.RLIMIT_CORE))
    time.sleep(0.001)
    when = datetime.datetime(2030, 1, 1, tzinfo=zoneinfo.ZoneInfo("Europe/Oslo"))
    row = sqlite3.connect(":memory:").execute("select 1 + 1").fetchone()
    with open("/dev/zero", "rb") as zeros:
        nothing = zeros.read(1).hex()
    return [when.isoformat(), str(decimal.Decimal(1) / 3), str(len(os.urandom(8))), str(uuid.uuid4().version),
            str(random.Random(0).random()), str(row), str(os.cpu_count()), nothing]  # fmt: skip


HONEST = (threads, linear_algebra, torch_training, scratch_files, array_files, coroutines, figure,
          notebook_cells, clocks_and_signals)  # fmt: skip


def hoard(make: Callable[[], object], most: int) -> int:
    """How many `make()` could be held at once before memory ran out; never more than `most`."""
    held, reserve = [], bytearray(8 * MIB)
    try:
        for _ in range(most):
            held.append(make())
    except Exception as error:
        del reserve  # even counting takes memory, and so would a tuple of exceptions above
        count = len(held)
        held.clear()
        assert isinstance(error, MemoryError) or "allocate memory" in str(error)
        return count
    return most


def numpy_bomb() -> int:
    """MiB held at once, after which work goes on; the other bombs too."""
    import numpy as np

    held = 8 * hoard(lambda: np.ones(MIB), 100)
    with pytest.raises(MemoryError):
        np.ones(2**28)
    assert np.ones(1000).sum() == 1000
    return held


def object_bomb() -> int:
    count = hoard(lambda: [None] * 50, 2 * MIB)
    assert len([None] * 100_000) == 100_000
    return count * sys.getsizeof([None] * 50) // MIB


def torch_bomb() -> int:
    import torch

    held = 4 * hoard(lambda: torch.ones(MIB), 200)
    assert torch.ones(1000).sum() == 1000
    return held


def thread_storm() -> int:
    done, started = threading.Event(), []
    with pytest.raises(RuntimeError, match="start new thread"):
        for _ in range(1000):
            worker = threading.Thread(target=done.wait)
            worker.start()
            started.append(worker)
    done.set()
    for worker in started:
        worker.join()
    return len(started)


def read_only_hoard() -> int:
    """Pages filled and then made read-only are not data any more; how many bytes of them can be had."""
    size, held = 64 * MIB, 0
    with contextlib.suppress(OSError):
        while held < 2**34:
            place = raw("mmap", 0, size, mmap.PROT_WRITE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
            raw("mprotect", place, size, mmap.PROT_READ)
            held += size
    return held


def fill_file() -> int:
    with pytest.raises(OSError) as caught, open("large", "wb", buffering=0) as file:
        for _ in range(100):
            file.write(bytes(MIB // 4))
    return [caught.value.errno, os.path.getsize("large")]


def hoard_descriptors() -> int:
    hoard = []
    with pytest.raises(OSError) as caught:
        for _ in range(1000):
            hoard.append(os.dup(0))
    return [caught.value.errno, max(hoard)]


def spin() -> None:
    signal.signal(signal.SIGXCPU, signal.SIG_IGN)
    while True:
        pass


def change_modes() -> str:
    victim, own = OUTSIDE / "victim", Path("own")
    own.write_text("x")
    victim.chmod(0o400)
    os.utime(victim, (1, 1))
    os.chown(victim, os.getuid(), os.getgid())
    with own.open() as file:
        os.fchmod(file.fileno(), 0o402)
    return "done"


def set_attribute() -> str:
    os.setxattr(OUTSIDE / "victim", "user.note", b"x")
    return "done"


def all_other_calls() -> list[int]:
    """Numbers of system calls that are on no list and yet not refused. Never run free: root may do it all."""
    import pyseccomp

    # fork and vfork are among the attacks; here a failure would go on twice.
    listed = set().union(*named_calls(), {"fork", "vfork"})
    numbers = {pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name) for name in listed}
    libc = ctypes.CDLL(None, use_errno=True)
    let_through = []
    for number in sorted(set(range(1024)) - numbers - KERNEL_PROBES):
        if libc.syscall(ctypes.c_long(number), 0, 0, 0, 0, 0, 0) != -1 or ctypes.get_errno() != errno.EPERM:
            let_through.append(number)
    return let_through


def new_style_clone() -> None:
    raw("clone3", 0, 0)


def thread_in_new_namespace() -> None:
    raw("clone", 0x10000 | 0x20000, 0, 0, 0, 0)  # CLONE_THREAD, CLONE_NEWNS


def foreign_call() -> str:
    """getpid of the x32 interface, in a thread: the whole process must end, not the thread alone."""
    call = ctypes.CDLL(None).syscall
    caller = threading.Thread(target=call, args=[ctypes.c_long(0x40000000 + 39)], daemon=True)
    caller.start()
    caller.join(20)
    return "alive"


def landlock_alone() -> dict[str, int]:
    """What Landlock refuses without the help of seccomp."""
    from autograder.sandbox import files

    with socket.socket() as listener, socket.socket(socket.AF_UNIX) as abstract:
        name = f"\0confinement-{os.getpid()}"
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        pid = os.fork()
        if pid == 0:  # an abstract socket of a process that is not confined
            abstract.bind(name)
            abstract.listen()
            time.sleep(30)
        while name.replace("\0", "@") not in Path("/proc/net/unix").read_text():
            time.sleep(0.01)
        files.restrict(files.readable_roots([]), Path.cwd())
        attempts = {
            "signal": lambda: os.kill(os.getppid(), 0),
            "TCP": lambda: socket.create_connection(listener.getsockname()).close(),
            "abstract socket": lambda: socket.socket(socket.AF_UNIX).connect(name),
            "own socket": lambda: socket.socket(socket.AF_UNIX).bind("socket"),
            "named pipe": lambda: os.mkfifo("pipe"),
            "execute": lambda: os.execv("/bin/true", ["true"]),
        }
        outcomes = {}
        for what, attempt in attempts.items():
            try:
                attempt()
            except OSError as error:
                outcomes[what] = error.errno
        return outcomes | {"child": pid}


def seccomp_alone() -> dict[str, int]:
    """What seccomp refuses without the help of Landlock."""
    from autograder.sandbox import privileges, syscalls

    privileges.prctl(38, 1)  # PR_SET_NO_NEW_PRIVS
    syscalls.compiled().load()
    return all_attacks(free=False)


def surroundings() -> dict[str, object]:
    with tempfile.NamedTemporaryFile() as file:
        return {"environment": dict(os.environ), "cwd": os.getcwd(), "file": file.name}


def die_with_a_stranger() -> None:
    from autograder.sandbox import privileges

    privileges.die_with(os.getpid())


# ---- the template: one fork for each line on standard input


def template() -> None:
    import matplotlib
    import torch

    matplotlib.use("agg")
    import IPython.core.interactiveshell  # noqa: F401
    import matplotlib.pyplot

    torch.optim.Adam([torch.nn.Parameter(torch.zeros(1))])
    matplotlib.pyplot.figure().savefig(io.BytesIO())
    matplotlib.pyplot.close()
    confined = confinement.prepare([])
    gc.freeze()
    for line in sys.stdin:
        print(json.dumps(_one_fork(confined, json.loads(line))), flush=True)


def _one_fork(confined: confinement.Confinement, request: dict) -> dict:
    with tempfile.TemporaryDirectory() as base:
        private, outside = Path(base, "private"), Path(base, "outside")
        private.mkdir()
        if confined.private_owner:
            os.chmod(base, 0o755)
            os.chown(private, *confined.private_owner)
        lay_out(outside)
        before = _snapshot(outside)
        ours, theirs = socket.socketpair()
        with ours:
            pid = os.fork()
            if pid == 0:
                ours.close()
                _in_fork(confined, request, private, theirs)
            theirs.close()
            reply = _await_reply(pid, ours)
        return reply | {"unchanged": _snapshot(outside) == before}


def _snapshot(folder: Path) -> list:
    return [
        (path.name, state.st_mode, state.st_mtime, os.listxattr(path), path.is_file() and path.read_bytes())
        for path, state in [(path, path.lstat()) for path in sorted(folder.iterdir())]
    ]


def _in_fork(confined: confinement.Confinement, request: dict, private: Path, end: socket.socket) -> None:
    name, reply = request["name"], {}
    try:
        if request["confined"]:
            changed = {"cpu_seconds": 60} | request["bounds"]
            memory = _data_in_use() + changed.pop("headroom", 2048) * MIB
            place, channel = Path(request.get("private", private)), request.get("channel", end.fileno())
            confined.apply(place, channel, confinement.Bounds(memory, **changed))
        else:
            os.chdir(private)
            tempfile.tempdir = str(private)
            for number in (1, 2):  # the template's answers go to the first
                os.dup2(os.open(os.devnull, os.O_WRONLY), number)
        result = globals()[name]()
        reply["value"] = result if isinstance(result, (str, int, float, list, dict)) else None
    except BaseException as error:
        reply |= {"error": type(error).__name__, "errno": getattr(error, "errno", None), "text": str(error)}
    with contextlib.suppress(OSError):
        end.sendall(json.dumps(reply).encode() + b"\n")
        end.recv(1)  # until the template has looked at /proc
    os._exit(0)


def process_status(pid: int | str) -> dict[str, str]:
    parts = (line.partition(":") for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return {name: value.strip() for name, _, value in parts}


def _data_in_use() -> int:
    return int(process_status("self")["VmData"].split()[0]) * 1024


def _await_reply(pid: int, ours: socket.socket) -> dict:
    data = b""
    while not data.endswith(b"\n") and select.select([ours], [], [], 60)[0] and (more := ours.recv(65536)):
        data += more
    reply = json.loads(data) if data else {}
    if data:
        files = {number: os.readlink(f"/proc/{pid}/fd/{number}") for number in os.listdir(f"/proc/{pid}/fd")}
        core = next(line for line in open(f"/proc/{pid}/limits") if line.startswith("Max core"))
        reply |= {"pid": pid, "session": os.getsid(pid), "files": files, "core": core.split()[4:6]}
        reply |= {"status": process_status(pid)}
        ours.sendall(b"x")
    elif not select.select([ours], [], [], 0)[0]:
        os.kill(pid, signal.SIGKILL)
        reply["hung"] = True
    reply["signal"] = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return reply


class Template:
    def __init__(self) -> None:
        command = [sys.executable, __file__]
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        environment |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.process = subprocess.Popen(command, **pipes, text=True, env=environment)

    def run(self, name: str, confined: bool = True, **changes: object) -> dict:
        """What came of it: `value`, or `error`, `errno` and `text`; `signal`; how the fork looked in /proc;
        `unchanged`: whether the folder outside is as it was."""
        request = {"name": name, "confined": confined, "bounds": {}} | changes
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        assert answer, "the template has ended"
        return json.loads(answer)


@pytest.fixture(scope="module")
def forks():
    running = Template()
    yield running
    with running.process:
        running.process.kill()


# ---- the tests


@pytest.fixture(scope="module")
def confined_attacks(forks):
    answer = forks.run("attacks_confined")
    assert answer["unchanged"]
    return answer["value"]


@pytest.fixture(scope="module")
def free_attacks(forks):
    return forks.run("attacks_free", confined=False)["value"]


@pytest.mark.parametrize("attack", ATTACKS)
def test_attack_is_refused(confined_attacks, attack):
    assert confined_attacks[attack] in REFUSALS


@pytest.mark.parametrize("attack", ATTACKS if IS_ROOT else sorted(ATTACKS.keys() - ROOT_ONLY))
def test_attack_would_work_unconfined(free_attacks, attack):
    assert free_attacks[attack] not in REFUSALS


@pytest.mark.parametrize("work", [function.__name__ for function in HONEST])
def test_honest_work_comes_out_the_same(forks, work):
    confined, free = forks.run(work), forks.run(work, confined=False)
    assert confined.get("value"), confined
    assert confined["value"] == free["value"]


def test_landlock_holds_alone(forks):
    import landlockpy

    outcomes = forks.run("landlock_alone", confined=False)["value"]
    os.kill(outcomes.pop("child"), signal.SIGKILL)
    if landlockpy.abi_version() < 6:
        outcomes |= {"signal": errno.EPERM, "abstract socket": errno.EPERM, "TCP": errno.EACCES}
    names = ("TCP", "own socket", "named pipe", "execute")
    refused = dict.fromkeys(("signal", "abstract socket"), errno.EPERM)
    assert outcomes == dict.fromkeys(names, errno.EACCES) | refused


def test_seccomp_holds_alone(forks):
    outcomes = forks.run("seccomp_alone", confined=False)["value"]
    beyond_it = list(ATTACKS)[list(ATTACKS).index("read the repository") :]  # files are Landlock's
    beyond_it += ["shared memory from /dev/zero", "/dev/shm"]
    assert {name for name, number in outcomes.items() if number != errno.EPERM} <= set(beyond_it)


def test_calls_on_no_list_are_refused(forks):
    answer = forks.run("all_other_calls")
    assert answer.get("value") == [], answer


def test_new_style_clone_is_said_to_be_unknown(forks):
    assert forks.run("new_style_clone")["errno"] == errno.ENOSYS


def test_thread_in_a_new_namespace_is_refused(forks):
    assert forks.run("thread_in_new_namespace")["errno"] == errno.EPERM


@pytest.mark.skipif(platform.machine() != "x86_64", reason="no second interface on this processor")
def test_call_through_another_interface_kills(forks):
    assert forks.run("foreign_call")["signal"] == -signal.SIGSYS


@pytest.mark.parametrize("change", ["change_modes", "set_attribute"])
def test_changes_of_modes_and_times_are_pretended(forks, change):
    answer = forks.run(change)
    assert answer["value"] == "done"
    assert answer["unchanged"]
    assert not forks.run(change, confined=False)["unchanged"]


def named_calls() -> list[set[str]]:
    from autograder.sandbox import syscalls

    shaped = [{name for name, *_ in shapes} for shapes in (syscalls.SHAPES, syscalls.PRETENDED_SHAPES)]
    return [set(syscalls.FREE), set(syscalls.PRETENDED), *shaped, {"clone3"}]


def test_number_of_calls():
    assert [len(names) for names in named_calls()] == [122, 17, 8, 4, 1]
    assert len(set().union(*named_calls())) == 152


def test_calls_unknown_to_a_processor_are_known_to_be_so():
    import pyseccomp

    unknown = {
        arch: {name for name in set().union(*named_calls()) if pyseccomp.resolve_syscall(arch, name) < 0}
        - {"fchmodat2"}  # known from libseccomp 2.5.5 on
        for arch in (pyseccomp.Arch.X86_64, pyseccomp.Arch.AARCH64)
    }
    replaced_by_newer = """stat lstat access open creat readlink mkdir rmdir unlink rename symlink dup2 pipe
        poll select epoll_wait getpgrp pause alarm time arch_prctl chmod chown lchown utime utimes
        futimesat"""
    assert unknown == {pyseccomp.Arch.X86_64: set(), pyseccomp.Arch.AARCH64: set(replaced_by_newer.split())}


@pytest.mark.parametrize("bomb", ["numpy_bomb", "object_bomb", "torch_bomb"])
def test_memory_bomb_stops_and_work_goes_on(forks, bomb):
    answer = forks.run(bomb, bounds={"headroom": 96})
    assert 0 < answer.get("value", 0) <= 110, answer  # freed memory of the template is used first


def test_thread_storm_stops(forks):
    assert 1 < forks.run("thread_storm", bounds={"headroom": 96})["value"] < 1000


def test_memory_made_read_only_is_bounded_too(forks):
    answer = forks.run("read_only_hoard", bounds={"headroom": 96})
    limit = int(answer["status"]["VmData"].split()[0]) * 1024 + 96 * MIB
    assert 0 < answer["value"] < 3 * limit


def test_size_of_a_file_is_bounded(forks):
    assert forks.run("fill_file")["value"] == [errno.EFBIG, 8 * MIB]
    assert forks.run("fill_file", bounds={"file_bytes": MIB})["value"] == [errno.EFBIG, MIB]


def test_number_of_open_files_is_bounded(forks):
    assert forks.run("hoard_descriptors")["value"] == [errno.EMFILE, 63]


def test_processor_time_is_bounded(forks):
    answer = forks.run("spin", bounds={"cpu_seconds": 1})
    assert answer == {"signal": -signal.SIGKILL, "unchanged": True}


def test_state_of_a_confined_process(forks):
    answer = forks.run("surroundings")
    status, place = answer["status"], answer["value"]
    assert {name: int(status[f"Cap{name}"], 16) for name in ("Inh", "Prm", "Eff", "Amb")} == dict.fromkeys(
        ("Inh", "Prm", "Eff", "Amb"), 0
    )
    assert int(status["CapBnd"], 16) == 0 or not IS_ROOT
    assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2")
    assert answer["core"] == ["0", "0"]
    assert answer["session"] == answer["pid"]
    assert [answer["files"].pop(number) for number in "012"] == ["/dev/null"] * 3
    assert [target.split(":")[0] for target in answer["files"].values()] == ["socket"]
    assert place["environment"] == confinement.environment(Path(place["cwd"]))
    assert place["environment"].keys() == set(
        """PATH HOME IPYTHONDIR MPLCONFIGDIR TORCHINDUCTOR_CACHE_DIR USER TMPDIR LANG AUTOGRADER_GRADING
        OMP_NUM_THREADS OPENBLAS_NUM_THREADS MKL_NUM_THREADS""".split()
    )
    assert place["file"].startswith(place["cwd"])


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"private": "nosuch"}, "FileNotFoundError"),
        ({"private": "/proc"}, "RuntimeError"),
        ({"channel": 1}, "ValueError"),
        ({"bounds": {"file_bytes": -1}}, "ValueError"),
    ],
)
def test_what_cannot_be_confined_raises(forks, changes, error):
    assert forks.run("surroundings", **changes)["error"] == error


def test_fork_of_a_dead_template_raises(forks):
    assert "forked this one has ended" in forks.run("die_with_a_stranger", confined=False)["text"]


PROBE = """
import os, socket, sys, time
from pathlib import Path
from autograder.sandbox.confinement import Bounds, prepare

end, private = socket.socket(fileno=int(sys.argv[1])), Path(sys.argv[2])
confined = prepare(map(Path, sys.argv[3:]))
if confined.private_owner:
    os.chown(private, *confined.private_owner)
if os.fork() == 0:
    confined.apply(private, end.fileno(), Bounds(2**30, 60))
    Path("note").write_text("x")
    end.sendall(b"%d" % os.getpid())
    end.recv(1)
else:
    end.close()
    time.sleep(60)
"""
SYSTEM_PYTHON = Path("/usr/bin/python3")


@pytest.fixture
def probe(request):
    """Starts PROBE with a Python; gives the template, our end of the channel and the private directory."""
    with contextlib.ExitStack() as stack:
        base = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        base.chmod(0o755)
        private = base / "private"
        private.mkdir(mode=0o700)

        def start(python: str, packages: str, *readable: str) -> tuple[subprocess.Popen, socket.socket, Path]:
            ours, theirs = map(stack.enter_context, socket.socketpair())
            command = [python, "-c", PROBE, str(theirs.fileno()), str(private), *readable]
            environment = {"PYTHONPATH": packages}
            template = subprocess.Popen(command, pass_fds=[theirs.fileno()], env=environment, cwd="/")
            stack.callback(template.wait)
            stack.callback(template.kill)
            theirs.close()
            ours.settimeout(30)
            return template, ours, private

        yield start


def test_fork_dies_with_its_template(probe):
    template, end, private = probe(sys.executable, str(ROOT))
    assert int(end.recv(99))
    template.kill()
    assert end.recv(1) == b""


@pytest.mark.skipif(not IS_ROOT or not SYSTEM_PYTHON.exists(), reason="needs root and the system's Python")
def test_root_becomes_nobody_where_nobody_can_read_python(probe):
    import landlockpy
    import pyseccomp

    with tempfile.TemporaryDirectory() as packages:
        os.chmod(packages, 0o755)
        shutil.copytree(ROOT / "autograder" / "sandbox", Path(packages, "autograder", "sandbox"))
        shutil.copy(ROOT / "autograder" / "moment.py", Path(packages, "autograder"))
        shutil.copytree(Path(landlockpy.__file__).parent, Path(packages, "landlockpy"))
        shutil.copy(pyseccomp.__file__, packages)
        template, end, private = probe(str(SYSTEM_PYTHON), packages, packages)
        status = process_status(int(end.recv(99)))
        template.kill()
        assert end.recv(1) == b""
    nobody = private.stat().st_uid, private.stat().st_gid
    assert 0 not in nobody
    assert [set(map(int, status[kind].split())) for kind in ("Uid", "Gid")] == [{nobody[0]}, {nobody[1]}]
    assert (private / "note").stat().st_uid == nobody[0]
    assert status["Groups"] == ""
    assert {int(value, 16) for name, value in status.items() if name.startswith("Cap")} == {0}


def test_can_read_looks_at_the_whole_path():
    from autograder.sandbox.privileges import can_read

    stranger = (54321, 54321)
    with tempfile.TemporaryDirectory() as base, tempfile.TemporaryDirectory() as open_to_all:
        folder = Path(base, "folder")
        folder.mkdir()
        file = folder / "module.py"
        file.touch(mode=0o644)
        os.chmod(open_to_all, 0o755)
        link = Path(open_to_all, "link")
        link.symlink_to(folder)
        for changed, mode, expected in [
            (base, 0o755, True), (base, 0o700, False), (base, 0o711, True), (folder, 0o744, False),
            (folder, 0o711, True), (file, 0o640, False), (file, 0o604, True),
        ]:  # fmt: skip
            os.chmod(changed, mode)
            assert can_read([file], stranger) is expected, (changed, oct(mode))
            assert can_read([link / "module.py"], stranger) is expected
        assert not can_read([Path(base, "nosuch")], stranger)


@pytest.mark.skipif(not IS_ROOT, reason="only root can become another user")
def test_root_stays_where_nobody_cannot_read(tmp_path):
    from autograder.sandbox.privileges import unprivileged_owner

    tmp_path.chmod(0o700)
    assert unprivileged_owner([tmp_path]) is None
    assert unprivileged_owner([Path("/usr")]) is not None


def test_no_file_of_a_submission_is_executable():
    """A static program would start without any file of the system's."""
    from landlockpy import AccessFS

    from autograder.sandbox import files

    assert not files.OWN & AccessFS.EXECUTE


def test_readable_roots_exist_and_do_not_overlap(tmp_path):
    from autograder.sandbox.files import readable_roots

    (tmp_path / "inner").mkdir()
    roots = readable_roots([tmp_path / "inner", tmp_path])
    assert tmp_path in roots
    assert not any(root in other.parents for root in roots for other in roots)
    assert not any(root in ROOT.parents or root == ROOT for root in roots)
    with pytest.raises(FileNotFoundError):
        readable_roots([tmp_path / "nosuch"])


@pytest.mark.parametrize(
    ("attribute", "value", "words"),
    [
        ("sys.platform", "darwin", "container or VM"),
        ("platform.machine", lambda: "riscv64", "x86_64, aarch64"),
        ("os.path.isdir", lambda _: False, "mount -t proc"),
        ("landlockpy.abi_version", lambda: 0, "start Linux 6.2"),
        ("landlockpy.abi_version", lambda: 2, "ABI 2 here"),
        ("ctypes.util.find_library", lambda _: None, "libseccomp2"),
        ("importlib.util.find_spec", lambda name: None if name == "pyseccomp" else sys, "make setup"),
        ("importlib.util.find_spec", lambda name: None if name == "landlockpy" else sys, "make setup"),
    ],
)
def test_what_is_missing_is_one_line_with_the_cure(monkeypatch, attribute, value, words):
    monkeypatch.setattr(attribute, value)
    [line] = confinement.missing()
    assert words in line
    assert line.endswith(".")
    assert "\n" not in line


def test_refused_landlock_counts_as_none(monkeypatch):
    import landlockpy

    def refused() -> int:
        raise landlockpy.LandlockError(errno.EPERM, "refused by the container")

    monkeypatch.setattr(landlockpy, "abi_version", refused)
    assert confinement.landlock_abi() == 0
    assert len(confinement.missing()) == 1


if __name__ == "__main__":
    template()
