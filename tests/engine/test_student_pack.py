"""The archive for students: what is in it, that it comes out the same, and that nothing else is needed."""

import html
import os
import re
import subprocess
import venv
import zipfile
from pathlib import Path

import pytest
from broken.sample import as_bytes, right_notebook

from autograder.grading.cli import main
from autograder.grading.course import Course, find_course
from autograder.grading.errors import CourseError
from autograder.grading.studentpack import FOLDER, write_pack

COURSE = find_course(Path(__file__).parent)
SYSTEMS = ("Windows", "macOS and Linux", "Colab", "JupyterHub")


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    archive = tmp_path_factory.mktemp("pack") / "student-pack.zip"
    write_pack(COURSE, archive)
    return archive


@pytest.fixture(scope="module")
def unpacked(pack: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(pack) as archive:
        archive.extractall(place)
    return place / FOLDER


def test_it_holds_the_releases_the_wheel_and_the_page_and_nothing_else(unpacked: Path):
    files = {path.relative_to(unpacked).as_posix(): path for path in unpacked.rglob("*") if path.is_file()}
    (wheel,) = [name for name in files if name.endswith(".whl")]
    own = {
        f"{lesson.name}/{name}"
        for lesson in COURSE.lessons()
        for name in (f"{lesson.name}.ipynb", "public_checks.py", "lesson.json")
    }
    assert files.keys() == own | {wheel, "START.html"}
    for name in own:
        assert files[name].read_bytes() == (COURSE.root / "assignments" / name).read_bytes(), name


def test_the_same_files_give_the_same_bytes(pack: Path, tmp_path: Path):
    write_pack(COURSE, tmp_path / pack.name)
    assert (tmp_path / pack.name).read_bytes() == pack.read_bytes()


def test_the_page_tells_how_to_start_everywhere_and_what_each_lesson_needs(unpacked: Path):
    page = html.unescape((unpacked / "START.html").read_text(encoding="utf-8"))
    (wheel,) = [path.name for path in unpacked.glob("*.whl")]
    for system in SYSTEMS:
        section = page.partition(f"<h2>{system}</h2>")[2].partition("<h2>")[0]
        assert "pip install" in section and wheel in section, system
    for lesson in COURSE.lessons():
        row = page.partition(f"<code>{lesson.name}/{lesson.name}.ipynb</code>")[2].partition("<tr>")[0]
        assert ("torch" in row) == ("torch" in lesson.modules), lesson.name
        assert "numpy" not in row and ("needs" in row) == ("torch" in row) and "[" not in row
    assert len(re.sub(r"<style>.*</style>|<[^>]*>", "", page, flags=re.DOTALL).split()) < 600, "one page"


def test_what_looking_at_a_lesson_left_behind_stays_out(course: Course, tmp_path: Path, monkeypatch):
    monkeypatch.setattr("autograder.grading.studentpack._wheel", lambda course: ("small.whl", b""))
    for clutter in (".ipynb_checkpoints/tides-checkpoint.ipynb", "__pycache__/public_checks.pyc"):
        path = course.lesson("tides").release_folder / clutter
        path.parent.mkdir()
        path.touch()
    names = write_pack(course, tmp_path / "pack.zip")
    tides = {f"tides/{name}" for name in ("tides.ipynb", "public_checks.py", "lesson.json")}
    assert set(names) == tides | {"small.whl", "START.html"}


def test_a_lesson_that_is_not_released_is_one_line(new_course: Course, tmp_path: Path):
    with pytest.raises(CourseError, match="tides is not released: run `autograder release tides` first"):
        write_pack(new_course, tmp_path / "pack.zip")
    assert not (tmp_path / "pack.zip").exists()


def test_a_lesson_that_is_not_written_yet_reaches_no_student(course: Course, tmp_path: Path):
    notebook = course.lesson("tides").release
    notebook.write_bytes(notebook.read_bytes().replace(b"# ", b"# PLACEHOLDER ", 1))
    line = r"^assignments/tides/tides.ipynb still holds a PLACEHOLDER: .* `autograder release tides`\.$"
    with pytest.raises(CourseError, match=line):
        write_pack(course, tmp_path / "pack.zip")
    assert not (tmp_path / "pack.zip").exists()


def test_a_wheel_that_cannot_be_built_is_one_line(course: Course, tmp_path: Path):
    """This folder has no pyproject.toml."""
    with pytest.raises(CourseError, match=r"^the student wheel could not be built \(.+\): run `make setup`"):
        write_pack(course, tmp_path / "pack.zip")


STUDENT_AT_WORK = """
import numpy as np
from autograder import check, show_attention

def softmax(z):
    z = np.asarray(z, dtype=float)
    e = np.exp(z - z.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)

check("softmax")
check("mix")
show_attention([[0.5, 0.5], [1, 0]], "river bank")
"""


@pytest.mark.slow
def test_a_student_can_work_with_nothing_but_the_archive(unpacked: Path, tmp_path: Path):
    """As the page says, in a new environment: solved work is checked, and a lesson asks for torch."""
    venv.create(tmp_path / "env", with_pip=True)
    home = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin")
    (wheel,) = unpacked.glob("*.whl")
    subprocess.run([home / "python", "-m", "pip", "install", "--quiet", wheel], check=True)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def run(*command: str | Path, cwd: Path = unpacked) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)

    (unpacked / "mixing" / "work.py").write_text(STUDENT_AT_WORK, encoding="utf-8")
    worked = run(home / "python", "-W", "error", "work.py", cwd=unpacked / "mixing")
    assert (worked.returncode, worked.stderr) == (0, "")
    assert "✓ softmax" in worked.stdout and "There is no function `mix` yet" in worked.stdout
    assert "Attention weights" in worked.stdout
    (unpacked / "mixing" / "mixing.ipynb").write_bytes(as_bytes(right_notebook(COURSE.lesson("mixing"))))
    checked = run(home / "autograder", "check", "mixing")
    assert (checked.returncode, checked.stderr) == (0, ""), checked.stdout
    assert "So far 10 of 10 tasks pass" in checked.stdout
    looked = run(home / "autograder", "submit-check", "mixing")
    assert (looked.returncode, looked.stderr) == (0, ""), looked.stdout
    assert "it runs from top to bottom in a fresh Python" in looked.stdout
    assert "receipt: mixing.ipynb" in looked.stdout
    torch = run(home / "autograder", "check", "training")
    assert (torch.returncode, torch.stderr.count("\n")) == (2, 1) and "pip install torch`" in torch.stderr
    grade = run(home / "autograder", "grade", "mixing")
    assert (grade.returncode, grade.stderr.count("\n")) == (2, 1) and "student's install" in grade.stderr
    loaded = "import sys, autograder.cli; print([name for name in sys.modules if 'grading' in name])"
    assert run(home / "python", "-c", loaded).stdout == "[]\n"
    listed = run(home / "python", "-m", "pip", "list", "--format=freeze").stdout.lower()
    assert not re.search(r"(?m)^(nbgrader|jupyterlab|nbclient|msgspec|torch)=", listed)


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("", "cannot be the archive: give a file that ends in .zip."),
        ("pack.tar", "cannot be the archive: give a file that ends in .zip."),
        ("no such folder/pack.zip", "no such folder is not a folder: make it first, or give another place."),
    ],
)
def test_where_no_archive_can_be_is_one_line(
    tmp_path: Path, place: str, line: str, monkeypatch: pytest.MonkeyPatch, capsys
):
    monkeypatch.chdir(COURSE.root)
    assert main(["student-pack", str(tmp_path / place)]) == 2
    said = capsys.readouterr().err
    assert said.startswith("autograder: ") and said.endswith(f"{line}\n") and said.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
