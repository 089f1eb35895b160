"""Every file as it was handed in, kept below build/received/<student>/<lesson>/ with a SHA-256 receipt."""

import hashlib
import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from autograder.grading.results import write_whole

RECEIPTS, PROBLEMS = "receipts.json", "problems.json"
LONGEST_NAME = 200  # bytes of a kept file's name; file systems take 255


class Receipt(msgspec.Struct, frozen=True):
    """One file: its name as handed in, the name it is kept under, its size, SHA-256 (empty for what could not
    be read) and when it was last changed."""

    name: str
    kept_as: str
    size: int
    sha256: str
    modified: str


class Delivery(msgspec.Struct, frozen=True):
    """One attempt as it was collected: from which LMS, archive (its SHA-256 is empty for a folder) and when;
    when it was handed in (empty where unknown) and whether the LMS called it late; a number that grows from
    attempt to attempt; whether something in it could be read as the work; its files' SHA-256, by their names
    as handed in. Times are in UTC."""

    lms: str
    archive: str
    archive_sha256: str
    collected: str
    handed_in: str
    late: bool
    order: tuple[int, int]
    readable: bool
    files: dict[str, str]


class Ledger(msgspec.Struct):
    """What was received, and what was made of it: `chosen` is the kept file that the notebook in place was
    made of, `placed` the SHA-256 of that notebook, `replaced` that of the one before while it is being
    replaced, `made_by` a digest of what made it; `arrival` are the problems with the folder, told for as long
    as that file counts; `deliveries` are the attempts that were collected, the last of which counts."""

    received: list[Receipt] = []
    chosen: str = ""
    placed: str = ""
    replaced: str = ""
    made_by: str = ""
    arrival: list[str] = []
    deliveries: list[Delivery] = []


class Received:
    """The kept files of one student's lesson, and their receipts."""

    def __init__(self, folder: Path):
        self.folder = folder
        try:
            self.ledger = msgspec.json.decode((folder / RECEIPTS).read_bytes(), type=Ledger)
        except FileNotFoundError:
            self.ledger = Ledger()

    def save(self) -> None:
        write_whole(self.folder / RECEIPTS, msgspec.json.format(msgspec.json.encode(self.ledger), indent=1))

    def remove_remnants(self) -> None:
        """Files that a killed run was about to write."""
        for remnant in self.folder.glob(".*.part"):
            remnant.unlink()

    def chosen(self) -> Receipt | None:
        return next(
            (receipt for receipt in self.ledger.received if receipt.kept_as == self.ledger.chosen), None
        )

    def is_placed(self, path: Path) -> bool:
        """Whether a file is the notebook that was put in place the last time, or was about to be replaced by
        it."""
        return digest(path) in {self.ledger.placed, self.ledger.replaced} - {""}

    def has_copy(self, path: Path) -> bool:
        """Whether losing a file would lose nothing: it was put in place, or its bytes are kept."""
        sha256 = digest(path)
        kept = (r for r in self.ledger.received if sha256 and r.sha256 == sha256)
        return self.is_placed(path) or any(os.path.lexists(self.folder / receipt.kept_as) for receipt in kept)

    def knows(self, path: Path, name: str) -> bool:
        """Whether these very bytes came under this name before."""
        return self._known(label(name), digest(path)) is not None

    def keep(self, path: Path, name: str) -> Receipt:
        """Keep a copy of an ordinary file, and give its receipt; what is kept already is not kept twice."""
        receipt = self.enter(path, name)
        target = self.folder / receipt.kept_as
        if not os.path.lexists(target):
            write_whole(target, path.read_bytes())
            os.utime(target, ns=(path.stat().st_mtime_ns,) * 2)
        return receipt

    def set_aside(self, folder: Path, names: Iterable[str]) -> list[Receipt]:
        """Move files, links and whatever they are out of the hand-in folder; links are moved, not followed.
        The receipts are on disk before the first one moves."""
        receipts = {name: self.enter(folder / name, name) for name in names}
        if receipts:
            self.save()
        for name, receipt in receipts.items():
            target = self.folder / receipt.kept_as
            if receipt.sha256 and os.path.lexists(target):
                (folder / name).unlink()
            else:
                (folder / name).rename(target)
        return list(receipts.values())

    def enter(self, path: Path, name: str) -> Receipt:
        """The receipt of a file, an old one where it came before; its bytes stay where they are."""
        sha256, status = digest(path), path.lstat()
        known = self._known(label(name), sha256)
        if known is None:
            modified = datetime.fromtimestamp(status.st_mtime, UTC).isoformat(timespec="seconds")
            kept_as = self._free_name(label(name), sha256)
            known = Receipt(label(name), kept_as, status.st_size, sha256, modified)
            self.ledger.received.append(known)
        return known

    def _known(self, name: str, sha256: str) -> Receipt | None:
        """The receipt of this name and these bytes; of what has no bytes, one whose file has not moved
        yet."""
        same = (r for r in self.ledger.received if r.name == name and r.sha256 == sha256)
        return next((r for r in same if sha256 or not os.path.lexists(self.folder / r.kept_as)), None)

    def _free_name(self, name: str, sha256: str) -> str:
        flat = name.replace("/", "__")
        if len(flat.encode()) > LONGEST_NAME or flat.startswith("."):
            flat = f"file-{sha256[:16]}{Path(flat).suffix[:20]}"
        stem, suffix = os.path.splitext(flat)
        taken = {RECEIPTS, PROBLEMS, *(receipt.kept_as for receipt in self.ledger.received)}
        number = 1
        while flat in taken or os.path.lexists(self.folder / flat) and digest(self.folder / flat) != sha256:
            number += 1
            flat = f"{stem}-{number}{suffix}"
        return flat


def was_late(folder: Path) -> bool:
    """Whether the LMS called the attempt late that was collected last."""
    deliveries = Received(folder).ledger.deliveries
    return bool(deliveries) and deliveries[-1].late


def label(name: str) -> str:
    """A file's name as text that can be stored: bytes that are no UTF-8 and control characters are spelled
    out."""
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    return "".join(char if char >= " " else f"\\x{ord(char):02x}" for char in text)


def digest(path: Path) -> str:
    """SHA-256 of an ordinary file; empty for links, pipes and what cannot be read."""
    with suppress(OSError):
        if stat.S_ISREG(path.lstat().st_mode):
            with open(path, "rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
    return ""
