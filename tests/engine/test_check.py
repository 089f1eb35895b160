"""`check` in the notebook: what it says about right and wrong functions, and that it never raises."""

import json
import linecache
import os
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Sequence
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from autograder import card, terminal, values
from autograder.check import Check, expect
from autograder.compare import Mismatch, difference
from autograder.drawing import contrast
from autograder.lesson import LessonError
from autograder.report import Report, State

CHECKS = '''
import numpy as np
from autograder.check import expect

SECTIONS = {
    "shares": "2 From scores to shares",
    "mix": "3 Mixing rows",
    "mix_all": "4 Everything at once",
    "why": "5 A question",
    "how": "6 Another question",
    "later": "7 Without a public check",
}
ROWS = [[1.0, 2.0], [3.0, 4.0]]


def test_shares_of_two(student):
    """Two equal scores have equal shares."""
    expect(student.shares([1.0, 1.0]), [0.5, 0.5], hint="divide by <the total>")


def test_shares_add_up(student):
    expect(np.sum(student.shares([0.0, 1.0, 2.0])), 1)


def test_mix_two_rows(student):
    expect(student.mix([[0.5, 0.5]], ROWS), [[2, 3]], hint="rows of V")


def test_mix_keeps_rows(student):
    expect(student.mix([[1, 0]], ROWS), [[1, 2]])


def test_mix_all_pair(student):
    A, H = student.mix_all(ROWS)
    expect(A, [[0.5, 0.5], [0.5, 0.5]])
    expect(H, [[2, 3], [2, 3]])


def test_why_is_a_letter(student):
    assert student.answer in ("a", "b"), 'write answer = "a" or answer = "b"'


def test_how_is_a_letter(student):
    assert student.answer == "c", 'write answer = "c"'
'''

RIGHT = """
import numpy as np

def shares(z):
    e = np.exp(np.asarray(z, float) - np.max(z))
    return e / e.sum()

def mix(A, V):
    return np.asarray(A) @ np.asarray(V)

def mix_all(X):
    A = np.full((len(X), len(X)), 1 / len(X))
    return A, mix(A, X)

answer = "a"
"""


@pytest.fixture(autouse=True)
def in_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """No notebook around, whatever other tests have imported."""
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    for variable in ("JPY_SESSION_NAME", "NO_COLOR"):
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture(autouse=True)
def lesson(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "lesson"
    folder.mkdir()
    (folder / "public_checks.py").write_text(CHECKS, encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder


def run_cell(source: str, namespace: dict[str, Any] | None = None) -> dict[str, Any]:
    """As IPython does it: the source of a cell can be looked up by the file name that its code carries."""
    namespace = {} if namespace is None else namespace
    name = f"<cell {len(linecache.cache)}>"
    source = textwrap.dedent(source)
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    exec(compile(source, name, "exec"), namespace)
    return namespace


def report_on(source: str, task: str | None) -> Report:
    return Check().report(task, None, run_cell(source))


def text_of(source: str, task: str | None) -> str:
    return terminal.rendered(report_on(source, task))


def row(report: Report, label: str) -> str:
    """The content of a row of the first failure."""
    assert report.detailed
    failure = report.detailed.failures[0].failure
    assert failure
    return dict(failure.rows)[label]


def headline(report: Report) -> str:
    assert report.detailed
    failure = report.detailed.failures[0].failure
    assert failure
    return failure.headline


# ── right and wrong functions ──


def test_right_functions_pass():
    report = report_on(RIGHT, "shares")
    assert [outcome.title for outcome in report.tasks[0].outcomes] == [
        "Two equal scores have equal shares",
        "add up",
    ]
    assert report.tasks[0].passed
    assert "✓ shares: 2 of 2 checks pass" in terminal.rendered(report)


def test_a_wrong_result_shows_call_gave_expected_hint_and_section():
    report = report_on("def shares(z): return [0.25, 0.25]", "shares")
    assert headline(report) == "`shares`: 2 of 2 entries differ, most at [0]: 0.25 instead of 0.5"
    assert row(report, "call") == "shares([1, 1])"
    assert row(report, "gave") == "[0.25, 0.25]"
    assert row(report, "expected") == "[0.5, 0.5]"
    assert row(report, "hint") == "divide by <the total>"
    assert "lesson    2 From scores to shares" in terminal.rendered(report)


def test_only_the_first_failure_is_explained():
    text = text_of("def shares(z): return [1.0, 1.0]", "shares")
    assert text.count("call ") == 1
    assert text.count("✗") == 4  # the task, its two checks, and in the total


def test_a_value_made_from_the_result_is_shown_beside_it():
    report = report_on("def shares(z): return [1/2] * len(z)", "shares")
    assert row(report, "gave") == "[0.5, 0.5, 0.5]"
    assert row(report, "from it") == "1.5"
    assert row(report, "expected") == "1"


def test_a_part_of_a_result_is_named():
    report = report_on(RIGHT + "def mix_all(X): return np.full((2, 2), .5), np.zeros((2, 2))", "mix_all")
    assert row(report, "call") == "mix_all([[1, 2], [3, 4]])[1]"
    assert row(report, "expected") == "[2 3]\n[2 3]"


def test_a_row_of_a_result_is_named(lesson: Path):
    (lesson / "public_checks.py").write_text(
        "import numpy as np\nfrom autograder.check import expect\n"
        "def test_pair(student):\n    A, H = student.pair(1)\n    expect(np.asarray(H)[-1], [1, 1])"
    )
    report = report_on("import numpy as np\ndef pair(x): return np.ones((2, 2)), np.zeros((3, 2))", "pair")
    assert (row(report, "call"), row(report, "gave")) == ("pair(1)[1][2]", "[0, 0]")
    report = report_on("def pair(x): return [[1, 1]] * 2, [[0, 0]] * 3", "pair")
    assert (row(report, "call"), row(report, "from it")) == ("pair(1)", "[0, 0]")
    assert row(report, "gave") == "[0]  [1 1]\n     [1 1]\n[1]  [0 0]\n     [0 0]\n     [0 0]"


def test_a_result_that_a_check_cannot_use():
    report = report_on("def mix_all(X): return None", "mix_all")
    assert "cannot be used: TypeError" in headline(report)
    assert row(report, "gave") == "None"
    assert row(report, "used in") == "`A, H = student.mix_all(ROWS)`"


def test_a_forgotten_return():
    assert "None came back: is a `return` missing?" in headline(report_on("def shares(z): z", "shares"))


def test_a_missing_function():
    text = text_of("x = 1", "shares")
    assert "There is no function `shares` yet: run the cell that defines it" in text


def test_a_function_of_nearly_that_name():
    assert "there is a `share`" in text_of("def share(z): return z", "shares")


def test_a_variable_in_place_of_the_function():
    text = text_of("shares = [1, 2]", "shares")
    assert "`shares` is a variable of type list now, no function: run the cell" in text


def test_a_stub_left_in_place():
    report = report_on("def shares(z):\n    # YOUR CODE HERE\n    raise NotImplementedError()", "shares")
    assert headline(report).startswith("`shares` is still the stub: write your own lines")


def test_a_stub_behind_another_function():
    source = RIGHT + "def mix(A, V):\n    raise NotImplementedError()"
    assert headline(report_on(source, "mix_all")).startswith(
        "`mix`, which `mix_all` calls, is still the stub"
    )


def test_an_exception_with_the_line_of_the_students_own():
    source = """
    import numpy as np

    def total(z):
        return np.reshape(z, (7, 7))

    def shares(z):
        return total(z)
    """
    report = report_on(source, "shares")
    assert headline(report) == "`shares` raised ValueError: cannot reshape array of size 2 into shape (7,7)"
    assert row(report, "line") == "line 5, in `total`: `return np.reshape(z, (7, 7))`"


def test_a_name_that_is_not_defined():
    report = report_on("def shares(z): return unknown(z)", "shares")
    assert row(report, "hint") == "run the cell that defines unknown, or look for a slip in the name"


def test_a_changed_input():
    source = "def mix(A, V):\n    V[0][1] = 9.0\n    return [[2, 3]]"
    report = report_on(source, "mix")
    assert headline(report) == "`mix` changed its input: work on a copy"
    assert row(report, "before") == "[1 2]\n[3 4]"
    assert row(report, "after") == "[1 9]\n[3 4]"


@pytest.mark.parametrize("value", ["np.ones(2)", "(1.0, [1.0])", "{'a': [1.0]}", "torch.ones(2)"])
def test_every_kind_of_changed_input_is_noticed(lesson: Path, value: str):
    if "torch" in value:
        pytest.importorskip("torch")
    head = "import torch" if "torch" in value else "import numpy as np"
    (lesson / "public_checks.py").write_text(f"{head}\ndef test_f(student): student.f({value})")
    change = """
    def f(x):
        if isinstance(x, dict): x["a"].append(2.0)
        elif isinstance(x, tuple): x[1][0] = 5.0
        else: x += 1
    """
    assert "changed its input" in headline(report_on(change, "f"))
    assert report_on("def f(x): return 1", "f").tasks[0].passed


def test_one_check_cannot_spoil_the_input_of_the_next():
    source = """
    import numpy as np
    calls = []

    def mix(A, V):
        result = np.asarray(A) @ np.asarray(V)
        if not calls:
            V[0][0] = 100.0
        calls.append(1)
        return result
    """
    assert [outcome.passed for outcome in report_on(source, "mix").tasks[0].outcomes] == [False, True]


def test_an_assert_of_a_check_is_its_own_message():
    report = report_on('answer = "z"', "why")
    assert headline(report) == 'Write answer = "a" or answer = "b"'
    assert row(report, "gave") == "'z'"


def test_a_demanded_exception(lesson: Path):
    (lesson / "public_checks.py").write_text(
        "def test_f_refuses(student):\n    with student.raises(ValueError):\n        student.f(-1)"
    )
    assert report_on("def f(x): raise ValueError", "f").tasks[0].passed
    assert headline(report_on("def f(x): return 5", "f")) == "`f`: ValueError should have been raised here"
    assert "raised KeyError" in headline(report_on("def f(x): raise KeyError(x)", "f"))


def test_a_function_under_another_name_is_pointed_at_but_none_that_was_imported():
    other = RIGHT.replace("shares", "share")
    assert "(there is a `share`: is that the one?)" in headline(report_on(other, "shares"))
    longer = RIGHT.replace("shares", "all_shares")  # another task's, more likely
    assert "is that the one" not in headline(report_on(longer, "shares"))
    imported = RIGHT.replace("def shares", "from numpy import tile as share\n\ndef other")
    assert "is that the one" not in headline(report_on(imported, "shares"))


# ── total, questions ──


def test_total_so_far_counts_what_passes_now():
    check, namespace = Check(), run_cell(RIGHT)
    first = check.report("shares", None, namespace)
    assert first.total == "So far 1 of 5 tasks pass"
    assert first.standing["mix"] is State.OPEN
    assert first.legend == "(○ not checked yet)"
    assert check.report("mix", None, namespace).total == "So far 2 of 5 tasks pass"


def test_a_symbol_is_not_parted_from_what_it_means(monkeypatch: pytest.MonkeyPatch):
    report = Check().report("shares", None, run_cell(RIGHT))
    assert f"<span>{report.legend}</span>" in card.rendered(report)
    for width in range(30, 60):
        monkeypatch.setattr(terminal, "_WIDTH", width)
        assert report.legend in terminal.rendered(report)


def test_a_function_that_was_changed_since_no_longer_counts():
    check, namespace = Check(), run_cell(RIGHT)
    check.report("mix_all", None, namespace)
    run_cell("def mix(A, V):\n    return 0", namespace)  # mix_all uses it
    report = check.report("shares", None, namespace)
    assert report.standing["mix_all"] is State.CHANGED
    assert report.total == "So far 1 of 5 tasks pass"


def test_check_of_everything():
    report = report_on(RIGHT, None)
    assert [task.name for task in report.tasks] == ["shares", "mix", "mix_all", "why", "how"]
    assert report.total == "So far 4 of 5 tasks pass"
    assert report.detailed and report.detailed.name == "how"


def test_all_passing_says_that_grading_does_more(lesson: Path):
    (lesson / "public_checks.py").write_text("def test_f(student): student.f()")
    assert report_on("def f(): pass", None).total == "So far 1 of 1 tasks pass; grading checks more than this"


def test_each_question_keeps_the_answer_that_it_was_checked_with():
    check, namespace = Check(), run_cell(RIGHT)
    check.report("why", None, namespace)
    namespace["answer"] = "c"  # the next question's
    standing = check.report(None, None, namespace).standing
    assert standing["why"] is standing["how"] is State.PASSED


# ── finding the checks ──


def printed(capsys: pytest.CaptureFixture[str], call: str, source: str = RIGHT) -> str:
    """What a student reads after `call` in a cell."""
    namespace = run_cell(source)
    exec("from autograder import check", namespace)
    capsys.readouterr()
    exec(call, namespace)
    return capsys.readouterr().out


def test_checks_are_found_one_folder_up(lesson: Path, monkeypatch: pytest.MonkeyPatch, capsys):
    (lesson / "sub").mkdir()
    monkeypatch.chdir(lesson / "sub")
    assert "✓ shares" in printed(capsys, 'check("shares")')


@pytest.mark.parametrize("place", ["lesson", "lesson/public_checks.py"])
def test_checks_of_another_lesson(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys):
    (tmp_path / "a" / "b").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "a" / "b")
    assert "✓ shares" in printed(capsys, f'check("shares", lesson={str(tmp_path / place)!r})')


def one_line(text: str) -> str:
    assert text.count("\n") == 1 and text.startswith("check: "), text
    return text


def test_absent_checks_are_one_line(lesson: Path, capsys):
    (lesson / "public_checks.py").unlink()
    assert "no public_checks.py beside this notebook" in one_line(printed(capsys, 'check("shares")'))
    assert "no lesson" in one_line(printed(capsys, 'check(lesson="nowhere")'))


def test_checks_that_do_not_run_are_one_line(lesson: Path, capsys):
    (lesson / "public_checks.py").write_text("def broken(:")
    assert "does not run (SyntaxError" in one_line(printed(capsys, "check()"))


def test_an_unknown_task_is_one_line_with_the_nearest_name(capsys):
    said = one_line(printed(capsys, 'check("share")'))
    assert said.endswith("no task `share`, only shares, mix, mix_all, why, how: did you mean `shares`?\n")
    said = one_line(printed(capsys, 'check("zzz")'))
    assert said.endswith("no task `zzz`: choose one of shares, mix, mix_all, why, how\n")
    assert "no public check" in one_line(printed(capsys, 'check("later")'))


def test_the_function_itself_names_its_task(capsys):
    assert "✓ shares" in printed(capsys, "check(shares)")


def test_a_broken_check_is_called_broken(lesson: Path):
    (lesson / "public_checks.py").write_text("def test_f(student): 1 / 0")
    assert "This check is broken (ZeroDivisionError" in headline(report_on("", "f"))


def test_without_sections_the_called_function_names_the_task(lesson: Path):
    (lesson / "public_checks.py").write_text("def test_two_words_here(student): student.two_words()")
    assert list(report_on("def two_words(): pass", None).standing) == ["two_words"]


def test_a_failure_of_ours_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys):
    monkeypatch.setattr(card, "rendered", lambda report: 1 / 0)
    assert "could not run (ZeroDivisionError" in one_line(printed(capsys, "check()"))


# ── never raises ──

HOSTILE = {
    "exits": "raise SystemExit(3)",
    "never ends": "raise KeyboardInterrupt",
    "calls itself": "return shares(z)",
    "message that raises": "class E(Exception):\n        def __str__(self): 1 / 0\n    raise E",
    "object that raises when asked": "class O:\n        def __getattr__(self, _): 1 / 0\n    return O()",
    "list that holds itself": "x = []; x.append(x); return x",
    "array of objects": "return np.array([None, {}], dtype=object)",
    "many levels": "x = 1\n    for _ in range(50): x = [x]\n    return x",
    "class": "return int",
    "generator": "return (x for x in z)",
    "text": "return '<b>`bold`'",
    "dict": "return {1: z, 'k': {2: 3}}",
    "complex": "return np.array([1j, 2])",
    "ragged": "return [[1, 2], [3]]",
    "half precision": "return np.array([.5, .5], dtype=np.float16)",
    "huge": "return np.zeros((300, 200, 3))",
    "empty": "return []",
    "surrogate": r"return '\ud800'",
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE.keys())
@pytest.mark.parametrize("task", ['"shares"', ""], ids=["one", "all"])
def test_check_never_raises(body: str, task: str, capsys):
    source = f"{RIGHT}\ndef shares(z):\n    {body}\n"
    assert "✗ shares" in printed(capsys, f"check({task})", source)
    report = report_on(source, "shares")
    assert "✗" in card.rendered(report)


def test_an_interrupt_ends_the_whole_check():
    source = RIGHT + "def shares(z): raise KeyboardInterrupt"
    report = report_on(source, None)
    assert [task.name for task in report.tasks] == ["shares"]
    assert len(report.tasks[0].outcomes) == 1
    assert headline(report) == "`shares` was interrupted before it returned"


# ── the comparison ──

ACCEPTED = [
    [0.5, 1],
    (0.5, 1.0),
    np.array([0.5, 1.0], dtype=np.float32),
    [np.float64(0.5), 1],
    np.array([0.5 + 1e-6, 1.0]),
]
REFUSED = [
    (None, "None came back"),
    (..., "placeholder"),
    (0.5, "a single number instead of shape (2,)"),
    ([[0.5, 1]], "shape (1, 2) instead of shape (2,)"),
    ([0.5, float("nan")], "the entry at [1] is nan instead of 1"),
    ([0.5, float("inf")], "inf instead of 1"),
    ([0.5, 1.01], "1.01 instead of 1"),
    ([0.5, 1.0002], "1.0002 instead of 1"),
    ([True, True], "True/False values instead of numbers"),
    (np.array([0.5, 1j]), "complex numbers instead of real numbers"),
    (np.array([0.5, 1], dtype=np.float16), "half precision"),
    (np.array([0.5, 1], dtype=object), "holds something else than numbers"),
    (["0.5", "1"], "text instead of real numbers"),
    ([[0.5], [1, 2]], "rows of different lengths"),
    (int, "the function int itself"),
]


@pytest.mark.parametrize("got", ACCEPTED, ids=repr)
def test_expect_accepts(got: Any):
    expect(got, [0.5, 1])
    expect(got, np.array([0.5, 1]))


@pytest.mark.parametrize("got, why", REFUSED, ids=repr)
def test_expect_refuses(got: Any, why: str):
    with pytest.raises(Mismatch) as caught:
        expect(got, [0.5, 1], hint="h")
    assert why in str(caught.value)
    assert (caught.value.got, caught.value.hint) == (got, "h") or isinstance(got, np.ndarray)


def test_expect_takes_tensors():
    torch = pytest.importorskip("torch")
    ones = torch.ones(2, requires_grad=True)
    expect(ones * 2, [2, 2])
    expect([ones.sum(), 3], torch.tensor([2.0, 3.0]))
    assert "bfloat16" in difference(ones.to(torch.bfloat16), [1, 1]).detail


def test_expect_demands_the_infinite_where_it_belongs():
    expect([float("nan"), -float("inf"), 1], [float("nan"), -float("inf"), 1])
    for wrong in ([0, -float("inf"), 1], [float("nan"), float("inf"), 1], [float("nan"), 0, 1]):
        assert difference(wrong, [float("nan"), -float("inf"), 1])


def test_expect_of_truth_values():
    expect(np.array([True, False]), [True, False])
    assert "numbers instead of True/False values" in difference([1, 0], [True, False]).detail
    assert "the entry at [1] is True instead of False" in difference([True, True], [True, False]).detail


def test_expect_of_parts_keys_and_text():
    expect([[1, 2], [[1.0]]], (np.array([1, 2]), np.array([[1]])))
    assert "part [1]: shape (1,)" in difference(([1, 2], [1]), (np.array([1, 2]), np.array([[1]]))).detail
    assert "2 parts instead of 1" in difference(([1], 2), ([1],)).detail
    assert "float instead of a tuple" in difference(1.0, ([1], [1, 2])).detail
    expect({"a": [1], "b": "x"}, {"a": np.array([1.0]), "b": "x"})
    assert "the key 'b' is missing" in difference({"a": 1}, {"a": 1, "b": 2}).detail
    assert "the key 0 does not belong" in difference({"a": 1, 0: 2}, {"a": 1}).detail
    assert "at 'a': 2 instead of 1" in difference({"a": 2}, {"a": 1}).detail
    expect([([0, 1], -0.5)], [([0, 1], -0.500001)])
    assert (
        difference("x", "y")
        and not difference("x", "x")
        and difference(None, "x")
        and not difference(None, None)
    )


def test_no_value_stands_in_the_reason():
    for got in ([0.123, 1], [0.5, np.nan], None, ["0.123"], [0.123]):
        assert "0.123" not in difference(got, [0.5, 1]).reason


def test_entries_that_differ_late_are_shown_to_differ():
    assert "0.2501 instead of 0.25" in difference([0.2501], [0.25]).detail
    assert "rows and columns exchanged" in difference(np.ones((2, 3)), np.ones((3, 2))).detail


@pytest.mark.parametrize(
    "value, text",
    [
        ([0.1, 0.27, 0.59], "[0.1, 0.27, 0.59]"),
        (np.float32(0.25), "0.25"),
        (0.99999, "1.000"),
        ([1e-9, 0.5], "[0.000, 0.5]"),
        (3e-7, "3e-07"),
        (-0.0, "0"),
        (np.arange(20), "[0, 1, 2, 3, 4, …, 18, 19]"),
        (np.random.default_rng(0).normal(size=(50, 60, 3)), "array 50×60×3"),
        ((np.ones(2), "a"), "([1, 1], 'a')"),
        ({"a": np.ones(2)}, "{'a': [1, 1]}"),
        (np.random.default_rng(0), "rng"),
        (len, "len"),
        (SimpleNamespace(), "<SimpleNamespace>"),
        (True, "True"),
    ],
)
def test_values_are_short(value: Any, text: str):
    assert values.brief(value) == text


def test_a_matrix_is_aligned():
    assert values.block([[1, 0.25], [-10, 1e-9]]) == "[  1.000 0.250]\n[-10.000 0.000]"


# ── how it looks ──


class Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.words = ""

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.words += data


def test_html_says_the_same_and_escapes():
    source = "def shares(z): return '<script>alert(1)</script>'"
    report = report_on(source, "shares")
    report.notes.append("a `note` & more")
    page = Text()
    page.feed(card.rendered(report))
    assert "script" not in page.tags
    for said in (
        "'<script>alert(1)</script>'",
        "divide by <the total>",
        "✗",
        "a note & more",
        "2 From scores",
    ):
        assert said in page.words


def test_the_total_of_a_long_lesson_can_wrap():
    html = card.rendered(report_on(RIGHT, "shares"))
    assert "<span>✓ shares</span> <span>○ mix</span>" in html


def test_html_follows_the_theme():
    html = card.rendered(report_on(RIGHT, "shares"))
    assert "prefers-color-scheme:dark" in html
    assert "[data-jp-theme-light=false]" in html and "[data-jp-theme-light=true]" in html
    assert 'aria-label="passed"' in html


@pytest.mark.parametrize("theme", [card._LIGHT, card._DARK], ids=["light", "dark"])
def test_every_color_can_be_read(theme: str):
    colors = dict(pair.strip().split(":") for pair in theme.split(";"))
    for name in ("--ok", "--no", "--note", "--fg", "--soft"):
        assert contrast(colors[name], colors["--bg"]) >= 4.5, name
    assert contrast(colors["--fg"], colors["--code"]) >= 4.5


class Console:
    """A standard output that is, or is not, a terminal."""

    def __init__(self, terminal: bool, encoding: str = "utf-8") -> None:
        self.terminal, self.encoding, self.text = terminal, encoding, ""

    def isatty(self) -> bool:
        return self.terminal

    def write(self, text: str) -> None:
        text.encode(self.encoding)
        self.text += text


@pytest.mark.parametrize(
    "console, environment, colored",
    [
        (Console(True), {}, True),
        (Console(True), {"NO_COLOR": "1"}, False),
        (Console(True), {"TERM": "dumb"}, False),
        (Console(False), {}, False),
    ],
)
def test_color_in_a_terminal_only(console: Console, environment: dict[str, str], colored: bool, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    namespace = run_cell(RIGHT + "from autograder import check")
    monkeypatch.setattr(sys, "stdout", console)
    exec('check("shares")', namespace)
    monkeypatch.undo()
    assert ("\x1b[" in console.text) is colored
    assert "✓" in console.text


def test_a_console_without_the_symbols(monkeypatch: pytest.MonkeyPatch):
    namespace = run_cell(RIGHT + "from autograder import check")
    console = Console(False, "cp1252")
    monkeypatch.setattr(sys, "stdout", console)
    exec("check()", namespace)
    monkeypatch.undo()
    assert "+ shares: 2 of 2" in console.text and "x how" in console.text


# ── the saved notebook ──


def save(path: Path, *cells: str, outputs: Sequence[str] = ()) -> Path:
    """A notebook as Jupyter stores it."""
    made = [
        {"cell_type": "code", "source": cell.splitlines(keepends=True), "outputs": outputs} for cell in cells
    ]
    path.write_text(json.dumps({"cells": [{"cell_type": "markdown", "source": ["def shares(z):"]}, *made]}))
    return path


@pytest.mark.parametrize(
    "cells, note",
    [
        ([RIGHT], ""),
        (["%matplotlib inline\n" + RIGHT.replace("e / e.sum()", "(e  / e.sum())  # done")], ""),
        (
            [RIGHT.replace("e / e.sum()", "e")],
            "the kernel runs another `shares` than the saved notebook x.ipynb",
        ),
        ([RIGHT, "def shares(z): return 0"], "another `shares`"),
        (["%time x = 1\n!ls\ndef shares(z): return 0"], "another `shares`"),
        (["def shares(z): return 0\ntext = '\f \u2028'"], "another `shares`"),
        (["def shares(z): return 0", RIGHT], ""),
        (["def mix(A, V): pass"], "`shares` is not in the saved notebook x.ipynb: save it"),
        (["def shares(z:"], ""),
    ],
    ids=[
        "same",
        "other layout",
        "other code",
        "again below",
        "beside magics",
        "beside odd signs",
        "again above",
        "not there",
        "no Python",
    ],
)
def test_a_kernel_that_runs_something_else_than_is_saved(cells: list[str], note: str, lesson: Path):
    namespace = run_cell(RIGHT)
    namespace["__vsc_ipynb_file__"] = str(save(lesson / "x.ipynb", *cells))
    notes = Check().report("shares", None, namespace).notes
    assert (note in notes[0]) if note else notes == []


def test_a_helper_that_differs_is_noticed(lesson: Path, monkeypatch: pytest.MonkeyPatch):
    path = save(lesson / "x.ipynb", RIGHT.replace("np.asarray(A) @", "2 * np.asarray(A) @"))
    monkeypatch.setenv("JPY_SESSION_NAME", str(path))
    assert "another `mix`" in Check().report("mix_all", None, run_cell(RIGHT)).notes[0]


def test_a_class_is_compared_too(lesson: Path):
    (lesson / "public_checks.py").write_text("def test_Cache(student): student.Cache()")
    source = "class Cache:\n    def keys(self): return 1\n"
    namespace = run_cell(source)
    namespace["__session__"] = str(save(lesson / "x.ipynb", source.replace("1", "2")))
    assert "another `Cache`" in Check().report("Cache", None, namespace).notes[0]


@pytest.mark.parametrize("content", ["", "{", '{"cells": 3}', "[]"])
def test_an_unreadable_notebook_is_no_matter(content: str, lesson: Path):
    (lesson / "x.ipynb").write_text(content)
    namespace = run_cell(RIGHT)
    namespace["__session__"] = str(lesson / "x.ipynb")
    assert Check().report("shares", None, namespace).notes == []
    namespace["__session__"] = str(lesson / "gone.ipynb")
    assert Check().report("shares", None, namespace).notes == []


# ── in IPython, cost, isolation ──

IN_IPYTHON = """
import json, sys
from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance()
shown = []
shell.display_pub.publish = lambda data, metadata=None, **rest: shown.append(data)
for source in json.loads(sys.argv[1]):
    result = shell.run_cell(source)
    assert result.success and result.result is None, result
print(json.dumps(shown))
"""


def test_in_ipython(lesson: Path):
    """HTML with a plain fallback, nothing returned, and the cells are found for the saved notebook."""
    path = save(lesson / "x.ipynb", RIGHT.replace("e / e.sum()", "e"))
    cells = ["%colors nocolor", RIGHT, "from autograder import *\ncheck('shares')", "show_training([2, 1])"]
    out = subprocess.run(
        [sys.executable, "-c", IN_IPYTHON, json.dumps(cells)],
        env={**os.environ, "JPY_SESSION_NAME": str(path), "IPYTHONDIR": str(lesson / "ipython")},
        capture_output=True,
        text=True,
        check=True,
    )
    report, picture = json.loads(out.stdout)
    assert '<div class="ag-check"' in report["text/html"]
    assert "✓ shares: 2 of 2 checks pass" in report["text/plain"]
    assert "another `shares`" in report["text/plain"]
    assert picture["text/html"].startswith('<img alt="Loss over 2 steps')


def best_of(count: int, call: Callable[[], Any]) -> float:
    """Seconds of processor time, so that a busy machine changes nothing."""
    times = []
    for _ in range(count):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


def test_check_answers_within_100_milliseconds(lesson: Path):
    """A lesson of 60 checks, in a notebook of 2 MB, half of them failing."""
    many = "\n".join(
        f"def test_mix_{i}(student): expect(student.mix([[{i % 2}, 0]] * 20, ROWS), [[0, 0]] * 20)"
        for i in range(60)
    )
    (lesson / "public_checks.py").write_text(CHECKS + "\n" + many)
    path = save(lesson / "x.ipynb", RIGHT, "shares([1, 2])", outputs=["x" * 200_000] * 10)
    namespace = run_cell(RIGHT)
    namespace["__session__"] = str(path)
    check = Check()

    def everything() -> None:
        report = check.report(None, None, namespace)
        assert len(report.tasks[1].failures) == 30
        assert card.rendered(report) and terminal.rendered(report, color=True)

    assert best_of(5, everything) < 0.1


def test_nothing_leaves_the_machine_and_nothing_is_written(
    lesson: Path, monkeypatch: pytest.MonkeyPatch, capsys
):
    def refuse(*args: Any, **kwargs: Any) -> None:
        raise AssertionError("a check opened a socket")

    monkeypatch.setattr(socket, "socket", refuse)
    before = sorted(lesson.parent.rglob("*"))
    assert "✓ shares" in printed(capsys, "check()")
    assert sorted(lesson.parent.rglob("*")) == before


def test_only_numpy_is_imported():
    code = "import sys, autograder; print(*{name.split('.')[0] for name in sys.modules})"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    foreign = set(out.stdout.split()) - set(sys.stdlib_module_names) - {"autograder", "numpy", "__main__"}
    installed = {name for name in foreign if not name.startswith(("_", "sitecustomize"))}
    assert not installed & {
        "IPython",
        "matplotlib",
        "msgspec",
        "nbformat",
        "nbgrader",
        "pytest",
        "scipy",
        "torch",
        "rich",
    }


def test_an_unknown_task_raises_for_programs():
    with pytest.raises(LessonError, match="no task"):
        Check().report("nothing", None, {})
