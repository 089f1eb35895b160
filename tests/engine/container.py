"""A stand-in for the container of an LMS: what was packed is built with its own setup.sh and run as root of
an unprivileged container, with namespaces, the capabilities and the control groups that such a one has.

Only apt-get and the download of packages are stand-ins: the versions wanted are linked from this environment.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from autograder.grading.limits import MIB

LAUNCHER = Path(__file__).with_name("container_launcher.py")
SYSTEM_PYTHON = Path("/usr/bin/python3")
CGROUPS = Path("/sys/fs/cgroup")
STAND_INS = {
    "apt-get": "#!/bin/sh\n",
    "python3": """#!/bin/sh
# python3 -m venv DIR: where pip does nothing, and uv is a stand-in.
mkdir -p "$3/bin"
printf '#!/bin/sh\\n' > "$3/bin/pip"
printf '#!/bin/sh\\nexec {python} {launcher} uv {system} "$@"\\n' > "$3/bin/uv"
chmod +x "$3/bin/pip" "$3/bin/uv"
""",
}
# What Docker leaves to root in a container.
CAPABILITIES = """chown dac_override fowner fsetid kill setgid setuid setpcap net_bind_service net_raw
    sys_chroot mknod audit_write setfcap""".split()


class Ended(NamedTuple):
    """How a container ended; the most memory it held, in bytes, and how often it had to wait for its turn."""

    code: int
    stdout: str
    stderr: str
    peak: int
    throttled: int


def why_not() -> str:
    """Why this machine cannot play the container; empty if it can."""
    if os.geteuid() != 0 or not SYSTEM_PYTHON.exists():
        return "needs root and the system's Python"
    text = f"import sys; sys.exit(sys.version_info[:2] != {sys.version_info[:2]})"
    if subprocess.run([SYSTEM_PYTHON, "-c", text]).returncode:
        return "the system's Python is of another version"
    if not all(map(shutil.which, ("unshare", "setpriv", "mount"))):
        return "needs util-linux"
    if not os.access(CGROUPS / "memory" / "cgroup.procs", os.W_OK):
        return "needs control groups that can be written"
    return ""


@contextlib.contextmanager
def open_folder() -> Iterator[Path]:
    """A temporary folder that everybody can read, as `/` of a container is. Its `/tmp` is another."""
    with tempfile.TemporaryDirectory(prefix="container-", dir="/var/tmp") as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


def build(script: Path, requirements: Path, home: Path) -> None:
    """Run a setup.sh, as for an image, into `home`."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in STAND_INS.items():
            path = Path(folder, name)
            path.write_text(text.format(python=sys.executable, launcher=LAUNCHER, system=SYSTEM_PYTHON))
            path.chmod(0o755)
        path = f"{folder}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
        environment = {"PATH": path, "REQUIREMENTS": str(requirements)}
        subprocess.run(["bash", script, home], check=True, env=environment, cwd="/")


def run(
    command: list[str | Path],
    memory: int = 768 * MIB,
    processor: float = 0.5,
    without: tuple[str, ...] = (),
    seconds: float = 600,
) -> Ended:
    """Run a command in a container of this size, whose kernel lacks the walls named in `without`."""
    with _control_group("memory", {"memory.limit_in_bytes": memory}) as held, _control_group(
        "cpu", {"cpu.cfs_period_us": 100_000, "cpu.cfs_quota_us": int(100_000 * processor)}
    ) as slowed:
        script = f"mount --bind {held} {CGROUPS / 'memory'} && mount --bind {slowed} {CGROUPS / 'cpu'}"
        script += " && mount -t tmpfs tmpfs /tmp"
        inside = ["setpriv", f"--bounding-set=-all,+{',+'.join(CAPABILITIES)}", *map(str, command)]
        shell = f'{script} && exec "$@"'
        namespaces = "unshare --mount --pid --fork --mount-proc --net --ipc --kill-child".split()
        launch = [sys.executable, LAUNCHER, "run", f"{held},{slowed}", ",".join(without)]
        ended = subprocess.run(
            [*launch, *namespaces, "bash", "-c", shell, "bash", *inside],
            capture_output=True,
            text=True,
            timeout=seconds,
            cwd="/",
            env={"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/root"},
        )
        peak = int((held / "memory.max_usage_in_bytes").read_text())
        throttled = int(dict(map(str.split, (slowed / "cpu.stat").read_text().splitlines()))["nr_throttled"])
        return Ended(ended.returncode, ended.stdout, ended.stderr, peak, throttled)


@contextlib.contextmanager
def _control_group(controller: str, settings: dict[str, int]) -> Iterator[Path]:
    group = CGROUPS / controller / f"container-{uuid.uuid4().hex[:12]}"
    group.mkdir()
    try:
        for name, value in settings.items():
            (group / name).write_text(str(value))
        yield group
    finally:
        with contextlib.suppress(OSError):  # a process may just be ending
            group.rmdir()


def in_container(test: Callable) -> Callable:
    """Marks a test that needs the stand-in; one worker builds it for all of them."""
    test = pytest.mark.skipif(bool(why_not()), reason=why_not())(test)
    return pytest.mark.slow(pytest.mark.xdist_group("container")(test))
