"""Right answers written differently: each must get every point."""

import numpy as np
import torch

from autograder.grading.suite import variant
from solutions.recovery import head

# fit


@variant("fit", "parameters in a list, mean squared error, gradients cleared in the middle")
def fit_with_a_list(data, steps, seed):
    x, sources, target = data
    torch.manual_seed(seed)
    maps = torch.nn.ParameterList([torch.randn(9, 3) / 3 for _ in range(2)])
    optimizer = torch.optim.Adam(maps.parameters(), lr=0.08)
    for _ in range(steps):
        loss = torch.nn.functional.mse_loss(head(x, sources, *maps), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return maps[0], maps[1]


@variant("fit", "gradient descent with momentum of its own, a head of its own")
def fit_by_hand(data, steps, seed):
    x, sources, target = data
    rng = np.random.default_rng(seed)
    maps = [torch.tensor(rng.uniform(-0.5, 0.5, (9, 3)), dtype=torch.float32) for _ in range(2)]
    speeds = [torch.zeros(9, 3) for _ in range(2)]
    for _ in range(steps):
        Wq, Wv = (W.requires_grad_() for W in maps)
        weights = torch.softmax(x @ Wq / 3**0.5, dim=1)
        loss = ((torch.einsum("nm,nmv->nv", weights, sources @ Wv) - target) ** 2).mean()
        speeds = [0.9 * speed + W_grad for speed, W_grad in zip(speeds, torch.autograd.grad(loss, [Wq, Wv]))]
        maps = [(W - 0.5 * speed).detach() for W, speed in zip(maps, speeds)]
    return [maps[0], maps[1]]


@variant("fit", "batches of 64 samples, learning rate that falls")
def fit_in_batches(data, steps, seed):
    generator = torch.Generator().manual_seed(seed)
    Wv, Wq = (torch.rand(9, 3, generator=generator).sub(0.5).requires_grad_() for _ in range(2))
    optimizer = torch.optim.AdamW([Wv, Wq], lr=0.15, weight_decay=0)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, max(steps, 1), eta_min=0.01)
    for _ in range(steps):
        chosen = torch.randint(len(data[0]), (64,), generator=generator)
        x, sources, target = (part[chosen] for part in data)
        optimizer.zero_grad()
        (head(x, sources, Wq, Wv) - target).square().mean().backward()
        optimizer.step()
        schedule.step()
    return Wq.detach().clone(), Wv.detach().clone()


@variant("fit", "the gradient worked out by hand, in numpy")
def fit_in_numpy(data, steps, seed):
    x, sources, target = (part.numpy().astype(float) for part in data)
    Wq, Wv = np.random.default_rng(seed).normal(0, 0.3, (2, 9, 3))
    first, second = np.zeros((2, 9, 3)), np.zeros((2, 9, 3))
    for step in range(1, steps + 1):
        raw = np.exp(x @ Wq / np.sqrt(3))
        weights, values = raw / raw.sum(axis=1, keepdims=True), sources @ Wv
        result = np.einsum("nm,nmv->nv", weights, values)
        off = 2 * (result - target) / target.size
        d_scores = weights * (np.einsum("nmv,nv->nm", values, off) - np.sum(result * off, axis=1)[:, None])
        d_values = np.einsum("nm,nmf,nv->fv", weights, sources, off)
        gradient = np.stack([x.T @ d_scores / np.sqrt(3), d_values])
        first, second = 0.9 * first + 0.1 * gradient, 0.999 * second + 0.001 * gradient**2
        move = 0.1 * first / (1 - 0.9**step) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
        Wq, Wv = Wq - move[0], Wv - move[1]
    return torch.from_numpy(Wq), torch.from_numpy(Wv)


@variant("fit", "a few iterations of LBFGS at each step")
def fit_with_lbfgs(data, steps, seed):
    x, sources, target = data
    generator = torch.Generator().manual_seed(seed)
    Wq, Wv = (torch.randn(9, 3, generator=generator).mul(0.4).requires_grad_() for _ in range(2))
    optimizer = torch.optim.LBFGS([Wq, Wv], max_iter=2, line_search_fn="strong_wolfe")

    def closure():
        optimizer.zero_grad()
        loss = (head(x, sources, Wq, Wv) - target).pow(2).mean()
        loss.backward()
        return loss

    for _ in range(min(steps, 60)):
        optimizer.step(closure)
    return Wq, Wv


# held_out_error


@variant("held_out_error", "torch's own mean squared error, a tensor returned")
def error_of_torch(Wq, Wv, data):
    x, sources, target = data
    with torch.no_grad():
        return torch.nn.functional.mse_loss(head(x, sources, Wq, Wv), target)


@variant("held_out_error", "sample by sample, in numpy")
def error_in_loops(Wq, Wv, data):
    Wq, Wv = Wq.detach().numpy().astype(float), Wv.detach().numpy().astype(float)
    squares = []
    for x, sources, target in zip(*(part.numpy().astype(float) for part in data)):
        raw = np.exp(x @ Wq / np.sqrt(3))
        squares.extend((raw / raw.sum() @ (sources @ Wv) - target) ** 2)
    return sum(squares) / len(squares)


@variant("held_out_error", "the graph kept, mean over samples and then over coordinates")
def error_with_gradients(Wq, Wv, data):
    difference = head(data[0], data[1], Wq, Wv) - data[2]
    return (difference * difference).mean(dim=0).mean()


@variant("held_out_error", "the squared length of all differences, divided by their number")
def error_by_length(Wq, Wv, data):
    x, sources, target = data
    difference = (target - head(x, sources, Wq, Wv)).detach().flatten().double()
    return float(torch.dot(difference, difference)) / (3 * len(x))


# centred


@variant("centred", "the scores, less their means")
def centred_scores(Wq, keys):
    scores = torch.einsum("fk,mk->fm", Wq, keys).double()
    return scores - scores.mean(dim=1, keepdim=True)


@variant("centred", "the mean key scored by itself")
def centred_mean_key(Wq, keys):
    shared = Wq @ keys.mean(dim=0)
    return Wq @ keys.T - shared[:, None]


@variant("centred", "a centring matrix")
def centred_by_a_matrix(Wq, keys):
    m = len(keys)
    C = torch.eye(m, dtype=Wq.dtype) - 1 / m
    return Wq @ (C @ keys).T


@variant("centred", "loops, lists returned")
def centred_in_loops(Wq, keys):
    result = []
    for row in Wq.tolist():
        scores = [sum(a * b for a, b in zip(row, key)) for key in keys.tolist()]
        result.append([score - sum(scores) / len(scores) for score in scores])
    return result


# read_strength


@variant("read_strength", "linalg.vector_norm")
def strength_of_linalg(W):
    return torch.linalg.vector_norm(W, dim=-1)


@variant("read_strength", "the diagonal of W Wᵀ")
def strength_of_products(W):
    return (W @ W.T).diagonal().sqrt()


@variant("read_strength", "loops, a list returned")
def strength_in_loops(W):
    return [sum(entry**2 for entry in row) ** 0.5 for row in W.tolist()]


@variant("read_strength", "numpy")
def strength_in_numpy(W):
    return np.linalg.norm(W.detach().numpy(), axis=1)


# intervene


@variant("intervene", "a copy, one entry of it changed")
def moved_copy(x, feature, size):
    moved = x.clone()
    moved[..., feature] += size
    return moved


@variant("intervene", "a unit vector")
def moved_by_one_hot(x, feature, size):
    direction = torch.nn.functional.one_hot(torch.tensor(feature), 9)
    return x + direction * size


@variant("intervene", "where")
def moved_with_where(x, feature, size):
    return torch.where(torch.arange(9) == feature, x + size, x)


@variant("intervene", "the columns taken apart and put together")
def moved_by_columns(x, feature, size):
    columns = list(x.unbind(dim=-1))
    columns[feature] = columns[feature] + size
    return torch.stack(columns, dim=-1)
