"""An LMS's archive becomes build/submitted: the right people, the newest attempt, the time, nothing lost."""

import contextlib
import errno
import io
import json
import os
import re
import shutil
import struct
import tarfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import lms_archives as archives
import pytest
from hand_in import EARLY, LATE, RIGHT
from lms_archives import Files, link_in_zip, notebook, tarred, unpacked, zipped
from lms_desk import Desk
from small_class import Class

from autograder.grading import gradebook, intake
from autograder.grading.cli import main
from autograder.grading.collecting import archive, readers, staging
from autograder.grading.collecting.dates import read_dates
from autograder.grading.course import Lesson
from autograder.grading.people import people
from autograder.grading.receipts import Received, digest


# ── each LMS ──

BERLIN = ("--timezone", "Europe/Berlin")
LAYOUTS = {
    "canvas": (
        ("canvas", archives.canvas, ""),
        {
            "101": {"tides.ipynb"},
            "102": {"tides (1).ipynb"},
            "103": {"tides.ipynb", "tides-1.ipynb", "data_12_2_x.csv"},
            "104": {"work/tides.ipynb", "part/unpacked in place.csv"},
            "105": {"text.html"},
            "anon_Ab3dE": {"tides.ipynb"},
        },
        {},
        [
            "readme.txt: by its name no hand-in",
            "__MACOSX/._lovelaceada",
            "104: work.zip: __MACOSX/mine/._tides",
        ],
    ),
    "canvas, roster": (
        ("canvas", archives.canvas, archives.CANVAS_ROSTER),
        {
            "ada": {"tides.ipynb"},
            "ada2": {"tides (1).ipynb"},
            "ann@uni.example": {"tides.ipynb", "tides-1.ipynb", "data_12_2_x.csv"},
            "S4": {"work/tides.ipynb", "part/unpacked in place.csv"},
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
            "skipped: ada_l: a record of the LMS's each",
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
        [
            "index.html: by its name no hand-in",
            "301: tides.ipynb: an older attempt",
            "give the grade book's export as --roster before you grade",
        ],
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
        {"ada": {"tides.ipynb", "timestamp.txt"}, "bo@uni.example": {"mine.py"}},
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
def test_an_archive_becomes_folders_of_students_and_changes_nothing_the_second_time(
    desk: Desk, lesson: Lesson, case
):
    """Whether it comes as the same archive again, unpacked, or packed otherwise."""
    (lms, files, *more), tree, times, said = case
    path = desk.put(files(lesson))
    out = desk.collect(lms, path, *more)
    assert desk.tree() == tree and desk.times() == times
    assert [text for text in said if text not in out] == []
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


@pytest.mark.parametrize("first, then", [("canvas", "folder"), ("folder", "canvas")])
def test_what_an_lms_calls_people_stays_beside_a_hand_in_by_mail(
    desk: Desk, lesson: Lesson, first: str, then: str
):
    sources = {
        "canvas": {"lovelaceada_101_9001_tides.ipynb": notebook(lesson, "ada")},
        "folder": {"101/tides.ipynb": notebook(lesson, "later"), "bo/tides.ipynb": notebook(lesson, "bo")},
    }
    for lms in (first, then):
        desk.collect(lms, desk.put(sources[lms]))
    found = people(desk.course, lesson)
    assert found.lms == "canvas"
    assert {student: person.lms_id for student, person in found.students.items()} == {"101": "101", "bo": ""}
    assert found.students["101"].name == "lovelaceada"


ROSTERS = {
    "the teacher's list": (
        "moodle",
        "student,lms_id,name,email\nada,201,Ada L,a@x.org\nzoe,203,Zoë,z@x.org\n",
    ),
    "semicolons and Windows' letters": (
        "moodle",
        "student;lms_id;name\nada;201;Ada\nzoe;203;Zoë\n".encode("cp1252"),
    ),
    "participants, by unambiguous name": (
        "moodle",
        "Vorname,Nachname,E-Mail-Adresse\nAda,Lovelace,ada\nADA,Lovelace,ada2\nZoë,Müller,zoe\n",
    ),
    "Blackboard's own, in UTF-16": ("blackboard", archives.BLACKBOARD_ROSTER.encode("utf-16")),
    "Brightspace, a user's number": ("brightspace", "student,lms_id\nada,301\nother,302\n"),
    "a login before the name": ("brightspace", "Username,First Name,Last Name\n#BOB3,Bob,\n"),
    "a number that can be no id": ("canvas", "Student,ID,SIS User ID\nZuse,104,12/34\nAnn,103,S3\n"),
    "participants with numbers of their own": ("moodle", "ID number,Full name\n77,Zoë Müller\n"),
    "participants with numbers of nobody knows what": ("moodle", "Nr,E-Mail,Name\n7,zoe,Zoë Müller\n"),
    "folders by name": ("folder", 'student,lms_id,name\ncy,,"Dee, Cy"\n'),
    "a list with cells left out": ("moodle", "student,lms_id,name,email\nada,201\nzoe,203,Zoë,z@x.org,\n\n"),
    "lines of the old Macintosh": ("moodle", "student,lms_id\rada,201\rzoe,203\r"),
}
KNOWN = {
    "the teacher's list": {"ada", "zoe"},
    "semicolons and Windows' letters": {"ada", "zoe"},
    "participants, by unambiguous name": {"zoe"},
    "Blackboard's own, in UTF-16": {"ada_l", "bo", "c_d"},
    "Brightspace, a user's number": {"ada", "other"},
    "a login before the name": {"BOB3"},
    "a number that can be no id": {"104", "S3"},
    "participants with numbers of their own": {"77"},
    "participants with numbers of nobody knows what": {"zoe"},
    "folders by name": {"cy"},
    "a list with cells left out": {"ada", "zoe"},
    "lines of the old Macintosh": {"ada", "zoe"},
}


@pytest.mark.parametrize("name", ROSTERS)
def test_a_roster_says_who_is_who(desk: Desk, lesson: Lesson, name: str):
    lms, roster = ROSTERS[name]
    files = archives.folders if lms == "folder" else getattr(archives, lms)
    desk.collect(lms, desk.put(files(lesson)), roster)
    assert desk.tree().keys() == KNOWN[name]


def test_of_two_with_one_name_the_roster_tells_each_by_a_number(desk: Desk, lesson: Lesson):
    """Those whose names nobody shares are found by them all the same."""
    path, roster = desk.put(archives.brightspace(lesson)), archives.BRIGHTSPACE_ROSTER
    cure = r"301 Ada Lovelace: 2 students .* \(lines 2, 3\): write 301 into a column lms_id of the right one"
    assert re.search(cure, desk.collect("brightspace", path, roster))
    heading, ada, other, *more = roster.splitlines(keepends=True)
    lines = [f"lms_id,{heading}", f"302,{ada}", f"301,{other}", *(f",{line}" for line in more)]
    desk.collect("brightspace", path, "".join(lines))
    assert desk.tree().keys() == {"ada", "ada2", "bob3", "anna"}
    assert desk.placed("ada2", "tides.ipynb") == notebook(lesson, "second")


@pytest.mark.parametrize(
    ("lms", "roster", "refused"),
    [
        (
            "moodle",
            "Identifier,Full name,Username\nParticipant 7,Ada Lovelace,ada\nParticipant 204,Bo,bo\n",
            "201",
        ),
        ("blackboard", "Username,First Name,Last Name\nother,Ada,Lovelace\nbo,Bo,Bo\n", "ada_l"),
    ],
)
def test_a_name_is_not_enough_where_there_is_an_id(
    desk: Desk, lesson: Lesson, lms: str, roster: str, refused: str
):
    out = desk.collect(lms, desk.put(getattr(archives, lms)(lesson)), roster)
    assert desk.tree().keys() == {"bo"}
    assert re.search(f"not collected: {refused} .*: nobody in roster.csv", out)


def test_two_users_of_one_name_are_not_one_student(desk: Desk, lesson: Lesson):
    roster = "Username,First Name,Last Name\nada,Ada,Lovelace\nanna,Anna,Lena Groß\n"
    out = desk.collect("brightspace", desk.put(archives.brightspace(lesson)), roster)
    assert desk.tree().keys() == {"anna"}
    assert "301 Ada Lovelace: 2 users of the LMS (301, 302) may be 'ada'" in out


def test_blackboard_without_records_tells_titles_from_logins(desk: Desk, lesson: Lesson):
    files = {name: data for name, data in archives.blackboard(lesson).items() if not name.endswith("-00.txt")}
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


def test_a_time_that_cannot_be_read_is_told(desk: Desk, lesson: Lesson):
    files = {"301-77 - Ada - lis 30, 2026 1835/tides.ipynb": notebook(lesson)}
    out = desk.collect("brightspace", desk.put(files))
    assert "301: the time it is named with cannot be read, so it counts as in time: write it" in out
    assert desk.tree() == {"301": {"tides.ipynb"}}


@pytest.mark.parametrize(
    ("newest", "other"),
    [
        ("Xyz 30, 2026 1835", "Nov 28, 2026 905 PM"),
        ("Nov 28, 2026 905 PM", "Xyz 30, 2026 1835"),
        ("Xyz 28, 2026 1835", "Xyz 30, 2026 1835"),
    ],
)
def test_where_an_attempt_has_no_time_that_can_be_read_the_times_of_the_files_decide(
    desk: Desk, lesson: Lesson, newest: str, other: str
):
    """And the teacher is told."""
    dates = (newest, other)
    folder = desk.folder / "unpacked"
    for date in dates:
        place = f"301-77 - Ada - {date}/tides.ipynb"
        unpacked({place: notebook(lesson, date), place.replace("301-", "302-"): b"{}"}, folder)
        os.utime(folder / place, (EARLY, LATE if date == newest else EARLY))
    shutil.rmtree(folder / f"302-77 - Ada - {dates[0]}")
    out = desk.collect("brightspace", folder)
    assert desk.placed("301", "tides.ipynb") == notebook(lesson, newest)
    assert (
        "\n301: not every attempt is named with a time that can be read, so the files' own times decided for "
        f"301-77 {newest}: if the LMS shows a newer one, put that into build/submitted/301/tides"
    ) in out
    assert "\n302: not every" not in out


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


def test_grading_reminds_of_who_was_late(desk: Desk, lesson: Lesson):
    desk.collect("canvas", desk.put({"s_LATE_1_1_tides.ipynb": notebook(lesson)}))
    tides, told = Class(desk.course), []
    intake.take_in(desk.course, lesson, "1")
    tides.grade("1")
    gradebook.record(desk.course, lesson, ["1"], told.append)
    assert told[0].startswith("1: the LMS calls it late and tells no time, so the work counts as in time")


def test_a_time_that_is_told_later_is_added(desk: Desk, lesson: Lesson):
    path, roster = desk.put(archives.moodle(lesson)), archives.MOODLE_ROSTER
    desk.collect("moodle", path, re.sub('"S[a-z]+day, [^"]*"', "-", roster))
    assert desk.times() == {}
    assert "3 new time, 2 unchanged; " in desk.collect("moodle", path, roster)
    assert desk.times()["n1"] == "2026-11-28 21:05:00 UTC"
    before = desk.state()
    desk.collect("moodle", path, roster)
    assert desk.state() == before


def test_a_time_by_hand_wins_over_the_one_that_stood_there_before(desk: Desk, lesson: Lesson):
    path, roster = desk.put(archives.moodle(lesson)), archives.MOODLE_ROSTER
    desk.collect("moodle", path, roster)
    note = desk.course.build / "submitted" / "n1" / "tides" / "timestamp.txt"
    note.write_text("2026-11-20 10:00 UTC\n")
    line = "n1: build/submitted/n1/tides/timestamp.txt says 2026-11-20 10:00 UTC by hand, which counts; "
    assert f"{line}the LMS tells 2026-11-28 21:05 UTC: write that" in desk.collect("moodle", path, roster)
    out = desk.collect("moodle", path, roster, *BERLIN)
    assert f"{line}the LMS tells 2026-11-28 20:05 UTC: write that" in out and "3 new time, 2 unchanged" in out
    assert desk.times()["n1"] == "2026-11-20 10:00 UTC" and desk.times()["n2"] == "2026-11-28 23:00:00 UTC"
    note.write_text("2026-11-28 21:05 Europe/Berlin")
    assert "by hand" not in desk.collect("moodle", path, roster, *BERLIN), "it is the same time"


@pytest.mark.parametrize("then", ["the time of the attempt", "a newer attempt"])
def test_what_the_lms_tells_later_than_somebody_wrote_a_time_counts(desk: Desk, lesson: Lesson, then: str):
    path, roster = desk.put(archives.moodle(lesson)), archives.MOODLE_ROSTER
    desk.collect("moodle", path, re.sub('"S[a-z]+day, [^"]*"', "-", roster))
    note = desk.course.build / "submitted" / "n1" / "tides" / "timestamp.txt"
    note.write_text("2026-11-20 10:00 UTC\n")
    if then == "a newer attempt":
        place = "Ada Lovelace_201_assignsubmission_file_/tides (1).ipynb"
        path = desk.put(archives.moodle(lesson) | {place: notebook(lesson, "later")})
    out = desk.collect("moodle", path, roster)
    assert "timestamp.txt said 2026-11-20 10:00 UTC by hand, before the LMS told 2026-11-28 21:05 UTC" in out
    assert desk.times()["n1"] == "2026-11-28 21:05:00 UTC"
    kept = desk.course.build / "received" / "n1" / "tides" / "timestamp.txt"
    assert kept.read_text() == "2026-11-20 10:00 UTC\n"
    note.write_text("2026-11-20 10:00 UTC\n")
    desk.collect("moodle", path, roster)
    assert desk.times()["n1"] == "2026-11-20 10:00 UTC"


def test_no_student_dates_the_own_hand_in(desk: Desk, lesson: Lesson):
    own = {"tides.ipynb": notebook(lesson), "timestamp.txt": b"2020-01-01 00:00:00 UTC"}
    files = {f"Ada_1_assignsubmission_file_/{name}": data for name, data in own.items()}
    files["Bo_2_assignsubmission_file_/w.zip"] = zipped(own)
    out = desk.collect("moodle", desk.put(files))
    assert desk.times() == {}
    assert "1: timestamp.txt: the time is the LMS's to tell" in out
    assert "2: w.zip: timestamp.txt: the time is the LMS's to tell" in out


# ── one archive after the other ──


def attempt(number: int, data: bytes, name: str = "tides.ipynb") -> Files:
    return {f"lovelaceada_101_{number}_{name}": data}


def test_a_newer_attempt_replaces_what_counts_and_the_older_one_is_kept(desk: Desk, lesson: Lesson):
    first, second = notebook(lesson, "first"), notebook(lesson, "second")
    older = desk.put(attempt(1, first), "older.zip")
    newer = desk.put(attempt(2, second, "tides-1.ipynb"), "newer.zip")
    desk.collect("canvas", older)
    assert "1 newer; " in desk.collect("canvas", newer)
    assert desk.tree() == {"101": {"tides-1.ipynb"}} and desk.placed("101", "tides-1.ipynb") == second
    kept = desk.course.build / "received" / "101" / "tides" / "tides.ipynb"
    assert kept.read_bytes() == first
    before, out = desk.state(), desk.collect("canvas", older)
    assert "101: a newer one came with newer.zip and still counts" in out and desk.state() == before
    shown = desk.receipt("101")
    assert re.findall(r"from (\w+\.zip)", shown) == ["older.zip", "newer.zip"]


def test_an_older_attempt_never_counts_again_whatever_the_times_of_its_files(desk: Desk, lesson: Lesson):
    first, second = notebook(lesson, "first"), notebook(lesson, "second")
    desk.collect("canvas", desk.put(attempt(1, first)))
    intake.take_in(desk.course, lesson, "101")
    earlier = zipped(attempt(2, second, "tides-1.ipynb"), archives.MADE - timedelta(days=9))
    desk.collect("canvas", desk.put(earlier))
    intake.take_in(desk.course, lesson, "101")
    assert desk.tree() == {"101": {"tides.ipynb"}}
    assert desk.placed("101", "tides.ipynb") == second


def test_without_numbers_or_times_the_archive_that_is_collected_later_counts(desk: Desk, lesson: Lesson):
    paths = [
        desk.put({"Ada_1_assignsubmission_file_/tides.ipynb": notebook(lesson, text)}, f"{text}.zip")
        for text in ("first", "second")
    ]
    for path in paths:
        desk.collect("moodle", path)
    assert desk.placed("1", "tides.ipynb") == notebook(lesson, "second")
    desk.collect("moodle", paths[0])
    assert desk.placed("1", "tides.ipynb") == notebook(lesson, "second"), "it was collected before"


def test_a_newer_attempt_without_a_time_counts_after_one_with_a_time(desk: Desk, lesson: Lesson):
    dated = {"ada/tides.ipynb": notebook(lesson, "first"), "ada/timestamp.txt": b"2026-11-20 10:00:00 UTC"}
    desk.collect("folder", desk.put(dated))
    later = zipped({"ada/tides.ipynb": notebook(lesson, "second")}, archives.MADE + timedelta(days=1))
    assert "1 newer" in desk.collect("folder", desk.put(later))
    assert desk.placed("ada", "tides.ipynb") == notebook(lesson, "second")
    assert "1 older" in desk.collect("folder", desk.put(dated))


def test_what_cannot_be_read_replaces_nothing(desk: Desk, lesson: Lesson):
    desk.collect("canvas", desk.put(attempt(1, notebook(lesson)), "good.zip"))
    before = desk.state()
    for name, data in (("essay.pdf", b"%PDF"), ("tides.ipynb", b'{"cells": [')):
        out = desk.collect("canvas", desk.put(attempt(2, data, name), "bad.zip"))
        assert f"101: nothing in the newer one ({name}) can be read, so the one from good.zip" in out
        assert desk.state() == before


def test_who_handed_in_no_notebook_is_named(desk: Desk, lesson: Lesson):
    out = desk.collect("canvas", desk.put(attempt(1, b"%PDF", "essay.pdf")))
    assert "101: nothing that came (essay.pdf) can be read as a notebook: ask for the notebook" in out
    assert "can be read as a notebook" not in desk.collect("canvas", desk.put(attempt(2, notebook(lesson))))


def test_the_files_of_the_lesson_are_no_work(desk: Desk, lesson: Lesson):
    desk.collect("canvas", desk.put(attempt(1, notebook(lesson)), "good.zip"))
    checks = (lesson.release_folder / "public_checks.py").read_bytes()
    assert "1 unreadable; " in desk.collect("canvas", desk.put(attempt(2, checks, "public_checks.py")))


def test_what_was_put_there_by_hand_is_kept(desk: Desk, lesson: Lesson):
    folder = desk.course.build / "submitted" / "101" / "tides"
    unpacked({"by hand.ipynb": b"{}", "data.csv": b"1"}, folder)
    (folder / "link").symlink_to(desk.folder)
    out = desk.collect("canvas", desk.put(attempt(1, notebook(lesson))))
    assert "101: it takes the place of what lay in build/submitted/101/tides, kept in build/received" in out
    assert desk.tree() == {"101": {"tides.ipynb"}}
    assert {"by hand.ipynb", "data.csv", "tides.ipynb", "receipts.json"} == desk.tree("received")["101"]


def test_a_folder_that_was_removed_comes_back(desk: Desk, lesson: Lesson):
    path = desk.put(attempt(1, notebook(lesson)))
    desk.collect("canvas", path)
    (desk.course.build / "submitted" / "101" / "tides" / "tides.ipynb").unlink()
    (desk.course.build / "submitted" / "101" / "tides").rmdir()
    desk.collect("canvas", path)
    assert desk.placed("101", "tides.ipynb") == notebook(lesson)


def test_collect_grade_collect_grade(desk: Desk, lesson: Lesson):
    """What grading made of the files is nothing new to a collect, and a newer attempt is graded anew."""
    Class(desk.course).write_suites()
    right, wrong = (json.dumps(text).encode()[1:-1] for text in (RIGHT, "def level(hours):\n    return 0"))
    inner = zipped({"w/my tides.ipynb": notebook(lesson), "w/data.csv": b"1"})
    old = {
        "Ada Lovelace_1_assignsubmission_file_/tides (1).ipynb": notebook(lesson).replace(right, wrong),
        "Bo_2_assignsubmission_file_/w.zip": inner,
        "Cy_3_assignsubmission_onlinetext/onlinetext.html": b"<p>no file</p>",
    }
    new = old | {"Ada Lovelace_1_assignsubmission_file_/tides (1).ipynb": notebook(lesson)}
    tides = Class(desk.course)
    desk.collect("moodle", desk.put(old))
    assert main(["grade", "tides", "--jobs", "1", "--quiet"]) == 0
    assert tides.scores() == {"1": 0, "2": 2, "3": 0}
    assert desk.tree() == {
        "1": {"tides.ipynb"},
        "2": {"tides.ipynb", "data.csv"},
        "3": {"tides.ipynb", "onlinetext.html"},
    }
    before = desk.state()
    assert "3 unchanged; " in desk.collect("moodle", desk.put(old))
    assert desk.state() == before
    assert "1 newer, 2 unchanged; " in desk.collect("moodle", desk.put(new))
    assert main(["grade", "tides", "--jobs", "1", "--quiet"]) == 0
    assert tides.scores() == {"1": 2, "2": 2, "3": 0}
    assert "tides (1).ipynb: " in (shown := desk.receipt("1")) and shown.count("which is what counts") == 1


class Killed(BaseException):
    pass


def test_a_collect_killed_anywhere_is_made_up_for(desk: Desk, lesson: Lesson, monkeypatch):
    """Killed at every single step that changes the disk, then run again: as if undisturbed."""
    paths = []
    for number, name in ((8, "older.zip"), (9, "newer.zip")):
        data = notebook(lesson, str(number))
        paths.append(desk.put({f"s_{student}_{number}_tides.ipynb": data for student in (1, 2)}, name))
    for step in range(60):
        shutil.rmtree(desk.course.build / "submitted", ignore_errors=True)
        shutil.rmtree(desk.course.build / "received", ignore_errors=True)
        desk.collect("canvas", paths[0])
        with monkeypatch.context() as patch:
            left = _kill_after(step, patch)
            with contextlib.suppress(Killed):
                desk.run("canvas", paths[1])
        assert all(path.read_bytes() for path in (desk.course.build / "received").glob("*/tides/*.ipynb"))
        desk.collect("canvas", paths[1])
        assert desk.tree() == {"1": {"tides.ipynb"}, "2": {"tides.ipynb"}}, step
        assert desk.placed("1", "tides.ipynb") == desk.placed("2", "tides.ipynb") == notebook(lesson, "9")
        names = {"tides.ipynb", "tides-2.ipynb", "receipts.json"}
        assert desk.tree("received") == {"1": names, "2": names}, step
        assert not list(desk.course.build.glob(".collecting-*"))
        if left() >= 0:
            break
    assert 10 < step < 59


def _kill_after(steps: int, patch: pytest.MonkeyPatch) -> Callable[[], int]:
    """From the given step on every change below build/submitted and build/received raises, as it does in a
    process that was killed."""
    left = [steps]

    def dying(function):
        def wrapper(self, *args, **kwargs):
            if "collecting-" not in str(self) or function.__name__ == "rename":
                left[0] -= 1
                if left[0] < 0:
                    raise Killed
            return function(self, *args, **kwargs)

        return wrapper

    for name in ("replace", "rename", "unlink", "write_bytes"):
        patch.setattr(Path, name, dying(getattr(Path, name)))
    return lambda: left[0]


@pytest.mark.parametrize("when", ["a zip is read", "a tar is unpacked", "an original is kept"])
def test_a_full_disk_is_no_fault_of_the_files(desk: Desk, lesson: Lesson, monkeypatch, when: str):
    """Nobody's hand-in is passed over; when there is room, the same command goes on."""
    files = {f"s_{student}_{student}_tides.ipynb": notebook(lesson) for student in (1, 2)}
    path = desk.put(tarred(files), "s.tar.gz") if when == "a tar is unpacked" else desk.put(files)
    with monkeypatch.context() as patch:
        _fill_disk(patch, when)
        code, out, err = desk.run("canvas", path)
    line = "a disk that is written to: No space left on device: make room, and run the same command again."
    assert (code, out, err) == (2, "", f"autograder: {line}\n")
    assert "2" not in desk.tree() and not list(desk.course.build.rglob(".*.part"))
    desk.collect("canvas", path)
    assert desk.tree() == {"1": {"tides.ipynb"}, "2": {"tides.ipynb"}}


def _fill_disk(patch: pytest.MonkeyPatch, when: str) -> None:
    def full(*_, **__):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    class FullFile(io.BytesIO):
        write = full

    if when == "an original is kept":
        patch.setattr(Path, "write_bytes", full)
    elif when == "a tar is unpacked":
        patch.setattr(readers.tempfile, "TemporaryFile", FullFile)
    else:
        opens = lambda path, mode="r", *more: FullFile() if mode == "xb" else open(path, mode, *more)
        patch.setattr(archive, "open", opens, raising=False)


# ── what is refused ──

HOSTILE: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "a path that climbs": (
        lambda data: zipped({"s_2_2_a/../../../../s_2_2_evil.ipynb": data}),
        "leads out of the archive",
    ),
    "an absolute path": (lambda data: zipped({"/tmp/s_2_2_evil.ipynb": data}), "leads out of the archive"),
    "a drive": (lambda data: zipped({"C:\\temp\\s_2_2_evil.ipynb": data}), "leads out of the archive"),
    "backslashes": (lambda data: zipped({"..\\..\\s_2_2_evil.ipynb": data}), "leads out of the archive"),
    "a link": (lambda data: link_in_zip("s_2_2_evil.ipynb", "/etc/passwd"), "is a link"),
    "a link in a tar": (lambda data: _tar_of(tarfile.SYMTYPE, "/etc/passwd"), "is a link"),
    "a hard link in a tar": (lambda data: _tar_of(tarfile.LNKTYPE, "/etc/passwd"), "is a link"),
    "a device in a tar": (lambda data: _tar_of(tarfile.CHRTYPE), "is no ordinary file"),
    "a pipe in a tar": (lambda data: _tar_of(tarfile.FIFOTYPE), "is no ordinary file"),
    "a climbing tar": (lambda data: tarred({"../../s_2_2_evil.ipynb": data}), "leads out of the archive"),
    "an encrypted file": (lambda data: _encrypted(zipped({"s_2_2_evil.ipynb": data})), "is encrypted"),
    "a damaged file": (lambda data: _damaged(zipped({"s_2_2_evil.ipynb": data})), "cannot be read"),
}
ODD_TARS = {  # what the headers of a member say besides
    "a time without an end": {"mtime": "inf"},
    "a time that no clock has": {"mtime": "1e30"},
}


def _tar_of(kind: bytes, target: str = "") -> bytes:
    return _tar_with({}, kind, target=target)


def _tar_with(headers: dict[str, str], *kinds: bytes, target: str = "") -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for kind in kinds:
            info = tarfile.TarInfo("s_2_2_evil.ipynb")
            info.type, info.linkname, info.pax_headers = kind, target, headers
            tar.addfile(info)
    return data.getvalue()


def _encrypted(data: bytes) -> bytes:
    """The same zip, its only member marked so in both of its headers."""
    marked, central = bytearray(data), data.index(b"PK\1\2")
    marked[6] |= 1
    marked[central + 8] |= 1
    return bytes(marked)


def _damaged(data: bytes) -> bytes:
    return data[:60] + bytes(20) + data[80:]


def test_a_hostile_file_of_one_student_is_listed_and_the_class_goes_on(desk: Desk, lesson: Lesson):
    files = {
        "s_1_1_tides.ipynb": notebook(lesson),
        "s_2_2_x/../../../../s_2_3_evil.ipynb": notebook(lesson),
        "s_3_4_../../evil.ipynb": notebook(lesson),
        "s_3_5_tides.ipynb": notebook(lesson),
    }
    out = desk.collect("canvas", desk.put(files))
    assert "2: x/../../../../s_2_3_evil.ipynb: it leads out of the archive" in out
    assert "2: no file could be taken, so nothing was collected" in out
    assert desk.tree() == {"1": {"tides.ipynb"}, "3": {"tides.ipynb"}} and evil_files(desk) == []


def evil_files(desk: Desk) -> list[Path]:
    return [path for path in desk.folder.parent.rglob("*evil*")] + [
        path for path in desk.course.build.rglob("*") if path.is_symlink() or path.is_fifo()
    ]


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_members_are_refused_and_stop_nobody_else(desk: Desk, lesson: Lesson, what: str):
    """Those of the class's archive, and those of an archive that a student handed in."""
    made, reason = HOSTILE[what]
    data, suffix = made(notebook(lesson, "evil")), "tar" if "tar" in what else "zip"
    before = desk.state()
    code, out, err = desk.run("canvas", desk.put(data, f"s.{suffix}"))
    assert code == 2 and out == "" and reason in err and desk.state() == before
    out = desk.collect("canvas", desk.put({"s_1_1_tides.ipynb": notebook(lesson), f"s_2_2_w.{suffix}": data}))
    assert f": it {reason}" in out
    assert desk.placed("1", "tides.ipynb") == notebook(lesson) and desk.tree().get("2", set()) == set()
    assert evil_files(desk) == []


@pytest.mark.parametrize("what", ODD_TARS)
def test_odd_headers_stop_nobody_else(desk: Desk, lesson: Lesson, what: str):
    odd = _tar_with(ODD_TARS[what], tarfile.REGTYPE)
    desk.collect("canvas", desk.put({"s_1_1_tides.ipynb": notebook(lesson), "s_2_2_w.tar": odd}))
    assert desk.placed("1", "tides.ipynb") == notebook(lesson)


def _nested(data: bytes, depth: int) -> bytes:
    for _ in range(depth):
        data = zipped({"w.zip": data})
    return data


BOMBS: dict[str, Callable[[], bytes]] = {
    "by size": lambda: zipped({f"{number}.bin": bytes(30_000) for number in range(5)}),
    "by size in one member": lambda: zipped({"a.bin": bytes(120_000)}),
    "by count": lambda: zipped({f"{number}": b"" for number in range(60)}),
    "by count in parts": lambda: zipped(
        {f"{part}.zip": zipped({f"{number}": b"" for number in range(30)}) for part in range(4)}
    ),
    "by the size of its list": lambda: zipped({f"{number}{'x' * 900}": b"" for number in range(40)}),
    "by depth": lambda: _nested(zipped({"tides.ipynb": b"{}"}), 3),
    "a tar by size": lambda: tarred({"a.bin": bytes(120_000)}),
    "a tar by count": lambda: tarred({f"{number}": b"" for number in range(60)}),
    "a tar by its folders": lambda: _tar_with({}, *[tarfile.DIRTYPE] * 60),
    "a list whose size is not the one that is told first": lambda: _with_comment(
        zipped({f"{number}{'x' * 900}/": b"" for number in range(40)}), b"PK\6\6" + bytes(60)
    ),
    "a size that is not true": lambda: _understated(zipped({"a.bin": bytes(120_000)})),
}


def _understated(data: bytes) -> bytes:
    told, central = bytearray(data), data.index(b"PK\1\2")
    told[22:26] = told[central + 24 : central + 28] = struct.pack("<I", 10)
    return bytes(told)


def _with_comment(data: bytes, comment: bytes) -> bytes:
    """The same zip with words at its end, which may look like an end of their own."""
    return data[:-2] + struct.pack("<H", len(comment)) + comment


@pytest.mark.parametrize("what", BOMBS)
def test_bombs_are_refused_and_stop_nobody_else(desk: Desk, lesson: Lesson, monkeypatch, what: str):
    monkeypatch.setattr(staging, "UNPACKED", archive.Caps(members=50, total=100_000))
    monkeypatch.setattr(staging, "ATTEMPT", archive.Caps(members=80, total=100_000))
    monkeypatch.setattr(readers, "LISTED", 200)
    name = "w.tar.gz" if "tar" in what else "w.zip"
    files = {"s_1_1_tides.ipynb": notebook(lesson), f"s_2_2_{name}": BOMBS[what]()}
    out = desk.collect("canvas", desk.put(files))
    assert re.search(f"2: .*{name}.*: it ", out)
    assert desk.tree()["1"] == {"tides.ipynb"} and desk.tree().get("2", set()) <= {name}


@pytest.mark.parametrize("what", ["by size", "by count in parts"])
def test_a_bomb_takes_no_room_from_the_files_beside_it(desk: Desk, lesson: Lesson, monkeypatch, what: str):
    monkeypatch.setattr(staging, "UNPACKED", archive.Caps(members=50, total=200_000))
    monkeypatch.setattr(staging, "ATTEMPT", archive.Caps(members=80, total=100_000))
    files = {
        "s_2_1_a.zip": BOMBS[what](),
        "s_2_2_w.zip": zipped({"tides.ipynb": notebook(lesson)}),
        "s_2_3_data.bin": bytes(50_000),
    }
    out = desk.collect("canvas", desk.put(files))
    assert "2: a.zip: it unpacks to too much, so nothing of it was taken" in out
    assert desk.tree() == {"2": {"w/tides.ipynb", "data.bin"}}


@pytest.mark.parametrize("caps", [archive.Caps(members=2), archive.Caps(total=5000)])
def test_the_archive_of_a_class_has_limits_too(desk: Desk, lesson: Lesson, monkeypatch, caps):
    monkeypatch.setattr(archive, "CLASS", caps)
    before = desk.state()
    code, _, err = desk.run("canvas", desk.put(archives.canvas(lesson)))
    assert code == 2 and re.search("submissions.zip (holds more than 2 files|unpacks to more than)", err)
    assert desk.state() == before


def test_a_file_beyond_the_limit_is_skipped(desk: Desk, lesson: Lesson, monkeypatch):
    monkeypatch.setattr(archive, "FILE_BYTES", 5000)
    files = {"s_1_1_tides.ipynb": notebook(lesson), "s_1_2_model.bin": bytes(6000)}
    assert "1: model.bin: it is too large" in desk.collect("canvas", desk.put(files))
    assert desk.tree() == {"1": {"tides.ipynb"}}


# ── names ──


def test_names_without_a_flag_are_read_as_utf8_where_they_are(desk: Desk, lesson: Lesson):
    """As macOS writes them."""
    data = bytearray(zipped({"Zoë Müller_203_assignsubmission_file_/Übung.ipynb": notebook(lesson)}))
    data[7] &= ~8
    data[data.index(b"PK\1\2") + 9] &= ~8
    desk.collect("moodle", desk.put(bytes(data)))
    assert desk.tree() == {"203": {"Übung.ipynb"}}
    assert people(desk.course, lesson).students["203"].name == "Zoë Müller"


def test_long_deep_and_clashing_names_find_a_place(desk: Desk, lesson: Lesson):
    inner = {
        "a": b"1",
        "a/b.csv": b"2",
        "d/" * 40 + "deep.csv": b"3",
        "x" * 240 + ".csv": b"4",
        "zip is no zip.zip": b"5",
    }
    desk.collect("canvas", desk.put({"s_1_1_w.zip": zipped(inner)}))
    assert desk.tree()["1"] == {"a", "a-b.csv", "deep.csv", f"{'x' * 196}.csv", "zip is no zip.zip"}


def test_a_zip_by_another_name_is_unpacked_and_an_office_file_is_not(desk: Desk, lesson: Lesson):
    data = zipped({"tides.ipynb": notebook(lesson)})
    files = {"s_1_1_tides.ipynb": data, "s_2_2_essay.docx": data, "s_3_3_w.rar": b"Rar!"}
    assert "3: w.rar: such archives are not unpacked" in desk.collect("canvas", desk.put(files))
    assert desk.tree() == {"1": {"tides.ipynb"}, "2": {"essay.docx"}, "3": {"w.rar"}}
    assert desk.placed("1", "tides.ipynb") == notebook(lesson)


# ── what a teacher can put right ──

NOTEBOOK = {"s_1_1_tides.ipynb": b"{}"}
MISTAKES: dict[str, tuple[str, Files | bytes, str, tuple[str, ...], str]] = {
    "another LMS": (
        "moodle",
        NOTEBOOK,
        "",
        (),
        r"looks like an archive of canvas: use `autograder collect canvas",
    ),
    "folders of an LMS": (
        "folder",
        {"Ada_1_assignsubmission_file_/a.ipynb": b"{}"},
        "",
        (),
        "looks like an archive of moodle",
    ),
    "no known layout": ("canvas", {"notes.txt": b"x"}, "", (), r"holds no hand-in of tides .*\(notes.txt\)"),
    "an empty archive": ("canvas", {}, "", (), r"holds no hand-in of tides .*\(nothing\)"),
    "no archive": ("canvas", b"hello", "", (), "is neither a zip nor a tar archive"),
    "half an archive": ("canvas", zipped(NOTEBOOK)[:-30], "", (), "is neither a zip nor a tar archive"),
    "half a tar": ("canvas", tarred({"s_1_1_a": bytes(9000)})[:-20], "", (), "cannot be read"),
    "no time zone": ("canvas", NOTEBOOK, "", ("--timezone", "Mars"), "'Mars' is no time zone"),
    "an empty roster": ("canvas", NOTEBOOK, "\n", (), "roster.csv holds no table"),
    "a roster in Excel": ("canvas", NOTEBOOK, b"PK\3\4", (), "roster.csv is an Excel file: download"),
    "no roster": (
        "canvas",
        NOTEBOOK,
        "color,size\nred,3\n",
        (),
        r"no column that tells who is who \(color, ",
    ),
    "a roster with a duplicate": (
        "canvas",
        NOTEBOOK,
        "student,lms_id\nada,1\nbo,2\nada,3\n",
        (),
        "lines 2 and 4: 'ada' stands for two students",
    ),
    "a roster with one user twice": (
        "canvas",
        NOTEBOOK,
        "student,lms_id\nada,1\nbo,1\n",
        (),
        "lines 2 and 3: '1' stands for two students",
    ),
    "other people's roster": ("canvas", NOTEBOOK, "student,lms_id\nada,7\n", (), "nobody in .* can be told"),
    "an id that is none": (
        "canvas",
        NOTEBOOK,
        "student,lms_id\n../x,1\n",
        (),
        "'../x' cannot be a student's",
    ),
    "an id with a plus": ("canvas", NOTEBOOK, "student,lms_id\na+b,1\n", (), "cannot be a student's id"),
}


@pytest.mark.parametrize("what", MISTAKES)
def test_what_cannot_be_collected_is_one_line_and_changes_nothing(desk: Desk, what: str):
    lms, content, roster, options, line = MISTAKES[what]
    before = desk.state()
    code, out, err = desk.run(lms, desk.put(content), roster, *options)
    assert code == 2 and out == ""
    assert re.fullmatch(rf"autograder: .*{line}.*\n", err)
    assert desk.state() == before


def test_an_archive_a_roster_or_a_lesson_that_is_not_there(desk: Desk, lesson: Lesson, capsys):
    before = desk.state()
    _, _, err = desk.run("canvas", desk.folder / "none.zip")
    assert err.endswith("none.zip is not there: download it from the LMS again.\n")
    path = desk.put(archives.canvas(lesson))
    _, _, err = desk.run("canvas", path, "", "--roster", str(desk.folder / "none.csv"))
    assert err.endswith(
        "none.csv cannot be read (No such file or directory): give the file that the LMS wrote.\n"
    )
    assert main(["collect", "canvas", str(path), "--assignment", "tide"]) == 2
    assert "did you mean `tides`?" in capsys.readouterr().err
    assert desk.state() == before


def test_an_archive_of_another_lesson_is_one_line_and_changes_nothing(desk: Desk, lesson: Lesson):
    """One student's wrong name is no sign of it, nor is a class of which one used the right one."""
    (lesson.root / "source" / "crest").mkdir()
    (lesson.root / "source" / "crest" / "crest.py").write_text("# %% [markdown]\n# # 2 Crest\n")
    work = {f"s_{number}_{number}_crest-1.ipynb": notebook(lesson, f"{number}") for number in (1, 2)}
    before = desk.state()
    code, out, err = desk.run("canvas", desk.put(work))
    line = "every notebook in .* is called crest: collect it with `--assignment crest`, or .*"
    assert code == 2 and out == "" and re.fullmatch(f"autograder: {line}\n", err)
    assert desk.state() == before
    desk.collect("canvas", desk.put({"s_3_3_crest.ipynb": notebook(lesson, "3")}))
    desk.collect("canvas", desk.put({**work, "s_4_4_tides.ipynb": notebook(lesson, "4")}))
    assert desk.tree().keys() == {"1", "2", "3", "4"}


ANEW = (
    "; or, if nothing of tides is graded yet, begin it anew: move build/people/tides.json, "
    "build/submitted/*/tides and build/received/*/tides away."
)
OTHER_ROSTER = "student,lms_id\nlovelace,101\n"


@pytest.mark.parametrize(
    ("first", "then", "line"),
    [
        (
            "",
            archives.CANVAS_ROSTER,
            f"'101' before and would be 'ada' now: leave --roster out, as then{ANEW}",
        ),
        (
            archives.CANVAS_ROSTER,
            OTHER_ROSTER,
            f"'ada' before and would be 'lovelace' now: give the roster that was given then{ANEW}",
        ),
        (
            archives.CANVAS_ROSTER,
            "",
            "'ada' before and would be '101' now: give --roster with the file that calls 101 'ada', as then.",
        ),
    ],
    ids=["a roster now", "another roster", "no roster now"],
)
def test_nobody_becomes_two_students(desk: Desk, lesson: Lesson, first: str, then: str, line: str):
    path = desk.put(archives.canvas(lesson))
    desk.collect("canvas", path, first)
    before = desk.state()
    code, _, err = desk.run("canvas", path, then)
    assert code == 2 and err == f"autograder: 101 was collected as {line}\n"
    assert desk.state() == before


def test_a_lesson_can_be_begun_anew_as_it_is_advised(desk: Desk, lesson: Lesson):
    path = desk.put(archives.canvas(lesson))
    desk.collect("canvas", path)
    (desk.course.build / "people" / "tides.json").unlink()
    for room in ("submitted", "received"):
        for folder in (desk.course.build / room).glob("*/tides"):
            shutil.rmtree(folder)
    desk.collect("canvas", path, archives.CANVAS_ROSTER)
    assert desk.tree().keys() == {"ada", "ada2", "ann@uni.example", "S4", "grace"}


def test_no_receipt_is_one_line(desk: Desk, lesson: Lesson, capsys):
    desk.collect("canvas", desk.put(attempt(1, notebook(lesson))))
    for student in ("nobody", "../received/101"):
        assert main(["receipt", student, "tides"]) == 2
        assert f"nothing was received from {student!r} for tides: " in capsys.readouterr().err
