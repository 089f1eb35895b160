"""The versions of the packages that grading a lesson takes, as they are installed here."""

import importlib.metadata
import sys
from collections.abc import Iterator
from importlib.metadata import distribution

from packaging.requirements import Requirement

from autograder.grading.course import Lesson
from autograder.packages import PROJECT

# What the engine imports to grade one submission, besides the packages that every student has.
ENGINE = (
    "ipython",
    "jsonschema",
    "landlockpy",
    "msgspec",
    "nbformat",
    "pyseccomp",
    "pytest",
    "python-dateutil",
)
GPU_ONLY = ("cuda-", "nvidia-", "triton")  # what torch asks for where it is no CPU build


def pinned(lesson: Lesson) -> str:
    """A requirements file that is complete: to be installed without looking for dependencies."""
    students = [line for line in importlib.metadata.requires(PROJECT) or [] if "extra ==" not in line]
    found: dict[str, str] = {}
    extras: dict[str, set[str]] = {}
    for line in [*students, *ENGINE, *_of_lesson(lesson)]:
        _add(Requirement(line), found, extras)
    return "".join(f"{name}=={found[name]}\n" for name in sorted(found))


def _of_lesson(lesson: Lesson) -> Iterator[str]:
    """The packages that hold the modules which the lesson imports."""
    owners = importlib.metadata.packages_distributions()
    for root in {name.split(".")[0] for name in lesson.modules} - sys.stdlib_module_names:
        yield from owners.get(root, ())


def _add(wanted: Requirement, found: dict[str, str], extras: dict[str, set[str]]) -> None:
    """Add a package and what it asks for, on this machine and with these extras, those of packages that were
    added before included: two may ask for each other."""
    package = distribution(wanted.name)
    name = package.metadata["Name"].lower().replace("_", "-")
    if name in found and wanted.extras <= extras[name]:
        return
    extras.setdefault(name, set()).update(wanted.extras)
    found[name] = package.version.partition("+")[0]  # "2.13.0+cpu" is a build of 2.13.0
    for needed in map(Requirement, package.requires or ()):
        if not needed.name.startswith(GPU_ONLY) and _applies(needed, wanted.extras):
            _add(needed, found, extras)


def _applies(needed: Requirement, extras: set[str]) -> bool:
    return needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in ("", *extras))
