"""A run over a class goes on, whatever is the matter with one of its students."""

import io
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from rich.console import Console
from small_class import Class, written

from autograder.grading import gradebook, intake, progress
from autograder.grading.cli import main
from autograder.grading.commands.parsers import INTERNAL
from autograder.grading.course import Course
from autograder.grading.grader import Grader
from autograder.grading.patience import await_gradebook
from autograder.grading.errors import CourseError
from autograder.grading.limits import Limits
from autograder.grading.run import ClassRun, grade_one, submitted_work
from autograder.grading.verdict import SubmissionResult, TaskResult, Verdict
from autograder.grading.work import Work

BIN = Path(sys.executable).parent

pytestmark = pytest.mark.xdist_group("run")  # two students, graded once


def test_files_that_cannot_be_taken_in_stop_nobody_else(course: Course, monkeypatch: pytest.MonkeyPatch):
    tides = Class(course)
    tides.write_suites()
    for student in ("ana", "bo"):
        tides.hand_in(student)
    take_in = intake.take_in

    def disk_error(course, lesson, student):
        if student == "ana":
            raise OSError(5, "Input/output error")
        return take_in(course, lesson, student)

    monkeypatch.setattr(intake, "take_in", disk_error)
    results, failures = ClassRun(course, tides.lesson, Console(quiet=True), jobs=1).grade(None, regrade=False)
    assert [(result.student, result.task("level").verdict) for result in results] == [("bo", Verdict.PASSED)]
    folder = tides.folder("submitted", "ana")
    assert failures == [
        f"ana was not taken in ([Errno 5] Input/output error): look at the files in {folder}."
    ]
    assert tides.scores().keys() == {"bo"}


@pytest.mark.parametrize("way", ["the class", "files", "nbgrader's button"])
def test_where_a_module_of_the_lesson_is_missing_nothing_is_graded(
    course: Course, monkeypatch: pytest.MonkeyPatch, capsys, tmp_path: Path, way: str
):
    tides = Class(course)
    tides.write_suites()
    text = tides.lesson.release.read_text(encoding="utf-8")
    tides.lesson.release.write_text(text.replace("import numpy as np", "import numpy as np, moon"))
    monkeypatch.chdir(course.root)
    line = "tides needs moon, not installed here: run `make setup`."
    tides.hand_in("ana")
    if way == "nbgrader's button":
        with pytest.raises(CourseError, match=f"^{line}$"):
            grade_one(course, tides.lesson, "ana")
    else:
        files = ["--from", str(tides.folder("submitted", "ana")), "--json", str(tmp_path / "scores.json")]
        monkeypatch.setattr("autograder.grading.release.ensure_released", lambda *_: None)
        assert main(["grade", "tides", *(files if way == "files" else [])]) == 2
        assert capsys.readouterr().err == f"autograder: {line}\n"
    assert not (course.build / "results").exists() and not (tmp_path / "scores.json").exists()


def test_a_machine_that_lacks_a_module_gives_no_zero(course: Course):
    """A worker of a cluster, say: whoever gave it the order lacks nothing."""
    tides = Class(course)
    tides.write_suites()
    tides.hand_in("ana")
    work = submitted_work(course, tides.lesson, "ana")
    text = tides.lesson.release.read_text(encoding="utf-8")
    tides.lesson.release.write_text(text.replace("import numpy as np", "import numpy as np, moon"))
    with Grader(course, tides.lesson, Limits()) as grader:
        result = grader.grade(work)
    assert {task.verdict for task in result.tasks} == {Verdict.INTERNAL}
    assert result.problems == ["internal: tides needs moon, not installed here: run `make setup`."]


@pytest.fixture(scope="module")
def graded_once(released_once: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    course = Course(shutil.copytree(released_once, tmp_path_factory.mktemp("graded") / "course"))
    made = Class(course)
    made.write_suites()
    made.hand_in("ana")
    made.hand_in("bo", written("def level(hours):\n    return np.cos(np.asarray(hours) / 2)"))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(course.root)
        assert main(["grade", "tides", "--jobs", "1"]) == 0
    return course.root


@pytest.fixture
def tides(graded_once: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Class:
    """Ana is right, Bo is wrong; both are graded and recorded, in a course of the test's own."""
    course = Course(shutil.copytree(graded_once, tmp_path / "course"))
    monkeypatch.chdir(course.root)
    return Class(course)


def kept(tides: Class) -> dict[str, tuple[bytes, int]]:
    paths = [tides.store.path(tides.lesson, student) for student in ("ana", "bo")]
    return {path.stem: (path.read_bytes(), path.stat().st_mtime_ns) for path in paths}


def test_failed_grades_again_only_those_with_a_task_that_did_not_pass(tides: Class):
    before = kept(tides)
    assert main(["grade", "tides", "--failed", "--jobs", "1"]) == 0
    after = kept(tides)
    assert before["bo"] != after["bo"]
    assert tides.store.load(tides.lesson, "ana").task("cause").verdict is Verdict.MISSING
    assert before["ana"] != after["ana"]  # she left the question open


def test_a_dry_run_tells_whose_result_would_change_and_why_and_changes_nothing(
    tides: Class, capsys: pytest.CaptureFixture
):
    suite = tides.lesson.hidden / "test_level.py"
    suite.write_text(suite.read_text().replace("np.sin(hours / 2)", "np.cos(hours / 2)"))
    before, scores = kept(tides), tides.scores()
    capsys.readouterr()
    assert main(["grade", "tides", "--dry-run", "--jobs", "1"]) == 0
    said = capsys.readouterr().out
    assert "2 results would change" in said
    assert (
        "level: test_night was passed, is failed" in said
        and "level: test_night was failed, is passed" in said
    )
    assert (kept(tides), tides.scores()) == (before, scores)


def test_a_dry_run_tells_whose_points_another_weight_would_change(
    tides: Class, capsys: pytest.CaptureFixture
):
    tides.hand_in("cy", written("def level(hours):\n    return np.sin(6.0)"))  # noon alone
    assert main(["grade", "tides", "--jobs", "1"]) == 0
    suite = tides.lesson.hidden / "test_level.py"
    night = "def test_night"
    suite.write_text(f"import pytest\n{suite.read_text()}".replace(night, f"@pytest.mark.weight(9)\n{night}"))
    capsys.readouterr()
    assert main(["grade", "tides", "--dry-run", "--jobs", "1", "--student", "cy"]) == 0
    said = capsys.readouterr().out
    assert re.search(r"level: \S+/2 → \S+/2: the same tests hold, and count otherwise", said)


def test_a_dry_run_with_a_broken_suite_says_that_the_grader_failed(
    tides: Class, capsys: pytest.CaptureFixture
):
    suite = tides.lesson.hidden / "test_level.py"
    suite.write_text(f"{suite.read_text()}\nthis_is_nowhere\n")
    capsys.readouterr()
    assert main(["grade", "tides", "--dry-run", "--jobs", "1"]) == INTERNAL
    said = capsys.readouterr().out
    assert "→ internal" in said and "internal: test_level.py cannot" in said
    assert "not there any more" not in said


def test_a_run_takes_over_what_a_dry_run_graded(tides: Class, monkeypatch: pytest.MonkeyPatch):
    suite = tides.lesson.hidden / "test_level.py"
    suite.write_text(suite.read_text().replace("np.sin(hours / 2)", "np.cos(hours / 2)"))
    main(["grade", "tides", "--dry-run", "--jobs", "1"])
    monkeypatch.setattr(Grader, "grade", lambda *_: pytest.fail("graded again"))
    scores = tides.scores()
    assert main(["grade", "tides", "--jobs", "1"]) == 0
    assert tides.scores() != scores and sorted(tides.scores()) == ["ana", "bo"]
    assert list((tides.course.build / "proposed").rglob("*.json")) == []


def test_regrade_grades_again_what_a_dry_run_graded(tides: Class, monkeypatch: pytest.MonkeyPatch):
    suite = tides.lesson.hidden / "test_level.py"
    suite.write_text(f"{suite.read_text()}\n# another suite, by a line\n")
    main(["grade", "tides", "--dry-run", "--jobs", "1"])
    grade, graded = Grader.grade, []

    def noted(grader: Grader, work: Work) -> SubmissionResult:
        graded.append(work.submission.student)
        return grade(grader, work)

    monkeypatch.setattr(Grader, "grade", noted)
    assert main(["grade", "tides", "--regrade", "--jobs", "1"]) == 0
    assert sorted(graded) == ["ana", "bo"]


def test_a_dry_run_with_nothing_new_says_so(tides: Class, capsys: pytest.CaptureFixture):
    capsys.readouterr()
    assert main(["grade", "tides", "--dry-run"]) == 0
    assert capsys.readouterr().out.strip() == "Nobody's result would change."


def test_who_was_not_chosen_is_not_said_to_have_handed_in_nothing(
    tides: Class, capsys: pytest.CaptureFixture
):
    gradebook.add_students(tides.course, ["cy"])
    capsys.readouterr()
    assert main(["grade", "tides", "--student", "ana", "--jobs", "1"]) == 0
    said = capsys.readouterr().out
    assert "tides: 1 of 2 hand-ins" in said and " bo " not in said
    assert [line.split()[1] for line in said.splitlines() if "nothing handed in" in line] == ["cy"]
    assert main(["grade", "tides", "--jobs", "1"]) == 0
    said = capsys.readouterr().out
    assert "tides: 2 handed in" in said
    assert [line.split()[1] for line in said.splitlines() if "nothing handed in" in line] == ["cy"]


def test_who_could_not_be_taken_in_is_not_said_to_have_handed_in_nothing(
    tides: Class, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
):
    monkeypatch.setattr(intake, "take_in", lambda *_: 1 / 0)
    capsys.readouterr()
    assert main(["grade", "tides", "--jobs", "1"]) == 1
    said = capsys.readouterr()
    assert "tides: 0 of 2 hand-ins" in said.out and "nothing handed in" not in said.out
    assert "bo was not taken in" in said.err


def test_who_handed_in_nothing_is_told_the_lessons_folder(tides: Class, capsys: pytest.CaptureFixture):
    capsys.readouterr()
    assert main(["grade", "tides", "--student", "cy"]) == 2
    folder = tides.folder("submitted", "cy")
    line = f"autograder: cy handed in nothing for tides: put the notebook into {folder}.\n"
    assert capsys.readouterr().err == line
    assert main(["grade", "tides", "--student", "anna"]) == 2
    assert "anna handed in nothing for tides: did you mean `ana`? If not, put" in capsys.readouterr().err


def test_quiet_prints_nothing(tides: Class, capsys: pytest.CaptureFixture):
    capsys.readouterr()
    assert main(["grade", "tides", "--quiet", "--regrade", "--jobs", "1"]) == 0
    assert capsys.readouterr() == ("", "")


def test_every_run_leaves_a_log(tides: Class):
    [log] = (tides.course.build / "logs").glob("tides-*.log")
    text = log.read_text()
    assert "2 to grade" in text and " ended: 2 of 2 graded" in text
    assert len([line for line in text.splitlines() if " ana 2/3 in " in line and "level=passed" in line]) == 1


def test_a_locked_gradebook_is_waited_for(tides: Class):
    holder = sqlite3.connect(tides.course.gradebook, check_same_thread=False)
    holder.execute("BEGIN EXCLUSIVE")
    patience = threading.Timer(60, holder.rollback)  # so that a run that says nothing ends as well
    patience.start()
    command = [BIN / "autograder", "grade", "tides", "--regrade", "--student", "bo", "--jobs", "1"]
    with subprocess.Popen(command, cwd=tides.course.root, stdout=subprocess.PIPE, text=True) as run:
        said = run.stdout.readline()
        patience.cancel()
        holder.rollback()
        said += run.stdout.read()
    holder.close()
    assert run.returncode == 0
    assert "is locked by another program: close what writes to it. Waiting" in said
    assert "The gradebook is back: going on." in said
    assert sorted(tides.scores()) == ["ana", "bo"]


def test_a_gradebook_that_was_moved_is_waited_for(course: Course):
    path = course.build / "gradebook.db"
    away = path.rename(path.with_name("away.db"))
    threading.Timer(2, lambda: away.rename(path)).start()
    told = []
    await_gradebook(path, told.append)
    assert "put it back in its place" in told[0] and told[1:] == ["The gradebook is back: going on."]


def test_a_run_does_not_begin_a_new_gradebook_where_one_is_gone(tides: Class, capsys: pytest.CaptureFixture):
    (tides.course.build / "gradebook.db").rename(tides.course.build / "away.db")
    assert main(["grade", "tides"]) == 2
    assert "is gone, in which results were recorded: put it back" in capsys.readouterr().err
    assert not (tides.course.build / "gradebook.db").exists()


class Clock:
    def __init__(self):
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(progress.time, "monotonic", made.monotonic)
    return made


def result(student: str, verdict: Verdict = Verdict.PASSED) -> SubmissionResult:
    return SubmissionResult(student, "tides", [], [TaskResult("level", verdict, 1.0, 2.0)], seconds=1.5)


def test_a_line_now_and_then_where_there_is_no_terminal(tmp_path: Path, clock: Clock):
    out = io.StringIO()
    with progress.RunProgress(Console(file=out, width=200), 40, tmp_path / "log") as shown:
        for number in range(20):
            shown.started(f"s{number}")
            if number == 12:
                shown.started("slow")
            clock.now += 1
            shown.finished(result(f"s{number}", Verdict.FAILED if number % 2 else Verdict.PASSED))
    lines = out.getvalue().splitlines()
    assert lines == [
        "10 of 40 graded, 1.0 a second, 30 s left; tasks: 5 passed, 5 failed",
        "20 of 40 graded, 1.0 a second, 20 s left; tasks: 10 passed, 10 failed; slowest now: slow (8 s)",
    ]


def test_the_picture_in_a_terminal(tmp_path: Path, clock: Clock):
    screen = Console(file=io.StringIO(), width=100, force_terminal=True, legacy_windows=False)
    shown = progress.RunProgress(screen, 3000, tmp_path / "log")
    with shown:
        shown.started("slow [b]")
        clock.now += 90
        shown.finished(result("ana"))
        with screen.capture() as capture:
            screen.print(shown._picture())
    text = re.sub(r"\x1b\[[0-9;]*m", "", capture.get())
    assert "1/3000" in text and "0.0 a second, 74 h 58 min left" in text
    assert "✓ 1 passed" in text and "slowest now: slow [b] (1 min 30 s)" in text


def test_feedback_can_wait(course: Course, monkeypatch: pytest.MonkeyPatch):
    tides = Class(course)
    tides.write_suites()
    tides.hand_in("ana")
    monkeypatch.chdir(course.root)
    page = tides.folder("feedback", "ana") / "tides.html"
    assert main(["grade", "tides", "--no-feedback", "--quiet"]) == 0
    assert tides.scores()["ana"] and not page.exists()
    assert main(["grade", "tides", "--quiet"]) == 0
    assert page.exists()


def test_a_result_tells_where_its_seconds_went(course: Course):
    tides = Class(course)
    tides.write_suites()
    tides.hand_in("ana")
    intake.take_in(course, tides.lesson, "ana")
    result = grade_one(course, tides.lesson, "ana")
    spent = {name: getattr(result.spent, name) for name in result.spent.__struct_fields__}
    inside = spent.pop("inside")
    assert spent["start"] > 0 and spent["suite"] > 0 and spent["cells"] > 0
    assert 0 < inside and sum(spent.values()) <= result.seconds
