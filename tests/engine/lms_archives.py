"""Archives as each LMS makes them, with the awkward cases that occur; always the same bytes."""

import io
import json
import stat
import tarfile
import zipfile
from datetime import datetime
from pathlib import Path

from hand_in import done

from autograder.grading.course import Lesson, source_of

MADE = datetime(2026, 11, 30, 12, 0, 0)  # when an LMS made its archive
Files = dict[str, bytes]


def notebook(lesson: Lesson, text: str = "") -> bytes:
    """A right hand-in; `text` makes it another one."""
    raw = done(lesson)
    raw["cells"][0]["source"] = source_of(raw["cells"][0]) + text
    return json.dumps(raw).encode()


def zipped(files: Files, when: datetime = MADE) -> bytes:
    """A zip of these files, in this order, all changed then."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, when.timetuple()[:6]), content, zipfile.ZIP_DEFLATED)
    return data.getvalue()


def tarred(files: Files, mode: str = "w:gz") -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode=mode) as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size, info.mtime = len(content), int(MADE.timestamp())
            archive.addfile(info, io.BytesIO(content))
    return data.getvalue()


def link_in_zip(name: str, target: str) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        info = zipfile.ZipInfo(name, MADE.timetuple()[:6])
        info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
        archive.writestr(info, target)
    return data.getvalue()


def unpacked(files: Files, folder: Path) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def canvas(lesson: Lesson) -> Files:
    """Two people of one name, one of them late; a resubmission; a zip; a text entry; somebody anonymous."""
    inner = zipped({"mine/tides.ipynb": notebook(lesson, "zip"), "__MACOSX/mine/._tides.ipynb": b"\0\5"})
    return {
        "lovelaceada_101_9001_tides.ipynb": notebook(lesson, "ada"),
        "lovelaceada_LATE_102_9002_tides (1).ipynb": notebook(lesson, "late"),
        "mooreboe_ann_103_9003_tides.ipynb": notebook(lesson, "first"),
        "mooreboe_ann_103_9005_tides-1.ipynb": notebook(lesson, "second"),
        "mooreboe_ann_103_9004_data_12_2_x.csv": b"1,2",
        "zuse_104_9006_work.zip": inner,
        "zuse_104_9008_part/unpacked in place.csv": b"3",
        "hopper_105_text.html": b"<p>I forgot it</p>",
        "LATE_anon_Ab3dE_9007_tides.ipynb": notebook(lesson, "anonymous"),
        "__MACOSX/._lovelaceada_101_9001_tides.ipynb": b"\0\5",
        "readme.txt": b"hello",
    }


CANVAS_ROSTER = """\
Student,ID,SIS User ID,SIS Login ID,Section,Tides (77)
    Points Possible,,,,,3
"Lovelace, Ada",101,S1,ada,A,
"Lovelace, Ada",102,S2,ada2,A,
"Moore-Boe, Ann",103,S3,ann@uni.example,B,
"Zuse, Konrad",104,S4,,B,
"Hopper, Grace",105,,grace,B,
"Student, Test",106,,,B,
"""


def moodle(lesson: Lesson) -> Files:
    """Folders with and without an underscore at the end, blind ones, text typed in, names of equals."""
    return {
        "Ada Lovelace_201_assignsubmission_file_/tides (1).ipynb": notebook(lesson, "ada"),
        "Ada Lovelace_201_assignsubmission_file_/data/in.csv": b"1,2",
        "Ada Lovelace_202_assignsubmission_file/tides.ipynb": notebook(lesson, "other"),
        "Zoë Müller_203_assignsubmission_file_/tides.ipynb.txt": notebook(lesson, "zoë"),
        "Zoë Müller_203_assignsubmission_onlinetext_/onlinetext.html": b"<p>see the file</p>",
        "Participant_204_assignsubmission_file_/tides.ipynb": notebook(lesson, "blind"),
        "Teilnehmerin_205_assignsubmission_onlinetext/onlinetext.html": b"<p>sorry</p>",
    }


def moodle_flat(lesson: Lesson) -> Files:
    return {
        "Ada Lovelace_201_assignsubmission_file_tides (1).ipynb": notebook(lesson, "ada"),
        "Zoë Müller_203_assignsubmission_file_tides_9_assignsubmission_file_x.ipynb": notebook(lesson, "zoë"),
        "Zoë Müller_203_assignsubmission_onlinetext_onlinetext.html": b"<p>see the file</p>",
    }


MOODLE_ROSTER = """\
Identifier,"Full name","ID number","Email address",Status,Grade,"Last modified (submission)",\
"Last modified (grade)","Feedback comments"
Participant 201,"Ada Lovelace",n1,ada@uni.example,Submitted,,"Saturday, 28 November 2026, 9:05 PM",-,
Participant 202,"Ada Lovelace",n2,ada2@uni.example,Submitted,,"Sunday, 29 November 2026, 12:00 AM",-,
Participant 203,"Zoë Müller",n3,zoe@uni.example,Submitted,,"Sunday, 29 November 2026, 12:30 PM",-,
Participant 204,"Bo Blind",n4,bo@uni.example,Submitted,,-,-,
Participant 205,"Cy Text",n5,cy@uni.example,Submitted,,-,-,
"""
MOODLE_ROSTER_GERMAN = """\
ID,"Vollständiger Name","E-Mail-Adresse",Status,Bewertung,"Zuletzt geändert (Abgabe)",\
"Zuletzt geändert (Bewertung)","Feedback als Kommentar"
Teilnehmer/in 201,"Ada Lovelace",ada@uni.example,Abgegeben,,"Samstag, 28. November 2026, 21:05",-,
Teilnehmer/in 202,"Ada Lovelace",ada2@uni.example,Abgegeben,,"Sonntag, 1. März 2026, 00:30",-,
"""


def _record(name: str, login: str, text: str = "There is no student submission text data.") -> bytes:
    lines = f"Name: {name} ({login})\r\nAssignment: Lab_1\r\n\r\nSubmission Field:\r\n{text}\r\n"
    return lines.encode()


def blackboard(lesson: Lesson) -> Files:
    """A title and user names with underscores, several attempts, one translated, a file without a name, a
    file that is named like another student's attempt, and a later attempt with words only."""
    first, second, third = "2026-11-28-21-05-00", "2026-11-29-08-00-00", "2026-11-29-09-00-00"
    return {
        f"Lab_1_ada_l_attempt_{first}_tides.ipynb": notebook(lesson, "first"),
        f"Lab_1_ada_l_attempt_{first}.txt": _record("Ada Lovelace", "ada_l"),
        f"Lab_1_ada_l_attempt_{second}_tides (1).ipynb": notebook(lesson, "second"),
        f"Lab_1_ada_l_attempt_{second}_notes.txt": b"my notes",
        f"Lab_1_ada_l_attempt_{second}.txt": _record("Ada Lovelace", "ada_l"),
        f"Lab_1_ada_l_attempt_{third}.txt": _record("Ada Lovelace", "ada_l", "I meant the last one"),
        f"Lab_1_bo_Versuch_{first}.ipynb": notebook(lesson, "bo"),
        f"Lab_1_bo_Versuch_{first}_Lab_1_ada_l_attempt_2026-11-30-00-00-00_tides.ipynb": b"forged",
        f"Lab_1_c_d_Versuch_{first}_tides.ipynb": notebook(lesson, "c_d"),
    }


BLACKBOARD_ROSTER = """"Last Name"\t"First Name"\t"Username"\t"Student ID"\t"Tides [Total Pts: 3] |7"
"Lovelace"\t"Ada"\t"ada_l"\t"B1"\t""
"Bo"\t"Bo"\t"bo"\t"B2"\t""
"Dee"\t"Cy"\t"c_d"\t"B3"\t""
"""


def brightspace(lesson: Lesson) -> Files:
    """Two people of one name, two attempts, a user name before the name, files in one folder, a wrapping."""
    return {
        "index.html": b"<html>list</html>",
        "301-77 - Ada Lovelace - Nov 28, 2026 905 PM/tides.ipynb": notebook(lesson, "first"),
        "301-77 - Ada Lovelace - Nov 29, 2026 1205 AM/tides.ipynb": notebook(lesson, "second"),
        "302-77 - Ada Lovelace - Nov 29, 2026 1030 AM/tides.ipynb": notebook(lesson, "other"),
        "303-77 - bob3 Bob - Nov 29, 2026 1230 PM - my - tides.ipynb": notebook(lesson, "bob"),
        "304-77 - Anna - Lena Groß - Nov 9, 2026 1030 AM/tides.ipynb": notebook(lesson, "anna"),
    }


BRIGHTSPACE_ROSTER = """\
OrgDefinedId,Username,Last Name,First Name,Email,Tides Points Grade,End-of-Line Indicator
#D1,#ada,Lovelace,Ada,ada@uni.example,,#
#D2,#ada2,Lovelace,Ada,ada2@uni.example,,#
#D3,#bob3,Bob,,bob@uni.example,,#
#D4,#anna,Lena Groß,Anna,anna@uni.example,,#
"""


def folders(lesson: Lesson) -> Files:
    return {
        "class/ada/tides/tides.ipynb": notebook(lesson, "ada"),
        "class/ada/tides/timestamp.txt": b"2026-11-29 10:00:00 UTC",
        "class/ada/rocks/rocks.ipynb": b"{}",
        "class/bo@uni.example/mine.py": b"def level(hours):\n    return 1\n",
        "class/Cy Dee/tides.ipynb": notebook(lesson, "cy"),
    }


def exchange(lesson: Lesson) -> Files:
    times = ("2026-11-28 21:05:00.000001 UTC", "2026-11-29 08:00:00.5 UTC")
    return {
        f"inbound/ada+tides+{times[0]}+x-_1/tides.ipynb": notebook(lesson, "first"),
        f"inbound/ada+tides+{times[1]}+x-_2/tides.ipynb": notebook(lesson, "second"),
        f"inbound/ada+tides+{times[1]}+x-_2/timestamp.txt": b"2030-01-01 00:00:00 UTC",
        f"inbound/ada+tides+{times[1]}+x-_2/submission_secret.txt": b"abc",
        f"inbound/bo+tides+{times[0]}/tides.ipynb": notebook(lesson, "bo"),
        f"inbound/bo+rocks+{times[0]}+y/rocks.ipynb": b"{}",
        f"inbound/c+d+tides+{times[0]}+z/tides.ipynb": notebook(lesson, "plus"),
    }
