"""The feedback page of nbgrader in a real browser: it can be read in light and in dark."""

import numpy as np
import pytest
from playwright.sync_api import Page
from small_class import Class

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

# Of each element that holds text itself: its color, and the first background that is painted behind it.
COLORS = """() => {
    const painted = it => {
        const color = getComputedStyle(it).backgroundColor
        return color == 'rgba(0, 0, 0, 0)' && it.parentElement ? painted(it.parentElement) : color
    }
    const holds = it => [...it.childNodes].some(part => part.nodeType == 3 && part.data.trim())
    return [...document.querySelectorAll('body *')]
        .filter(it => holds(it) && it.checkVisibility())
        .map(it => [it.outerHTML.slice(0, 80), getComputedStyle(it).color, painted(it)])
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_can_be_read(scheme: str, course, page: Page):
    tides = Class(course)
    tides.hand_in("ana")
    tides.grade("ana")
    tides.record("ana")
    page.emulate_media(color_scheme=scheme)
    page.goto(tides.page("ana").as_uri())
    seen = page.evaluate(COLORS)
    prose = [_luminance(behind) for html, _, behind in seen if html.startswith(("<p", "<h"))]
    assert prose and (max(prose) < 0.1 if scheme == "dark" else min(prose) > 0.8)
    # A color that serves both has 4.6 at most.
    assert [html for html, ink, behind in seen if _contrast(ink, behind) < 3.5] == []


def _luminance(color: str) -> float:
    """Of "rgb(...)", as WCAG 2 defines it."""
    part = np.array([float(number) for number in color[color.index("(") + 1 : -1].split(",")[:3]]) / 255
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def _contrast(one: str, other: str) -> float:
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)
