"""A notebook that went through another editor is graded, checked and looked at like the one that did not."""

from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from broken.sample import right_notebook
from editors import (
    EDITORS,
    SCRIPTS,
    Editor,
    colab_of_a_copy,
    deepnote,
    jupyterlab,
    nbconvert_script,
    vs_code_before_2021,
)
from hand_in import RIGHT, HandIn, done

from autograder import document, handin, manifest
from autograder.grading.course import Course, Lesson, find_course
from autograder.grading.grader import Grader
from autograder.grading.reader import load_notebook, read_content
from autograder.grading.submission import mended, read_file
from autograder.grading.verdict import SubmissionResult
from autograder.grading.weaving import woven
from autograder.grading.work import work_on
from autograder.handin import Mark
from autograder.rerun import Rerun, rerun

COURSE = find_course(Path(__file__).parent)
LESSONS = COURSE.lessons()
MIXING = COURSE.lesson("mixing")
IN_TORCH = COURSE.lesson("training")
every_editor = pytest.mark.parametrize("editor", EDITORS, ids=[editor.__name__ for editor in EDITORS])
every_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=[lesson.name for lesson in LESSONS])
LOSING_MOST = (colab_of_a_copy, vs_code_before_2021, deepnote)  # what is left to find cells by differs most
every_case = pytest.mark.parametrize(
    ("lesson", "editor"),
    [
        *(pytest.param(MIXING, editor, id=f"mixing-{editor.__name__}") for editor in EDITORS),
        *(
            pytest.param(IN_TORCH, editor, id=f"training-{editor.__name__}", marks=pytest.mark.slow)
            for editor in LOSING_MOST
        ),
    ],
)


def saved(editor: Editor, lesson: Lesson, folder: Path) -> Path:
    """The right notebook as the editor saves it, in the lesson's folder."""
    for name in ("public_checks.py", "lesson.json"):
        (folder / name).write_bytes((lesson.release_folder / name).read_bytes())
    path = folder / f"{lesson.name}.ipynb"
    path.write_bytes(editor(right_notebook(lesson)))
    return path


@every_lesson
@every_editor
def test_every_cell_is_found_again(editor: Editor, lesson: Lesson, tmp_path: Path):
    """After repair the graded cells and stubs hold what they did, all in its order."""
    released = load_notebook(lesson.release)
    notebook, _ = mended(read_content(editor(right_notebook(lesson)), "x.ipynb").notebook, lesson)
    nbformat.validate(notebook)
    wanted = read_content(jupyterlab(right_notebook(lesson)), "x.ipynb").notebook
    assert named(notebook) == named(wanted) == named(mended(wanted, lesson)[0])
    assert notebook.metadata.kernelspec.name == released.metadata.kernelspec.name
    texts = iter([cell.source for cell in notebook.cells])
    assert all(cell.source in texts for cell in wanted.cells), "all that was written, in its order"


def named(notebook: nbformat.NotebookNode) -> list[tuple]:
    cells = [(cell.metadata.get("nbgrader"), cell.source, cell.cell_type) for cell in notebook.cells]
    return [cell for cell in cells if cell[0]]


@pytest.fixture(scope="session")
def untouched(
    graders: Callable[[Lesson], Grader], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[Lesson], tuple[SubmissionResult, Rerun]]:
    """untouched(lesson): how the right notebook is graded and checked as JupyterLab saved it."""
    known: dict[str, tuple[SubmissionResult, Rerun]] = {}

    def of(lesson: Lesson) -> tuple[SubmissionResult, Rerun]:
        if lesson.name not in known:
            path = saved(jupyterlab, lesson, tmp_path_factory.mktemp(lesson.name))
            result = graders(lesson).grade(work_on(lesson, read_file(path, lesson)))
            known[lesson.name] = result, rerun(document.read(path))
        return known[lesson.name]

    return of


@every_case
def test_it_is_graded_the_same(editor: Editor, lesson: Lesson, tmp_path: Path, graders, untouched):
    path = saved(editor, lesson, tmp_path)
    result = graders(lesson).grade(work_on(lesson, read_file(path, lesson)))
    wanted = untouched(lesson)[0]
    assert result.points == wanted.points == sum(task.points for task in lesson.tasks)
    assert verdicts(result) == verdicts(wanted)


def verdicts(result: SubmissionResult) -> list[tuple]:
    tests = {task.name: [(test.name, test.verdict) for test in task.tests] for task in result.tasks}
    return [(task.name, task.verdict, tests[task.name]) for task in result.tasks]


@pytest.mark.xdist_group(MIXING.name)
@pytest.mark.parametrize("editor", SCRIPTS, ids=[editor.__name__ for editor in SCRIPTS])
def test_an_export_as_python_is_graded_and_checked_the_same(
    editor: Editor, tmp_path: Path, graders, untouched
):
    """As it is put in place, answers to questions included."""
    script = saved(editor, MIXING, tmp_path).rename(tmp_path / "mixing.py")
    content = read_content(script.read_bytes(), script.name)
    notebook, problems = mended(woven(content.python, load_notebook(MIXING.release)), MIXING)
    put_back = [line for line in problems if "put back" in line]
    assert put_back == [] or editor is nbconvert_script, "it alone runs text cells into each other"
    nbformat.write(notebook, tmp_path / "mixing.ipynb")
    result = graders(MIXING).grade(work_on(MIXING, read_file(tmp_path / "mixing.ipynb", MIXING)))
    wanted, run = untouched(MIXING)
    assert (result.points, verdicts(result)) == (wanted.points, verdicts(wanted))
    assert rerun(document.read(script)).report == run.report


@every_case
def test_it_is_checked_the_same(editor: Editor, lesson: Lesson, tmp_path: Path, untouched):
    work = document.read(saved(editor, lesson, tmp_path))
    run = rerun(work)
    assert run.report == untouched(lesson)[1].report and all(task.passed for task in run.report.tasks)
    found = handin.findings(work, manifest.beside(work.path), run)
    texts = [finding.text for finding in found if finding.mark is Mark.FINE]
    count = len(manifest.beside(work.path).graded)
    assert f"it is called {work.path.name}, as it was released" in texts
    assert f"all {count} graded cells are there" in texts


@every_editor
def test_it_is_put_in_place_for_nbgrader(editor: Editor, course: Course, tmp_path: Path):
    """As handed in, under the name that its editor gives it."""
    lesson = course.lesson("tides")
    student = HandIn(course, lesson)
    student.put("Copy of tides (1).ipynb", editor(done(lesson)))
    student.take_in()  # and checks that nbgrader can read it, and that a second time changes nothing
    assert (student.source("level_stub"), student.source("level")) == (RIGHT, 'check("level")')
