"""What other programs than JupyterLab make of a notebook when they save it.

Each function takes the notebook as JSON and gives the bytes of the file that its program would write. They
follow the programs' sources where these are public (VS Code's serializers, Deepnote's converter), and files
that they wrote (Colab, Kaggle).
"""

import copy
import json
from collections.abc import Callable
from typing import Any

Notebook = dict[str, Any]
Editor = Callable[[Notebook], bytes]


def jupyterlab(notebook: Notebook) -> bytes:
    """Where the lessons are written for: the release's own form, sources as lists of lines."""
    return _file(_lined(notebook))


def colab_of_an_upload(notebook: Notebook) -> bytes:
    """Colab gives ids back where a file came in format 4.5, and puts its own beside them."""
    made = _in_colab(_lined(notebook))
    return _file(made, indent=2)[:-1]  # no newline at its end


def colab_of_a_copy(notebook: Notebook) -> bytes:
    """Notebooks that Colab made itself are in format 4.0, with ids in the metadata only."""
    made = _in_colab(_lined(notebook))
    made["nbformat_minor"] = 0
    for cell in made["cells"]:
        cell["metadata"].pop("nbgrader", None)
        del cell["id"]
    return _file(made, indent=2)[:-1]


def colab_with_its_usual_cells(notebook: Notebook) -> bytes:
    """A badge on top, the installation, Drive, and a form's title over a check."""
    made = _in_colab(_lined(notebook))
    badge = {"cell_type": "markdown", "metadata": {"id": "view-in-github", "colab_type": "text"}}
    install = "!pip install --quiet attention_autograder-0.1.0-py3-none-any.whl\n%cd /content"
    drive = "from google.colab import drive\ndrive.mount('/content/drive')"
    made["cells"][:0] = [badge | {"source": ["<a href=...>Open in Colab</a>"]}, _code(install), _code(drive)]
    checks = [cell for cell in made["cells"] if "".join(cell["source"]).startswith("check(")]
    checks[0]["source"].insert(0, "# @title Check { display-mode: \"form\" }\n")
    checks[0]["metadata"]["cellView"] = "form"
    state = {"abc": {"model_name": "IntSliderModel"}}  # without the "state" that the format asks for
    made["metadata"]["widgets"] = {"application/vnd.jupyter.widget-state+json": state}
    return _file(made, indent=2)


def vs_code(notebook: Notebook) -> bytes:
    """Sorted keys, the environment's name for the kernel, and each code cell's language."""
    made = _lined(notebook)
    made["metadata"] = {
        "kernelspec": {"display_name": ".venv (3.12.4)", "language": "python", "name": "python3"},
        "language_info": {
            "codemirror_mode": {"name": "ipython", "version": 3}, "file_extension": ".py", "name": "python",
            "mimetype": "text/x-python", "nbconvert_exporter": "python", "pygments_lexer": "ipython3",
            "version": "3.12.4",
        },
    }  # fmt: skip
    for number, cell in enumerate(made["cells"], 1):
        if cell["cell_type"] == "code":
            cell["metadata"]["vscode"] = {"languageId": "python"}
            cell["execution_count"] = number
    return _file(made, sort_keys=True)


def vs_code_before_2021(notebook: Notebook) -> bytes:
    """Metadata gone from every cell that was run, ids from all, and a kernel of its own."""
    made = _lined(notebook)
    made |= {"nbformat_minor": 2}
    made["metadata"] = {
        "kernelspec": {"display_name": "Python 3.8.5 64-bit (conda)", "name": "python385jvsc74a57bd0"},
        "interpreter": {"hash": "b3ba2566441a7c06"},
        "orig_nbformat": 4,
    }
    for cell in made["cells"]:
        del cell["id"]
        if cell["cell_type"] == "code":
            cell["metadata"] = {}
    return _file(made, sort_keys=True)


def vs_code_on_windows(notebook: Notebook) -> bytes:
    """The same, in a file with Windows' ends of lines, as Git makes it."""
    return vs_code(notebook).replace(b"\n", b"\r\n")


def kaggle(notebook: Notebook) -> bytes:
    """Format 4.4 without ids, sources as one string, its own notes on each run."""
    made = copy.deepcopy(notebook)
    made |= {"nbformat_minor": 4}
    made["metadata"] = {
        "kernelspec": {"language": "python", "display_name": "Python 3", "name": "python3"},
        "kaggle": {"accelerator": "none", "dataSources": [], "isInternetEnabled": False},
    }
    for cell in made["cells"]:
        del cell["id"]
        if cell["cell_type"] == "code":
            run = {"iopub.status.busy": "2026-11-01T09:06:57.139933Z"}
            cell["metadata"] |= {"trusted": True, "execution": run, "_kg_hide-input": False}
    return _compact(made)


def deepnote(notebook: Notebook) -> bytes:
    """Blocks with metadata of their own in place of everything else, and an advertisement at the end."""
    made = copy.deepcopy(notebook)
    made |= {"nbformat_minor": 0, "metadata": {"deepnote_notebook_id": "c0ffee"}}
    for number, cell in enumerate(made["cells"]):
        block = {"cell_id": f"{number:032x}", "deepnote_cell_type": cell["cell_type"]}
        cell |= {"metadata": block, "block_group": f"{number:032x}", "outputs_reference": None}
        del cell["id"]
    ad = {"created_in_deepnote_cell": True, "deepnote_cell_type": "markdown"}
    made["cells"].append({"cell_type": "markdown", "metadata": ad, "source": "<a>Created in Deepnote</a>"})
    return _file(made, indent=2)


def jupyterlite(notebook: Notebook) -> bytes:
    """Pyodide in the browser: another kernel, all else as in JupyterLab."""
    made = _lined(notebook)
    made["metadata"]["kernelspec"] = {"name": "python", "display_name": "Python (Pyodide)"}
    for cell in made["cells"]:
        cell["metadata"]["trusted"] = True
    return _file(made, indent=4)


def classic_notebook_6(notebook: Notebook) -> bytes:
    """Format 4.4; scrolled and collapsed outputs, a table of contents, headings' slides."""
    made = _lined(notebook)
    made |= {"nbformat_minor": 4}
    made["metadata"]["toc"] = {"base_numbering": 1, "nav_menu": {}, "title_cell": "Table of Contents"}
    for cell in made["cells"]:
        del cell["id"]
        cell["metadata"] |= {"slideshow": {"slide_type": "slide"}}
        if cell["cell_type"] == "code":
            cell["metadata"] |= {"scrolled": True, "collapsed": False, "ExecuteTime": {"end_time": "…"}}
    return _file(made)


def nbstripout(notebook: Notebook) -> bytes:
    """What a filter of Git takes out: outputs, counts, metadata, and ids, which become numbers."""
    made = _lined(notebook)
    made["metadata"] = {}
    for number, cell in enumerate(made["cells"]):
        cell |= {"id": str(number), "metadata": {}}
        if cell["cell_type"] == "code":
            cell |= {"outputs": [], "execution_count": None}
    return _file(made)


def kaggle_script(notebook: Notebook) -> bytes:
    """A Python file with a mark and Kaggle's notes before each cell."""
    parts = []
    for cell in _lined(notebook)["cells"]:
        run = ' {"execution":{"iopub.status.busy":"2026-11-01T09:06:57Z"}}'
        is_code = cell["cell_type"] == "code"
        parts.append(f"# %% [code]{run}\n" if is_code else "# %% [markdown]\n# ")
        parts.append(("" if is_code else "# ").join(cell["source"]) + "\n\n")
    return "".join(parts).encode()


def nbconvert_script(notebook: Notebook) -> bytes:
    """`jupyter nbconvert --to script`, or File → Save and Export Notebook As → Executable Script."""
    parts = ["#!/usr/bin/env python\n# coding: utf-8\n\n"]
    for number, cell in enumerate(_lined(notebook)["cells"]):
        is_code = cell["cell_type"] == "code"
        parts.append(f"# In[{number}]:\n\n\n" if is_code else "# ")
        parts.append(("" if is_code else "# ").join(cell["source"]) + "\n\n\n")
    return "".join(parts).encode()


def colab_script(notebook: Notebook) -> bytes:
    """File → Download → .py: no marks, text as strings, magics as comments, commands as they are."""
    head = '# -*- coding: utf-8 -*-\n"""lesson.ipynb\n\nAutomatically generated by Colab.\n"""'
    parts = [head, "!pip install x.whl"]
    for cell in _lined(notebook)["cells"]:
        source = "".join(cell["source"])
        escaped = source.replace("\\", "\\\\")
        parts.append(source if cell["cell_type"] == "code" else f'"""{escaped}\n"""')
    parts.append("# Commented out IPython magic to ensure Python compatibility.\n# %matplotlib inline")
    return "\n\n".join(parts).encode()


SCRIPTS: list[Editor] = [kaggle_script, nbconvert_script, colab_script]
EDITORS: list[Editor] = [
    jupyterlab, colab_of_an_upload, colab_of_a_copy, colab_with_its_usual_cells, vs_code, vs_code_before_2021,
    vs_code_on_windows, kaggle, deepnote, jupyterlite, classic_notebook_6, nbstripout,
]  # fmt: skip


def _in_colab(made: Notebook) -> Notebook:
    made["metadata"] = {
        "colab": {"provenance": [], "toc_visible": True, "name": "Copy of lesson.ipynb"},
        "kernelspec": {"name": "python3", "display_name": "Python 3"},
        "language_info": {"name": "python"},
        "accelerator": "GPU",
    }
    for number, cell in enumerate(made["cells"]):
        cell["metadata"] |= {"id": f"XZEoAWh8{number:04x}"}
        if cell["cell_type"] == "code":
            base = {"base_uri": "https://localhost:8080/"}
            cell["metadata"] |= {"colab": base, "outputId": f"58365a4e-{number}"}
    return made


def _lined(notebook: Notebook) -> Notebook:
    made = copy.deepcopy(notebook)
    for cell in made["cells"]:
        cell["source"] = "".join(cell["source"]).splitlines(keepends=True)
    return made


def _code(source: str) -> Notebook:
    return {
        "cell_type": "code",
        "source": source.splitlines(keepends=True),
        "metadata": {"id": "own"},
        "execution_count": 1,
        "outputs": [],
    }


def _file(made: Notebook, indent: int = 1, sort_keys: bool = False) -> bytes:
    return (json.dumps(made, indent=indent, ensure_ascii=False, sort_keys=sort_keys) + "\n").encode()


def _compact(made: Notebook) -> bytes:
    return json.dumps(made, separators=(",", ":")).encode()
