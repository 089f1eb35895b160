"""The report about a class: its numbers, the pairs it points at, and that no student's code runs in it."""

import csv
import json
from pathlib import Path

import pytest
from small_class import EVIL, Class

from autograder.grading import gradebook
from autograder.grading.cli import main
from autograder.grading.course import Course
from autograder.grading.report import report
from autograder.grading.reportfiles import write_report
from autograder.grading.similar import Fingerprints, excerpts, similar_pairs
from autograder.grading.verdict import TaskResult, TestResult, Verdict

GIVEN = 'import numpy as np\n\n\ndef level(hours):\n    """Height."""\n    raise NotImplementedError()\n'
ORIGINAL = """\
def level(hours):
    hours = np.asarray(hours, dtype=float)
    flat = hours.reshape(-1)
    heights = np.empty(len(flat))
    for place, hour in enumerate(flat):
        whole, part = divmod(float(hour), 4 * np.pi)
        heights[place] = np.sin(part / 2) if whole >= 0 else -np.sin(-part / 2)
    if np.isnan(heights).any():
        raise ValueError("no such hour")
    return heights.reshape(hours.shape)
"""
RENAMED = '''\
def level(hours):
    """My own idea."""
    h = np.asarray(hours, dtype=float)   # as numbers

    line = h.reshape(-1)
    water = np.empty(len(line))
    for i, t in enumerate(line):
        turns, rest = divmod(float(t), 4 * np.pi)
        water[i] = np.sin(rest / 2) if turns >= 0 else -np.sin(-rest / 2)
    if np.isnan(water).any():
        raise ValueError("bad")
    return water.reshape(h.shape)
'''
HONEST = """\
def level(hours):
    def one(hour):
        total, term, k = 0.0, hour / 2, 1
        while abs(term) > 1e-17:
            total += term
            term *= -((hour / 2) ** 2) / ((k + 1) * (k + 2))
            k += 2
        return total
    return np.vectorize(one, otypes=[float])(hours)
"""
TABLE = """\
def level(hours):
    table = {hour: np.sin(hour / 2) for hour in np.unique(hours).tolist()}
    looked_up = np.frompyfunc(table.get, 1, 1)(np.asarray(hours))
    return np.array(looked_up, dtype=float) if np.ndim(hours) else float(looked_up)
"""


def tasks(level: float, cause: float, mistake: str | None = None, **more) -> list[TaskResult]:
    wrong = [TestResult("test_noon", Verdict.FAILED, property="The height at noon.")] if level < 2 else []
    verdict = Verdict.FAILED if wrong else Verdict.PASSED
    hint = f"Look at {mistake}." if mistake else ""
    return [
        TaskResult("level", more.get("verdict", verdict), level, 2.0, mistake, hint, tests=wrong),
        TaskResult("cause", Verdict.PASSED if cause else Verdict.FAILED, cause, 1.0),
    ]


@pytest.fixture
def tides(course: Course) -> Class:
    """Four who were graded; the points of `level` are 2 2 1 0, those of `cause` 1 0 1 0."""
    tides = Class(course)
    points = {
        "ana": tasks(2.0, 1.0),
        "bo": tasks(2.0, 0.0),
        "cy": tasks(1.0, 1.0, "no half"),
        "di": tasks(0.0, 0.0, "no half"),
    }
    for student, results in points.items():
        tides.hand_in(student)
        tides.grade(student, tasks=results, seconds=float(len(student)))
    return tides


def written(tides: Class, page: Path) -> dict:
    write_report(report(tides.course, tides.lesson), page)
    return json.loads(page.with_suffix(".json").read_text(encoding="utf-8"))


def rows(page: Path, what: str) -> list[dict[str, str]]:
    with page.with_name(f"{page.stem}-{what}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


# ── numbers ──


def test_facility_and_discrimination_are_those_computed_by_hand(tides: Class, tmp_path: Path):
    level, cause = written(tides, tmp_path / "r.html")["tasks"]
    assert (level["facility"], cause["facility"]) == (5 / 8, 1 / 2)
    # x = 2 2 1 0 and y = 1 0 1 0: cov = 3/4 - 5/4 * 1/2 = 1/8, var x = 11/16, var y = 1/4.
    by_hand = (1 / 8) / (11 / 16 * 1 / 4) ** 0.5
    for task in (level, cause):  # of two tasks each is the rest of the other
        assert abs(task["discrimination"] - by_hand) < 1e-12
    assert level["verdicts"] == dict.fromkeys(Verdict, 0) | {"passed": 2, "failed": 2}
    assert level["unmet"] == [{"property": "The height at noon.", "count": 2}]


def test_mistakes_are_counted_and_told_with_their_hint(tides: Class, tmp_path: Path):
    numbers = written(tides, tmp_path / "r.html")
    mistake = {"task": "level", "name": "no half", "hint": "Look at no half.", "count": 2}
    assert numbers["mistakes"] == numbers["tasks"][0]["mistakes"] == [mistake]
    assert "Look at no half." in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_the_tables_tell_the_same_as_the_json(tides: Class, tmp_path: Path):
    numbers = written(tides, tmp_path / "r.html")
    assert (numbers["mean"], numbers["median"], numbers["max_points"]) == (1.75, 2.0, 3.0)
    students = rows(tmp_path / "r.html", "students")
    assert [(row["student"], float(row["automatic"])) for row in students] == [
        (student["student"], student["automatic"]) for student in numbers["students"]
    ]
    assert [float(row["automatic"]) for row in students] == [3.0, 2.0, 2.0, 0.0]
    assert [float(row["facility"]) for row in rows(tmp_path / "r.html", "tasks")] == [0.625, 0.5]


def test_an_internal_result_counts_for_nothing_and_is_told(tides: Class, tmp_path: Path):
    before = written(tides, tmp_path / "r.html")
    tides.hand_in("eve")
    tides.grade("eve", tasks=tasks(0.0, 0.0, verdict=Verdict.INTERNAL))
    after = written(tides, tmp_path / "r.html")
    assert after["internal"] == ["eve"] and after["graded"] == before["graded"] == 4
    assert [task["facility"] for task in after["tasks"]] == [task["facility"] for task in before["tasks"]]
    assert "The grader failed for 1 student<" in (tmp_path / "r.html").read_text(encoding="utf-8")
    assert rows(tmp_path / "r.html", "students")[4]["automatic"] == ""


def test_points_by_hand_and_late_penalties_come_from_the_gradebook(tides: Class, tmp_path: Path):
    assert tides.record("ana") == []
    with tides.gradebook() as book:
        submission = book.find_submission("tides", "ana")
        submission.notebooks[0].late_submission_penalty = 0.5
        next(g for g in submission.notebooks[0].grades if g.name == "written_moon").manual_score = 2
        book.db.commit()
    ana, bo, *_ = written(tides, tmp_path / "r.html")["students"]
    told = [ana[key] for key in ("automatic", "by_hand", "late_penalty", "total", "max_total")]
    assert told == [3.0, 2.0, 0.5, 4.5, 6.0] and ana["total"] == tides.scores()["ana"]
    assert (bo["automatic"], bo["total"]) == (2.0, None)


def test_those_who_handed_in_nothing_and_stale_results_are_told(tides: Class, tmp_path: Path):
    gradebook.add_students(tides.course, ["zoe"])
    tides.grade("bo", key="of an older suite")
    numbers = written(tides, tmp_path / "r.html")
    assert numbers["stale"] == ["bo"] and numbers["handed_in"] == 4
    assert numbers["students"][-1]["state"] == "nothing handed in"


def test_one_student_without_mistakes_makes_a_report(course: Course, tmp_path: Path):
    tides = Class(course)
    tides.hand_in("ana")
    tides.grade("ana", tasks=tasks(2.0, 1.0))
    numbers = written(tides, tmp_path / "r.html")
    assert [task["discrimination"] for task in numbers["tasks"]] == [None, None]
    assert numbers["mistakes"] == numbers["pairs"] == []
    assert "No known mistake was recognized" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_only_internal_results_make_a_report(course: Course, tmp_path: Path):
    tides = Class(course)
    tides.hand_in("ana")
    tides.grade("ana", tasks=tasks(0.0, 0.0, verdict=Verdict.INTERNAL))
    assert written(tides, tmp_path / "r.html")["mean"] is None


def test_nobody_graded_is_one_clear_line(course: Course, monkeypatch, capsys):
    monkeypatch.chdir(course.root)
    assert main(["report", "tides"]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and told.endswith("run `autograder grade tides`.\n")


@pytest.mark.parametrize("out", ["r.json", "nowhere/r.html"])
def test_a_place_that_cannot_be_is_refused(tides: Class, monkeypatch, capsys, out: str):
    monkeypatch.chdir(tides.course.root)
    assert main(["report", "tides", "--out", out]) == 2
    assert "--out" in capsys.readouterr().err


# ── similar pairs ──


def pairs(**hand_ins: str) -> list[tuple[str, str]]:
    cells = {name: [GIVEN, source] for name, source in hand_ins.items()}
    return [(pair.one, pair.other) for pair in similar_pairs(cells, Fingerprints([GIVEN]))]


def test_a_renamed_copy_is_found_and_an_honest_answer_is_not():
    assert pairs(ana=ORIGINAL, bo=HONEST, cy=RENAMED) == [("ana", "cy")]


def test_where_two_agree_is_shown_by_the_lines_that_python_counts():
    one, other = ([f"# \f \x1c \u2028\r# before\n{source}"] for source in (ORIGINAL, RENAMED))
    shown, _ = excerpts(one, other, Fingerprints([GIVEN]))
    assert shown == ORIGINAL.strip("\n")


def test_what_was_released_makes_nobody_alike():
    released = f"{GIVEN}\n\n{ORIGINAL}"
    cells = {name: [released, f"# {name}\n{ORIGINAL}", f"x = {name!r}"] for name in ("ana", "bo")}
    assert similar_pairs(cells, Fingerprints([released])) == []
    assert similar_pairs(cells, Fingerprints([GIVEN])) != []


def test_what_many_wrote_makes_nobody_alike():
    assert pairs(**{f"student{number}": ORIGINAL for number in range(7)}) == []


def test_the_same_choices_all_over_are_found_though_each_is_usual():
    """Four functions, each written in one of three ways that 27 students chose; two chose the same four."""
    ways = [ORIGINAL, HONEST, TABLE]
    choices = {f"student{n}": [n // 3**place % 3 for place in range(4)] for n in range(81)}
    choices["twin"] = choices["student7"]
    cells = {
        student: [ways[way].replace("(", f".place{place}(") for place, way in enumerate(chosen)]
        for student, chosen in choices.items()
    }
    pairs = similar_pairs(cells, Fingerprints([GIVEN]))
    assert [(pair.one, pair.other, pair.passages) for pair in pairs] == [("student7", "twin", 0)]


def test_code_that_is_no_python_is_compared_as_far_as_it_goes():
    assert pairs(ana=f"{ORIGINAL}\nx = (", bo=f"{RENAMED}\n  '''", cy="\0 ((( \ud800 '''") == [("ana", "bo")]


def test_a_planted_copy_stands_on_the_page(tides: Class, tmp_path: Path):
    for student, source in (("eve", ORIGINAL), ("fay", RENAMED)):
        tides.hand_in(student, lambda notebook, source=source: planted(notebook, source))
    assert [(pair["one"], pair["other"]) for pair in written(tides, tmp_path / "r.html")["pairs"]] == [
        ("eve", "fay")
    ]
    assert "turns, rest = divmod" in (tmp_path / "r.html").read_text(encoding="utf-8")


def planted(notebook: dict, source: str) -> None:
    next(cell for cell in notebook["cells"] if cell["id"] == "level_stub")["source"] = source


# ── hostile students ──


def test_nothing_of_a_students_is_markup(tides: Class, tmp_path: Path):
    code = ORIGINAL.replace('"no such hour"', f'"{EVIL}"')
    for student in ("<img src=x onerror=alert(1)>", "twin"):
        tides.hand_in(student, lambda notebook: planted(notebook, code))
        tides.grade(student, tasks=tasks(1.0, 0.0, EVIL), problems=[f"{EVIL} was left out."])
    assert len(written(tides, tmp_path / "r.html")["pairs"]) == 1
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "&lt;script&gt;" in page and "&lt;img src=x" in page
    assert page.count("<script") == 1 and "<img" not in page


def test_nothing_is_loaded_from_elsewhere(tides: Class, tmp_path: Path):
    written(tides, tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "default-src 'none'" in page and '<link rel="stylesheet' not in page and " src=" not in page


@pytest.mark.parametrize("begin", ["=", "+", "-", "@", "\t=", "\uff1d"])
def test_no_cell_of_a_table_is_a_formula(tides: Class, tmp_path: Path, begin: str):
    evil = f"{begin}cmd|' -C calc'!A1"
    tides.hand_in(evil)
    tides.grade(evil, tasks=tasks(1.0, 0.0, evil), problems=[evil])
    written(tides, tmp_path / "r.html")
    row = next(row for row in rows(tmp_path / "r.html", "students") if evil in row["student"])
    assert [row[key] for key in ("student", "misconceptions", "problems")] == [f"'{evil}"] * 3
