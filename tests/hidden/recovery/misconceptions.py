"""Wrong answers that students of this lesson give: each is known by a name and answered with a hint.

`right=fit` keeps hold of the right answer, where the mistake is to do something else with it.
"""

import torch

from autograder.grading.suite import misconception
from solutions.recovery import centred, fit, head, held_out_error, intervene, read_strength

AXIS = "The strengths are one for each feature, and a feature is a row. Along which axis do you add?"
LENGTH = "The length of a row [3 -4] is 5. What does yours come to?"
MEAN = "The loss of `fit` is a mean, over samples and over the three numbers of each. Over what is yours?"
IN_PLACE = "Look at your arguments after the call. Which line writes into one instead of making a new tensor?"
BOTH = "Compare both maps before and after a step. Which parameters does the optimizer know?"
SHARED = "Softmax ignores what all sources' scores share. Over which axis do you take that mean, and of what?"

# fit


@misconception("fit", "trains only the query map",
               hint=BOTH)
def fit_query_map_only(data, steps, seed):
    x, sources, target = data
    generator = torch.Generator().manual_seed(seed)
    Wq, Wv = ((.5 * torch.randn(9, 3, generator=generator)).requires_grad_() for _ in range(2))
    adam = torch.optim.Adam([Wq], lr=.1)
    for _ in range(steps):
        adam.zero_grad()
        loss = (head(x, sources, Wq, Wv) - target).pow(2).mean()
        loss.backward()
        adam.step()
    return Wq.detach(), Wv.detach()


@misconception("fit", "trains only the value map",
               hint=BOTH)
def fit_value_map_only(data, steps, seed):
    x, sources, target = data
    generator = torch.Generator().manual_seed(seed)
    Wq, Wv = ((.5 * torch.randn(9, 3, generator=generator)).requires_grad_() for _ in range(2))
    adam = torch.optim.Adam([Wv], lr=.1)
    for _ in range(steps):
        adam.zero_grad()
        loss = (head(x, sources, Wq, Wv) - target).pow(2).mean()
        loss.backward()
        adam.step()
    return Wq.detach(), Wv.detach()


@misconception("fit", "never clears the gradients",
               hint="What does a second backward() do to gradients that are there? Print them.")
def fit_gradients_pile_up(data, steps, seed):
    x, sources, target = data
    generator = torch.Generator().manual_seed(seed)
    Wq, Wv = ((.5 * torch.randn(9, 3, generator=generator)).requires_grad_() for _ in range(2))
    adam = torch.optim.Adam([Wq, Wv], lr=.1)
    for _ in range(steps):
        loss = (head(x, sources, Wq, Wv) - target).pow(2).mean()
        loss.backward()
        adam.step()
    return Wq.detach(), Wv.detach()


@misconception("fit", "climbs: the loss grows from step to step",
               hint="Print the loss at every step. Does it fall? Which sign does an optimizer expect?")
def fit_climbs(data, steps, seed):
    x, sources, target = data
    generator = torch.Generator().manual_seed(seed)
    Wq, Wv = ((.5 * torch.randn(9, 3, generator=generator)).requires_grad_() for _ in range(2))
    adam = torch.optim.Adam([Wq, Wv], lr=.1)
    for _ in range(steps):
        adam.zero_grad()
        loss = -(head(x, sources, Wq, Wv) - target).pow(2).mean()
        loss.backward()
        adam.step()
    return Wq.detach(), Wv.detach()


@misconception("fit", "returns the maps as they started",
               hint="Are the tensors that you return those that the optimizer changes, or copies of before?")
def fit_returns_the_start(data, steps, seed):
    x, sources, target = data
    generator = torch.Generator().manual_seed(seed)
    Wq, Wv = ((.5 * torch.randn(9, 3, generator=generator)).requires_grad_() for _ in range(2))
    adam = torch.optim.Adam([Wq, Wv], lr=.1)
    first = Wq.detach().clone(), Wv.detach().clone()
    for _ in range(steps):
        adam.zero_grad()
        loss = (head(x, sources, Wq, Wv) - target).pow(2).mean()
        loss.backward()
        adam.step()
    return first


@misconception("fit", "starts from the same maps whatever the seed",
               hint="Call it with two seeds and no steps. Where does your code use the seed?")
def fit_ignores_the_seed(data, steps, seed):
    x, sources, target = data
    generator = torch.Generator().manual_seed(0)
    Wq, Wv = ((.5 * torch.randn(9, 3, generator=generator)).requires_grad_() for _ in range(2))
    adam = torch.optim.Adam([Wq, Wv], lr=.1)
    for _ in range(steps):
        adam.zero_grad()
        loss = (head(x, sources, Wq, Wv) - target).pow(2).mean()
        loss.backward()
        adam.step()
    return Wq.detach(), Wv.detach()


@misconception("fit", "takes 200 steps whatever the number asked for",
               hint="What should come back after 0 steps? And after 1?")
def fit_ignores_the_steps(data, steps, seed):
    x, sources, target = data
    generator = torch.Generator().manual_seed(seed)
    Wq, Wv = ((.5 * torch.randn(9, 3, generator=generator)).requires_grad_() for _ in range(2))
    adam = torch.optim.Adam([Wq, Wv], lr=.1)
    for _ in range(200):
        adam.zero_grad()
        loss = (head(x, sources, Wq, Wv) - target).pow(2).mean()
        loss.backward()
        adam.step()
    return Wq.detach(), Wv.detach()


@misconception("fit", "takes one step less than asked for",
               hint="Does a single step move your maps?")
def fit_one_step_less(data, steps, seed):
    x, sources, target = data
    generator = torch.Generator().manual_seed(seed)
    Wq, Wv = ((.5 * torch.randn(9, 3, generator=generator)).requires_grad_() for _ in range(2))
    adam = torch.optim.Adam([Wq, Wv], lr=.1)
    for _ in range(1, steps):
        adam.zero_grad()
        loss = (head(x, sources, Wq, Wv) - target).pow(2).mean()
        loss.backward()
        adam.step()
    return Wq.detach(), Wv.detach()


@misconception("fit", "takes a head of its own, without the root of d_k",
               hint="Your results fit, but with another head. How much larger than in `head` are its scores?")
def fit_own_head_unscaled(data, steps, seed):
    x, sources, target = data
    generator = torch.Generator().manual_seed(seed)
    Wq, Wv = ((.5 * torch.randn(9, 3, generator=generator)).requires_grad_() for _ in range(2))
    adam = torch.optim.Adam([Wq, Wv], lr=.1)
    for _ in range(steps):
        adam.zero_grad()
        weights = torch.softmax(x @ Wq, dim=-1)
        loss = ((weights.unsqueeze(1) @ (sources @ Wv)).squeeze(1) - target).pow(2).mean()
        loss.backward()
        adam.step()
    return Wq.detach(), Wv.detach()


@misconception("fit", "compares each sample with the target of another",
               hint="Do samples and targets stay side by side? Shuffle all three in the same way, or none.")
def fit_targets_of_others(data, steps, seed):
    x, sources, target = data
    target = target.roll(1, dims=0)
    generator = torch.Generator().manual_seed(seed)
    Wq, Wv = ((.5 * torch.randn(9, 3, generator=generator)).requires_grad_() for _ in range(2))
    adam = torch.optim.Adam([Wq, Wv], lr=.1)
    for _ in range(steps):
        adam.zero_grad()
        loss = (head(x, sources, Wq, Wv) - target).pow(2).mean()
        loss.backward()
        adam.step()
    return Wq.detach(), Wv.detach()


@misconception("fit", "trains on the first few samples only",
               hint="How many samples enter your loss? Compare the error on those with that on the others.")
def fit_few_samples(data, steps, seed):
    x, sources, target = (part[:8] for part in data)
    generator = torch.Generator().manual_seed(seed)
    Wq, Wv = ((.5 * torch.randn(9, 3, generator=generator)).requires_grad_() for _ in range(2))
    adam = torch.optim.Adam([Wq, Wv], lr=.1)
    for _ in range(steps):
        adam.zero_grad()
        loss = (head(x, sources, Wq, Wv) - target).pow(2).mean()
        loss.backward()
        adam.step()
    return Wq.detach(), Wv.detach()


@misconception("fit", "pulls the maps toward zero as well (weight decay)",
               hint="Your maps come out too small. What besides the loss of the docstring does a step lower?")
def fit_pulls_to_zero(data, steps, seed):
    x, sources, target = data
    generator = torch.Generator().manual_seed(seed)
    Wq, Wv = ((.5 * torch.randn(9, 3, generator=generator)).requires_grad_() for _ in range(2))
    adam = torch.optim.Adam([Wq, Wv], lr=.1, weight_decay=.1)
    for _ in range(steps):
        adam.zero_grad()
        loss = (head(x, sources, Wq, Wv) - target).pow(2).mean()
        loss.backward()
        adam.step()
    return Wq.detach(), Wv.detach()


@misconception("fit", "returns the value map first",
               hint="Both maps are right. In which order does the docstring ask for them?")
def fit_exchanged(data, steps, seed):
    x, sources, target = data
    generator = torch.Generator().manual_seed(seed)
    Wq, Wv = ((.5 * torch.randn(9, 3, generator=generator)).requires_grad_() for _ in range(2))
    adam = torch.optim.Adam([Wq, Wv], lr=.1)
    for _ in range(steps):
        adam.zero_grad()
        loss = (head(x, sources, Wq, Wv) - target).pow(2).mean()
        loss.backward()
        adam.step()
    return Wv.detach(), Wq.detach()


@misconception("fit", "centres the samples in place",
               hint=IN_PLACE)
def fit_in_place(data, steps, seed):
    x, sources, target = data
    x -= x.mean(0)
    generator = torch.Generator().manual_seed(seed)
    Wq, Wv = ((.5 * torch.randn(9, 3, generator=generator)).requires_grad_() for _ in range(2))
    adam = torch.optim.Adam([Wq, Wv], lr=.1)
    for _ in range(steps):
        adam.zero_grad()
        loss = (head(x, sources, Wq, Wv) - target).pow(2).mean()
        loss.backward()
        adam.step()
    return Wq.detach(), Wv.detach()


# held_out_error


@misconception("held_out_error", "takes the root of the mean", hint=MEAN)
def error_with_root(Wq, Wv, data, right=held_out_error):
    return right(Wq, Wv, data) ** .5


@misconception("held_out_error", "adds up instead of taking the mean", hint=MEAN)
def error_as_sum(Wq, Wv, data):
    x, sources, target = data
    return (head(x, sources, Wq, Wv) - target).pow(2).sum().item()


@misconception("held_out_error", "adds up the coordinates and takes the mean over samples", hint=MEAN)
def error_per_sample(Wq, Wv, data, right=held_out_error):
    return 3 * right(Wq, Wv, data)


@misconception("held_out_error", "takes half of the mean", hint=MEAN)
def error_halved(Wq, Wv, data, right=held_out_error):
    return right(Wq, Wv, data) / 2


@misconception("held_out_error", "takes the mean of the absolute differences",
               hint="A difference of 4 counts 16 in the docstring. How much does it count in yours?")
def error_absolute(Wq, Wv, data):
    x, sources, target = data
    return (head(x, sources, Wq, Wv) - target).abs().mean().item()


@misconception("held_out_error", "squares the mean difference",
               hint="Differences above and below zero cancel in yours. What comes first, mean or square?")
def error_of_mean(Wq, Wv, data):
    x, sources, target = data
    return (head(x, sources, Wq, Wv) - target).mean().pow(2).item()


@misconception("held_out_error", "exchanges the two maps",
               hint="In which order does `head` take the maps?")
def error_of_exchanged_maps(Wq, Wv, data, right=held_out_error):
    return right(Wv, Wq, data)


@misconception("held_out_error", "takes the worst of all differences", hint=MEAN)
def error_at_worst(Wq, Wv, data):
    x, sources, target = data
    return (head(x, sources, Wq, Wv) - target).pow(2).max().item()


@misconception("held_out_error", "counts only the first sample", hint=MEAN)
def error_of_first(Wq, Wv, data, right=held_out_error):
    return right(Wq, Wv, tuple(part[:1] for part in data))


@misconception("held_out_error", "divides by how much the targets vary",
               hint="Is the size of the targets part of the docstring's formula?")
def error_relative(Wq, Wv, data, right=held_out_error):
    return right(Wq, Wv, data) / (data[2].pow(2).mean().item() + 1e-12)


@misconception("held_out_error", "takes a head of its own, without the root of d_k",
               hint="`head` divides scores by a root before softmax. Does yours?")
def error_unscaled(Wq, Wv, data, right=held_out_error):
    return right(Wq * 3 ** .5, Wv, data)


@misconception("held_out_error", "trains on the samples first",
               hint="What is measured are the maps as they are. Which line of yours changes them?")
def error_after_training(Wq, Wv, data):
    x, sources, target = data
    Wq, Wv = (W.detach().clone().requires_grad_() for W in (Wq, Wv))
    adam = torch.optim.Adam([Wq, Wv], lr=.1)
    for _ in range(20):
        adam.zero_grad()
        (head(x, sources, Wq, Wv) - target).pow(2).mean().backward()
        adam.step()
    return (head(x, sources, Wq, Wv) - target).pow(2).mean().item()


@misconception("held_out_error", "rounds the error away",
               hint="The errors that matter here are far below .01. How many digits does yours keep?")
def error_rounded(Wq, Wv, data, right=held_out_error):
    return round(right(Wq, Wv, data), 2)


@misconception("held_out_error", "cannot take maps that require gradients",
               hint="A tensor that requires gradients has to be detached before it becomes an array.")
def error_in_numpy(Wq, Wv, data):
    x, sources, target = data
    return ((head(x, sources, Wq, Wv) - target).numpy() ** 2).mean()


@misconception("held_out_error", "changes the samples", hint=IN_PLACE)
def error_in_place(Wq, Wv, data):
    x, sources, target = data
    target -= head(x, sources, Wq, Wv).detach()
    return target.pow(2).mean().item()


# centred


@misconception("centred", "returns the scores themselves",
               hint="Add up a row of your result. What should the total be?")
def centred_not_at_all(Wq, keys):
    return Wq @ keys.T


@misconception("centred", "takes the mean over each key's coordinates instead of over the keys", hint=SHARED)
def centred_within_keys(Wq, keys):
    return Wq @ (keys - keys.mean(dim=1, keepdim=True)).T


@misconception("centred", "takes the mean over features instead of over sources", hint=SHARED)
def centred_over_features(Wq, keys):
    scores = Wq @ keys.T
    return scores - scores.mean(dim=0)


@misconception("centred", "takes one mean over all scores", hint=SHARED)
def centred_over_everything(Wq, keys):
    scores = Wq @ keys.T
    return scores - scores.mean()


@misconception("centred", "centres the query map and leaves the keys out",
               hint="With the keys of the page that is the same. Which shape is asked for with others?")
def centred_query_map(Wq, keys):
    return Wq - Wq.mean(dim=1, keepdim=True)


@misconception("centred", "counts from the first source instead of the mean",
               hint="The first column of your result is zero. From what should the scores be counted?")
def centred_at_first(Wq, keys):
    return Wq @ (keys - keys[0]).T


@misconception("centred", "returns rows for sources and columns for features",
               hint="Which shape does the docstring ask for? Features are the rows.")
def centred_turned(Wq, keys, right=centred):
    return right(Wq, keys).T


@misconception("centred", "divides by the root of d_k",
               hint="The docstring leaves the root to softmax. Where does yours divide?")
def centred_scaled(Wq, keys, right=centred):
    return right(Wq, keys) / Wq.shape[1] ** .5


@misconception("centred", "divides by the spread of the scores as well",
               hint="Centring takes a mean away. What else does yours do to a row?")
def centred_standardized(Wq, keys, right=centred):
    result = right(Wq, keys)
    return result / result.std(dim=1, keepdim=True, correction=0).clamp(min=1e-9)


@misconception("centred", "turns scores into shares",
               hint="A share is no score: what does softmax have to do here?")
def centred_softmax(Wq, keys):
    return torch.softmax(Wq @ keys.T, dim=1)


@misconception("centred", "multiplies by the keys without turning them",
               hint="A score is a query times a key, and a key is a row. What does yours multiply?")
def centred_untransposed(Wq, keys):
    return Wq @ (keys - keys.mean(dim=0))


@misconception("centred", "adds the mean instead of taking it away", hint="Add up a row of your result.")
def centred_added(Wq, keys):
    return Wq @ (keys + keys.mean(dim=0)).T


@misconception("centred", "works in half the digits",
               hint="Try 64-bit keys that are all near 1000. Which of your lines changes the kind of number?")
def centred_in_float32(Wq, keys):
    scores = Wq.float() @ keys.float().T
    return scores - scores.mean(dim=1, keepdim=True)


@misconception("centred", "changes the keys", hint=IN_PLACE)
def centred_in_place(Wq, keys):
    keys -= keys.mean(dim=0)
    return Wq @ keys.T


# read_strength


@misconception("read_strength", "takes the length of each column", hint=AXIS)
def strength_of_columns(W):
    return W.norm(dim=0)


@misconception("read_strength", "takes one length for the whole map", hint=AXIS)
def strength_of_map(W):
    return W.norm()


@misconception("read_strength", "leaves out the root", hint=LENGTH)
def strength_squared(W):
    return W.pow(2).sum(dim=1)


@misconception("read_strength", "adds up the entries, which cancel",
               hint="A row [1 -1] is read, too. What does yours make of it?")
def strength_summed(W):
    return W.sum(dim=1)


@misconception("read_strength", "takes the size of the total of a row",
               hint="A row [1 -1] is read, too. What does yours make of it?")
def strength_of_total(W):
    return W.sum(dim=1).abs()


@misconception("read_strength", "adds up the sizes of the entries", hint=LENGTH)
def strength_of_sizes(W):
    return W.abs().sum(dim=1)


@misconception("read_strength", "takes the largest entry of each row", hint=LENGTH)
def strength_of_largest(W):
    return W.abs().amax(dim=1)


@misconception("read_strength", "takes the root of the mean of the squares", hint=LENGTH)
def strength_of_mean(W):
    return W.pow(2).mean(dim=1).sqrt()


@misconception("read_strength", "divides by the largest strength",
               hint="The strengths of a map twice as large should be twice as large. Are yours?")
def strength_relative(W, right=read_strength):
    lengths = right(W)
    return lengths / lengths.max()


@misconception("read_strength", "takes how much each row varies, instead of its length",
               hint="A row [1 1 1] has a length. Which number does yours take away first?")
def strength_of_spread(W):
    return (W - W.mean(dim=1, keepdim=True)).norm(dim=1)


@misconception("read_strength", "changes the map", hint=IN_PLACE)
def strength_in_place(W):
    W = W.detach()
    W *= W
    return W.sum(dim=1).sqrt()


@misconception("read_strength", "rounds, so that weak features seem to be ignored",
               hint="A weak feature is read, too. How many digits does yours keep?")
def strength_rounded(W, right=read_strength):
    return right(W).round(decimals=1)


# intervene


@misconception("intervene", "changes the inputs that it was given", hint=IN_PLACE)
def moved_in_place(x, feature, size):
    x[..., feature] += size
    return x


@misconception("intervene", "sets the feature instead of moving it",
               hint="What becomes of an entry .5 that is moved by 1?")
def moved_to(x, feature, size):
    x = x.clone()
    x[..., feature] = size
    return x


@misconception("intervene", "multiplies the feature instead of adding to it",
               hint="What becomes of a feature that is absent, 0, when it is moved by 1?")
def moved_by_factor(x, feature, size):
    x = x.clone()
    x[..., feature] *= size
    return x


@misconception("intervene", "moves every feature",
               hint="One entry is to move. How many of yours do?")
def moved_everywhere(x, feature, size):
    return x + size


@misconception("intervene", "counts the features from 1",
               hint="Feature 0 is the first. Which one moves in yours?")
def moved_one_before(x, feature, size, right=intervene):
    return right(x, (feature - 1) % 9, size)


@misconception("intervene", "moves the wrong way",
               hint="The entry should become larger by size. What does yours become?")
def moved_down(x, feature, size, right=intervene):
    return right(x, feature, -size)


@misconception("intervene", "moves a reader instead of a feature: the first axis for the last",
               hint="Where are the features of an input with several axes? Along the last one.")
def moved_along_the_first_axis(x, feature, size):
    x = x.clone()
    x[feature] += size
    return x


@misconception("intervene", "takes the second axis for that of the features",
               hint="Sources have three axes. Along which one are the features?")
def moved_along_the_second_axis(x, feature, size):
    x = x.clone()
    if x.dim() == 1:
        x[feature] += size
    else:
        x[:, feature] += size
    return x


@misconception("intervene", "moves the first reader only",
               hint="All the inputs are to be moved, not only the first.")
def moved_first_only(x, feature, size):
    x = x.clone()
    x.view(-1, 9)[0, feature] += size
    return x


@misconception("intervene", "returns the change instead of the changed input",
               hint="The other features of your result: are they those of x?")
def moved_change_only(x, feature, size, right=intervene):
    return right(x, feature, size) - x


@misconception("intervene", "stops at zero",
               hint="The docstring allows results below zero.")
def moved_above_zero(x, feature, size, right=intervene):
    return right(x, feature, size).where(torch.arange(9) != feature, right(x, feature, size).clamp(min=0))


@misconception("intervene", "moves only where the feature is present",
               hint="What becomes of a feature that is absent, 0, when it is moved by 1?")
def moved_where_present(x, feature, size, right=intervene):
    return torch.where(x != 0, right(x, feature, size), x)


@misconception("intervene", "keeps what it has moved for the next call",
               hint="Call it twice with the same input. Where does the first move live on?")
def moved_again_and_again(x, feature, size, kept=torch.zeros(9)):
    kept[feature] += size
    return x + kept
