"""The interactive pictures of all lessons, with the reference in place: a control that moves, moves the
numbers."""

from pathlib import Path

import numpy as np
import pytest
from browsing import Notebook, Panel, Server, solved
from playwright.sync_api import Page
from small_class import Class

from autograder.grading.course import Course

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

ROOT = Path(__file__).resolve().parents[2]
CALL = "show_presets("
BANK = slice(2, None)  # the last word of three
WEIGHTS = slice(4, None)  # behind three coordinates and the score


def match(notebook: Notebook) -> None:
    panel = Panel(notebook.cell("show_presets(tower_head"))
    panel.shows("tower's weights", [[0.2483, 0.2483, 0.5035]])
    panel.set("query", "swap")
    panel.shows("tower's weights", [[0.2483, 0.5035, 0.2483]])
    panel.shows("tower's mixture", [[0.2483, 0.5035]])
    panel.set("value", "swap")
    panel.shows("tower's mixture", [[0.5035, 0.2483]])
    panel.shows("tower's weights", [[0.2483, 0.5035, 0.2483]])
    panel.choose("query: identity, value: swap")
    panel.shows("tower's mixture", [[0.2483, 0.5035]])

    panel = Panel(notebook.cell("show_presets(bank_asks"))
    panel.choose("water")
    _asks(panel, [0, 3, 0], river=[11.1, 62.6, 26.3], money=[22.8, 22.8, 54.3])
    panel.choose("structure")
    _asks(panel, [0, 0, 3], river=[16.7, 16.7, 66.7], money=[16.7, 16.7, 66.7])
    panel.set("structure", 0)
    _asks(panel, [0, 0, 0], river=[33.3] * 3, money=[33.3] * 3)
    panel.set("water", -3.75)
    _asks(panel, [0, -3, 0], river=[62.6, 11.1, 26.3], money=[41.3, 41.3, 17.4])
    panel.press("water", "End")
    panel.press("water", "ArrowLeft")
    _asks(panel, [0, 3, 0], river=[11.1, 62.6, 26.3], money=[22.8, 22.8, 54.3])


def _asks(panel: Panel, query: list[float], **weights: list[float]) -> None:
    for word, percent in weights.items():
        panel.shows(f"query near {word}", [query])
        panel.shows(f"the {word} bank", np.reshape(percent, (3, 1)), 0.06, columns=WEIGHTS)


def mask(notebook: Notebook) -> None:
    panel = Panel(notebook.cell(CALL))
    panel.shows("shared anew", [[0.427, 0.286, 0.286], [0.270, 0.411, 0.320], [0.262, 0.310, 0.428]])
    panel.set("causal", True)
    panel.shows("shared anew", [[1, 0, 0], [0.3965, 0.6035, 0], [0.2619, 0.3105, 0.4276]])
    panel.set("factor", 5)
    panel.shows("shared anew", [[1, 0, 0], [0.109, 0.891, 0], [0.067, 0.157, 0.776]])


def walk_through_an_update(notebook: Notebook) -> None:
    panel = Panel(notebook.cell(CALL))
    panel.choose("5 gradients")
    panel.shows("d cls.bias", [[-0.485, 0.485]])
    assert not panel.numbers()["d emb.weight"][2].any()  # of money, in "the river bank"
    panel.set("updates", 1)
    panel.shows("d cls.bias", [[0.501, -0.501]])
    assert not panel.numbers()["d emb.weight"][1].any()  # of river, in "the money bank"
    panel.set("stage", "4 prediction and loss")
    panel.set("updates", 24)
    panel.shows("loss (water is right)", [[0.006]])
    panel.set("updates", 0)
    panel.shows("loss (water is right)", [[0.664]])


def look_into_heads(notebook: Notebook) -> None:
    panel = Panel(notebook.cell(CALL))
    for name, value in (("head", 3), ("layer", 1)):
        panel.moves(name, value)


def repeat_otherwise(notebook: Notebook) -> None:
    look_into_heads(notebook)
    Panel(notebook.cell(CALL)).moves("period", 9)


def intervene(notebook: Notebook) -> None:
    panel, name = Panel(notebook.cell(CALL)), "weights: subject, verb, object"
    panel.shows(name, [[0.167, 0.667, 0.167]], 2e-3)
    panel.set("feature", "past")
    panel.set("size", 1)
    panel.shows(name, [[0.068, 0.864, 0.068]], 2e-3)
    panel.set("feature", "color")
    panel.shows(name, [[0.167, 0.667, 0.167]], 2e-3)
    panel.shows("result", [[0.677, 1.226, 0.596]], 2e-3)


def sharpen(notebook: Notebook) -> None:
    panel = Panel(notebook.cell(CALL))
    panel.shows("shares", [[0.326, 0.332, 0.342]], rows=BANK)
    for factor, weights in ((5, [0.067, 0.157, 0.776]), (1, [0.262, 0.310, 0.428]), (0, [1 / 3] * 3)):
        panel.set("factor", factor)
        panel.shows("shares", [weights], rows=BANK)


def change_the_width(notebook: Notebook) -> None:
    panel = Panel(notebook.cell(CALL))
    panel.set("d_k", 128)
    panel.shows("raw", [[0, 0, 0, 0, 0, 1, 0, 0]], 0.01)
    panel.shows("scaled", [[0.11, 0.07, 0.09, 0.03, 0.11, 0.50, 0.06, 0.02]], 0.006)
    panel.set("d_k", 1)
    for name in ("raw", "scaled"):
        panel.shows(name, [[0.119, 0.131, 0.122, 0.113, 0.126, 0.142, 0.136, 0.111]])


def nudge(notebook: Notebook) -> None:
    panel = Panel(notebook.cell(CALL))
    panel.shows("effect", [[0.01, 0.12, 0.03, 0.01, 0.12, 0.12]], 0.006)
    panel.set("factor", 3)
    panel.shows("effect", [[0, 0.10, 0, 0, 0.10, 0.10]], 0.006)
    panel.set("residual", True)
    panel.shows("effect", [[0, 0.10, 0.22, 0, 0.10, 0.10]], 0.006)


def look_at_the_source(notebook: Notebook) -> None:
    panel = Panel(notebook.cell(CALL))
    panel.choose("an adjective is due")
    for name, value, weights, context in (
        ("adjective", 3, [0.89, 0.11], 5.21),
        ("adjective", 0, [0.5, 0.5], 6),
        ("noun", 3, [0.11, 0.89], 6.79),
    ):
        panel.set(name, value)
        panel.shows("weights: red, house", [weights], 0.006)
        panel.shows("context", [[context]], 0.006)


WALKS = {
    "mixing": sharpen,
    "subspaces": change_the_width,
    "heads": nudge,
    "decoding": look_at_the_source,
    "matching": match,
    "masking": mask,
    "training": walk_through_an_update,
    "induction": repeat_otherwise,
    "recovery": intervene,
    "real_heads": look_into_heads,
}


@pytest.mark.parametrize("name", WALKS)
def test_a_control_that_moves_moves_the_numbers(name: str, tides: Class, server: Server, page: Page):
    lesson = Course(ROOT).lesson(name)
    if lesson.lacking:
        pytest.skip(lesson.lacking)
    notebook = Notebook(server, page, solved(lesson, tides.course.root / "solved"))
    notebook.run_all()
    WALKS[name](notebook)
    notebook.stop()


def test_every_lesson_has_an_interactive_picture():
    assert {lesson.name for lesson in Course(ROOT).lessons() if CALL in lesson.text.read_text()} == set(WALKS)
