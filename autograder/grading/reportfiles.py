"""Writes the report about a class: a page that stands alone, CSV tables and JSON beside it.

What comes from students is hostile in all of them: escaped in the page, which besides runs no script but its
own and loads nothing, and kept from being a formula in the tables.
"""

import base64
import csv
import hashlib
import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from autograder.grading import plots
from autograder.grading.analysis import common_mistakes
from autograder.grading.feedback import LOOKS, prose
from autograder.grading.formulas import defused
from autograder.grading.reader import printable
from autograder.grading.report import Report
from autograder.grading.results import write_whole

FOLDER = Path(__file__).with_name("reportpage")
SLOWEST = 5


def write_report(report: Report, page: Path) -> list[Path]:
    """Write the page and the files beside it; all of them, the page first."""
    numbers = report.numbers()
    files = {
        page: page_text(report),
        page.with_suffix(".json"): json.dumps(numbers, indent=1),
        _beside(page, "students"): _csv(_student_lines(numbers)),
        _beside(page, "tasks"): _csv(_task_lines(numbers)),
        _beside(page, "pairs"): _csv(_pair_lines(numbers)),
    }
    for path, text in files.items():
        write_whole(path, text.encode("utf-8", "backslashreplace"))
    return list(files)


def page_text(report: Report) -> str:
    """The page as HTML."""
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "shown": printable,
        "prose": lambda text: Markup(prose(text)),
        "number": lambda value: "" if value is None else f"{value:.4g}",
    }
    script = (FOLDER / "page.js").read_text(encoding="utf-8")
    return environment.get_template("page.html").render(
        report=report,
        numbers=report.numbers(),
        mistakes=common_mistakes(report.tasks),
        slowest=sorted(report.results, key=lambda result: -result.seconds)[:SLOWEST],
        looks={str(verdict): look for verdict, look in LOOKS.items()},
        weak=plots.WEAK,
        plots={name: Markup(svg) for name, svg in _plots(report).items()},
        style=Markup((FOLDER / "page.css").read_text(encoding="utf-8")),
        script=Markup(script),
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )


def _plots(report: Report) -> dict[str, str]:
    """The pictures, "" in the place of one that would show nothing."""
    points = [result.points for result in report.whole]
    return {
        "times": plots.time_histogram([result.seconds for result in report.results]),
        "verdicts": plots.verdict_bars(report.tasks) if report.tasks else "",
        "facility": plots.facility_bars(report.tasks) if report.tasks and points else "",
        "scores": plots.score_histogram(points, report.max_points) if points else "",
    }


def _beside(page: Path, what: str) -> Path:
    return page.with_name(f"{page.stem}-{what}.csv")


def _csv(rows: Iterable[Iterable[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([defused(value) for value in row] for row in rows)
    return text.getvalue()


def _student_lines(numbers: dict[str, Any]) -> Iterable[list[Any]]:
    names = [task["name"] for task in numbers["tasks"]]
    heads = ["automatic", "by_hand", "late_penalty", "total", "max_total", "to_grade_by_hand", "seconds"]
    verdicts = [f"{name}_verdict" for name in names]
    yield ["student", "state", *heads, *names, *verdicts, "misconceptions", "problems"]
    for student in numbers["students"]:
        tasks = [student["tasks"].get(name, {}) for name in names]
        yield [
            student["student"],
            student["state"],
            *(student[head] for head in heads),
            *(task.get("points") for task in tasks),
            *(task.get("verdict") for task in tasks),
            "; ".join(task["misconception"] for task in tasks if task.get("misconception")),
            " ".join(student["problems"]),
        ]


def _task_lines(numbers: dict[str, Any]) -> Iterable[list[Any]]:
    tasks = numbers["tasks"]
    verdicts = list(tasks[0]["verdicts"]) if tasks else []
    yield ["task", "max_points", "facility", "discrimination", *verdicts, "misconceptions"]
    for task in tasks:
        made = "; ".join(f"{mistake['name']} ({mistake['count']})" for mistake in task["mistakes"])
        shares = [task[key] for key in ("name", "max_points", "facility", "discrimination")]
        yield [*shares, *task["verdicts"].values(), made]


def _pair_lines(numbers: dict[str, Any]) -> Iterable[list[Any]]:
    yield ["one", "other", "similarity", "passages"]
    for pair in numbers["pairs"]:
        yield list(pair.values())
