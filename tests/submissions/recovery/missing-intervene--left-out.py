import torch


def look(x, Wq, keys=torch.eye(3)):
    """Weights (n, m) of n readers x (n, 9) for m sources, whose keys are fixed."""
    return torch.softmax(x @ Wq @ keys.T / Wq.shape[1] ** .5, dim=-1)


def head(x, sources, Wq, Wv, keys=torch.eye(3)):
    """What the readers x (n, 9) get of their sources (n, m, 9), a mixture for each: (n, 3)."""
    return (look(x, Wq, keys).unsqueeze(1) @ (sources @ Wv)).squeeze(1)


def fit(data, steps, seed):
    x, sources, target = data
    torch.manual_seed(seed)
    Wq = (torch.randn(9, 3) * 0.5).requires_grad_()
    Wv = (torch.randn(9, 3) * 0.5).requires_grad_()
    optimizer = torch.optim.Adam([Wq, Wv], lr=0.1)
    for step in range(steps):
        loss = ((head(x, sources, Wq, Wv) - target) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return Wq, Wv


def held_out_error(Wq, Wv, data):
    x, sources, target = data
    return ((head(x, sources, Wq, Wv) - target) ** 2).mean()


def centred(Wq, keys):
    return Wq @ (keys - keys.mean(0)).T


def read_strength(W):
    return (W ** 2).sum(1).sqrt()
