"""The lines of Python text, and its parts that are run one after the other."""

import ast
import re
import warnings


def unix_lines(text: str) -> str:
    """The text with "\\n" at the end of each line, whatever Python took for one."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def lines_of(text: str) -> list[str]:
    """The lines as Python counts them: `str.splitlines` cuts at form feeds and other signs besides."""
    return unix_lines(text).split("\n")


def parts(text: str) -> list[tuple[str, bool]]:
    """A statement each, imports together, so that what goes wrong in one stays there; all of it, where it is
    no Python. Beside the source: whether it is the `if __name__ == "__main__"` part."""
    found: list[tuple[str, bool]] = []
    lines, start, importing = lines_of(text), 0, False
    for node in _body(text):
        source = "\n".join(lines[start : node.end_lineno]).strip("\n")
        start = node.end_lineno
        imports = isinstance(node, ast.Import | ast.ImportFrom)
        if imports and importing:
            found[-1] = (f"{found[-1][0]}\n{source}", False)
        else:
            found.append((source, _is_main(node)))
        importing = imports
    rest = "\n".join(lines[start:]).strip("\n")
    return [*found, (rest, False)] if rest else found


def _body(text: str) -> list[ast.stmt]:
    """The statements of the text; none where it is no Python, so that all of it becomes one part."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "\d" in a student's string is no news
            return ast.parse(_without_commands(text)).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _without_commands(text: str) -> str:
    """Colab leaves lines for IPython in the Python files that it writes: `!pip install ...`."""
    return re.sub(r"^[!%].*$", "pass", text, flags=re.MULTILINE)


def _is_main(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and "__name__" in ast.dump(node.test)
