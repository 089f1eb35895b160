"""Values in few characters: what stands in a report behind `gave` and `expected`, and in a printed call."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from autograder.compare import Unusable, to_array

_DEEPEST = 4  # a student's list may hold itself


def number(value: float, level: bool = False) -> str:
    """At most three decimals; very small and very large numbers with an exponent.

    `level`: beside others of ordinary size, a very small one is shown as 0.000.
    """
    if isinstance(value, (bool, int)):
        return str(value)
    if not np.isfinite(value):
        return str(float(value))
    if value and not 1e-3 <= abs(value) < 1e6:
        return "0.000" if level and abs(value) < 5e-4 else f"{value:.3g}"
    if value == round(value):
        return str(round(value))
    text = f"{value:.3f}"
    return text if text.endswith("000") else text.rstrip("0")  # 0.9999 is not 1


def brief(value: Any, limit: int = 72) -> str:
    """One line of at most about `limit` characters."""
    return _described(value, limit, _DEEPEST)


def block(value: Any, limit: int = 300) -> str:
    """The same, with a matrix as aligned rows."""
    try:
        array = to_array(value)
    except (Unusable, RecursionError):
        return _parts(value, limit)
    if array.ndim != 2 or not array.size or array.shape[0] == 1:
        return brief(value, limit)
    rows = [_cut(row, 8) for row in _aligned(array)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["[" + " ".join(cell.rjust(width) for cell, width in zip(row, widths)) + "]" for row in rows]
    return "\n".join(_cut(lines, 8))


def _parts(value: Any, limit: int) -> str:
    """A result of several, such as (A, H), one below the other; anything else in one line."""
    if not isinstance(value, tuple) or not 1 < len(value) <= 4 or len(brief(value)) <= 40:
        return brief(value, limit)
    heads = [f"[{number}]  " for number in range(len(value))]
    bodies = [block(part, limit).replace("\n", "\n" + " " * 5) for part in value]
    return "\n".join(head + body for head, body in zip(heads, bodies))


def _aligned(array: np.ndarray) -> list[list[str]]:
    """A matrix in which one entry has decimals shows three of them everywhere."""
    level = _is_ordinary(array)
    rows = [[number(x, level) for x in row] for row in array.tolist()]
    if any("." in cell for row in rows for cell in row):
        rows = [[_padded(cell) for cell in row] for row in rows]
    return rows


def _is_ordinary(array: np.ndarray) -> bool:
    """Whether three decimals show the larger entries."""
    return array.size > 1 and np.max(np.abs(array), where=np.isfinite(array), initial=0.0) >= 0.1


def _padded(cell: str) -> str:
    if not cell.lstrip("-").replace(".", "").isdigit():
        return cell  # nan, inf, 2e-05
    whole, _, decimals = cell.partition(".")
    return f"{whole}.{decimals:0<3}"


def call(name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> str:
    """`softmax([0.1, 0.27, 0.59])`, long arguments shortened."""
    room = max(24, 110 // max(1, len(args) + len(kwargs)))
    words = [brief(arg, room) for arg in args] + [f"{key}={brief(arg, room)}" for key, arg in kwargs.items()]
    return f"{name}({', '.join(words)})"


def _described(value: Any, limit: int, depth: int) -> str:
    if isinstance(value, str):
        return repr(value if len(value) <= limit else value[: limit - 1] + "…")
    if value is None or isinstance(value, (bool, np.bool_)):
        return str(value)
    if isinstance(value, (list, tuple, Mapping)) and not depth:
        return "…"
    try:
        return _array(to_array(value), limit)
    except (Unusable, RecursionError):
        return _other(value, limit, depth)


def _other(value: Any, limit: int, depth: int) -> str:
    """What is no array. A student's own `__repr__` is not asked: it may be long, or raise."""
    if isinstance(value, Mapping):
        words = [
            f"{_described(key, 30, 0)}: {_described(item, limit // 2, depth - 1)}"
            for key, item in value.items()
        ]
        return "{" + ", ".join(_cut(words, 8)) + "}"
    if isinstance(value, (list, tuple)):
        words = _cut([_described(item, limit // 2, depth - 1) for item in value[:50]], 8)
        return f"[{', '.join(words)}]" if isinstance(value, list) else f"({', '.join(words)})"
    if isinstance(value, np.random.Generator):
        return "rng"
    if isinstance(value, type) or callable(value):
        return getattr(value, "__name__", type(value).__name__)
    if isinstance(value, (complex, np.ndarray)) and np.asarray(value).dtype.kind != "O":
        return np.array2string(np.asarray(value), threshold=8, edgeitems=2, separator=", ", precision=3)
    return f"<{type(value).__name__}>"


def _array(array: np.ndarray, limit: int) -> str:
    """As much of it as fits; its shape where that is too little."""
    for entries in (8, 5, 3):
        text = _nested(array, entries, _is_ordinary(array))
        if len(text) <= limit:
            return text
    return "array " + "×".join(map(str, array.shape))


def _nested(array: np.ndarray, entries: int, level: bool) -> str:
    if array.ndim == 0:
        return number(array.item(), level)
    return "[" + ", ".join(_cut(array, entries, lambda part: _nested(part, entries, level))) + "]"


def _cut(items: Any, most: int, text: Callable[[Any], str] = str) -> list[str]:
    """All items, or the first and the last with … between them."""
    if len(items) <= most:
        return [text(item) for item in items]
    tail = most // 3
    return [*map(text, items[: most - tail - 1]), "…", *map(text, items[len(items) - tail :])]
