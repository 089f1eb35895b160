"""`make mutants`: every change of a solution is found by the hidden suites, but for right answers."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from equivalent import CASES, LINES, Case
from mutation import Mutant, mutants

from autograder.grading.cells import Cell, Submission
from autograder.grading.course import Course
from autograder.grading.verdict import Verdict
from autograder.grading.weaving import statements
from autograder.grading.work import work_on

ROOT = Path(__file__).resolve().parents[2]
MOST = 0.03  # share of equivalent mutants
MUTANTS = [mutant for lesson in Course(ROOT).lessons() for mutant in mutants(lesson)]
EQUIVALENT = [
    mutant for mutant in MUTANTS if mutant.after in LINES.get(f"{mutant.lesson.name}.{mutant.where}", ())
]


@pytest.mark.parametrize(
    "mutant", [mutant for mutant in MUTANTS if mutant not in EQUIVALENT], ids=lambda mutant: mutant.name
)
def test_a_mutant_is_killed(graders, mutant: Mutant):
    cells = [Cell("", part, "code", index) for index, part in enumerate(statements(mutant.code))]
    tasks = {task.name for task in mutant.lesson.tasks}
    judged = [mutant.where] if mutant.where in tasks else None
    work = work_on(mutant.lesson, Submission("mutant", mutant.lesson.name, "python", cells, []), judged)
    result = graders(mutant.lesson).grade(work, follow_through=False)
    assert not result.internal, result.problems
    assert any(task.verdict is not Verdict.PASSED for task in result.tasks), "it survived"


@pytest.mark.parametrize("mutant", EQUIVALENT, ids=lambda mutant: mutant.name)
def test_a_mutant_called_equivalent_gives_what_the_original_gives(mutant: Mutant):
    case = CASES[f"{mutant.lesson.name}.{mutant.where}"]
    original = _function(mutant, mutant.lesson.solution.read_text(encoding="utf-8"))
    changed = _function(mutant, mutant.code)
    differing = [
        seed
        for seed in range(case.inputs)
        if not _same(*(_outcome(case, function, seed) for function in (original, changed)))
    ]
    assert len(differing) <= case.strays, differing


def _outcome(case: Case, function: Callable, seed: int) -> Any:
    """What counts of a result; each function gets arguments of its own, which it may change."""
    args = case.draw(np.random.default_rng(seed))
    return case.essence(function(*args), *args)


def _function(mutant: Mutant, code: str) -> Any:
    module: dict[str, Any] = {}
    exec(code, module)
    return module[mutant.where]


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    return np.shape(one) == np.shape(other) and np.allclose(one, other, rtol=1e-9, atol=1e-12)


def test_few_mutants_are_equivalent_and_each_listed_one_exists():
    assert 0 < len(EQUIVALENT) <= MOST * len(MUTANTS)
    there = {(f"{mutant.lesson.name}.{mutant.where}", mutant.after) for mutant in EQUIVALENT}
    assert there == {(where, line) for where, lines in LINES.items() for line in lines}
