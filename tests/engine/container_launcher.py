"""Programs that container.py starts.

    container_launcher.py run GROUP,GROUP WALL,WALL COMMAND ...    run it in control groups, without walls
    container_launcher.py uv PYTHON venv|pip ...                   the uv that setup.sh calls
"""

import errno
import importlib.metadata
import os
import subprocess
import sys
from pathlib import Path


def run(groups: str, without: str, *command: str) -> None:
    for group in groups.split(","):
        Path(group, "cgroup.procs").write_text(str(os.getpid()))
    if without:
        refuse(without.split(","))
    os.execvp(command[0], command)


def refuse(walls: list[str]) -> None:
    """Be a kernel that has none of these walls."""
    import pyseccomp

    rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    if "Landlock" in walls:
        for name in ("landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self"):
            rules.add_rule(pyseccomp.ERRNO(errno.ENOSYS), name)
    if "seccomp" in walls:
        set_seccomp = pyseccomp.Arg(0, pyseccomp.EQ, 22)
        rules.add_rule(pyseccomp.ERRNO(errno.EINVAL), "prctl", set_seccomp)
        rules.add_rule(pyseccomp.ERRNO(errno.ENOSYS), "seccomp")
    rules.load()


def uv(python: str, step: str, *options: str) -> None:
    if step == "venv":
        venv(python, Path(options[-1]))


def venv(python: str, folder: Path) -> None:
    """A virtual environment that holds the packages required and no other."""
    subprocess.run([python, "-m", "venv", "--without-pip", folder], check=True)
    [site] = folder.glob("lib/python*/site-packages")
    for line in Path(os.environ["REQUIREMENTS"]).read_text().split():
        name, _, version = line.partition("==")
        package = importlib.metadata.distribution(name)
        assert package.version.partition("+")[0] == version
        for file in package.files:
            source, target = Path(file.locate()), site / file
            if ".." not in file.parts and source.suffix != ".pyc" and not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                link_or_copy(source, target)


def link_or_copy(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:  # another file system
        target.write_bytes(source.read_bytes())


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
