"""Public modules that the suites of this lesson make in the sandbox: models whose patterns are stored, so
that a removal is judged whatever became of the student's own layer; a stack for that layer; small helpers."""

import torch
from torch import nn


class Stored(nn.Module):
    """A layer whose heads read by stored patterns (h, T, T) and hand over stored columns `values` (h, d, w)
    of what they read; `o` has the weight (d, h·w)."""

    def __init__(self, patterns, values, o):
        super().__init__()
        self.patterns, self.values = patterns, values
        self.o = linear(o)

    def forward(self, x):
        T = x.shape[1]
        parts = [A[:T, :T] @ x @ V for A, V in zip(self.patterns, self.values)]
        return self.o(torch.cat(parts, dim=-1)), self.patterns[:, :T, :T].expand(len(x), -1, -1, -1)


class Model(nn.Module):
    """tokens → (logits, [A per layer]): rows of a table, layers of any kind with residuals, a last map."""

    def __init__(self, heads, embed, place, layers, out):
        super().__init__()
        self.heads = heads
        self.embed = nn.Embedding.from_pretrained(embed, freeze=False)
        self.place = nn.Embedding.from_pretrained(place, freeze=False)
        self.layers = nn.ModuleList(layers)
        self.out = linear(out)

    def forward(self, tokens):
        x, patterns = self.embed(tokens) + self.place.weight[: tokens.shape[1]], []
        for layer in self.layers:
            update, A = layer(x)
            x = x + update
            patterns.append(A)
        return self.out(x), patterns

    def losses(self, tokens, steps, rate):
        """The loss of every next token before each of so many steps of gradient descent."""
        found = []
        for _ in range(steps):
            logits = self(tokens)[0][:, :-1]
            loss = nn.functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
            self.zero_grad()
            loss.backward()
            with torch.no_grad():
                for parameter in self.parameters():
                    parameter -= 0 if parameter.grad is None else rate * parameter.grad
            found.append(loss.item())
        return found


def linear(weight):
    """A map without bias that has this weight."""
    made = nn.Linear(weight.shape[1], weight.shape[0], bias=False)
    made.load_state_dict({"weight": weight})
    return made


def stored_model(heads, embed, place, layers, out):
    """A model of `Stored` layers, each given as (patterns, values, o)."""
    return Model(heads, embed, place, [Stored(*parts) for parts in layers], out)


def loaded(layer, weights):
    """The layer with these weights in its maps; a bias, which there should not be, is made zero."""
    for name, weight in weights.items():
        values = {"weight": weight, "bias": torch.zeros(len(weight))}
        getattr(layer, name).load_state_dict(values, strict=False)
    return layer


class Probe:
    """What a module's parameters are, and the gradients of a weighted sum of its update."""

    def __init__(self, module):
        self.module = module

    def shapes(self):
        return {name: list(parameter.shape) for name, parameter in self.module.named_parameters()}

    def trainable(self):
        return [parameter.requires_grad for parameter in self.module.parameters()]

    def gradients(self, x, weights):
        (self.module(x)[0] * weights).sum().backward()
        return {name: parameter.grad for name, parameter in self.module.named_parameters()}


class Interrupted:
    """A block that an error ends; `came_out` says whether the error got out of it."""

    def __init__(self, context):
        self.came_out = False
        try:
            with context:
                raise ArithmeticError("on purpose")
        except ArithmeticError:
            self.came_out = True


def generator(seed):
    """A generator that is used in several calls."""
    return torch.Generator().manual_seed(seed)
