"""Small public models for the tests of training, prediction and single steps, with the interface of the
lesson's own, forward(ids, return_attention=False), and tools to look into a model. None is a solution."""

import torch
from torch import nn
from torch.nn.functional import multi_head_attention_forward


class Bag(nn.Module):
    """The mean of the words' rows, bent, then two scores. Every word reads all words alike."""

    def __init__(self, weights):
        super().__init__()
        self.words = nn.Embedding(*weights["words.weight"].shape)
        self.layers = nn.Sequential(nn.Tanh(), nn.Linear(*weights["layers.1.weight"].T.shape))
        self.load_state_dict(weights)

    def forward(self, ids, return_attention=False):
        scores = self.layers(self.words(ids).mean(0))
        return (scores, torch.full((len(ids), len(ids)), 1 / len(ids))) if return_attention else scores


class LibraryHead(nn.Module):
    """One head as torch's own library computes it: `maps` holds its three maps below each other."""

    def __init__(self, weights):
        super().__init__()
        rows, width = weights["words.weight"].shape
        self.words, self.out = nn.Embedding(rows, width), nn.Linear(width, 2)
        self.maps = nn.Parameter(torch.empty(3 * width, width))
        self.register_buffer("plain", torch.eye(width), persistent=False)
        self.load_state_dict(weights)

    def forward(self, ids, return_attention=False):
        x = self.words(ids)[:, None]
        nothing = dict(in_proj_bias=None, bias_k=None, bias_v=None, add_zero_attn=False, dropout_p=0.0)
        mixed, A = multi_head_attention_forward(
            x, x, x, x.shape[2], 1, self.maps, out_proj_weight=self.plain, out_proj_bias=None, **nothing
        )
        scores = self.out(mixed[-1, 0])
        return (scores, A[0]) if return_attention else scores


class Two(nn.Module):
    """Two scores, the same for all sentences."""

    def __init__(self, scores):
        super().__init__()
        self.scores = nn.Parameter(scores)

    def forward(self, ids, return_attention=False):
        scores = self.scores * 1
        return (scores, torch.full((len(ids), len(ids)), 1 / len(ids))) if return_attention else scores


class Stored(nn.Module):
    """What is read and what is said are looked up: `shares` (vocab, vocab), cut to the sentence and made to
    add up to 1 in each row, and the sum of the words' rows of `scores` (vocab, 2)."""

    def __init__(self, shares, scores):
        super().__init__()
        self.shares, self.scores = nn.Parameter(shares), nn.Parameter(scores)

    def forward(self, ids, return_attention=False):
        A = self.shares[ids][:, ids]
        scores = self.scores[ids].sum(0)
        return (scores, A / A.sum(1, keepdim=True)) if return_attention else scores


class Parts(nn.Module):
    """Modules of several kinds, one within the other, a parameter of its own, and numbers that are kept but
    not learned."""

    def __init__(self, rows, width):
        super().__init__()
        inner = nn.Sequential(nn.Linear(width, 3 * width), nn.ReLU(), nn.Linear(3 * width, 5, bias=False))
        self.parts = nn.ModuleDict({"table": nn.Embedding(rows, width), "layers": inner})
        self.own = nn.Parameter(torch.zeros(2, 3, width))
        self.register_buffer("kept", torch.zeros(width, 7))


class Slopes:
    """The slope of along·model(ids) for each parameter by its name; None where a parameter is cut off."""

    def __init__(self, model):
        self.model = model

    def of(self, ids, along):
        names, parameters = zip(*self.model.named_parameters())
        slopes = torch.autograd.grad((self.model(ids) * along).sum(), parameters, allow_unused=True)
        return dict(zip(names, slopes))


class Stains:
    """Writes numbers into what a model keeps as gradients, in place where there are some."""

    def __init__(self, model):
        self.model = model

    def spread(self, number):
        for parameter in self.model.parameters():
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
            parameter.grad.fill_(number)


class Shelf:
    """Holds a result, to be looked at later."""

    def __init__(self, result):
        self.result = result

    def look(self):
        return self.result


class Chance:
    """Draws from torch's global generator."""

    def draw(self):
        return torch.rand(3)
