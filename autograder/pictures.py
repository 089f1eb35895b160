"""Pictures of attention made with the student's own numbers.

Each is drawn as it is asked for: wrong numbers give a picture in which they can be seen to be wrong, and what
cannot be drawn is said in one line. Nothing is raised. Every picture carries its content as alt text.
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ParamSpec

import numpy as np
from numpy.typing import ArrayLike

from autograder import screen
from autograder.arrows import arrow_plane
from autograder.compare import Unusable, to_array
from autograder.curve import loss_curve
from autograder.drawing import Drawing, label
from autograder.grid import Lines, largest, matrix_grid
from autograder.heatmap import attention_map

_MOST = 50  # rows or columns of a matrix
P = ParamSpec("P")
Words = Sequence[str] | str
Compute = Callable[..., Mapping[str, ArrayLike]]
Control = tuple[float, float] | tuple[float, float, float] | range | type[bool] | Sequence[str]


class PictureError(Exception):
    """This cannot be drawn. The text is one line."""


def picture(draw: Callable[P, tuple[Drawing, str]]) -> Callable[P, None]:
    """Show what `draw` returns, a drawing and its alt text, or say in one line why there is none."""

    name = draw.__name__.lstrip("_")

    @functools.wraps(draw)
    def shown(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            with np.errstate(all="ignore"):  # wrong numbers are shown, not warned of
                drawing, alt = draw(*args, **kwargs)
            alt = f"{drawing.title}. {alt}" if drawing.title else alt
            screen.show(drawing.html(alt), alt)
        except (PictureError, Unusable) as problem:
            print(f"{name}: {problem}")
        except Exception as problem:
            text = " ".join(f"{type(problem).__name__}: {problem}".split())
            print(f"{name}: cannot draw this ({text}); look at the values that go in")

    return shown


@picture
def show_attention(
    A: ArrayLike, tokens: Words, sources: Words | None = None, title: str | None = None
) -> tuple[Drawing, str]:
    """Heatmap of attention weights A (n, m) with their numbers: row i shows what token i reads.

    `sources` (m) names the columns where they are not the tokens (n) themselves. A row that does not add up
    to 1 shows its total.
    """
    readers = _tokens(tokens, "tokens")
    read = readers if sources is None else _tokens(sources, "sources")
    weights = _real(A, "A")
    if weights.shape != (len(readers), len(read)):
        raise PictureError(
            f"A has shape {weights.shape}, but {len(readers)} tokens that read {len(read)} sources need "
            f"shape {(len(readers), len(read))}: look at what your function returns"
        )
    return attention_map(_matrix(weights, "A"), readers, read, _title(title))


@picture
def show_matrices(
    matrices: Mapping[str, ArrayLike],
    rows: Words | None = None,
    columns: Words | None = None,
    title: str | None = None,
) -> tuple[Drawing, str]:
    """Matrices {"X": X, ...} side by side with their numbers, on one scale of color with zero in the middle.

    `rows` and `columns` name the entries of every matrix that has as many; vectors are shown as one row.
    """
    names = _tokens(rows or [], "rows"), _tokens(columns or [], "columns")
    return matrix_grid({"": _matrices(matrices)}, *names, _title(title))


def show_presets(
    compute: Compute,
    presets: Mapping[str, Mapping[str, Any]],
    controls: Mapping[str, Control] | None = None,
    rows: Words | None = None,
    columns: Words | None = None,
    title: str | None = None,
) -> None:
    """What `compute(**setting)`, matrices with their names, gives for each of the presets {"name": setting}.

    First comes a plain picture, a line of matrices for each preset; if it has but one, that stands beside the
    next one's. In a live notebook a panel follows, with a button for each preset and a control for each
    argument that `controls` names: (low, high) is a slider of 32 steps, (low, high, step) one of others,
    range(...) one of whole numbers, bool a tick box, a list of words a choice. Presets must lie on a slider's
    steps. The colors are those of the plain picture.
    """
    draw = functools.partial(_show_presets, compute, rows, columns)
    draw(presets, title)
    if screen.is_live():
        from autograder.panel import show_panel  # ipywidgets is slow to import, and of use here only

        reach = functools.cache(lambda: largest(_lines(compute, presets)))
        show_panel(lambda setting: draw({"": setting}, None, reach), presets, controls or {})


@picture
def _show_presets(
    compute: Compute,
    rows: Words | None,
    columns: Words | None,
    settings: Mapping[str, Mapping[str, Any]],
    title: str | None,
    reach: Callable[[], float] = lambda: 0.0,
) -> tuple[Drawing, str]:
    lines = _lines(compute, settings)
    if len(lines) > 1 and all(len(line) == 1 for line in lines.values()):  # one each: side by side
        lines = {"": {name: matrix for name, line in lines.items() for matrix in line.values()}}
    names = _tokens(rows or [], "rows"), _tokens(columns or [], "columns")
    return matrix_grid(lines, *names, _title(title), reach())


def _lines(compute: Compute, settings: Mapping[str, Mapping[str, Any]]) -> Lines:
    return {label(name, 40): _matrices(compute(**setting)) for name, setting in settings.items()}


@picture
def show_training(losses: ArrayLike, title: str | None = None) -> tuple[Drawing, str]:
    """The loss (steps,) over the steps of a training; steps whose loss is nan or inf are marked."""
    values = _real(losses, "losses")
    if values.ndim != 1 or not values.size:
        raise PictureError(f"losses has shape {values.shape}: give one number for each step")
    return loss_curve(values, _title(title))


@picture
def show_arrows(
    vectors: Mapping[str, ArrayLike],
    axes: Words = ("first coordinate", "second coordinate"),
    title: str | None = None,
) -> tuple[Drawing, str]:
    """Two-dimensional vectors {"bank": v, ...} as arrows from the origin; `axes` names the coordinates."""
    if not isinstance(vectors, Mapping) or not vectors:
        raise PictureError('give the vectors with their names, as in show_arrows({"bank": v})')
    names = [label(name, 40) for name in axes]
    if len(names) != 2:
        raise PictureError("axes takes two names, one for each coordinate")
    arrows = {label(name, 30): _vector(value, label(name, 30)) for name, value in vectors.items()}
    return arrow_plane(arrows, names, _title(title))


def _matrices(matrices: Any) -> dict[str, np.ndarray]:
    if not isinstance(matrices, Mapping) or not matrices:
        raise PictureError('give the matrices with their names, as in {"X": X}')
    named = [(label(name, 30), value) for name, value in matrices.items()]
    return {name: _matrix(np.atleast_2d(_real(value, name)), name) for name, value in named}


def _real(value: Any, name: str) -> np.ndarray:
    try:
        return to_array(value).astype(float)
    except Unusable as problem:
        raise PictureError(f"{name} is {problem}: look at what your function returns") from None


def _matrix(array: np.ndarray, name: str) -> np.ndarray:
    if array.ndim != 2 or not array.size:
        raise PictureError(f"{name} has shape {array.shape}, which is no matrix: look at what went in")
    if max(array.shape) > _MOST:
        raise PictureError(f"{name} has shape {array.shape}, too large to see: show at most {_MOST} rows")
    return array


def _vector(value: Any, name: str) -> np.ndarray:
    array = _real(value, name)
    if array.shape != (2,):
        raise PictureError(f"{name} has shape {array.shape}: an arrow needs two numbers")
    return array


def _tokens(value: Any, name: str) -> list[str]:
    if isinstance(value, str):
        return value.split()
    if not isinstance(value, (Sequence, np.ndarray)):
        raise PictureError(f"{name} should be a list of words")
    return [label(word) for word in value]


def _title(title: Any) -> str:
    return "" if title is None else label(title, 80)
