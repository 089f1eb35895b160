"""What happens to a notebook's structure: its format, ids, metadata, and its cells as a whole."""

import copy

from broken.sample import Broken, as_bytes, broken, cell, code_cell, insert, text_cell, write, written

NO_IDS = "Cells without an id of their own were given one."


@broken("passed--nbformat-3", problem="is in the old notebook format 3; it was read all the same.")
def nbformat_3(notebook: dict) -> bytes:
    for one in notebook["cells"]:
        del one["id"]
        if one["cell_type"] == "code":
            one |= {"input": one.pop("source"), "prompt_number": one.pop("execution_count")}
            one |= {"language": "python", "collapsed": False}
            one["outputs"] = [{"output_type": "pyout", "text": ["3"], "metadata": {}, "prompt_number": 1}]
    sheet = {"cells": notebook["cells"], "metadata": {}}
    old = {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": "mixing"}, "worksheets": [sheet]}
    return as_bytes(old)


def older(minor: int) -> Broken:
    """Formats before 4.5 have no cell ids."""

    def make(notebook: dict) -> None:
        notebook["nbformat_minor"] = minor
        cell_ids_missing.make(notebook)

    return Broken(f"passed--nbformat-4-{minor}", make, problem=NO_IDS)


@broken("passed--cell-ids-missing", problem=NO_IDS)
def cell_ids_missing(notebook: dict) -> None:
    for one in notebook["cells"]:
        del one["id"]


nbformat_4_0, nbformat_4_1, nbformat_4_2, nbformat_4_3, nbformat_4_4 = map(older, range(5))


@broken("passed--nbformat-4-5")
def nbformat_4_5(notebook: dict) -> None:
    """The format of the release: nothing is wrong with it, and nothing is said."""
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)


@broken("passed--cell-ids-duplicated", problem=NO_IDS)
def cell_ids_duplicated(notebook: dict) -> None:
    notebook["cells"][0]["id"] = notebook["cells"][1]["id"] = "softmax_stub"


@broken(
    "passed--grade-cell-duplicated",
    problem="were there more than once; the first one counts: `softmax`.",
)
def grade_cell_duplicated(notebook: dict) -> None:
    twin = copy.deepcopy(cell(notebook, "softmax"))
    insert(notebook, "mix_stub", twin, copy.deepcopy(twin) | {"id": "another"})


@broken(
    "passed--grade-cell-deleted",
    problem="These deleted cells were put back: `softmax`, `written_heatmap`.",
)
def grade_cell_deleted(notebook: dict) -> None:
    notebook["cells"] = [c for c in notebook["cells"] if c["id"] not in ("softmax", "written_heatmap")]


@broken("passed--metadata-stripped", problem="The nbgrader data of these cells were missing and have been")
def metadata_stripped(notebook: dict) -> None:
    notebook["metadata"] = {}
    for one in notebook["cells"]:
        one["metadata"] = {}


@broken("passed--schema-version-1", problem="These cells were in another schema of nbgrader's and have been")
def schema_version_1(notebook: dict) -> None:
    for one in notebook["cells"]:
        if data := one["metadata"].get("nbgrader"):
            data["schema_version"] = 1
            del data["task"], data["cell_type"]


@broken("passed--schema-version-99", problem="These cells were in another schema of nbgrader's and have been")
def schema_version_99(notebook: dict) -> None:
    for one in notebook["cells"]:
        if data := one["metadata"].get("nbgrader"):
            data |= {"schema_version": 99, "rubric": {"levels": [0, 1, 2]}}


@broken("passed--unknown-kernelspec", problem="The notebook's kernel was set back to that of the release.")
def unknown_kernelspec(notebook: dict) -> None:
    notebook["metadata"]["kernelspec"] = {
        "name": "conda-env-attention-py",
        "display_name": "Python [conda env:attention]",
    }


@broken("passed--cells-moved")
def cells_moved(notebook: dict) -> None:
    """A stub to the end, a check to the front. The lesson's own cells that call the function then fail."""
    for name, place in (("softmax_stub", len(notebook["cells"])), ("mix", 0)):
        moved = cell(notebook, name)
        notebook["cells"].remove(moved)
        notebook["cells"].insert(place, moved)


@broken(
    "passed--stub-turned-into-text",
    problem="The type of these cells (code or text) was restored: `softmax_st",
)
def stub_turned_into_text(notebook: dict) -> None:
    """As one keystroke does: the cell is still the stub."""
    stub = cell(notebook, "softmax_stub")
    del stub["outputs"], stub["execution_count"]
    stub["cell_type"] = "markdown"


@broken(
    "missing-softmax--code-in-a-text-cell",
    problem="holds `softmax` but is text: change its type to code and hand it in again.",
    message="There is no `softmax`: define it under this very name.",
)
def code_in_a_text_cell(notebook: dict) -> None:
    insert(notebook, "softmax", text_cell(written(notebook, "softmax")))
    write(notebook, "softmax", "raise NotImplementedError()")


@broken("passed--function-below-the-stub-left-in-place")
def function_below_the_stub_left_in_place(notebook: dict) -> None:
    insert(notebook, "softmax", code_cell(written(notebook, "softmax")))
    write(notebook, "softmax", "def softmax(z):\n    raise NotImplementedError()")


@broken(
    "passed--function-in-another-cell-the-stub-deleted",
    problem="missing and have been restored: `softmax_stub`",
)
def function_in_another_cell_the_stub_deleted(notebook: dict) -> None:
    insert(notebook, "mix_stub", code_cell(written(notebook, "softmax")))
    notebook["cells"].remove(cell(notebook, "softmax_stub"))
