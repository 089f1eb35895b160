"""`autograder submit-check`: what is told about a file before it is handed in, and the receipt to keep."""

import hashlib
import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from student_work import RIGHT, changed, notebook, put

from autograder import allowance, cli, document, handin, manifest
from autograder.grading.course import Course
from autograder.grading.receipts import Received
from autograder.handin import Finding, Mark
from autograder.lesson import LessonError
from autograder.rerun import Rerun, rerun

Change = Callable[[dict], None]


def look(path: Path) -> list[Finding]:
    work = document.read(path)
    return handin.findings(work, manifest.beside(path), rerun(work))


@pytest.fixture(scope="module")
def fine(tmp_path_factory: pytest.TempPathFactory) -> Rerun:
    """How right work runs, for looks that only concern the file."""
    return rerun(document.read(put(tmp_path_factory.mktemp("fine"), *RIGHT)))


def edited(path: Path, change: Change, *sources: str) -> Path:
    raw = notebook(*(sources or RIGHT))
    change(raw)
    path.write_text(json.dumps(raw), encoding="utf-8")
    return path


def lines(found: list[Finding], mark: Mark) -> list[str]:
    return [finding.text for finding in found if finding.mark is mark]


def test_right_work_is_ready(tmp_path: Path, capsys):
    assert cli.main(["submit-check", str(put(tmp_path, *RIGHT))]) == 0
    said = capsys.readouterr().out.splitlines()
    assert [line[0] for line in said[:-2]] == ["✓"] * 6 and said[-2] == "Ready to be handed in."
    for line in (
        "it is called pairs.ipynb", "its size is fine", "all 3 graded cells are there",
        "it runs from top to bottom in a fresh Python 3.", "every code cell was run", "3 of 3 tasks pass",
    ):  # fmt: skip
        assert any(line in one for one in said), line


def test_the_receipt_is_the_teachers(tmp_path: Path, capsys):
    path = put(tmp_path, *RIGHT)
    os.utime(path, (1_700_000_000,) * 2)
    cli.main(["submit-check", str(path)])
    receipt = capsys.readouterr().out.splitlines()[-1]
    kept = Received(tmp_path / "received").keep(path, path.name)
    name, sha256, size, saved = re.fullmatch(
        r"receipt: (\S+)  SHA-256 (\w{16})  (\d+) bytes  saved (\S+)", receipt
    ).groups()
    assert (name, int(size), saved) == (kept.name, kept.size, kept.modified)
    assert kept.sha256.startswith(sha256)


def test_looking_changes_nothing(tmp_path: Path):
    path = put(tmp_path, *RIGHT)
    before = {file: (file.read_bytes(), file.stat().st_mtime_ns) for file in tmp_path.iterdir()}
    look(path)
    assert before == {file: (file.read_bytes(), file.stat().st_mtime_ns) for file in tmp_path.iterdir()}


def without(name: str) -> Change:
    def change(raw: dict) -> None:
        raw["cells"] = [cell for cell in raw["cells"] if cell["id"] != name]

    return change


def strip(raw: dict) -> None:
    for cell in raw["cells"]:
        cell["metadata"] = {}
        del cell["id"]


def unrun(raw: dict) -> None:
    raw["cells"][3]["execution_count"] = None


def out_of_order(raw: dict) -> None:
    raw["cells"][3]["execution_count"] = 99


def endless(raw: dict) -> None:
    raw["cells"][3]["source"] += "\n# " + "x" * allowance.CODE_LENGTH


def crowded(raw: dict) -> None:
    raw["cells"] += [raw["cells"][0]] * allowance.CELLS


def heavy(raw: dict) -> None:
    text = "x" * allowance.SLIM_BYTES
    raw["cells"][0]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": text}]


@pytest.mark.parametrize(
    ("change", "mark", "line"),
    [
        (without("half"), Mark.WRONG, "graded cells are missing (`half`): copy them from a fresh copy"),
        (strip, Mark.FINE, "all 3 graded cells are there"),
        (unrun, Mark.LOOK, "not run since they were written or cleared: cell 4 (`def half(x):`); run all"),
        (out_of_order, Mark.LOOK, "cells were run out of order: restart the kernel, run all cells, and save"),
        (endless, Mark.WRONG, f"cell 4 (`def half(x):`) is longer than {allowance.CODE_LENGTH} characters"),
        (crowded, Mark.WRONG, f"cells: {allowance.CELLS} are graded"),
        (heavy, Mark.LOOK, "4.00 MB: its outputs will be left out"),
    ],
)  # fmt: skip
def test_what_happened_to_the_file_is_told(
    tmp_path: Path, fine: Rerun, change: Change, mark: Mark, line: str
):
    work = document.read(edited(put(tmp_path, *RIGHT), change))
    found = handin.findings(work, manifest.beside(work.path), fine)
    assert any(line in text for text in lines(found, mark)), found


@pytest.mark.parametrize("strange", [[], {}, 1.5, "3", None, True])
@pytest.mark.parametrize("key", ["id", "execution_count", "metadata", "outputs", "source", "cell_type"])
def test_strange_values_are_looked_at_or_one_line(tmp_path: Path, fine: Rerun, key: str, strange: object):
    def change(raw: dict) -> None:
        raw["cells"][3][key] = strange

    path = edited(put(tmp_path, *RIGHT), change)
    try:
        work = document.read(path)
    except LessonError as problem:
        assert "pairs.ipynb is no notebook" in str(problem)
    else:
        assert handin.findings(work, manifest.beside(path), fine)


@pytest.mark.parametrize(
    ("name", "mark", "line"),
    [
        ("pairs (1).ipynb", Mark.WRONG, "it is called pairs (1).ipynb: rename it to pairs.ipynb"),
        ("Copy_of_pairs.ipynb", Mark.WRONG, "it is called Copy_of_pairs.ipynb: rename it to pairs.ipynb"),
        ("pairs.py", Mark.FINE, "it is called pairs.py, as it was released"),
    ],
)
def test_the_name_is_that_of_the_release(tmp_path: Path, fine: Rerun, name: str, mark: Mark, line: str):
    work = document.read(put(tmp_path, *RIGHT, name=name))
    assert line in lines(handin.findings(work, manifest.beside(work.path), fine), mark)


@pytest.mark.parametrize("text", [None, "", "[]", '{"lesson": "pairs"}'])
def test_without_the_lessons_list_that_is_told(tmp_path: Path, fine: Rerun, text: str | None):
    work = document.read(put(tmp_path, *RIGHT))
    listed = work.path.with_name("lesson.json")
    listed.unlink() if text is None else listed.write_text(text)
    found = handin.findings(work, manifest.beside(work.path), fine)
    assert found[0].mark is Mark.LOOK and "there is no lesson.json beside" in found[0].text
    assert handin.worst(found) is Mark.LOOK


@pytest.mark.parametrize(
    ("shown", "told"),
    [
        ({"data": {"text/html": "<p>", "text/plain": ["✓ double: passes\n", "So"]}}, True),
        ({"name": "stdout", "text": "\n+ double: 2 of 2 checks pass\n"}, True),
        ({"name": "stdout", "text": ["✗ double: does not pass"]}, False),
    ],
)
def test_a_page_that_shows_what_is_not_saved_is_noticed(tmp_path: Path, shown: dict, told: bool):
    """The kernel held the right function, the file holds another."""

    def change(raw: dict) -> None:
        raw["cells"][2]["outputs"] = [shown]

    path = edited(put(tmp_path, *RIGHT), change, *changed(double="def double(x):\n    return x"))
    found = [text for text in lines(look(path), Mark.WRONG) if "but what is saved fails it" in text]
    assert bool(found) == told and all("(`double`): save the notebook" in text for text in found)


def test_what_stops_a_run_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys):
    stub = "def half(x):\n    raise NotImplementedError()"
    path = put(tmp_path, *changed("boom()", half=stub), "half(1)")
    monkeypatch.chdir(path.parent)
    assert cli.main(["submit-check", path.name]) == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "✗ cell 2 (`boom()`) stopped with NameError: name 'boom' is not defined, at `boom()`" in said
    assert "! functions that are still to be written stopped cell 10 (`half(1)`)" in said
    assert "! 2 of 3 tasks pass their checks, not yet: `half`; `autograder check pairs.ipynb`" in said
    assert "Mend what is marked ✗" in said and "receipt: pairs.ipynb" in said


@pytest.mark.parametrize(("folder", "named"), [("pairs", "pairs/pairs"), ("my pairs", '"my pairs/pairs')])
def test_the_next_command_is_right_where_one_stands(
    tmp_path: Path, folder: str, named: str, monkeypatch: pytest.MonkeyPatch, capsys
):
    (tmp_path / folder).mkdir()
    put(tmp_path / folder, *changed(half="def half(x):\n    return 7"))
    monkeypatch.chdir(tmp_path)
    cli.main(["submit-check", folder])
    assert f"`autograder check {named}.ipynb" in " ".join(capsys.readouterr().out.split())


def test_what_cannot_be_run_gets_its_other_lines_and_its_receipt(tmp_path: Path, capsys):
    path = put(tmp_path, *changed("import os\nos._exit(3)"))
    assert cli.main(["submit-check", str(path)]) == 1
    said = capsys.readouterr().out
    assert "✗ Python ended in cell 2 (`import os`) (exit code 3): run it alone to see why" in said
    assert "✓ all 3 graded cells are there" in said and "receipt: pairs.ipynb" in said


def test_unfinished_work_can_be_handed_in(tmp_path: Path, capsys):
    path = put(tmp_path, *changed(half="def half(x):\n    return 7"))
    assert cli.main(["submit-check", str(path)]) == 0
    assert "It can be handed in; first look at what is marked !." in capsys.readouterr().out


def test_a_python_file_has_no_cells_to_miss(tmp_path: Path, capsys):
    assert cli.main(["submit-check", str(put(tmp_path, *RIGHT, name="pairs.py"))]) == 0
    said = capsys.readouterr().out
    assert "Ready" in said and "cells" not in said


def test_too_large_a_file_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys):
    path = put(tmp_path, *RIGHT)
    monkeypatch.setattr(document, "FILE_BYTES", 10)
    assert cli.main(["submit-check", str(path)]) == 2
    assert "pairs.ipynb has 0 MB, more than the 0 MB that are graded: clear" in capsys.readouterr().err


def test_the_list_of_a_release_names_its_graded_cells(course: Course):
    lesson = course.lesson("tides")
    listed = manifest.beside(lesson.release)
    assert listed.lesson == "tides" and list(listed.graded) == ["level", "cause", "written_moon"]
    cells = {cell.name: cell.source for cell in document.read(lesson.release).cells}
    assert listed.graded == {name: manifest.digest(cells[name]) for name in listed.graded}
    assert hashlib.sha256(b'check("level")').hexdigest().startswith(listed.graded["level"])
