"""The loss over the steps of a training."""

import numpy as np

from autograder.axes import FLAT, Axes, Point
from autograder.drawing import PALETTE, WRONG, Box, Drawing
from autograder.values import number

_POINTS = 900  # more cannot be seen


def loss_curve(losses: np.ndarray, title: str) -> tuple[Drawing, str]:
    """losses (steps,). Returns the drawing and its alt text; steps without a finite loss are marked."""
    finite = np.isfinite(losses)
    good = losses[finite]
    low, high = min(0.0, float(good.min(initial=0.0))), float(good.max(initial=0.0))
    sheet = Drawing(600, 264, title)
    top = (high if high - low > FLAT else low + 1) * 1.05
    axes = Axes(Box(70, sheet.top + 16, 440, 200), (1.0, max(2.0, float(len(losses)))), (low, top))
    axes.draw(sheet, ("step", "loss"), smallest=1.0)
    _curve(sheet, axes, losses)
    said = f"Loss over {len(losses)} {'steps' if len(losses) > 1 else 'step'}"
    if good.size:
        said += f": {number(good[0])} first, {number(good[-1])} last, lowest {number(good.min())}"
    if not finite.all():
        odd = f"{np.count_nonzero(~finite)} not finite, the first at step {int(np.argmin(finite)) + 1}"
        sheet.text(axes.area.x, axes.area.y - 10, odd, size=12, fill=WRONG, anchor="start", bold=True)
        said += f"; {odd}"
    return sheet, f"{said}."


def _curve(sheet: Drawing, axes: Axes, losses: np.ndarray) -> None:
    """One line for each stretch of finite losses, a cross on the lower edge for each step that is not."""
    steps = np.arange(0, len(losses), max(1, len(losses) // _POINTS))
    stretch: list[Point] = []
    for step in [*steps.tolist(), None]:
        if step is not None and np.isfinite(losses[step]):
            stretch.append(axes.at(step + 1, float(losses[step])))
            continue
        if len(stretch) == 1:
            sheet.dot(*stretch[0], 3, PALETTE[0])
        elif stretch:
            sheet.line(stretch, PALETTE[0], 2)
        stretch = []
        if step is not None:
            x, y = axes.at(step + 1, axes.up[0])
            sheet.cross(Box(x - 3, y - 3, 6, 6), WRONG)
    last = len(losses) - 1
    if np.isfinite(losses[last]):
        x, y = axes.at(last + 1, float(losses[last]))
        sheet.dot(x, y, 3.5, PALETTE[0])
        sheet.text(x + 8, y, number(losses[last]), anchor="start", bold=True)
