"""Puts a collected attempt into build/submitted, keeping every original below build/received."""

import shutil
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

import msgspec

from autograder.grading.candidates import tier
from autograder.grading.collecting.archive import Archive
from autograder.grading.collecting.staging import Attempt
from autograder.grading.course import Course, Lesson
from autograder.grading.moments import TIME_NOTE, moment, time_note
from autograder.grading.receipts import Delivery, Received, digest
from autograder.grading.results import write_whole
from autograder.grading.submission import file_names, read_path


class Novelty(StrEnum):
    """What an attempt is to what was collected before."""

    NEW = "new"
    NEWER = "newer"
    DATED = "new time"  # the same files, of which the LMS now tells something else
    SAME = "unchanged"
    OLDER = "older"
    UNREADABLE = "unreadable"  # newer, but nothing in it can be read, as in the one before
    NOTHING = "nothing"  # no file of it could be taken out of the archive


class Placement:
    """One student's attempt on its way into build/submitted."""

    def __init__(self, course: Course, lesson: Lesson, attempt: Attempt, lms: str, archive: Archive):
        self.attempt = attempt
        self._folder = course.build / "submitted" / attempt.student / lesson.name
        self._kept = course.build / "received" / attempt.student / lesson.name
        self._delivery = _delivery(attempt, lms, archive, set(file_names(lesson.release_folder)))

    @property
    def _deliveries(self) -> list[Delivery]:
        return self._received.ledger.deliveries

    def _novelty(self) -> Novelty:
        if not self.attempt.originals:
            return Novelty.NOTHING
        if not self._deliveries or not self._folder.is_dir():
            return Novelty.NEW
        last, new = self._deliveries[-1], self._delivery
        if new.files == last.files:
            told = (new.handed_in or last.handed_in, new.late)
            return Novelty.SAME if told == (last.handed_in, last.late) else Novelty.DATED
        if new.lms == last.lms and _is_older(new.order, last.order):
            return Novelty.OLDER
        if new.order == last.order and any(new.files == earlier.files for earlier in self._deliveries):
            return Novelty.OLDER
        return Novelty.UNREADABLE if last.readable and not new.readable else Novelty.NEWER

    @property
    def readable(self) -> bool:
        """Whether something in the attempt can be read as the work."""
        return self._delivery.readable

    @property
    def last(self) -> Delivery | None:
        """The attempt that counted before."""
        return self._deliveries[-1] if self._deliveries else None

    def place(self, staging: Path) -> None:
        """Make the attempt what counts, if it is to be; `novelty` tells that from now on. A run that is
        killed on the way is made up for by the next one: what was collected is written down last."""
        self._received = Received(self._kept)
        self.novelty = self._novelty()
        self.replaces_others = (
            self.novelty is Novelty.NEW and self._folder.is_dir() and not self._deliveries
        )
        self.time_by_hand = self._time_by_hand()
        self.time_stays = self._time_stays()
        if self.novelty in (Novelty.NEW, Novelty.NEWER):
            self._received.remove_remnants()
            self._keep_originals()
            self._keep_others()
            self._exchange(staging)
        elif self.novelty is Novelty.DATED:
            if not self.time_stays:
                self._redate()
            handed_in = self._delivery.handed_in or self.last.handed_in
            self._delivery = msgspec.structs.replace(self._delivery, handed_in=handed_in)
        else:
            return
        self._received.ledger.deliveries.append(self._delivery)
        self._received.save()

    def _keep_originals(self) -> None:
        for name, path in self.attempt.originals.items():
            self._received.keep(path, name)
        self._received.save()

    def _keep_others(self) -> None:
        """What lies in the folder and is kept nowhere else, as what was put there by hand."""
        for name in sorted(file_names(self._folder)):
            path = self._folder / name
            if not self._received.has_copy(path) and not self._is_our_time(path):
                if digest(path):
                    self._received.keep(path, name)
                else:
                    self._received.set_aside(self._folder, [name])
        self._received.save()

    def _is_our_time(self, path: Path) -> bool:
        is_note = self.last is not None and path == self._folder / TIME_NOTE and digest(path)
        return bool(is_note) and path.read_bytes() == _note(self.last.handed_in)

    def _time_by_hand(self) -> str:
        """What the time note says if somebody wrote it after the last collect, and it says another time than
        the LMS."""
        if self.last is None or self._is_our_time(self._folder / TIME_NOTE):
            return ""
        try:
            text = time_note(self._folder)
            return text if text and moment(text) != self.attempt.handed_in else ""
        except (OSError, ValueError):
            return ""  # grading tells of it

    def _time_stays(self) -> bool:
        """Whether a time by hand wins: whoever wrote it knew what the LMS tells of this attempt."""
        is_same = self.novelty in (Novelty.SAME, Novelty.DATED)
        return bool(self.time_by_hand and is_same and (self.last.handed_in or not self.attempt.handed_in))

    def _exchange(self, staging: Path) -> None:
        """The old folder leaves and the new one comes, each in one step; nothing of the old notebook counts
        any more."""
        new, old = staging / "new", staging / "old"
        for folder in (new, old):
            shutil.rmtree(folder, ignore_errors=True)
        new.mkdir()
        for name, path in self.attempt.placed.items():
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, new / name)
        self._date(new)
        self._folder.parent.mkdir(parents=True, exist_ok=True)
        if self._folder.is_dir():
            self._folder.rename(old)
        new.rename(self._folder)
        ledger = self._received.ledger
        ledger.chosen = ledger.placed = ledger.replaced = ledger.made_by = ""

    def _redate(self) -> None:
        if self.time_by_hand:
            self._received.keep(self._folder / TIME_NOTE, TIME_NOTE)
        self._date(self._folder)

    def _date(self, folder: Path) -> None:
        """A time that the LMS does not tell is nobody's: what stood there belonged to another attempt."""
        if self.attempt.handed_in is not None:
            data = _note(self._delivery.handed_in)
            write_whole(folder / TIME_NOTE, data, staging=self._received.folder)


def _is_older(new: tuple[int, int], last: tuple[int, int]) -> bool:
    """Where the LMS told a time, or a number, of one of them only, the files' own times have to do."""
    return new[1] < last[1] if 0 in (new[0], last[0]) else new < last


def _note(handed_in: str) -> bytes:
    return f"{handed_in} UTC\n".encode()


def _delivery(attempt: Attempt, lms: str, archive: Archive, released: set[str]) -> Delivery:
    return Delivery(
        lms=lms,
        archive=archive.name,
        archive_sha256=archive.sha256,
        collected=f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}",
        handed_in=f"{attempt.handed_in:%Y-%m-%d %H:%M:%S}" if attempt.handed_in else "",
        late=attempt.late,
        order=attempt.order,
        readable=_is_readable(attempt, released),
        files={name: digest(path) for name, path in sorted(attempt.originals.items())},
    )


def _is_readable(attempt: Attempt, released: set[str]) -> bool:
    """Whether something in an attempt can be read as the work; `released` are the files of the lesson."""
    for name, path in attempt.placed.items():
        if tier(path, name, released) is not None:
            content = read_path(path, name.rpartition("/")[2])
            if content.notebook is not None or content.python is not None:
                return True
    return False
