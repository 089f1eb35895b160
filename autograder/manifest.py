"""`lesson.json`, which every released lesson holds: its name and its graded cells, to compare work with."""

import hashlib
import json
from pathlib import Path
from typing import NamedTuple

FILE = "lesson.json"


class Manifest(NamedTuple):
    """A lesson's name, and a digest of the text of each graded cell by its name."""

    lesson: str
    graded: dict[str, str]

    def written(self) -> str:
        return json.dumps(self._asdict(), indent=1, ensure_ascii=False) + "\n"


def beside(path: Path) -> Manifest | None:
    """The manifest in the folder of a file; None where there is none that can be read."""
    try:
        return Manifest(**json.loads(path.with_name(FILE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def digest(source: str) -> str:
    """What tells a text from another, whatever an editor did to its spaces and its ends of lines."""
    return hashlib.sha256(" ".join(source.split()).encode()).hexdigest()[:16]
