"""A result is found again for as long as nothing that decides it has changed."""

import subprocess
import sys
from pathlib import Path

import pytest

import autograder
from autograder.grading import results
from autograder.grading.course import Course, Lesson
from autograder.grading.errors import CourseError
from autograder.grading.limits import Limits
from autograder.grading.results import ResultKeys, ResultStore, write_whole
from autograder.grading.verdict import SubmissionResult, TaskResult, TestResult, Verdict


@pytest.fixture
def lesson(course: Course) -> Lesson:
    lesson = course.lesson("tides")
    lesson.hidden.mkdir(parents=True)
    (lesson.hidden / "test_level.py").write_text("def test_it(student): ...")
    folder = course.build / "submitted" / "ana" / "tides"
    folder.mkdir(parents=True)
    (folder / "tides.ipynb").write_text("{}")
    return lesson


def result(verdict: Verdict = Verdict.FAILED, key: str = "k") -> SubmissionResult:
    tests = [TestResult("test_it", verdict, "not so \N{SNOWMAN} <b>", "It holds.", 2.0, True)]
    task = TaskResult("level", verdict, 0.2, 2.0, "takes the cosine", "What at 0?", ["softmax"], "Why", tests)
    outputs = [[{"output_type": "stream", "name": "stdout", "text": "x"}], []]
    return SubmissionResult("ana", "tides", ["odd"], [task], outputs, key, 1.5)


def test_what_is_kept_comes_back(course: Course, lesson: Lesson):
    store = ResultStore(course)
    assert store.load(lesson, "ana") is None
    store.save(lesson, result())
    assert store.load(lesson, "ana") == result()
    assert store.path(lesson, "ana") == course.build / "results" / "tides" / "ana.json"


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b'{"student": "ana"}'])
def test_a_file_that_is_no_result_counts_as_none(course: Course, lesson: Lesson, content: bytes):
    store = ResultStore(course)
    write_whole(store.path(lesson, "ana"), content)
    assert store.load(lesson, "ana") is None and store.fresh(lesson, "ana", "") is None


def test_fresh_is_what_has_the_key_and_is_not_internal(course: Course, lesson: Lesson):
    store = ResultStore(course)
    store.save(lesson, result())
    assert store.fresh(lesson, "ana", "k") == result() and store.fresh(lesson, "ana", "other") is None
    store.save(lesson, result(Verdict.INTERNAL))
    assert store.fresh(lesson, "ana", "k") is None, "the next run tries again"


@pytest.mark.parametrize("student", ["", ".", "..", "../bo", "a/b", "a\0b"])
def test_an_id_is_never_a_way_out_of_the_folder(course: Course, lesson: Lesson, student: str):
    with pytest.raises(CourseError, match="cannot be a student's id: rename the folder"):
        ResultStore(course).path(lesson, student)


def test_a_write_that_fails_leaves_the_old_file_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "new" / "file"
    write_whole(path, b"old")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            write_whole(path, b"new")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            write_whole(path, b"new")
    assert path.read_bytes() == b"old" and [p.name for p in path.parent.iterdir()] == ["file"]


def test_a_file_in_the_making_lies_in_the_staging_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "staging").mkdir()
    monkeypatch.setattr(Path, "replace", lambda self, target: seen.append(self.parent))
    seen: list[Path] = []
    write_whole(tmp_path / "place" / "file", b"x", staging=tmp_path / "staging")
    write_whole(tmp_path / "place" / "file", b"x")
    assert seen == [tmp_path / "staging", tmp_path / "place"]


def key(course: Course, student: str = "ana", **limits: float) -> str:
    return ResultKeys(course, course.lesson("tides"), Limits(**limits)).key(student)


def test_the_key_is_the_same_as_long_as_nothing_changes(course: Course, lesson: Lesson):
    (lesson.hidden / "__pycache__").mkdir()
    before = key(course)
    (lesson.hidden / "__pycache__" / "x.pyc").write_text("compiled")
    assert key(course) == before and len(before) == 64


def test_the_time_of_a_hand_in_decides_no_result(course: Course, lesson: Lesson):
    before = key(course)
    (course.build / "submitted" / "ana" / "tides" / "timestamp.txt").write_text("2026-12-01 18:00 UTC")
    assert key(course) == before


FILES = [
    "build/submitted/ana/tides/tides.ipynb",
    "build/submitted/ana/tides/helper.py",
    "build/submitted/ana/tides/data/a.csv",
    "tests/hidden/tides/test_level.py",
    "tests/hidden/tides/misconceptions.py",
    "solutions/tides.py",
    "assignments/tides/tides.ipynb",
    "assignments/tides/public_checks.py",
    "course_secret",
]


@pytest.mark.parametrize("name", FILES)
def test_every_file_that_decides_a_result_changes_its_key(course: Course, lesson: Lesson, name: str):
    before = key(course)
    path = course.root / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("something else" * 10)
    after = key(course)
    assert after != before
    path.rename(path.with_name("renamed"))
    if name.startswith(("build", "tests")):
        assert key(course) not in (before, after), "names count, too"


def test_files_that_decide_nothing_do_not(course: Course, lesson: Lesson):
    before = key(course)
    for name in ("build/submitted/bo/tides/tides.ipynb", "tests/hidden/other/test_x.py", "README.md"):
        (course.root / name).parent.mkdir(parents=True, exist_ok=True)
        (course.root / name).write_text("x")
    assert key(course) == before


def test_where_a_name_ends_and_bytes_begin_matters(course: Course, lesson: Lesson):
    folder = course.build / "submitted" / "ana" / "tides"
    (folder / "a").write_text("bc")
    before = key(course)
    (folder / "a").unlink()
    (folder / "ab").write_text("c")
    assert key(course) != before


def test_links_are_not_followed(course: Course, lesson: Lesson, tmp_path: Path):
    target = tmp_path / "target"
    target.write_text("1")
    (course.build / "submitted" / "ana" / "tides" / "link").symlink_to(target)
    before = key(course)
    target.write_text("2")
    assert key(course) == before


def test_student_limits_engine_and_versions_change_the_key(course, lesson, monkeypatch, tmp_path: Path):
    (course.build / "submitted" / "bo").symlink_to(course.build / "submitted" / "ana")
    keys = {key(course), key(course, "bo"), key(course, call=1.0)}
    real = results.version
    for package in results.DECIDING:
        with monkeypatch.context() as patch:
            patch.setattr(results, "version", lambda name, p=package: "0" if name == p else real(name))
            keys.add(key(course))
    with monkeypatch.context() as patch:
        patch.setattr(sys, "version", "4.0")
        keys.add(key(course))
    engine = tmp_path / "autograder"
    engine.mkdir()
    for text in ("x = 1", "x = 2"):
        (engine / "__init__.py").write_text(text)
        with monkeypatch.context() as patch:
            patch.setattr(autograder, "__file__", str(engine / "__init__.py"))
            keys.add(key(course))
    assert len(keys) == 3 + len(results.DECIDING) + 1 + 2


def test_what_the_class_shares_is_read_once(course: Course, lesson: Lesson, monkeypatch: pytest.MonkeyPatch):
    keys = ResultKeys(course, lesson, Limits())
    first = keys.key("ana")
    monkeypatch.setattr(results, "course_secret", lambda root: 1 / 0)
    assert keys.key("ana") == first != keys.key("bo")


def test_versions_are_known_without_importing_torch():
    code = "import sys, autograder.grading.results; sys.exit(bool({'torch', 'nbgrader'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
