import contextlib

import torch
import torch.nn as nn
from torch.nn.functional import cross_entropy


def repeated_tokens(batch, length, vocab, min_period, max_period, generator):
    tokens, periods = [], []
    for _ in range(batch):
        p = torch.randint(min_period, max_period + 1, (1,), generator=generator).item()
        block = torch.randint(vocab, (p,), generator=generator).tolist()
        tokens.append([block[t % p] for t in range(length)])
        periods.append(p)
    return torch.tensor(tokens), torch.tensor(periods)


class CausalHeads(nn.Module):
    def __init__(self, d, heads, length):
        super().__init__()
        self.h = heads
        self.q, self.k, self.v, self.o = [nn.Linear(d, d, bias=False) for _ in range(4)]

    def one_head(self, q, k, v):
        S = q @ k.transpose(1, 2) / q.shape[-1] ** 0.5
        S = S + torch.full_like(S, -1e9).triu(1)
        A = S.softmax(-1)
        return A, A @ v

    def forward(self, x):
        Q, K, V = [m(x).chunk(self.h, dim=-1) for m in (self.q, self.k, self.v)]
        results = [self.one_head(q, k, v) for q, k, v in zip(Q, K, V)]
        update = self.o(torch.cat([H for A, H in results], dim=-1))
        return update, torch.stack([A for A, H in results], dim=1)


def repeat_loss(logits, tokens, periods):
    rows, targets = [], []
    for b, p in enumerate(periods.tolist()):
        rows.append(logits[b, p:-1])
        targets.append(tokens[b, p + 1:])
    return cross_entropy(torch.cat(rows), torch.cat(targets))


def previous_token_score(A):
    return torch.stack([A[:, :, t, t - 1] for t in range(1, A.shape[2])]).mean(dim=(0, 1))


def induction_score(A, periods):
    shares = []
    for rows, p in zip(A, periods.tolist()):
        for t in range(p, A.shape[2]):
            shares.append(sum(rows[:, t, s] for s in range(t + 1) if (t + 1 - s) % p == 0 and s <= t - p + 1))
    return torch.stack(shares).mean(0)


class ablated:
    def __init__(self, model, layer, head):
        self.weight = model.layers[layer].o.weight
        w = self.weight.shape[1] // model.heads
        self.columns = slice(head * w, (head + 1) * w)

    def __enter__(self):
        self.before = self.weight.data[:, self.columns].clone()
        self.weight.data[:, self.columns] = 0

    def __exit__(self, *error):
        self.weight.data[:, self.columns] = self.before


def ablation_table(model, tokens, periods):
    def loss():
        logits, patterns = model(tokens)
        return repeat_loss(logits, tokens, periods).item()

    whole, table = loss(), []
    for layer in range(len(model.layers)):
        table.append([])
        for head in range(model.heads):
            with ablated(model, layer, head):
                table[-1].append(loss() - whole)
    return torch.tensor(table)
