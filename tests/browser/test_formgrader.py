"""nbgrader's own pages in a real browser: what is graded from there goes through the sandbox."""

import pytest
from browsing import Server
from playwright.sync_api import Locator, Page, expect
from small_class import RIGHT, Class

from autograder.grading.results import ResultStore

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

# Would earn everything where hidden tests run in the student's own process.
TRICK = "import numpy\nnumpy.allclose = lambda *a, **k: True\ndef level(hours):\n    return hours * 0"


def _trick(notebook: dict) -> None:
    next(cell for cell in notebook["cells"] if cell["source"] == RIGHT)["source"] = TRICK


@pytest.mark.parametrize("student, change, points", [("ana", None, 2.0), ("bo", _trick, 0.0)])
def test_the_autograde_button_goes_through_the_sandbox(
    student: str, change, points: float, tides: Class, server: Server, page: Page
):
    tides.hand_in(student, change or (lambda notebook: None))
    _press(_row(server, page, student), "autograde")
    result = ResultStore(tides.course).load(tides.lesson, student)
    assert result.task("level").points == points and tides.scores()[student] == points


def test_a_grade_by_hand_reaches_the_total_and_the_feedback(tides: Class, server: Server, page: Page):
    for student, points in (("cy", 1.3), ("dee", 2.0)):
        tides.hand_in(student)
        tides.grade(student, points)
    assert tides.record("cy", "dee") == []
    for student, total in (("cy", "2.3 / 6"), ("dee", "3 / 6")):
        row = _row(server, page, student)
        expect(row.locator(".score")).to_have_text(total)
        expect(row.locator(".status")).to_have_text("needs manual grading")

    _grade_by_hand(server, page, "cy", points="2.5", comment="Well seen.")
    row = _row(server, page, "cy")
    expect(row.locator(".score")).to_have_text("4.8 / 6")
    expect(row.locator(".status")).to_have_text("graded")

    _press(row, "generate-feedback")
    page.goto(tides.page("cy").as_uri())
    told = page.locator("body")
    for text in ("Score: 4.8 / 6.0", "1.3", "The height at night.", "Well seen."):
        expect(told).to_contain_text(text)
    for text in ("np.sin(6.0)", "MARK SCHEME", "far side", "def test_", "rng.uniform"):
        expect(told).not_to_contain_text(text)


def _row(server: Server, page: Page, student: str) -> Locator:
    """The student's line in the list of the class."""
    server.visit(page, "formgrader/manage_submissions/tides")
    return page.locator("tr").filter(has=page.locator(".student-id").get_by_text(student, exact=True))


def _press(row: Locator, button: str) -> None:
    row.locator(f"td.{button} a").click()
    expect(row.page.locator(".modal-title:visible")).to_have_text("Success")


def _grade_by_hand(server: Server, page: Page, student: str, points: str, comment: str) -> None:
    server.visit(page, f"formgrader/manage_students/{student}/tides")
    page.locator("td.name a").click()
    page.wait_for_function("formgrader.grades?.loaded && formgrader.comments?.loaded")  # now it listens
    for box, text in (("input.score", points), ("textarea.comment", comment)):
        with page.expect_response(lambda answer: answer.request.method == "PUT" and answer.ok):
            page.locator(box).last.fill(text)
            page.locator(box).last.blur()
