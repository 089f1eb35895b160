"""A plain folder for each student, named by the student's id: `<student>/...`, or, as nbgrader has it,
`<student>/<lesson>/...`. A `timestamp.txt` in it says when it was handed in."""

from datetime import datetime

from autograder.grading.collecting.archive import Archive, Member
from autograder.grading.collecting.entries import Entry, Layout, Owner, Site
from autograder.grading.moments import TIME_NOTE, moment
from autograder.grading.submission import is_clutter


def entries(archive: Archive, site: Site) -> list[Entry]:
    top = _top(archive, site.lesson)
    members = [member for member in archive.files if len(member.parts) > top + 1]
    of_a_lesson = {member.parts[top] for member in members if _is_of_lesson(member, top, site.lesson)}
    found = []
    for member in members:
        student, *rest = member.parts[top:]
        if student in of_a_lesson and rest[0] == site.lesson and len(rest) > 1:
            rest = rest[1:]
        elif student in of_a_lesson:
            continue  # another lesson's
        found.append((member, student, "/".join(rest)))
    times = {student: _moment(archive, member) for member, student, file in found if file == TIME_NOTE}
    return [
        Entry(
            member, Owner(student, student, student), file, "", times.get(student), record=file == TIME_NOTE
        )
        for member, student, file in found
    ]


def _top(archive: Archive, lesson: str) -> int:
    """How many folders hold all the students': none, or such as an archiver puts around everything."""
    paths = [member.parts for member in archive.files if not is_clutter(member.name)]
    stem, top = archive.name.partition(".")[0], 0
    while len({path[top] for path in paths}) == 1 and all(len(path) > top + 2 for path in paths):
        below = {path[top + 1] for path in paths}
        if lesson in below or len(below) == 1 and paths[0][top] != stem:
            break
        top += 1
    return top


def _is_of_lesson(member: Member, top: int, lesson: str) -> bool:
    return len(member.parts) > top + 2 and member.parts[top + 1] == lesson


def _moment(archive: Archive, member: Member) -> datetime | None:
    try:
        return moment(archive.text(member, 200))
    except ValueError:
        return None


FOLDER = Layout("folder", entries, by_name=True, is_lms=False)
