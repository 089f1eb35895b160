"""From the owners that an archive names to the ids of students here."""

import re
from collections import defaultdict
from collections.abc import Iterable

import msgspec

from autograder.grading.collecting.entries import Owner
from autograder.grading.collecting.roster import SOUND, Roster, Row, keys
from autograder.grading.people import Person
from autograder.grading.reader import printable

SOUND_MEANS = "letters, digits and - _ . @"


class Identities:
    """Who each owner is: `students` has the id and the person, `rows` the line of the roster, `refused` the
    reason why that is not certain. A display name counts only with `by_name`, where the owner or the line of
    the roster has nothing better, and only where one person bears it."""

    def __init__(self, owners: Iterable[Owner], roster: Roster | None, by_name: bool):
        self.students: dict[Owner, tuple[str, Person]] = {}
        self.rows: dict[Owner, Row] = {}
        self.refused: dict[Owner, str] = {}
        owners = list(dict.fromkeys(owners))
        for owner in owners:
            self._settle(owner, roster, by_name)
        self._refuse_shared()

    def _settle(self, owner: Owner, roster: Roster | None, by_name: bool) -> None:
        student, person = owner.lms_id or owner.login, Person(owner.lms_id, owner.name, owner.login)
        if roster is not None:
            row, reason = _row(owner, roster, by_name)
            if row is None:
                self.refused[owner] = reason
                return
            self.rows[owner] = row
            lms_id = owner.lms_id or row.person.lms_id
            name = row.person.name or owner.name
            student, person = row.student, msgspec.structs.replace(row.person, lms_id=lms_id, name=name)
        if not student:
            self.refused[owner] = "the LMS tells a name and no number: give a roster, in which it stands once"
        elif not SOUND.fullmatch(student):
            self.refused[owner] = (
                f"{printable(student)!r} cannot be a student's id ({SOUND_MEANS}): give a roster with another"
            )
        else:
            self.students[owner] = student, person

    def _refuse_shared(self) -> None:
        """Two users of the LMS that became one student here were known by a name they share."""
        users = defaultdict(set)
        for owner, (student, _) in self.students.items():
            users[student].add(owner.lms_id or owner.login)
        for owner, (student, _) in list(self.students.items()):
            if len(users[student]) > 1:
                del self.students[owner]
                others = ", ".join(sorted(users[student]))
                self.refused[owner] = (
                    f"{len(users[student])} users of the LMS ({others}) may be {printable(student)!r}: "
                    "give a roster with an lms_id for each"
                )


def _row(owner: Owner, roster: Roster, by_name: bool) -> tuple[Row | None, str]:
    """The one row of the roster that means this owner, or why there is none."""
    by_id = [row for row in roster.rows if owner.lms_id and row.person.lms_id == owner.lms_id]
    login = owner.login.casefold()
    by_login = [row for row in roster.rows if login and login in (row.student.casefold(), *keys(row.person))]
    found = by_id or by_login
    if not found and by_name:
        name = _one_form(owner.name)
        without_id = [row for row in roster.rows if not (owner.lms_id and row.person.lms_id)]
        found = [row for row in without_id if name and name in _forms(row.person)]
    if len(found) == 1:
        return found[0], ""
    if found:
        lines = ", ".join(str(row.line) for row in found)
        cure = f"write {owner.lms_id} into a column lms_id of the right one" if owner.lms_id else "leave one"
        return None, f"{len(found)} students of {roster.path.name} may be meant (lines {lines}): {cure}"
    return None, f"nobody in {roster.path.name} is {printable(owner.label)}: export it again, or add a line"


def _forms(person: Person) -> set[str]:
    """How an LMS may show a person; some sites of Brightspace put the login or the number before the name."""
    last, _, first = person.name.partition(",")
    names = {person.name, f"{first} {last}", f"{person.first} {person.last}", f"{person.last} {person.first}"}
    names = {name for name in names if _one_form(name)}
    return {_one_form(f"{before} {name}") for name in names for before in ("", *keys(person))}


def _one_form(name: str) -> str:
    """A name without signs and capitals. Moodle leaves apostrophes out of the names of its folders."""
    return " ".join(re.sub(r"[\W_]+", " ", re.sub("['’`]", "", name)).casefold().split())
