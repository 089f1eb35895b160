"""What both graders are handed: attacks, the same without tricks, and controls whose result is known."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from attack_bank import BANK, EVERYTHING, Row, leaky_text, plain_text, replaced, table, without_the_trick
from attacked_class import CANARIES, HONEST

from autograder.grading.course import Lesson
from autograder.grading.errors import CourseError
from autograder.grading.samples import Sample

LEAKY = "leaky"  # prints what nobody may see: what it shows must be found
PLAIN = "plain-add_residual"  # one wrong function and no trick: it must lose its points
CONTROLS = (HONEST, PLAIN, LEAKY)


@dataclass(frozen=True)
class HandIns:
    """`attacks` with the row of the table that each stands in; `others` are plain hand-ins and controls."""

    attacks: dict[str, tuple[Sample, Row]]
    others: dict[str, Sample]

    @property
    def plain(self) -> list[str]:
        return [name for name in self.others if name.startswith("plain")]

    @property
    def samples(self) -> list[Sample]:
        return [*self.others.values(), *(sample for sample, _ in self.attacks.values())]


def hand_ins(lesson: Lesson, folder: Path, only: Sequence[str]) -> HandIns:
    """The hand-ins, made in `folder` where they are not in the bank; `only` are parts of attacks' names.
    CourseError if nothing is called so."""
    rows = {file: row for row in table() for file in row.files}
    chosen = [Sample(BANK / file, lesson) for file in rows if any(part in file for part in only) or not only]
    if not chosen:
        raise CourseError(f"no attack is called {' or '.join(only)}: choose names from {BANK}/README.md.")
    texts = {HONEST: f"# {CANARIES['submission']}\n{EVERYTHING}", LEAKY: leaky_text()}
    texts[PLAIN] = plain_text(("add_residual",))
    plain = {without_the_trick(attack): replaced(attack) for attack in chosen if attack.path.suffix == ".py"}
    texts |= {name: plain_text(gone) for name, gone in plain.items()}
    others = {name: _written(folder / f"{name}.py", text, lesson) for name, text in texts.items()}
    return HandIns({each.student: (each, rows[each.path.name]) for each in chosen}, others)


def moved(sample: Sample, folder: Path, places: Sequence[tuple[str, str]]) -> Sample:
    """The sample with other places in its text: an attacker names the folders of the course that is there."""
    if sample.path.suffix != ".py":
        return sample
    text = sample.path.read_text(encoding="utf-8")
    for ours, theirs in places:
        text = text.replace(ours, theirs)
    return _written(folder / sample.path.name, text, sample.lesson)


def _written(path: Path, text: str, lesson: Lesson) -> Sample:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return Sample(path, lesson)
