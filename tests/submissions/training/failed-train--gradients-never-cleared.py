import numpy as np
import torch
from scipy.special import softmax
from torch import nn
from torch.nn.functional import cross_entropy


def encode(tokens, vocab):
    ids = [vocab[t] for t in tokens]
    return torch.LongTensor(ids)


class OneHeadSense(nn.Module):
    def __init__(self, vocab_size, d=8):
        super().__init__()
        self.d = d
        self.emb = nn.Embedding(vocab_size, d)
        self.Wq = nn.Linear(d, d, bias=False)
        self.Wk = nn.Linear(d, d, bias=False)
        self.Wv = nn.Linear(d, d, bias=False)
        self.cls = nn.Linear(d, 2)

    def forward(self, ids, return_attention=False):
        x = self.emb(ids)
        q, k, v = self.Wq(x), self.Wk(x), self.Wv(x)
        scores = q @ k.T / self.d ** 0.5
        A = torch.softmax(scores, dim=-1)
        mixed = A @ v
        logits = self.cls(mixed[-1])
        if return_attention:
            return logits, A
        return logits


def count_parameters(model):
    n = 0
    for p in model.parameters():
        n += p.numel()
    return n


def train(model, examples, vocab, steps=300, lr=0.05):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    losses = []
    for step in range(steps):
        epoch = []
        for tokens, label in examples:
            logits = model(encode(tokens, vocab))
            loss = cross_entropy(logits.unsqueeze(0), torch.tensor([label]))
            loss.backward()
            optimizer.step()
            epoch.append(loss.item())
        losses.append(float(np.mean(epoch)))
    return losses


def predict(model, tokens, vocab):
    logits, A = model(encode(tokens, vocab), return_attention=True)
    label = int(torch.argmax(logits))
    weights = {}
    for token, w in zip(tokens, A[-1]):
        weights[token] = weights.get(token, 0.0) + float(w)
    return label, weights


def sgd_step(model, ids, label, lr):
    model.zero_grad()
    loss = cross_entropy(model(ids).unsqueeze(0), torch.tensor([label]))
    loss.backward()
    grads = {}
    with torch.no_grad():
        for name, p in model.named_parameters():
            grads[name] = p.grad.clone()
            p -= lr * p.grad
    return loss.item(), grads


def softmax_backward(A, dA):
    A = np.array(A, dtype=float)
    dA = np.array(dA, dtype=float)
    inner = np.sum(A * dA, axis=1, keepdims=True)
    return A * (dA - inner)


def head_backward(X, Wq, Wk, Wv, dH):
    X, Wq, Wk, Wv, dH = [np.array(m, dtype=float) for m in (X, Wq, Wk, Wv, dH)]
    Q, K, V = X @ Wq, X @ Wk, X @ Wv
    scale = 1 / np.sqrt(Wq.shape[1])
    A = softmax(Q @ K.T * scale, axis=-1)
    dV = A.T @ dH
    dA = dH @ V.T
    dS = softmax_backward(A, dA) * scale
    dQ = dS @ K
    dK = dS.T @ Q
    dX = dQ @ Wq.T + dK @ Wk.T + dV @ Wv.T
    return dX, X.T @ dQ, X.T @ dK, X.T @ dV
