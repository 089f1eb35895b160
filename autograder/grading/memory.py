"""How much memory there is for grading."""

import os
from collections.abc import Iterator
from pathlib import Path

CGROUPS = Path("/sys/fs/cgroup")
# The limit of a container, what is used of it, and the part of that which the kernel takes back when it needs
# it: in the second version of control groups and in the first.
CONTROLS = (
    ("", "memory.max", "memory.current", "inactive_file"),
    ("memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
)


def free_memory() -> int:
    """Bytes that can be had now: of the machine's, or what is left under the container's limit."""
    return min(_free())


def _free() -> Iterator[int]:
    yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    system = Path("/proc/meminfo")
    if system.exists():
        yield int(_rows(system, ":")["MemAvailable"].split()[0]) * 1024
    for folder, limit, used, cache in CONTROLS:
        group = CGROUPS / folder
        if (group / limit).exists() and (bound := (group / limit).read_text().strip()) != "max":
            cached = int(_rows(group / "memory.stat", " ")[cache])
            yield int(bound) - int((group / used).read_text()) + cached


def _rows(path: Path, separator: str) -> dict[str, str]:
    return dict(line.split(separator, 1) for line in path.read_text().splitlines())
