"""What was graded stands in nbgrader's gradebook and in the feedback, and nothing else does."""

import json
import sys
from types import ModuleType

import pytest
from nbgrader.converters import NbGraderException
from small_class import EVIL, Class, stock_run

from autograder.grading import gradebook, intake, recorder
from autograder.grading.course import Course, Lesson
from autograder.grading.errors import CourseError
from autograder.grading.pages import write_pages
from autograder.grading.verdict import SubmissionResult, Verdict


@pytest.fixture
def tides(course: Course, monkeypatch: pytest.MonkeyPatch) -> Class:
    _forbid_grading(monkeypatch)
    return Class(course)


def _forbid_grading(
    monkeypatch: pytest.MonkeyPatch, grade_one=lambda *_: pytest.fail("graded again")
) -> None:
    run = ModuleType("autograder.grading.run")
    run.grade_one = grade_one
    monkeypatch.setitem(sys.modules, "autograder.grading.run", run)


def test_points_and_message_reach_gradebook_and_feedback(tides: Class):
    tides.hand_in("ana")
    tides.grade("ana")
    assert tides.record("ana") == []
    assert tides.scores() == {"ana": 2.3}
    with tides.gradebook() as book:
        grades = {
            grade.name: grade for grade in book.find_submission_notebook("tides", "tides", "ana").grades
        }
        assert (grades["level"].auto_score, grades["cause"].auto_score) == (1.3, 1.0)
        assert grades["written_moon"].auto_score is None and grades["written_moon"].needs_manual_grade
    page = tides.page("ana").read_text(encoding="utf-8")
    assert "The height at night." in page and "not right yet" in page and "Score: 1.3 / 2.0" in page
    assert EVIL not in page and "&lt;script&gt;alert(1)&lt;/script&gt;" in page


def test_a_repeated_run_records_nothing_anew(tides: Class):
    tides.hand_in("ana")
    tides.grade("ana")
    tides.record("ana")
    files = [
        tides.folder("autograded", "ana") / "tides.ipynb",
        tides.page("ana"),
        tides.course.build / "gradebook.db",
    ]
    before = [path.stat().st_mtime_ns for path in files]
    assert tides.record("ana") == [] and [path.stat().st_mtime_ns for path in files] == before


def test_another_result_is_recorded_again(tides: Class):
    tides.hand_in("ana")
    tides.grade("ana")
    tides.record("ana")
    tides.grade("ana", 0.4)
    assert tides.record("ana") == [] and tides.scores() == {"ana": 1.4}
    tides.grade("ana", 0.4, problems=["x"], key=tides.result("ana").key)
    (tides.folder("submitted", "ana") / "new.csv").write_text("1")
    tides.grade("ana", 0.4)
    before = tides.autograded("ana")["metadata"]["autograder"]["key"]
    assert tides.record("ana") == [] and tides.autograded("ana")["metadata"]["autograder"]["key"] != before


def test_what_a_new_gradebook_lacks_is_recorded_again(tides: Class):
    tides.hand_in("ana")
    tides.grade("ana")
    tides.record("ana")
    with tides.gradebook() as book:
        book.remove_submission("tides", "ana")
    assert tides.record("ana") == [] and tides.scores() == {"ana": 2.3}


def test_manual_grades_stay_and_reach_the_feedback(tides: Class):
    tides.hand_in("ana")
    tides.grade("ana")
    tides.record("ana")
    with tides.gradebook() as book:
        grade = book.find_grade("written_moon", "tides", "tides", "ana")
        grade.manual_score, grade.needs_manual_grade = 2.5, False
        book.db.commit()
    assert tides.record("ana") == [] and tides.scores() == {"ana": 4.8}
    assert "Score: 2.5 / 3.0" in tides.page("ana").read_text(encoding="utf-8")
    with tides.gradebook() as book:
        assert not book.find_submission("tides", "ana").needs_manual_grade


def test_without_a_fresh_result_the_submission_is_graded_now(tides: Class, monkeypatch: pytest.MonkeyPatch):
    tides.hand_in("ana")
    asked = []

    def grade_one(course: Course, lesson: Lesson, student: str) -> SubmissionResult:
        asked.append((course.root, lesson.name, student))
        return tides.result(student, 0.7)

    _forbid_grading(monkeypatch, grade_one)
    tides.grade("ana", key="stale")
    assert tides.record("ana") == []
    assert asked == [(tides.course.root, "tides", "ana")] and tides.scores() == {"ana": 1.7}


def test_an_internal_result_is_never_recorded(tides: Class, monkeypatch: pytest.MonkeyPatch):
    tides.hand_in("ana")
    internal = tides.result("ana", 0.0, Verdict.INTERNAL, problems=["internal: the suite failed"])
    _forbid_grading(monkeypatch, lambda *_: internal)
    (line,) = tides.record("ana")
    assert line == (
        "ana was not recorded: the grader failed on ana (internal: the suite failed): "
        "nothing is recorded, grade it again."
    )
    assert tides.scores() == {} and not tides.folder("autograded", "ana").exists()


def test_an_internal_result_leaves_an_earlier_score_alone(tides: Class, monkeypatch: pytest.MonkeyPatch):
    tides.hand_in("ana")
    tides.grade("ana")
    tides.record("ana")
    internal = tides.result("ana", 0.0, Verdict.INTERNAL)
    tides.store.save(tides.lesson, internal)
    _forbid_grading(monkeypatch, lambda *_: internal)
    assert len(tides.record("ana")) == 1 and tides.scores() == {"ana": 2.3}


def test_a_graded_cell_without_a_result_earns_nothing_by_itself(tides: Class):
    """nbgrader gives full points to a cell without output."""
    tides.hand_in("ana")
    tides.grade("ana", tasks=tides.result("ana").tasks[:1])
    (line,) = tides.record("ana")
    assert (
        "cause has no result for ana: release the lesson and grade it again." in line and tides.scores() == {}
    )


def test_feedback_holds_no_mark_scheme(tides: Class):
    tides.hand_in("ana")
    tides.grade("ana")
    assert tides.record("ana") == []
    page = tides.page("ana").read_text(encoding="utf-8")
    assert "Why twice a day?" in page and "MARK SCHEME" not in page and "the far side" not in page


def test_one_failure_does_not_stop_the_others(tides: Class):
    for student in ("ana", "bo", "cy"):
        tides.hand_in(student)
        tides.grade(student, *([0.0, Verdict.PASSED] if student != "bo" else []))
    tides.grade("bo", tasks=[])
    (line,) = tides.record("ana", "bo", "cy")
    assert line.startswith("bo was not recorded") and tides.scores() == {"ana": 1.0, "cy": 1.0}
    assert [tides.page(student).exists() for student in ("ana", "bo", "cy")] == [True, False, True]


def test_pages_are_written_by_several_processes(tides: Class):
    many = [f"s{number}" for number in range(3)]
    for student in many:
        tides.hand_in(student)
        tides.grade(student)
    assert tides.record(*many, jobs=2) == []
    assert all("The height at night" in tides.page(student).read_text(encoding="utf-8") for student in many)
    told: list[int] = []
    assert write_pages(tides.course, tides.lesson, many, 2, told.append) == {} and told == [3]


ODD = ["Smith, J.", "=HYPERLINK(1)", "o\"neil's", "[a-z]*", "\u200fשלום", "a{b}.+(c)"]


def test_students_with_odd_names(tides: Class):
    for student in ODD:
        tides.hand_in(student)
        tides.grade(student)
    assert tides.record(*ODD) == [] and tides.scores() == dict.fromkeys(ODD, 2.3)
    assert all(tides.page(student).exists() for student in ODD)


def test_a_name_nbgrader_cannot_take_hurts_nobody_else(tides: Class):
    for student in ("two\nlines", "ana"):
        tides.hand_in(student)
        tides.grade(student)
    (line,) = tides.record("two\nlines", "ana")
    assert "rename" in line and "\n" not in line and tides.scores() == {"ana": 2.3}


def test_a_lesson_that_the_gradebook_does_not_know_says_how_to(tides: Class):
    tides.hand_in("ana")
    tides.grade("ana")
    with tides.gradebook() as book:
        book.remove_assignment("tides")
    with pytest.raises(
        CourseError, match=r"^tides is not in the gradebook: run `autograder release tides`\.$"
    ):
        tides.record("ana")


def test_whatever_else_goes_wrong_is_one_line_that_says_what_to_do(tides: Class, monkeypatch):
    tides.hand_in("ana")
    tides.grade("ana")
    monkeypatch.setattr(recorder, "_result", lambda *_: exec("raise OSError('disk\\n full')"))
    (line,) = tides.record("ana")
    assert line == "ana was not recorded: disk: run the same command again."


def test_the_roster(tides: Class):
    gradebook.add_students(tides.course, ["bo", "ana", "bo"])
    with tides.gradebook() as book:
        book.find_student("ana").first_name = "Ana"
        book.db.commit()
    gradebook.add_students(tides.course, ["ana", "cy"])
    assert gradebook.students(tides.course) == ["ana", "bo", "cy"]
    with tides.gradebook() as book:
        assert book.find_student("ana").first_name == "Ana"
    assert tides.scores() == {}


@pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")  # nbgrader's own
def test_nbgraders_own_command_grades_confined_and_goes_on_after_a_failure(tides: Class, monkeypatch):
    """Raw hand-ins that stop a stock course: they are taken in by the hook, and graded by ours."""

    def put(student: str, name: str, change) -> None:
        notebook = json.loads(tides.lesson.release.read_text())
        change(notebook["cells"])
        tides.folder("submitted", student).mkdir(parents=True)
        (tides.folder("submitted", student) / name).write_text(json.dumps(notebook))

    put("old", "tides.ipynb", lambda cells: cells[3]["metadata"]["nbgrader"].update(schema_version=1))
    put("new", "tides.ipynb", lambda cells: cells[3]["metadata"]["nbgrader"].update(schema_version=99))
    put("twice", "tides.ipynb", lambda cells: cells.append(cells[3]))
    put("renamed", "tides (1).ipynb", lambda cells: None)
    put("gone", "tides.ipynb", lambda cells: cells.pop(3))
    put("fails", "tides.ipynb", lambda cells: None)
    tides.folder("submitted", "empty").mkdir(parents=True)
    (tides.folder("submitted", "empty") / "tides.ipynb").write_text("")

    def grade_one(course: Course, lesson: Lesson, student: str) -> SubmissionResult:
        if student == "fails":
            raise RuntimeError("the judge is gone")
        return tides.result(student, 0.5)

    _forbid_grading(monkeypatch, grade_one)
    with pytest.raises(NbGraderException):
        stock_run(tides.course)
    assert tides.scores() == dict.fromkeys(["old", "new", "twice", "renamed", "gone", "empty"], 1.5)


@pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")  # nbgrader's own
def test_a_hand_in_that_cannot_be_taken_in_is_not_graded_raw(tides: Class, monkeypatch):
    tides.hand_in("ana")
    tides.hand_in("bo")
    for student in ("ana", "bo"):
        tides.grade(student)
    take_in = intake.take_in
    monkeypatch.setattr(intake, "take_in", lambda *who: 1 / 0 if who[-1] == "ana" else take_in(*who))
    with pytest.raises(NbGraderException):
        stock_run(tides.course)
    assert tides.scores()["bo"] == 2.3 and not tides.folder("autograded", "ana").exists()
