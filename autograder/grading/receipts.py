"""Every file as it was handed in, kept below build/received/<student>/<lesson>/ with a SHA-256 receipt."""

import hashlib
import os
import stat
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from autograder.grading.results import write_whole

RECEIPTS, PROBLEMS = "receipts.json", "problems.json"
LONGEST_NAME = 200  # bytes of a kept file's name; file systems take 255


class Receipt(msgspec.Struct, frozen=True):
    """One file: its name as handed in, the name it is kept under, its size, SHA-256 (empty for what could not be
    read) and when it was last changed."""

    name: str
    kept_as: str
    size: int
    sha256: str
    modified: str


class Ledger(msgspec.Struct):
    """What was received, and what was made of it: `chosen` is the kept file that the notebook in place was made of,
    `placed` the SHA-256 of that notebook, `made_by` a digest of what made it; `arrival` are the problems with the
    folder, told for as long as that file counts."""

    received: list[Receipt] = []
    chosen: str = ""
    placed: str = ""
    made_by: str = ""
    arrival: list[str] = []


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

    def chosen(self) -> Receipt | None:
        return next((receipt for receipt in self.ledger.received if receipt.kept_as == self.ledger.chosen), None)

    def knows(self, path: Path, name: str) -> bool:
        """Whether these very bytes came under this name before."""
        return self._known(label(name), digest(path)) is not None

    def keep(self, path: Path, name: str) -> Receipt:
        """Keep a copy of an ordinary file, and give its receipt; what is known already is not kept twice."""
        sha256 = digest(path)
        known = self._known(label(name), sha256)
        if known is None:
            known = self._enter(path, name, sha256)
            target = self.folder / known.kept_as
            write_whole(target, path.read_bytes())
            os.utime(target, ns=(path.stat().st_mtime_ns,) * 2)
        return known

    def set_aside(self, path: Path, name: str) -> Receipt:
        """Move a file, a link or whatever it is out of the hand-in folder. Links are moved, not followed."""
        sha256 = digest(path)
        known = self._known(label(name), sha256) if sha256 else None
        if known is not None:
            path.unlink()
            return known
        receipt = self._enter(path, name, sha256)
        self.folder.mkdir(parents=True, exist_ok=True)
        path.rename(self.folder / receipt.kept_as)
        return receipt

    def _known(self, name: str, sha256: str) -> Receipt | None:
        same = (r for r in self.ledger.received if r.name == name and r.sha256 == sha256)
        return next((receipt for receipt in same if os.path.lexists(self.folder / receipt.kept_as)), None)

    def _enter(self, path: Path, name: str, sha256: str) -> Receipt:
        status = path.lstat()
        modified = datetime.fromtimestamp(status.st_mtime, UTC).isoformat(timespec="seconds")
        receipt = Receipt(label(name), self._free_name(label(name), sha256), status.st_size, sha256, modified)
        self.ledger.received.append(receipt)
        return receipt

    def _free_name(self, name: str, sha256: str) -> str:
        flat = name.replace("/", "__")
        if len(flat.encode()) > LONGEST_NAME or flat.startswith("."):
            flat = f"file-{sha256[:16]}{Path(flat).suffix[:20]}"
        stem, suffix = os.path.splitext(flat)
        taken = {RECEIPTS, PROBLEMS, *(receipt.kept_as for receipt in self.ledger.received)}
        number = 1
        while flat in taken or os.path.lexists(self.folder / flat):
            number += 1
            flat = f"{stem}-{number}{suffix}"
        return flat


def label(name: str) -> str:
    """A file's name as text that can be stored: bytes that are no UTF-8 and control characters are spelled out."""
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    return "".join(char if char >= " " else f"\\x{ord(char):02x}" for char in text)


def digest(path: Path) -> str:
    """SHA-256 of an ordinary file; empty for links, pipes and what cannot be read."""
    with suppress(OSError):
        if stat.S_ISREG(path.lstat().st_mode):
            with open(path, "rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
    return ""
