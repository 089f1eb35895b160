"""What happens to files: on their way through a browser, an LMS, git or a file system."""

import codecs

from broken.sample import Files, as_bytes, broken, write, written

LOGIN_PAGE = b"""<!DOCTYPE html>
<html lang="en"><head><title>Sign in to your account</title></head>
<body><form action="/login" method="post"><input name="user"><input name="password" type="password">
<button>Sign in</button></form></body></html>
"""
CONFLICT = "<<<<<<< HEAD\n{0}\n=======\n{1}\n>>>>>>> laptop"


@broken("missing--truncated-json", problem="mixing.ipynb ends in the middle, as after a broken download")
def truncated_json(notebook: dict) -> bytes:
    data = as_bytes(notebook)
    return data[: len(data) * 2 // 3]


@broken("missing--empty-file", problem="mixing.ipynb is empty: save it in Jupyter and hand it in again.")
def empty_file(_: dict) -> bytes:
    return b""


@broken("passed--byte-order-mark", problem="starts with a byte order mark (UTF-8); it was read all the same.")
def byte_order_mark(notebook: dict) -> bytes:
    return codecs.BOM_UTF8 + as_bytes(notebook)


@broken("missing--login-page", problem="is a web page, perhaps a login page: log in, download the notebook")
def login_page(_: dict) -> bytes:
    return LOGIN_PAGE


@broken(
    "missing--merge-markers-in-the-json",
    problem="holds merge-conflict markers (<<<<<<<): keep one version",
)
def merge_markers_in_the_json(notebook: dict) -> bytes:
    line = '  "name": "python3"'
    text = as_bytes(notebook).decode()
    assert line in text
    return text.replace(line, CONFLICT.format(line, '  "name": "attention"')).encode()


@broken(
    "missing-softmax--merge-markers-in-a-cell",
    problem="stopped with SyntaxError before it defined `softmax`",
    message="stopped with SyntaxError before it defined `softmax`: run that cell and mend what it says.",
)
def merge_markers_in_a_cell(notebook: dict) -> None:
    own = written(notebook, "softmax")
    write(notebook, "softmax", CONFLICT.format(own, own.replace("exponentials", "powers")))


@broken("passed--renamed-by-a-browser", problem="mixing (1).ipynb was handed in and taken as mixing.ipynb.")
def renamed_by_a_browser(notebook: dict) -> Files:
    return {"mixing (1).ipynb": as_bytes(notebook)}


@broken("passed--renamed-by-an-lms", problem="was handed in and taken as mixing.ipynb.")
def renamed_by_an_lms(notebook: dict) -> Files:
    return {"Ana Li_48213_assignsubmission_file/mixing-1.ipynb.txt": as_bytes(notebook)}


@broken(
    "passed--two-notebooks",
    problem="mixing (2).ipynb was graded, not mixing.ipynb: hand in one notebook.",
)
def two_notebooks(notebook: dict) -> Files:
    """The older one was left half done; the newest counts."""
    done = as_bytes(notebook)
    write(notebook, "softmax", "def softmax(z):\n    return z")
    write(notebook, "mix", "def mix(A, V):\n    raise NotImplementedError()")
    return {"mixing.ipynb": as_bytes(notebook), "mixing (2).ipynb": done}


@broken("passed--large-extra-files", problem="model.bin was left out: hand in at most")
def large_extra_files(notebook: dict) -> Files:
    return {
        "model.bin": bytes(9 * 1024**2),
        "frames/all.raw": bytes(12 * 1024**2),
        "notes.csv": b"1,2\n",
        "mixing.ipynb": as_bytes(notebook),
    }


@broken("passed--read-only-files", problem="has Windows line ends inside its cells", mode=0o444)
def read_only_files(notebook: dict) -> Files:
    """With something to repair, so that another file has to take its place."""
    write(notebook, "mix", written(notebook, "mix").replace("\n", "\r\n"))
    return {"data/notes.csv": b"1,2\n", "mixing.ipynb": as_bytes(notebook)}


@broken(
    "passed--unreadable-file",
    problem="mixing.ipynb could be read by nobody; it was made readable.",
    mode=0o000,
)
def unreadable_file(notebook: dict) -> None:
    """Nobody may read it, not even its owner."""


@broken(
    "passed--windows-line-ends-in-the-cells",
    problem="has Windows line ends inside its cells; they were conv",
)
def windows_line_ends_in_the_cells(notebook: dict) -> None:
    for one in notebook["cells"]:
        source = one["source"] if isinstance(one["source"], str) else "".join(one["source"])
        one["source"] = source.replace("\n", "\r\n")


@broken("passed--windows-line-ends-in-the-json")
def windows_line_ends_in_the_json(notebook: dict) -> bytes:
    """Between the tokens of JSON they mean nothing."""
    return as_bytes(notebook).replace(b"\n", b"\r\n")


NO_ANSWERS = "missing-same_weights+missing-keeps_itself+missing-unchanged_weights"


@broken(
    f"{NO_ANSWERS}--python-file-with-windows-line-ends",
    problem="mixing.py was handed in and taken as mixing.ipynb.",
    message="No answer was given.",
)
def python_file_with_windows_line_ends(notebook: dict) -> Files:
    """A file of functions answers no question."""
    return {"mixing.py": _functions(notebook).replace("\n", "\r\n").encode()}


@broken(
    f"{NO_ANSWERS}--python-file-that-fails-before-its-functions",
    problem="mixing.py was handed in and taken as mixing.ipynb.",
    message="No answer was given.",
)
def python_file_that_fails_before_its_functions(notebook: dict) -> Files:
    top = "import seaborn\nimport numpy as np\ntable = open('table.csv').read()\nprint(tabel)\n\n"
    return {"mixing.py": (top + _functions(notebook)).encode()}


def _functions(notebook: dict) -> str:
    stubs = [one["source"] for one in notebook["cells"] if one.get("id", "").endswith("_stub")]
    return "import numpy as np\n\n\n" + "\n\n\n".join(text for text in stubs if text.startswith("def "))


@broken("passed--non-ascii-names-имя-名前-größe", problem="Übung №1 – 混合.ipynb was handed in and taken as")
def non_ascii_names(notebook: dict) -> Files:
    """Of the student, the files, the variables and a helper function."""
    source = "π = np.pi\n\ndef größe(ζ):\n    return np.asarray(ζ, dtype=float)\n\n"
    source += written(notebook, "softmax").replace("np.asarray(z, dtype=float)", "größe(z) + 0 * π")
    assert "größe(z)" in source
    write(notebook, "softmax", source)
    return {"données/été.csv": "prénom\nZoë\n".encode(), "Übung №1 – 混合.ipynb": as_bytes(notebook)}
