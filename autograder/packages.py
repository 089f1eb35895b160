"""The packages that the course asks for, and what to do about a missing one."""

import re
from importlib import metadata

PROJECT = "attention-autograder"  # as pip calls it


def needed(optional: bool = True) -> set[str]:
    """The packages that this one asks for, as they are imported; on request without the optional ones."""
    try:
        required = metadata.requires(PROJECT) or []
    except metadata.PackageNotFoundError:
        return set()
    chosen = [line for line in required if optional or "extra ==" not in line]
    return {re.split(r"[^\w-]", line)[0].lower().replace("-", "_") for line in chosen}


def is_needed(module: str) -> bool:
    """Whether a module belongs to a package that the course asks for."""
    return module.split(".")[0].lower() in needed()


def absence(module: str) -> str:
    """That a module is missing, and the cure: the rest of a sentence about what needs it."""
    package = module.split(".")[0]
    if is_needed(module):
        return f"needs {package}, which is not installed here: run `python -m pip install {package}`"
    return f"needs {module}, which is not installed here, nor part of the course: do without, or install it"
