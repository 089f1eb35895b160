import contextlib

import torch
import torch.nn as nn
import torch.nn.functional as F


def repeated_tokens(batch, length, vocab, min_period, max_period, generator):
    periods = torch.randint(min_period, max_period + 1, (batch,), generator=generator)
    tokens = torch.randint(vocab, (batch, length), generator=generator)
    for b in range(batch):
        p = int(periods[b])
        for t in range(p, length):
            tokens[b, t] = tokens[b, t - p]
    return tokens, periods


class CausalHeads(nn.Module):
    def __init__(self, d, heads, length):
        super().__init__()
        self.q = nn.Linear(d, d, bias=False)
        self.k = nn.Linear(d, d, bias=False)
        self.v = nn.Linear(d, d, bias=False)
        self.o = nn.Linear(d, d, bias=False)
        self.heads = heads
        self.w = d // heads

    def forward(self, x):
        B, T, d = x.shape
        q = self.q(x).view(B, T, self.heads, self.w).transpose(1, 2)
        k = self.k(x).view(B, T, self.heads, self.w).transpose(1, 2)
        v = self.v(x).view(B, T, self.heads, self.w).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.w ** 0.5
        future = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
        A = torch.softmax(scores.masked_fill(future, float("-inf")), dim=-1)
        H = (A @ v).transpose(1, 2).reshape(B, T, d)
        return self.o(H), A


def repeat_loss(logits, tokens, periods):
    log_probs = F.log_softmax(logits[:, :-1], dim=-1)
    losses = -log_probs.gather(2, tokens[:, 1:].unsqueeze(2)).squeeze(2)
    t = torch.arange(losses.shape[1])
    return losses[t >= periods.unsqueeze(2)].mean()


def previous_token_score(A):
    t = torch.arange(1, A.shape[-1])
    return A[:, :, t, t - 1].mean(dim=(0, 2))


def induction_score(A, periods):
    total, count = torch.zeros(A.shape[1]), 0
    for b, p in enumerate(periods.tolist()):
        for t in range(p, A.shape[-1]):
            total += A[b, :, t, list(range(t - p + 1, -1, -p))].sum(dim=-1)
            count += 1
    return total / count


@contextlib.contextmanager
def ablated(model, layer, head):
    o = model.layers[layer].o
    w = o.in_features // model.heads

    def without_head(module, inputs):
        x = inputs[0].clone()
        x[:, :, head * w:(head + 1) * w] = 0
        return x

    handle = o.register_forward_pre_hook(without_head)
    try:
        yield
    finally:
        handle.remove()


def ablation_table(model, tokens, periods):
    with torch.no_grad():
        whole = repeat_loss(model(tokens)[0], tokens, periods)
        table = torch.zeros(len(model.layers), model.heads)
        for layer in range(len(model.layers)):
            for head in range(model.heads):
                with ablated(model, layer, head):
                    table[layer, head] = repeat_loss(model(tokens)[0], tokens, periods) - whole
    return table
