"""What students and TAs see: the recorded notebook, and the feedback on each task."""

import json
import re
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import numpy as np
import pytest
from matplotlib.font_manager import findfont
from matplotlib.ft2font import FT2Font
from processes import descendants
from rich.cells import cell_len
from small_class import EVIL, Class

from autograder.grading import recorder
from autograder.grading.course import Course
from autograder.grading.feedback import LOOKS, plain_points, task_html, task_text
from autograder.grading.reader import load_notebook
from autograder.grading.submission import cells_of
from autograder.grading.verdict import SubmissionResult, TaskResult, TestResult, Verdict


@pytest.fixture
def tides(course: Course) -> Class:
    return Class(course)


def source(cell: dict) -> str:
    return "".join(cell["source"])


# The recorded notebook.


def _with_outputs(tides: Class, outputs: list[dict], student: str = "ana") -> dict:
    """The autograded import cell of a submission whose import cell displayed `outputs`."""
    submitted = load_notebook(tides.folder("submitted", student) / "tides.ipynb")
    per_cell = [outputs if "import math" in cell.source else [] for cell in cells_of(submitted)]
    tides.grade(student, outputs=per_cell)
    assert tides.record(student) == []
    return next(cell for cell in tides.autograded(student)["cells"] if "import math" in source(cell))


def display(**data: str) -> dict:
    return {
        "output_type": "display_data",
        "data": {k.replace("_", "/"): v for k, v in data.items()},
        "metadata": {},
    }


def test_outputs_stand_at_the_cells_that_displayed_them(tides: Class):
    """Also where raw cells, which are not run, stand between."""
    raw_cell = {"cell_type": "raw", "id": "raw", "metadata": {}, "source": "x"}
    tides.hand_in("ana", lambda notebook: notebook["cells"].insert(0, raw_cell))
    cell = _with_outputs(tides, [{"output_type": "stream", "name": "stderr", "text": "hello"}])
    assert "".join(cell["outputs"][0]["text"]) == "hello" and tides.scores() == {"ana": 2.3}
    others = [
        c for c in tides.autograded("ana")["cells"] if c["cell_type"] == "code" and c["id"] != cell["id"]
    ]
    assert [len(c["outputs"]) for c in others] == [0, 2, 0, 2]


def test_outputs_are_text_and_pictures_only(tides: Class):
    tides.hand_in("ana")
    cell = _with_outputs(
        tides,
        [
            display(text_html=EVIL, text_plain="a table"),
            display(text_html=EVIL),
            display(image_png="iVBORw0KGgo="),
            display(image_png=f'"><{EVIL}'),
            display(text_latex=EVIL, text_markdown=EVIL, image_jpeg="AAAA"),
        ],
    )
    kinds = [sorted(output["data"]) for output in cell["outputs"]]
    assert kinds == [["text/plain"], ["text/plain"], ["image/png"], ["text/plain"], ["image/jpeg"]]
    assert "alert(1)" not in json.dumps(cell)


def test_outputs_beyond_the_cap_are_left_out(tides: Class, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(recorder, "OUTPUTS_CAP", 1000)
    tides.hand_in("ana")
    cell = _with_outputs(tides, [{"output_type": "stream", "name": "stdout", "text": "x" * 2000}])
    assert "output left out" in "".join(cell["outputs"][0]["text"])


def test_scores_written_into_outputs_or_metadata_count_for_nothing(tides: Class):
    def cheat(notebook: dict) -> None:
        for cell in notebook["cells"]:
            if cell["id"] in ("level", "cause"):
                cell["outputs"] = [
                    {
                        "output_type": "execute_result",
                        "data": {"text/plain": "2.0"},
                        "metadata": {},
                        "execution_count": 1,
                    }
                ]
                cell["metadata"]["nbgrader"]["points"] = 100
        notebook["metadata"]["autograder"] = {"key": "k"}

    tides.hand_in("ana", cheat)
    tides.grade("ana", 0.1)
    assert tides.record("ana") == [] and tides.scores() == {"ana": 1.1}


DANGEROUS = [
    EVIL,
    "<img src=x onerror=alert(1)>",
    "<b onclick=alert(1)>x</b>",
    "[x](javascript:alert(1))",
    "[x]( <java\tscript:alert(1)>)",
    "[x](java&#115;cript:alert(1))",
    "[x](&#x6A;avascript&colon;alert(1))",
    "[x][y]\n\n[y]: javascript:alert(1)",
    "<javascript:alert(1)>",
    "![x](javascript:alert(1))",
    "[x](JAVASCRIPT:alert(1))",
    "[x](vbscript:alert(1))",
    "[x](data:text/html,<script>alert(1)</script>)",
    "[a]:\n javascript:alert(1)\n\n[a]",
    "<!-- --><svg/onload=alert(1)>",
    "[x](https:alert)(javascript:alert(1))",
]


@pytest.mark.parametrize("text", DANGEROUS)
def test_what_a_student_wrote_runs_nothing_in_a_browser(tides: Class, text: str):
    tides.hand_in("ana", lambda notebook: notebook["cells"][-1].update(source=text))
    tides.grade("ana")
    assert tides.record("ana") == []
    page = tides.page("ana").read_text(encoding="utf-8")
    page = page[page.index('id="notebook-container"') :]
    assert "<script>alert" not in page and "onerror=alert(1)>" not in re.sub(r"&lt;[^<]*", "", page)
    assert not re.search(r"<(img|svg|b)\b[^>]*\bon\w+=", page)
    assert not re.search(
        r"""(?:href|src)=["']?\s*(?:java\s*script|vbscript|data:text)""", page, re.IGNORECASE
    )


def test_an_honest_answer_reads_as_it_was_written(tides: Class):
    link = "[the page](https://example.org/a?b=1&c=2)"
    text = f"Since $i<j$ and a < b, **two** bulges:\n\n> see {link}\n\n<br>1 < 2"
    tides.hand_in("ana", lambda notebook: notebook["cells"][-1].update(source=text))
    tides.grade("ana")
    tides.record("ana")
    assert source(tides.autograded("ana")["cells"][-1]) == text.replace("i<j", "i< j")


def test_problems_are_shown_on_top(tides: Class):
    tides.hand_in("ana", lambda notebook: notebook["metadata"]["kernelspec"].update(name="ir"))
    tides.grade(
        "ana", problems=["The kernel was set back.", f"x{EVIL}\n\ny", "[x](javascript:alert(1)).ipynb is odd"]
    )
    tides.record("ana")
    first = source(tides.autograded("ana")["cells"][0])
    assert "<li>The kernel was set back.</li>" in first and EVIL not in first and "\n" not in first
    assert 'href="javascript' not in tides.page("ana").read_text(encoding="utf-8")


# Feedback.


def task(verdict: Verdict, points: float = 0.0, **more) -> TaskResult:
    tests = [
        TestResult("test_a", Verdict.PASSED, "", "Rows sum to one."),
        TestResult("test_b", verdict, "got shape (3,)", "Every `shape` is kept."),
    ]
    return TaskResult("softmax", verdict, points, 2.0, **{"tests": tests} | more)


@pytest.mark.parametrize("verdict", list(Verdict))
def test_every_verdict_is_told_by_a_word_and_a_symbol(verdict: Verdict):
    html, text = task_html(task(verdict)), task_text(task(verdict))
    words = {
        "passed": "✓ passed",
        "failed": "✗ not right yet",
        "error": "! your code raised an error",
        "timeout": "∞ stopped at a limit",
        "missing": "○ nothing to grade",
        "internal": "‼ the grader failed",
    }
    assert words[verdict] in html and words[verdict].split(" ", 1)[1] in text
    assert "0 of 2 points" in html and "0 of 2 points" in text and "softmax" in html


def test_every_symbol_is_in_a_common_font_and_one_cell_wide():
    font = FT2Font(findfont("DejaVu Sans Mono"))
    for symbol, *_ in LOOKS.values():
        assert ord(symbol) in font.get_charmap() and cell_len(symbol) == 1, symbol


def test_what_did_not_hold_is_told_and_what_held_is_counted():
    html = task_html(task(Verdict.FAILED, 1.0))
    assert "Does not hold: Every <code>shape</code> is kept." in html and "got shape (3,)" in html
    assert "Rows sum to one." not in html and "1 of 2 tests passed" in html and "1 of 2 points" in html
    assert "Could not be tested" in task_html(task(Verdict.TIMEOUT))


def test_mistake_hint_loan_gate_and_explanation():
    gate = [TestResult("a", Verdict.PASSED), TestResult("b", Verdict.FAILED, "", "It holds.", 1.0, gate=True)]
    full = task(
        Verdict.FAILED,
        tests=gate,
        misconception="normalizes down the columns",
        hint="Which `axis`?",
        lent=["softmax", "mix"],
        explanation="Because.",
    )
    for text in (task_html(full), task_text(full)):
        plain = re.sub(r"<[^>]+>", "", text).replace("`", "")
        assert "This looks like: normalizes down the columns." in plain and "Hint: Which axis?" in plain
        assert "judged with our softmax, mix in place of yours" in plain and "Why: Because." in plain
        assert "a tenth at most" in plain
    assert "Why: Because." in task_text(task(Verdict.PASSED, explanation="Because."))
    assert "a tenth at most" not in task_text(task(Verdict.FAILED))


def test_nothing_of_a_students_is_unescaped_or_endless():
    evil = f"{EVIL}\x1b[31m\n" + "x" * 5000
    html = task_html(
        task(
            Verdict.ERROR,
            tests=[TestResult(evil, Verdict.ERROR, evil, "")] * 50,
            misconception=evil,
            hint=evil,
            lent=[evil],
            explanation=evil,
        )
    )
    assert EVIL not in html and "\x1b" not in html and "\n" not in html and len(html) < 12_000
    assert "and 44 more" in html
    assert "\x1b" not in task_text(task(Verdict.ERROR, misconception=evil))


def test_points_are_plain_numbers():
    assert [plain_points(x) for x in (0, 0.1 + 0.2, np.float64(0.5), 2)] == [
        "0.0",
        "0.30000000000000004",
        "0.5",
        "2.0",
    ]


def test_a_result_survives_the_way_to_disk(tides: Class):
    tides.hand_in("ana")
    assert msgspec.json.decode(
        msgspec.json.encode(tides.result("ana")), type=SubmissionResult
    ) == tides.result("ana")


def test_who_writes_feedback_ends_with_a_run_that_is_killed(course: Course, tmp_path: Path):
    script = """
import sys, time
from autograder.grading import pages
from autograder.grading.course import Course

def slow(course, lesson, students):
    open(sys.argv[2] + "/" + students[0], "w").close()
    time.sleep(60)

pages._write, pages.is_told = slow, lambda *_: False
pages.write_pages(Course(sys.argv[1]), Course(sys.argv[1]).lesson("tides"), ["ana", "bo"], 2)
"""
    process = subprocess.Popen([sys.executable, "-c", script, str(course.root), str(tmp_path)])
    while not all((tmp_path / name).exists() for name in ("ana", "bo")):
        time.sleep(0.05)
        assert process.poll() is None
    writers = descendants(process.pid)
    process.kill()
    process.wait()
    end = time.monotonic() + 10
    while any(Path(f"/proc/{pid}").exists() for pid in writers) and time.monotonic() < end:
        time.sleep(0.05)
    assert writers and not any(Path(f"/proc/{pid}").exists() for pid in writers)
