"""nbgrader's own pages in a real browser: what is graded from there goes through the sandbox."""

from collections.abc import Iterator

import pytest
from browsing import Server
from playwright.sync_api import Page, expect
from small_class import RIGHT, Class

from autograder.grading.course import Course
from autograder.grading.results import ResultStore

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

SLOW = 120_000  # milliseconds: nbgrader is started anew for each click
# Would earn everything where hidden tests run in the student's own process.
TRICK = "import numpy\nnumpy.allclose = lambda *a, **k: True\ndef level(hours):\n    return hours * 0"


@pytest.fixture
def tides(course: Course) -> Class:
    tides = Class(course)
    tides.write_suites()
    tides.hand_in("ana")
    tides.hand_in("bo", _trick)
    return tides


def _trick(notebook: dict) -> None:
    next(cell for cell in notebook["cells"] if cell["source"] == RIGHT)["source"] = TRICK


@pytest.fixture
def server(tides: Class) -> Iterator[Server]:
    server = Server(tides.course.root)
    yield server
    server.close()


def test_the_autograde_button_goes_through_the_sandbox(tides: Class, server: Server, page: Page):
    for student, points in (("ana", 2.0), ("bo", 0.0)):
        server.visit(page, "formgrader/manage_submissions/tides")
        page.locator("tr", has_text=student).locator("td.autograde a").click()
        expect(page.locator(".modal-title:visible")).to_have_text("Success", timeout=SLOW)
        result = ResultStore(tides.course).load(tides.lesson, student)
        assert result.task("level").points == points and tides.scores()[student] == points


def test_points_and_a_comment_given_by_hand(tides: Class, server: Server, page: Page):
    tides.grade("ana", 2.0)
    assert tides.record("ana") == []
    before = tides.scores()["ana"]
    server.visit(page, "formgrader/gradebook/tides/tides")
    page.get_by_role("link", name="Submission #1").click()
    page.wait_for_load_state("networkidle")  # before, what is typed is not listened to
    page.locator("input.score").last.fill("3")
    page.locator("textarea.comment").last.fill("Well seen.")
    page.locator("input.score").first.focus()
    page.wait_for_load_state("networkidle")  # it saves what was left
    page.wait_for_timeout(2000)
    assert tides.scores()["ana"] == before + 3
    assert tides.record("ana") == []
    told = tides.page("ana").read_text(encoding="utf-8")
    assert "Well seen." in told and "The height at noon" not in told and "MARK SCHEME" not in told
