"""Matrices as colored cells with their numbers."""

import numpy as np

from autograder import values
from autograder.drawing import BLUES, SOFT, WRONG, Box, Drawing, ink_on, shades, text_width

WIDEST = 720.0  # pixels, about a notebook's column
_NUMBERED = 36.0  # a narrower cell cannot hold a number
_READERS = "rows: who reads"  # beside an attention map, turned
_LINE = 13.0  # pixels a label needs beside the next one


class Heatmap:
    """One matrix (n, m) with its labels (empty lists for none), colored between `low` and `high`."""

    def __init__(
        self,
        matrix: np.ndarray,
        rows: list[str],
        columns: list[str],
        low: float,
        high: float,
        ramp: list[str],
    ) -> None:
        self.matrix, self.rows, self.columns = matrix, rows, columns
        self._low, self._high, self._ramp = low, high, ramp
        self._whole = np.array_equal(matrix, np.round(matrix))
        count, longest = matrix.shape[1], _longest(columns)
        self._width = min(84.0, max(52.0, longest + 10), max(7.0, WIDEST / count))
        self._height = min(34.0, self._width, max(7.0, WIDEST / len(matrix)))
        self._turned = longest + 6 > self._width
        self._numbered = self._width >= _NUMBERED
        self.left = _longest(rows) + 12 if rows else 0.0
        self.above = 4.0 if not columns else (0.65 * longest + 18 if self._turned else 22.0)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height with labels, and with the scale where there are no numbers."""
        rows, columns = self.matrix.shape
        beyond = 0.7 * text_width(self.columns[-1]) if self._turned else 0.0
        below = 0 if self._numbered else 30
        return self.left + max(columns * self._width + beyond, 110), self.above + rows * self._height + below

    def draw(self, sheet: Drawing, x: float, y: float) -> Box:
        """Lay it on the sheet with its top left corner at (x, y); returns where the cells are."""
        rows, columns = self.matrix.shape
        area = Box(x + self.left, y + self.above, columns * self._width, rows * self._height)
        fills = shades(self.matrix, self._low, self._high, self._ramp)
        for (i, j), value in np.ndenumerate(self.matrix):
            box = Box(area.x + j * self._width, area.y + i * self._height, self._width, self._height)
            self._draw_cell(sheet, box, float(value), fills[i][j])
        self._draw_labels(sheet, area)
        if not self._numbered:
            self._draw_scale(sheet, area)
        return area

    def row_middle(self, area: Box, row: int) -> float:
        return area.y + (row + 0.5) * self._height

    def _draw_cell(self, sheet: Drawing, box: Box, value: float, fill: str) -> None:
        finite = bool(np.isfinite(value))
        sheet.box(box, fill, "#ffffff" if self._numbered else fill, 1.0)
        if not finite and not self._numbered:
            sheet.cross(box, WRONG)
        elif not self._low - 1e-9 <= value <= self._high + 1e-9:
            sheet.box(Box(box.x + 2, box.y + 2, box.width - 4, box.height - 4), "none", WRONG, 2.5)
        if self._numbered:
            ink = ink_on(fill) if finite else WRONG
            x, y = box.x + box.width / 2, box.y + box.height / 2
            sheet.text(x, y, self._number(value), fill=ink, bold=not finite)

    def _number(self, value: float) -> str:
        if not np.isfinite(value) or abs(value) >= 1000 or self._whole:
            return values.number(value)
        return f"{value:z.2f}"  # z: nothing is -0.00

    def _draw_labels(self, sheet: Drawing, area: Box) -> None:
        """All of them, or every second, third, ... where they would lie on each other."""
        every = int(np.ceil(_LINE / self._height))
        for i, name in list(enumerate(self.rows))[::every]:
            sheet.text(area.x - 8, self.row_middle(area, i), name, anchor="end")
        every = int(np.ceil((_LINE + 4) / self._width))
        for j, name in list(enumerate(self.columns))[::every]:
            middle = area.x + (j + 0.5) * self._width
            if self._turned:
                sheet.text(middle, area.y - 9, name, anchor="start", turn=-40)
            else:
                sheet.text(middle, area.y - 11, name)

    def _draw_scale(self, sheet: Drawing, area: Box) -> None:
        y = area.y + area.height + 12
        low, high = f"{self._low:.3g}", f"{self._high:.3g}"
        start = area.x + text_width(low, 12) + 8
        sheet.text(area.x, y + 6, low, size=12, fill=SOFT, anchor="start")
        for step, fill in enumerate(shades(np.linspace(0, 1, 12)[None], 0, 1, self._ramp)[0]):
            sheet.box(Box(start + 5 * step, y, 5, 12), fill, fill, 0.5)
        sheet.text(start + 68, y + 6, high, size=12, fill=SOFT, anchor="start")


def attention_map(
    weights: np.ndarray, readers: list[str], sources: list[str], title: str
) -> tuple[Drawing, str]:
    """weights (n, m): row i shows what `readers[i]` reads. Returns the drawing and its alt text."""
    heatmap = Heatmap(weights, readers, sources, 0.0, 1.0, BLUES)
    width, height = heatmap.size
    odd = {i: float(total) for i, total in enumerate(weights.sum(axis=1)) if not abs(total - 1) <= 1e-3}
    sticks_out = text_width(_READERS, 12) / 2 - (height - heatmap.above) / 2  # below few rows
    below = max(14.0, sticks_out + 4)
    sheet = Drawing(34 + width + (120 if odd else 14), 20 + height + below, title)
    area = heatmap.draw(sheet, 34, sheet.top + 20)
    sheet.text(area.x + area.width / 2, sheet.top + 6, "columns: what is read", size=12, fill=SOFT)
    sheet.text(18, area.y + area.height / 2, _READERS, size=12, fill=SOFT, turn=-90)
    for i, total in odd.items():
        note = f"total {_rounded(total)} ≠ 1"
        right = area.x + area.width + 8
        sheet.text(right, heatmap.row_middle(area, i), note, size=12, fill=WRONG, anchor="start", bold=True)
    return sheet, _attention_text(weights, readers, sources)


def _attention_text(weights: np.ndarray, readers: list[str], sources: list[str]) -> str:
    def row(name: str, shares: np.ndarray) -> str:
        if weights.size > 36 and np.isfinite(shares).all():
            best = int(np.argmax(shares))
            return f"{name} reads {sources[best]} most ({shares[best]:.2f})"
        return f"{name} reads " + ", ".join(f"{source} {share:.2f}" for source, share in zip(sources, shares))

    rows = [row(name, shares) for name, shares in zip(readers[:12], weights)]
    more = "; …" if len(readers) > 12 else ""
    return f"Attention weights, each row reads its columns. {'; '.join(rows)}{more}."


def _longest(labels: list[str]) -> float:
    return max((text_width(name) for name in labels), default=0.0)


def _rounded(total: float) -> str:
    return f"{total:.2f}" if not abs(total - 1) < 0.005 else f"{total:.4f}"
