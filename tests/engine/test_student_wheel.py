"""What a student installs: the wheel's files and its command."""

import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder import cli

ROOT = Path(__file__).resolve().parents[2]
MODULES = {
    "__init__",
    "allowance",
    "arrows",
    "axes",
    "bareshell",
    "card",
    "check",
    "cli",
    "commands",
    "compare",
    "curve",
    "document",
    "drawing",
    "failure",
    "fresh",
    "grid",
    "handin",
    "heatmap",
    "lesson",
    "manifest",
    "moment",
    "notebook",
    "packages",
    "panel",
    "pictures",
    "report",
    "rerun",
    "screen",
    "script",
    "spelling",
    "student",
    "terminal",
    "values",
    "watch",
    "work",
}
METADATA = {"METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE"}
# Hard to hit upon by chance: what only the teacher's side talks about.
TEACHERS = (b"BEGIN SOLUTION", b"misconception", b"course_secret", b"gradebook", b"solutions.", b"leans_on")


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "--wheel-dir",
        str(folder),
    ]
    done = subprocess.run([*build, str(ROOT)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    (made,) = folder.glob("*.whl")
    return made


def test_the_wheel_holds_the_students_files_and_no_others(wheel: Path):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    metadata = "-".join(wheel.name.split("-")[:2]) + ".dist-info"
    assert names == {f"autograder/{name}.py" for name in MODULES} | {
        f"{metadata}/{name}" for name in METADATA
    }


def test_the_wheel_says_nothing_of_the_teachers_side(wheel: Path):
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if name.endswith(".py"):
                text = archive.read(name)
                assert not [word for word in TEACHERS if word in text], name


def test_a_student_needs_nothing_of_the_graders(wheel: Path):
    with zipfile.ZipFile(wheel) as archive:
        metadata = next(
            archive.read(name).decode() for name in archive.namelist() if name.endswith("METADATA")
        )
    required = [line.split(":")[1] for line in metadata.splitlines() if line.startswith("Requires-Dist:")]
    always = {line.split(">")[0].split("=")[0].strip() for line in required if "extra ==" not in line}
    assert always <= {"numpy", "scipy", "matplotlib", "ipywidgets"}


def test_the_command_hands_over(monkeypatch: pytest.MonkeyPatch):
    from autograder.grading import cli as grading

    monkeypatch.setattr(grading, "main", lambda argv: 7 if argv == ["grade", "x"] else 0)
    assert cli.main(["grade", "x"]) == 7


def test_the_command_of_a_student_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys):
    monkeypatch.setitem(sys.modules, "autograder.grading.cli", None)
    assert cli.main(["grade", "mixing"]) == 2
    said = capsys.readouterr().err
    assert said == (
        "autograder: this is the student's install, without the grader: it has `autograder check` and "
        "`autograder submit-check`\n"
    )


def lacking(module: str) -> Callable[[object], int]:
    """An engine that needs a module which is not there."""

    def main(argv: object) -> int:
        raise ModuleNotFoundError(f"No module named {module!r}", name=module)

    return main


@pytest.mark.parametrize("module", ["msgspec", "IPython", "nbgrader.api"])
def test_a_package_that_is_missing_is_one_line(module: str, monkeypatch: pytest.MonkeyPatch, capsys):
    monkeypatch.setattr("autograder.grading.cli.main", lacking(module))
    assert cli.main([]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"autograder: the package {module} is not installed: run pip install")
    assert said.count("\n") == 1


@pytest.mark.parametrize("module", ["solutions", "autograder.nothing"])
def test_a_fault_is_not_taken_for_a_missing_package(module: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("autograder.grading.cli.main", lacking(module))
    with pytest.raises(ModuleNotFoundError):
        cli.main([])
