"""What functions return, and what they do besides."""

from broken.sample import broken, write, written

MIX = "def mix(A, V):\n    H = np.asarray(A, dtype=float) @ np.asarray(V, dtype=float)\n    return "


@broken("passed--lists")
def lists(notebook: dict) -> None:
    write(notebook, "mix", MIX + "H.tolist()")


@broken("passed--float32")
def float32(notebook: dict) -> None:
    write(notebook, "mix", MIX + "H.astype(np.float32)")


@broken("passed--whole-numbers-as-integers")
def whole_numbers_as_integers(notebook: dict) -> None:
    """Right values are right, whatever their kind."""
    write(notebook, "mix", MIX + "H.astype(int) if (H == H.round()).all() else H")


@broken("failed-mix--rounded-to-integers", message="not right")
def rounded_to_integers(notebook: dict) -> None:
    write(notebook, "mix", MIX + "H.astype(int)")


@broken("passed--torch-tensor")
def torch_tensor(notebook: dict) -> None:
    write(notebook, "mix", "import torch\n\n" + MIX + "torch.from_numpy(H).requires_grad_()")


@broken("passed--zero-dimensions-for-a-number", lesson="subspaces")
def zero_dimensions_for_a_number(notebook: dict) -> None:
    own = written(notebook, "coherence").replace("def coherence", "def _coherence")
    write(notebook, "coherence", f"{own}\n\ndef coherence(F):\n    return np.array(_coherence(F))")


@broken("failed-mix--zero-dimensions-for-a-table", message="its shape is wrong")
def zero_dimensions_for_a_table(notebook: dict) -> None:
    write(notebook, "mix", MIX + "np.array(H.sum())")


@broken("failed-mix--complex", message="complex numbers instead of real numbers")
def complex_numbers(notebook: dict) -> None:
    write(notebook, "mix", MIX + "H + 0j")


@broken("failed-mix--nan", message="it holds nan or inf")
def nan(notebook: dict) -> None:
    write(notebook, "mix", MIX + "H * np.nan")


@broken("failed-mix--none", message="is a `return` missing?")
def none(notebook: dict) -> None:
    write(notebook, "mix", MIX.replace("return ", "print(H)"))


@broken("passed--prints")
def prints(notebook: dict) -> None:
    source = 'print("called with", A, V)\n    print({"points": 99}, end="")\n    return '
    write(notebook, "mix", MIX.replace("return ", source) + "H")


@broken("passed--warns")
def warns(notebook: dict) -> None:
    source = 'import warnings\n    warnings.simplefilter("error")\n    warnings.simplefilter("always")\n'
    source += '    warnings.warn("deprecated")\n    np.log(np.zeros(1)), np.float64(1) / 0\n    return '
    write(notebook, "mix", MIX.replace("return ", source) + "H")


@broken("passed--plots")
def plots(notebook: dict) -> None:
    """Twice: into a figure that is left open, and into one that is shown."""
    figure = "    plt.figure(figsize=(2, 1))\n    plt.plot(X)\n"
    shown = f"{figure}    plt.show()\n{figure}    return "
    own = written(notebook, "add_residual").replace("    return ", shown)
    write(notebook, "add_residual", "import matplotlib.pyplot as plt\n\n" + own)


@broken("passed--keeps-state")
def keeps_state(notebook: dict) -> None:
    """A cache by value, a counter, and a file."""
    source = "mix.calls = getattr(mix, 'calls', 0) + 1\n    open('calls.txt', 'a').write('x')\n"
    source += "    return SEEN.setdefault((np.shape(A), str(A), str(V)), H).copy()"
    write(notebook, "mix", "SEEN = {}\n\n" + MIX.replace("return ", source))
