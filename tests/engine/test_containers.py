"""Grading in a container of Gradescope's or PrairieLearn's: what is packed, what is run, and what is told."""

import json
import os
import shutil
import stat
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import container
import pytest
from container import in_container, open_folder
from small_class import RIGHT, Class

from autograder.grading.cli import main
from autograder.grading.containers import gradescope, job, pack, pins, prairielearn
from autograder.grading.containers.pins import pinned
from autograder.grading.course import Course
from autograder.grading.errors import CourseError
from autograder.grading.grader import Grader
from autograder.grading.limits import MIB, Limits
from autograder.grading.secret import course_secret
from autograder.grading.submission import read_file
from autograder.grading.verdict import SubmissionResult, TaskResult, TestResult, Verdict
from autograder.grading.work import work_on
from autograder.sandbox.confinement import CONTAINER, missing

confining = pytest.mark.skipif(bool(missing()), reason="this machine cannot confine")
RESULT_FIELDS = {"score", "execution_time", "output", "output_format", "visibility", "stdout_visibility",
                 "tests", "extra_data"}  # fmt: skip
TEST_FIELDS = {"score", "max_score", "status", "name", "number", "output", "output_format"}
ALONE = "import numpy as np\n"  # in front of a function that is handed in as a file


@pytest.fixture
def packable(course: Course) -> Course:
    Class(course).write_suites()
    return course


@pytest.fixture(scope="module")
def packable_once(released_once: Path, tmp_path_factory: pytest.TempPathFactory) -> Course:
    course = Course(shutil.copytree(released_once, tmp_path_factory.mktemp("packed") / "course"))
    Class(course).write_suites()
    return course


def unpacked(archive: bytes, folder: Path) -> None:
    path = folder / "archive.zip"
    path.write_bytes(archive)
    subprocess.run(["unzip", "-q", path, "-d", folder / "source"], check=True)
    path.unlink()


# ── what is packed ──


def test_the_archive_holds_what_gradescope_asks_for(packable: Course, tmp_path: Path):
    archive = tmp_path / "tides.zip"
    assert _command(packable, "gradescope", "tides", "--out", str(archive), "--visibility", "hidden") == 0
    with zipfile.ZipFile(archive) as packed:
        modes = {entry.filename: entry.external_attr >> 16 for entry in packed.infolist()}
        texts = {name: packed.read(name) for name in packed.namelist()}
    assert modes["setup.sh"] & modes["run_autograder"] & 0o111 == 0o111
    assert [name for name, mode in modes.items() if mode & 0o077 and not pack.is_script(name)] == []
    assert texts["run_autograder"].startswith(b"#!")
    assert texts["course/course_secret"].strip() == course_secret(packable.root)
    assert json.loads(texts["packed.json"]) == {"lesson": "tides", "visibility": "hidden"}
    suite = {"test_level.py", "test_cause.py", "misconceptions.py"}
    release = {"tides.ipynb", "public_checks.py", "lesson.json"}
    of_course = {"course/solutions/tides.py", "course/course_secret"}
    of_course |= {f"course/tests/hidden/tides/{name}" for name in suite}
    of_course |= {f"course/assignments/tides/{name}" for name in release}
    assert {name for name in texts if name.startswith("course/")} == of_course


def test_the_same_course_gives_the_same_archive(packable: Course):
    lesson = packable.lesson("tides")
    first = pack.gradescope_archive(packable, lesson, "visible")
    (packable.build / "template").mkdir(parents=True, exist_ok=True)
    (packable.build / "template" / "fonts").write_text("of this machine")
    assert pack.gradescope_archive(packable, lesson, "visible") == first


def test_the_image_holds_no_secret(packable: Course, tmp_path: Path):
    made = tmp_path / "question"
    command = ["prairielearn", "tides", "--out", str(made), "--image", "our/tides"]
    assert _command(packable, *command) == 0
    paths = [path for path in (made / "image").rglob("*") if path.is_file()]
    image = {path.relative_to(made / "image").as_posix() for path in paths}
    assert {name for name in image if not name.startswith("autograder/")} == {"Dockerfile", "setup.sh",
        "python-version", "requirements.txt"}  # fmt: skip
    info = json.loads((made / "question" / "info.json").read_text())
    options = info["externalGradingOptions"]
    assert (info["type"], info["gradingMethod"]) == ("v3", "External")
    assert (options["enabled"], options["image"]) == (True, "our/tides")
    entry = made / "question" / options["entrypoint"].removeprefix("/grade/")
    assert entry.stat().st_mode & stat.S_IXUSR
    assert Limits().submission * job.HALF_A_PROCESSOR < options["timeout"] <= 600
    assert 'file-names="tides.ipynb"' in (made / "question" / "question.html").read_text()
    assert _command(packable, *command) == 2  # it is there already


def test_versions_are_those_installed_here_and_all_that_is_needed(packable: Course):
    wanted = dict(line.split("==") for line in pinned(packable.lesson("tides")).splitlines())
    assert {name: version(name).partition("+")[0] for name in wanted} == wanted
    assert {"numpy", "scipy", "pytest", "ipython", "landlockpy", "traitlets", "pluggy"} <= wanted.keys()
    assert wanted.keys().isdisjoint({"torch", "nbgrader", "jupyterlab", "distributed", "rich"})
    text = packable.lesson("tides").release.read_text()
    packable.lesson("tides").release.write_text(text.replace("import math, json", "import torch"))
    wanted = pinned(packable.lesson("tides"))
    assert f"torch=={version('torch').partition('+')[0]}\n" in wanted and "sympy==" in wanted
    assert "nvidia" not in wanted


def test_packages_that_ask_for_each_other_are_pinned_once(packable: Course, monkeypatch):
    """With extras, by which each asks for more of the other."""

    class Fake:
        version = "1.0"

        def __init__(self, name: str, *requires: str):
            self.metadata, self.requires = {"Name": name}, requires

    asked = {
        "numpy": Fake("numpy", "hen[all]"),
        "hen": Fake("hen", "egg[all]; extra == 'all'", "nest"),
        "egg": Fake("egg", "hen[all]; extra == 'all'", "shell; extra == 'all'"),
    }
    monkeypatch.setattr(pins, "distribution", lambda name: asked.get(name) or Fake(name))
    made = pinned(packable.lesson("tides")).splitlines()
    assert {"hen==1.0", "egg==1.0", "nest==1.0", "shell==1.0"} < set(made)
    assert len(made) == len(set(made))


@pytest.mark.parametrize("out", ["tides.tar", "nosuch/tides.zip", "."])
def test_a_place_that_cannot_be_written(packable: Course, tmp_path: Path, monkeypatch, capsys, out: str):
    monkeypatch.chdir(packable.root)
    assert main(["gradescope", "tides", "--out", out]) == 2
    assert "--out" in capsys.readouterr().err


def test_a_lesson_that_is_not_finished(new_course: Course, tmp_path: Path, capsys):
    assert _command(new_course, "gradescope", "tides", "--out", str(tmp_path / "tides.zip")) == 2
    assert "autograder release tides" in capsys.readouterr().err
    assert not list(tmp_path.glob("*.zip"))


def _command(course: Course, *arguments: str) -> int:
    before = os.getcwd()
    os.chdir(course.root)
    try:
        return main(list(arguments))
    finally:
        os.chdir(before)


# ── what is told ──


def graded(*verdicts: Verdict, readable: bool = True, **more) -> job.Graded:
    tests = [TestResult("test_x", verdict, "It is <b>7</b>.", "The height.") for verdict in verdicts]
    tasks = [
        TaskResult(f"task{n}", verdict, 2.0 * (verdict is Verdict.PASSED), 2.0, tests=[test])
        for n, (verdict, test) in enumerate(zip(verdicts, tests, strict=True))
    ]
    problems = more.pop("problems", [])
    return job.Graded(SubmissionResult("ada", "tides", problems, tasks, seconds=3.4, **more), readable)


def test_a_result_for_gradescope():
    made = gradescope.report(graded(Verdict.PASSED, Verdict.TIMEOUT, problems=["Odd <i>file</i>."]), "hidden")
    assert made.keys() == RESULT_FIELDS
    assert (made["score"], made["execution_time"], made["visibility"]) == (2.0, 3, "hidden")
    assert (made["output"], made["output_format"]) == ("Odd <i>file</i>.", "text")
    assert made["stdout_visibility"] == "hidden"
    assert [test.keys() for test in made["tests"]] == [TEST_FIELDS] * 2
    keys = ("name", "number", "status", "score", "max_score")
    told = [tuple(test[key] for key in keys) for test in made["tests"]]
    assert told == [("task0", "1", "passed", 2.0, 2.0), ("task1", "2", "failed", 0.0, 2.0)]
    assert "<b>7</b>" not in made["tests"][1]["output"] and "&lt;b&gt;7" in made["tests"][1]["output"]


def test_a_result_for_prairielearn():
    made = prairielearn.report(graded(Verdict.PASSED, Verdict.FAILED, problems=["Odd file."]))
    assert (made["gradable"], made["score"], made["output"]) == (True, 0.5, "Odd file.")
    assert made["message"] == "2 of 4 points"
    assert [(test["name"], test["points"], test["max_points"]) for test in made["tests"]] == [
        ("task0", 2.0, 2.0), ("task1", 0.0, 2.0)
    ]  # fmt: skip
    assert "not right yet" in made["tests"][1]["message"]


def test_no_failure_of_ours_looks_like_a_score():
    failed = graded(Verdict.PASSED, Verdict.INTERNAL, problems=["internal: test_secret broke", "Odd file."])
    made = gradescope.report(failed, "visible")
    assert "score" not in made and not any("score" in test for test in made["tests"])
    assert job.FAILED in made["output"] and "Odd file." in made["output"]
    assert "secret" not in json.dumps(made)
    for report in (prairielearn.report(failed), prairielearn.report_of_failure()):
        assert (report["gradable"], "score" in report) == (False, False)
    assert gradescope.report_of_failure().keys() == {"output", "output_format", "stdout_visibility"}


def test_what_cannot_be_read_costs_no_attempt_in_prairielearn():
    made = prairielearn.report(graded(Verdict.MISSING, readable=False, problems=["It is a web page."]))
    assert made == {"gradable": False, "format_errors": ["It is a web page."], "message": "It is a web page."}


def test_a_result_for_prairielearn_is_small():
    test = TestResult("test_x", Verdict.FAILED, "x" * 10_000, "y" * 10_000)
    task = TaskResult("task", Verdict.FAILED, 0, 1, hint="z" * 10_000, tests=[test] * 50)
    tasks = [task] * 40
    result = SubmissionResult("ada", "tides", ["p" * 200] * 10_000, tasks)
    assert len(json.dumps(prairielearn.report(job.Graded(result, True)))) < 1024**2


@pytest.mark.parametrize("error", [ValueError("hidden 7"), SystemExit(3), KeyboardInterrupt(), MemoryError(),
    CourseError("this is too small: choose a larger one.")])  # fmt: skip
def test_a_crash_of_ours_says_so(tmp_path: Path, capfd, error: BaseException):
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"before": 1}))

    def fail() -> dict:
        assert json.loads(path.read_text()) == {"before": 1}
        raise error

    assert job.answer(path, fail, gradescope.report_of_failure()) == 0
    assert json.loads(path.read_text()) == gradescope.report_of_failure()
    assert "hidden 7" not in path.read_text()
    told = "".join(capfd.readouterr())
    assert "not your score" in told and (str(error) in told)
    assert ("Traceback" in told) != isinstance(error, CourseError)


def test_what_stands_before_there_is_a_result_is_no_score(packable: Course, tmp_path: Path):
    unpacked(pack.gradescope_archive(packable, packable.lesson("tides"), "visible"), tmp_path)
    (tmp_path / "results").mkdir(mode=0o777)
    (tmp_path / "submission").mkdir()
    broken = ["bash", tmp_path / "source" / "run_autograder", tmp_path, tmp_path / "nosuch"]
    assert subprocess.run(broken, capture_output=True).returncode == 0
    told = json.loads((tmp_path / "results" / "results.json").read_text())
    assert told == gradescope.report_of_failure(job.UNFINISHED)
    assert os.listdir(tmp_path / "results") == ["results.json"]
    modes = {name: (tmp_path / name).stat().st_mode & 0o077 for name in ("source", "submission", "results")}
    assert modes == {"source": 0, "submission": 0, "results": 0o055 & modes["results"]}


# ── who hands in what ──


@pytest.mark.parametrize(("metadata", "student"), [
    ({"users": [{"email": "bo@x.org"}, {"email": "ada@x.org"}]}, "ada@x_org"),
    ({"users": []}, "unnamed"), ({}, "unnamed"), ({"users": [{"email": "../../etc"}]}, "______etc"),
    ("nonsense", "unnamed"),
])  # fmt: skip
def test_who_hands_in(tmp_path: Path, metadata, student: str):
    path = tmp_path / "metadata.json"
    path.write_text(metadata if isinstance(metadata, str) else json.dumps(metadata))
    assert gradescope._student(path) == student
    assert gradescope._student(tmp_path / "nosuch") == "unnamed"


def test_who_hands_in_at_prairielearn(tmp_path: Path):
    path = tmp_path / "data.json"
    assert prairielearn._student(path) == "unnamed"
    path.write_text(json.dumps({"variant_seed": 1234}))
    assert prairielearn._student(path) == "1234"


@pytest.fixture
def packed(packable: Course, tmp_path: Path) -> Path:
    unpacked(pack.gradescope_archive(packable, packable.lesson("tides"), "visible"), tmp_path)
    return tmp_path / "source"


def hand_in(folder: Path, **texts: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / name.replace("__", ".")).write_text(text)
    return folder


@confining
def test_any_file_name_will_do_and_no_date_counts(packed: Path, tmp_path: Path, capsys):
    files = {"My tides (2)__py": ALONE + RIGHT, "notes__md": "# mine", "timestamp__txt": "the day before"}
    found = job.grade(packed, hand_in(tmp_path / "in", **files), "ada")
    assert found.readable
    assert found.notes == ["My tides (2).py was handed in and taken as tides.ipynb."]
    assert [(task.name, task.verdict) for task in found.result.tasks] == [
        ("level", Verdict.PASSED), ("cause", Verdict.MISSING)
    ]  # fmt: skip
    assert "confined by Landlock and seccomp" in capsys.readouterr().out
    assert len(list((tmp_path / "in").iterdir())) == len(files)  # as they were


@confining
def test_what_cannot_be_read(packed: Path, tmp_path: Path):
    found = job.grade(packed, hand_in(tmp_path / "in", tides__ipynb="<!doctype html> log in"), "ada")
    assert not found.readable
    assert "web page" in found.notes[0]
    assert found.result.points == 0


def test_a_container_that_is_too_small(packed: Path, tmp_path: Path, monkeypatch):
    monkeypatch.setattr(job, "free_memory", lambda: 300 * MIB)
    with pytest.raises(CourseError, match="300 MiB are free .* 520 are needed: choose a larger one"):
        job.grade(packed, hand_in(tmp_path / "in", tides__py=RIGHT), "ada")


@confining
def test_a_container_takes_one_submission_only(packable: Course, tmp_path: Path):
    lesson = packable.lesson("tides")
    work = work_on(lesson, read_file(hand_in(tmp_path / "in", ada__py=ALONE + RIGHT) / "ada.py", lesson))
    with Grader(packable, lesson, Limits(), CONTAINER) as grader:
        assert not grader.grade(work).internal
        assert grader.grade(work).internal


@pytest.mark.parametrize("script", sorted(pack.FILES.glob("*.sh")), ids=lambda path: path.name)
def test_scripts_are_sound(script: Path):
    assert subprocess.run(["bash", "-n", script]).returncode == 0


# ── run as the contract says, in a container of that size ──


class Place:
    """/autograder of a container, below a folder of the test's."""

    def __init__(self, folder: Path, archive: bytes):
        self.root, self.home = folder / "autograder", folder / "grader"
        for name in ("results", "submission"):
            (self.root / name).mkdir(parents=True)
        unpacked(archive, self.root)
        for name in ("run_autograder", "setup.sh"):
            shutil.copy(self.root / "source" / name, self.root)
        metadata = {"id": 1, "users": [{"email": "ada@example.org", "id": 2, "name": "Ada"}]}
        (self.root / "submission_metadata.json").write_text(json.dumps(metadata))
        container.build(self.root / "setup.sh", self.root / "source" / "requirements.txt", self.home)
        self.results = self.root / "results" / "results.json"

    def run(self, text: str, **size) -> tuple[dict, container.Ended]:
        shutil.rmtree(self.root / "submission")
        hand_in(self.root / "submission", work__py=ALONE + text, timestamp__txt="yesterday")
        self.results.unlink(missing_ok=True)
        ended = container.run(["bash", self.root / "run_autograder", self.root, self.home], **size)
        assert ended.code == 0, ended
        return json.loads(self.results.read_text()), ended


@pytest.fixture(scope="module")
def place(packable_once: Course) -> Iterator[Place]:
    with open_folder() as folder:
        lesson = packable_once.lesson("tides")
        yield Place(folder, pack.gradescope_archive(packable_once, lesson, "after_due_date"))


@in_container
def test_the_archive_run_as_gradescope_does(place: Place):
    """In 768 MB, on half a processor, as root without privileges."""
    seen, done = [], threading.Event()

    def watch() -> None:
        while not done.is_set():
            if place.results.exists():
                seen.append(json.loads(place.results.read_text()))  # whole at every moment
            time.sleep(0.005)

    watcher = threading.Thread(target=watch)
    watcher.start()
    made, ended = place.run(RIGHT)
    done.set()
    watcher.join()
    assert made.keys() == RESULT_FIELDS and made["visibility"] == "after_due_date"
    assert made["score"] == 2.0
    assert [(test["name"], test["score"], test["max_score"], test["status"]) for test in made["tests"]] == [
        ("level", 2.0, 2.0, "passed"), ("cause", 0.0, 1.0, "failed")
    ]  # fmt: skip
    assert made["extra_data"]["confinement"] == "confined by Landlock and seccomp"
    assert ended.peak < 768 * MIB and ended.throttled > 0
    assert [report for report in seen if "score" not in report][0]["output"] == job.UNFINISHED
    assert {json.dumps(report) for report in seen} == {json.dumps(seen[0]), json.dumps(made)}


BOMB = """
def level(hours):
    held = []
    while True:
        held.append(np.ones(2**20))
"""
LOOP = "def level(hours):\n    while True:\n        pass\n"
FLOOD = "import sys\nwhile True:\n    print('x' * 10**6)\n"
PRY = '''
import glob, os, socket
from pathlib import Path

def attempts():
    root, mine = ROOT, Path.cwd()
    for pattern in (f"{root}/source/**", f"{root}/submission/*", f"{root}/results/.*",
                    "/tmp/**/course_secret", "/tmp/**/test_level.py"):
        yield from (lambda path=path: open(path).read() for path in glob.glob(pattern, recursive=True))
    for name in ("course_secret", "tests/hidden/tides/test_level.py", "solutions/tides.py"):
        yield lambda name=name: open(f"{root}/source/course/{name}").read()
    yield lambda: open(f"{root}/results/results.json", "w")
    yield lambda: os.rename(f"{root}/results/results.json", f"{root}/results/gone")
    yield lambda: os.listdir(f"{root}/source")
    for process in glob.glob("/proc/[0-9]*"):
        if process != f"/proc/{os.getpid()}":
            yield lambda process=process: open(f"{process}/environ").read()
            yield lambda process=process: open(f"{process}/mem", "rb").read(1)
            yield lambda process=process: os.kill(int(process[6:]), 0)
    yield lambda: os.setuid(0)

def refused(attempt):
    try:
        attempt()
    except OSError:
        return True
    return False

if all(map(refused, attempts())):
    def level(hours):
        return np.sin(np.asarray(hours) / 2)
'''
DAEMON = '''
# %%
import glob, os, time
others = [int(path[6:]) for path in glob.glob("/proc/[0-9]*") if os.stat(path).st_uid == os.getuid()]
others = set(others) - {os.getpid()}

# %%
if not others:
    if os.fork() == 0:
        os.setsid()
        os.closerange(3, 100)
        os.fork()
        time.sleep(60)
    time.sleep(0.2)
    os._exit(1)

# %%
if not others:
    def level(hours):
        return np.sin(np.asarray(hours) / 2)
'''


@in_container
@pytest.mark.parametrize(
    ("text", "words"),
    [(BOMB, "memory"), (LOOP, "longer than 6 s"), (FLOOD, "cell 5")],
    ids=["memory", "time", "output"],
)
def test_a_hostile_submission_gets_its_result(place: Place, text: str, words: str):
    made, ended = place.run(text)
    assert made["score"] == 0.0 and made["tests"][0]["status"] == "failed", ended
    assert words in made["tests"][0]["output"] + made["output"]
    assert made["execution_time"] < 240


@in_container
@pytest.mark.parametrize("without", [(), ("Landlock",), ("Landlock", "seccomp")], ids=" and ".join)
def test_nothing_of_ours_can_be_read_even_without_landlock(place: Place, without: tuple[str, ...]):
    made, ended = place.run(PRY.replace("ROOT", repr(str(place.root))), without=without)
    assert made["score"] == 2.0, (made, ended)
    said = made["extra_data"]["confinement"]
    assert all(wall in said for wall in without) and said.startswith("confined without") == bool(without)
    assert said in ended.stdout


NOTES = """
# %%
import os
from pathlib import Path
notes = [Path(place, "a-note") for place in ("/tmp", "/var/tmp", "/dev/shm") if os.access(place, os.W_OK)]
found = any(note.exists() for note in notes)

# %%
if not found:
    for note in notes:
        note.write_text("x")
    os._exit(1)

# %%
if not found:
    def level(hours):
        return np.sin(np.asarray(hours) / 2)
"""


@in_container
@pytest.mark.parametrize(
    ("text", "without"), [(DAEMON, ("Landlock", "seccomp")), (NOTES, ("Landlock",))], ids=["process", "file"]
)
def test_nothing_outlives_its_fork_whatever_is_missing(place: Place, text: str, without: tuple[str, ...]):
    made, ended = place.run(text, without=without)
    assert made["score"] == 2.0, (made, ended)


@in_container
def test_a_container_killed_for_its_memory_leaves_no_score(place: Place):
    made, ended = place.run(RIGHT, memory=30 * MIB)
    assert made == gradescope.report_of_failure(job.UNFINISHED)
    assert "The grader was ended" in ended.stdout, ended


@in_container
def test_a_suite_that_fails_itself_is_no_score(place: Place):
    suite = place.root / "source" / "course" / "tests" / "hidden" / "tides" / "test_level.py"
    text = suite.read_text()
    try:
        suite.write_text("raise RuntimeError('of ours')\n" + text)
        made, ended = place.run(RIGHT)
    finally:
        suite.write_text(text)
    assert "score" not in made and job.FAILED in made["output"]
    assert "of ours" not in json.dumps(made) and "internal" in ended.stdout


@in_container
def test_the_question_run_as_prairielearn_does(packable_once: Course):
    with open_folder() as folder:
        grade = folder / "grade"
        files = pack.prairielearn_files(packable_once, packable_once.lesson("tides"), "our/tides")
        for name, data in files.items():
            name = name.replace("question/tests/", "grade/tests/")
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        image = folder / "image"
        container.build(image / "setup.sh", image / "requirements.txt", folder / "home")
        hand_in(grade / "student", tides__ipynb=ALONE + RIGHT)
        (grade / "data").mkdir()
        (grade / "data" / "data.json").write_text(json.dumps({"variant_seed": 7}))
        run = ["bash", grade / "tests" / "run_autograder", grade, folder / "home"]
        ended = container.run(run, without=("Landlock",))
        made = json.loads((grade / "results" / "results.json").read_text())
        assert (ended.code, made["gradable"], made["score"]) == (0, True, 2 / 3), ended
        hand_in(grade / "student", tides__ipynb="<!doctype html> log in")
        assert container.run(run).code == 0
        made = json.loads((grade / "results" / "results.json").read_text())
        assert (made["gradable"], "score" in made) == (False, False)


REFUSED = """
import sys
sys.path.insert(0, sys.argv[1])
from container_launcher import refuse
refuse(["Landlock"])
from autograder.sandbox import privileges
from autograder.sandbox.confinement import CONTAINER, FULL, prepare
privileges.unprivileged_owner = lambda needed: None
for kind in (FULL, CONTAINER):
    try:
        prepare([], kind)
    except RuntimeError as error:
        print(error)
"""


@confining
def test_without_landlock_and_a_user_of_its_own_nothing_runs():
    command = [sys.executable, "-c", REFUSED, str(Path(__file__).parent)]
    told = subprocess.run(command, capture_output=True, text=True)
    full, in_container = told.stdout.splitlines()
    assert "Landlock" in full
    assert in_container == "without Landlock a submission needs its own user"
