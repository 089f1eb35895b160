"""What a teacher is told: what came of an archive, and what was received from a student."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from rich.table import Table
from rich.text import Text

from autograder.grading.collecting.collection import Collection
from autograder.grading.collecting.placing import Placement, Novelty
from autograder.grading.collecting.staging import RECORD
from autograder.grading.course import Course, Lesson
from autograder.grading.errors import CourseError
from autograder.grading.moments import TIME_NOTE
from autograder.grading.reader import printable
from autograder.grading.receipts import RECEIPTS, Delivery, Receipt, Received, label

SHOWN = 3  # names in a line
COUNTING = (Novelty.NEW, Novelty.NEWER, Novelty.DATED, Novelty.SAME)  # what is in build/submitted then


def table(lesson: Lesson, collection: Collection) -> Table:
    """Each student of the archive, with what was taken."""
    title = f"{lesson.name}: {len(collection.placements)} students in {printable(collection.archive)}"
    listed = Table(title=title)
    for column in ("student", "it is", "files", "handed in"):
        listed.add_column(column, overflow="fold")
    for placement in collection.placements:
        attempt = placement.attempt
        when = f"{attempt.handed_in:%Y-%m-%d %H:%M} UTC" if attempt.handed_in else ""
        told = " ".join(part for part in (when, "LATE" if attempt.late else "") if part)
        names = _some(list(attempt.originals))
        listed.add_row(*map(Text, (attempt.student, placement.novelty, names, told or "no time told")))
    return listed


def lines(course: Course, lesson: Lesson, collection: Collection) -> Iterator[str]:
    """What the table does not tell: all that was not taken, with the reason, and what is left to do."""
    for placement in collection.placements:
        yield from _remarks(course, lesson, placement, collection.dated)
    for student, attempt in collection.doubtful.items():
        place = (course.build / "submitted" / student / lesson.name).relative_to(course.root)
        yield (
            f"{student}: not every attempt is named with a time that can be read, so the files' own times "
            f"decided for {printable(attempt)}: if the LMS shows a newer one, put that into {place}"
        )
    grouped: dict[tuple[str, str], list[str]] = defaultdict(list)
    for student, name, reason in collection.skipped:
        if reason == RECORD:
            grouped["", f"{RECORD} each"].append(student)
        else:
            grouped[student, reason].append(name)
    for (student, reason), names in grouped.items():
        yield f"skipped: {f'{student}: ' if student else ''}{_some(names)}: {reason}"
    for owner, reason in collection.refused.items():
        yield f"not collected: {printable(owner.label)}: {reason}"
    counted = Counter(placement.novelty for placement in collection.placements)
    counts = ", ".join(f"{count} {novelty}" for novelty, count in sorted(counted.items()))
    skipped, refused = len(collection.skipped), len(collection.refused)
    yield f"{counts}; files skipped: {skipped}; students not collected: {refused}"


def _remarks(course: Course, lesson: Lesson, placement: Placement, dated: bool) -> Iterator[str]:
    attempt, last = placement.attempt, placement.last
    folder = course.build / "submitted" / attempt.student / lesson.name
    shown = folder.relative_to(course.root)
    if placement.novelty is Novelty.OLDER:
        yield f"{attempt.student}: a newer one came with {printable(last.archive)} and still counts"
    if placement.novelty is Novelty.UNREADABLE:
        names = _some(list(attempt.originals))
        yield (
            f"{attempt.student}: nothing in the newer one ({names}) can be read, so the one from "
            f"{printable(last.archive)} still counts"
        )
    if placement.novelty in COUNTING and not placement.readable:
        came = _some(list(attempt.originals))
        yield f"{attempt.student}: nothing that came ({came}) can be read as a notebook: ask for the notebook"
    if placement.novelty is Novelty.NOTHING:
        yield f"{attempt.student}: no file could be taken, so nothing was collected: see what was skipped"
    if placement.replaces_others:
        yield f"{attempt.student}: it takes the place of what lay in {shown}, kept in build/received"
    if placement.time_by_hand and attempt.handed_in and placement.novelty in COUNTING:
        yield f"{attempt.student}: {_about_time(placement, shown / TIME_NOTE)}"
    is_undated = attempt.handed_in is None and not (folder / TIME_NOTE).exists()
    if (attempt.late or dated) and is_undated and placement.novelty in COUNTING:
        why = "LATE, but no time is told" if attempt.late else "the time it is named with cannot be read"
        yield (
            f"{attempt.student}: {why}, so it counts as in time: write it, such as 2026-12-01 18:00 UTC, "
            f"into {shown / TIME_NOTE}"
        )


def _about_time(placement: Placement, note: Path) -> str:
    by_hand, told = printable(placement.time_by_hand), f"{placement.attempt.handed_in:%Y-%m-%d %H:%M} UTC"
    if placement.time_stays:
        return f"{note} says {by_hand} by hand, which counts; the LMS tells {told}: write that if it is right"
    return (
        f"{note} said {by_hand} by hand, before the LMS told {told}, which counts now (the file is kept in "
        "build/received): write it again if it is right"
    )


def _some(names: list[str]) -> str:
    shown = ", ".join(printable(name) for name in names[:SHOWN])
    return f"{shown} and {len(names) - SHOWN} more" if len(names) > SHOWN else shown


def receipt(course: Course, lesson: Lesson, student: str) -> Iterator[str]:
    """What was received from a student for a lesson, and when. CourseError if nothing was."""
    received = Received(_received(course, lesson, student))
    receipts = list(received.ledger.received)
    kept = received.folder.relative_to(course.root)
    yield f"{student}, {lesson.name}: what was received is kept in {kept}"
    for delivery in received.ledger.deliveries:
        yield _heading(delivery)
        for name, sha256 in delivery.files.items():
            known = next((r for r in receipts if (r.name, r.sha256) == (label(name), sha256)), None)
            if known is not None:
                yield _line(known, received.chosen())
    deliveries = received.ledger.deliveries
    collected = {(label(name), sha256) for came in deliveries for name, sha256 in came.files.items()}
    others = [receipt for receipt in receipts if (receipt.name, receipt.sha256) not in collected]
    if others:
        yield "found in build/submitted:"
        yield from (_line(receipt, received.chosen()) for receipt in others)


def _received(course: Course, lesson: Lesson, student: str) -> Path:
    folder = course.build / "received" / student / lesson.name
    if "/" in student or not (folder / RECEIPTS).is_file():
        raise CourseError(
            f"nothing was received from {printable(student)!r} for {lesson.name}: collect an archive, or "
            "compare the id with the folders in build/received."
        )
    return folder


def _heading(delivery: Delivery) -> str:
    when = f"handed in {delivery.handed_in} UTC" if delivery.handed_in else "no time told"
    late = ", LATE" if delivery.late else ""
    sha256 = f", SHA-256 {delivery.archive_sha256}" if delivery.archive_sha256 else ""
    archive = f"{printable(delivery.archive)} ({delivery.lms}{sha256})"
    return f"collected {delivery.collected} UTC from {archive}, {when}{late}:"


def _line(receipt: Receipt, chosen: Receipt | None) -> str:
    graded = ", which is what counts" if receipt == chosen else ""
    return (
        f"  {printable(receipt.name)}: {receipt.size} bytes, changed {receipt.modified}, "
        f"SHA-256 {receipt.sha256 or 'unknown'}, kept as {receipt.kept_as}{graded}"
    )
