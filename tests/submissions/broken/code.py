"""What stands in code cells: errors, magics, commands, imports, and functions written in unusual places."""

from textwrap import indent

from broken.sample import broken, cell, code_cell, insert, write, written

WRONG = "def softmax(z):\n    return np.asarray(z, dtype=float)"


@broken(
    "missing-softmax--syntax-error-in-one-cell",
    problem="stopped with SyntaxError before it defined `softmax`",
    message="stopped with SyntaxError before it defined `softmax`: run that cell and mend what it says.",
)
def syntax_error_in_one_cell(notebook: dict) -> None:
    write(notebook, "softmax", written(notebook, "softmax").replace("(axis=-1, keepdims=True))", "(axis=-1"))


@broken("passed--syntax-error-in-a-cell-of-its-own")
def syntax_error_in_a_cell_of_its_own(notebook: dict) -> None:
    insert(notebook, "softmax", code_cell("softmax([1, 2, 3]"))


@broken("passed--input-in-a-cell")
def input_in_a_cell(notebook: dict) -> None:
    insert(notebook, "softmax_stub", code_cell("name = input('Your name? ')\nprint(f'Hello {name}')"))


@broken("error-softmax--input-in-a-function", message="It said: input() is not available while grading")
def input_in_a_function(notebook: dict) -> None:
    asking = "    factor = float(input('factor? '))\n    z = np"
    write(notebook, "softmax", written(notebook, "softmax").replace("    z = np", asking))


@broken("passed--magics")
def magics(notebook: dict) -> None:
    top = "%matplotlib inline\n%load_ext autoreload\n%autoreload 2\n"
    top += "%config InlineBackend.figure_format = 'retina'\n"
    end = "\n%timeit -n1 -r1 softmax([1, 2])\n%whos"
    write(notebook, "softmax", top + written(notebook, "softmax") + end)


@broken("passed--unknown-magics")
def unknown_magics(notebook: dict) -> None:
    """Of an extension that is not there."""
    top = "%load_ext lab_black\n%nb_black\n%tensorboard --logdir runs\n"
    write(notebook, "softmax", top + written(notebook, "softmax"))


@broken("passed--shell-commands")
def shell_commands(notebook: dict) -> None:
    top = "!pip install --quiet numpy\n%pip install seaborn\nfiles = !ls\nprint(len(files))\n"
    write(notebook, "softmax", top + written(notebook, "softmax"))


@broken("passed--bash-cell")
def bash_cell(notebook: dict) -> None:
    insert(notebook, "softmax_stub", code_cell("%%bash\nls -la\nwhile true; do sleep 1; done"))


@broken("passed--timed-cell")
def timed_cell(notebook: dict) -> None:
    write(notebook, "softmax", "%%time\n" + written(notebook, "softmax"))


@broken("passed--top-level-await")
def top_level_await(notebook: dict) -> None:
    top = "import asyncio\nfirst = await asyncio.sleep(0, 'done')\n"
    write(notebook, "softmax", top + written(notebook, "softmax"))


@broken("passed--package-not-installed")
def package_not_installed(notebook: dict) -> None:
    top = "import seaborn_extras as sx\nfrom tensorflow_of_mine import keras\n\n"
    write(notebook, "softmax", top + written(notebook, "softmax"))
    insert(notebook, "softmax_stub", code_cell("import a_package_of_the_students_own"))


@broken(
    "error-mix--package-not-installed-and-used",
    message="Your code raised NameError at line 4 of its cell: `return fp.product(A, V)`.",
)
def package_not_installed_and_used(notebook: dict) -> None:
    write(notebook, "mix", "import fast_products as fp\n\ndef mix(A, V):\n    return fp.product(A, V)")


@broken("passed--top-level-code-fails-before-the-function")
def top_level_code_fails_before_the_function(notebook: dict) -> None:
    insert(notebook, "softmax_stub", code_cell("rows = load('table.csv')\nassert rows"))
    top = "test = softmax_by_hand([1, 2])\nprint(test)\n\n"
    write(notebook, "softmax", top + written(notebook, "softmax"))


@broken("passed--defined-twice-the-last-right")
def defined_twice_the_last_right(notebook: dict) -> None:
    insert(notebook, "softmax", code_cell(written(notebook, "softmax")))
    write(notebook, "softmax", WRONG)


@broken("failed-softmax--defined-twice-the-last-wrong", message="not right")
def defined_twice_the_last_wrong(notebook: dict) -> None:
    insert(notebook, "softmax", code_cell(WRONG))


@broken("passed--helpers-and-globals")
def helpers_and_globals(notebook: dict) -> None:
    helper = "AXIS, calls = -1, 0\n\ndef powers(z):\n    global calls\n    calls += 1\n"
    helper += "    return np.exp(z - z.max(axis=AXIS, keepdims=True))"
    insert(notebook, "softmax_stub", code_cell(helper))
    source = "def softmax(z):\n    e = powers(np.asarray(z, dtype=float))\n"
    write(notebook, "softmax", source + "    return e / e.sum(axis=AXIS, keepdims=True)")


@broken("passed--class-whose-object-is-called")
def class_whose_object_is_called(notebook: dict) -> None:
    method = written(notebook, "mix").replace("def mix(A, V)", "def __call__(self, A, V)")
    write(notebook, "mix", "class Mixer:\n" + indent(method, "    ") + "\n\nmix = Mixer()")


@broken(
    "failed-mix--class-instead-of-function",
    message="`mix` returned an object of some other type, which cannot be an answer.",
)
def class_instead_of_function(notebook: dict) -> None:
    source = "class mix:\n    def __init__(self, A, V):\n        self.rows = np.asarray(A) @ np.asarray(V)"
    write(notebook, "mix", source)


@broken("error-mix--wrong-signature", message="mix() missing 1 required positional argument: 'rounding'")
def wrong_signature(notebook: dict) -> None:
    write(notebook, "mix", written(notebook, "mix").replace("def mix(A, V)", "def mix(A, V, rounding)"))


@broken("passed--parameters-under-other-names")
def parameters_under_other_names(notebook: dict) -> None:
    source = "def mix(shares, rows, *, kind=float):\n    shares = np.asarray(shares, dtype=kind)\n"
    write(notebook, "mix", source + "    return shares @ np.asarray(rows, dtype=kind)")


@broken("passed--cells-run-out-of-order")
def cells_run_out_of_order(notebook: dict) -> None:
    """Worked in the student's kernel: the constant is defined below the function that needs it."""
    source = written(notebook, "mix").replace("dtype=float", "dtype=KIND")
    write(notebook, "mix", source)
    insert(notebook, "attend_stub", code_cell("KIND = float"))
    cell(notebook, "mix_stub")["execution_count"] = 99
