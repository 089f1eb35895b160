"""A table as an LMS wrote it: some cells change, everything else stays as it is, byte for byte."""

import codecs
import csv
import io
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from autograder.grading.errors import CourseError

BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
EXCEL = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # .xlsx and the old .xls; what Blackboard calls .xls is text
DELIMITERS = ("\t", ";", ",")
WHOLE = re.compile(r'"(?:[^"]|"")*+"')  # a cell in quotes


class Sheet:
    """The cells of a delimited text, each as it is spelled there, and how the text is stored."""

    def __init__(self, rows: list[list[str]], ends: list[str], delimiter: str, encoding: str, bom: bytes):
        self._rows, self._ends = rows, ends
        self._delimiter, self._encoding, self._bom = delimiter, encoding, bom

    @property
    def header(self) -> list[str]:
        return self.row(0)

    @property
    def filled(self) -> list[int]:
        """The rows below the header that are not empty."""
        return [row for row in range(1, len(self._rows)) if self._rows[row] != [""]]

    @property
    def height(self) -> int:
        """The number of rows, the header and empty ones included."""
        return len(self._rows)

    @property
    def delimiter(self) -> str:
        return self._delimiter

    def row(self, row: int) -> list[str]:
        """What the cells of a row say."""
        return [_said(cell) for cell in self._rows[row]]

    def value(self, row: int, column: int) -> str:
        return _said(self._rows[row][column])

    def put(self, row: int, column: int, text: str) -> None:
        """Let a cell say something else; in quotes where it was in quotes, or has to be."""
        quoted = self._rows[row][column].startswith('"') or re.search(rf'[{self._delimiter}"\r\n]', text)
        doubled = text.replace('"', '""')
        self._rows[row][column] = f'"{doubled}"' if quoted else text

    def to_bytes(self) -> bytes:
        lines = (self._delimiter.join(row) + end for row, end in zip(self._rows, self._ends, strict=True))
        return self._bom + "".join(lines).encode(self._encoding, "xmlcharrefreplace")


def read_sheet(path: Path, even: bool = True) -> Sheet:
    """The table in a file. CourseError if there is none or, where it has to be `even`, not the same number of
    cells in every row: then no cell can be told to be the one that is meant."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CourseError(
            f"{path} cannot be read ({error.strerror}): give the file that the LMS wrote."
        ) from error
    if data.startswith(EXCEL):
        raise CourseError(f"{path} is an Excel file: download it as CSV, and give it as it came.")
    bom, encoding, text = _decoded(path, data)
    readings = [(*_parsed(text, delimiter), delimiter) for delimiter in DELIMITERS]
    rows, ends, delimiter = max(readings, key=lambda reading: (_is_even(reading[0]), len(reading[0][0])))
    if even:
        _refuse_uneven(path, rows)
    return Sheet(rows, ends, delimiter, encoding, bom)


def table_bytes(rows: Iterable[Sequence[str]], quoting: int = csv.QUOTE_MINIMAL) -> bytes:
    """A new table as CSV in UTF-8."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n", quoting=quoting).writerows(rows)
    return text.getvalue().encode("utf-8", "backslashreplace")


def _decoded(path: Path, data: bytes) -> tuple[bytes, str, str]:
    """How a file begins, how it is encoded, and its text, which encodes to the same bytes again."""
    bom, encoding = next((pair for pair in BOMS if data.startswith(pair[0])), (b"", ""))
    guesses = [encoding] if encoding else ["utf-8", "cp1252", "latin-1"]
    if not encoding and b"\0" in data[:2]:
        guesses = ["utf-16-be" if data[:1] == b"\0" else "utf-16-le"]
    for guess in guesses:
        try:
            text = data[len(bom) :].decode(guess)
        except UnicodeDecodeError:
            continue
        if text.strip() and "\0" not in text:
            return bom, guess, text
    raise CourseError(f"{path} holds no table: give the file that the LMS wrote, as it came.")


def _parsed(text: str, delimiter: str) -> tuple[list[list[str]], list[str]]:
    """The cells as they are spelled, and how each line ends."""
    cell = re.compile(rf'("(?:[^"]|"")*+"|[^{delimiter}\r\n]*)({delimiter}|\r\n|\n|\r|\Z)')
    rows: list[list[str]] = []
    ends: list[str] = []
    row: list[str] = []
    place = 0
    while place < len(text) or row:
        found = cell.match(text, place)
        row.append(found[1])
        place = found.end()
        if found[2] != delimiter:
            rows.append(row)
            ends.append(found[2])
            row = []
    return rows, ends


def _said(cell: str) -> str:
    return cell[1:-1].replace('""', '"') if WHOLE.fullmatch(cell) else cell


def _is_even(rows: list[list[str]]) -> bool:
    return len(rows[0]) > 1 and not any(_odd(row, len(rows[0])) for row in rows)


def _odd(row: list[str], width: int) -> bool:
    """Whether a row, unless it is empty, has another number of cells, or quotes in places of their own."""
    torn = any(cell.startswith('"') and not WHOLE.fullmatch(cell) for cell in row)
    return torn or row != [""] and len(row) != width


def _refuse_uneven(path: Path, rows: list[list[str]]) -> None:
    width = len(rows[0])
    odd = next((number for number, row in enumerate(rows, 1) if _odd(row, width)), None)
    if odd is not None or width == 1:
        where = f"row {odd} does not fit the first" if odd else "it has one column"
        raise CourseError(
            f"{path} is no table of an LMS ({where}): download it anew, and give it as it came."
        )
