"""The strict comparison: kind, shape, finiteness, values. No broadcasting, no silent conversion."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

_KINDS = {
    "b": "True/False values",
    "c": "complex numbers",
    "U": "text",
    "S": "bytes",
    "M": "dates",
    "m": "time spans",
    "V": "records",
}


class Unusable(Exception):
    """A value that is no array of numbers or truth values. The text says what it is instead."""


class Difference(NamedTuple):
    """Why two values are not the same. `reason` names no number that came or was expected, `detail` may."""

    reason: str
    detail: str


class Mismatch(AssertionError):
    """A check that failed: what came, what was expected (`...` where there is no such value), and a hint."""

    def __init__(self, got: Any, expected: Any, difference: Difference, hint: str = "") -> None:
        super().__init__(difference.detail)
        self.got = got
        self.expected = expected
        self.difference = difference
        self.hint = hint


def expect(got: Any, expected: Any, atol: float = 1e-5, hint: str = "", rtol: float = 1e-4) -> None:
    """Demand |got − expected| ≤ atol + rtol·|expected|, entry by entry.

    `got` may be a number, list, tuple, array or tensor of the same shape as `expected`. A tuple of arrays
    is compared part by part, a dict key by key, anything else by equality. Raises `Mismatch`.
    """
    found = difference(got, expected, atol=atol, rtol=rtol)
    if found:
        raise Mismatch(got, expected, found, hint)


def difference(
    got: Any, expected: Any, *, atol: float = 1e-5, rtol: float = 1e-4, kind: str | None = None
) -> Difference | None:
    """The first way in which `got` differs from `expected`, or None.

    `kind` is "number" or "bool"; where it is not given, the kind of `expected` counts.
    """
    if isinstance(expected, Mapping):
        return _mapping_difference(got, expected, atol=atol, rtol=rtol)
    if isinstance(expected, tuple) and any(_is_compound(part) for part in expected):
        return _parts_difference(got, expected, atol=atol, rtol=rtol)
    try:
        wanted = to_array(expected)
    except Unusable:
        if isinstance(expected, (list, tuple)):
            return _parts_difference(got, expected, atol=atol, rtol=rtol)
        return _plain_difference(got, expected)
    kind = kind or ("bool" if wanted.dtype.kind == "b" else "number")
    return _array_difference(got, wanted, atol, rtol, kind)


def to_array(value: Any) -> np.ndarray:
    """Numbers or truth values in any wrapping (list, tuple, array, tensor, also mixed) as an array.

    Raises `Unusable` for everything else, half precision included.
    """
    if value is None or value is ...:
        raise Unusable("None" if value is None else "the placeholder ...")
    try:
        array = np.asarray(_plain(value))
    except Unusable:
        raise
    except Exception:  # an object of the student's may raise anything when it is asked for its numbers
        ragged = isinstance(value, (list, tuple))
        raise Unusable("rows of different lengths" if ragged else _name(value)) from None
    if array.dtype == np.float16:
        raise Unusable("half precision (float16), too coarse to compare (use float32 or float64)")
    if array.dtype.kind not in "fiub":
        raise Unusable(_KINDS.get(array.dtype.kind) or _name(value))
    return array


def _plain(value: Any) -> Any:
    """Tensors turned into arrays, also inside lists. Nothing imports torch for that."""
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    if not (hasattr(value, "detach") and hasattr(value, "numpy")):
        return value
    if "bfloat16" in str(value.dtype):
        raise Unusable("half precision (bfloat16), too coarse to compare (use float32 or float64)")
    return value.detach().cpu().numpy()


def _is_compound(value: Any) -> bool:
    return isinstance(value, (list, tuple, np.ndarray, Mapping)) or hasattr(value, "detach")


def _name(value: Any) -> str:
    if isinstance(value, (list, tuple, np.ndarray)):
        return f"{_article(type(value).__name__)} that holds something else than numbers"
    if isinstance(value, type) or callable(value):
        return f"the function {getattr(value, '__name__', '?')} itself, not what it returns"
    return f"{_article(type(value).__name__)} object"


def _article(word: str) -> str:
    return f"{'an' if word[:1].lower() in 'aeiou' else 'a'} {word}"


def _array_difference(got: Any, wanted: np.ndarray, atol: float, rtol: float, kind: str) -> Difference | None:
    try:
        array = to_array(got)
    except Unusable as problem:
        return Difference(_unusable(problem, kind), _unusable(problem, kind))
    if (array.dtype.kind == "b") != (kind == "bool"):
        wrong, right = _KINDS["b"], "numbers"
        if kind == "bool":
            wrong, right = right, wrong
        return Difference(f"it holds {wrong} where {right} belong", f"{wrong} instead of {right}")
    if array.shape != wanted.shape:
        return Difference("its shape is wrong", _shapes(array.shape, wanted.shape))
    if kind == "bool":
        return _worst(array != wanted, array, wanted, "an entry is wrong")
    return _number_difference(array.astype(float), wanted.astype(float), atol, rtol)


def _unusable(problem: Unusable, kind: str) -> str:
    text = str(problem)
    if text == "None":
        return "None came back: is a `return` missing?"
    return f"{text} instead of {'real numbers' if kind == 'number' else _KINDS['b']}"


def _shapes(got: tuple[int, ...], wanted: tuple[int, ...]) -> str:
    def name(shape: tuple[int, ...]) -> str:
        return f"shape {shape}" if shape else "a single number"

    swapped = " (rows and columns exchanged)" if len(got) == 2 and got == wanted[::-1] else ""
    return f"{name(got)} instead of {name(wanted)}{swapped}"


def _number_difference(got: np.ndarray, wanted: np.ndarray, atol: float, rtol: float) -> Difference | None:
    """Finiteness first: a NaN would slip through any `>`."""
    odd = ~np.isfinite(got) | ~np.isfinite(wanted)
    if odd.any():
        equal = (got == wanted) | (np.isnan(got) & np.isnan(wanted))
        found = _worst(odd & ~equal, got, wanted, "it holds nan or inf where it must not, or lacks one")
        if found:
            return found
    gap = np.zeros(got.shape)
    np.subtract(got, wanted, out=gap, where=~odd)
    limit = atol + rtol * np.abs(np.where(odd, 0.0, wanted))
    return _worst(np.where(np.abs(gap) > limit, np.abs(gap), 0.0), got, wanted, "an entry is wrong")


def _worst(size: np.ndarray, got: np.ndarray, wanted: np.ndarray, reason: str) -> Difference | None:
    """The entry of largest `size`, and how many there are; None where all are zero."""
    count = int(np.count_nonzero(size))
    if not count:
        return None
    place = tuple(int(i) for i in np.unravel_index(int(np.argmax(size)), size.shape)) if size.ndim else ()
    values = _told_apart(got[place].item(), wanted[place].item())
    if not place:
        return Difference(reason, values)
    many = f"{count} of {size.size} entries differ, most at" if count > 1 else "the entry at"
    verb = ":" if count > 1 else " is"
    return Difference(reason, f"{many} [{', '.join(map(str, place))}]{verb} {values}")


def _told_apart(got: float, wanted: float) -> str:
    """Both numbers with as many digits as it takes to see that they differ."""
    if isinstance(got, bool):
        return f"{got} instead of {wanted}"
    digits = next((d for d in range(3, 17) if f"{got:.{d}g}" != f"{wanted:.{d}g}"), 17)
    return f"{got:.{digits}g} instead of {wanted:.{digits}g}"


def _parts_difference(got: Any, expected: Sequence[Any], **tolerance: float) -> Difference | None:
    """Part by part; a list and a tuple count as the same."""
    if not isinstance(got, (tuple, list)):
        wanted = type(expected).__name__
        parts = f"{_type(got)} instead of a {wanted} of {len(expected)} parts"
        return Difference(f"it is not a {wanted}", parts)
    if len(got) != len(expected):
        return Difference("it has a wrong number of parts", f"{len(got)} parts instead of {len(expected)}")
    for number, (part, wanted) in enumerate(zip(got, expected)):
        found = difference(part, wanted, **tolerance)
        if found:
            return Difference(f"part [{number}]: {found.reason}", f"part [{number}]: {found.detail}")
    return None


def _mapping_difference(got: Any, expected: Mapping[Any, Any], **tolerance: float) -> Difference | None:
    if not isinstance(got, Mapping):
        return Difference("it is not a dict", f"{_type(got)} instead of a dict")
    for key in expected:
        if key not in got:
            return Difference("a key is missing", f"the key {key!r} is missing")
        found = difference(got[key], expected[key], **tolerance)
        if found:
            return Difference(f"an entry differs: {found.reason}", f"at {key!r}: {found.detail}")
    for key in got:
        if key not in expected:
            return Difference("it has a key too many", f"the key {key!r} does not belong there")
    return None


def _plain_difference(got: Any, expected: Any) -> Difference | None:
    """Text, None and the like."""
    if not isinstance(got, type(expected)):
        return Difference("it is of a wrong type", f"{_type(got)} instead of {_type(expected)}")
    return None if got == expected else Difference("it is another value", "another value")


def _type(value: Any) -> str:
    return "None" if value is None else _article(type(value).__name__)
