"""From the LMS and back: an archive collected, graded in earnest, and the points written into the LMS's own
table, compared to the byte."""

from pathlib import Path

import lms_archives as archives
import pytest
from lms_archives import zipped
from small_class import Class

from autograder.grading.cli import main
from autograder.grading.course import Course

REMARK = "tides: cause 0 of 1, level {} of 2, written_moon not graded yet"
TABLES = {
    "canvas": (
        archives.CANVAS_ROSTER,
        {"101,S1,ada,A,": "2.00", "102,S2,ada2,A,": "2.00", "103,S3,ann@uni.example,B,": "2.00",
         "104,S4,,B,": "2.00", "105,,grace,B,": "0.00"},
    ),
    "moodle": (
        archives.MOODLE_ROSTER,
        {f"n{number},{name}@uni.example,Submitted,": points for number, name, points in
         ((1, "ada", "2.00"), (2, "ada2", "2.00"), (3, "zoe", "2.00"), (4, "bo", "2.00"), (5, "cy", "0.00"))}
        | {'9:05 PM",-,': f'"{REMARK.format(2)}"', '12:00 AM",-,': f'"{REMARK.format(2)}"',
           '12:30 PM",-,': f'"{REMARK.format(2)}"', "n4,bo@uni.example,Submitted,2.00,-,-,":
           f'"{REMARK.format(2)}"', "n5,cy@uni.example,Submitted,0.00,-,-,": f'"{REMARK.format(0)}"'},
    ),
    "blackboard": (
        archives.BLACKBOARD_ROSTER,
        {'"ada_l"\t"B1"\t"': "2.00", '"bo"\t"B2"\t"': "2.00", '"c_d"\t"B3"\t"': "2.00"},
    ),
    "brightspace": (  # two have one name, which is all that this archive tells: they are not collected
        archives.BRIGHTSPACE_ROSTER,
        {"bob@uni.example,": "2.00", "anna@uni.example,": "2.00"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("lms", TABLES)
def test_what_was_collected_comes_back_into_the_same_rows(
    course: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lms: str
):
    table, written = TABLES[lms]
    Class(course).write_suites()
    monkeypatch.chdir(course.root)
    archive, roster, out = (tmp_path / name for name in ("hand-ins.zip", "table.csv", "upload.csv"))
    archive.write_bytes(zipped(getattr(archives, lms)(course.lesson("tides"))))
    roster.write_bytes(table.encode())
    lesson = ["--assignment", "tides"]
    assert main(["collect", lms, str(archive), *lesson, "--roster", str(roster)]) == 0
    assert main(["grade", "tides", "--quiet", "--jobs", "1"]) == 0
    assert main(["export", lms, *lesson, "--template", str(roster), "--out", str(out)]) == 0
    for before, points in written.items():
        assert table.count(before) == 1
        table = table.replace(before, before + points)
    assert out.read_bytes() == table.encode()
