"""What came of a submission, in the same words for both graders."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

HARMLESS = "harmless"
GAINED = "full marks for a wrong function"
PARTLY = "points for a wrong function"
READ = "read: {}"
REACHED = "reached what it must not reach"
SCRIPT = "a script in the feedback"
SHOWN = "hidden tests shown in the feedback"
LEFT = "left behind: {}"
UNGRADED = "not graded"
UNRECORDED = "graded, but not recorded"
STOPPED = "the class after it not graded"
OVER = "over its time"


@dataclass(frozen=True)
class Outcome:
    """What was found, nothing if it was harmless, the points by task, and the seconds that it took."""

    found: tuple[str, ...]
    points: Mapping[str, float]
    seconds: float

    @property
    def text(self) -> str:
        return "; ".join(self.found) or HARMLESS

    def without(self, usual: tuple[str, ...]) -> "Outcome":
        """The same, but for what is found of everybody."""
        return Outcome(tuple(word for word in self.found if word not in usual), self.points, self.seconds)

    def report(self) -> dict:
        return asdict(self) | {"text": self.text}


def gained(points: Mapping[str, float], most: Mapping[str, float], full: Mapping[str, float]) -> list[str]:
    """How much more than `most` a submission got in any task: all that there is, some, or nothing."""
    more = [task for task, number in points.items() if number > most.get(task, 0.0) + 1e-9]
    if not more:
        return []
    return [GAINED if any(points[task] >= full.get(task, 0.0) for task in more) else PARTLY]


def read(places: set[str]) -> list[str]:
    return [READ.format(", ".join(sorted(places)))] if places else []
