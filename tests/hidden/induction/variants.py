"""Right answers written differently: each must get every point."""

import contextlib
import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from autograder.grading.suite import variant
from solutions.induction import ablated, repeat_loss

# repeated_tokens


@variant("repeated_tokens", "one text after the other, blocks of just the period")
def texts_one_by_one(batch, length, vocab, min_period, max_period, generator):
    texts, periods = [], []
    for _ in range(batch):
        period = int(torch.randint(min_period, max_period + 1, (1,), generator=generator))
        block = torch.randint(0, vocab, (period,), generator=generator)
        texts.append(block.repeat(length // period + 1)[:length])
        periods.append(period)
    return torch.stack(texts), torch.tensor(periods)


@variant("repeated_tokens", "rounded uniform numbers, tokens overwritten from left to right")
def texts_from_uniform_numbers(batch, length, vocab, min_period, max_period, generator):
    tokens = (torch.rand(batch, length, generator=generator, dtype=torch.float64) * vocab).long()
    span = max_period - min_period + 1
    periods = min_period + (torch.rand(batch, generator=generator, dtype=torch.float64) * span).long()
    for b, period in enumerate(periods):
        for t in range(period, length):
            tokens[b, t] = tokens[b, t - period]
    return tokens, periods


@variant("repeated_tokens", "numpy, seeded by the generator; lists and int32 returned")
def texts_by_numpy(batch, length, vocab, min_period, max_period, generator):
    rng = np.random.default_rng(int(torch.randint(2**62, (), generator=generator)))
    periods = rng.integers(min_period, max_period, batch, endpoint=True)
    texts = [np.resize(rng.integers(vocab, size=period), length).tolist() for period in periods]
    return [texts, torch.tensor(periods, dtype=torch.int32)]


@variant("repeated_tokens", "weighted draws, advanced indexing")
def texts_by_multinomial(batch, length, vocab, min_period, max_period, generator):
    chances = torch.ones(max_period - min_period + 1)
    periods = min_period + torch.multinomial(chances, batch, replacement=True, generator=generator)
    block = torch.multinomial(torch.ones(vocab), batch * max_period, replacement=True, generator=generator)
    places = torch.arange(length).repeat(batch, 1) % periods.unsqueeze(1)
    return block.view(batch, max_period)[torch.arange(batch).unsqueeze(1), places], periods


# CausalHeads


@variant("CausalHeads", "head by head, place by place, prefixes instead of a mask")
class HeadByHead(nn.Module):
    def __init__(self, d, heads, length):
        super().__init__()
        self.q = nn.Linear(d, d, bias=False)
        self.k = nn.Linear(d, d, bias=False)
        self.v = nn.Linear(d, d, bias=False)
        self.o = nn.Linear(d, d, bias=False)
        self.number, self.width = heads, d // heads

    def forward(self, x):
        T, patterns, mixtures = x.shape[1], [], []
        for i in range(self.number):
            own = slice(i * self.width, (i + 1) * self.width)
            q, k, v = self.q(x)[..., own], self.k(x)[..., own], self.v(x)[..., own]
            rows = []
            for t in range(T):
                scores = torch.einsum("bw,bsw->bs", q[:, t], k[:, : t + 1]) / math.sqrt(self.width)
                rows.append(F.pad(F.softmax(scores, dim=-1), (0, T - t - 1)))
            A = torch.stack(rows, dim=1)
            patterns.append(A)
            mixtures.append(A @ v)
        return self.o(torch.cat(mixtures, dim=-1)), torch.stack(patterns, dim=1)


@variant("CausalHeads", "einsum, the update as a sum over heads, a penalty, a mask kept with the weights")
class ByEinsum(nn.Module):
    def __init__(self, d, heads, length):
        super().__init__()
        for name in "qkvo":
            setattr(self, name, nn.Linear(d, d, bias=False))
        self.h = heads
        self.register_buffer("mask", torch.full((length, length), -1e9).triu(1))

    def forward(self, x):
        cut = {name: getattr(self, name)(x).unflatten(-1, (self.h, -1)) for name in "qkv"}
        S = torch.einsum("bthw,bshw->bhts", cut["q"], cut["k"]) * cut["q"].shape[-1] ** -0.5
        A = torch.softmax(S + self.mask[: x.shape[1], : x.shape[1]], dim=3)
        Wo = self.o.weight.unflatten(1, (self.h, -1))
        return torch.einsum("bhts,bshw,dhw->btd", A, cut["v"], Wo), A


@variant("CausalHeads", "torch's operator for the update, exponentials for the patterns")
class ByTorch(nn.Module):
    def __init__(self, d, heads, length):
        super().__init__()
        self.o, self.v, self.k, self.q = [nn.Linear(d, d, bias=False) for _ in range(4)]
        self.d, self.heads = d, heads

    def forward(self, x):
        def cut(part):
            return torch.stack(part(x).chunk(self.heads, dim=-1), dim=1)

        q, k, v = cut(self.q), cut(self.k), cut(self.v)
        mixtures = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        S = q @ k.mT / math.sqrt(self.d / self.heads)
        S = S.masked_fill(torch.ones_like(S, dtype=torch.bool).triu(1), -math.inf)
        A = torch.exp(S - S.logsumexp(-1, keepdim=True))
        return self.o(torch.cat(mixtures.unbind(1), dim=-1)), A


@variant("CausalHeads", "in double precision, a list returned")
class InDoublePrecision(nn.Module):
    def __init__(self, d, heads, length):
        nn.Module.__init__(self)
        self.q, self.k = nn.Linear(d, d, False), nn.Linear(d, d, False)
        self.v, self.o = nn.Linear(d, d, False), nn.Linear(d, d, False)
        self.w = d // heads

    def forward(self, x):
        q, k, v = (
            F.linear(x.double(), part.weight.double()).unfold(-1, self.w, self.w).movedim(2, 1)
            for part in (self.q, self.k, self.v)
        )
        allowed = torch.tril(torch.ones(x.shape[1], x.shape[1])) == 1
        A = torch.where(allowed, q @ k.transpose(-2, -1) / self.w**0.5, float("-inf")).softmax(-1)
        mixtures = (A @ v).movedim(1, 2).flatten(2)
        return [self.o(mixtures.float()), A]


# repeat_loss


@variant("repeat_loss", "a loop over texts and places")
def loss_in_loops(logits, tokens, periods):
    total, count = 0, 0
    for text, rows, period in zip(tokens, logits, periods.tolist()):
        for t in range(period, len(text) - 1):
            total = total + torch.logsumexp(rows[t], dim=0) - rows[t, text[t + 1]]
            count += 1
    return total / count


@variant("repeat_loss", "log_softmax and gather, weighted by a mask")
def loss_by_gather(logits, tokens, periods):
    T = tokens.shape[1]
    found = -F.log_softmax(logits, dim=-1)[:, :-1].gather(2, tokens[:, 1:, None]).squeeze(2)
    weights = (torch.arange(T - 1)[None] >= periods[:, None]).to(found.dtype)
    return (found * weights).sum() / weights.sum()


@variant("repeat_loss", "targets that are ignored, 64-bit floats")
def loss_with_ignored_targets(logits, tokens, periods):
    B, T, vocab = logits.shape
    targets = torch.cat([tokens[:, 1:], torch.full((B, 1), -100)], dim=1)
    for b in range(B):
        targets[b, : periods[b]] = -100
    return F.cross_entropy(logits.double().reshape(-1, vocab), targets.reshape(-1), ignore_index=-100)


# previous_token_score


@variant("previous_token_score", "a loop, a list returned")
def previous_in_loops(A):
    B, h, T, _ = A.shape
    pairs = [(b, t) for b in range(B) for t in range(1, T)]
    return [sum(float(A[b, i, t, t - 1]) for b, t in pairs) / len(pairs) for i in range(h)]


@variant("previous_token_score", "indices side by side")
def previous_by_indices(A):
    t = torch.arange(1, A.shape[2])
    return A[:, :, t, t - 1].mean(-1).mean(0)


@variant("previous_token_score", "the trace of a shifted pattern, in numpy")
def previous_by_numpy(A):
    below = np.asarray(A)[:, :, 1:, :-1]
    return np.trace(below, axis1=2, axis2=3).mean(axis=0) / below.shape[2]


# induction_score


@variant("induction_score", "a loop over texts, places and copies")
def induction_in_loops(A, periods):
    shares = []
    for rows, period in zip(A, periods.tolist()):
        for t in range(period, A.shape[2]):
            share, k = torch.zeros(A.shape[1]), 1
            while t - k * period + 1 >= 0:
                share = share + rows[:, t, t - k * period + 1]
                k += 1
            shares.append(share)
    return torch.stack(shares).mean(dim=0)


@variant("induction_score", "diagonals, period by period")
def induction_by_diagonals(A, periods):
    T, total, count = A.shape[-1], torch.zeros(A.shape[1]), 0
    for b in range(len(A)):
        p = int(periods[b])
        for back in range(p - 1, T, p):
            line = torch.diagonal(A[b], offset=-back, dim1=1, dim2=2)  # t from `back` upward
            total += line[:, max(0, p - back):].sum(dim=1)
        count += max(0, T - p)
    return (total / count).tolist()


@variant("induction_score", "a matrix of weights and einsum, in double precision")
def induction_by_einsum(A, periods):
    T = A.shape[-1]
    t, s = torch.meshgrid(torch.arange(T), torch.arange(T), indexing="ij")
    weights = torch.stack([((t + 1 - s) % p == 0) & (s <= t - p + 1) & (t >= p) for p in periods]).double()
    places = (T - periods).clamp(min=0).sum()
    return torch.einsum("bhts,bts->h", A.double(), weights) / places


# ablated: each gives a context, made without a decorator


@variant("ablated", "columns of o set to zero, and copied back")
def by_columns(model, layer, head):
    def context():
        weight = model.layers[layer].o.weight
        w = weight.shape[1] // model.heads
        own = weight[:, head * w : (head + 1) * w]
        before = own.detach().clone()
        try:
            with torch.no_grad():
                own.zero_()
            yield model
        finally:
            with torch.no_grad():
                weight[:, head * w : (head + 1) * w] = before

    return contextlib.contextmanager(context)()


@variant("ablated", "a class with __enter__ and __exit__, a factor for each column")
class Ablated:
    def __init__(self, model, layer, head):
        self.model, self.o = model, model.layers[layer].o
        self.keep = torch.ones(model.heads, self.o.in_features // model.heads)
        self.keep[head] = 0

    def __enter__(self):
        self.hook = self.o.register_forward_pre_hook(lambda _, args: (args[0] * self.keep.flatten(),))
        return self.model

    def __exit__(self, *error):
        self.hook.remove()
        return False


@variant("ablated", "another forward for o, and the old one back")
def by_forward(model, layer, head):
    def context():
        o = model.layers[layer].o
        old = o.__dict__.get("forward")
        known, w = o.forward, o.in_features // model.heads
        before, after = head * w, (head + 1) * w
        o.forward = lambda x: known(torch.cat([x[..., :before], 0 * x[..., :w], x[..., after:]], -1))
        try:
            yield
        finally:
            if old is None:
                del o.forward
            else:
                o.forward = old

    return contextlib.contextmanager(context)()


@variant("ablated", "the parameter exchanged for another, and put back")
def by_parameter(model, layer, head):
    def context():
        o = model.layers[layer].o
        before = o.weight
        less = before.detach().clone().unflatten(1, (model.heads, -1))
        less[:, head] = 0
        o.weight = nn.Parameter(less.flatten(1))
        try:
            yield model
        finally:
            o.weight = before

    return contextlib.contextmanager(context)()


# ablation_table


@variant("ablation_table", "a list of lists of numbers")
def table_in_lists(model, tokens, periods):
    def loss():
        return float(repeat_loss(model(tokens)[0], tokens, periods))

    whole, rows = loss(), []
    for layer in range(len(model.layers)):
        row = []
        for head in range(model.heads):
            with ablated(model, layer, head):
                row.append(loss() - whole)
        rows.append(row)
    return rows


@variant("ablation_table", "stacked losses with gradients, reshaped")
def table_stacked(model, tokens, periods):
    found = []
    for number in range(len(model.layers) * model.heads):
        with ablated(model, number // model.heads, number % model.heads):
            logits, _ = model(tokens)
        found.append(repeat_loss(logits, tokens, periods))
    whole = repeat_loss(model(tokens)[0], tokens, periods)
    return torch.stack(found).reshape(len(model.layers), model.heads) - whole


@variant("ablation_table", "a numpy array, the layers last to first")
def table_by_numpy(model, tokens, periods):
    table = np.empty((len(model.layers), model.heads))
    with torch.inference_mode():
        whole = repeat_loss(model(tokens)[0], tokens, periods).item()
        for layer in reversed(range(len(table))):
            for head in range(table.shape[1]):
                with ablated(model, layer, head):
                    table[layer, head] = repeat_loss(model(tokens)[0], tokens, periods).item() - whole
    return table
