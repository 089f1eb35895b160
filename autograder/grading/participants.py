"""Moodle's "Participant 123": what it calls a student in one assignment, in the site's language."""

import re
from collections.abc import Iterable

PARTICIPANT = re.compile(r"(?P<word>\D+)(?P<number>\d+)")


def number(text: str) -> str:
    """The number of a participant; nothing for any other text."""
    found = PARTICIPANT.fullmatch(text.strip())
    return found["number"] if found else ""


def are_participants(cells: Iterable[str]) -> bool:
    """Whether all of these, of which there are some, are numbered with the same word before the number."""
    found = [PARTICIPANT.fullmatch(cell.strip()) for cell in cells]
    return bool(found) and all(found) and len({match["word"] for match in found}) == 1
