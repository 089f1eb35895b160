"""Grading on dask.distributed gives what grading one by one gives, and survives the death of workers."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from distributed import Client
from processes import children, command_line, descendants
from small_class import Class, written

from autograder.grading import cluster
from autograder.grading.course import Course
from autograder.grading.errors import CourseError
from autograder.grading.limits import Limits
from autograder.grading.pool import grade_all
from autograder.grading.run import submitted_work
from autograder.grading.verdict import SubmissionResult, Verdict

BIN = Path(sys.executable).parent
TEXTS = {
    "ana": "def level(hours):\n    return np.sin(np.asarray(hours) / 2)",
    "bo": "def level(hours):\n    return np.cos(np.asarray(hours) / 2)",
    "cem": "def level(hours):\n    1 / 0",
    "dee": "import os\nos._exit(1)",
    "eli": "def level(hours):\n    return [np.sin(hour / 2) for hour in np.ravel(hours)]",
    "fay": "import time\ntime.sleep(1)\ndef level(hours):\n    return np.sin(hours / 2)",
}

pytestmark = pytest.mark.xdist_group("cluster")  # one class, graded once without a cluster


@pytest.fixture(scope="module")
def room(released_once: Path, tmp_path_factory: pytest.TempPathFactory) -> Class:
    """A class that is graded and never recorded."""
    made = Class(Course(shutil.copytree(released_once, tmp_path_factory.mktemp("class") / "course")))
    made.write_suites()
    for student, text in TEXTS.items():
        made.hand_in(student, written(text))
    return made


def graded(room: Class, jobs: int, scheduler: str | None = None) -> dict[str, SubmissionResult]:
    works = [partial(submitted_work, room.course, room.lesson, student) for student in TEXTS]
    results = list(grade_all(room.course, room.lesson, Limits(), works, jobs, scheduler))
    assert sorted(result.student for result in results) == sorted(TEXTS)
    return {result.student: result for result in results}


@pytest.fixture(scope="module")
def alone(room: Class) -> dict[str, SubmissionResult]:
    """What grading one by one gives."""
    return graded(room, 1)


def told(results: dict[str, SubmissionResult]) -> dict[str, tuple]:
    return {student: (result.problems, result.tasks, result.outputs) for student, result in results.items()}


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A scheduler and two workers, started as the commands that a user starts."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    folder = tmp_path_factory.mktemp("nodes")
    log = (folder / "log").open("w")
    commands = [
        ["dask", "scheduler", "--host", "127.0.0.1", "--port", address.rpartition(":")[2], "--no-dashboard"],
        *(["dask", "worker", address, "--nthreads", "1", "--no-dashboard", "--local-directory", str(folder)],)
        * 2,
    ]
    nodes = [
        subprocess.Popen([BIN / command[0], *command[1:]], cwd=folder, stdout=log, stderr=log)
        for command in commands
    ]
    try:
        with Client(address, timeout="60s") as client:
            client.wait_for_workers(2, 60)
        yield address
    finally:
        for node in reversed(nodes):
            node.kill()
        for node in nodes:
            node.wait(20)
        log.close()


def test_the_same_class_gets_the_same_wherever_it_is_graded(
    room: Class, alone: dict[str, SubmissionResult], scheduler: str
):
    assert told(alone) == told(graded(room, 1, scheduler)) == told(graded(room, 1, scheduler))


def test_a_worker_that_is_killed_is_replaced_and_its_submission_tried_again(
    room: Class, alone: dict[str, SubmissionResult]
):
    done = threading.Event()

    def kill_one() -> None:
        while not done.wait(0.05):
            for worker in children(os.getpid()):
                if len(descendants(worker)) > 1:  # a judge and its template: it is at work
                    os.kill(worker, signal.SIGKILL)
                    return

    killer = threading.Thread(target=kill_one)
    killer.start()
    results = graded(room, 2)
    assert not killer.is_alive()
    done.set()
    killer.join()
    assert told(results) == told(alone)


def deadly(seat: str, work: bytes) -> bytes:
    if b"eli" in work:
        os._exit(1)
    return SERIOUS(seat, work)


SERIOUS = cluster.graded


def test_a_submission_that_ends_two_workers_is_internal_and_the_others_go_on(
    room: Class, alone: dict[str, SubmissionResult], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(cluster, "graded", deadly)
    results = graded(room, 2)
    fatal = results.pop("eli")
    assert fatal.internal and "two workers ended" in fatal.problems[-1]
    assert {task.verdict for task in fatal.tasks} == {Verdict.INTERNAL} and fatal.points == 0
    assert told(results) == told({student: alone[student] for student in results})


def test_no_scheduler_is_one_clear_line(room: Class):
    with pytest.raises(CourseError, match=r"no scheduler answers at tcp://127.0.0.1:1 .*: give the address"):
        graded(room, 2, "tcp://127.0.0.1:1")


def test_a_cluster_of_its_own_gives_the_same_and_nothing_is_left_of_it(
    room: Class, alone: dict[str, SubmissionResult], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    before = set(children(os.getpid()))
    assert told(graded(room, 2)) == told(alone)
    new = filter(None, map(command_line, set(children(os.getpid())) - before))
    assert [line for line in new if "resource_tracker" not in line] == []  # Python's own, of which one stays
    assert list(tmp_path.glob("c*-*")) == []


def _workers(run: int) -> set[int]:
    """The processes of a run in which Dask's workers begin."""
    return {pid for pid in children(run) if "spawn_main" in command_line(pid)}


def test_control_c_stops_cleanly_and_the_next_run_goes_on(course: Course):
    room = Class(course)
    room.write_suites()
    for number in range(8):
        text = TEXTS["fay"] if number else TEXTS["ana"]
        room.hand_in(f"s{number}", written(text))
    command = [BIN / "autograder", "grade", "tides"]
    run = subprocess.Popen(
        command,
        cwd=course.root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    first = room.store.path(room.lesson, "s0")
    asked: set[int] = set()
    while not first.exists() and run.poll() is None:
        for worker in _workers(run.pid) - asked:  # as early as can be: they leave Ctrl-C to the run
            os.kill(worker, signal.SIGINT)
            asked.add(worker)
        time.sleep(0.01)
    assert asked
    os.killpg(run.pid, signal.SIGINT)  # as the terminal does, to everybody
    _, said = run.communicate(timeout=60)
    assert run.returncode == 130
    assert said == "autograder: stopped; what was graded is kept, run the same command to go on.\n"
    kept = {path: path.stat().st_mtime_ns for path in first.parent.iterdir()}
    assert 1 <= len(kept) < 8
    again = subprocess.run(command, cwd=course.root, capture_output=True, text=True)
    assert again.returncode == 0, again.stderr
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert len(room.scores()) == 8
