"""What several suites of this lesson share: weights to start from, and training in plain formulas."""

from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from autograder.grading.misconceptions import load

VOCAB = {"the": 0, "river": 1, "money": 2, "bank": 3}
SENTENCES = [(["the", "river", "bank"], 0), (["the", "money", "bank"], 1),
             (["river", "bank"], 0), (["money", "bank"], 1)]
given = load(Path(__file__).with_name("given.py"))


class Trainer:
    """Models of given.py, trained in plain formulas: Adam as it was published, no optimizer of torch's."""

    vocab, sentences = VOCAB, SENTENCES

    def weights(self, rng, rows=4, width=3):
        """Some weights for a Bag, large enough to learn from."""
        shapes = {"words.weight": (rows, width), "layers.1.weight": (2, width), "layers.1.bias": (2,)}
        return {name: torch.tensor(rng.uniform(-1, 1, shape), dtype=torch.float32)
                for name, shape in shapes.items()}

    def seeded(self, seed, rows=4, width=8):
        """What a table, three maps and a classifier start from, made in this order after a seed: the weights
        of a LibraryHead. Nobody's generator is moved."""
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            table, *maps = nn.Embedding(rows, width), *(nn.Linear(width, width, bias=False) for _ in "qkv")
            out = nn.Linear(width, 2)
        stacked = torch.cat([each.weight.detach() for each in maps])
        return {"words.weight": table.weight.detach(), "maps": stacked,
                "out.weight": out.weight.detach(), "out.bias": out.bias.detach()}

    def slopes(self, model, ids, label):
        """The loss −log p(label) of a model of ours, and its gradient for each parameter, by name."""
        names, parameters = zip(*model.named_parameters())
        scores = model(torch.as_tensor(ids)).double()
        loss = torch.logsumexp(scores, 0) - scores[label]
        return loss.item(), dict(zip(names, torch.autograd.grad(loss, parameters)))

    def loss(self, model, tokens, label, vocab):
        return self.slopes(model, [vocab[token] for token in tokens], label)[0]

    def adam(self, weights, examples, vocab, steps, lr, kind="Bag"):
        """The losses of the steps and the weights of a model afterwards."""
        model, losses, count = getattr(given, kind)(weights), [], 0
        first, second = ({name: 0.0 for name in weights} for _ in range(2))
        for _ in range(steps):
            found = []
            for tokens, label in examples:
                loss, slopes = self.slopes(model, [vocab[token] for token in tokens], label)
                found.append(loss)
                count += 1
                for name, parameter in model.named_parameters():
                    slope = slopes[name].numpy().astype(float)
                    first[name] = .9 * first[name] + .1 * slope
                    second[name] = .999 * second[name] + .001 * slope ** 2
                    mean, square = first[name] / (1 - .9 ** count), second[name] / (1 - .999 ** count)
                    parameter.data -= torch.from_numpy(lr * mean / (np.sqrt(square) + 1e-8)).float()
            losses.append(float(np.mean(found)))
        return losses, {name: value.numpy().copy() for name, value in model.state_dict().items()}

    def bag(self, weights):
        """A Bag on our side."""
        return given.Bag(weights)


@pytest.fixture
def trainer():
    return Trainer()
