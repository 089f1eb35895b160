"""Every sample submission gets the verdict its name says, task by task, as a file and in a class recorded by
nbgrader."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.grading import gradebook
from autograder.grading.cli import main
from autograder.grading.course import Course
from autograder.grading.demo import broken_promises
from autograder.grading.grader import Grader
from autograder.grading.results import ResultStore
from autograder.grading.samples import samples
from autograder.grading.submission import read_file
from autograder.grading.work import work_on

ROOT = Path(__file__).resolve().parents[2]
PLAIN = [sample for lesson in Course(ROOT).lessons() for sample in samples(lesson) if sample.handed_in]
one_worker = pytest.mark.xdist_group("demo")  # the class is graded once
ROOMS = ("assignments", "solutions", "source", "tests/hidden", "tests/submissions")


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A copy of the course whose sample class has been graded by the demo."""
    root = tmp_path_factory.mktemp("class") / "course"
    for room in ROOMS:
        shutil.copytree(ROOT / room, root / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "nbgrader_config.py", root)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        code = main(["demo", "mixing"])
    return Course(root), code


@one_worker
def test_the_class_agrees_with_the_names(graded):
    course, code = graded
    lesson = course.lesson("mixing")
    store = ResultStore(course)
    handed_in = [sample for sample in samples(lesson) if sample.handed_in]
    results = [store.load(lesson, sample.student) for sample in handed_in]
    assert broken_promises(samples(lesson), results) == [] and code == 0
    assert len(handed_in) >= 16 and len(handed_in) < len(samples(lesson))


@one_worker
def test_the_gradebook_holds_the_same_scores(graded):
    course, _ = graded
    lesson = course.lesson("mixing")
    scores = gradebook.scores(course, lesson)
    for sample in samples(lesson):
        if sample.handed_in:
            result = ResultStore(course).load(lesson, sample.student)
            assert scores[sample.student] == pytest.approx(result.points), sample.student
        else:
            assert sample.student not in scores and sample.student in gradebook.students(course)


@one_worker
def test_a_second_run_grades_nothing_and_changes_nothing(graded, monkeypatch):
    course, _ = graded
    monkeypatch.chdir(course.root)
    before = {path: path.read_bytes() for path in (course.build / "results").rglob("*.json")}
    monkeypatch.setattr(Grader, "grade", lambda *_: pytest.fail("graded again"))
    assert main(["grade", "mixing"]) == 0
    assert {path: path.read_bytes() for path in (course.build / "results").rglob("*.json")} == before


@one_worker
def test_a_real_class_is_not_mixed_with_samples(graded, monkeypatch, capsys):
    course, _ = graded
    stranger = course.build / "submitted" / "zoe" / "mixing"
    stranger.mkdir(parents=True)
    monkeypatch.chdir(course.root)
    assert main(["demo", "mixing"]) == 2
    assert "fresh clone" in capsys.readouterr().err
    stranger.rmdir()
    stranger.parent.rmdir()


@one_worker
def test_nbgrader_alone_gives_the_same_scores(graded, tmp_path):
    """`nbgrader autograde` with no result kept, `generate_feedback` and `export`, as commands."""
    course, _ = graded
    lesson = course.lesson("mixing")
    student = next(s.student for s in samples(lesson) if s.student.startswith("failed-softmax--"))
    kept = ResultStore(course).load(lesson, student)
    shutil.rmtree(course.build / "results")
    scores = gradebook.scores(course, lesson)
    for command in (
        ["autograde", "mixing", "--student", student, "--force"],
        ["generate_feedback", "mixing", "--student", student, "--force"],
        ["export", "--to", str(tmp_path / "grades.csv")],
    ):
        run = subprocess.run(
            [sys.executable, "-m", "nbgrader", *command], cwd=course.root, capture_output=True, text=True
        )
        assert run.returncode == 0, run.stderr
    assert gradebook.scores(course, lesson) == scores
    assert ResultStore(course).load(lesson, student).report() == kept.report()
    exported = (tmp_path / "grades.csv").read_text()
    assert f",{student}," in exported and f"{kept.points:g}" in exported
    feedback = (course.build / "feedback" / student / "mixing" / "mixing.html").read_text(encoding="utf-8")
    assert kept.task("softmax").misconception in feedback.replace("&#39;", "'")


@pytest.mark.parametrize(
    "sample",
    [s for s in PLAIN if s.path.suffix == ".py" and not s.is_edited],
    ids=lambda sample: f"{sample.lesson.name}-{sample.student}",
)
def test_a_sample_file_gets_the_verdict_of_its_name(graders, sample):
    work = work_on(sample.lesson, read_file(sample.path, sample.lesson))
    result = graders(sample.lesson).grade(work)
    assert {t.name: t.verdict for t in result.tasks} == sample.expected(work.tasks), json.dumps(
        result.report(), indent=1
    )
