"""Generated from source/recovery/recovery.py by `autograder build`: edit that instead."""

import torch


def look(x, Wq, keys=torch.eye(3)):
    """Weights (n, m) of n readers x (n, 9) for m sources, whose keys are fixed."""
    return torch.softmax(x @ Wq @ keys.T / Wq.shape[1] ** .5, dim=-1)


def head(x, sources, Wq, Wv, keys=torch.eye(3)):
    """What the readers x (n, 9) get of their sources (n, m, 9), a mixture for each: (n, 3)."""
    return (look(x, Wq, keys).unsqueeze(1) @ (sources @ Wv)).squeeze(1)


def fit(data, steps, seed):
    """Train a query map and a value map together, from a random start.

    loss = mean of (head(x, sources, Wq, Wv) - target)², over all samples and the 3 numbers of each

    data: a tuple (x, sources, target) as make_data returns it; other true maps may have made it. `head` and
    its keys stay as they are given. steps: the number of updates, from 0 upward. Each moves both maps; with 0
    they come back as they started. seed: a whole number that decides the start of both maps: the same seed
    gives the same maps again, another seed starts elsewhere, in Wq and in Wv.
    Returns the pair (Wq, Wv), both of shape (9, 3); they may require gradients.
    Start, optimizer and batches are your choice: what counts is what comes out. After 200 steps on 256
    samples, whatever the seed, with true maps whose entries lie between -2 and 2:
    - the loss on 1000 new samples is below 1e-3 (after 0 steps it is above 1e-2: a start knows nothing);
    - Wv is within .1 of the true one, in every entry;
    - centred, Wq is within .1 of the true one: each minus the means of its rows (section 4 tells why).
    A start of normal entries with standard deviation .5, and Adam with learning rate .1 on all samples at
    once, get a thousand times as close. A call must end within 3 seconds; so made, it takes about .2.
    """
    x, sources, target = data
    generator = torch.Generator().manual_seed(seed)
    Wq, Wv = (torch.randn(9, 3, generator=generator).div(2).requires_grad_() for _ in range(2))
    descent = torch.optim.Adam([Wq, Wv], lr=.1)
    for _ in range(steps):
        descent.zero_grad()
        (head(x, sources, Wq, Wv) - target).pow(2).mean().backward()
        descent.step()
    return Wq.detach(), Wv.detach()


def held_out_error(Wq, Wv, data):
    """How far two maps are off on samples: the loss of `fit`, and nothing else.

    error = mean of (head(x, sources, Wq, Wv) - target)², over all samples and the 3 numbers of each

    Wq, Wv: shape (9, 3); they may require gradients. data: a tuple (x, sources, target), of one sample or
    more, x (n, 9), sources (n, 3, 9), target (n, 3). Returns one number (or a tensor that holds one).
    """
    x, sources, target = data
    return (head(x, sources, Wq, Wv) - target).detach().pow(2).mean().item()


def centred(Wq, keys):
    """What each feature adds to the score of each source, compared with the mean of all sources.

    result = Wq (keys - k̄)ᵀ,   k̄: the mean of all keys, coordinate by coordinate;  no division by a root

    Wq: shape (9, d_k). keys: shape (m, d_k), a key per row; m and d_k from 1 upward, not only 3. Both are
    tensors, of 32-bit or 64-bit floats. Returns a tensor of shape (9, m), whose rows add up to zero: softmax
    makes the same weights of x @ result, divided by the root of d_k, as of the scores themselves.
    """
    return Wq @ (keys - keys.mean(dim=0)).T


def read_strength(W):
    """How strongly a map reads each feature: the Euclidean length of each row.

    result_f = √(W_f0² + W_f1² + ...)

    W: a tensor of shape (9, k), k from 1 upward, of 32-bit or 64-bit floats. Returns shape (9,).
    """
    return W.norm(dim=1)


def intervene(x, feature, size):
    """Move inputs along one feature: that entry of each becomes larger by `size`, all others stay.

    x: a tensor of shape (9,), (n, 9) or with still more axes in front; the features are along the last axis.
    feature: a whole number from 0 to 8. size: a number, also negative or 0; the result may be negative, too.
    Returns a new tensor of the shape of x, which stays as it was.
    """
    return x + size * torch.eye(9)[feature]


ANSWERS = {
    "five_samples": "c",
    "another_key": "a",
    "twice_as_long": "d",
}
