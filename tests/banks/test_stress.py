"""What only shows in bulk and by chance: hundreds of loops and memory bombs among the honest, and a grader
that is killed at any moment."""

import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

import pytest
from processes import descendants, proportional_share
from small_class import Class, written

from autograder.grading import gradebook
from autograder.grading.course import Course
from autograder.grading.limits import MIB, Limits
from autograder.grading.pool import grade_all
from autograder.grading.results import ResultStore
from autograder.grading.run import submitted_work
from autograder.grading.verdict import SubmissionResult, Verdict

pytestmark = pytest.mark.slow
RIGHT = "def level(hours):\n    return np.sin(np.asarray(hours) / 2)"
WRONG = "def level(hours):\n    return np.cos(np.asarray(hours) / 2)"
LOOPS = (
    "def level(hours):\n    while True:\n        pass",
    "def level(hours):\n    return sum(range(10**12))",
    "def level(hours):\n    try:\n        while True: pass\n    except BaseException: return level(hours)",
    "while True:\n    pass",
)
BOMBS = (
    "def level(hours):\n    return [bytearray(2**24) for _ in range(10**6)]",
    "def level(hours):\n    return np.ones(10**10)",
    "def level(hours):\n    return 'x' * 10**10",
    "kept = [0]\nwhile True:\n    kept += kept",
)
LIMITS = Limits(call=1.0, cell=1.0, memory=512 * MIB)
JOBS = 2
BOUND = JOBS * (LIMITS.memory + 512 * MIB)  # for each job a submission, a template and a judge


def hand_in(room: Class, kinds: dict[str, tuple[tuple[str, ...], int]]) -> None:
    for kind, (texts, count) in kinds.items():
        for number in range(count):
            room.hand_in(f"{kind}{number:03}", written(texts[number % len(texts)]))


class Watch(threading.Thread):
    """Looks at the memory of all processes that came below this one since it was made: graders of other tests
    may still be there."""

    def __init__(self):
        super().__init__(daemon=True)
        self.most, self._over = 0, threading.Event()
        self._others = set(descendants(os.getpid()))

    def run(self) -> None:
        while not self._over.wait(0.2):
            ours = set(descendants(os.getpid())) - self._others
            self.most = max(self.most, sum(map(proportional_share, ours)))

    def __enter__(self) -> "Watch":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self.join()


def told(result: SubmissionResult) -> tuple:
    return result.problems, result.tasks


def test_two_hundred_loops_and_memory_bombs_hurt_none_of_two_hundred_honest(course: Course):
    room = Class(course)
    room.write_suites()
    hand_in(room, {"bomb": (BOMBS, 40), "honest": ((RIGHT, WRONG), 200), "loop": (LOOPS, 200)})
    everybody = sorted(path.name for path in (course.build / "submitted").iterdir())
    random.Random(0).shuffle(everybody)

    def graded(students: list[str]) -> dict[str, SubmissionResult]:
        works = [partial(submitted_work, course, room.lesson, student) for student in students]
        return {result.student: result for result in grade_all(course, room.lesson, LIMITS, works, JOBS)}

    with Watch() as watch:
        together = graded(everybody)
    honest = [student for student in everybody if student.startswith("honest")]
    alone = graded(honest)
    for student in honest:
        right = int(student[-3:]) % 2 == 0
        assert alone[student].task("level").verdict is (Verdict.PASSED if right else Verdict.FAILED)
        assert told(together[student]) == told(alone[student])
    for student in set(everybody) - set(honest):
        assert not together[student].internal and together[student].task("level").points == 0, student
    assert 100 * MIB < watch.most < BOUND, f"{watch.most / MIB:.0f} MiB"


# ── killed ──


STUDENTS = {"ana": RIGHT, "bo": WRONG, "cem": "def level(hours):\n    1 / 0", "dee": "", "eli": LOOPS[0]}


COMMAND = [str(Path(sys.executable).parent / "autograder"), "grade", "tides"]


def grade(course: Course) -> None:
    run = subprocess.run(COMMAND, cwd=course.root, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def state(course: Course) -> dict:
    """Everything that a grading leaves, but for how long it took."""
    lesson, store = course.lesson("tides"), ResultStore(course)
    files = sorted(
        str(path.relative_to(course.build))
        for step in ("autograded", "feedback", "received", "results", "submitted")
        for path in (course.build / step).rglob("*")
        if path.is_file()
    )
    reports = {student: store.load(lesson, student).report() for student in STUDENTS}
    return {"files": files, "reports": reports, "scores": gradebook.scores(course, lesson)}


@pytest.fixture(scope="module")
def undisturbed(released_once: Path, tmp_path_factory: pytest.TempPathFactory):
    """The class before it was graded, what an undisturbed grading makes of it, and how long that takes."""
    folder = tmp_path_factory.mktemp("killed")
    room = Class(Course(shutil.copytree(released_once, folder / "before")))
    room.write_suites()
    for student, text in STUDENTS.items():
        room.hand_in(student, written(text))
    course = Course(shutil.copytree(folder / "before", folder / "graded"))
    started = time.monotonic()
    grade(course)
    return folder / "before", state(course), time.monotonic() - started


@pytest.mark.parametrize("number", range(20))
def test_a_grading_killed_at_any_moment_ends_as_if_undisturbed(undisturbed, tmp_path: Path, number: int):
    before, expected, seconds = undisturbed
    course = Course(shutil.copytree(before, tmp_path / "course"))
    killed = subprocess.Popen(COMMAND, cwd=course.root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    moment = random.Random(number).uniform(0.1, 0.95)
    time.sleep(moment * seconds)
    killed.send_signal(signal.SIGKILL)
    assert killed.wait() in (-signal.SIGKILL, 0)
    await_the_end_of_all(course)
    grade(course)
    assert state(course) == expected


def await_the_end_of_all(course: Course) -> None:
    """Judges, templates and submissions end by themselves when the grader is gone."""
    mark, deadline = os.fsencode(course.root), time.monotonic() + 20
    while time.monotonic() < deadline:
        if not any(mark in environment_of(pid) for pid in Path("/proc").glob("[0-9]*")):
            return
        time.sleep(0.1)
    pytest.fail("processes of a killed grading go on")


def environment_of(process: Path) -> bytes:
    with contextlib.suppress(OSError):
        return (process / "environ").read_bytes()
    return b""
