"""A student in JupyterLab: from a stub to full marks."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from browsing import Notebook, Server
from playwright.sync_api import Page, expect
from small_class import Class

from autograder.grading.course import Course, Lesson
from autograder.grading.results import ResultStore
from autograder.grading.verdict import Verdict

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

ROOT = Path(__file__).resolve().parents[2]
OVER_ALL = "def softmax(z):\n    return np.exp(z) / np.exp(z).sum()"
ANSWERS = {
    "softmax": """def softmax(z):
    z = np.asarray(z, dtype=float)
    powers = np.exp(z - z.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)""",
    "match_scores": """def match_scores(X):
    X = np.asarray(X, dtype=float)
    return X @ X.T / np.sqrt(X.shape[1])""",
    "mix": "def mix(A, V):\n    return np.asarray(A) @ np.asarray(V)",
    "attend": "def attend(X):\n    A = softmax(match_scores(X))\n    return A, mix(A, X)",
}


@pytest.fixture
def mixing(tides: Class) -> Lesson:
    """This course's first lesson, in the course that the server stands in."""
    for folder in ("source/mixing", "assignments/mixing", "tests/hidden/mixing"):
        shutil.copytree(ROOT / folder, tides.course.root / folder)
    return tides.course.lesson("mixing")


def test_a_student_solves_the_first_tasks(mixing: Lesson, server: Server, page: Page):
    home = shutil.copytree(mixing.release_folder, mixing.root / "home")
    notebook = Notebook(server, page, f"home/{mixing.release.name}")
    notebook.run(notebook.cell("import numpy as np"))
    stub, check = notebook.cell("def softmax"), notebook.cell('check("softmax")')

    notebook.run(stub)
    expect(notebook.run(check)).to_contain_text("still the stub: write your own lines")
    notebook.write(stub, OVER_ALL)
    notebook.run(stub)
    told = notebook.run(check)
    expect(told).to_contain_text("6 of 6 entries differ")
    expect(told).to_contain_text("Every row is normalized by itself")

    for task, answer in ANSWERS.items():
        stub = notebook.cell(f"def {task}")
        notebook.write(stub, answer)
        notebook.run(stub)
        notebook.save()
        told = notebook.run(notebook.cell(f'check("{task}")'))
        expect(told.locator("p.passed")).to_contain_text(task)
        expect(told.locator(".failed, .note")).to_have_count(0)
    heatmap = notebook.run(notebook.cell("show_attention(A")).get_by_role("img")
    expect(heatmap).to_have_attribute("alt", re.compile("bank reads the 0.26, river 0.31, bank 0.43"))
    assert heatmap.bounding_box()["width"] > 200
    notebook.save()
    _grade(mixing, home / mixing.release.name)


def _grade(lesson: Lesson, notebook: Path) -> None:
    folder = lesson.root / "build" / "submitted" / "ada" / lesson.name
    folder.mkdir(parents=True)
    shutil.copy(notebook, folder)
    command = [Path(sys.executable).with_name("autograder"), "grade", lesson.name, "--student", "ada"]
    ran = subprocess.run(command, cwd=lesson.root, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    tasks = ResultStore(Course(lesson.root)).load(lesson, "ada").tasks
    full = [task for task in tasks if task.points == task.max_points]
    passed = {task.name for task in full if task.verdict is Verdict.PASSED}
    assert passed == set(ANSWERS)
