"""What to say of a name that is not there."""

from collections.abc import Iterable
from difflib import get_close_matches

_NEAR = 0.5  # of two names, the share of letters in common from which on one may be a slip of the other


def offer(name: str, known: Iterable[str], otherwise: str) -> str:
    """The end of a sentence such as "there is no tide": all that there is, and the nearest; `otherwise` is
    the advice where there is nothing."""
    known = list(known)
    there = ", ".join(known)
    near = get_close_matches(name, known, n=1, cutoff=_NEAR)
    if near:
        return f", only {there}: did you mean `{near[0]}`?"
    return f": {choice(known, otherwise)}"


def meant(name: str, known: Iterable[str]) -> str:
    """The nearest name as a question, where there is one and the names are too many to tell."""
    near = get_close_matches(name, known, n=1, cutoff=_NEAR)
    return f"did you mean `{near[0]}`? If not, " if near else ""


def choice(known: list[str], otherwise: str) -> str:
    """The advice to take one of what there is; `otherwise` where there is nothing."""
    one = "one of " if known[1:] else ""
    return f"choose {one}{', '.join(known)}" if known else otherwise
