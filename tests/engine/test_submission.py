"""Whatever is handed in is read, and what was odd about it is said."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest

from autograder.allowance import CELLS
from autograder.grading.course import Course, Lesson
from autograder.grading.reader import load_notebook, read_content
from autograder.grading.repair import repair
from autograder.grading.submission import EXTRA_FILES, extra_files, read_file

STUB, GRADE, QUESTION, CAUSE, TASK = "level_stub", "level", "cause_stub", "cause", "written_moon"
RIGHT = "def level(hours):\n    return np.sin(np.asarray(hours) / 2)"


@pytest.fixture
def raw(lesson: Lesson) -> dict:
    """The released notebook, done by an honest student, as JSON."""
    notebook = json.loads(lesson.release.read_text(encoding="utf-8"))
    find(notebook, STUB)["source"] = RIGHT
    find(notebook, QUESTION)["source"] = 'answer = "b"'
    return notebook


@pytest.fixture
def hand_in(lesson: Lesson, tmp_path: Path) -> Callable:
    """hand_in(content, name) → the submission that a file of this content is read as."""

    def read(content: bytes | str | dict, name: str = "ana.ipynb"):
        if isinstance(content, dict):
            content = json.dumps(content)
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return read_file(path, lesson)

    return read


def find(notebook: dict, grade_id: str) -> dict:
    return next(c for c in notebook["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") == grade_id)


def ids(submission) -> list[str]:
    return [cell.id for cell in submission.cells if cell.id]


ALL = [STUB, GRADE, QUESTION, CAUSE, TASK]


# Files.


def test_an_honest_notebook_has_its_cells_and_no_problem(hand_in, raw):
    submission = hand_in(raw)
    assert (submission.student, submission.lesson, submission.kind) == ("ana", "tides", "notebook")
    assert submission.problems == [] and submission.extra == {}
    assert ids(submission) == ALL
    assert [cell.index for cell in submission.cells] == list(range(len(raw["cells"])))
    assert next(cell for cell in submission.cells if cell.id == STUB).source == RIGHT
    assert {cell.kind for cell in submission.cells} == {"code", "markdown"}


def test_a_python_file_is_a_cell_for_each_statement(hand_in):
    """What goes wrong in one statement then stays there; what is no Python stays whole."""
    submission = hand_in("import math\r\nimport re\r\ndef level(hours):\r\n    return 1\r\n", "bo.py")
    assert (submission.student, submission.kind, submission.problems) == ("bo", "python", [])
    assert [(cell.id, cell.kind, cell.source, cell.index) for cell in submission.cells] == [
        ("", "code", "import math\nimport re", 0),
        ("", "code", "def level(hours):\n    return 1", 1),
    ]
    assert [cell.source for cell in hand_in("x = 1\ny = = 2\n", "cy.py").cells] == ["x = 1\ny = = 2"]


@pytest.mark.parametrize("sign", ["\f", "\v", "\x85", "\u2028"])
def test_what_ends_no_line_in_python_tears_no_statement(hand_in, sign: str):
    wanted = [f'def level(hours):\n    """a{sign}b"""\n    return 1', "def tide():\n    return 2"]
    assert [cell.source for cell in hand_in("\n\n".join(wanted), "bo.py").cells] == wanted


UNREADABLE = {
    "empty": (b"", "is empty: save it"),
    "blanks": (b" \n\n", "is empty"),
    "login page": (b"<!DOCTYPE html><html><body>Log in</body></html>", "is a web page, perhaps a login page"),
    "conflict": (
        b'{\n<<<<<<< HEAD\n "cells": []\n=======\n "cells": [1]\n>>>>>>> theirs\n}',
        "merge-conflict markers",
    ),
    "truncated": (b'{"cells": [{"cell_type": "code", "source": "x = 1', "ends in the middle"),
    "truncated later": (b'{"cells": [{"cell_type": "code"},', "ends in the middle"),
    "damaged": (b'{"cells": [} , "nbformat": 4, "nbformat_minor": 5}', "is not valid JSON (line 1, column"),
    "other JSON": (b'{"grades": []}', "is not a notebook"),
    "a list": (b"[1, 2]", "is not a notebook"),
    "deep": (b"[" * 100_000, "is not a notebook"),
    "deep inside": (b'{"cells": ' + b"[" * 100_000, "is not a notebook"),
    "huge number": (b'{"cells": ' + b"9" * 10_000 + b"}", "is not a notebook"),
    "picture": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "is not a notebook"),
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_what_cannot_be_read_has_no_cells_and_says_why(hand_in, what: str):
    content, reason = UNREADABLE[what]
    submission = hand_in(content)
    assert submission.cells == []
    assert reason in submission.problems[-1] and submission.problems[-1].startswith("ana.ipynb ")
    assert "hand" in submission.problems[-1] and "\n" not in "".join(submission.problems)


def test_a_file_that_is_not_there_or_too_large_or_a_link_is_not_read(hand_in, lesson, tmp_path: Path):
    assert "cannot be read" in read_file(tmp_path / "gone.ipynb", lesson).problems[0]
    with open(tmp_path / "huge.ipynb", "wb") as file:
        file.truncate(51 * 1024**2)
    assert "is too large (51 MB)" in read_file(tmp_path / "huge.ipynb", lesson).problems[0]
    secret = tmp_path / "secret.py"
    secret.write_text("x = 1")
    (tmp_path / "link.ipynb").symlink_to(secret)
    os.mkfifo(tmp_path / "pipe.ipynb")
    for name in ("link.ipynb", "pipe.ipynb"):
        submission = read_file(tmp_path / name, lesson)
        assert submission.cells == [] and "is no ordinary file" in submission.problems[0]


ENCODINGS = {
    "BOM": ("utf-8-sig", "starts with a byte order mark (UTF-8)"),
    "UTF-16": ("utf-16", "starts with a byte order mark (UTF-16-LE)"),
    "UTF-16 bare": ("utf-16-be", "is encoded as UTF-16-BE"),
    "UTF-32": ("utf-32", "byte order mark (UTF-32-LE)"),
    "Latin-1": ("latin-1", "was read as Latin-1"),
}


@pytest.mark.parametrize("what", ENCODINGS)
def test_other_encodings_are_read_and_named(hand_in, raw, what: str):
    encoding, line = ENCODINGS[what]
    raw["cells"][0]["source"] = "# Gezeiten für Anfänger"
    submission = hand_in(json.dumps(raw, ensure_ascii=False).encode(encoding))
    assert ids(submission) == ALL and submission.cells[0].source == "# Gezeiten für Anfänger"
    assert len(submission.problems) == 1 and line in submission.problems[0]


def test_python_text_under_a_notebook_name_and_the_other_way_round(hand_in, raw):
    python = hand_in("def level(hours):\n    return hours +\n", "cy.ipynb")
    assert python.kind == "python" and "holds Python text, not a notebook" in python.problems[0]
    notebook = hand_in(raw, "cy.py")
    assert notebook.kind == "notebook" and ids(notebook) == ALL
    assert "holds a notebook, not Python text" in notebook.problems[0]


def test_a_python_file_that_is_none_says_so(hand_in):
    assert "is empty" in hand_in(b"", "x.py").problems[0]
    assert "is a web page" in hand_in(b"<html></html>", "y.py").problems[0]
    merged = hand_in("<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> b\n", "z.py")
    assert "merge-conflict markers" in merged.problems[0] and merged.cells


def test_windows_line_ends(hand_in, raw):
    assert hand_in(json.dumps(raw, indent=1).replace("\n", "\r\n")).problems == [], (
        "between tokens they mean nothing"
    )
    find(raw, STUB)["source"] = RIGHT.replace("\n", "\r\n")
    find(raw, GRADE)["source"] = 'check("level")\r\n'
    submission = hand_in(raw)
    assert [cell.source for cell in submission.cells if cell.id in (STUB, GRADE)] == [RIGHT, 'check("level")']
    assert "Windows line ends" in submission.problems[0]


def test_old_formats_are_read(hand_in, raw):
    for cell in raw["cells"]:
        del cell["id"]
        if cell["cell_type"] == "code":
            cell["input"] = cell.pop("source")
    raw["cells"].insert(0, {"cell_type": "heading", "level": 1, "source": "Tides", "metadata": {}})
    old = {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": raw["cells"]}]}
    submission = hand_in(old)
    assert ids(submission) == ALL and submission.cells[0].source == "# Tides"
    assert "old notebook format 3" in submission.problems[0]


@pytest.mark.parametrize("minor", range(5))
def test_formats_4_0_to_4_4_get_cell_ids(hand_in, raw, minor: int):
    raw["nbformat_minor"] = minor
    for cell in raw["cells"]:
        del cell["id"]
    submission = hand_in(raw)
    assert ids(submission) == ALL
    assert submission.problems == ["Cells without an id of their own were given one."]


def test_hostile_json_is_read_as_what_can_be_made_of_it(hand_in, lesson):
    odd = [
        None,
        5,
        "x",
        [],
        {},
        {"cell_type": 7},
        {"cell_type": "code", "source": {"a": 1}, "metadata": []},
        {
            "cell_type": "code",
            "source": ["a = 1\n", None, "\ud800"],
            "metadata": {"nbgrader": "x", "tags": [1]},
        },
        {"cell_type": "markdown", "source": 3, "attachments": {"a": 1, "\ud800": {}}, "id": "no good"},
    ]
    for notebook in (
        {"cells": odd},
        {"cells": 3},
        {"worksheets": [1, {"cells": odd}]},
        {"cells": odd, "metadata": 4},
    ):
        submission = hand_in(notebook)
        assert {GRADE, CAUSE, TASK} <= set(ids(submission))
        content = read_content(json.dumps(notebook).encode(), "x.ipynb").notebook
        nbformat.validate(repair(content, load_notebook(lesson.release))[0])


def test_size_caps(hand_in, raw):
    raw["cells"] += [{"cell_type": "code", "source": "x = 1", "metadata": {}}] * 3000
    submission = hand_in(raw)
    assert f"has {len(raw['cells'])} cells; only the first {CELLS} were read" in submission.problems[0]
    assert len(submission.cells) == CELLS
    del raw["cells"][20:]
    raw["cells"].append({"cell_type": "code", "source": "x = 1\n" * 100_000, "metadata": {}})
    submission = hand_in(raw)
    assert submission.cells[-1].source == "" and "a cell too long" in " ".join(submission.problems)


# Extra files.


def test_files_beside_a_hand_in_come_along(course: Course, lesson: Lesson, raw):
    folder = course.build / "submitted" / "dee" / "tides"
    (folder / "data").mkdir(parents=True)
    (folder / "tides.ipynb").write_text(json.dumps(raw))
    (folder / "helper.py").write_text("x = 1")
    (folder / "data" / "a.csv").write_text("1,2")
    (folder / ".hidden").write_text("no")
    (folder / "timestamp.txt").write_text("2030-01-01 00:00:00 UTC")
    (folder / "big.bin").write_bytes(bytes(9 * 1024**2))
    (folder / "passwd").symlink_to("/etc/passwd")
    submission = read_file(folder / "tides.ipynb", lesson)
    assert submission.student == "dee"
    assert submission.extra == {"helper.py": b"x = 1", "data/a.csv": b"1,2"}
    assert [line.split()[0] for line in submission.problems] == ["big.bin", "passwd"]


def test_files_beside_any_other_file_stay_where_they_are(lesson: Lesson, raw, tmp_path: Path):
    folder = tmp_path / "downloads" / "tides"
    folder.mkdir(parents=True)
    (folder / "tides.ipynb").write_text(json.dumps(raw))
    (folder / "diary.txt").write_text("private")
    assert read_file(folder / "tides.ipynb", lesson).extra == {}


def test_the_number_of_extra_files_is_capped(tmp_path: Path):
    for number in range(EXTRA_FILES + 3):
        (tmp_path / f"{number:03}").write_text("")
    (tmp_path / "a\nb").write_text("a name on two lines")
    extra, left_out = extra_files(tmp_path)
    assert len(extra) == EXTRA_FILES and left_out == ["100", "101", "102", "a\nb"]


def test_the_size_of_all_extra_files_is_capped(tmp_path: Path):
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(bytes(5 * 1024**2))
    (tmp_path / "c").write_bytes(b"small")
    extra, left_out = extra_files(tmp_path)
    assert sorted(extra) == ["a", "c"] and left_out == ["b"]


# Remarks.


def test_code_in_a_text_cell_is_pointed_out(hand_in, raw):
    raw["cells"] = [c for c in raw["cells"] if c["id"] != STUB]
    raw["cells"].insert(1, {"cell_type": "markdown", "source": RIGHT, "metadata": {}, "id": "text"})
    assert hand_in(raw).problems == [
        "Cell 2 holds `level` but is text: change its type to code and hand it in again."
    ]
    raw["cells"].append({"cell_type": "code", "source": RIGHT, "metadata": {}, "id": "code"})
    assert not any("is text:" in line for line in hand_in(raw).problems), "the function is there after all"


def test_conflict_markers_inside_a_cell_are_pointed_out(hand_in, raw):
    find(raw, STUB)["source"] = f"<<<<<<< HEAD\n{RIGHT}\n=======\nx = 1\n>>>>>>> b"
    assert "Cell 3 holds merge-conflict markers" in hand_in(raw).problems[0]
