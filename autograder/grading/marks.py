"""The marks in a lesson's cells: regions between BEGIN and END lines, and code between IPython's magics."""

import ast
import re

# What a region is called: the role of the cell that it may stand in.
MARKS = {"SOLUTION": "solution", "MARK SCHEME": "task"}


def regions(source: str, mark: str) -> list[tuple[bool, str]]:
    """Each line but the markers, with whether it is in a region; ValueError for a marker without partner."""
    inside, lines = False, []
    for line in source.split("\n"):
        begins, ends = f"BEGIN {mark}" in line, f"END {mark}" in line
        if begins and inside or ends and not inside:
            raise ValueError(f"`{line.strip()}` has no partner")
        if not begins and not ends:
            lines.append((inside, line))
        inside = begins or inside and not ends
    if inside:
        raise ValueError(f"`BEGIN {mark}` has no partner")
    return lines


def code(source: str) -> ast.Module:
    """The syntax tree of a code cell; IPython's `%magic` and `!command` lines count as nothing."""
    if source.startswith("%%"):
        return ast.Module([], [])
    try:
        return ast.parse(source)
    except SyntaxError:
        return ast.parse(re.sub(r"(?m)^(\s*)[%!].*", r"\1pass", source))


def solved(source: str) -> str:
    """A stub cell's source with the solution in place: without the marker lines."""
    return "\n".join(line for _, line in regions(source, "SOLUTION")).strip("\n")
