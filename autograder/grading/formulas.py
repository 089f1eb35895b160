"""Text that a spreadsheet would run."""

from typing import Any

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def is_formula(text: str) -> bool:
    """Whether a spreadsheet takes a cell for a formula."""
    return text.startswith(FORMULA)


def defused(value: Any) -> Any:
    """A cell that a spreadsheet shows and does not run: text that would begin a formula gets a ' in front."""
    return f"'{value}" if isinstance(value, str) and is_formula(value) else value
