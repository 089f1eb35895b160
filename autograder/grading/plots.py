"""The pictures of a class report: SVG that takes its ink from the page, in light and in dark."""

import io
import re
import warnings
from collections.abc import Callable
from html import escape

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from autograder.grading.analysis import TaskStatistics
from autograder.grading.feedback import LOOKS
from autograder.grading.verdict import Verdict

WIDTH = 6.4  # inches
ROW = 0.34  # inches of height that a task takes
INK, LINE, BAR, ACCENT = "#010203", "#040506", "#4a7fc1", "#c9502c"
OF_THE_PAGE = {INK: "currentColor", LINE: "var(--line)"}  # colors that the page's scheme decides
BINS = 20
WEAK = 0.2  # discrimination below which a task tells little about who can do the rest (Ebel's rule of thumb)
STYLE = {
    "svg.fonttype": "none",  # text stays text: small, selectable, in the page's font
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": LINE,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": LINE,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "font.size": 9.5,
}


def score_histogram(points: list[float], max_points: float) -> str:
    """How many students have how many points."""

    def draw(axes: Axes) -> None:
        bins = min(BINS, max(5, round(max_points)))
        axes.hist(points, bins=bins, range=(0, max_points or 1), color=BAR, rwidth=0.92)
        axes.axvline(np.median(points), color=ACCENT, linestyle="--", linewidth=1.5)
        axes.annotate(
            f" median {np.median(points):.3g}",
            (np.median(points), 1),
            xycoords=("data", "axes fraction"),
            va="bottom",
            ha="center",
            color=ACCENT,
        )
        _name(axes, f"points of {max_points:g}", "students")

    return _svg("Distribution of scores", 2.5, draw)


def time_histogram(seconds: list[float]) -> str:
    """How many gradings took how long."""

    def draw(axes: Axes) -> None:
        axes.hist(seconds, bins=BINS, range=(0, max(*seconds, 0.1)), color=BAR, rwidth=0.92)
        _name(axes, "seconds of grading", "students")

    return _svg("Distribution of grading times", 2.5, draw)


def verdict_bars(tasks: list[TaskStatistics]) -> str:
    """Each task as one bar of its verdicts."""

    def draw(axes: Axes) -> None:
        begin = np.zeros(len(tasks))
        most = max(max(sum(task.verdicts.values()) for task in tasks), 1)
        for verdict in Verdict:
            counts = np.array([task.verdicts[verdict] for task in tasks])
            symbol, color, _ = LOOKS[verdict]
            if counts.any():
                bars = axes.barh(_rows(tasks), counts, left=begin, color=color, label=f"{symbol} {verdict}")
                labels = [f"{symbol} {count}" if count / most > 0.07 else "" for count in counts]
                axes.bar_label(bars, labels, label_type="center", color="white", fontsize=8.5)
            begin += counts
        _list_tasks(axes, tasks)
        axes.set_xlim(0, most)
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=6, frameon=False, **TIGHT)

    return _svg("Verdicts of each task", _height(tasks), draw)


TIGHT = {"handlelength": 0.9, "columnspacing": 1.0, "handletextpad": 0.4, "fontsize": 8.5}


def facility_bars(tasks: list[TaskStatistics]) -> str:
    """Each task's facility as a bar, its discrimination as a dot on the same scale."""

    def draw(axes: Axes) -> None:
        rows = _rows(tasks)
        axes.barh(rows, [task.facility or 0 for task in tasks], color=BAR, alpha=0.75, label="facility")
        dots = [(task.discrimination, row) for task, row in zip(tasks, rows)]
        known = [dot for dot in dots if dot[0] is not None]
        for weak, marker, words in ((False, "o", "discrimination"), (True, "X", f"below {WEAK}")):
            dots = [dot for dot in known if (dot[0] < WEAK) is weak]
            if dots:
                axes.scatter(*zip(*dots), color=ACCENT, marker=marker, s=46, zorder=3, label=words)
        _list_tasks(axes, tasks)
        axes.set_xlim(min([0.0, *(value - 0.05 for value, _ in known)]), 1.04)
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, frameon=False, **TIGHT)

    return _svg("Facility and discrimination of each task", _height(tasks), draw)


def _rows(tasks: list[TaskStatistics]) -> np.ndarray:
    return np.arange(len(tasks))


def _height(tasks: list[TaskStatistics]) -> float:
    return 0.8 + ROW * len(tasks)


def _list_tasks(axes: Axes, tasks: list[TaskStatistics]) -> None:
    axes.set_yticks(_rows(tasks), [task.name for task in tasks], parse_math=False)
    axes.set_ylim(len(tasks) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", linewidth=0.6)


def _name(axes: Axes, across: str, up: str) -> None:
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.grid(axis="y", linewidth=0.6)


def _svg(title: str, height: float, draw: Callable[[Axes], None]) -> str:
    """One drawing as an SVG element with a title that is read aloud."""
    with mpl.rc_context(STYLE | {"svg.hashsalt": title}):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        FigureCanvasSVG(figure)
        draw(figure.add_subplot())
        drawn = io.StringIO()
        with warnings.catch_warnings():  # a glyph that matplotlib's font lacks is drawn by the browser's
            warnings.filterwarnings("ignore", "Glyph")
            figure.savefig(drawn, format="svg", transparent=True, metadata={"Date": None})
    return _inlined(drawn.getvalue(), title)


def _inlined(svg: str, title: str) -> str:
    """The element without the file around it, in the page's ink; its ids are its own among all drawings."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    slug = title.split()[0].lower()
    svg = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{slug}-", svg)
    for color, of_the_page in OF_THE_PAGE.items():
        svg = svg.replace(color, of_the_page)
    return svg.replace("<svg", f'<svg role="img" aria-label="{escape(title)}"', 1).replace(
        ">", f"><title>{escape(title)}</title>", 1
    )
