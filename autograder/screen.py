"""Where something is shown: as HTML in a notebook, as text in a terminal."""

import os
import sys

_PLAIN = {
    "✓": "+",
    "✗": "x",
    "○": "o",
    "↻": "~",
    "…": "...",
    "×": "x",
    "±": "+-",
    "−": "-",
    "“": '"',
    "”": '"',
    "─": "-",
    "·": "-",
}


def show(html: str, text: str, colored: str = "") -> None:
    """Display `html` in a notebook (with `text` for those who cannot see it), else print `colored` or `text`.

    IPython is used where it runs already, and never imported for this.
    """
    if _in_notebook():
        from IPython.display import display

        display({"text/html": html, "text/plain": text}, raw=True)
    else:
        show_text(text, colored)


def show_text(text: str, colored: str = "") -> None:
    """Print to a terminal, `colored` where it takes colors."""
    print(_printable(colored if colored and _takes_color() else text), flush=True)


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell is not None and "text/html" in shell.display_formatter.active_types


def is_live() -> bool:
    """Whether a kernel is there to answer when somebody moves a control."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return getattr(shell, "kernel", None) is not None


def _takes_color() -> bool:
    """See no-color.org."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _printable(text: str) -> str:
    """A console of an old code page lacks the symbols."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(str.maketrans(_PLAIN)).encode(encoding, "replace").decode(encoding)
    return text
