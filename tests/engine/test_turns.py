"""Collecting and grading of one lesson at once: each waits for its turn, and loses nothing of the other's."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator

import pytest
from hand_in import done
from lms_archives import Files, notebook
from lms_desk import Desk
from rich.console import Console
from small_class import Class, written

from autograder.grading import gradebook, intake
from autograder.grading.course import Course, Lesson
from autograder.grading.grader import Grader
from autograder.grading.people import people
from autograder.grading.receipts import Received
from autograder.grading.run import ClassRun, grade_one
from autograder.grading.turns import turn

HOLDER = """
import sys, time
from autograder.grading.course import Course
from autograder.grading.turns import turn

course = Course(sys.argv[1])
with turn(course, course.lesson("tides")):
    print("held", flush=True)
    time.sleep(600)
"""
WAITING = "tides: another program is at its hand-ins. Waiting; Ctrl-C loses nothing.\n"


@pytest.fixture
def holder(course: Course) -> Iterator[subprocess.Popen]:
    """Another program whose turn it is."""
    process = subprocess.Popen([sys.executable, "-c", HOLDER, course.root], stdout=subprocess.PIPE, text=True)
    with process:
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def attempt(number: int, data: bytes) -> Files:
    return {f"lovelaceada_101_{number}_tides.ipynb": data}


def meanwhile(monkeypatch: pytest.MonkeyPatch, happens: Callable[[], object]) -> None:
    """Have something happen once, when a collect has read its archive and waits for the gradebook."""

    def wait(*_) -> None:
        monkeypatch.undo()
        happens()

    monkeypatch.setattr(gradebook, "await_in_place", wait)


def test_of_two_collects_at_once_the_newer_attempt_counts(desk: Desk, lesson: Lesson, monkeypatch):
    older = desk.put(attempt(1, notebook(lesson, "first")), "older.zip")
    later = attempt(2, notebook(lesson, "second")) | {"bo_102_3_tides.ipynb": notebook(lesson)}
    newer = desk.put(later, "n.zip")
    with monkeypatch.context() as patch:
        meanwhile(patch, lambda: desk.collect("canvas", newer))
        out = desk.collect("canvas", older)
    assert "101: a newer one came with n.zip and still counts" in out
    assert desk.placed("101", "tides.ipynb") == notebook(lesson, "second")
    assert people(desk.course, lesson).students.keys() == {"101", "102"}


def test_what_grading_takes_in_during_a_collect_keeps_its_receipt(desk: Desk, lesson: Lesson, monkeypatch):
    desk.collect("canvas", desk.put(attempt(1, notebook(lesson, "first"))))
    (desk.course.build / "submitted" / "101" / "tides" / "notes.ipynb").write_bytes(b"no notebook")
    with monkeypatch.context() as patch:
        meanwhile(patch, lambda: intake.take_in(desk.course, lesson, "101"))
        desk.collect("canvas", desk.put(attempt(2, notebook(lesson, "second"))))
    ledger = Received(desk.course.build / "received" / "101" / "tides").ledger
    assert {receipt.name for receipt in ledger.received} == {"tides.ipynb", "notes.ipynb"}
    assert len(ledger.received) == 3 and len(ledger.deliveries) == 2 and ledger.chosen == ""


@pytest.mark.parametrize("way", ["the class", "one"])
def test_an_attempt_that_comes_while_the_one_before_is_graded_is_graded_too(
    desk: Desk, lesson: Lesson, monkeypatch, way: str
):
    """The result of the one before never stands for it."""
    tides = Class(desk.course)
    tides.write_suites()
    wrong = done(lesson)
    written("def level(hours):\n    return 0")(wrong)
    unpatched = Grader.grade

    def slow(self: Grader, work):
        result = unpatched(self, work)
        if len(Received(desk.course.build / "received" / "101" / "tides").ledger.deliveries) == 1:
            desk.collect("canvas", desk.put(attempt(2, notebook(lesson))))
        return result

    monkeypatch.setattr(Grader, "grade", slow)
    desk.collect("canvas", desk.put(attempt(1, json.dumps(wrong).encode())))
    if way == "one":
        intake.take_in(desk.course, lesson, "101")
        grade_one(desk.course, lesson, "101")
    (result,), failures = ClassRun(desk.course, lesson, Console(quiet=True), jobs=1).grade(None)
    assert failures == [] and result.task("level").points == 2 and tides.scores() == {"101": 2}


def test_a_collect_waits_for_its_turn_and_says_so_once(desk: Desk, lesson: Lesson, holder):
    path, came = desk.put(attempt(1, notebook(lesson))), []
    thread = threading.Thread(target=lambda: came.append(desk.run("canvas", path)), daemon=True)
    thread.start()
    thread.join(3)
    assert thread.is_alive() and desk.tree() == {}
    os.kill(holder.pid, signal.SIGKILL)
    thread.join(60)
    code, _, err = came[0]
    assert code == 0 and err == WAITING and desk.tree() == {"101": {"tides.ipynb"}}


def test_taking_in_waits_for_its_turn_and_says_so_once(desk: Desk, lesson: Lesson, holder, capsys):
    desk.course.build.joinpath("submitted", "ana", "tides").mkdir(parents=True)
    told = []

    def take_in() -> None:
        told.extend(intake.take_in(desk.course, lesson, "ana"))

    thread = threading.Thread(target=take_in, daemon=True)
    thread.start()
    thread.join(2)
    assert thread.is_alive()
    os.kill(holder.pid, signal.SIGKILL)
    thread.join(60)
    assert "No notebook was handed in" in told[0] and capsys.readouterr().err == WAITING


def test_another_lesson_waits_for_nobody(desk: Desk, holder, capsys):
    with turn(desk.course, Lesson("rocks", desk.course.root)):
        assert capsys.readouterr().err == ""
