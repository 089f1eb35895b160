"""Points as an LMS writes them."""

import re
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
    """Whether numbers are written with a decimal comma; None where there is no number to tell it from."""
    numbers = [cell.strip() for cell in cells]
    if any(re.fullmatch(r"[+-]?\d+\.\d+", number) for number in numbers):
        return False
    return True if any(re.fullmatch(r"[+-]?\d+,\d+", number) for number in numbers) else None
