"""Grades on their way back into an LMS: to the byte what its own table was, but for the points.

The importers of Moodle and Canvas are restated here in a few lines, after their code: what they take and what
they refuse decides whether a file is right.
"""

import contextlib
import csv
import errno
import io
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from lms_class import TOTALS, LmsClass, before_and_after

from autograder.grading import gradebook, patience, people
from autograder.grading.course import Course, Lesson
from autograder.grading.errors import CourseError
from autograder.grading.exporting.amounts import amount, shown, uses_comma
from autograder.grading.exporting.canvas import CanvasExporter
from autograder.grading.exporting.grades import _remarks
from autograder.grading.sheet import read_sheet
from autograder.grading.exporting.titles import find_column
from autograder.grading.people import People, Person


@pytest.fixture(scope="module")
def graded_once(released_once: Path, tmp_path_factory: pytest.TempPathFactory) -> LmsClass:
    tides = LmsClass(Course(shutil.copytree(released_once, tmp_path_factory.mktemp("graded") / "course")))
    tides.grade_all()
    return tides


@pytest.fixture
def tides(graded_once: LmsClass, monkeypatch: pytest.MonkeyPatch) -> Iterator[LmsClass]:
    """The graded class; a test only reads it."""
    monkeypatch.chdir(graded_once.course.root)
    graded_once.unknown()
    yield graded_once
    for file in graded_once.folder_of_files.iterdir():
        if file.is_file():
            file.unlink()


# Canvas.

CANVAS = '''\
Student,ID,SIS User ID,SIS Login ID,Section,Notes,"Essay; ""one"" (77)",Tides (4711),Current Score,Final Score
,,,,,,,Manual Posting,,
    Points Possible,,,,,,10.00,6.00,(read only),(read only)
"Müller-Łoś, Ana",101,s101,ana,"Mo, 9:00",=1+1,9.00,«→2.30»,50.00,40.00
"O'Neil, jr., Béla",102,s102,bela,"Mo, 9:00",,8.00,EX,50.00,40.00
"Lee, Kim",103,s103,kim,"Tu, 9:00",,"7",«1.5→3.00»,50.00,40.00
"Lee, Kim",104,s104,kim2,"Tu, 9:00",,,"«→1.13»",50.00,40.00
"=""=HYPERLINK(""""http://evil.example"""",""""_9001_"""")""",105,s105,evil,"Tu, 9:00",,,1.0,50.00,40.00
"Ungraded, Dora",106,s106,dora,"Tu, 9:00",,,,50.00,40.00
"Missing, Emil",107,s107,emil,"Tu, 9:00",,,,50.00,40.00
"Nobody, Zoë",900,s900,zoe,"Tu, 9:00",,,0.5,50.00,40.00
"Student, Test",901,,4f3c,"Tu, 9:00",,,,0.00,0.00
'''


def canvas_import(data: bytes, title: str = "Tides", number: int = 4711) -> dict[int, str]:
    """What Canvas's gradebook importer takes for the assignment, by user id."""
    text = data.decode("utf-8-sig")
    first = text.splitlines(keepends=True)[:3]
    widths = {sep: {len(row) for line in first for row in csv.reader([line], delimiter=sep)} for sep in ";,"}
    fields = {sep: min(found) if len(found) == 1 else 0 for sep, found in widths.items()}
    header, *rows = csv.reader(io.StringIO(text), delimiter=";" if fields[";"] > fields[","] else ",")
    assert "Student" in header[0] and "ID" in header[1] and "Section" in header
    place = next(i for i, name in enumerate(header) if name in (f"{title} ({number})", title))
    taken = {}
    for row in rows:
        posting = all(re.fullmatch(r"\s*(Muted|Manual Posting.*)?\s*", cell) for cell in row)
        if "Points Possible" not in row[0] and not posting and row[place]:
            taken[int(row[1] or 0)] = row[place].replace(",", ".")
    return taken


@pytest.mark.parametrize("known", [True, False], ids=["collected", "by login"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"], ids=["plain", "BOM"])
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_of_a_canvas_gradebook_only_the_points_change(tides: LmsClass, known: bool, bom: bytes, end: str):
    if known:
        tides.known_to("canvas", 101)
    before, after = before_and_after(CANVAS.replace("\n", end))
    written = tides.export("canvas", template=bom + before.encode())
    assert written == bom + after.encode()
    ids = {101: "2.30", 102: "EX", 103: "3.00", 104: "1.13", 105: "1.0", 900: "0.5"}
    assert canvas_import(written) == ids


def test_everybody_without_points_is_named_with_the_reason(tides: LmsClass, capsys: pytest.CaptureFixture):
    tides.known_to("canvas", 101)
    tides.export("canvas", template=before_and_after(CANVAS)[0].encode())
    told = capsys.readouterr().err
    assert "points of 4 students in `Tides (4711)`, 1 of them as they were\n" in told
    assert "excused there, left so: bela\n" in told
    assert "handed in and not graded, no points written: dora\n" in told
    assert "handed in nothing, no points written: Missing, Emil (row 10), Nobody, Zoë (row 11)\n" in told
    assert (
        "wait for points by hand in formgrader, those so far are written: ana, bela, evil, kim, kim2\n"
        in told
    )


def test_who_handed_in_nothing_gets_zero_if_asked_for_and_nobody_else(tides: LmsClass):
    tides.known_to("canvas", 101)
    before, after = before_and_after(CANVAS)
    emil = '"Missing, Emil",107,s107,emil,"Tu, 9:00",,,'
    after = after.replace(f"{emil},", f"{emil}0.00,")
    assert tides.export("canvas", "--missing-as-zero", template=before.encode()) == after.encode()


def test_zero_is_for_those_it_is_asked_for(tides: LmsClass):
    """Not for who is left out here, nor, where some are chosen, for anybody else."""
    tides.known_to("canvas", 101)
    before, after = before_and_after(CANVAS)
    lines, filled = before.splitlines(keepends=True), after.splitlines(keepends=True)
    emil = lines[9].replace('emil,"Tu, 9:00",,,', 'emil,"Tu, 9:00",,,0.00')
    written = tides.export("canvas", "--missing-as-zero", "--skip", "ana", template=before.encode())
    assert written.decode().splitlines(keepends=True) == [
        *filled[:3],
        lines[3],
        *filled[4:9],
        emil,
        *lines[10:],
    ]
    lines[10] = lines[10].replace("0.5", "")  # somebody whom nobody knows here
    chosen = ["--missing-as-zero", "--student", "ana", "emil"]
    written = tides.export("canvas", *chosen, template="".join(lines).encode())
    assert written.decode().splitlines(keepends=True) == [*filled[:4], *lines[4:9], emil, *lines[10:]]


def test_semicolons_and_decimal_commas_stay(tides: LmsClass):
    table = """\
Student;ID;SIS Login ID;Section;Tides (4711)
    Points Possible;;;;6,00
Müller-Łoś, Ana;101;ana;;«1,50→2,30»
"O'Neil; Béla";102;bela;;«→2,07»
Lee, Kim;103;kim;;«→3,00»
Lee, Kim;104;kim2;;«→1,13»
evil;105;evil;;1,00"""
    before, after = before_and_after(table)
    written = tides.export("canvas", template=before.encode())
    assert written == after.encode()  # without an end of the last line, as it came
    assert canvas_import(written) == {101: "2.30", 102: "2.07", 103: "3.00", 104: "1.13", 105: "1.00"}


def test_names_in_two_columns_and_a_latin_encoding_are_kept(tides: LmsClass):
    table = """\
LastName,FirstName,ID,SIS Login ID,Section,1 Tides (4711)
Müller,Ana,101,ana,,«→2.30»
O’Neil,Béla,102,bela,,«→2.07»
Lee,Kim,103,kim,,«→3.00»
Lee,Kim,104,kim2,,«→1.13»
evil,x,105,evil,,«→1.00»
"""
    before, after = before_and_after(table)
    assert tides.export("canvas", template=before.encode("cp1252")) == after.encode("cp1252")


def test_without_a_template_canvas_gets_the_least_it_takes(tides: LmsClass, capsys: pytest.CaptureFixture):
    tides.known_to("canvas", 101)
    expected = """\
Student,ID,SIS User ID,SIS Login ID,Section,Tides (4711)
    Points Possible,,,,,6.00
Ana Müller-Łoś,101,s101,ana,,2.30
"Béla O'Neil, jr.",102,s102,bela,,2.07
"'=HYPERLINK(""http://evil.example"",""_9001_"")",105,s105,evil,,1.00
Kim Lee,103,s103,kim,,3.00
Kim Lee,104,s104,kim2,,1.13
"""
    assert tides.export("canvas", "--column", "Tides (4711)") == expected.encode()
    told = capsys.readouterr().err
    assert "handed in nothing, no points written: emil\n" in told and "written: dora\n" in told
    assert tides.export("canvas") == expected.replace("Tides (4711)", "Tides").encode()
    assert (
        "`Tides` has no number in brackets, so that Canvas would make a new assignment"
        in capsys.readouterr().err
    )


# Moodle's worksheet.

WORKSHEET = """\
Identifier,"Full name","Email address",Status,Grade,"Maximum Grade","Grade can be changed",\
"Last modified (submission)","Last modified (grade)","Feedback comments"
"Participant 9001","Ana Müller-Łoś",ana@uni.example,"Submitted for grading - ",«→2.30»,6.00,Yes,\
"Tuesday, 1 December 2026, 9:15 AM",-,«→"tides: cause 1 of 1, level 1.3 of 2, written_moon not graded yet"»
"Participant 9002","Béla O'Neil, jr.",bela@uni.example,"Submitted - 18 hours late",«1.00→2.07»,6.00,Yes,\
"Wednesday, 2 December 2026, 12:00 PM","Wednesday, 2 December 2026, 1:00 PM",\
«"tides: level 9 of 2"→"tides: cause 1 of 1, level 1.3 of 2, written_moon not graded yet, late: -0.23"»
"Participant 9003","Kim Lee",kim@uni.example,"Submitted for grading",«→3.00»,6.00,Yes,-,-,<p>Fine.</p>
"Participant 9004","Kim Lee",kim2@uni.example,"Submitted for grading",«→1.13»,6.00,Yes,-,-,\
«→"tides: cause 1 of 1, level 0.13 of 2 (Look at &lt;the sine&gt; of &quot;h/2&quot; &#92;), \
written_moon not graded yet"»
"Participant 9005","=HYPERLINK(""http://evil.example"",""_9001_"")",evil@uni.example,,«→1.00»,6.00,Yes,-,-,\
«→"tides: cause 1 of 1, level 0 of 2, written_moon not graded yet"»
"Participant 9006","Dora Ungraded",dora@uni.example,"Submitted for grading",,6.00,Yes,-,-,
"Participant 9007","Emil Missing",emil@uni.example,"No submission",,6.00,Yes,-,-,
"""
GERMAN = """\
ID,"Vollständiger Name",E-Mail-Adresse,Status,Bewertung,Bestwertung,"Bewertung kann geändert werden",\
"Zuletzt geändert (Bewertung)"
"Teilnehmer/in 9001","Ana Müller-Łoś",ana@uni.example,Abgegeben,«→"2,30"»,"6,00",Ja,-
"Teilnehmer/in 9002","Béla O'Neil, jr.",bela@uni.example,Abgegeben,«→"2,07"»,"6,00",Ja,-
"Teilnehmer/in 9003","Kim Lee",kim@uni.example,Abgegeben,«"0,50"→"3,00"»,"6,00",Ja,"Di, 1. Dezember 2026"
"Teilnehmer/in 9004","Kim Lee",kim2@uni.example,Abgegeben,«→"1,13"»,"6,00",Ja,-
"Teilnehmer/in 9005",evil,evil@uni.example,Abgegeben,«→"1,00"»,"6,00",Ja,-
"""


def worksheet_import(data: bytes, most: float = 6, comma: bool = False) -> dict[int, float]:
    """What Moodle's worksheet importer takes, by participant: it passes over what it does not like."""
    header, *rows = csv.reader(io.StringIO(data.decode("utf-8-sig")))
    assert all(len(row) == len(header) for row in rows)
    names = ("ID", "Bewertung", "Zuletzt geändert (Bewertung)")
    names = names if comma else ("Identifier", "Grade", "Last modified (grade)")
    who, grade, _ = (header.index(name) for name in names)
    taken = {}
    for row in rows:
        number = row[who].removeprefix("Teilnehmer/in " if comma else "Participant ")
        text = row[grade].replace(",", ".") if comma else row[grade]
        if text and 0 <= float(text) <= most:
            taken[int(number)] = float(text)
    return taken


@pytest.mark.parametrize("collected", [("moodle", 9001), ("canvas", 1)], ids=["by participant", "by mail"])
def test_of_a_moodle_worksheet_grades_and_empty_comments_change(tides: LmsClass, collected: tuple[str, int]):
    tides.known_to(*collected)
    before, after = before_and_after(WORKSHEET)
    written = tides.export("moodle", template=before.encode())
    assert written == after.encode()
    assert worksheet_import(written) == dict(zip(range(9001, 9006), [2.3, 2.07, 3, 1.13, 1], strict=True))


def test_a_worksheet_in_another_language_keeps_its_headers_and_commas(tides: LmsClass):
    tides.known_to("moodle", 9001)
    before, after = before_and_after(GERMAN)
    written = tides.export("moodle", template=b"\xef\xbb\xbf" + before.encode())
    assert written == b"\xef\xbb\xbf" + after.encode()
    assert worksheet_import(written, comma=True)[9004] == 1.13


def test_where_marking_is_blind_participants_are_enough(tides: LmsClass):
    tides.known_to("moodle", 9001)
    table = """\
Identifier,Status,Grade,Maximum Grade,Last modified (grade)
Participant 9001,Submitted,«→2.30»,6.00,-
Participant 9002,Submitted,«→2.07»,6.00,-
Participant 9003,Submitted,«→3.00»,6.00,-
"""
    before, after = before_and_after(table)
    assert tides.export("moodle", "--skip", "kim2", "evil", template=before.encode()) == after.encode()


def test_points_over_moodles_maximum_would_be_passed_over_and_are_refused(
    tides: LmsClass, capsys: pytest.CaptureFixture
):
    tides.known_to("moodle", 9001)
    before = before_and_after(WORKSHEET)[0].replace("6.00", "2.00")
    assert tides.export("moodle", template=before.encode()) is None
    assert "of 2, which Moodle would pass over without a word" in capsys.readouterr().err


def test_a_scale_is_no_place_for_points(tides: LmsClass, capsys: pytest.CaptureFixture):
    before = before_and_after(WORKSHEET)[0].replace("Maximum Grade", "Scale")
    assert tides.export("moodle", template=before.encode()) is None
    assert "graded on a scale: choose points there" in capsys.readouterr().err


def test_another_assignments_worksheet_is_refused_though_the_people_are_the_same(
    tides: LmsClass, capsys: pytest.CaptureFixture
):
    tides.known_to("moodle", 8001)
    assert tides.export("moodle", template=before_and_after(WORKSHEET)[0].encode()) is None
    assert "give a file of the same assignment" in capsys.readouterr().err


def test_without_a_template_participants_make_a_worksheet(tides: LmsClass):
    tides.known_to("moodle", 9001)
    rest = "written_moon not graded yet"
    expected = f"""\
Identifier,Full name,Grade,Last modified (grade),Feedback comments
Participant 9001,Ana Müller-Łoś,2.30,-,"tides: cause 1 of 1, level 1.3 of 2, {rest}"
Participant 9002,"Béla O'Neil, jr.",2.07,-,"tides: cause 1 of 1, level 1.3 of 2, {rest}, late: -0.23"
Participant 9005,"'=HYPERLINK(""http://evil.example"",""_9001_"")",1.00,-,\
"tides: cause 1 of 1, level 0 of 2, {rest}"
Participant 9003,Kim Lee,3.00,-,"tides: cause 1 of 1, level 2 of 2, {rest}"
Participant 9004,Kim Lee,1.13,-,"tides: cause 1 of 1, \
level 0.13 of 2 (Look at &lt;the sine&gt; of &quot;h/2&quot; &#92;), {rest}"
"""
    written = tides.export("moodle")
    assert written == expected.encode()
    assert worksheet_import(written) == {9001: 2.3, 9002: 2.07, 9003: 3.0, 9004: 1.13, 9005: 1.0}


# Moodle's gradebook.

GRADEBOOK = """\
"First name","Last name","ID number",Institution,Department,"Email address","Assignment: Tides (Real)",\
"Assignment: Tides (Percentage)","Assignment: Tides again (Real)","Course total (Real)",\
"Last downloaded from this course"
Ana,Müller-Łoś,s9001,,,ana@uni.example,«-→2.30»,-,4.00,50.00,1796000000
"Béla O'Neil",jr.,s9002,,,bela@uni.example,«2.00→2.07»,-,4.00,50.00,1796000000
Kim,Lee,s9003,,,kim@uni.example,«-→3.00»,-,4.00,50.00,1796000000
Kim,Lee,s9004,,,kim2@uni.example,«-→1.13»,-,4.00,50.00,1796000000
x,"=HYPERLINK(""http://evil.example"",""_9001_"")",s9005,,,evil@uni.example,«-→1.00»,-,4.00,50.00,1796000000
Dora,Ungraded,s9006,,,dora@uni.example,-,-,4.00,50.00,1796000000
"""


def gradebook_import(data: bytes, key: str, title: str, users: set[str]) -> dict[str, float | None]:
    """What Moodle's gradebook importer takes: all of it, or nothing for one thing that it does not know."""
    header, *rows = csv.reader(io.StringIO(data.decode("utf-8-sig")))
    taken = {}
    for row in rows:
        who, text = row[header.index(key)], row[header.index(title)].strip()
        if who not in users:  # an empty one would go to the student before
            raise ValueError(f"unknown user {who!r}")
        taken[who] = None if text in ("", "-") else float(text)
    return taken


def test_of_a_moodle_gradebook_the_points_change_and_its_importer_takes_all(tides: LmsClass):
    tides.known_to("moodle", 9001)
    before, after = before_and_after(GRADEBOOK)
    written = tides.export("moodle", template=before.encode())
    assert written == after.encode()
    users = {f"{name}@uni.example" for name in (*TOTALS, "dora")}
    taken = gradebook_import(written, "Email address", "Assignment: Tides (Real)", users)
    assert taken == {f"{name}@uni.example": points for name, points in TOTALS.items()} | {
        "dora@uni.example": None
    }


def test_a_gradebook_without_points_yet_has_its_column_all_the_same(tides: LmsClass):
    table = "Email address,Institution,Assignment: Tides (Real)\n" + "".join(
        f"{name}@uni.example,,«→{shown(points)}»\n" for name, points in TOTALS.items()
    )
    tides.known_to("moodle", 9001)
    before, after = before_and_after(table)
    assert tides.export("moodle", template=before.encode()) == after.encode()


def test_without_people_the_gradebooks_minimum_is_by_user_name(tides: LmsClass):
    written = tides.export("moodle", "--column", "Assignment: Tides (Real)")
    expected = "Username,Assignment: Tides (Real)\nana,2.30\nbela,2.07\nevil,1.00\nkim,3.00\nkim2,1.13\n"
    assert written == expected.encode()
    assert gradebook_import(written, "Username", "Assignment: Tides (Real)", set(TOTALS)) == TOTALS


# Feedback for Moodle.


def zip_import(data: bytes, participants: set[int]) -> dict[tuple[int, str, str], bytes]:
    """What Moodle's importer of feedback files takes, old and new: by participant, plugin and file."""
    taken = {}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in archive.namelist():
            parts = name.split("/")
            info = parts[0].split("_", 4)
            assert len(info) == 5  # older ones pass over four
            assert info[1].isdigit() and int(info[1]) in participants and info[4] == ""
            taken[int(info[1]), f"{info[2]}_{info[3]}", "/".join(parts[1:])] = archive.read(name)
    return taken


@pytest.mark.parametrize("given", ["people", "worksheet"])
def test_feedback_goes_into_folders_that_moodle_takes(
    tides: LmsClass, given: str, capsys: pytest.CaptureFixture
):
    tides.known_to("moodle", 9001)
    template = before_and_after(WORKSHEET)[0].encode() if given == "worksheet" else None
    written = tides.export("moodle", template=template, out="feedback.zip")
    told = capsys.readouterr().err
    assert "feedback for 5 students\n" in told  # and a comment was written since
    assert "older than the gradebook (run `autograder grade tides`): ana, bela, evil, kim, kim2\n" in told
    taken = zip_import(written, set(range(9001, 9008)))
    pages = {student: tides.page(student).read_bytes() for student in TOTALS}
    assert taken == {
        (9001 + place, "assignfeedback_file", "tides.html"): pages[student]
        for place, student in enumerate(("ana", "bela", "kim", "kim2", "evil"))
    }
    names = zipfile.ZipFile(io.BytesIO(written)).namelist()
    assert "Ana Müller-Łoś_9001_assignfeedback_file_/tides.html" in names
    assert tides.export("moodle", template=template, out="feedback.zip") == written


def test_feedback_needs_participants(tides: LmsClass, capsys: pytest.CaptureFixture):
    assert tides.export("moodle", out="feedback.zip") is None
    assert "give its own table to --template" in capsys.readouterr().err
    tides.known_to("canvas", 101)
    template = before_and_after(GRADEBOOK)[0].encode()
    assert tides.export("moodle", template=template, out="feedback.zip") is None
    assert "grading worksheet" in capsys.readouterr().err


# Blackboard.

BLACKBOARD = '''\
"Last Name"\t"First Name"\t"Username"\t"Student ID"\t"Last Access"\t"Availability"\t\
"Tides [Total Pts: 6 Score] |281892"\t"Total [Total Pts: up to 16 Score] |281890"
"Müller-Łoś"\t"Ana"\t"ana"\t"0001"\t"2026-12-01 09:15:00"\t"Yes"\t"«→2.30»"\t"4"
"O'Neil, ""jr."""\t"Béla"\t"bela"\t"0002"\t""\t"Yes"\t"«Needs Grading→2.07»"\t"4"
"Lee"\t"Kim"\t"kim"\t"0003"\t""\t"Yes"\t"«In Progress(1.00)→3.00»"\t"4"
"Lee"\t"Kim"\t"kim2"\t"0004"\t""\t"Yes"\t"«→1.13»"\t"4"
"=HYPERLINK(""x"")"\t"-"\t"evil"\t"0005"\t""\t"Yes"\t"1"\t"4"
"Ungraded"\t"Dora"\t"dora"\t"0006"\t""\t"Yes"\t""\t"4"
'''


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-8"])
@pytest.mark.parametrize("bom", [True, False], ids=["BOM", "plain"])
@pytest.mark.parametrize("delimiter", ["\t", ","], ids=["tab", "comma"])
def test_blackboards_encoding_and_delimiter_stay(tides: LmsClass, encoding: str, bom: bool, delimiter: str):
    tides.known_to("blackboard", 1)
    text = ("\ufeff" if bom else "") + BLACKBOARD.replace("\t", delimiter).replace("\n", "\r\n")
    before, after = before_and_after(text)
    assert tides.export("blackboard", template=before.encode(encoding)) == after.encode(encoding)


def test_who_handed_in_there_and_not_here_gets_no_zero(tides: LmsClass):
    before, after = before_and_after(
        BLACKBOARD.replace('\t"dora"', '\t"olga"').replace('"Yes"\t""', '"Yes"\t"Needs Grading"')
    )
    assert tides.export("blackboard", "--missing-as-zero", template=before.encode()) == after.encode()


@pytest.mark.parametrize("heading", ["Benutzername", "ユーザー名"])
def test_blackboards_other_languages_and_numbers_are_understood(tides: LmsClass, heading: str):
    table = f"""\
"Nachname","Vorname","{heading}","Tides [Gesamtpunktzahl: 6,5 Punkte] |281892"
"Müller-Łoś","Ana","ana","«→2,30»"
"O'Neil","Béla","bela","«→2,07»"
"Lee","Kim","kim","«2,5→3,00»"
"Lee","Kim","kim2","«→1,13»"
"x","y","EVIL","«→1,00»"
"""
    before, after = before_and_after(table)
    assert tides.export("blackboard", template=before.encode()) == after.encode()


def test_without_a_template_blackboard_gets_user_names_and_a_column(
    tides: LmsClass, capsys: pytest.CaptureFixture
):
    expected = '"Username","Tides [Total Pts: 6]"\n"ana","2.30"\n"bela","2.07"\n"evil","1.00"\n"kim","3.00"\n'
    assert tides.export("blackboard") == (expected + '"kim2","1.13"\n').encode()
    assert "Blackboard would make a new column" in capsys.readouterr().err
    assert tides.export("blackboard", "--column", "Tides [Total Pts: 6 Score] |7").startswith(
        b'"Username","Tides [Total Pts: 6 Score] |7"\n'
    )
    assert "new column" not in capsys.readouterr().err


# Brightspace.

BRIGHTSPACE = """\
OrgDefinedId,Username,Last Name,First Name,Email,Tides Points Grade <Numeric MaxPoints:6 Weight:10>,\
Tides again Points Grade <Numeric MaxPoints:6>,Calculated Final Grade Numerator,End-of-Line Indicator
#s1,#ana,Müller-Łoś,Ana,ana@uni.example,«→2.30»,1,0,#
#s2,#bela,"O'Neil, jr.",Béla,bela@uni.example,«2→2.07»,1,0,#
#s3,#kim,Lee,Kim,kim@uni.example,«→3.00»,1,0,#
#s4,#kim2,Lee,Kim,kim2@uni.example,«→1.13»,1,0,#
#s5,#evil,=1+1,x,evil@uni.example,1,1,0,#
#s6,#dora,Ungraded,Dora,dora@uni.example,,1,0,#
"""


@pytest.mark.parametrize("known", [True, False], ids=["by number", "by user name"])
def test_of_a_brightspace_grade_book_the_points_change(tides: LmsClass, known: bool):
    if known:
        tides.known_to("brightspace", 1)
    before, after = before_and_after(BRIGHTSPACE.replace("\n", "\r\n"))
    assert tides.export("brightspace", template=before.encode()) == after.encode()


def test_without_a_template_brightspace_gets_ids_points_and_the_end_of_lines(tides: LmsClass):
    tides.known_to("brightspace", 1)
    points = {"s1": "2.30", "s2": "2.07", "s5": "1.00", "s3": "3.00", "s4": "1.13"}
    lines = ["OrgDefinedId,Tides Points Grade,End-of-Line Indicator"]
    lines += [f"#{number},{shown},#" for number, shown in points.items()]
    assert tides.export("brightspace") == ("\n".join(lines) + "\n").encode()
    tides.unknown()
    assert tides.export("brightspace").startswith(
        b"Username,Tides Points Grade,End-of-Line Indicator\n#ana,2.30,#\n"
    )


# What is refused: one clear line, and no file.

HEAD = "Student,ID,SIS User ID,SIS Login ID,Section,"
BAD = {
    "another course": (HEAD + "Tides (1)\nX,1,,x,,\n", "give a file of the same course and assignment, or"),
    "one unknown student": (
        HEAD
        + "Tides (1)\n"
        + "".join(f"X,{i},,{name},,\n" for i, name in enumerate(TOTALS) if name != "kim"),
        "1 of 5 students with points are not in template.csv, so that nothing is written: download it anew, "
        "or leave them out with --skip kim",
    ),
    "no such column": (
        HEAD + "Sea (1),Land (2)\nX,1,,ana,,,\n",
        "no column for tides (it has `Sea (1)`, `Land (2)`)",
    ),
    "several columns": (
        HEAD + "Tides (1),tides (2)\nX,1,,ana,,,\n",
        "several columns for this (`Tides (1)` and",
    ),
    "a column that only Canvas writes": (
        HEAD + "Tides (1)\n    Points Possible,,,,,(read only)\nX,1,,ana,,\n",
        "no column for tides (it has none that takes points)",
    ),
    "twice the same login": (
        HEAD + "Tides (1)\nX,1,,ana,,\nX,2,,ana,,\n",
        "ana fits rows 2 and 3 of template.csv",
    ),
    "rows of several lengths": (HEAD + "Tides (1)\nX,1,,ana\n", "row 2 does not fit the first"),
    "a quote that never ends": (HEAD + 'Tides (1)\n"X,1,,ana,,\n', "is no table of an LMS"),
    "prose": ("Dear all,\nplease find attached\n", "is no table of an LMS"),
    "nothing": ("", "holds no table"),
    "Excel": ("PK\x03\x04", "is an Excel file: download it as CSV"),
    "another LMS": (before_and_after(BRIGHTSPACE)[0], "is no gradebook of Canvas"),
}


@pytest.mark.parametrize("table, reason", BAD.values(), ids=BAD)
def test_a_table_that_does_not_fit_is_refused(
    tides: LmsClass, capsys: pytest.CaptureFixture, table: str, reason: str
):
    assert tides.export("canvas", template=table.encode()) is None
    told = capsys.readouterr().err
    assert told.count("autograder: ") == 1 and reason in told and "Traceback" not in told


@pytest.mark.parametrize("lms", ["moodle", "blackboard", "brightspace"])
def test_a_table_of_another_lms_is_refused(tides: LmsClass, capsys: pytest.CaptureFixture, lms: str):
    assert tides.export(lms, template=before_and_after(CANVAS)[0].encode()) is None
    assert re.search(
        "(neither|no table|no grade book) .*(Moodle|Blackboard|Brightspace)", capsys.readouterr().err
    )


def test_each_stranger_is_told_and_can_be_left_out(tides: LmsClass, capsys: pytest.CaptureFixture):
    before, after = before_and_after(HEAD + "Tides (1)\nX,1,,ana,,«→2.30»\nX,2,,bela,,«→2.07»\n")
    assert tides.export("canvas", template=before.encode()) is None
    told = capsys.readouterr().err
    assert told.splitlines()[:3] == [
        "evil has 1.00 points and is not in template.csv",
        "kim has 3.00 points and is not in template.csv",
        "kim2 has 1.13 points and is not in template.csv",
    ]
    assert tides.export("canvas", "--skip", "evil", "kim", "kim2", template=before.encode()) == after.encode()
    assert tides.export("canvas", "--student", "ana", "bela", template=before.encode()) == after.encode()


def test_a_hand_in_that_belongs_to_no_row_makes_no_zero_of_a_row_that_is_unknown(
    tides: LmsClass, capsys: pytest.CaptureFixture
):
    rows = "X,1,,ana,,«→2.30»\nX,2,,bela,,«→2.07»\nX,3,,evil,,«→1.00»\nX,4,,kim2,,«→1.13»\n"
    before, after = before_and_after(HEAD + "Tides (1)\n" + rows + "X,5,,emil,,«→0.00»\nX,6,,klee,,\n")
    export = ("canvas", "--missing-as-zero", "--skip", "kim")
    assert tides.export(*export, template=before.encode()) == after.encode()
    told = capsys.readouterr().err
    assert "not in template.csv, so that no row that is unknown here gets 0 points: dora, kim\n" in told


def test_a_login_found_beside_another_persons_number_is_refused(
    tides: LmsClass, capsys: pytest.CaptureFixture
):
    tides.known_to("canvas", 101)
    assert tides.export("canvas", template=(HEAD + "Tides (1)\nX,999,,ana,,\n").encode()) is None
    assert "ana was 101 when the hand-ins were collected and is 999 in row 2" in capsys.readouterr().err


@pytest.mark.parametrize("lms", ["canvas", "moodle", "blackboard"])
def test_an_id_that_a_spreadsheet_would_run_is_written_nowhere(
    tides: LmsClass, capsys: pytest.CaptureFixture, lms: str
):
    found = {
        student: Person("", login=f"={student}", email=f"={student}", number=f"={student}")
        for student in TOTALS
    }
    people.keep(tides.course, tides.lesson, People("", found))
    assert tides.export(lms) is None
    assert "would take the id '=ana' for a formula" in capsys.readouterr().err


def test_nobody_is_found_by_a_name(tides: LmsClass, capsys: pytest.CaptureFixture):
    assert tides.export("canvas", template=(HEAD + "Tides (1)\nana,1,,x,,\nkim,2,,y,,\n").encode()) is None
    assert "none of the 5 students with points" in capsys.readouterr().err


@pytest.mark.parametrize(
    "options, reason",
    [
        (["--student", "nobody"], "no student is called nobody"),
        (["--skip", *TOTALS], "nobody has points for tides yet"),
        (["--student", "dora"], "nobody has points for tides yet"),
    ],
)
def test_ids_that_leave_nothing_are_refused(
    tides: LmsClass, capsys: pytest.CaptureFixture, options: list[str], reason: str
):
    assert tides.export("canvas", *options) is None
    assert reason in capsys.readouterr().err


def test_no_number_is_written_that_a_spreadsheet_would_run(
    tides: LmsClass, capsys: pytest.CaptureFixture
):
    person = Person("101", "Ana", "ana", number="=1+1")
    people.keep(tides.course, tides.lesson, People("canvas", {"ana": person}))
    assert tides.export("canvas") is None
    assert "a spreadsheet would take the id '=1+1' for a formula" in capsys.readouterr().err


def test_the_template_is_never_overwritten(tides: LmsClass, capsys: pytest.CaptureFixture):
    table = before_and_after(CANVAS)[0].encode()
    assert tides.export("canvas", template=table, out="template.csv") is None
    assert (tides.folder_of_files / "template.csv").read_bytes() == table
    assert "is the template itself" in capsys.readouterr().err


def test_the_column_can_be_named(tides: LmsClass):
    table = (
        HEAD
        + "Sea (1),Land (2)\n"
        + "".join(f"X,{i},,{n},,«→{shown(TOTALS[n])}»,\n" for i, n in enumerate(TOTALS))
    )
    before, after = before_and_after(table)
    for title in ("Sea (1)", "sea"):
        assert tides.export("canvas", "--column", title, template=before.encode()) == after.encode()


def test_a_maximum_that_is_not_the_lessons_is_told(tides: LmsClass, capsys: pytest.CaptureFixture):
    table = CANVAS.replace(",6.00,", ",100.00,")
    assert tides.export("canvas", template=before_and_after(table)[0].encode())
    said = capsys.readouterr().err
    assert "`Tides (4711)` counts to 100 points there, the lesson to 6: set it to 6 there\n" in said


def test_a_column_that_holds_more_of_another_lessons_name_is_the_others(new_course: Course):
    other = new_course.root / "source" / "low_tides" / "low_tides.py"
    other.parent.mkdir()
    other.write_text("# # 2 Low tides: when to walk\n")
    headers = ["Homework: low tides", "Homework 1: Tides"]
    for name, place in (("tides", 1), ("low_tides", 0)):
        titles = dict(enumerate(headers))
        assert find_column(titles, headers, new_course, new_course.lesson(name), "", "a file") == place
    with pytest.raises(CourseError, match="no column for tides"):
        find_column({0: headers[0]}, headers, new_course, new_course.lesson("tides"), "", "a file")


# The plugin, as nbgrader runs it.


def test_nbgrader_exports_the_same(tides: LmsClass):
    tides.known_to("canvas", 101)
    before, after = before_and_after(CANVAS)
    out, template = tides.folder_of_files / "out.csv", tides.file("template.csv", before.encode())
    command = [
        *(sys.executable, "-m", "nbgrader", "export"),
        "--exporter=autograder.grading.exporting.canvas.CanvasExporter",
        *(f"--to={out}", "--assignment=tides", f"--CanvasExporter.template={template}"),
    ]
    run = subprocess.run(command, cwd=tides.course.root, capture_output=True, text=True, env=dict(os.environ))
    assert run.returncode == 0, run.stderr
    assert out.read_bytes() == after.encode() and "excused there, left so: bela" in run.stderr


def test_what_nbgrader_cannot_export_is_told_in_one_line(tides: LmsClass, caplog: pytest.LogCaptureFixture):
    plugin = CanvasExporter(to="x.csv", assignment=["tides"], template="nowhere.csv")
    with tides.gradebook() as book, pytest.raises(SystemExit):
        plugin.export(book)
    assert "nowhere.csv cannot be read" in caplog.text and not Path("x.csv").exists()


# Tables and numbers.


@pytest.mark.parametrize(
    "data",
    [
        b'a,b\r\n"x ""y"" z",1\r\n',
        'ä;b\n1,5;"2\n3"'.encode("cp1252"),
        "\ufeffa\tb\r\n\r\n".encode("utf-16-le"),
        b'"a","b"\n"",""\n',
        b"a,b\r1,2\r",
    ],
)
def test_a_table_that_is_not_changed_is_the_same_bytes(tmp_path: Path, data: bytes):
    (tmp_path / "table").write_bytes(data)
    sheet = read_sheet(tmp_path / "table")
    assert sheet.to_bytes() == data and len(sheet.header) == 2


@pytest.mark.parametrize(
    "points, text", [(0, "0.00"), (1.005, "1.01"), (2.675, "2.68"), (2.0699999999, "2.07"), (10, "10.00")]
)
def test_points_have_two_decimals_and_halves_go_up(points: float, text: str):
    assert shown(points) == text and shown(points, comma=True) == text.replace(".", ",")
    assert amount(shown(points, comma=True)) == amount(text)


@pytest.mark.parametrize(
    ("cells", "comma"),
    [
        (["1,50", "2,25", "3.11", "x"], True),
        (["1.50", "2.25", "3,11", "x"], False),
        (["1,50", "1.50"], None),
        (["1", "", "v1.2"], None),
    ],
)
def test_most_numbers_tell_whether_commas_are_decimal(cells: list[str], comma: bool | None):
    assert uses_comma(cells) is comma


def test_remarks_of_other_lessons_are_not_read(tides: LmsClass):
    with tides.gradebook() as book:
        assert [key[1] for key in _remarks(book, tides.lesson)] == ["level"]
        assert _remarks(book, Lesson("rocks", tides.course.root)) == {}


def test_a_gradebook_in_other_hands_is_one_line_and_writes_nothing(
    tides: LmsClass, capsys: pytest.CaptureFixture, monkeypatch
):
    """Where somebody takes it after it was waited for."""
    with contextlib.closing(sqlite3.connect(tides.course.build / "gradebook.db")) as other:
        monkeypatch.setattr(gradebook, "await_in_place", lambda *_: other.execute("BEGIN EXCLUSIVE"))
        assert tides.export("canvas") is None
    line = "autograder: the gradebook cannot be used (database is locked): close what holds it, see that "
    err = capsys.readouterr().err
    assert err.startswith(line) and err.count("\n") == 1


def test_a_locked_gradebook_is_waited_for(tides: LmsClass, capsys: pytest.CaptureFixture, monkeypatch):
    other = sqlite3.connect(tides.course.build / "gradebook.db")
    other.execute("BEGIN EXCLUSIVE")
    monkeypatch.setattr(patience.time, "sleep", lambda _: other.close())
    assert b"ana" in tides.export("canvas")
    assert "locked by another program" in capsys.readouterr().err


@pytest.mark.parametrize("out", ["out.csv", "out.zip"])
def test_a_full_disk_is_one_line_and_leaves_nothing(
    tides: LmsClass, capsys: pytest.CaptureFixture, monkeypatch, out: str
):
    def full(self: Path, data: bytes) -> None:
        with open(self, "wb") as file:
            file.write(data[:10])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    tides.known_to("moodle", 9001)
    monkeypatch.setattr(Path, "write_bytes", full)
    assert tides.export("moodle", out=out) is None
    line = "a disk that is written to: No space left on device: make room, and run the same command again."
    assert capsys.readouterr().err.endswith(f"autograder: {line}\n")
