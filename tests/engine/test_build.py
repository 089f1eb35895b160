"""From a lesson's text to its notebook and its release."""

import json
import re
import shutil
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook
from traitlets.config.loader import PyFileConfigLoader

from autograder.grading.course import Course
from autograder.grading.errors import CourseError
from autograder.grading.release import ensure_released, release
from autograder.grading.source import build, read


def files(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def cells(notebook: Path) -> dict[str, dict]:
    return {cell["id"]: cell for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]}


def gradebook(course: Course) -> Gradebook:
    return Gradebook(f"sqlite:///{course.build / 'gradebook.db'}")


# ── the notebook ──


def test_two_builds_are_equal_to_the_byte(new_course: Course, tmp_path: Path):
    build(new_course.lesson("tides"))
    other = Course(shutil.copytree(new_course.root, tmp_path / "elsewhere" / "copy"))
    shutil.rmtree(other.build)
    build(other.lesson("tides"))
    for room in ("build/source", "solutions"):
        assert files(other.root / room) == files(new_course.root / room) != {}


def test_spacing_in_the_text_leaves_the_notebook_alone(new_course: Course, edit):
    lesson = new_course.lesson("tides")
    build(lesson)
    before = lesson.built.read_bytes()
    edit(lesson.text, "# %% [markdown] nbgrader", "\n\n# %% [markdown] nbgrader")
    build(lesson)
    assert lesson.built.read_bytes() == before


def test_the_notebook_is_valid_and_bare(new_course: Course):
    lesson = new_course.lesson("tides")
    build(lesson)
    notebook = nbformat.read(lesson.built, as_version=4)
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    assert notebook.metadata.kernelspec.name == "python3"
    assert notebook.metadata.language_info == {"name": "python"}
    assert all(set(cell.metadata) <= {"nbgrader", "tags"} for cell in notebook.cells)


def test_metadata_is_completed(new_course: Course):
    build(new_course.lesson("tides"))
    made = cells(new_course.lesson("tides").built)
    rest = {"schema_version": 3, "grade": False, "solution": False, "task": False, "locked": False}
    assert made["level_stub"]["metadata"]["nbgrader"] == {**rest, "grade_id": "level_stub", "solution": True}
    graded = {**rest, "grade_id": "level", "grade": True, "locked": True, "points": 2}
    assert made["level"]["metadata"]["nbgrader"] == graded
    written = {**rest, "grade_id": "written_moon", "task": True, "locked": True, "points": 3}
    assert made["written_moon"]["metadata"]["nbgrader"] == written


def test_equal_cells_get_different_ids_and_edits_keep_the_others(new_course: Course, edit):
    lesson = new_course.lesson("tides")
    lesson.text.write_text(lesson.text.read_text() + "\n# %%\nprint(1)\n\n# %%\nprint(1)\n\n# %%\nprint(2)\n")
    before = [cell.id for cell in read(lesson).cells]
    assert len(set(before)) == len(before)
    edit(lesson.text, "# # 1 Tides", "# # 1 Tides and more")
    assert [cell.id for cell in read(lesson).cells][1:] == before[1:]


def test_only_what_students_may_get_is_put_beside_the_notebook(new_course: Course):
    lesson = new_course.lesson("tides")
    (lesson.text.parent / "notes.txt").write_text("The answer is b.")
    lesson.built.parent.mkdir(parents=True)
    (lesson.built.parent / "old.txt").write_text("The answer was a.")
    build(lesson)
    assert set(files(lesson.built.parent)) == {"tides.ipynb", "public_checks.py"}
    assert (lesson.built.parent / "public_checks.py").read_bytes() == lesson.public_checks.read_bytes()


# ── the release ──


def test_the_release_holds_stubs_and_no_solution(course: Course):
    released = cells(course.lesson("tides").release)
    assert "".join(released["level_stub"]["source"]).endswith("\n    raise NotImplementedError()")
    assert "".join(released["cause_stub"]["source"]).endswith("\nraise NotImplementedError()")
    assert released["cause_stub"]["metadata"]["tags"] == ["question"]
    assert "".join(released["written_moon"]["source"]).strip() == "Why twice a day?"
    text = course.lesson("tides").release.read_text()
    assert not re.search(r'SOLUTION|SCHEME|far side|half|answer = \\"b', text)
    names = {"tides.ipynb", "public_checks.py", "lesson.json"}
    assert set(files(course.lesson("tides").release_folder)) == names


def test_the_release_enters_the_gradebook(course: Course):
    with gradebook(course) as book:
        notebook = book.find_assignment("tides").notebooks[0]
        assert {cell.name: cell.max_score for cell in notebook.grade_cells} == {"level": 2, "cause": 1}
        assert {cell.name: cell.max_score for cell in notebook.task_cells} == {"written_moon": 3}
        written = book.find_source_cell("written_moon", "tides", "tides").source
        assert "far side" in written, "the marking scheme is for the TA, who sees the gradebook's text"


def test_releasing_again_changes_no_byte_and_says_nothing(course: Course, capfd, caplog):
    before = files(course.root / "assignments")
    release(course.lesson("tides"))
    assert files(course.root / "assignments") == before
    assert capfd.readouterr() == ("", "") and caplog.text == ""


def test_a_new_gradebook_in_another_folder_changes_no_byte(course: Course, new_course: Course):
    release(new_course.lesson("tides"))
    assert files(new_course.root / "assignments") == files(course.root / "assignments")


def test_files_of_an_earlier_release_go(course: Course):
    lesson = course.lesson("tides")
    (lesson.release_folder / "old.txt").touch()
    release(lesson)
    assert not (lesson.release_folder / "old.txt").exists()


@pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")  # of nbgrader's own add_submission
def test_new_points_reach_the_gradebook_also_with_submissions(course: Course, edit):
    with gradebook(course) as book:
        book.add_student("ada")
        book.add_submission("tides", "ada")
    edit(course.lesson("tides").text, '"points": 2', '"points": 4')
    release(course.lesson("tides"))
    with gradebook(course) as book:
        assert book.find_grade_cell("level", "tides", "tides").max_score == 4
    assert course.lesson("tides").tasks[0].points == 4


@pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")
def test_what_nbgrader_refuses_is_one_line_and_removes_nothing(course: Course):
    lesson, before = course.lesson("tides"), files(course.root / "assignments")
    with gradebook(course) as book:
        book.add_student("ada")
        book.add_submission("tides", "ada")
    for file in (lesson.text, lesson.public_checks):
        file.write_text(file.read_text().replace("cause", "reason"))
    with pytest.raises(CourseError, match="Cannot add or remove cells for notebook 'tides'"):
        release(lesson)
    assert files(course.root / "assignments") == before


def test_a_leak_in_the_public_checks_stops_the_release(course: Course, edit):
    lesson, before = course.lesson("tides"), files(course.root / "assignments")
    edit(lesson.public_checks, "assert", "half = np.asarray(hours, dtype=float) / 2; assert")
    edit(lesson.text, '"points": 2', '"points": 4')
    with pytest.raises(CourseError, match=r"public_checks.py holds `half = .*`, a line .*: take it out\.$"):
        release(lesson)
    assert files(course.root / "assignments") == before
    with gradebook(course) as book:
        assert book.find_grade_cell("level", "tides", "tides").max_score == 2


# ── a clone, which has assignments/ but neither build/ nor a gradebook ──


def test_grading_in_a_clone_enters_the_lesson_into_the_gradebook(course: Course):
    shutil.rmtree(course.build)
    before = files(course.root / "assignments")
    ensure_released(course, course.lesson("tides"))
    assert files(course.root / "assignments") == before
    assert course.lesson("tides").built.exists()
    with gradebook(course) as book:
        assert book.find_grade_cell("level", "tides", "tides").max_score == 2


def test_a_lesson_that_the_gradebook_knows_is_left_alone(course: Course, edit):
    edit(course.lesson("tides").text, "# # 1 Tides", "# # 1 Low and high tides")
    before = files(course.build)
    ensure_released(course, course.lesson("tides"))
    assert files(course.build) == before


def test_a_gradebook_with_other_points_is_brought_up_to_date(course: Course):
    with gradebook(course) as book:
        book.update_or_create_grade_cell("level", "tides", "tides", max_score=7)
    ensure_released(course, course.lesson("tides"))
    with gradebook(course) as book:
        assert book.find_grade_cell("level", "tides", "tides").max_score == 2


def test_a_text_that_changed_since_the_release_is_not_entered(course: Course, edit):
    edit(course.lesson("tides").text, '"points": 2', '"points": 4')
    (course.build / "source" / "tides" / "tides.ipynb").unlink()
    for _ in range(2):
        with pytest.raises(CourseError, match=r"assignments/tides .* run `autograder release tides`\.$"):
            ensure_released(course, course.lesson("tides"))
        shutil.rmtree(course.build / "source")
    with gradebook(course) as book:
        assert book.find_grade_cell("level", "tides", "tides").max_score == 2


def test_nbgrader_can_open_a_gradebook_in_a_fresh_clone(new_course: Course, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "/usr/bin")
    PyFileConfigLoader("nbgrader_config.py", path=str(new_course.root)).load_config()
    assert new_course.build.is_dir(), "SQLite makes no folders"
    assert shutil.which("alembic"), "nbgrader starts it by name"
