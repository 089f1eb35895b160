"""Generated from source/training/training.py by `autograder build`: edit that instead."""

import numpy as np
import torch
from scipy.special import softmax
from torch import nn
from torch.nn.functional import cross_entropy


def encode(tokens, vocab):
    """The number of each token, in the order of the sentence.

    tokens: a list or tuple of n words, n from 1 upward; a word may occur twice, and then its number does.
    vocab: a dict {word: number}, in any order. Returns a LongTensor (torch.int64) of shape (n,).
    """
    return torch.tensor([vocab[token] for token in tokens])


class OneHeadSense(nn.Module):
    """One head whose last position decides between two senses.

    x = emb(ids),  q = Wq(x), k = Wk(x), v = Wv(x)     rows (n, d)
    A = softmax, along each row, of q kᵀ / √d          (n, n): every position reads all, no mask
    logits = cls(last row of A v)                      (2,): the mixture alone, no residual, no softmax

    OneHeadSense(vocab_size, d=8) has five modules, made in this order and under these names: emb, an
    nn.Embedding(vocab_size, d); Wq, Wk, Wv, each an nn.Linear(d, d) without bias; cls, an nn.Linear(d, 2)
    with its bias. The order counts: with the same seed, everybody starts from the same numbers. Nothing else
    is learned, nothing is initialized anew. Loss computed from the logits must reach all six parameters.

    forward(ids): ids a LongTensor (n,), n from 1 upward; returns the logits. With return_attention=True it
    returns the pair (logits, A).
    """

    def __init__(self, vocab_size, d=8):
        super().__init__()
        self.emb = nn.Embedding(vocab_size, d)
        self.Wq, self.Wk, self.Wv = (nn.Linear(d, d, bias=False) for _ in range(3))
        self.cls = nn.Linear(d, 2)

    def forward(self, ids, return_attention=False):
        x = self.emb(ids)
        scores = self.Wq(x) @ self.Wk(x).T / x.shape[1] ** 0.5
        A = scores.softmax(dim=1)
        logits = self.cls((A @ self.Wv(x))[-1])
        return (logits, A) if return_attention else logits


def count_parameters(model):
    """How many numbers a model learns: the entries of all its parameters, those of its parts included.

    model: any nn.Module; what it keeps besides (buffers) does not count. Returns an int.
    """
    return sum(parameter.numel() for parameter in model.parameters())


def train(model, examples, vocab, steps=300, lr=0.05):
    """Train a model in place, and tell how its loss went down.

    A step is one pass over the examples, in the order given. Each example gets an update of its own: logits
    of model(encode(tokens, vocab)), cross-entropy with the label, gradients of that loss alone (those that
    are left from before are cleared), one step of Adam. The loss of a step is the mean over the examples of
    the losses just computed, each before the update that it causes.

    model: any nn.Module that gives logits (2,) for ids (n,); all its parameters learn. examples: a list of
    pairs (tokens, label), label 0 or 1. Each call starts a torch.optim.Adam of its own with that lr and
    nothing else changed. Draws nothing at random and seeds nothing. Returns a list of `steps` floats.
    """
    update, losses = torch.optim.Adam(model.parameters(), lr=lr), []
    for _ in range(steps):
        total = 0.0
        for tokens, label in examples:
            loss = cross_entropy(model(encode(tokens, vocab)), torch.tensor(label))
            update.zero_grad()
            loss.backward()
            update.step()
            total += loss.item()
        losses.append(total / len(examples))
    return losses


def predict(model, tokens, vocab):
    """What a model says, and what its last position read.

    model: gives (logits (2,), A (n, n)) for model(ids, return_attention=True). tokens, vocab: as for encode.
    Returns the pair (label, read): label an int, 0 or 1, that of the larger logit; read a dict with an entry
    {token: weight} for each different token of the sentence, and no other: the weight in the last row of A, a
    float. Where a token occurs more than once its weights are added up. The model stays as it is.
    """
    with torch.no_grad():
        logits, A = model(encode(tokens, vocab), return_attention=True)
    read = dict.fromkeys(tokens, 0.0)
    for token, weight in zip(tokens, A[-1].tolist()):
        read[token] += weight
    return int(logits.argmax()), read


def sgd_step(model, ids, label, lr):
    """One update of all parameters from one example: θ ← θ − lr · (gradient of the loss at θ).

    model: any nn.Module that gives logits (2,) for ids (n,); every parameter takes part in them. ids: a
    LongTensor. label: 0 or 1. The loss is the cross-entropy of logits and label. Gradients that are left from
    before are cleared first. The step is plain and in place: no momentum, no decay, the same parameters.
    Returns the pair (loss, gradients): the loss before the step, a float; and a dict {name: gradient} of all
    model.named_parameters(), those that made this step, as copies that later steps do not change.
    """
    model.zero_grad(set_to_none=True)
    loss = cross_entropy(model(ids), torch.tensor(label))
    loss.backward()
    gradients = {name: parameter.grad.clone() for name, parameter in model.named_parameters()}
    with torch.no_grad():
        for parameter in model.parameters():
            parameter -= lr * parameter.grad
    return loss.item(), gradients


def softmax_backward(A, dA):
    """Gradient for the scores S, where A = softmax of S along each row.

    dS_ij = A_ij (dA_ij − Σ_k A_ik dA_ik)

    A, dA: arrays or nested lists (n, m), dA the gradient of a loss for A. Both stay as they were. Returns
    (n, m). Every row of dS adds up to 0; a row of A with a single 1 gives zeros.
    """
    A, dA = np.asarray(A, dtype=float), np.asarray(dA, dtype=float)
    return A * (dA - (A * dA).sum(axis=1, keepdims=True))


def head_backward(X, Wq, Wk, Wv, dH):
    """The gradients of a loss for all that goes into a head, from its gradient for the mixtures H.

    Q = X Wq,  K = X Wk,  V = X Wv;   A = the softmax, along each row, of Q Kᵀ / √d_k;   H = A V

    X: (n, d). Wq, Wk: (d, d_k). Wv: (d, d_v). dH: (n, d_v). Arrays or nested lists, which stay as they were.
    No mask, no biases, no residual; nothing is averaged over n. Returns (dX, dWq, dWk, dWv), each of the
    shape of what it is for; dX adds up what comes back through queries, keys and values.
    """
    X, Wq, Wk, Wv, dH = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, dH))
    Q, K, V, root = X @ Wq, X @ Wk, X @ Wv, np.sqrt(Wq.shape[1])
    A = softmax(Q @ K.T / root, axis=1)
    dS = softmax_backward(A, dH @ V.T) / root
    dQ, dK, dV = dS @ K, dS.T @ Q, A.T @ dH
    return dQ @ Wq.T + dK @ Wk.T + dV @ Wv.T, X.T @ dQ, X.T @ dK, X.T @ dV


ANSWERS = {
    "one_loss": "c",
    "what_rows_say": "b",
}
