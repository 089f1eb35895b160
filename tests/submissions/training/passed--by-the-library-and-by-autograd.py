import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def encode(tokens, vocab):
    return torch.as_tensor(list(map(vocab.__getitem__, tokens)), dtype=torch.int64)


class OneHeadSense(nn.Module):
    def __init__(self, vocab_size, d=8):
        super().__init__()
        self.emb = nn.Embedding(vocab_size, d)
        self.Wq = nn.Linear(d, d, bias=False)
        self.Wk = nn.Linear(d, d, bias=False)
        self.Wv = nn.Linear(d, d, bias=False)
        self.cls = nn.Linear(d, 2, bias=True)

    def attention(self, x):
        scores = torch.einsum("id,jd->ij", self.Wq(x), self.Wk(x)) / math.sqrt(x.size(-1))
        return F.softmax(scores, dim=1)

    def forward(self, ids, return_attention=False):
        x = self.emb(ids)
        A = self.attention(x)
        context = F.scaled_dot_product_attention(self.Wq(x)[None], self.Wk(x)[None], self.Wv(x)[None])[0]
        logits = self.cls(context)[-1]
        return (logits, A) if return_attention else logits


def count_parameters(model):
    return sum(math.prod(p.size()) for p in model.parameters())


def train(model, examples, vocab, steps=300, lr=0.05):
    opt = torch.optim.Adam(list(model.parameters()), lr=lr)
    history = []

    def update(tokens, label):
        opt.zero_grad()
        loss = F.cross_entropy(model(encode(tokens, vocab)), torch.tensor(label))
        loss.backward()
        opt.step()
        return loss.detach()

    for _ in range(steps):
        history.append(torch.stack([update(*example) for example in examples]).mean().item())
    print("last loss", history[-1])
    return history


@torch.no_grad()
def predict(model, tokens, vocab):
    logits, A = model(encode(tokens, vocab), return_attention=True)
    return logits.tolist().index(max(logits.tolist())), {
        word: A[-1][[i for i, token in enumerate(tokens) if token == word]].sum().item() for word in tokens
    }


def sgd_step(model, ids, label, lr):
    opt = torch.optim.SGD(model.parameters(), lr)
    opt.zero_grad()
    loss = F.nll_loss(F.log_softmax(model(ids), -1), torch.tensor(label))
    loss.backward()
    opt.step()
    return loss.item(), {name: p.grad.clone() for name, p in model.named_parameters()}


def double(x):
    return torch.tensor(x, dtype=torch.float64) if isinstance(x, list) else torch.as_tensor(x).double()


def softmax_backward(A, dA):
    A, dA = double(A), double(dA)
    jacobians = torch.diag_embed(A) - A[:, :, None] * A[:, None, :]
    return (jacobians @ dA[:, :, None])[:, :, 0].numpy()


def head_backward(X, Wq, Wk, Wv, dH):
    parts = [double(part).clone().requires_grad_() for part in (X, Wq, Wk, Wv)]
    x, wq, wk, wv = parts
    H = torch.softmax((x @ wq) @ (x @ wk).T / math.sqrt(wq.shape[1]), dim=1) @ (x @ wv)
    return [g.numpy() for g in torch.autograd.grad((H * double(dH)).sum(), parts)]
