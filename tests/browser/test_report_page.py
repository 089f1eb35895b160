"""The report about a class in a real browser: drawn, sortable, and nothing of a student's runs."""

from pathlib import Path

import pytest
from playwright.sync_api import Page
from small_class import EVIL, Class

from autograder.grading.course import Course
from autograder.grading.report import report
from autograder.grading.reportfiles import write_report
from autograder.grading.verdict import TaskResult, Verdict

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

POINTS = {"ana": 2.0, "bo": 0.0, "cy": 1.5, "<img src=x onerror=alert(1)>": 1.0}


@pytest.fixture
def file(course: Course, tmp_path: Path) -> Path:
    tides = Class(course)
    for student, points in POINTS.items():
        verdict = Verdict.PASSED if points == 2 else Verdict.FAILED
        level = TaskResult("level", verdict, points, 2.0, EVIL if points < 2 else None, EVIL)
        tides.hand_in(student)
        tides.grade(student, tasks=[level, TaskResult("cause", Verdict.PASSED, 1.0, 1.0)], problems=[EVIL])
    return write_report(report(course, tides.lesson), tmp_path / "report.html")[0]


@pytest.fixture
def said(page: Page, file: Path) -> list[str]:
    """What the browser had to say about the page: messages, errors, requests to anywhere, dialogs."""
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: said.append(request.url))
    page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    page.goto(file.as_uri())
    return said


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_plots_are_drawn_in_the_ink_of_the_page(page: Page, said: list[str], scheme: str):
    page.emulate_media(color_scheme=scheme)
    plots = page.get_by_role("img").all()
    assert [plot.get_attribute("aria-label") for plot in plots] == [
        "Verdicts of each task",
        "Facility and discrimination of each task",
        "Distribution of scores",
        "Distribution of grading times",
    ]
    ink = page.evaluate("getComputedStyle(document.body).color")
    for plot in plots:
        box = plot.bounding_box()
        assert box["width"] > 300 and box["height"] > 80 and plot.locator("path").count() > 5
        assert plot.locator("text").first.evaluate("text => getComputedStyle(text).fill") == ink


def test_a_table_sorts_by_the_column_that_is_pressed(page: Page, said: list[str]):
    level = page.locator("#students th button", has_text="level")
    for order in (sorted(POINTS.values()), sorted(POINTS.values(), reverse=True)):
        level.click()
        shown = page.locator("#students tbody tr td:nth-child(6)").all()
        assert [float(cell.get_attribute("data-v")) for cell in shown] == order
    page.locator("#students th button", has_text="student").click()
    names = page.locator("#students tbody tr td:first-child").all_text_contents()
    assert names == ["<img src=x onerror=alert(1)>", "ana", "bo", "cy"]


def test_the_browser_has_nothing_to_say(page: Page, file: Path, said: list[str]):
    page.wait_for_load_state()
    assert [line for line in said if line not in (file.as_uri(), "data:,")] == []
    assert page.locator("img").count() == 0


def test_no_script_runs_but_the_pages_own(page: Page, file: Path):
    """Even where escaping should fail once: the page forbids it."""
    text = file.read_text(encoding="utf-8")
    planted = "<script>document.title = 'taken'</script><h2>"
    file.write_text(text.replace("<h2>", planted, 1), encoding="utf-8")
    page.goto(file.as_uri())
    assert page.title() == "tides: report"
