"""The pictures: what they show, what they say to those who cannot see them, what they cost, no traceback."""

import base64
import re
import sys
import time
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from autograder import screen, show_arrows, show_attention, show_matrices, show_presets, show_training
from autograder.drawing import (
    BLUES,
    CARD,
    INK,
    PALETTE,
    PURPLE_ORANGE,
    SOFT,
    WRONG,
    contrast,
    ink_on,
    luminance,
    shades,
    text_width,
)

THIRDS = np.full((3, 3), 1 / 3)
WORDS = "the river bank"
SVG = "{http://www.w3.org/2000/svg}"


class Picture:
    """What was displayed."""

    def __init__(self, html: str, text: str) -> None:
        self.html, self.text = html, text
        found = re.fullmatch(
            r'<img alt="([^"]*)" width="\d+" height="\d+" style="[^"]*" src="([^"]*)">', html
        )
        assert found, html
        self.alt = found[1]
        self.tree = ElementTree.fromstring(
            base64.b64decode(found[2].removeprefix("data:image/svg+xml;base64,"))
        )

    @property
    def words(self) -> list[str]:
        return [element.text or "" for element in self.tree.iter(f"{SVG}text")]

    def count(self, shape: str, **attributes: str) -> int:
        wanted = {name.replace("_", "-"): value for name, value in attributes.items()}
        return sum(wanted.items() <= element.attrib.items() for element in self.tree.iter(f"{SVG}{shape}"))


Draw = Callable[..., Picture]


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Draw:
    """drawn(show, ...) is the picture that show displays; fails where it displays none, or says a word."""

    def draw(show: Callable[..., None], *args: Any, **kwargs: Any) -> Picture:
        shown: list[Picture] = []
        monkeypatch.setattr(screen, "show", lambda html, text: shown.append(Picture(html, text)))
        assert show(*args, **kwargs) is None
        said = capsys.readouterr().out
        assert said == "" and len(shown) == 1, said
        return shown[0]

    return draw


# ── what they show ──


def test_attention_shows_numbers_labels_and_who_reads(drawn: Draw):
    picture = drawn(show_attention, [[0.2, 0.3, 0.5], [1, 0, 0], [0, 0.25, 0.75]], WORDS, title="A head")
    for word in (
        "A head",
        "the",
        "river",
        "bank",
        "0.20",
        "0.75",
        "rows: who reads",
        "columns: what is read",
    ):
        assert word in picture.words
    assert picture.alt.startswith(
        "A head. Attention weights, each row reads its columns. the reads the 0.20, river"
    )
    assert picture.text == picture.alt


def test_attention_over_other_sources(drawn: Draw):
    picture = drawn(show_attention, [[0.1, 0.9]], ["un"], sources=["one", "two"])
    assert "un reads one 0.10, two 0.90" in picture.alt


@pytest.mark.parametrize("readers", [1, 2, 3])
def test_the_name_of_the_rows_is_not_cut(drawn: Draw, readers: int):
    picture = drawn(show_attention, THIRDS[:readers], WORDS.split()[:readers], sources=WORDS)
    name = next(text for text in picture.tree.iter(f"{SVG}text") if text.text == "rows: who reads")
    middle, half = float(name.attrib["y"]), text_width(name.text, 12) / 2
    assert middle - half > 0 and middle + half < float(picture.tree.attrib["height"])


def test_weights_that_do_not_add_up_are_seen(drawn: Draw):
    picture = drawn(show_attention, [[0.5, 0.5], [0.5, 0.6]], ["a", "b"])
    assert [word for word in picture.words if "≠ 1" in word] == ["total 1.10 ≠ 1"]
    assert not [word for word in drawn(show_attention, THIRDS, WORDS).words if "≠" in word]
    assert "total 1.0020 ≠ 1" in drawn(show_attention, [[0.502, 0.5]], ["a"], ["b", "c"]).words


def test_impossible_weights_are_framed(drawn: Draw):
    picture = drawn(show_attention, [[1.5, -0.5], [np.nan, np.inf]], ["a", "b"])
    assert picture.count("rect", fill="none", stroke=WRONG) == 4
    assert {"1.50", "-0.50", "nan", "inf"} <= set(picture.words)
    assert drawn(show_attention, THIRDS, WORDS).count("rect", stroke=WRONG) == 0


def test_many_tokens_have_colors_and_a_scale_in_place_of_numbers(drawn: Draw):
    weights = np.eye(40)
    weights[0, 0] = np.nan
    picture = drawn(show_attention, weights, [f"t{i}" for i in range(40)])
    assert "1.00" not in picture.words and {"0", "1"} <= set(picture.words)
    assert picture.count("polyline", stroke=WRONG) == 2  # the nan, crossed out
    assert "t1 reads t1 most (1.00)" in picture.alt and len(picture.alt) < 1000


def test_matrices_side_by_side(drawn: Draw):
    matrices = {"X": [[1, -2], [3, 4], [0, 0]], "W": np.full((2, 2), 0.5), "v": [1.0, 2.0]}
    picture = drawn(show_matrices, matrices, rows=["a", "b", "c"], columns="left right", title="T")
    assert {"X  (3×2)", "W  (2×2)", "v  (1×2)", "-2", "0.50"} <= set(picture.words)
    assert picture.words.count("a") == 1 and picture.words.count("left") == 3
    described = "X (3×2): [[1, -2], [3, 4], [0, 0]]; W (2×2): [[0.5, 0.5], [0.5, 0.5]]; v (1×2): [[1, 2]]"
    assert picture.alt == f"T. Matrices. {described}."


def test_matrices_share_one_scale_around_zero(drawn: Draw):
    picture = drawn(show_matrices, {"a": [[-4.0]], "b": [[4.0]], "c": [[0.0]], "mask": [[True]]})
    for color in (PURPLE_ORANGE[0], PURPLE_ORANGE[-1], PURPLE_ORANGE[4]):
        assert picture.count("rect", fill=color) == 1


def test_nothing_is_minus_zero(drawn: Draw):
    assert drawn(show_matrices, {"gradient": [[-0.001, -0.5]]}).words[-2:] == ["0.00", "-0.50"]


def test_training_shows_the_curve_and_its_end(drawn: Draw):
    picture = drawn(show_training, np.linspace(2, 0.5, 300), title="Loss")
    assert picture.alt == "Loss. Loss over 300 steps: 2 first, 0.5 last, lowest 0.5."
    curve = next(line for line in picture.tree.iter(f"{SVG}polyline") if line.get("stroke") == PALETTE[0])
    heights = [float(point.split(",")[1]) for point in curve.get("points", "").split()]
    assert len(heights) == 300 and heights == sorted(heights), "a falling loss falls on the page"
    assert {"step", "loss", "300", "0.5"} <= set(picture.words)


def test_losses_that_are_not_finite_are_marked(drawn: Draw):
    picture = drawn(show_training, [1.0, 0.5, float("nan"), 0.4, float("inf")])
    assert "2 not finite, the first at step 3" in picture.words
    assert picture.count("polyline", stroke=WRONG) == 4
    assert "2 not finite" in picture.alt
    assert "3 not finite" in drawn(show_training, [float("nan")] * 3).alt


def test_arrows_point_where_the_vectors_do(drawn: Draw):
    picture = drawn(
        show_arrows, {"river": [0, 1], "bank": [0.5, 0.5], "the": [0, 0]}, axes=("finance", "water")
    )
    assert {"river", "bank", "the", "finance", "water"} <= set(picture.words)
    assert picture.count("polygon") == 2 and picture.count("circle") == 1
    assert "bank (0.5 finance, 0.5 water)" in picture.alt
    tips = [head.get("points", "").split()[0].split(",") for head in picture.tree.iter(f"{SVG}polygon")]
    (river_x, river_y), (bank_x, bank_y) = [(float(x), float(y)) for x, y in tips]
    assert bank_x > river_x and bank_y > river_y


def test_one_scale_for_both_axes(drawn: Draw):
    picture = drawn(show_arrows, {"a": [3, 0], "b": [0, 3]})
    tips = [head.get("points", "").split()[0].split(",") for head in picture.tree.iter(f"{SVG}polygon")]
    (ax, ay), (bx, by) = [(float(x), float(y)) for x, y in tips]
    assert abs((ax - bx) - (ay - by)) < 0.5


def test_an_arrow_that_is_not_finite_is_named(drawn: Draw):
    picture = drawn(show_arrows, {"lost": [np.nan, 1], "found": [1, 1]})
    assert "not finite: lost" in picture.words
    assert picture.alt.endswith("not finite: lost.")
    assert "not finite: lost" in drawn(show_arrows, {"lost": [np.nan, 1]}).words


def test_names_of_arrows_do_not_lie_on_each_other(drawn: Draw):
    picture = drawn(show_arrows, {"one": [1, 1], "two": [1, 1], "six": [1, 1]})
    names = [text for text in picture.tree.iter(f"{SVG}text") if text.text in ("one", "two", "six")]
    heights = sorted(float(text.get("y", 0)) for text in names)
    assert min(np.diff(heights)) >= 12


@pytest.mark.parametrize("side", [-1, 1])
def test_names_of_arrows_are_whole_and_on_the_card(drawn: Draw, side: int):
    names = ["bank in the river bank", "bank in the money bank"]
    picture = drawn(show_arrows, {names[0]: [0.7 * side, 1], names[1]: [side, 0.7]})
    for text in (text for text in picture.tree.iter(f"{SVG}text") if text.text in names):
        x, width = float(text.attrib["x"]), text_width(text.text)
        left = x if text.attrib["text-anchor"] == "start" else x - width
        assert 60 < left and left + width < float(picture.tree.attrib["width"])
    assert set(names) <= set(picture.words)


def test_tensors_and_lists_are_drawn_alike(drawn: Draw):
    torch = pytest.importorskip("torch")
    tensor = torch.tensor(THIRDS, requires_grad=True)
    assert drawn(show_attention, tensor, WORDS).html == drawn(show_attention, THIRDS.tolist(), WORDS).html
    losses = [torch.tensor(1.0), torch.tensor(0.5, requires_grad=True)]
    assert drawn(show_training, losses).html == drawn(show_training, [1.0, 0.5]).html


def test_any_word_is_drawn(drawn: Draw):
    words = ["<b>&\"'", "$x_1$", "\x00\x1b\ud800", "注意力机制", "a" * 90]
    picture = drawn(show_attention, np.eye(5), words, title="<i>`$\\")
    assert "<b>&\"'" in picture.words and "$x_1$" in picture.words and "<i>`$\\" in picture.words
    assert all(word.isprintable() and len(word) < 40 for word in picture.words)


# ── what cannot be drawn ──

UNUSABLE: list[tuple[Callable[..., None], tuple[Any, ...], str]] = [
    (show_attention, (None, WORDS), "A is None: look at what your function returns"),
    (
        show_attention,
        (THIRDS[:2], WORDS),
        "A has shape (2, 3), but 3 tokens that read 3 sources need shape (3, 3)",
    ),
    (show_attention, (THIRDS[0], WORDS), "A has shape (3,)"),
    (show_attention, (THIRDS[None], WORDS), "A has shape (1, 3, 3)"),
    (show_attention, (THIRDS * 1j, WORDS), "A is complex numbers"),
    (show_attention, ([[1], [1, 2]], WORDS), "A is rows of different lengths"),
    (show_attention, ("text", WORDS), "A is text"),
    (show_attention, (len, WORDS), "A is the function len itself"),
    (show_attention, (THIRDS, 3), "tokens should be a list of words"),
    (show_attention, (np.zeros((0, 0)), []), "A has shape (0, 0)"),
    (
        show_attention,
        (np.eye(51), ["w"] * 51),
        "A has shape (51, 51), too large to see: show at most 50 rows",
    ),
    (show_matrices, ({},), "give the matrices with their names"),
    (show_matrices, (THIRDS,), "give the matrices with their names"),
    (show_matrices, ({"X": None},), "X is None"),
    (show_matrices, ({"X": np.zeros((2, 2, 2))},), "X has shape (2, 2, 2), which is no matrix"),
    (show_training, ([],), "losses has shape (0,)"),
    (show_training, (None,), "losses is None"),
    (show_training, (3.0,), "losses has shape ()"),
    (show_training, (THIRDS,), "losses has shape (3, 3)"),
    (show_arrows, ({"bank": [1, 2, 3]},), "bank has shape (3,): an arrow needs two numbers"),
    (show_arrows, ([1, 2],), "give the vectors with their names"),
    (show_arrows, ({"bank": [1, 2]}, ("one",)), "axes takes two names"),
    (show_arrows, ({"bank": [1, 2]}, None), "cannot draw this"),
]


@pytest.mark.parametrize(
    "show, args, line", UNUSABLE, ids=[f"{s.__name__}-{line[:40]}" for s, _, line in UNUSABLE]
)
def test_what_cannot_be_drawn_is_one_line(
    show: Callable[..., None], args: tuple[Any, ...], line: str, capsys
):
    show(*args)
    said = capsys.readouterr().out
    assert said.startswith(f"{show.__name__}: {line}")
    assert said.count("\n") == 1


EXTREME = [0.0, -1.0, 1e300, -1e300, 5e-324, np.nan, np.inf, -np.inf]


@pytest.mark.parametrize("value", EXTREME)
@pytest.mark.parametrize("other", EXTREME)
def test_extreme_numbers_are_drawn(value: float, other: float, drawn: Draw):
    drawn(show_attention, [[value, other]], ["a"], ["b", "c"])
    drawn(show_matrices, {"M": [[value, other]]})
    drawn(show_training, [value, other])
    drawn(show_arrows, {"v": [value, other]})


# ── how it is read ──


def test_alt_text_is_escaped(drawn: Draw):
    picture = drawn(show_attention, [[1.0]], ['"><script>'])
    assert "<script>" not in picture.html


@pytest.mark.slow
def test_every_exporter_keeps_the_alt_text(drawn: Draw):
    nbformat, nbconvert = pytest.importorskip("nbformat"), pytest.importorskip("nbconvert")
    picture = drawn(show_attention, THIRDS, WORDS)
    output = nbformat.v4.new_output("display_data", {"text/html": picture.html, "text/plain": picture.text})
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("x", outputs=[output])])
    for template in ("lab", "classic"):
        page, _ = nbconvert.HTMLExporter(template_name=template).from_notebook_node(notebook)
        assert f'<img alt="{picture.alt}"' in page


def test_in_a_terminal_the_alt_text_is_printed(monkeypatch: pytest.MonkeyPatch, capsys):
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    show_training([2, 1])
    assert capsys.readouterr().out == "Loss over 2 steps: 2 first, 1 last, lowest 1.\n"


def test_contrast_is_that_of_the_standard():
    assert contrast("#000000", "#ffffff") == pytest.approx(21) and contrast("#00ff00", "#00ff00") == 1
    assert contrast("#767676", "#ffffff") == pytest.approx(
        4.54, abs=0.005
    )  # the lightest gray that passes on white


def test_the_card_is_light_and_its_text_dark(drawn: Draw):
    picture = drawn(show_attention, THIRDS, WORDS)
    assert picture.count("rect", fill=CARD, rx="6") == 1
    for ink in (INK, SOFT, WRONG):
        assert contrast(ink, CARD) >= 4.5
    for color in PALETTE:
        assert contrast(color, CARD) >= 2


def test_numbers_can_be_read_on_every_shade():
    for ramp in (BLUES, PURPLE_ORANGE):
        for fill in shades(np.linspace(0, 1, 200)[None], 0, 1, ramp)[0]:
            assert contrast(ink_on(fill), fill) >= 4.5


def test_shades_differ_in_lightness_alone_too():
    """So no kind of color blindness loses them: darker is more; around zero, darker is farther from it."""
    blues = [luminance(fill) for fill in BLUES]
    assert blues == sorted(blues, reverse=True)
    both = [luminance(fill) for fill in PURPLE_ORANGE]
    assert both[:5] == sorted(both[:5]) and both[4:] == sorted(both[4:], reverse=True)


# ── cost ──


@pytest.mark.parametrize(
    "show, args",
    [
        (show_attention, (THIRDS, WORDS)),
        (show_attention, (np.full((13, 13), 1 / 13), ["word"] * 13)),
        (show_attention, (np.random.default_rng(0).random((50, 50)), ["w"] * 50)),
        (show_matrices, ({name: np.random.default_rng(0).normal(size=(8, 6)) for name in "QKVAH"},)),
        (show_training, (np.random.default_rng(0).random(5000),)),
        (show_arrows, ({f"word {i}": [np.cos(i), np.sin(i)] for i in range(12)},)),
    ],
)
def test_a_picture_costs_at_most_40_milliseconds(show, args, drawn: Draw):
    times = []
    for _ in range(5):
        start = time.process_time()
        show(*args)
        times.append(time.process_time() - start)
    assert min(times) < 0.040


# ── presets and their controls ──

PRESETS = {"still": {"wind": 0.0, "causal": False}, "storm": {"wind": 2.0, "causal": True}}
CONTROLS = {"wind": (-4, 4), "causal": bool}


def waves(wind: float, causal: bool) -> dict[str, Any]:
    return {"height": [wind, wind + 1], "swell": [[float(causal)]]}


def test_presets_are_drawn_below_each_other(drawn: Draw):
    picture = drawn(show_presets, waves, PRESETS, CONTROLS, columns=["a", "b"], title="Waves")
    for word in ("Waves", "still", "storm", "height  (1×2)", "swell  (1×1)", "2", "3", "a", "b"):
        assert word in picture.words
    assert picture.alt.startswith("Waves. Matrices. still: height (1×2): ")
    places = {e.text: float(e.attrib["y"]) for e in picture.tree.iter(f"{SVG}text")}
    rects = list(picture.tree.iter(f"{SVG}rect"))[1:]  # without the card
    cells = [float(e.attrib["y"]) + float(e.attrib["height"]) for e in rects]
    above = [bottom for bottom in cells if bottom < places["storm"] + 30]
    assert len(above) == 3 and max(above) + 10 < places["storm"]  # the first line ends above the second


def test_presets_of_a_single_matrix_stand_side_by_side(drawn: Draw):
    picture = drawn(show_presets, lambda x: {"A": [[x]]}, {"one": {"x": 1}, "two": {"x": 2}})
    places = {e.text: (e.attrib["x"], e.attrib["y"]) for e in picture.tree.iter(f"{SVG}text")}
    assert places["one  (1×1)"][1] == places["two  (1×1)"][1] and "A  (1×1)" not in places


def test_a_long_heading_is_not_cut(drawn: Draw):
    picture = drawn(show_presets, lambda: {"a long name of a matrix": [[1.0]]}, {"only": {}})
    heading = next(e for e in picture.tree.iter(f"{SVG}text") if (e.text or "").startswith("a long"))
    assert float(heading.attrib["x"]) + text_width(heading.text) <= float(picture.tree.attrib["width"])


def test_presets_that_cannot_be_computed_are_one_line(capsys: pytest.CaptureFixture[str]):
    show_presets(lambda wind, causal: 1 / 0, PRESETS)
    show_presets(lambda wind, causal: None, PRESETS)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 and all(line.startswith("show_presets: ") for line in lines)


def test_no_controls_without_a_kernel(drawn: Draw, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "autograder.panel", None)  # to import it would raise
    drawn(show_presets, waves, PRESETS, CONTROLS)


def test_controls_follow_the_preset_and_redraw():
    from autograder.panel import Panel

    shown: list[dict[str, Any]] = []
    panel = Panel(shown.append, PRESETS, CONTROLS | {"unknown": bool})
    assert shown == [PRESETS["still"]] and set(panel.controls) == {"wind", "causal"}
    panel.buttons.value = "storm"
    assert shown[1:] == [PRESETS["storm"]]
    assert (panel.controls["wind"].value, panel.controls["causal"].value) == (2.0, True)
    panel.controls["wind"].value = 3.75
    assert shown[2:] == [{"wind": 3.75, "causal": True}] and panel.buttons.value is None
    panel.controls["wind"].value = 2.0
    assert shown[3:] == [PRESETS["storm"]] and panel.buttons.value == "storm"
    assert PRESETS["storm"] == {"wind": 2.0, "causal": True}


def test_a_number_keeps_its_color_when_a_control_moves(drawn: Draw, monkeypatch: pytest.MonkeyPatch):
    moved: list[Callable[[dict[str, Any]], None]] = []
    monkeypatch.setattr(screen, "is_live", lambda: True)
    monkeypatch.setattr("autograder.panel.show_panel", lambda draw, *_: moved.append(draw))
    drawn(show_presets, waves, PRESETS, CONTROLS)
    still, storm = (drawn(moved[0], setting) for setting in PRESETS.values())
    assert still.count("rect", fill=PURPLE_ORANGE[-1]) == 0  # its 1 is no longer the largest
    assert storm.count("rect", fill=PURPLE_ORANGE[-1]) == 1


def test_the_name_of_a_preset_is_not_cut():
    from autograder.panel import Panel

    assert Panel(lambda _: None, PRESETS, CONTROLS).buttons.style.button_width == "auto"


@pytest.mark.parametrize(
    "control, value, kind, step",
    [
        ((-4, 4), 3.75, "FloatSlider", 0.25),
        ((-4, 4, 0.1), 0.1, "FloatSlider", 0.1),
        (range(0, 9), 3, "IntSlider", 1),
        (bool, True, "Checkbox", None),
        (["identity", "swap"], "swap", "Dropdown", None),
    ],
)
def test_each_kind_of_control(control: Any, value: Any, kind: str, step: float | None):
    from autograder.panel import Panel

    widget = Panel(lambda _: None, {"one": {"x": value}}, {"x": control}).controls["x"]
    assert getattr(widget, "step", step) == step
    assert (type(widget).__name__, widget.value, widget.description) == (kind, value, "x")
