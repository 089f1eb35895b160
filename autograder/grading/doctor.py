"""What this machine has, and lacks, for grading."""

import importlib.metadata
import importlib.util
import json
import os
import platform
import runpy
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
from packaging.requirements import Requirement

from autograder.grading.course import Course
from autograder.grading.limits import Limits
from autograder.grading.memory import free_memory
from autograder.grading.secret import NAME as SECRET
from autograder.packages import PROJECT
from autograder.sandbox.confinement import landlock_abi, missing

OLDEST_PYTHON = (3, 11)
GIB = 1024**3
TEMPLATE = GIB  # what a template with torch, its judge and the grader need beside a submission
ROOM = 2 * GIB  # on disk, for a class's notebooks, results and private directories

# Confines a fork as the sandbox does and prints who it then is and what it could still do.
TRIAL = """
import json, os, socket, sys, tempfile
from pathlib import Path
from autograder.sandbox.confinement import Bounds, prepare

def answer():
    attempts = {"read the course": lambda: os.listdir(sys.argv[1]), "open a socket": lambda: socket.socket()}
    done = []
    for what, attempt in attempts.items():
        try:
            attempt()
        except PermissionError:
            continue
        done.append(what)
    return {"user": os.geteuid(), "done": done}

confined = prepare([])
with tempfile.TemporaryDirectory() as private:
    if confined.private_owner:
        os.chown(private, *confined.private_owner)
    ours, theirs = socket.socketpair()
    if os.fork() == 0:
        try:
            confined.apply(Path(private), theirs.fileno(), Bounds(int(sys.argv[2]), 10))
            reply = answer()
        except BaseException as error:
            reply = {"failure": f"{type(error).__name__}: {error}"}
        theirs.sendall(json.dumps(reply).encode())
        os._exit(0)
    theirs.close()
    print(ours.recv(65536).decode())
    os.wait()
"""


class Finding(msgspec.Struct, frozen=True):
    """One thing looked at. `cure` says what to do where it is not `ok`."""

    name: str
    ok: bool
    detail: str
    cure: str = ""


def examine(course: Course) -> list[Finding]:
    """Everything that decides whether this machine can grade this course. Changes nothing."""
    return [
        _python(),
        *_packages(),
        _torch(),
        *_confinement(course),
        _memory(),
        _disk("disk of the course", course.root),
        _disk("disk for temporary files", Path(tempfile.gettempdir())),
        _secret(course),
    ]


def _python() -> Finding:
    oldest = ".".join(map(str, OLDEST_PYTHON))
    cure = f"install Python {oldest} or newer, then run `make setup PYTHON=python{oldest}`"
    found = f"{platform.python_version()} at {sys.executable}"
    return Finding("Python", sys.version_info >= OLDEST_PYTHON, found, cure)


def _packages() -> Iterator[Finding]:
    """One finding for all packages that are as the project asks, and one for each that is not."""
    cure = "run `make setup`"
    try:
        lines = importlib.metadata.requires(PROJECT) or []
    except importlib.metadata.PackageNotFoundError:
        yield Finding("packages", False, f"{PROJECT} itself is not installed", cure)
        return
    needed = [wanted for wanted in map(Requirement, lines) if _is_for_grading(wanted)]
    versions = {wanted.name: _version(wanted.name) for wanted in needed}
    wrong = [wanted for wanted in needed if not wanted.specifier.contains(versions[wanted.name] or "0")]
    for wanted in wrong:
        found = versions[wanted.name] or "not installed"
        yield Finding(wanted.name, False, f"{found}, and {wanted.specifier} is needed", cure)
    if not wrong:
        yield Finding("packages", True, ", ".join(f"{name} {version}" for name, version in versions.items()))


def _is_for_grading(wanted: Requirement) -> bool:
    return wanted.marker is None or wanted.marker.evaluate({"extra": "grading"})


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _torch() -> Finding:
    """Which build of torch it is, without the seconds an import takes."""
    found = importlib.util.find_spec("torch")
    if found is None:
        return Finding("torch", False, "not installed: no torch lesson can be graded", "run `make setup`")
    build = runpy.run_path(str(Path(found.origin).with_name("version.py")))
    note = f"CUDA {build['cuda']} build; only its CPU part is used" if build.get("cuda") else "CPU build"
    return Finding("torch", True, f"{build['__version__']}, {note}")


def _confinement(course: Course) -> list[Finding]:
    lines = missing()
    if lines:
        return [Finding("confinement", False, *line.split(": ", 1)) for line in lines]
    return [Finding("Landlock", True, f"ABI {landlock_abi()}"), _trial(course)]


def _trial(course: Course) -> Finding:
    """Whether a fork really comes out confined, and as which user."""
    command = [sys.executable, "-c", TRIAL, str(course.root), str(Limits().memory)]
    paths = {"PYTHONPATH": str(Path(__file__).parents[2])}
    ended = subprocess.run(command, capture_output=True, text=True, env=os.environ | paths, timeout=60)
    try:
        reply = json.loads(ended.stdout)
    except ValueError:
        reply = {"failure": (ended.stderr.strip().splitlines() or ["no answer"])[-1]}
    if "failure" in reply:
        cure = "allow Landlock, seccomp and prctl in this container, or grade on a machine without one"
        return Finding("confinement", False, f"tried, and refused: {reply['failure']}", cure)
    if reply["done"]:
        cure = f"move the course out of {sys.prefix}, {sys.base_prefix} and /usr, which submissions may read"
        return Finding("confinement", False, f"a confined process could {' and '.join(reply['done'])}", cure)
    return Finding("confinement", True, f"tried; submissions run {_as_whom(reply['user'])}")


def _as_whom(user: int) -> str:
    if user != os.geteuid():
        return f"as user {user}"
    if user == 0:
        return "as root without privileges (as `nobody` if that user could read this Python: not below /root)"
    return "as the user who grades"


def _memory() -> Finding:
    needed = Limits().memory + TEMPLATE
    free = free_memory()
    cure = f"end other programs, or grade on a machine with {needed / GIB:.0f} GiB free for each of `--jobs`"
    detail = f"{free / GIB:.1f} GiB free, {needed / GIB:.0f} needed for each job"
    return Finding("memory", free >= needed, detail, cure)


def _disk(name: str, folder: Path) -> Finding:
    free = shutil.disk_usage(folder).free
    cure = f"make room on the disk of {folder}"
    return Finding(name, free >= ROOM, f"{free / GIB:.1f} GiB free, {ROOM / GIB:.0f} needed", cure)


def _secret(course: Course) -> Finding:
    path, gradebook = course.root / SECRET, course.gradebook
    if not path.exists() and gradebook.exists():
        cure = f"restore {path} from your backup: with a new one a regrade draws other hidden inputs"
        return Finding("course secret", False, "lost, though there is a gradebook", cure)
    if not path.exists():
        return Finding("course secret", True, "not made yet: the first grading makes it")
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        detail = f"others may read it (mode {mode:04o})"
        return Finding("course secret", False, detail, f"run `chmod 600 {path}`")
    return Finding("course secret", True, f"mode {mode:04o}; back it up with the gradebook")
