"""Matrices with their names, side by side in one line or in several."""

from typing import NamedTuple

import numpy as np

from autograder import values
from autograder.drawing import PALETTE, PURPLE_ORANGE, Drawing, text_width
from autograder.heatmap import WIDEST, Heatmap

_GAP = 28.0  # between two matrices
_HEADING = 34.0  # above a line that has a name
_NAME = PALETTE[0]

Lines = dict[str, dict[str, np.ndarray]]  # name of the line ("" for none) → name of the matrix → matrix


def matrix_grid(
    lines: Lines, rows: list[str], columns: list[str], title: str, reach: float = 0.0
) -> tuple[Drawing, str]:
    """Each line below the other, all matrices on one scale, zero in the middle, that ends at `reach` or at
    the largest entry beyond. `rows` and `columns` name the entries of every matrix that has as many.
    Returns the drawing and its alt text."""
    most = max(reach, largest(lines)) or 1.0
    placed = {name: _line(line, rows, columns, most) for name, line in lines.items()}
    heights = [line.height + (_HEADING if name else 0) for name, line in placed.items()]
    sheet = Drawing(max(line.width for line in placed.values()), sum(heights), title)
    y = sheet.top
    for (name, line), height in zip(placed.items(), heights):
        if name:
            sheet.text(14, y + 10, name, anchor="start", size=14, bold=True, fill=_NAME)
        line.draw(sheet, y + (_HEADING if name else 0))
        y += height
    described = [f"{name}: {_described(line)}" if name else _described(line) for name, line in lines.items()]
    return sheet, f"Matrices. {'. '.join(described)}."


def largest(lines: Lines) -> float:
    """The largest finite entry, without its sign."""
    arrays = [array for line in lines.values() for array in line.values()]
    return max(float(np.abs(a[np.isfinite(a)]).max(initial=0.0)) for a in arrays)


class _Line(NamedTuple):
    """Heatmaps with their headings, and the top left corner of each."""

    headings: list[str]
    maps: list[Heatmap]
    places: list[tuple[float, float]]
    width: float
    height: float

    def draw(self, sheet: Drawing, y: float) -> None:
        for heading, heatmap, (left, top) in zip(self.headings, self.maps, self.places):
            sheet.text(left + heatmap.left, y + top + 9, heading, anchor="start", bold=True)
            heatmap.draw(sheet, left, y + top + 22)


def _line(arrays: dict[str, np.ndarray], rows: list[str], columns: list[str], most: float) -> _Line:
    headings = [f"{name}  ({a.shape[0]}×{a.shape[1]})" for name, a in arrays.items()]
    maps = [
        Heatmap(a, _fitting(rows, a.shape[0]), _fitting(columns, a.shape[1]), -most, most, PURPLE_ORANGE)
        for a in arrays.values()
    ]
    tallest = max(heatmap.above for heatmap in maps)
    for heatmap in maps:
        heatmap.above = tallest  # first rows on one level
    sizes = [
        (max(heatmap.size[0], heatmap.left + text_width(heading)), heatmap.size[1])
        for heading, heatmap in zip(headings, maps)
    ]
    return _Line(headings, maps, *_placed(sizes))


def _placed(sizes: list[tuple[float, float]]) -> tuple[list[tuple[float, float]], float, float]:
    """Left to right, a new row where the column ends: the corner of each, width and height of the whole."""
    places: list[tuple[float, float]] = []
    x, y, right, tallest = 14.0, 0.0, 0.0, 0.0
    for width, height in sizes:
        if x > 14 and x + width > WIDEST + 80:
            x, y, tallest = 14.0, y + tallest + _GAP, 0.0
        places.append((x, y))
        right, tallest = max(right, x + width), max(tallest, height + 22)
        x += width + _GAP
    return places, right + 14, y + tallest + 14


def _described(line: dict[str, np.ndarray]) -> str:
    shapes = {name: f"{array.shape[0]}×{array.shape[1]}" for name, array in line.items()}
    return "; ".join(f"{name} ({shapes[name]}): {values.brief(array, 400)}" for name, array in line.items())


def _fitting(labels: list[str], count: int) -> list[str]:
    return labels if len(labels) == count else []
