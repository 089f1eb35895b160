import numpy as np
import torch


def look(x, Wq, keys=torch.eye(3)):
    """Weights (n, m) of n readers x (n, 9) for m sources, whose keys are fixed."""
    return torch.softmax(x @ Wq @ keys.T / Wq.shape[1] ** .5, dim=-1)


def head(x, sources, Wq, Wv, keys=torch.eye(3)):
    """What the readers x (n, 9) get of their sources (n, m, 9), a mixture for each: (n, 3)."""
    return (look(x, Wq, keys).unsqueeze(1) @ (sources @ Wv)).squeeze(1)


def fit(data, steps, seed):
    x, sources, target = [np.asarray(part, dtype=float) for part in data]
    rng = np.random.default_rng(seed)
    maps = rng.normal(0, 0.3, (2, 9, 3))
    speed = np.zeros_like(maps)
    for _ in range(steps):
        scores = x @ maps[0] / np.sqrt(3)
        A = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
        V = sources @ maps[1]
        out = (A[:, :, None] * V).sum(axis=1)
        d_out = 2 * (out - target) / target.size
        d_A = (V * d_out[:, None, :]).sum(axis=2)
        d_scores = A * (d_A - (A * d_A).sum(axis=1, keepdims=True))
        d_V = A[:, :, None] * d_out[:, None, :]
        gradient = np.stack([x.T @ d_scores / np.sqrt(3), np.tensordot(sources, d_V, axes=([0, 1], [0, 1]))])
        speed = 0.9 * speed - 0.5 * gradient
        maps = maps + speed
    return torch.tensor(maps[0]), torch.tensor(maps[1])


def held_out_error(Wq, Wv, data):
    total, count = 0.0, 0
    for x, sources, target in zip(*data):
        result = head(x[None], sources[None], Wq.float(), Wv.float())[0]
        total += float(((result - target) ** 2).sum())
        count += 3
    return total / count


def centred(Wq, keys):
    scores = Wq @ keys.T
    return scores - scores.mean(1)[:, None]


def read_strength(W):
    return [float(torch.sqrt(sum(entry * entry for entry in row))) for row in W]


def intervene(x, feature, size):
    direction = torch.zeros(9)
    direction[feature] = 1
    return x + direction * size
