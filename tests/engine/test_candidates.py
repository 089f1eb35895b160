"""The submission is found under any name; the newest that can be read counts, and Python becomes a
notebook."""

import json
import os

import pytest
from hand_in import EARLY, LATE, RIGHT, HandIn, done

from autograder.grading.course import Course, Lesson
from autograder.grading.reader import load_notebook


@pytest.fixture
def raw(lesson: Lesson) -> dict:
    return done(lesson)


@pytest.fixture
def ana(course: Course, lesson: Lesson) -> HandIn:
    return HandIn(course, lesson)


NAMES = [
    "tides (1).ipynb",
    "tides-2.ipynb",
    "TIDES.IPYNB",
    "tides.ipynb.txt",
    "tides.ipynb (1)",
    "work/tides.ipynb",
    "my notebook.ipynb",
    '=HYPERLINK(1),"x".ipynb',
    "\u200fGezeiten.ipynb",
    "tides.json",
    "tides",
    "no\nname.ipynb",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_is_found_under_any_name(ana: HandIn, raw, name: str):
    ana.put(name, raw)
    told = ana.take_in()
    assert ana.source("level_stub") == RIGHT
    assert len(told) == 1 and told[0].endswith("was handed in and taken as tides.ipynb.")
    assert "\n" not in told[0]


def test_a_name_that_is_no_utf_8(ana: HandIn, raw):
    ana.put(os.fsdecode(b"tides \xff.ipynb"), raw)
    ana.put(os.fsdecode(b"data \xff.csv"), "1,2")
    told = ana.take_in()
    assert ana.source("level_stub") == RIGHT and "tides \\xff.ipynb" in told[0]
    assert set(ana.receipts()) == {"tides \\xff.ipynb", "data \\xff.csv"}


def test_the_newest_of_several_counts(ana: HandIn, raw):
    ana.put("tides.ipynb", raw, EARLY)
    newer = json.loads(json.dumps(raw).replace("/ 2", "/ 3"))
    ana.put("tides (1).ipynb", newer, LATE)
    assert ana.take_in() == ["tides (1).ipynb was graded, not tides.ipynb: hand in one notebook."]
    assert "/ 3" in ana.source("level_stub")
    assert set(ana.receipts()) == {"tides.ipynb", "tides (1).ipynb"}
    assert (ana.kept / "tides.ipynb").read_text() == json.dumps(raw)


def test_a_readable_one_counts_before_a_newer_broken_one(ana: HandIn, raw):
    ana.put("tides.ipynb", raw, EARLY)
    ana.put("tides (1).ipynb", json.dumps(raw)[:300], LATE)
    told = ana.take_in()
    assert ana.source("level_stub") == RIGHT
    assert "was graded, not tides (1).ipynb" in told[0] and "ends in the middle" in told[1]


def test_a_later_hand_in_counts_and_the_earlier_is_kept(ana: HandIn, raw):
    ana.put("tides (1).ipynb", json.dumps(raw).replace('"level"', '"levels"'), EARLY)
    assert len(ana.take_in()) == 2
    newer = json.dumps(raw).replace("/ 2", "/ 3")
    ana.put("tides.ipynb", newer, LATE)
    assert ana.take_in() == [], "what was odd about the earlier one is no news any more"
    assert "/ 3" in ana.source("level_stub")
    ana.put("tides.ipynb", newer.replace("/ 3", "/ 4"), LATE + 1)
    assert ana.take_in() == [] and "/ 4" in ana.source("level_stub")
    assert sorted(r["kept_as"] for r in json.loads((ana.kept / "receipts.json").read_text())["received"]) == [
        "tides (1).ipynb",
        "tides-2.ipynb",
        "tides.ipynb",
    ]


def test_the_same_files_collected_again_change_nothing(ana: HandIn, raw):
    broken = json.dumps(raw).replace('"level"', '"levels"')
    ana.put("tides (1).ipynb", broken, EARLY)
    ana.put("old.ipynb", raw, EARLY - 9)
    told, state = ana.take_in(), ana.state()
    ana.put("tides (1).ipynb", broken, EARLY)
    ana.put("old.ipynb", raw, EARLY - 9)
    assert ana.take_in() == told
    assert {name: data for name, (data, _) in ana.state().items()} == {
        name: data for name, (data, _) in state.items()
    }


# What cannot be read.


BROKEN = {
    "empty": b"",
    "cut off": b'{"cells": [',
    "a page": b"<html>login</html>",
    "not text": bytes(range(256)),
}


@pytest.mark.parametrize("what", BROKEN)
def test_the_released_notebook_takes_the_place_of_what_cannot_be_read(ana: HandIn, lesson, what: str):
    ana.put("tides.ipynb", BROKEN[what])
    told = ana.take_in()
    assert len(told) == 1 and told[0].startswith("tides.ipynb ")
    first, *rest = ana.notebook().cells
    assert "No notebook that can be read" in first.source
    assert [c.source for c in rest] == [c.source for c in load_notebook(lesson.release).cells]
    assert (ana.kept / "tides.ipynb").read_bytes() == BROKEN[what]


# Python files.


def test_plain_python_is_woven_into_the_release(ana: HandIn, lesson):
    start = '"""My work."""\nimport math\nfrom math import pi\nprint(1 / 0)\nHALF = 2\n\n\n# by me\n'
    text = f'{start}{RIGHT}\n\nif __name__ == "__main__":\n    level(3)\n'
    ana.put("tides.py", text)
    assert ana.take_in() == ["tides.py was handed in and taken as tides.ipynb."]
    cells = ana.notebook().cells
    assert ana.source("level_stub") == f"# by me\n{RIGHT}"
    sources = [cell.source for cell in cells if cell.cell_type == "code"]
    assert sources[1:6] == [
        '"""My work."""',
        "import math\nfrom math import pi",
        "print(1 / 0)",
        "HALF = 2",
        f"# by me\n{RIGHT}",
    ]
    assert [cell.source for cell in cells if cell.cell_type == "raw"] == [
        'if __name__ == "__main__":\n    level(3)'
    ]
    assert sources.index(f"# by me\n{RIGHT}") < sources.index('check("level")')
    assert [c.source for c in cells if c.cell_type == "markdown"] == [
        c.source for c in load_notebook(lesson.release).cells if c.cell_type == "markdown"
    ]
    assert (ana.folder / "tides.py").exists(), "it may be imported"


def test_a_python_file_handed_in_later_counts(ana: HandIn):
    ana.put("tides.py", RIGHT)
    ana.take_in()
    ana.put("tides.py", RIGHT.replace("2", "5"), LATE)
    ana.take_in()
    assert "/ 5" in ana.source("level_stub")


def test_python_with_a_syntax_error_stays_one_cell(ana: HandIn):
    ana.put("tides.py", f"{RIGHT}\nx = = 1\n")
    ana.take_in()
    assert f"{RIGHT}\nx = = 1" in [cell.source for cell in ana.notebook().cells]


def test_an_exported_notebook_falls_into_its_cells_again(ana: HandIn):
    parts = [
        "#!/usr/bin/env python\n# coding: utf-8\n\n# # 1 Tides\n# The water rises and falls.\n",
        "import numpy as np\n",
        f"{RIGHT}\n",
        'check("level")\n\n\n# Now a question.\n',
        'answer = "b"\n',
        'check("cause")\n',
        "# Why twice a day?\n# \n\n# The far side.\n",
    ]
    ana.put("tides.py", "\n# In[ ]:\n\n\n".join(parts))
    ana.take_in()
    assert ana.source("level_stub") == RIGHT and ana.source("cause_stub") == 'answer = "b"'
    assert ana.source("cause") == 'check("cause")' and ana.source("written_moon") == "Why twice a day?\n"
    texts = [cell.source for cell in ana.notebook().cells if cell.cell_type == "markdown"]
    assert "Now a question." in texts and any("The far side." in text for text in texts)


def test_python_beside_a_notebook_is_no_submission(ana: HandIn, raw):
    ana.put("tides.ipynb", raw, EARLY)
    ana.put("helper.py", "def level(hours): return 7", LATE)
    assert ana.take_in() == [] and ana.source("level_stub") == RIGHT
    assert (ana.folder / "helper.py").exists() and "helper.py" in ana.receipts()


def test_the_checks_given_out_are_no_submission(ana: HandIn, lesson):
    ana.put("public_checks.py", (lesson.release_folder / "public_checks.py").read_bytes())
    assert "No notebook was handed in" in ana.take_in()[0]
