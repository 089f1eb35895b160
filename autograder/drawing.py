"""A small vector drawing (SVG) on a light card of its own: it reads the same on light and dark pages."""

import base64
from html import escape
from typing import NamedTuple
from unicodedata import east_asian_width

import numpy as np

INK, SOFT, GRID, CARD, WRONG = "#1f2328", "#57606a", "#d8dee4", "#ffffff", "#a8410a"
PALETTE = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"]  # Okabe and Ito
# Ramps of light and dark (ColorBrewer), so that no kind of color blindness loses them.
BLUES = ["#f7fbff", "#deebf7", "#c6dbef", "#9ecae1", "#6baed6", "#4292c6", "#2171b5", "#08519c", "#08306b"]
PURPLE_ORANGE = [
    "#532687",
    "#8073ac",
    "#b1aad1",
    "#d8daeb",
    "#f7f7f6",
    "#fee0b6",
    "#fcb761",
    "#e08214",
    "#b25706",
]
_FONT = "system-ui,-apple-system,Segoe UI,Roboto,DejaVu Sans,sans-serif"


class Box(NamedTuple):
    """A rectangle: left, top, width, height."""

    x: float
    y: float
    width: float
    height: float

    def overlaps(self, other: "Box") -> bool:
        return (
            self.x < other.x + other.width
            and other.x < self.x + self.width
            and self.y < other.y + other.height
            and other.y < self.y + self.height
        )


class Drawing:
    """Shapes, in the order in which they are laid on the card; lengths in pixels, y downwards from `top`.

    A title makes room for itself above `top`.
    """

    def __init__(self, width: float, height: float, title: str = "") -> None:
        self.title = title
        self.top = 40.0 if title else 12.0
        self.width = round(max(width, text_width(title, 14.5) + 28))
        self.height = round(height + self.top)
        self._shapes = [f'<rect width="{self.width}" height="{self.height}" rx="6" fill="{CARD}"/>']
        if title:
            self.text(14, 20, title, size=14, anchor="start", bold=True)

    def box(self, box: Box, fill: str, stroke: str = "none", thick: float = 1.5) -> None:
        place = f'x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}"'
        self._shapes.append(f'<rect {place} fill="{fill}" stroke="{stroke}" stroke-width="{thick}"/>')

    def line(self, points: list[tuple[float, float]], stroke: str, thick: float = 1.0) -> None:
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self._shapes.append(
            f'<polyline points="{path}" fill="none" stroke-linejoin="round"'
            f' stroke="{stroke}" stroke-width="{thick}"/>'
        )

    def polygon(self, points: list[tuple[float, float]], fill: str) -> None:
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self._shapes.append(f'<polygon points="{path}" fill="{fill}"/>')

    def cross(self, box: Box, stroke: str) -> None:
        right, bottom = box.x + box.width, box.y + box.height
        self.line([(box.x, box.y), (right, bottom)], stroke)
        self.line([(box.x, bottom), (right, box.y)], stroke)

    def dot(self, x: float, y: float, radius: float, fill: str) -> None:
        self._shapes.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{fill}"/>')

    def text(
        self, x: float, y: float, text: str, *, size: float = 13, fill: str = INK, anchor: str = "middle",
        bold: bool = False, turn: float = 0, halo: bool = False,
    ) -> None:  # fmt: skip
        """`y` is the middle of the line; `turn` in degrees, around (x, y); a halo sets it off."""
        weight = ' font-weight="600"' if bold else ""
        edge = f' stroke="{CARD}" stroke-width="4" paint-order="stroke"' if halo else ""
        turned = f' transform="rotate({turn} {x:.1f} {y:.1f})"' if turn else ""
        self._shapes.append(
            f'<text x="{x:.1f}" y="{y:.1f}" dy=".35em" font-size="{size}" fill="{fill}"'
            f' text-anchor="{anchor}"{weight}{edge}{turned}>{escape(text)}</text>'
        )

    def svg(self) -> str:
        size = f'width="{self.width}" height="{self.height}" viewBox="0 0 {self.width} {self.height}"'
        shapes = "\n".join(self._shapes)
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{_FONT}">\n{shapes}\n</svg>'

    def html(self, alt: str) -> str:
        """An `img` with alt text: JupyterLab gives none to a picture that is an output by itself."""
        data = base64.b64encode(self.svg().encode()).decode()
        size = f'width="{self.width}" height="{self.height}" style="max-width:100%;height:auto"'
        return f'<img alt="{escape(alt)}" {size} src="data:image/svg+xml;base64,{data}">'


def label(value: object, most: int = 16) -> str:
    """Any token as one printable line."""
    text = "".join(c if c.isprintable() else " " for c in str(value)).strip()
    return text if len(text) <= most else text[: most - 1] + "…"


def text_width(text: str, size: float = 13) -> float:
    """About as wide as a sans-serif font sets it; nobody here can ask the font."""
    return sum(1.0 if east_asian_width(c) in "WF" else 0.6 for c in text) * size


def shades(matrix: np.ndarray, low: float, high: float, ramp: list[str]) -> list[list[str]]:
    """The color of each entry on a ramp from `low` to `high`; an end's beyond the end, white for nan."""
    places = np.linspace(low, high, len(ramp))
    channels = np.array([_channels(fill) for fill in ramp])
    mixed = [np.interp(np.nan_to_num(matrix), places, channel) for channel in channels.T]
    red, green, blue = (np.round(channel).astype(int) for channel in mixed)
    codes = np.where(np.isfinite(matrix), (red << 16) + (green << 8) + blue, 0xFFFFFF)
    return [[f"#{code:06x}" for code in row] for row in codes.tolist()]


def ink_on(fill: str) -> str:
    """Black or white, whichever stands out more on `fill`."""
    return max(("#000000", "#ffffff"), key=lambda ink: contrast(ink, fill))


def contrast(one: str, other: str) -> float:
    """From 1 to 21, as WCAG 2 defines it: 4.5 is enough for text."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(fill: str) -> float:
    """Relative luminance, from 0 to 1, as WCAG 2 defines it."""
    red, green, blue = (_linear(channel / 255) for channel in _channels(fill))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.03928 else ((channel + 0.055) / 1.055) ** 2.4


def _channels(fill: str) -> tuple[int, int, int]:
    return int(fill[1:3], 16), int(fill[3:5], 16), int(fill[5:7], 16)
