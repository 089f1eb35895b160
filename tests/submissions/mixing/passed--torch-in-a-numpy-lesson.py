import numpy as np
import torch


def tensor(x):
    return torch.tensor(np.asarray(x), dtype=torch.float64)


def softmax(z):
    return torch.softmax(tensor(z), dim=-1)


def match_scores(X):
    X = tensor(X)
    return X @ X.T / X.shape[1] ** 0.5


def mix(A, V):
    return tensor(A) @ tensor(V)


def attend(X):
    X = tensor(X).requires_grad_()
    A = torch.softmax(X @ X.T / X.shape[1] ** 0.5, dim=-1)
    return A, A @ X


def add_residual(X, H):
    return torch.add(tensor(X), tensor(H))


def uniform_mixture(X):
    X = tensor(X)
    return X.mean(dim=0, keepdim=True).expand_as(X)


def sharpen(scores, factor):
    return softmax(factor * tensor(scores))
