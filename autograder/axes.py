"""Coordinate axes with round ticks."""

from typing import NamedTuple

import numpy as np

from autograder.drawing import GRID, SOFT, Box, Drawing
from autograder.values import number

Point = tuple[float, float]
FLAT = 1e-12  # a smaller range is drawn as none


class Axes(NamedTuple):
    """The part of a sheet where x runs over `across` and y, upwards, over `up`."""

    area: Box
    across: Point
    up: Point

    def at(self, x: float, y: float) -> Point:
        """Where on the sheet the point (x, y) lies."""
        (left, right), (bottom, top) = self.across, self.up
        return (
            self.area.x + (x - left) / (right - left) * self.area.width,
            self.area.y + (top - y) / (top - bottom) * self.area.height,
        )

    def draw(self, sheet: Drawing, names: tuple[str, str], smallest: float = 0.0) -> None:
        """Grid, ticks at least `smallest` apart on the x axis, and the names of the two axes."""
        box = self.area
        for tick in ticks(*self.across, smallest):
            x, _ = self.at(tick, self.up[0])
            sheet.line([(x, box.y), (x, box.y + box.height)], GRID)
            sheet.text(x, box.y + box.height + 12, number(tick), size=12, fill=SOFT)
        for tick in ticks(*self.up):
            _, y = self.at(self.across[0], tick)
            sheet.line([(box.x, y), (box.x + box.width, y)], GRID)
            sheet.text(box.x - 6, y, number(tick), size=12, fill=SOFT, anchor="end")
        sheet.text(box.x + box.width / 2, box.y + box.height + 32, names[0], size=12, fill=SOFT)
        sheet.text(box.x - 48, box.y + box.height / 2, names[1], size=12, fill=SOFT, turn=-90)


def ticks(low: float, high: float, smallest: float = 0.0) -> list[float]:
    """About five round numbers between `low` and `high`."""
    rough = (high - low) / 5
    unit = 10.0 ** np.floor(np.log10(rough))
    step = max(smallest, unit * min((1, 2, 5, 10), key=lambda factor: abs(factor * unit - rough)))
    first, last = np.ceil(low / step - 1e-9), np.floor(high / step + 1e-9)
    return [float(tick) for tick in np.arange(first, last + 1) * step]
