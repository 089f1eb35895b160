"""Late work loses what the course's rule says, by the dates as they are now; grades given by hand stay."""

import contextlib
import csv
import os
import sys
from datetime import datetime, timedelta
from pathlib import Path
from types import ModuleType

import pytest
from nbgrader.converters import Autograde
from nbgrader.coursedir import CourseDirectory
from nbgrader.plugins import CsvExportPlugin
from small_class import Class

from autograder.grading import deadlines, gradebook, intake
from autograder.grading.conversion import settings
from autograder.grading.course import Course
from autograder.grading.errors import CourseError
from autograder.grading.extensions import read_extensions
from autograder.grading.late import DailyPenalty, handed_in_at
from autograder.grading.limits import Limits
from autograder.grading.moments import moment
from autograder.grading.results import ResultKeys

POINTS = 2.3  # what each result of the class is worth
DUE = "2026-12-01 18:00 UTC"
SEEN = f"due {DUE}"


class LateClass(Class):
    """The small class, whose hand-ins have a time."""

    def __init__(self, course: Course):
        super().__init__(course)
        self.told: list[str] = []

    def due(self, text: str | None) -> None:
        with self.gradebook() as book:
            book.update_or_create_assignment("tides", duedate=text)

    def at(self, student: str, text: str) -> Path:
        path = self.folder("submitted", student) / "timestamp.txt"
        path.write_text(text)
        return path

    def hand_in_at(self, student: str, text: str = "") -> None:
        self.hand_in(student)
        self.grade(student)
        if text:
            self.at(student, text)

    def extend(self, *lines: str, heading: str = "student,lesson,until") -> None:
        (self.course.root / "extensions.csv").write_text("\n".join([heading, *lines]) + "\n")

    def record(self, *students: str) -> dict[str, str]:
        """Record them, and show what the teacher is told in `told`."""
        self.told.clear()
        return gradebook.record(self.course, self.lesson, students, self.told.append)

    def penalties(self) -> dict[str, float]:
        with self.gradebook() as book:
            return {
                entry.student.id: entry.late_submission_penalty
                for entry in book.assignment_submissions("tides")
            }


@pytest.fixture
def tides(course: Course, monkeypatch: pytest.MonkeyPatch) -> LateClass:
    run = ModuleType("autograder.grading.run")
    run.grade_one = lambda *_: pytest.fail("graded again")
    monkeypatch.setitem(sys.modules, "autograder.grading.run", run)
    tides = LateClass(course)
    tides.due(DUE)
    return tides


# The formula.


@pytest.mark.parametrize(
    ("late", "days"),
    [
        (timedelta(seconds=1), 0),
        (timedelta(minutes=15), 0),
        (timedelta(minutes=15, seconds=1), 1),
        (timedelta(days=1, minutes=15), 1),
        (timedelta(days=1, minutes=16), 2),
        (timedelta(days=3), 3),
        (timedelta(days=10), 10),
        (timedelta(days=400), 10),
    ],
)
def test_ten_percent_of_the_points_a_day_begun(late: timedelta, days: int):
    penalty = DailyPenalty().late_submission_penalty("ana", 2.5, late.total_seconds())
    assert penalty == (0.25 * days or None)


def test_the_rule_is_the_courses():
    rule = DailyPenalty(percent_per_day=30, grace_minutes=0, cap_percent=50)
    assert [rule.late_submission_penalty("ana", 10, seconds) for seconds in (1, 86401)] == [3, 5]
    assert DailyPenalty(cap_percent=0).late_submission_penalty("ana", 10, 10**6) is None
    assert rule.late_submission_penalty("ana", 0, 10**6) is None


@pytest.mark.parametrize(
    ("text", "hour"),
    [
        ("2026-12-01 18:00:00.250000 UTC", 18),  # nbgrader's exchange
        ("2026-12-01 18:00:00", 18),  # its zip collector
        ("2026-12-01 18:00 Europe/Berlin", 17),
        ("2026-07-01 18:00 Europe/Berlin", 16),  # summer time
        ("2026-12-01 18:00 +0100", 17),  # nbgrader: 17:58:20
        ("2026-12-01T18:00:00+01:00", 17),
        ("2026-12-01 18:00 -05", 23),
        ("Tue Dec 1 18:00:00 CET 2026", 17),
        ("2026-12-01 06:00 PM", 18),
    ],
)
def test_a_moment_is_kept_in_utc(text: str, hour: int):
    when = moment(text)
    assert (when.hour, when.minute, when.second, when.tzinfo) == (hour, 0, 0, None)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("2026-12-01 18:00 Europa/Berlin", "Europa/Berlin is no time zone"),  # nbgrader: 18:00 UTC
        ("2026-12-01 18:00 CXT", "CXT is no time zone"),
        ("18:00 UTC", "it names no day"),  # nbgrader: today
        ("2026-13-01 18:00", "it is no date and time"),
        ("yesterday", "it is no date and time"),
        ("", "it is no date and time"),
        ("0001-01-01 00:00 +0100", "it is no date and time"),
    ],
)
def test_what_is_no_moment_is_refused(text: str, wrong: str):
    with pytest.raises(ValueError, match=f"^{wrong}$"):
        moment(text)


def test_a_note_of_the_time_that_is_no_file_is_never_opened(tmp_path: Path):
    assert handed_in_at(tmp_path) is None and handed_in_at(tmp_path / "none") is None
    note = tmp_path / "timestamp.txt"
    note.write_text("\n")
    assert handed_in_at(tmp_path) is None
    note.write_text("2026-12-01 18:00 UTC" + " " * 1000)
    reason = rf"^{note} cannot be read \(it is no short file\): write it as 2026-12-01 18:00 UTC\.$"
    with pytest.raises(ValueError, match=reason):
        handed_in_at(tmp_path)
    for make in (os.mkfifo, lambda path: path.symlink_to("/etc/hostname")):
        note.unlink()
        make(note)
        with pytest.raises(ValueError, match=reason):
            handed_in_at(tmp_path)


# In nbgrader's gradebook.


def test_penalties_reach_gradebook_export_and_feedback(tides: LateClass, tmp_path: Path):
    times = {
        "in_time": "2026-12-01 17:59:59 UTC",
        "grace": "2026-12-01 19:14 Europe/Berlin",
        "one_minute": "2026-12-01 18:16:00",
        "three_days": "2026-12-04 19:00:00 +0100",
        "capped": "2027-12-01 18:00 UTC",
        "untimed": "",
    }
    for student, text in times.items():
        tides.hand_in_at(student, text)
    assert tides.record(*times) == {}
    wanted = {
        "in_time": 0,
        "grace": 0,
        "one_minute": 0.23,
        "three_days": 0.69,
        "capped": POINTS,
        "untimed": 0,
    }
    assert tides.penalties() == pytest.approx(wanted)
    assert tides.told == [f"{SEEN}: 3 of 6 lose points for being late"]
    with tides.gradebook() as book:
        CsvExportPlugin(to=str(tmp_path / "grades.csv")).export(book)
    lines = (tmp_path / "grades.csv").read_text().splitlines()
    rows = {row["student_id"]: row for row in csv.DictReader(lines)}
    row = rows["three_days"]
    assert [row[name] for name in ("raw_score", "late_submission_penalty")] == ["2.3", "0.69"]
    assert float(row["score"]) == pytest.approx(1.61) and row["timestamp"] == "2026-12-04 18:00:00"
    assert tides.scores() == pytest.approx({student: POINTS - less for student, less in wanted.items()})


def test_feedback_tells_the_penalty_and_forgets_it(tides: LateClass):
    tides.hand_in_at("ana", "2026-12-04 18:00 UTC")
    assert Class.record(tides, "ana") == []
    assert "penalty (Score: -0.69)" in tides.page("ana").read_text(encoding="utf-8")
    tides.due("2026-12-05 18:00 UTC")
    assert Class.record(tides, "ana") == []
    assert "penalty (Score" not in tides.page("ana").read_text(encoding="utf-8")


def test_penalties_follow_the_dates_without_grading_again(tides: LateClass):
    tides.hand_in_at("ana", "2026-12-04 18:00 UTC")
    tides.record("ana")
    autograded = tides.folder("autograded", "ana") / "tides.ipynb"
    written = autograded.stat().st_mtime_ns
    key = ResultKeys(tides.course, tides.lesson, Limits()).key("ana")

    def penalty_now() -> float:
        assert tides.record("ana") == {} and autograded.stat().st_mtime_ns == written
        return tides.penalties()["ana"]

    tides.due("2026-12-03 18:00 UTC")
    assert penalty_now() == pytest.approx(0.23)
    tides.at("ana", "2026-12-05 12:00 UTC")
    assert penalty_now() == pytest.approx(0.46)
    assert ResultKeys(tides.course, tides.lesson, Limits()).key("ana") == key  # so it is not graded again
    tides.extend("ana,tides,+1")
    assert penalty_now() == pytest.approx(0.23)
    tides.extend("ana,tides,2026-12-06 18:00 +01:00")
    assert penalty_now() == 0
    tides.due(None)
    assert penalty_now() == 0
    with tides.gradebook() as book:
        # Which nbgrader would add to a due date of None.
        assert book.find_submission("tides", "ana").extension is None


def test_an_extension_of_no_due_date_does_not_stop_a_recording(tides: LateClass):
    tides.extend("ana,tides,+1")
    tides.hand_in_at("ana", "2026-12-04 18:00 UTC")
    tides.record("ana")
    tides.due(None)
    tides.grade("ana", 0.4)
    assert tides.record("ana") == {} and tides.scores() == {"ana": 1.4}


def test_a_grade_by_hand_is_cut_like_any_other(tides: LateClass):
    tides.hand_in_at("ana", "2026-12-04 18:00 UTC")
    tides.record("ana")
    with tides.gradebook() as book:
        book.find_grade("written_moon", "tides", "tides", "ana").manual_score = 2.0
        book.db.commit()
    assert tides.record("ana") == {} and tides.penalties()["ana"] == pytest.approx(0.3 * 4.3)


def test_a_pass_without_changes_writes_nothing(tides: LateClass, monkeypatch):
    for student in ("ana", "bo"):
        tides.hand_in_at(student, "2026-12-04 18:00 UTC")
    tides.extend("bo,tides,+2")
    tides.record("ana", "bo")
    before = (tides.course.build / "gradebook.db").stat().st_mtime_ns
    assert tides.record("ana", "bo") == {}
    assert (tides.course.build / "gradebook.db").stat().st_mtime_ns == before
    written: list[dict] = []
    monkeypatch.setattr(deadlines, "_write", lambda _, changed: written.append(changed))
    assert tides.record("ana", "bo") == {} and written == [{}]
    assert tides.penalties() == pytest.approx({"ana": 0.69, "bo": 0.23})


def test_only_those_who_are_graded_are_settled(tides: LateClass):
    for student in ("ana", "bo"):
        tides.hand_in_at(student, "2026-12-04 18:00 UTC")
    tides.record("ana", "bo")
    tides.due("2026-12-05 18:00 UTC")
    tides.record("ana")
    assert tides.penalties() == pytest.approx({"ana": 0, "bo": 0.69})


def test_a_lost_extension_or_time_is_told(tides: LateClass):
    tides.extend("ana,tides,+2")
    tides.hand_in_at("ana", "2026-12-04 18:00 UTC")
    tides.record("ana")
    tides.extend()
    tides.record("ana")
    line = "ana: the extension of 2 days, 0:00:00 is taken back: write a line into "
    assert tides.told[0] == f"{line}extensions.csv to grant it again."
    assert tides.penalties()["ana"] == pytest.approx(0.69)
    tides.at("ana", "").unlink()
    tides.record("ana")
    assert tides.told[0].startswith("ana: no timestamp.txt any more (it was 2026-12-04 18:00 UTC)")
    assert tides.penalties()["ana"] == 0


def test_without_a_list_the_gradebooks_own_extensions_stand(tides: LateClass):
    tides.hand_in_at("ana", "2026-12-04 18:00 UTC")
    tides.record("ana")
    with tides.gradebook() as book:
        book.grant_extension("tides", "ana", days=2)
    assert tides.record("ana") == {} and tides.penalties()["ana"] == pytest.approx(0.23)


def test_an_extension_never_shortens(tides: LateClass):
    tides.extend("ana,tides,2026-11-01 18:00 UTC")
    tides.hand_in_at("ana", "2026-12-01 12:00 UTC")
    assert tides.record("ana") == {} and tides.penalties()["ana"] == 0


def test_a_time_that_cannot_be_read_is_an_error_and_leaves_the_penalty(tides: LateClass):
    tides.hand_in_at("ana", "2026-12-04 18:00 UTC")
    tides.record("ana")
    path = tides.at("ana", "2026-12-01 18:00 Europa/Berlin")
    reason = f"{path} cannot be read (Europa/Berlin is no time zone): write it as 2026-12-01 18:00 UTC."
    assert tides.record("ana") == {"ana": reason} and tides.penalties()["ana"] == pytest.approx(0.69)
    tides.hand_in_at("bo")
    path = tides.at("bo", "2026-12-01 18:00 Europa/Berlin")
    assert tides.record("bo")["bo"].startswith(f"{path} cannot be read") and "bo" not in tides.scores()


def test_a_time_that_was_set_aside_is_told(tides: LateClass):
    tides.hand_in_at("ana", "soon")
    intake.take_in(tides.course, tides.lesson, "ana")
    folder = tides.folder("submitted", "ana")
    assert tides.record("ana") == {} and tides.told[0] == (
        "ana: the timestamp.txt that came says no time, so the work counts as in time: "
        f"write one, such as 2026-12-01 18:00 UTC, into {folder}."
    )
    tides.at("ana", "2026-12-04 18:00 UTC")
    assert tides.record("ana") == {} and len(tides.told) == 1
    assert tides.penalties()["ana"] == pytest.approx(0.69)


@pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")  # nbgrader's own
def test_nbgraders_own_command_gives_the_same_penalties(tides: LateClass):
    tides.extend("bo,tides,+2")
    for student in ("ana", "bo"):
        tides.hand_in_at(student, "2026-12-04 19:00 +0100")  # which nbgrader takes for 18:58:20
    config = settings(tides.course)
    coursedir = CourseDirectory(config=config, assignment_id="tides")
    with contextlib.chdir(tides.course.root):
        Autograde(config=config, coursedir=coursedir).start()
    assert tides.penalties() == pytest.approx({"ana": 0.69, "bo": 0.23})
    before = (tides.course.build / "gradebook.db").stat().st_mtime_ns
    assert tides.record("ana", "bo") == {}
    assert (tides.course.build / "gradebook.db").stat().st_mtime_ns == before


def test_a_rule_that_cannot_be_is_refused(tides: LateClass, edit):
    edit(tides.course.root / "nbgrader_config.py", "percent_per_day = 10", "percent_per_day = -10")
    tides.hand_in_at("ana")
    with pytest.raises(
        CourseError, match=r"^late penalties .*percent_per_day.*: change nbgrader_config\.py\.$"
    ):
        tides.record("ana")


# The list of extensions.


def test_extensions_are_read_as_spreadsheets_save_them(course: Course):
    path = course.root / "extensions.csv"
    assert read_extensions(course) is None
    rows = ['"Smith, J.";tides;2026-12-08 18:00 Europe/Berlin', ";;", "bo;tides;+1.5 days", ""]
    text = "\r\n".join(["Student;Lesson;Until", "", *rows])
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    wanted = {("Smith, J.", "tides"): datetime(2026, 12, 8, 17), ("bo", "tides"): timedelta(hours=36)}
    assert read_extensions(course) == wanted
    path.write_text("student,lesson,until\n")
    assert read_extensions(course) == {}


@pytest.mark.parametrize(
    ("lines", "error"),
    [
        ("student,until\nana,+1", "line 1: the heading is missing: write student,lesson,until."),
        ("", "line 1: the heading is missing: write student,lesson,until."),
        ("ana,tides", "line 2: it has not the three fields student,lesson,until: write them all."),
        ("ana,,+1", "line 2: it has not the three fields student,lesson,until: write them all."),
        ("ana,tides,+1,", "line 2: it has not the three fields student,lesson,until: write them all."),
        ("bo,tides,+1\nana,tide,+1", "line 3: there is no lesson `tide` in .*: did you mean `tides`\\?"),
        (
            "ana,tides,+1\nana,tides,+2",
            "line 3: ana has an extension of tides already: leave one of the lines.",
        ),
        (
            "ana,tides,2",
            "line 2: '2' is no date with a time, and no .days: write 2026-12-08 18:00 UTC or .3.",
        ),
        ("ana,tides,-2", "line 2: '-2' is no date with a time, and no .days: write .*"),
        ("ana,tides,2026-12-08 UTC", "line 2: '2026-12-08 UTC' is no date with a time, and .*: write .*"),
        ("ana,tides,08.12.2026 18:00 UTC", "line 2: '08.12.2026 18:00 UTC' is no date with .*: write .*"),
        (
            "ana,tides,2026-12-08 18:00",
            "line 2: '2026-12-08 18:00' has no time zone: "
            "write it as 2026-12-08 18:00 Europe/Berlin, or with .01:00.",
        ),
        (
            "ana,tides,2026-12-08 18:00 Mars",
            "line 2: '2026-12-08 18:00 Mars': Mars is no time zone: write it as .* Europe/Berlin.",
        ),
        ("ana,tides,2026-13-08 18:00 UTC", "line 2: .*: it is no date and time: write it as .*"),
        ('"ana,tides,+1', "line 2: unexpected end of data: write student,lesson,until."),
    ],
)
def test_a_mistake_in_the_list_is_one_line(course: Course, lines: str, error: str):
    heading = "" if "line 1" in error else "student,lesson,until\n"
    (course.root / "extensions.csv").write_text(heading + lines)
    with pytest.raises(CourseError, match=f"^extensions.csv, {error}$"):
        read_extensions(course)


def test_a_list_that_is_no_text_says_so(course: Course):
    (course.root / "extensions.csv").write_bytes(b"student,lesson,until\nJos\xe9,tides,+1")
    with pytest.raises(CourseError, match=r"^extensions\.csv is not UTF-8: save it as CSV in UTF-8\.$"):
        read_extensions(course)


def test_a_mistake_in_the_list_stops_the_run_before_anything_is_recorded(tides: LateClass):
    tides.extend("ana,tides,tomorrow")
    tides.hand_in_at("ana", "2026-12-04 18:00 UTC")
    with pytest.raises(CourseError, match=r"^extensions\.csv, line 2"):
        tides.record("ana")
    assert tides.scores() == {}


def test_names_that_nobody_has_are_told(tides: LateClass):
    tides.extend("anna,tides,+2", "bo,tides,+2")
    tides.hand_in_at("ana", "2026-12-04 18:00 UTC")
    tides.folder("submitted", "bo").mkdir(parents=True)
    tides.record("ana")
    line = "extensions.csv: no student is called 'anna' yet: compare the ids."
    assert tides.told == [line, f"{SEEN}: 1 of 1 lose points for being late"]
    tides.due(None)
    tides.record("ana")
    line = "extensions.csv names tides, which has no due date, so that nobody is late: set it in formgrader."
    assert tides.told[-1] == line


# What was graded by hand.


@pytest.fixture
def by_hand(tides: LateClass) -> LateClass:
    """ana, graded by hand: the question and one of the tasks, with a comment."""
    tides.hand_in_at("ana")
    tides.record("ana")
    with tides.gradebook() as book:
        for name in ("written_moon", "level"):
            grade = book.find_grade(name, "tides", "tides", "ana")
            grade.manual_score, grade.needs_manual_grade = 1.5, False
        book.find_comment("level_stub", "tides", "tides", "ana").manual_comment = "nearly"
        book.db.commit()
    return tides


def _flags(tides: LateClass) -> set[str]:
    """The grades that formgrader asks for; those given by hand and the comment are still there."""
    with tides.gradebook() as book:
        grades = book.find_submission_notebook("tides", "tides", "ana").grades
        assert {grade.name: grade.manual_score for grade in grades if grade.manual_score is not None} == {
            "written_moon": 1.5,
            "level": 1.5,
        }
        assert book.find_comment("level_stub", "tides", "tides", "ana").comment == "nearly"
        return {grade.name for grade in grades if grade.needs_manual_grade}


def test_grades_by_hand_are_kept_and_flagged_when_the_result_changes(by_hand: LateClass):
    by_hand.grade("ana", 0.4)
    assert by_hand.record("ana") == {} and _flags(by_hand) == {"written_moon", "level"}
    line = "ana: graded by hand before, and level changed since: look at it again in formgrader."
    assert by_hand.told[0] == line
    assert by_hand.record("ana") == {} and len(by_hand.told) == 1  # told once, flagged until it is looked at
    assert _flags(by_hand) == {"written_moon", "level"}


def test_grades_by_hand_are_not_flagged_when_nothing_changed(by_hand: LateClass):
    """As after a change of the engine, by which every key is another one."""
    (by_hand.folder("submitted", "ana") / "new.csv").write_text("1")
    by_hand.grade("ana")
    before = by_hand.autograded("ana")["metadata"]
    assert by_hand.record("ana") == {} and by_hand.autograded("ana")["metadata"] != before
    assert _flags(by_hand) == set() and by_hand.told == [f"{SEEN}: 0 of 1 lose points for being late"]


def test_another_answer_is_flagged_though_the_points_are_the_same(by_hand: LateClass):
    path = by_hand.folder("submitted", "ana") / "tides.ipynb"
    path.write_text(path.read_text().replace("*Your text.*", "The far side."))
    by_hand.grade("ana")
    assert by_hand.record("ana") == {} and _flags(by_hand) == {"written_moon", "level"}
    assert by_hand.told[0].startswith("ana: graded by hand before, and text changed since")
