"""An LMS's archive becomes build/submitted: the right people, the newest attempt, the time, and nothing lost."""

import csv
import io
import json
import os
import re
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import lms_archives as archives
import pytest
from hand_in import RIGHT
from lms_archives import Files, link_in_zip, notebook, tarred, unpacked, zipped
from small_class import Class

from autograder.grading.cli import main
from autograder.grading.collecting import archive, placing, readers, staging
from autograder.grading.collecting.dates import read_dates
from autograder.grading.course import Course, Lesson
from autograder.grading.people import people
from autograder.grading.receipts import Received, digest


@pytest.fixture
def lesson(course: Course) -> Lesson:
    return course.lesson("tides")


class Desk:
    """Where archives lie and the command is typed."""

    def __init__(self, course: Course, folder: Path, capsys: pytest.CaptureFixture):
        self.course, self.folder, self._capsys = course, folder, capsys
        folder.mkdir()

    def put(self, content: Files | bytes | str, name: str = "submissions.zip") -> Path:
        data = zipped(content) if isinstance(content, dict) else content
        (self.folder / name).write_bytes(data.encode() if isinstance(data, str) else data)
        return self.folder / name

    def collect(self, lms: str, path: Path, roster: str | bytes = "", *options: str) -> str:
        """Everything that a collect, which must succeed, prints."""
        code, out, err = self.run(lms, path, roster, *options)
        assert code == 0, err
        return out

    def run(self, lms: str, path: Path, roster: str | bytes = "", *options: str) -> tuple[int, str, str]:
        if roster:
            options += ("--roster", str(self.put(roster, "roster.csv")))
        code = main(["collect", lms, str(path), "--assignment", "tides", *options])
        printed = self._capsys.readouterr()
        return code, printed.out, printed.err

    def receipt(self, student: str) -> str:
        assert main(["receipt", student, "tides"]) == 0
        return self._capsys.readouterr().out

    def tree(self, room: str = "submitted") -> dict[str, set[str]]:
        """What lies there of each student."""
        found: dict[str, set[str]] = {}
        for path in (self.course.build / room).rglob("*"):
            if path.is_file():
                student, _, *parts = path.relative_to(self.course.build / room).parts
                found.setdefault(student, set()).add("/".join(parts))
        return found

    def times(self) -> dict[str, str]:
        notes = (self.course.build / "submitted").glob("*/tides/timestamp.txt")
        return {note.parent.parent.name: note.read_text().strip() for note in notes}

    def placed(self, student: str, name: str) -> bytes:
        return (self.course.build / "submitted" / student / "tides" / name).read_bytes()

    def state(self) -> dict[str, tuple]:
        files = (path for path in self.course.root.rglob("*") if path.is_file())
        return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


@pytest.fixture
def desk(course: Course, tmp_path: Path, capsys, monkeypatch) -> Desk:
    monkeypatch.chdir(course.root)
    return Desk(course, tmp_path / "desk", capsys)


# ── each LMS ──

BERLIN = ("--timezone", "Europe/Berlin")
LAYOUTS = {
    "canvas": (
        ("canvas", archives.canvas, ""),
        {
            "101": {"tides.ipynb"},
            "102": {"tides (1).ipynb"},
            "103": {"tides.ipynb", "tides-1.ipynb", "data_12_2.csv"},
            "104": {"tides.ipynb"},
            "105": {"text.html"},
            "anon_Ab3dE": {"tides.ipynb"},
        },
        {},
        ["readme.txt: by its name no hand-in", "__MACOSX/._lovelaceada", "104: work.zip: __MACOSX/work/._tides"],
    ),
    "canvas, roster": (
        ("canvas", archives.canvas, archives.CANVAS_ROSTER),
        {
            "ada": {"tides.ipynb"},
            "ada2": {"tides (1).ipynb"},
            "ann@uni.example": {"tides.ipynb", "tides-1.ipynb", "data_12_2.csv"},
            "S4": {"tides.ipynb"},
            "grace": {"text.html"},
        },
        {},
        ["not collected: anon_Ab3dE: nobody in roster.csv"],
    ),
    "moodle": (
        ("moodle", archives.moodle, ""),
        {
            "201": {"tides (1).ipynb", "data/in.csv"},
            "202": {"tides.ipynb"},
            "203": {"tides.ipynb.txt", "onlinetext.html"},
            "204": {"tides.ipynb"},
            "205": {"onlinetext.html"},
        },
        {},
        ["give its grading worksheet as --roster"],
    ),
    "moodle, worksheet": (
        ("moodle", archives.moodle, archives.MOODLE_ROSTER, *BERLIN),
        {
            "n1": {"tides (1).ipynb", "data/in.csv", "timestamp.txt"},
            "n2": {"tides.ipynb", "timestamp.txt"},
            "n3": {"tides.ipynb.txt", "onlinetext.html", "timestamp.txt"},
            "n4": {"tides.ipynb"},
            "n5": {"onlinetext.html"},
        },
        {"n1": "2026-11-28 20:05:00 UTC", "n2": "2026-11-28 23:00:00 UTC", "n3": "2026-11-29 11:30:00 UTC"},
        ["5 new; files skipped: 0; students not collected: 0"],
    ),
    "moodle, worksheet in German": (
        ("moodle", archives.moodle, archives.MOODLE_ROSTER_GERMAN),
        {
            "ada@uni.example": {"tides (1).ipynb", "data/in.csv", "timestamp.txt"},
            "ada2@uni.example": {"tides.ipynb", "timestamp.txt"},
        },
        {"ada@uni.example": "2026-11-28 21:05:00 UTC", "ada2@uni.example": "2026-03-01 00:30:00 UTC"},
        ["not collected: 203 Zoë Müller: nobody in roster.csv is 203 Zoë Müller"],
    ),
    "moodle, flat": (
        ("moodle", archives.moodle_flat, ""),
        {
            "201": {"tides (1).ipynb"},
            "203": {"tides_9_assignsubmission_file_x.ipynb", "onlinetext.html"},
        },
        {},
        [],
    ),
    "blackboard": (
        ("blackboard", archives.blackboard, ""),
        {
            "ada_l": {"tides (1).ipynb", "notes.txt", "timestamp.txt"},
            "bo": {"tides.ipynb", "Lab_1_ada_l_attempt_2026-11-30-00-00-00_tides.ipynb", "timestamp.txt"},
            "c_d": {"tides.ipynb", "timestamp.txt"},
        },
        {
            "ada_l": "2026-11-29 08:00:00 UTC",
            "bo": "2026-11-28 21:05:00 UTC",
            "c_d": "2026-11-28 21:05:00 UTC",
        },
        [
            "ada_l: 2026-11-29-09-00-00.txt: a later attempt, in which nothing can be read",
            "ada_l: tides.ipynb, 2026-11-28-21-05-00.txt: an older attempt",
            "read as UTC: give --timezone",
        ],
    ),
    "brightspace": (
        ("brightspace", archives.brightspace, "", *BERLIN),
        {
            "301": {"tides.ipynb", "timestamp.txt"},
            "302": {"tides.ipynb", "timestamp.txt"},
            "303": {"my - tides.ipynb", "timestamp.txt"},
            "304": {"tides.ipynb", "timestamp.txt"},
        },
        {
            "301": "2026-11-28 23:05:00 UTC",
            "302": "2026-11-29 09:30:00 UTC",
            "303": "2026-11-29 11:30:00 UTC",
            "304": "2026-11-09 09:30:00 UTC",
        },
        ["index.html: by its name no hand-in", "301: tides.ipynb: an older attempt"],
    ),
    "brightspace, roster": (
        ("brightspace", archives.brightspace, archives.BRIGHTSPACE_ROSTER, *BERLIN),
        {"bob3": {"my - tides.ipynb", "timestamp.txt"}, "anna": {"tides.ipynb", "timestamp.txt"}},
        {"bob3": "2026-11-29 11:30:00 UTC", "anna": "2026-11-09 09:30:00 UTC"},
        [
            "not collected: 301 Ada Lovelace: 2 students of roster.csv may be meant (lines 2, 3)",
            "not collected: 302 Ada Lovelace: 2 students of roster.csv may be meant (lines 2, 3)",
        ],
    ),
    "folder": (
        ("folder", archives.folders, ""),
        {"ada": {"tides.ipynb", "timestamp.txt"}, "bo@uni.example": {"work.py"}},
        {"ada": "2026-11-29 10:00:00 UTC"},
        ["class/ada/rocks/rocks.ipynb: by its name no hand-in of tides", "'Cy Dee' cannot be a student's id"],
    ),
    "exchange": (
        ("exchange", archives.exchange, ""),
        {"ada": {"tides.ipynb", "timestamp.txt"}, "bo": {"tides.ipynb", "timestamp.txt"}},
        {"ada": "2026-11-29 08:00:00 UTC", "bo": "2026-11-28 21:05:00 UTC"},
        ["ada: tides.ipynb: an older attempt", "not collected: c+d: 'c+d' cannot be a student's id"],
    ),
}
every_layout = pytest.mark.parametrize("case", LAYOUTS.values(), ids=LAYOUTS)


@every_layout
def test_an_archive_becomes_folders_of_students(desk: Desk, lesson: Lesson, case):
    (lms, files, *more), tree, times, said = case
    out = desk.collect(lms, desk.put(files(lesson)), *more)
    assert desk.tree() == tree and desk.times() == times
    assert [text for text in said if text not in out] == []


@every_layout
def test_a_second_collect_changes_nothing(desk: Desk, lesson: Lesson, case):
    """Whether from the same archive, unpacked or packed otherwise."""
    (lms, files, *more), tree, times, _ = case
    path = desk.put(files(lesson))
    desk.collect(lms, path, *more)
    before = desk.state()
    others = (unpacked(files(lesson), desk.folder / "unpacked"), desk.put(tarred(files(lesson)), "s.tar.gz"))
    for again in (path, *others):
        assert f"\n{len(tree)} unchanged; " in desk.collect(lms, again, *more)
        assert desk.state() == before


@pytest.mark.parametrize("name", ["canvas", "blackboard", "folder"])
def test_every_original_is_kept_with_a_receipt(desk: Desk, lesson: Lesson, name: str):
    (lms, files, *more), tree, _, _ = LAYOUTS[name]
    desk.collect(lms, desk.put(files(lesson)), *more)
    for student in tree:
        received = Received(desk.course.build / "received" / student / "tides")
        (delivery,) = received.ledger.deliveries
        kept = {receipt.sha256: received.folder / receipt.kept_as for receipt in received.ledger.received}
        assert delivery.files and {digest(kept[sha256]) for sha256 in delivery.files.values()} == kept.keys()
        shown = desk.receipt(student)
        assert delivery.archive_sha256 in shown and all(sha256 in shown for sha256 in kept)
        assert all(path.read_bytes() in files(lesson).values() for path in kept.values())


def test_the_newest_of_several_versions_is_the_one_that_is_graded(desk: Desk, lesson: Lesson):
    desk.collect("canvas", desk.put(archives.canvas(lesson)))
    folder = desk.course.build / "submitted" / "103" / "tides"
    newest = max(folder.glob("*.ipynb"), key=lambda path: path.stat().st_mtime_ns)
    assert newest.read_bytes() == notebook(lesson, "second")


def test_the_file_keeps_its_time(desk: Desk, lesson: Lesson):
    desk.collect("moodle", desk.put(archives.moodle(lesson)))
    placed = desk.course.build / "submitted" / "202" / "tides" / "tides.ipynb"
    assert placed.stat().st_mtime == archives.MADE.timestamp()


# ── who is who ──


def test_who_is_who_is_kept_and_stands_in_the_gradebook(desk: Desk, lesson: Lesson):
    desk.collect("canvas", desk.put(archives.canvas(lesson)), archives.CANVAS_ROSTER)
    found = people(desk.course, lesson)
    ann = found.students["ann@uni.example"]
    assert found.lms == "canvas" and len(found.students) == 5
    assert (ann.lms_id, ann.name, ann.login, ann.number) == (
        *("103", "Moore-Boe, Ann", "ann@uni.example", "S3"),
    )
    with Class(desk.course).gradebook() as gradebook:
        student = gradebook.find_student("ada2")
        assert (student.first_name, student.last_name, student.lms_user_id) == ("Ada", "Lovelace", "102")
        gradebook.update_or_create_student("ada2", first_name="Ada B.", email="ada@home.example")
    desk.collect("canvas", desk.put(archives.canvas(lesson)), archives.CANVAS_ROSTER)
    with Class(desk.course).gradebook() as gradebook:
        student = gradebook.find_student("ada2")
        assert (student.first_name, student.email) == ("Ada", "ada@home.example")


def test_moodles_numbers_stand_for_one_assignment_only(desk: Desk, lesson: Lesson):
    desk.collect("moodle", desk.put(archives.moodle(lesson)), archives.MOODLE_ROSTER)
    with Class(desk.course).gradebook() as gradebook:
        student = gradebook.find_student("n3")
        assert (student.last_name, student.email, student.lms_user_id) == ("Müller", "zoe@uni.example", None)
    assert people(desk.course, lesson).students["n3"].lms_id == "203"


ROSTERS = {
    "the teacher's list": ("moodle", "student,lms_id,name,email\nada,201,Ada L,a@x.org\nzoe,203,Zoë,z@x.org\n"),
    "semicolons and Windows' letters": ("moodle", "student;lms_id;name\nada;201;Ada\nzoe;203;Zoë\n".encode("cp1252")),
    "participants, by unambiguous name": (
        "moodle",
        "Vorname,Nachname,E-Mail-Adresse\nAda,Lovelace,ada\nADA,Lovelace,ada2\nZoë,Müller,zoe\n",
    ),
    "Blackboard's own, in UTF-16": ("blackboard", archives.BLACKBOARD_ROSTER.encode("utf-16")),
    "Brightspace, a user's number": ("brightspace", "student,lms_id\nada,301\nother,302\n"),
    "a login before the name": ("brightspace", "Username,First Name,Last Name\n#BOB3,Bob,\n"),
    "folders by name": ("folder", "student,lms_id,name\ncy,,\"Dee, Cy\"\n"),
}
KNOWN = {
    "the teacher's list": {"ada", "zoe"},
    "semicolons and Windows' letters": {"ada", "zoe"},
    "participants, by unambiguous name": {"zoe"},
    "Blackboard's own, in UTF-16": {"ada_l", "bo", "c_d"},
    "Brightspace, a user's number": {"ada", "other"},
    "a login before the name": {"BOB3"},
    "folders by name": {"cy"},
}


@pytest.mark.parametrize("name", ROSTERS)
def test_a_roster_says_who_is_who(desk: Desk, lesson: Lesson, name: str):
    lms, roster = ROSTERS[name]
    files = archives.folders if lms == "folder" else getattr(archives, lms)
    desk.collect(lms, desk.put(files(lesson)), roster)
    assert desk.tree().keys() == KNOWN[name]


def test_two_users_of_one_name_are_not_one_student(desk: Desk, lesson: Lesson):
    roster = "Username,First Name,Last Name\nada,Ada,Lovelace\nanna,Anna,Lena Groß\n"
    out = desk.collect("brightspace", desk.put(archives.brightspace(lesson)), roster)
    assert desk.tree().keys() == {"anna"}
    assert "301 Ada Lovelace: 2 users of the LMS (301, 302) may be 'ada'" in out


def test_blackboard_without_records_tells_titles_from_logins(desk: Desk, lesson: Lesson):
    files = {
        name: data for name, data in archives.blackboard(lesson).items() if not name.endswith("-00.txt")
    }
    desk.collect("blackboard", desk.put(files))
    assert desk.tree().keys() == {"ada_l", "bo", "c_d"}


# ── the time ──

DATES = {
    "Nov 30, 2026 905 PM": "2026-11-30 21:05",
    "Nov 30, 2026 1205 AM": "2026-11-30 00:05",
    "30. Nov. 2026 1835": "2026-11-30 18:35",
    "Samstag, 28. November 2026, 12:30": "2026-11-28 12:30",
    "30 de noviembre de 2026 635 p. m.": "2026-11-30 18:35",
    "déc. 1, 2026 905": "2026-12-01 09:05",
    "30 ноября 2026 1835": "2026-11-30 18:35",
    "Kas 3, 2026 1235": "2026-11-03 12:35",
    "2026年11月3日 1835": "2026-11-03 18:35",
    "1월 30, 2026 오후 635": "2026-01-30 18:35",
    "poniedziałek, 30 listopada 2026, 18:35": "2026-11-30 18:35",
    "2026-11-30 1835": "2026-11-30 18:35",
    "lis 30, 2026 1835": None,  # October in Croatian, November in Polish
    "11/12/2026 1835": None,
    "Feb 30, 2026 1000 AM": None,
    "Nov 30, 2026 905 PM 7": None,
}


@pytest.mark.parametrize("text", DATES)
def test_dates_in_the_languages_of_sites(text: str):
    read = read_dates([text])
    assert (f"{read[text]:%Y-%m-%d %H:%M}" if read else None) == DATES[text]


def test_dates_of_one_archive_settle_its_language():
    read = read_dates(["lis 30, 2026 1835", "sij 5, 2026 1000"])
    assert sorted((when.month, when.day) for when in read.values()) == [(1, 5), (10, 30)]


def test_late_without_a_time_is_told_until_somebody_writes_it(desk: Desk, lesson: Lesson):
    path = desk.put(archives.canvas(lesson))
    line = "102: LATE, but no time is told, so it counts as in time: write it"
    assert line in desk.collect("canvas", path)
    note = desk.course.build / "submitted" / "102" / "tides" / "timestamp.txt"
    note.write_text("2026-12-02 10:00 UTC\n")
    assert line not in desk.collect("canvas", path)
    assert note.read_text() == "2026-12-02 10:00 UTC\n"
    newer = {"lovelaceada_102_9100_tides.ipynb": notebook(lesson, "in time")}
    assert "1 newer; " in desk.collect("canvas", desk.put(newer))
    assert not note.exists() and "timestamp.txt" in desk.tree("received")["102"], "it was another attempt's"


def test_a_time_that_is_told_later_is_added(desk: Desk, lesson: Lesson):
    path, roster = desk.put(archives.moodle(lesson)), archives.MOODLE_ROSTER
    desk.collect("moodle", path, re.sub('"S[a-z]+day, [^"]*"', "-", roster))
    assert desk.times() == {}
    assert "3 new time, 2 unchanged; " in desk.collect("moodle", path, roster)
    assert desk.times()["n1"] == "2026-11-28 21:05:00 UTC"
    before = desk.state()
    desk.collect("moodle", path, roster)
    assert desk.state() == before


def test_no_student_dates_the_own_hand_in(desk: Desk, lesson: Lesson):
    files = {
        "Ada_1_assignsubmission_file_/tides.ipynb": notebook(lesson),
        "Ada_1_assignsubmission_file_/timestamp.txt": b"2020-01-01 00:00:00 UTC",
        "Bo_2_assignsubmission_file_/w.zip": zipped({"tides.ipynb": notebook(lesson), "timestamp.txt": b"2020-01-01"}),
    }
    out = desk.collect("moodle", desk.put(files))
    assert desk.times() == {}
    assert "1: timestamp.txt: the time is the LMS's to tell" in out
    assert "2: w.zip: timestamp.txt: the time is the LMS's to tell" in out
