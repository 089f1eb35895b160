"""Points as an LMS writes them."""

import re
from collections import Counter
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal


def amount(text: str) -> Decimal | None:
    """The number that a cell says, with a decimal point or comma; None for anything else."""
    text = text.strip()
    return Decimal(text.replace(",", ".")) if re.fullmatch(r"[+-]?\d+(?:[.,]\d+)?", text) else None


def rounded(points: float) -> Decimal:
    """Points to two decimals, a half upwards, as people round; float noise is no part of a half."""
    return Decimal(f"{points:.6f}").quantize(Decimal("0.01"), ROUND_HALF_UP)


def shown(points: float, comma: bool = False) -> str:
    text = str(rounded(points))
    return text.replace(".", ",") if comma else text


def brief(points: float) -> str:
    """Points for a sentence, without zeros at the end."""
    return f"{rounded(points).normalize():f}"


def uses_comma(cells: Iterable[str]) -> bool | None:
    """Whether most numbers are written with a decimal comma: one may be a version, or typed otherwise. None
    where there is none to tell it from, or as many of both kinds."""
    found = [re.fullmatch(r"[+-]?\d+([.,])\d+", cell.strip()) for cell in cells]
    signs = Counter(match[1] for match in found if match)
    return None if signs["."] == signs[","] else signs[","] > signs["."]
