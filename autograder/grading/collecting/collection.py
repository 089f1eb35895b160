"""Collects an LMS's archive: everything is read and settled before the first byte is written."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from autograder.grading import gradebook
from autograder.grading.collecting.archive import Archive, class_archive, is_system_file
from autograder.grading.collecting.dates import read_dates
from autograder.grading.collecting.entries import Entry, Owner, Site
from autograder.grading.collecting.identity import Identities
from autograder.grading.collecting.layouts import LAYOUTS, read_entries
from autograder.grading.collecting.placing import Placement
from autograder.grading.collecting.roster import Roster, read_roster, with_parts
from autograder.grading.collecting.staging import MADE_BY_SYSTEM, are_doubtful, newest_first, stage
from autograder.grading.course import Course, Lesson
from autograder.grading.errors import CourseError
from autograder.grading.moments import moment
from autograder.grading.people import People, Person, keep, people
from autograder.grading.reader import printable
from autograder.grading.scratch import scratch_folder
from autograder.grading.turns import turn

Attempts = dict[str, list[list[Entry]]]  # by student, of each the newest first


@dataclass
class Collection:
    """What came of an archive: the students' attempts, and everything that was not taken: whose it is, its
    name, and the reason. `doubtful` are students of whom it is not certain which attempt is the newest, with
    what the LMS calls the one that was taken."""

    archive: str
    dated: bool  # whether the LMS tells when each attempt was handed in
    placements: list[Placement] = field(default_factory=list)
    skipped: list[tuple[str, str, str]] = field(default_factory=list)
    refused: dict[Owner, str] = field(default_factory=dict)
    doubtful: dict[str, str] = field(default_factory=dict)


def collect(
    course: Course, lesson: Lesson, lms: str, path: Path, roster_path: Path | None, zone: str
) -> Collection:
    """Fill build/submitted from an archive. CourseError, and nothing is written, if the archive, the roster
    or the time zone is not as it should be, or if nobody in it can be told."""
    _check_zone(zone)
    roster = read_roster(roster_path, lms) if roster_path else None
    with (
        class_archive(path) as archive,
        scratch_folder(_made(course.build), ".collecting-") as staging,
    ):
        return _Collecting(course, lesson, lms, archive, roster, zone).run(staging)


class _Collecting:
    def __init__(
        self, course: Course, lesson: Lesson, lms: str, archive: Archive, roster: Roster | None, zone: str
    ):
        self._course, self._lesson, self._layout = course, lesson, LAYOUTS[lms]
        self._archive, self._roster, self._zone = archive, roster, zone
        self._collection = Collection(archive.name, self._layout.dated)

    def run(self, staging: Path) -> Collection:
        logins = self._roster.logins if self._roster else frozenset()
        entries = read_entries(self._layout, self._archive, Site(self._lesson.name, self._zone, logins))
        self._tell_unnamed(entries)
        identities = Identities((entry.owner for entry in entries), self._roster, self._layout.by_name)
        self._refuse(identities)
        self._stage_all(self._attempts(_dated(entries, identities, self._zone), identities), staging)
        self._refuse_nothing()
        self._refuse_other_lesson()
        gradebook.await_in_place(self._course, print)
        # Whatever was recorded meanwhile counts: who is who, and what to do, is settled within the turn.
        with turn(self._course, self._lesson):
            found = self._people(identities)
            for placement in self._collection.placements:
                placement.place(staging)
            keep(self._course, self._lesson, found)
        gradebook.name_students(self._course, _names(found, identities))
        return self._collection

    def _tell_unnamed(self, entries: list[Entry]) -> None:
        """The files that are no hand-in by their names."""
        named = {entry.member for entry in entries}
        for member in self._archive.members:
            if member not in named:
                reason = f"by its name no hand-in of {self._lesson.name}"
                reason = MADE_BY_SYSTEM if is_system_file(member.name) else reason
                self._collection.skipped.append(("", member.name, member.problem or reason))

    def _refuse(self, identities: Identities) -> None:
        self._collection.refused = identities.refused
        if not identities.students:
            owner, reason = next(iter(identities.refused.items()))
            raise CourseError(
                f"nobody in {self._archive.name} can be told, {printable(owner.label)} for one: {reason}."
            )

    def _refuse_nothing(self) -> None:
        """An archive of which no file can be read was not made by an LMS as it is."""
        if not any(placement.attempt.originals for placement in self._collection.placements):
            _, name, reason = self._collection.skipped[-1]
            raise CourseError(
                f"no hand-in in {self._archive.name} can be taken ({printable(name)}: {reason}): "
                "download it from the LMS again, without a password."
            )

    def _refuse_other_lesson(self) -> None:
        """An archive in which everybody's notebook bears another lesson's name is that lesson's."""
        notebooks = [_notebooks(placement.attempt.originals) for placement in self._collection.placements]
        named = [names for names in notebooks if names]
        for other in self._course.lessons():
            if other.name == self._lesson.name or len(named) < 2:
                continue
            if all(_bears(name, other) and not _bears(name, self._lesson) for name in sum(named, [])):
                raise CourseError(
                    f"every notebook in {self._archive.name} is called {other.name}: "
                    f"collect it with `--assignment {other.name}`, or take that of {self._lesson.name}."
                )

    def _people(self, identities: Identities) -> People:
        """Who is who, with those of earlier archives of the lesson. CourseError where somebody would become
        two students."""
        before = people(self._course, self._lesson)
        found = dict(identities.students.values())
        if before.lms == self._layout.name:
            known = {person.lms_id: student for student, person in before.students.items() if person.lms_id}
            for student, person in found.items():
                if known.get(person.lms_id, student) != student:
                    raise CourseError(
                        f"{person.lms_id} was collected as {known[person.lms_id]!r} before and would be "
                        f"{student!r} now: {self._advice(person.lms_id, known[person.lms_id])}"
                    )
        return _joined(before, People(self._layout.name, found), self._layout.is_lms)

    def _advice(self, lms_id: str, student: str) -> str:
        """What to do where somebody would get another id here than before."""
        if self._roster is None:
            return f"give --roster with the file that calls {lms_id} {student!r}, as then."
        name = self._lesson.name
        same = "leave --roster out, as then" if student == lms_id else "give the roster that was given then"
        return (
            f"{same}; or, if nothing of {name} is graded yet, begin it anew: move build/people/{name}.json, "
            f"build/submitted/*/{name} and build/received/*/{name} away."
        )

    def _attempts(self, entries: list[Entry], identities: Identities) -> Attempts:
        grouped: dict[str, dict[str, list[Entry]]] = defaultdict(lambda: defaultdict(list))
        for entry in entries:
            if entry.owner in identities.students:
                student, _ = identities.students[entry.owner]
                grouped[student][entry.attempt].append(entry)
        return {
            student: newest_first(attempts.values())
            for student, attempts in sorted(grouped.items())
        }

    def _stage_all(self, students: Attempts, staging: Path) -> None:
        """The newest attempt of each student that can be read; where none can, the newest."""
        for number, (student, attempts) in enumerate(students.items()):
            tried = []
            for entries in attempts:
                attempt = stage(self._archive, student, entries, staging / f"{number}-{len(tried)}")
                placement = Placement(self._course, self._lesson, attempt, self._layout.name, self._archive)
                tried.append(placement)
                if placement.readable:
                    break
            taken = tried[-1] if tried[-1].readable else tried[0]
            if are_doubtful(attempts):
                self._collection.doubtful[student] = attempts[tried.index(taken)][0].attempt
            self._tell(student, taken, tried, attempts)

    def _tell(
        self, student: str, taken: Placement, tried: list[Placement], attempts: list[list[Entry]]
    ) -> None:
        self._collection.placements.append(taken)
        skipped = [(student, name, reason) for name, reason in taken.attempt.skipped]
        for number, entries in enumerate(attempts):
            if number < len(tried) and tried[number] is taken:
                continue
            later = number < len(tried) and taken.readable
            reason = "a later attempt, in which nothing can be read" if later else "an older attempt"
            skipped += [(student, entry.file, reason) for entry in entries]
        self._collection.skipped += skipped


def _notebooks(names: Iterable[str]) -> list[str]:
    return [name for name in names if name.casefold().endswith(".ipynb")]


def _bears(name: str, lesson: Lesson) -> bool:
    """Whether a file bears the lesson's name, or what a browser or an LMS made of it (tides-1, tides (1))."""
    bare = name.rpartition("/")[2].casefold()
    return bare.startswith(lesson.name) and not bare[len(lesson.name)].isalpha()


def _dated(entries: list[Entry], identities: Identities, zone: str) -> list[Entry]:
    """Entries with the times that the roster tells, where the archive tells none."""
    texts = {owner: row.handed_in for owner, row in identities.rows.items() if row.handed_in}
    dates = read_dates(texts.values())
    return [
        replace(entry, handed_in=moment(f"{dates[texts[entry.owner]]} {zone}"))
        if entry.handed_in is None and texts.get(entry.owner) in dates
        else entry
        for entry in entries
    ]


def _joined(before: People, found: People, is_lms: bool) -> People:
    """Those of both. What one LMS calls people means nothing to another, and what folders are called means
    nothing to any: a hand-in that came by mail must not make the class unknown."""
    if before.lms in ("", found.lms):
        return People(found.lms, before.students | found.students)
    if is_lms:
        return People(found.lms, _without_ids(before) | found.students)
    return People(before.lms, _without_ids(found) | before.students)


def _without_ids(known: People) -> dict[str, Person]:
    return {student: msgspec.structs.replace(person, lms_id="") for student, person in known.students.items()}


def _names(found: People, identities: Identities) -> dict[str, dict[str, str]]:
    """What nbgrader's gradebook takes; Moodle's numbers are another in each assignment."""
    students = {student for student, _ in identities.students.values()}
    return {
        student: _fields(with_parts(found.students[student]), found.lms != "moodle")
        for student in sorted(students)
    }


def _fields(person: Person, has_lasting_id: bool) -> dict[str, str]:
    return {
        "first_name": person.first,
        "last_name": person.last,
        "email": person.email,
        "lms_user_id": person.lms_id if has_lasting_id else "",
    }


def _check_zone(zone: str) -> None:
    try:
        moment(f"2026-01-01 12:00:00 {zone}")
    except ValueError:
        raise CourseError(f"{zone!r} is no time zone: give one such as Europe/Berlin.") from None


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder
