"""Two-dimensional vectors as arrows from the origin."""

import itertools

import numpy as np

from autograder.axes import FLAT, Axes, Point
from autograder.drawing import PALETTE, WRONG, Box, Drawing, text_width
from autograder.values import number

_APART = 7.0  # pixels between a tip and its name


def arrow_plane(vectors: dict[str, np.ndarray], names: list[str], title: str) -> tuple[Drawing, str]:
    """vectors {name: (2,)}. Returns the drawing and its alt text; one that is not finite is only named."""
    drawn = {name: vector for name, vector in vectors.items() if np.isfinite(vector).all()}
    (left, right), (bottom, top), scale = _plane(drawn)
    width, height = (right - left) * scale, (top - bottom) * scale
    sheet = Drawing(70 + width + 20, 16 + height + 48, title)
    axes = Axes(Box(70, sheet.top + 16, width, height), (left, right), (bottom, top))
    axes.draw(sheet, (names[0], names[1]))
    taken: list[Box] = []
    tips = [axes.at(float(vector[0]), float(vector[1])) for vector in drawn.values()]
    for tip, stroke in zip(tips, itertools.cycle(PALETTE)):
        _arrow(sheet, axes.at(0, 0), tip, stroke)
    for tip, (name, vector) in zip(tips, drawn.items()):
        _name(sheet, tip, vector, name, taken)
    lost = [name for name in vectors if name not in drawn]
    said = [f"{name} ({number(v[0])} {names[0]}, {number(v[1])} {names[1]})" for name, v in drawn.items()]
    if lost:
        odd = f"not finite: {', '.join(lost)}"
        sheet.text(axes.area.x, axes.area.y - 10, odd, size=12, fill=WRONG, anchor="start", bold=True)
        said.append(odd)
    return sheet, f"Arrows from the origin: {'; '.join(said)}."


def _plane(vectors: dict[str, np.ndarray]) -> tuple[Point, Point, float]:
    """Room for all arrows, their names and the origin: the two ranges, and the pixels of a unit, the same on
    both axes."""
    points = np.array([(0.0, 0.0), *vectors.values()])
    low, high = points.min(axis=0), points.max(axis=0)
    span = float((high - low).max()) if (high - low).max() > FLAT else 1.0
    low, high = low - 0.12 * span, np.maximum(high, low + 0.25 * span) + 0.12 * span
    scale = 330.0 / float((high - low).max())
    ends = [_end(name, vector, scale) for name, vector in vectors.items()]
    left, right = min([low[0], *ends]), max([high[0], *ends])
    return (float(left), float(right)), (float(low[1]), float(high[1])), scale


def _end(name: str, vector: np.ndarray, scale: float) -> float:
    """The x coordinate at which an arrow's name ends."""
    room = (_APART + text_width(name)) / scale
    return vector[0] + room if vector[0] >= 0 else vector[0] - room


def _arrow(sheet: Drawing, start: Point, tip: Point, stroke: str) -> None:
    along = np.subtract(tip, start)
    length = float(np.hypot(*along))
    if length < 1:
        sheet.dot(*start, 4, stroke)
        return
    ahead = along / length
    side = np.array([-ahead[1], ahead[0]])
    back = np.array(tip) - min(11.0, length) * ahead
    sheet.line([start, (float(back[0]), float(back[1]))], stroke, 2.5)
    sheet.polygon([tip, tuple(back + 5 * side), tuple(back - 5 * side)], stroke)


def _name(sheet: Drawing, tip: Point, vector: np.ndarray, name: str, taken: list[Box]) -> None:
    """Beyond the tip, moved away from the x axis until it lies on no other name."""
    width, down = text_width(name), 1 if vector[1] <= 0 else -1
    middle = tip[1] if vector.any() else tip[1] + 13
    box = Box(tip[0] + _APART if vector[0] >= 0 else tip[0] - _APART - width, middle - 8, width, 16)
    while any(box.overlaps(other) for other in taken):
        box = box._replace(y=box.y + 4 * down)
    taken.append(box)
    x, anchor = (box.x, "start") if vector[0] >= 0 else (box.x + width, "end")
    sheet.text(x, box.y + 8, name, anchor=anchor, bold=True, halo=True)
