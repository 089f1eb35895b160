"""Broken but honest submissions, handed in as a class among honest ones: each gets what it deserves, is told
what to do, costs nobody else anything, and nothing of it is lost."""

import hashlib
import html
import json
import re
import shutil
from collections import Counter
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import pytest
from broken import bank
from broken.sample import Broken
from rich.console import Console

from autograder.grading import gradebook, intake
from autograder.grading.course import Course, Lesson
from autograder.grading.limits import Limits
from autograder.grading.pool import grade_all
from autograder.grading.release import release
from autograder.grading.run import ClassRun, submitted_work
from autograder.grading.samples import samples
from autograder.grading.verdict import SubmissionResult, Verdict

pytestmark = pytest.mark.xdist_group("broken")  # one class, graded once

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "tests" / "submissions" / "broken" / "README.md"
ROOMS = ("assignments", "solutions", "source", "tests/hidden", "tests/submissions")
HONEST = (
    "passed--only-loops",
    "failed-softmax--columns-instead-of-rows",
    "missing-sharpen--under-another-name",
)
BANK = bank()
every_sample = pytest.mark.parametrize("sample", BANK, ids=[sample.student for sample in BANK])


class BrokenClass:
    """The bank and a few honest students in a copy of the course; `alone` are the results of the bank by
    itself and of the honest by themselves, `together` those of one class, which is also recorded."""

    def __init__(self, root: Path):
        for room in ROOMS:
            shutil.copytree(ROOT / room, root / room, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "nbgrader_config.py", root)
        self.course = Course(root)
        self.lessons = [self.course.lesson(name) for name in sorted({sample.lesson for sample in BANK})]
        self.honest = [sample for sample in samples(self.course.lesson("mixing")) if sample.student in HONEST]
        self.handed_in: dict[str, dict[str, bytes]] = {}
        self.told: dict[str, list[str]] = {}
        self.alone: dict[str, SubmissionResult] = {}
        self.together: dict[str, SubmissionResult] = {}

    def folder(self, step: str, student: str, lesson: Lesson) -> Path:
        return self.course.build / step / student / lesson.name

    def lesson(self, sample: Broken) -> Lesson:
        return self.course.lesson(sample.lesson)

    def hand_in(self) -> None:
        for honest in self.honest:
            honest.hand_in(self.folder("submitted", honest.student, honest.lesson))
        for sample in BANK:
            lesson = self.lesson(sample)
            folder = self.folder("submitted", sample.student, lesson)
            self.handed_in[sample.student] = sample.hand_in(folder, lesson)
            self.told[sample.student] = intake.take_in(self.course, lesson, sample.student)

    def grade_together(self) -> None:
        for lesson in self.lessons:
            run = ClassRun(self.course, lesson, Console(quiet=True), jobs=2)
            results, failures = run.grade(None, regrade=False)
            assert failures == []
            self.together |= {result.student: result for result in results}

    def grade_alone(self, lesson: Lesson, students: Iterable[str]) -> None:
        works = [partial(submitted_work, self.course, lesson, student) for student in students]
        results = grade_all(self.course, lesson, Limits(), works, jobs=1)
        self.alone |= {result.student: result for result in results}

    def state(self) -> dict[str, tuple[bytes, int]]:
        rooms = (self.course.build / step for step in ("submitted", "received"))
        files = (path for room in rooms for path in room.rglob("*") if path.is_file())
        return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> BrokenClass:
    """The class, graded whole by two workers and recorded, then the two parts of it graded again, one by
    one."""
    made = BrokenClass(tmp_path_factory.mktemp("broken") / "course")
    for lesson in made.lessons:
        release(lesson)  # enters it into the gradebook
    made.hand_in()
    made.grade_together()
    for lesson in made.lessons:
        made.grade_alone(lesson, [sample.student for sample in BANK if sample.lesson == lesson.name])
    made.grade_alone(made.course.lesson("mixing"), HONEST)
    return made


def test_the_table_and_the_bank_are_the_same():
    rows = re.findall(r"(?m)^\| (.+?) \| ((?:`[^`]+` ?)+)\|$", TABLE.read_text(encoding="utf-8"))
    named = Counter(name for _, names in rows for name in re.findall(r"`([^`]+)`", names))
    lines = [line for line in TABLE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    assert len(rows) == len(lines) - 1, "every line of the table names at least one sample"
    assert named == Counter(sample.student for sample in BANK)
    assert len(rows) == len({what for what, _ in rows})


@every_sample
def test_a_broken_submission_gets_the_verdict_it_deserves(graded: BrokenClass, sample: Broken):
    result = graded.together[sample.student]
    got = {task.name: task.verdict for task in result.tasks}
    assert got == sample.expected(graded.lesson(sample)), json.dumps(result.report(), indent=1)


@every_sample
def test_the_student_is_told_what_to_do(graded: BrokenClass, sample: Broken):
    result = graded.together[sample.student]
    for task in result.tasks:
        if task.verdict is not Verdict.PASSED:
            said = [test.message for test in task.tests if test.verdict is not Verdict.PASSED]
            assert all(said) and (sample.message or sample.problem)
            assert not sample.message or any(sample.message in message for message in said), said


@every_sample
def test_the_ta_is_told_what_was_broken(graded: BrokenClass, sample: Broken):
    result = graded.together[sample.student]
    assert bool(result.problems) == bool(sample.problem), result.problems
    assert not sample.problem or any(sample.problem in line for line in result.problems), result.problems
    page = graded.folder("feedback", sample.student, graded.lesson(sample)) / f"{sample.lesson}.html"
    text = html.unescape(re.sub(r"</?code>", "`", page.read_text(encoding="utf-8")))
    assert all(line in text for line in result.problems), "the page tells it too"


@every_sample
def test_the_gradebook_holds_the_same_score(graded: BrokenClass, sample: Broken):
    lesson = graded.lesson(sample)
    points = graded.together[sample.student].points
    assert gradebook.scores(graded.course, lesson)[sample.student] == pytest.approx(points)


@every_sample
def test_the_original_is_kept_with_a_receipt(graded: BrokenClass, sample: Broken):
    kept = graded.folder("received", sample.student, graded.lesson(sample))
    receipts = {r["sha256"]: r for r in json.loads((kept / "receipts.json").read_bytes())["received"]}
    for name, data in graded.handed_in[sample.student].items():
        receipt = receipts[hashlib.sha256(data).hexdigest()]
        assert (receipt["name"], receipt["size"]) == (name, len(data))
        assert (kept / receipt["kept_as"]).read_bytes() == data


def test_a_second_intake_changes_nothing(graded: BrokenClass):
    before = graded.state()
    for sample in BANK:
        told = intake.take_in(graded.course, graded.lesson(sample), sample.student)
        assert told == graded.told[sample.student], sample.student
    assert graded.state() == before


def test_graded_again_and_together_everybody_gets_the_same(graded: BrokenClass):
    assert graded.together.keys() == graded.alone.keys() == {sample.student for sample in BANK} | set(HONEST)
    for student, result in graded.alone.items():
        assert graded.together[student].report() == result.report(), student


def test_the_honest_get_what_they_deserve(graded: BrokenClass):
    for sample in graded.honest:
        result = graded.together[sample.student]
        verdicts = {task.name: task.verdict for task in result.tasks}
        assert verdicts == sample.expected(list(verdicts)) and result.problems == []
        assert gradebook.scores(graded.course, sample.lesson)[sample.student] == result.points


def test_nobody_is_slowed_down(graded: BrokenClass):
    """No sample runs into a limit."""
    for result in graded.together.values():
        assert not result.internal and Verdict.TIMEOUT not in [task.verdict for task in result.tasks]
        assert not any("took longer" in line for line in result.problems), result.student
