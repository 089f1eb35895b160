"""The bank of attacks as data: its table, what each does without for the sake of its trick, and the
submissions it is compared with."""

import ast
import re
from pathlib import Path
from typing import NamedTuple

from attacked_class import CANARIES, GOT_THROUGH

from autograder.grading.course import Course
from autograder.grading.samples import Sample, samples

ROOT = Path(__file__).resolve().parents[2]
BANK = ROOT / "tests" / "submissions" / "attacks"
EVERYTHING = "# here stand the right functions\n"
ATTACKS = samples(Course(ROOT).lesson("mixing"), BANK)
WRONG = "def {}(*args):\n    return np.zeros(np.shape(args[0]))\n\n\n"
SCRIPTS = re.compile("<script>alert|<img src=x|<svg onload")  # what attacks want a reader's browser to run
ON_STOCK = {  # whether an attack is tried on stock nbgrader, which runs it unconfined
    "yes",
    "no: needs our channel",
    "no: would harm the machine",
    "no: depends on the network",
}


class Row(NamedTuple):
    """A row of the table: what is tried, the files that try it, and whether stock nbgrader is to bear it."""

    section: str
    attack: str
    files: tuple[str, ...]
    stock: str


def table() -> list[Row]:
    """The rows of the README beside the attacks."""
    rows, section = [], ""
    for line in (BANK / "README.md").read_text(encoding="utf-8").splitlines():
        section = line.removeprefix("## ") if line.startswith("## ") else section
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        files = re.findall(r"`([\w+-]+--[\w+-]+\.(?:py|ipynb))`", line)
        if line.startswith("|") and files:
            rows.append(Row(section, cells[0], tuple(files), cells[-1]))
    return rows


def replaced(attack: Sample) -> tuple[str, ...]:
    """The tasks whose right functions an attack does without, for the sake of its trick."""
    if attack.path.suffix == ".ipynb":
        return tuple(task.name for task in attack.lesson.tasks)
    trick, whole = (
        {node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}
        for text in (attack.path.read_text(encoding="utf-8"), attack.text)
    )
    there = whole - trick
    return tuple(t.name for t in attack.lesson.tasks if not t.question and t.name not in there)


def without_the_trick(attack: Sample) -> str:
    """The id of whoever hands in the same with a plain wrong function in place of each that is a trick."""
    return "-".join(["plain", *replaced(attack)])


def plain_text(gone: tuple[str, ...]) -> str:
    """Such a hand-in: these functions wrong, all others right."""
    return "".join(map(WRONG.format, gone)) + EVERYTHING


def limits(attack: Sample, plain: dict[str, dict[str, float]]) -> dict[str, float]:
    """The points that an attack may have, task by task, given those of the plain hand-ins."""
    if attack.path.suffix == ".ipynb":  # nothing in it is right but the wrong function
        zeros = dict.fromkeys([task.name for task in attack.lesson.tasks], 0.0)
        return zeros | {"add_residual": plain["plain-add_residual"]["add_residual"]}
    return plain[without_the_trick(attack)]


def leaky_text() -> str:
    """A hand-in that prints what nobody may see, so that the checks have something to find."""
    said = [f"{canary[:4]!r} {canary[4:]!r}" for canary in [*CANARIES.values(), GOT_THROUGH]]
    return "\n".join(f"print({words})" for words in said) + "\n" + EVERYTHING
