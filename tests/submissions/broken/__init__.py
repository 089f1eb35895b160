"""The bank of broken but honest submissions: each a right notebook that something happened to.

A sample is a function that is given the notebook of a student who got everything right, and breaks it. Its
name is the student's id, and says the verdict as the names of other samples do. README.md is the table.
"""

from types import ModuleType

from broken import cells, code, files, results
from broken.sample import Broken

MODULES: tuple[ModuleType, ...] = (files, cells, code, results)


def bank() -> list[Broken]:
    """Every sample, module by module."""
    return [value for module in MODULES for value in vars(module).values() if isinstance(value, Broken)]
