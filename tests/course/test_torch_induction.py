"""The reference solutions of the lesson on induction agree with torch's own operators and modules."""

import contextlib

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.functional import nll_loss, scaled_dot_product_attention

from solutions import induction


def agree(ours: torch.Tensor, theirs: torch.Tensor) -> None:
    torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-5)


class Twin(nn.Module):
    """The layer's weights in torch's own module."""

    def __init__(self, layer: nn.Module):
        super().__init__()
        d = layer.o.in_features
        self.own = nn.MultiheadAttention(d, layer.heads, bias=False, batch_first=True)
        stacked = torch.cat([layer.q.weight, layer.k.weight, layer.v.weight])
        self.own.load_state_dict({"in_proj_weight": stacked, "out_proj.weight": layer.o.weight})

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        future = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
        return self.own(x, x, x, attn_mask=future, average_attn_weights=False)


class Model(nn.Module):
    """Tokens through two layers, as in the lesson."""

    def __init__(self, layers: list[nn.Module], table: torch.Tensor, heads: int):
        super().__init__()
        self.heads, self.layers, self.table = heads, nn.ModuleList(layers), nn.Parameter(table)

    def forward(self, tokens: torch.Tensor) -> tuple[torch.Tensor, list[torch.Tensor]]:
        x, patterns = self.table[tokens], []
        for layer in self.layers:
            update, A = layer(x)
            x, patterns = x + update, [*patterns, A]
        return x @ self.table.T, patterns


def some_layer(d: int, heads: int, length: int) -> nn.Module:
    layer = induction.CausalHeads(d, heads, length)
    for weight in layer.parameters():
        nn.init.normal_(weight, std=1.5 / d**0.5)
    return layer


@pytest.mark.parametrize("T", [1, 2, 7])
@pytest.mark.parametrize("d, heads", [(6, 1), (6, 3), (12, 4), (5, 5)])
def test_CausalHeads(d, heads, T):
    torch.manual_seed(d + heads + T)
    layer, x = some_layer(d, heads, 7), torch.randn(3, T, d)
    update, A = layer(x)
    wanted, patterns = Twin(layer)(x)
    agree(update, wanted)
    agree(A, patterns)
    q, k, v = (part(x).view(3, T, heads, -1).transpose(1, 2) for part in (layer.q, layer.k, layer.v))
    agree(A @ v, scaled_dot_product_attention(q, k, v, is_causal=True))


def test_CausalHeads_gradients():
    torch.manual_seed(0)
    layer, x, weights = some_layer(6, 2, 5), torch.randn(2, 5, 6), torch.randn(2, 5, 6)
    twin = Twin(layer)
    for module in (layer, twin):
        (module(x)[0] * weights).sum().backward()
    parts = torch.cat([layer.q.weight.grad, layer.k.weight.grad, layer.v.weight.grad])
    agree(parts, twin.own.in_proj_weight.grad)
    agree(layer.o.weight.grad, twin.own.out_proj.weight.grad)


def test_repeat_loss():
    torch.manual_seed(1)
    tokens, periods = induction.repeated_tokens(5, 11, 6, 2, 9, torch.Generator().manual_seed(2))
    logits = torch.randn(5, 11, 6)
    targets = tokens.roll(-1, 1).clone()
    targets[:, -1] = -100
    for text, period in zip(targets, periods):
        text[:period] = -100
    wanted = nll_loss(logits.log_softmax(-1).transpose(1, 2), targets)
    agree(induction.repeat_loss(logits, tokens, periods), wanted)


def test_repeated_tokens_come_as_often_as_they_should():
    """Chi-square, of many texts; the value is exceeded once in a thousand draws."""
    tokens, periods = induction.repeated_tokens(6000, 12, 5, 3, 8, torch.Generator().manual_seed(3))
    for drawn, cells, most in ((periods - 3, 6, 20.5), (tokens[:, 0] * 5 + tokens[:, 1], 25, 51.2)):
        counts = torch.bincount(drawn, minlength=cells).double()
        assert ((counts - counts.mean()) ** 2 / counts.mean()).sum() < most
    for text, period in zip(tokens.tolist(), periods.tolist()):
        assert text[period:] == text[:-period]


def test_scores():
    A = torch.rand(3, 2, 9, 9, generator=torch.Generator().manual_seed(4)).tril()
    periods = torch.tensor([2, 4, 7])
    wanted = np.diagonal(A.numpy(), -1, 2, 3).mean(axis=(0, 2))
    agree(induction.previous_token_score(A), torch.from_numpy(wanted))
    shares = []
    for rows, period in zip(A, periods.tolist()):  # a copy of the text, cut into blocks, says what follows
        text = torch.arange(9) % period
        for t in range(period, 9):
            follows = (text[: t + 1] == (t + 1) % period) & (torch.arange(t + 1) <= t - period + 1)
            shares.append(rows[:, t, : t + 1][:, follows].sum(dim=1))
    agree(induction.induction_score(A, periods), torch.stack(shares).mean(dim=0))


@pytest.mark.parametrize("silent", [[(0, 1)], [(1, 0)], [(0, 0), (1, 2)], [(1, 1), (1, 1)]])
def test_ablated(silent):
    """Without its columns of the output map, in torch's own module."""
    torch.manual_seed(5)
    layers, table = [some_layer(6, 3, 8) for _ in range(2)], torch.randn(5, 6)
    tokens = torch.randint(5, (2, 8))
    model, twin = Model(layers, table, 3), Model([Twin(layer) for layer in layers], table, 3)
    whole = model(tokens)[0]
    for layer, head in silent:
        with torch.no_grad():
            twin.layers[layer].own.out_proj.weight[:, 2 * head : 2 * head + 2] = 0
    with contextlib.ExitStack() as stack:
        for layer, head in silent:
            stack.enter_context(induction.ablated(model, layer, head))
        agree(model(tokens)[0], twin(tokens)[0])
    assert torch.equal(model(tokens)[0], whole)


def test_ablation_table():
    torch.manual_seed(6)
    layers, table = [some_layer(6, 2, 9) for _ in range(3)], torch.randn(5, 6)
    tokens, periods = induction.repeated_tokens(4, 9, 5, 2, 4, torch.Generator().manual_seed(7))
    model, wanted = Model(layers, table, 2), torch.zeros(3, 2)
    whole = induction.repeat_loss(model(tokens)[0], tokens, periods)
    for layer in range(3):
        for head in range(2):
            twin = Model([Twin(each) for each in layers], table, 2)
            with torch.no_grad():
                twin.layers[layer].own.out_proj.weight[:, 3 * head : 3 * head + 3] = 0
                wanted[layer, head] = induction.repeat_loss(twin(tokens)[0], tokens, periods) - whole
    agree(induction.ablation_table(model, tokens, periods), wanted)
