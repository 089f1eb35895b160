import torch


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
    return Wq - Wq.mean(1, keepdim=True)


def read_strength(W):
    return (W ** 2).sum(1).sqrt()


def intervene(x, feature, size):
    moved = x.clone()
    moved[..., feature] += size
    return moved
