"""Puts a submitted notebook back into the shape nbgrader needs, after the released one, where that is
certain."""

import copy
import hashlib
import re
from collections.abc import Iterator

from nbformat import NotebookNode

from autograder.grading.reader import is_cell_id
from autograder.script import lines_of

NAME = re.compile(r"^(?:(?:async +)?def|class) +(\w+)|^(\w+) *(?::[^=\n]+)?=(?!=)", re.MULTILINE)
FUNCTION = re.compile(r"^(?:(?:async +)?def|class) +(\w+)", re.MULTILINE)


def repair(notebook: NotebookNode, released: NotebookNode) -> tuple[NotebookNode, list[str]]:
    """A repaired copy of a clean notebook, and one line for each kind of repair.

    Every nbgrader cell of the release is looked for: by cell id, by grade_id, by equal source, and a stub
    as the one cell that defines its function. What was found gets its metadata (and, where locked, its
    source) back; a graded cell that was not found is put in where the release has it. A second repair
    changes nothing, and an honest notebook is returned as it is, without a line.
    """
    return _Repair(notebook, released).run()


def names_defined(source: str) -> set[str]:
    """The functions and classes a cell defines at its top level; magics and syntax errors do not matter."""
    return set(FUNCTION.findall(source))


class _Repair:
    def __init__(self, notebook: NotebookNode, released: NotebookNode):
        self.notebook = copy.deepcopy(notebook)
        self.cells: list[NotebookNode] = self.notebook.cells
        self.released = released
        self.wanted = [cell for cell in released.cells if "nbgrader" in cell.metadata]
        self.found: dict[str, NotebookNode] = {}  # grade_id → the cell of the submission that stands for it
        self.notes: dict[str, list[str]] = {}  # a line with a place for names → the names

    def run(self) -> tuple[NotebookNode, list[str]]:
        self._find()
        if self.wanted and not self.found:
            self._note("None of the released cells was found: is it the notebook of this lesson?")
        self._strip_strays()
        for wanted in self.wanted:
            self._restore(wanted)
        self._insert_missing()
        self._find_stubs()
        self._give_ids()
        self._restore_kernel()
        return self.notebook, [line.format(_listed(names)) for line, names in self.notes.items()]

    def _note(self, line: str, *names: str) -> None:
        known = self.notes.setdefault(line, [])
        known += [name for name in names if name not in known]

    # Finding.

    def _find(self) -> None:
        for match in (_same_id_and_name, _same_id, _same_name, _same_source):
            for wanted in self.wanted:
                if _name(wanted) not in self.found:
                    cell = next((cell for cell in self._free() if match(wanted, cell)), None)
                    self.found.update({} if cell is None else {_name(wanted): cell})

    def _find_stubs(self) -> None:
        """The last resort for stubs. It comes when everything else is in its place again, moved code
        included."""
        for wanted in self.wanted:
            is_stub = wanted.cell_type == "code" and wanted.metadata.nbgrader.get("solution")
            if is_stub and _name(wanted) not in self.found:
                candidates = list(self._defining(wanted))
                if len(candidates) == 1:
                    self.found[_name(wanted)] = candidates[0]
                    self._restore(wanted)

    def _free(self) -> Iterator[NotebookNode]:
        taken = {id(cell) for cell in self.found.values()}
        return (cell for cell in self.cells if id(cell) not in taken)

    def _defining(self, stub: NotebookNode) -> Iterator[NotebookNode]:
        """Free code cells that define the stub's function and no other stub's. A stub without a function (the
        answer to a question) is looked for only between the graded cells it stood between."""
        own = names_defined(stub.source)
        others = {name for cell in self.wanted if cell is not stub for name in names_defined(cell.source)}
        cells = self._free() if own else self._neighborhood(stub)
        for cell in cells:
            names = names_defined(cell.source) if own else names_bound(cell.source)
            if (
                cell.cell_type == "code"
                and (own or names_bound(stub.source)) <= names
                and not names & (others - own)
            ):
                yield cell

    def _neighborhood(self, stub: NotebookNode) -> Iterator[NotebookNode]:
        position = next(index for index, cell in enumerate(self.wanted) if cell is stub)
        before = [self._place(cell) for cell in self.wanted[:position]]
        after = [self._place(cell) for cell in self.wanted[position + 1 :]]
        end = min((place for place in after if place is not None), default=None)
        start = max((place for place in before if place is not None), default=-1)
        free = {id(cell) for cell in self._free()}
        segment = self.cells[start + 1 : end] if end is not None else []
        return (cell for cell in segment if id(cell) in free)

    def _place(self, wanted: NotebookNode) -> int | None:
        cell = self.found.get(_name(wanted))
        return None if cell is None else _index(self.cells, cell)

    # Restoring.

    def _strip_strays(self) -> None:
        known = {_name(cell) for cell in self.wanted}
        for cell in self._free():
            if "nbgrader" in cell.metadata:
                name = cell.metadata.pop("nbgrader").get("grade_id")
                if isinstance(name, str) and name in known:
                    self._note(
                        "These nbgrader cells were there more than once; the first one counts: {}.", name
                    )
                else:
                    self._note("nbgrader data that the released notebook does not have were taken off.")

    def _restore(self, wanted: NotebookNode) -> None:
        name, data = _name(wanted), wanted.metadata.nbgrader
        cell = self.found.get(name)
        if cell is None:
            return
        if cell.cell_type != wanted.cell_type:
            self._note("The type of these cells (code or text) was restored: {}.", name)
            _change_type(cell, wanted.cell_type)
        if cell.metadata.get("nbgrader") != data:
            self._note(_what_changed(cell.metadata.get("nbgrader"), data), name)
            cell.metadata["nbgrader"] = copy.deepcopy(data)
        if cell.source != wanted.source and _is_locked(wanted):
            self._note("The text of these locked cells was restored: {}.", name)
            self._keep_aside(wanted, cell)
            cell.source = wanted.source

    def _keep_aside(self, wanted: NotebookNode, cell: NotebookNode) -> None:
        """What a student wrote into a locked cell moves next to it: code before it, text after it."""
        lines = set(lines_of(wanted.source))
        rest = "\n".join(line for line in lines_of(cell.source) if line not in lines).strip("\n")
        if not rest.strip() or cell.cell_type == "code" and not names_bound(rest):
            return
        self._note("What was written into these locked cells was moved next to them: {}.", _name(wanted))
        kept = NotebookNode(cell_type=cell.cell_type, metadata=NotebookNode(), source=rest)
        if cell.cell_type == "code":
            kept.update(outputs=[], execution_count=None)
        kept.id = self._unused(f"{_name(wanted)}-moved")
        self.cells.insert(_index(self.cells, cell) + (cell.cell_type != "code"), kept)

    def _insert_missing(self) -> None:
        for position, wanted in enumerate(self.wanted):
            if _name(wanted) in self.found or not _is_graded(wanted):
                continue
            self._note("These deleted cells were put back: {}.", _name(wanted))
            cell = copy.deepcopy(wanted)
            cell.id = self._unused(wanted.get("id", _name(wanted)))
            self.cells.insert(self._gap(position), cell)
            self.found[_name(wanted)] = cell

    def _gap(self, position: int) -> int:
        """Where a missing cell belongs: after its nearest predecessor, else before its nearest successor."""
        for wanted in reversed(self.wanted[:position]):
            if (place := self._place(wanted)) is not None:
                return place + 1
        places = (self._place(wanted) for wanted in self.wanted[position + 1 :])
        return next((place for place in places if place is not None), len(self.cells))

    def _give_ids(self) -> None:
        """Unique cell ids. A released cell's id is for the cell that was found for it; those without one get
        it."""
        owners = {cell.id: id(self.found.get(_name(cell))) for cell in self.wanted if "id" in cell}
        taken: set[str] = set()
        without = []
        for cell in self.cells:
            if "id" not in cell or cell.id in taken or owners.get(cell.id, id(cell)) != id(cell):
                without.append(cell)
            else:
                taken.add(cell.id)
        if without:
            self._note("Cells without an id of their own were given one.")
        wishes = {owner: wish for wish, owner in owners.items()}
        for cell in without:
            cell.id = _fresh_id(wishes.get(id(cell)) or _digest(self.cells, cell), taken)
            taken.add(cell.id)

    def _unused(self, wish: str) -> str:
        return _fresh_id(wish, {cell.get("id", "") for cell in self.cells})

    def _restore_kernel(self) -> None:
        spec = self.released.metadata.get("kernelspec")
        if spec and self.notebook.metadata.get("kernelspec", {}).get("name") != spec.name:
            self._note("The notebook's kernel was set back to that of the release.")
            self.notebook.metadata["kernelspec"] = copy.deepcopy(spec)


def _name(cell: NotebookNode) -> str:
    return cell.metadata.get("nbgrader", {}).get("grade_id", "")


def _same_id(wanted: NotebookNode, cell: NotebookNode) -> bool:
    return wanted.get("id") is not None and cell.get("id") == wanted.id


def _same_name(wanted: NotebookNode, cell: NotebookNode) -> bool:
    return _name(cell) == _name(wanted)


def _same_id_and_name(wanted: NotebookNode, cell: NotebookNode) -> bool:
    return _same_id(wanted, cell) and _same_name(wanted, cell)


def _same_source(wanted: NotebookNode, cell: NotebookNode) -> bool:
    return (
        _is_locked(wanted)
        and cell.cell_type == wanted.cell_type
        and cell.source.strip() == wanted.source.strip()
    )


def _is_graded(cell: NotebookNode) -> bool:
    return bool(cell.metadata.nbgrader.get("grade") or cell.metadata.nbgrader.get("task"))


def _is_locked(cell: NotebookNode) -> bool:
    """Whether nbgrader overwrites the cell's source: a graded or locked one that holds no solution."""
    data = cell.metadata.nbgrader
    return not data.get("solution") and bool(data.get("grade") or data.get("task") or data.get("locked"))


def _what_changed(got: dict | None, data: dict) -> str:
    if not got:
        return "The nbgrader data of these cells were missing and have been restored: {}."
    if got.get("schema_version") != data.get("schema_version"):
        return "These cells were in another schema of nbgrader's and have been restored: {}."
    if got.get("points") != data.get("points"):
        return "The points of these cells had been changed and have been restored: {}."
    return "The nbgrader data of these cells had been changed and have been restored: {}."


def _change_type(cell: NotebookNode, kind: str) -> None:
    for key in ("outputs", "execution_count", "attachments"):
        cell.pop(key, None)
    cell.cell_type = kind
    if kind == "code":
        cell.update(outputs=[], execution_count=None)


def names_bound(source: str) -> set[str]:
    """Every name a cell binds at its top level by def, class or =."""
    return {function or variable for function, variable in NAME.findall(source)}


def _index(cells: list[NotebookNode], cell: NotebookNode) -> int:
    return next(index for index, other in enumerate(cells) if other is cell)


def _digest(cells: list[NotebookNode], cell: NotebookNode) -> str:
    text = f"{_index(cells, cell)}\n{cell.source}"
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _fresh_id(wish: str, taken: set[str]) -> str:
    wish = wish[:50] if is_cell_id(wish[:50]) else "cell"
    return next(name for name in _numbered(wish) if name not in taken)


def _numbered(wish: str) -> Iterator[str]:
    yield wish
    number = 2
    while True:
        yield f"{wish}-{number}"
        number += 1


def _listed(names: list[str]) -> str:
    shown = ", ".join(f"`{name}`" for name in names[:5])
    return shown if len(names) <= 5 else f"{shown} and {len(names) - 5} more"
