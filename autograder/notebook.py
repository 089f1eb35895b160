"""What the kernel holds, what the saved notebook holds, and whether they are the same."""

import ast
import linecache
import os
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from inspect import unwrap
from pathlib import Path
from types import CodeType
from typing import Any

from autograder.document import notebook_cells
from autograder.lesson import LessonError
from autograder.script import lines_of

_LARGEST = 8_000_000  # bytes of a notebook that is still read: more would take longer than a check may


def unsaved(names: Iterable[str], namespace: Mapping[str, Any]) -> str:
    """One line if a function of `names` is not the one in the saved notebook, else "".

    Silent where the notebook's path is not known, or a cell cannot be read.
    """
    path = _path(namespace)
    live = {name: node for name in names if (node := _live(name, namespace.get(name)))} if path else {}
    if not live:
        return ""
    try:
        saved = _saved(path, live)
    except (OSError, LessonError):  # unreadable, or being written right now
        return ""
    for name, node in live.items():
        if name not in saved:
            return (
                f"`{name}` is not in the saved notebook {path.name}: save it, since what is saved is graded"
            )
        if saved[name] and saved[name] != node:
            return (
                f"the kernel runs another `{name}` than the saved notebook {path.name} holds: "
                "run its cell again, save, and check once more"
            )
    return ""


def code_behind(names: Iterable[str], namespace: Mapping[str, Any]) -> dict[str, Any]:
    """`names`, and the functions and classes that they use, as `namespace` holds them (None if missing)."""
    found: dict[str, Any] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = namespace.get(name)
            mentioned = [used for code in _codes(found[name]) for used in code.co_names]
            waiting += [used for used in mentioned if callable(namespace.get(used))]
    return found


def _codes(value: Any) -> Iterator[CodeType]:
    """The code of a function, or of a class's methods, and of what is defined inside."""
    members = [*vars(value).values()] if isinstance(value, type) else [value]
    waiting = [code for member in members if isinstance(code := _code(member), CodeType)]
    while waiting:
        code = waiting.pop()
        yield code
        waiting += [const for const in code.co_consts if isinstance(const, CodeType)]


def _code(value: Any) -> Any:
    return getattr(unwrap(value) if callable(value) else None, "__code__", None)


def _path(namespace: Mapping[str, Any]) -> Path | None:
    """Where VS Code, ipykernel and Jupyter Server say the notebook is."""
    told = [
        namespace.get("__vsc_ipynb_file__"),
        namespace.get("__session__"),
        os.environ.get("JPY_SESSION_NAME"),
    ]
    for said in told:
        path = Path(said) if isinstance(said, str) and said.endswith(".ipynb") else None
        if path and path.is_file() and path.stat().st_size <= _LARGEST:
            return path
    return None


def _live(name: str, value: Any) -> str:
    """The definition that the kernel runs, without layout and comments; "" if it was not made in a cell."""
    code = next(_codes(value), None)
    if code is None or os.path.exists(code.co_filename):
        return ""
    return _definitions("".join(linecache.getlines(code.co_filename))).get(name, "")


def _saved(path: Path, names: Iterable[str]) -> dict[str, str]:
    """The last definition of each name in the notebook, which counts; "" where its cell cannot be read."""
    found: dict[str, str] = {}
    cells = notebook_cells(path, path.read_bytes())
    for source in (cell.source for cell in cells if cell.kind == "code"):
        named = [name for name in names if name in source and defines(source, name)]
        definitions = _definitions(source) if named else {}
        found |= {name: definitions.get(name) or found.get(name, "") for name in named}
    return found


def defines(source: str, name: str) -> bool:
    """Whether there is such a definition, also in a cell that is no Python yet."""
    pattern = rf"^(def|async def|class) +{re.escape(name)}\b"
    return name != "" and re.search(pattern, source, re.MULTILINE) is not None


def _definitions(source: str) -> dict[str, str]:
    """{name: dumped syntax tree} of the functions and classes of one cell; {} if it is no Python."""
    lines = ["pass" if line.startswith(("%", "!")) else line for line in lines_of(source)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a strange escape in a student's string is no matter here
        try:
            tree = ast.parse("\n".join(lines))
        except (SyntaxError, ValueError):
            return {}
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return {node.name: ast.dump(node) for node in tree.body if isinstance(node, kinds)}
