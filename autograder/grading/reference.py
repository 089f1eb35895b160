"""The solution module of a lesson: what the hidden suites import to know the right answers."""

import ast
from dataclasses import dataclass

from nbformat import NotebookNode

from autograder.grading.marks import code, solved
from autograder.script import lines_of

Definition = ast.FunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Piece:
    """Something the module may hold: a stub cell with its solution, or a definition that the text gives."""

    text: str
    uses: frozenset[str]
    names: frozenset[str] = frozenset()  # what a given definition defines; a stub cell is held anyway


def solution_module(origin: str, notebook: NotebookNode) -> str:
    """The text of the module: the solutions in the notebook's order, what they need of the other code cells
    (imports, given functions and classes), and the answers of the questions."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    pieces = [piece for cell in cells for piece in _pieces(cell)]
    held = _needed(pieces)
    used = frozenset().union(*(piece.uses for piece in held))
    head = f'"""Generated from {origin} by `autograder build`: edit that instead."""'
    blocks = ["\n".join([head, *_imports(cells, used)]).replace("\n", "\n\n", 1)]
    blocks += [piece.text for piece in held]
    blocks.append(_answers({_task(cell): answer(cell.source) for cell in cells if is_question(cell)}))
    return "\n\n\n".join(blocks) + "\n"


def is_question(cell: NotebookNode) -> bool:
    """Whether a cell is the stub of a concept question."""
    return _role(cell, "solution") and "question" in cell.metadata.get("tags", [])


def answer(source: str) -> str | None:
    """The letter that a question's solution assigns to `answer`; None if it assigns no string."""
    found = None
    for node in code(solved(source)).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "answer":
            found = getattr(node.value, "value", None)
    return found if isinstance(found, str) else None


def _pieces(cell: NotebookNode) -> list[Piece]:
    if _role(cell, "grade") or is_question(cell):
        return []
    if _role(cell, "solution"):
        text = solved(cell.source)
        return [Piece(text, _names_used(code(text)))]
    definitions = [node for node in code(cell.source).body if isinstance(node, Definition)]
    return [
        Piece(definition_text(cell.source, node), _names_used(node), frozenset([node.name]))
        for node in definitions
    ]


def _needed(pieces: list[Piece]) -> list[Piece]:
    """The stub cells, and in turn every given definition that one of the pieces held so far uses."""
    held = [piece for piece in pieces if not piece.names]
    while True:
        used = frozenset().union(*(piece.uses for piece in held))
        more = [piece for piece in pieces if piece not in held and piece.names & used]
        if not more:
            return [piece for piece in pieces if piece in held]
        held += more


def _imports(cells: list[NotebookNode], used: frozenset[str]) -> list[str]:
    """The top-level imports of the cells, cut down to the names that are used, once each and in order."""
    lines = {}
    for cell in cells:
        if _role(cell, "solution"):
            continue  # its imports stay where they are
        for node in code(cell.source).body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                node.names = [name for name in node.names if (name.asname or name.name.split(".")[0]) in used]
                if node.names:
                    lines[ast.unparse(node)] = None
    return list(lines)


def _names_used(tree: ast.AST) -> frozenset[str]:
    return frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))


def definition_text(source: str, node: Definition) -> str:
    """The lines of a definition at the top level of a source, its decorators included."""
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    return "\n".join(lines_of(source)[first - 1 : node.end_lineno])


def _answers(answers: dict[str, str | None]) -> str:
    lines = [f'    "{task}": "{letter}",\n' for task, letter in answers.items()]
    return "ANSWERS = {" + ("\n" + "".join(lines) if lines else "") + "}"


def _role(cell: NotebookNode, role: str) -> bool:
    return bool(cell.metadata.get("nbgrader", {}).get(role))


def _task(cell: NotebookNode) -> str:
    return cell.metadata.nbgrader.grade_id.removesuffix("_stub")
