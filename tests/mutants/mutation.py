"""Mutants of the solutions: each differs from a reference in one operator, number or condition."""

import ast
import difflib
from collections.abc import Iterator
from typing import NamedTuple

from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

from autograder.grading.cells import Submission
from autograder.grading.course import Lesson
from autograder.grading.repair import names_defined
from autograder.grading.work import work_on


class Mutant(NamedTuple):
    """A solution module with one change: `before` became `after` in the function (or class) `where`."""

    lesson: Lesson
    where: str
    before: str
    after: str
    code: str

    @property
    def name(self) -> str:
        return f"{self.lesson.name}.{self.where}: {self.before} -> {self.after}"


def mutants(lesson: Lesson) -> list[Mutant]:
    """All different mutants of a lesson's solution, in the order of the operators; not of what its text
    gives, which is no answer."""
    original, given = lesson.solution.read_text(encoding="utf-8"), _given(lesson)
    codes = dict.fromkeys(code for name in operator_names() for code in _mutations(original, name))
    found = [_described(lesson, original, code) for code in codes]
    return [mutant for mutant in found if mutant is not None and mutant.where not in given]


def _given(lesson: Lesson) -> set[str]:
    cells = work_on(lesson, Submission("nobody", lesson.name, "python", [], [])).lesson_cells
    return {name for source in cells for name in names_defined(source)}


def _mutations(original: str, operator_name: str) -> Iterator[str]:
    try:
        operator = get_operator(operator_name)()
    except TypeError:  # one that must be told which variable to replace
        return
    occurrence = 0
    while (code := mutate_code(original, operator, occurrence)) is not None:
        occurrence += 1
        if code != original:
            yield code


def _described(lesson: Lesson, original: str, code: str) -> Mutant | None:
    before, after = original.splitlines(), code.splitlines()
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    _, start, end, new_start, new_end = next(op for op in matcher.get_opcodes() if op[0] != "equal")
    where = _definition_at(original, start + 1)
    if where is None:  # an import, or the answers of the questions
        return None
    lines = [" ".join(part).strip() for part in (before[start:end], after[new_start:new_end])]
    return Mutant(lesson, where, *(" ".join(line.split()) for line in lines), code)


def _definition_at(code: str, line: int) -> str | None:
    for node in ast.parse(code).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.lineno <= line <= node.end_lineno:
            return node.name
    return None
