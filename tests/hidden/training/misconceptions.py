"""Wrong answers that students of this lesson give: each is known by a name and answered with a hint.

`right=train` keeps hold of the right answer, where the mistake is to do something else with it.
"""

import copy

import numpy as np
import torch
from scipy.special import softmax
from torch import nn
from torch.nn.functional import cross_entropy

from autograder.grading.suite import essence, misconception
from solutions.training import (
    OneHeadSense,
    count_parameters,
    encode,
    head_backward,
    predict,
    sgd_step,
    softmax_backward,
    train,
)

ORDER = "Vary the vocabulary: a word's number is what the dict says, wherever the word stands in it."
LAST = "Which position decides? Only one row of A v goes to the classifier."
ROOT = "A score adds up one product for each coordinate of a query. The root of which number is taken?"
CLEARED = "backward adds to the gradients that are there. When do the old ones have to go?"
LOGITS = "cross_entropy takes logits: it has a softmax of its own inside. What does yours get?"
IN_PLACE = "Look at your arguments after the call. Which line writes into one instead of making a new array?"
PATHS = "X enters three products. What comes back through each of them?"

# encode


@essence("encode")
def ids_and_their_kind(ids):
    """The numbers, and what they came in: two answers with the same numbers are not the same."""
    return f"{type(ids).__name__} {getattr(ids, 'dtype', '')}", ids


@misconception("encode", "returns a list instead of a tensor",
               hint="The numbers are right. Which function of torch makes a tensor of a list?")
def encoded_as_list(tokens, vocab):
    return [vocab[token] for token in tokens]


@misconception("encode", "returns numbers with a decimal point",
               hint="Look at the dtype of your tensor: an Embedding needs whole numbers.")
def encoded_as_floats(tokens, vocab):
    return torch.Tensor([vocab[token] for token in tokens])


@misconception("encode", "returns integers of 32 bits",
               hint="Look at the dtype of your tensor. Which one does the docstring name?")
def encoded_in_32_bits(tokens, vocab):
    return torch.tensor([vocab[token] for token in tokens], dtype=torch.int32)


@misconception("encode", "numbers the words by their place in the vocabulary", hint=ORDER)
def encoded_by_place(tokens, vocab):
    return torch.tensor([list(vocab).index(token) for token in tokens])


@misconception("encode", "numbers the words in alphabetical order", hint=ORDER)
def encoded_by_alphabet(tokens, vocab):
    return torch.tensor([sorted(vocab).index(token) for token in tokens])


@misconception("encode", "lists the numbers in the order of the vocabulary",
               hint="Encode \"bank the\": the first number should be that of bank.")
def encoded_sorted(tokens, vocab):
    return torch.tensor(sorted(vocab[token] for token in tokens))


@misconception("encode", "leaves out a word that was there before",
               hint="Encode a sentence in which a word occurs twice. How many numbers should come back?")
def encoded_once(tokens, vocab):
    return torch.tensor([vocab[token] for token in dict.fromkeys(tokens)])


@misconception("encode", "returns rows of zeros with a one",
               hint="An Embedding is given a word's number, not a row as long as the vocabulary.")
def encoded_one_hot(tokens, vocab):
    return nn.functional.one_hot(torch.tensor([vocab[token] for token in tokens]), len(vocab))


@misconception("encode", "returns a batch of one sentence",
               hint="Look at the shape of your tensor. One axis is asked for.")
def encoded_as_batch(tokens, vocab):
    return torch.tensor([[vocab[token] for token in tokens]])


@misconception("encode", "starts counting at one",
               hint="What is the number of \"the\"? Indices start from 0.")
def encoded_from_one(tokens, vocab):
    return torch.tensor([vocab[token] + 1 for token in tokens])


@misconception("encode", "sorts the sentence it was given", hint=IN_PLACE)
def encoded_after_sorting(tokens, vocab):
    tokens.sort()
    return torch.tensor([vocab[token] for token in tokens])


# OneHeadSense


@misconception("OneHeadSense", "takes the mean over all positions", hint=LAST)
class MeanOfPositions(OneHeadSense):
    def forward(self, ids, return_attention=False):
        x = self.emb(ids)
        A = (self.Wq(x) @ self.Wk(x).T / x.shape[1] ** 0.5).softmax(-1)
        logits = self.cls((A @ self.Wv(x)).mean(0))
        return (logits, A) if return_attention else logits


@misconception("OneHeadSense", "adds up all positions", hint=LAST)
class SumOfPositions(OneHeadSense):
    def forward(self, ids, return_attention=False):
        x = self.emb(ids)
        A = (self.Wq(x) @ self.Wk(x).T / x.shape[1] ** 0.5).softmax(-1)
        logits = self.cls((A @ self.Wv(x)).sum(0))
        return (logits, A) if return_attention else logits


@misconception("OneHeadSense", "takes the first position instead of the last", hint=LAST)
class FirstPosition(OneHeadSense):
    def forward(self, ids, return_attention=False):
        x = self.emb(ids)
        A = (self.Wq(x) @ self.Wk(x).T / x.shape[1] ** 0.5).softmax(-1)
        logits = self.cls((A @ self.Wv(x))[0])
        return (logits, A) if return_attention else logits


@misconception("OneHeadSense", "forgets the scale",
               hint="What happens to the scores between the products and softmax?")
class Unscaled(OneHeadSense):
    def forward(self, ids, return_attention=False):
        x = self.emb(ids)
        A = (self.Wq(x) @ self.Wk(x).T).softmax(-1)
        logits = self.cls((A @ self.Wv(x))[-1])
        return (logits, A) if return_attention else logits


@misconception("OneHeadSense", "divides by the width instead of its root", hint=ROOT)
class WithoutRoot(OneHeadSense):
    def forward(self, ids, return_attention=False):
        x = self.emb(ids)
        A = (self.Wq(x) @ self.Wk(x).T / x.shape[1]).softmax(-1)
        logits = self.cls((A @ self.Wv(x))[-1])
        return (logits, A) if return_attention else logits


@misconception("OneHeadSense", "takes the root of the number of words", hint=ROOT)
class RootOfWords(OneHeadSense):
    def forward(self, ids, return_attention=False):
        x = self.emb(ids)
        A = (self.Wq(x) @ self.Wk(x).T / len(x) ** 0.5).softmax(-1)
        logits = self.cls((A @ self.Wv(x))[-1])
        return (logits, A) if return_attention else logits


@misconception("OneHeadSense", "takes the root of 8, whatever the width", hint=ROOT)
class RootOfEight(OneHeadSense):
    def forward(self, ids, return_attention=False):
        x = self.emb(ids)
        A = (self.Wq(x) @ self.Wk(x).T / 8 ** 0.5).softmax(-1)
        logits = self.cls((A @ self.Wv(x))[-1])
        return (logits, A) if return_attention else logits


@misconception("OneHeadSense", "divides after softmax instead of before",
               hint="Do the rows of your A add up to 1? The scale belongs to the scores.")
class ScaledAfterwards(OneHeadSense):
    def forward(self, ids, return_attention=False):
        x = self.emb(ids)
        A = (self.Wq(x) @ self.Wk(x).T).softmax(-1) / x.shape[1] ** 0.5
        logits = self.cls((A @ self.Wv(x))[-1])
        return (logits, A) if return_attention else logits


@misconception("OneHeadSense", "takes softmax down the columns",
               hint="Which numbers of A have to add up to 1: those of a row, or of a column?")
class SharesOfColumns(OneHeadSense):
    def forward(self, ids, return_attention=False):
        x = self.emb(ids)
        A = (self.Wq(x) @ self.Wk(x).T / x.shape[1] ** 0.5).softmax(0)
        logits = self.cls((A @ self.Wv(x))[-1])
        return (logits, A) if return_attention else logits


@misconception("OneHeadSense", "lets keys ask and queries answer",
               hint="Row i of A is for the reader i. Whose query makes that row, and whose keys?")
class KeysAsk(OneHeadSense):
    def forward(self, ids, return_attention=False):
        x = self.emb(ids)
        A = (self.Wk(x) @ self.Wq(x).T / x.shape[1] ** 0.5).softmax(-1)
        logits = self.cls((A @ self.Wv(x))[-1])
        return (logits, A) if return_attention else logits


@misconception("OneHeadSense", "leaves the bias of the three maps on",
               hint="Which parameters does nn.Linear make unless you ask for something else?")
class MapsWithBias(OneHeadSense):
    def __init__(self, vocab_size, d=8):
        nn.Module.__init__(self)
        self.emb = nn.Embedding(vocab_size, d)
        self.Wq, self.Wk, self.Wv = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
        self.cls = nn.Linear(d, 2)


@misconception("OneHeadSense", "makes the classifier without its bias",
               hint="Count the parameters: 242 with d = 8. Which are missing?")
class ClassifierWithoutBias(OneHeadSense):
    def __init__(self, vocab_size, d=8):
        super().__init__(vocab_size, d)
        self.cls = nn.Linear(d, 2, bias=False)


@misconception("OneHeadSense", "returns probabilities instead of logits", hint=LOGITS)
class Probabilities(OneHeadSense):
    def forward(self, ids, return_attention=False):
        logits, A = super().forward(ids, return_attention=True)
        return (logits.softmax(-1), A) if return_attention else logits.softmax(-1)


@misconception("OneHeadSense", "adds the last word's own row to the mixture",
               hint="The formula of the logits: does x occur in it?")
class WithResidual(OneHeadSense):
    def forward(self, ids, return_attention=False):
        x = self.emb(ids)
        A = (self.Wq(x) @ self.Wk(x).T / x.shape[1] ** 0.5).softmax(-1)
        logits = self.cls((x + A @ self.Wv(x))[-1])
        return (logits, A) if return_attention else logits


@misconception("OneHeadSense", "hides later words from earlier ones",
               hint="There is no mask in this head. Look at the upper right of A.")
class Causal(OneHeadSense):
    def forward(self, ids, return_attention=False):
        x = self.emb(ids)
        scores = self.Wq(x) @ self.Wk(x).T / x.shape[1] ** 0.5
        A = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -torch.inf).softmax(-1)
        logits = self.cls((A @ self.Wv(x))[-1])
        return (logits, A) if return_attention else logits


@misconception("OneHeadSense", "mixes the rows of words instead of their values",
               hint="Which of your parameters does the loss not depend on?")
class MixesRows(OneHeadSense):
    def forward(self, ids, return_attention=False):
        x = self.emb(ids)
        A = (self.Wq(x) @ self.Wk(x).T / x.shape[1] ** 0.5).softmax(-1)
        logits = self.cls((A @ x)[-1])
        return (logits, A) if return_attention else logits


@misconception("OneHeadSense", "makes queries and keys with the same map",
               hint="Which of your parameters does the loss not depend on?")
class OneMapForBoth(OneHeadSense):
    def forward(self, ids, return_attention=False):
        x = self.emb(ids)
        A = (self.Wk(x) @ self.Wk(x).T / x.shape[1] ** 0.5).softmax(-1)
        logits = self.cls((A @ self.Wv(x))[-1])
        return (logits, A) if return_attention else logits


@misconception("OneHeadSense", "detaches the weights, so that queries and keys learn nothing",
               hint="Ask for the gradient of each parameter. What cuts Wq and Wk off from the logits?")
class WeightsDetached(OneHeadSense):
    def forward(self, ids, return_attention=False):
        x = self.emb(ids)
        A = (self.Wq(x) @ self.Wk(x).T / x.shape[1] ** 0.5).softmax(-1).detach()
        logits = self.cls((A @ self.Wv(x))[-1])
        return (logits, A) if return_attention else logits


@misconception("OneHeadSense", "takes the rows of words as plain numbers, so that the table learns nothing",
               hint="Ask for the gradient of each parameter. What cuts the table off from the logits?")
class TableDetached(OneHeadSense):
    def forward(self, ids, return_attention=False):
        x = self.emb.weight.data[ids]
        A = (self.Wq(x) @ self.Wk(x).T / x.shape[1] ** 0.5).softmax(-1)
        logits = self.cls((A @ self.Wv(x))[-1])
        return (logits, A) if return_attention else logits


@misconception("OneHeadSense", "makes the modules in another order",
               hint="With the same seed your numbers differ: what is made first, what last?")
class OtherOrder(OneHeadSense):
    def __init__(self, vocab_size, d=8):
        nn.Module.__init__(self)
        self.Wq, self.Wk, self.Wv = (nn.Linear(d, d, bias=False) for _ in range(3))
        self.emb, self.cls = nn.Embedding(vocab_size, d), nn.Linear(d, 2)


@misconception("OneHeadSense", "draws the table anew with smaller numbers",
               hint="The modules come with their numbers. Which line draws others?")
class DrawnAnew(OneHeadSense):
    def __init__(self, vocab_size, d=8):
        super().__init__(vocab_size, d)
        nn.init.normal_(self.emb.weight, std=0.02)


@misconception("OneHeadSense", "has width 8, whatever is asked for",
               hint="Make a model with d=3. Which shapes do its matrices have?")
class AlwaysEight(OneHeadSense):
    def __init__(self, vocab_size, d=8):
        super().__init__(vocab_size)


@misconception("OneHeadSense", "returns A first",
               hint="Both parts are right. In which order does the docstring ask for them?")
class WeightsFirst(OneHeadSense):
    def forward(self, ids, return_attention=False):
        logits, A = super().forward(ids, return_attention=True)
        return (A, logits) if return_attention else logits


@misconception("OneHeadSense", "returns only the last row of A",
               hint="What shape should A have? The last row decides, but all are asked for.")
class LastRowOnly(OneHeadSense):
    def forward(self, ids, return_attention=False):
        logits, A = super().forward(ids, return_attention=True)
        return (logits, A[-1]) if return_attention else logits


@misconception("OneHeadSense", "always returns A as well",
               hint="What is returned when return_attention is False?")
class AlwaysBoth(OneHeadSense):
    def forward(self, ids, return_attention=False):
        return super().forward(ids, return_attention=True)


# count_parameters


@misconception("count_parameters", "counts the arrays instead of the numbers in them",
               hint="How many numbers does a single matrix hold?")
def count_of_arrays(model):
    return len(list(model.parameters()))


@misconception("count_parameters", "leaves out the biases",
               hint="A bias is learned, too. Which parameters have only one axis?")
def count_of_matrices(model):
    return sum(p.numel() for p in model.parameters() if p.dim() > 1)


@misconception("count_parameters", "counts buffers as well",
               hint="What a model keeps is not always learned. Which of its numbers get a gradient?")
def count_of_all_kept(model, right=count_parameters):
    return right(model) + sum(b.numel() for b in model.buffers())


@misconception("count_parameters", "counts what lies within another part several times",
               hint="Does model.parameters() go into the parts of its parts by itself?")
def count_of_every_module(model):
    return sum(p.numel() for module in model.modules() for p in module.parameters())


@misconception("count_parameters", "overlooks what is not in a part of the model",
               hint="A model may also hold a parameter of its own, beside its parts.")
def count_of_children(model):
    return sum(p.numel() for child in model.children() for p in child.parameters())


@misconception("count_parameters", "multiplies the first two axes only",
               hint="An array may have three axes. Which method of a tensor counts its entries?")
def count_of_two_axes(model):
    return sum(p.shape[0] * (p.shape[1] if p.dim() > 1 else 1) for p in model.parameters())


@misconception("count_parameters", "gives the number of the page for every model",
               hint="242 is right for one model. What is it for another?")
def count_of_the_page(model):
    return 242


# train


@misconception("train", "never clears the gradients", hint=CLEARED)
def train_without_clearing(model, examples, vocab, steps=300, lr=0.05):
    adam, losses = torch.optim.Adam(model.parameters(), lr=lr), []
    for _ in range(steps):
        total = 0.0
        for tokens, label in examples:
            loss = cross_entropy(model(encode(tokens, vocab)), torch.tensor(label))
            loss.backward()
            adam.step()
            total += loss.item()
        losses.append(total / len(examples))
    return losses


@misconception("train", "clears the gradients once in each pass", hint=CLEARED)
def train_clearing_once_a_pass(model, examples, vocab, steps=300, lr=0.05):
    adam, losses = torch.optim.Adam(model.parameters(), lr=lr), []
    for _ in range(steps):
        total = 0.0
        adam.zero_grad()
        for tokens, label in examples:
            loss = cross_entropy(model(encode(tokens, vocab)), torch.tensor(label))
            loss.backward()
            adam.step()
            total += loss.item()
        losses.append(total / len(examples))
    return losses


@misconception("train", "clears the gradients only after the step",
               hint="Your first update: which gradients may the model have brought along?")
def train_clearing_afterwards(model, examples, vocab, steps=300, lr=0.05):
    adam, losses = torch.optim.Adam(model.parameters(), lr=lr), []
    for _ in range(steps):
        total = 0.0
        for tokens, label in examples:
            loss = cross_entropy(model(encode(tokens, vocab)), torch.tensor(label))
            loss.backward()
            adam.step()
            adam.zero_grad()
            total += loss.item()
        losses.append(total / len(examples))
    return losses


@misconception("train", "clears the gradients between backward and the step",
               hint="backward computes the gradients, step uses them. What is left of them in between?")
def train_clearing_in_between(model, examples, vocab, steps=300, lr=0.05):
    adam, losses = torch.optim.Adam(model.parameters(), lr=lr), []
    for _ in range(steps):
        total = 0.0
        for tokens, label in examples:
            loss = cross_entropy(model(encode(tokens, vocab)), torch.tensor(label))
            loss.backward()
            adam.zero_grad()
            adam.step()
            total += loss.item()
        losses.append(total / len(examples))
    return losses


@misconception("train", "takes softmax before the cross-entropy", hint=LOGITS)
def train_on_probabilities(model, examples, vocab, steps=300, lr=0.05):
    adam, losses = torch.optim.Adam(model.parameters(), lr=lr), []
    for _ in range(steps):
        total = 0.0
        for tokens, label in examples:
            loss = cross_entropy(model(encode(tokens, vocab)).softmax(-1), torch.tensor(label))
            adam.zero_grad()
            loss.backward()
            adam.step()
            total += loss.item()
        losses.append(total / len(examples))
    return losses


@misconception("train", "makes one update in each pass, from the mean of the losses",
               hint="How many updates are there in a step with four examples?")
def train_once_a_pass(model, examples, vocab, steps=300, lr=0.05):
    adam, losses = torch.optim.Adam(model.parameters(), lr=lr), []
    for _ in range(steps):
        pairs = [(encode(tokens, vocab), torch.tensor(label)) for tokens, label in examples]
        found = [cross_entropy(model(ids), target) for ids, target in pairs]
        loss = sum(found) / len(found)
        adam.zero_grad()
        loss.backward()
        adam.step()
        losses.append(loss.item())
    return losses


@misconception("train", "counts updates as steps",
               hint="A step is one pass over all examples. How often is each of them seen in 300 steps?")
def train_with_too_few_updates(model, examples, vocab, steps=300, lr=0.05):
    adam, losses = torch.optim.Adam(model.parameters(), lr=lr), []
    for number in range(steps):
        tokens, label = examples[number % len(examples)]
        loss = cross_entropy(model(encode(tokens, vocab)), torch.tensor(label))
        adam.zero_grad()
        loss.backward()
        adam.step()
        losses.append(loss.item())
    return losses


@misconception("train", "trains a copy of the model",
               hint="Look at the model's parameters before and after: do they move?")
def train_a_copy(model, examples, vocab, steps=300, lr=0.05, right=train):
    return right(copy.deepcopy(model), examples, vocab, steps, lr)


@misconception("train", "trains only the last two parameters",
               hint="Which parameters does your optimizer get? All of them are to learn.")
def train_the_end_only(model, examples, vocab, steps=300, lr=0.05):
    adam, losses = torch.optim.Adam(list(model.parameters())[-2:], lr=lr), []
    for _ in range(steps):
        total = 0.0
        for tokens, label in examples:
            loss = cross_entropy(model(encode(tokens, vocab)), torch.tensor(label))
            adam.zero_grad()
            loss.backward()
            adam.step()
            total += loss.item()
        losses.append(total / len(examples))
    return losses


@misconception("train", "moves along the gradient instead of against it",
               hint="Does your loss go down? In which direction does it grow?")
def train_uphill(model, examples, vocab, steps=300, lr=0.05):
    adam, losses = torch.optim.Adam(model.parameters(), lr=lr), []
    for _ in range(steps):
        total = 0.0
        for tokens, label in examples:
            loss = cross_entropy(model(encode(tokens, vocab)), torch.tensor(label))
            adam.zero_grad()
            (-loss).backward()
            adam.step()
            total += loss.item()
        losses.append(total / len(examples))
    return losses


@misconception("train", "uses plain gradient descent instead of Adam",
               hint="Both go downhill. Which optimizer does the docstring name?")
def train_by_sgd(model, examples, vocab, steps=300, lr=0.05):
    sgd, losses = torch.optim.SGD(model.parameters(), lr=lr), []
    for _ in range(steps):
        total = 0.0
        for tokens, label in examples:
            loss = cross_entropy(model(encode(tokens, vocab)), torch.tensor(label))
            sgd.zero_grad()
            loss.backward()
            sgd.step()
            total += loss.item()
        losses.append(total / len(examples))
    return losses


@misconception("train", "uses Adam with a decay of the weights",
               hint="Which arguments and which variant of Adam do you use? Nothing but lr is to be changed.")
def train_with_decay(model, examples, vocab, steps=300, lr=0.05):
    adam, losses = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=0.1), []
    for _ in range(steps):
        total = 0.0
        for tokens, label in examples:
            loss = cross_entropy(model(encode(tokens, vocab)), torch.tensor(label))
            adam.zero_grad()
            loss.backward()
            adam.step()
            total += loss.item()
        losses.append(total / len(examples))
    return losses


@misconception("train", "starts a new Adam for every update",
               hint="Adam remembers earlier gradients. How long does yours live?")
def train_with_new_adams(model, examples, vocab, steps=300, lr=0.05):
    losses = []
    for _ in range(steps):
        total = 0.0
        for tokens, label in examples:
            adam = torch.optim.Adam(model.parameters(), lr=lr)
            loss = cross_entropy(model(encode(tokens, vocab)), torch.tensor(label))
            adam.zero_grad()
            loss.backward()
            adam.step()
            total += loss.item()
        losses.append(total / len(examples))
    return losses


@misconception("train", "keeps its Adam for the next call",
               hint="Call train twice on the same model. What does the second call remember of the first?")
def train_with_a_kept_adam(model, examples, vocab, steps=300, lr=0.05):
    if not hasattr(model, "adam"):
        model.adam = torch.optim.Adam(model.parameters(), lr=lr)
    losses = []
    for _ in range(steps):
        total = 0.0
        for tokens, label in examples:
            loss = cross_entropy(model(encode(tokens, vocab)), torch.tensor(label))
            model.adam.zero_grad()
            loss.backward()
            model.adam.step()
            total += loss.item()
        losses.append(total / len(examples))
    return losses


@misconception("train", "does not use lr",
               hint="Call train with two different lr: do the losses differ?")
def train_without_lr(model, examples, vocab, steps=300, lr=0.05, right=train):
    return right(model, examples, vocab, steps, 0.001)


@misconception("train", "has another default for lr",
               hint="Call train without lr: how far does a parameter move in the first update?")
def train_slowly(model, examples, vocab, steps=300, lr=0.001, right=train):
    return right(model, examples, vocab, steps, lr)


@misconception("train", "reports each loss after its update",
               hint="The first loss is that of the untrained model. When is yours computed?")
def train_reporting_afterwards(model, examples, vocab, steps=300, lr=0.05):
    adam, losses = torch.optim.Adam(model.parameters(), lr=lr), []
    for _ in range(steps):
        total = 0.0
        for tokens, label in examples:
            ids, target = encode(tokens, vocab), torch.tensor(label)
            adam.zero_grad()
            cross_entropy(model(ids), target).backward()
            adam.step()
            total += cross_entropy(model(ids), target).item()
        losses.append(total / len(examples))
    return losses


@misconception("train", "reports the losses of a pass before any update of it",
               hint="The second example of a pass is met by a model that has just learned from the first.")
def train_reporting_beforehand(model, examples, vocab, steps=300, lr=0.05):
    adam, losses = torch.optim.Adam(model.parameters(), lr=lr), []
    for _ in range(steps):
        pairs = [(encode(tokens, vocab), torch.tensor(label)) for tokens, label in examples]
        found = [cross_entropy(model(ids), target) for ids, target in pairs]
        losses.append(sum(each.item() for each in found) / len(found))
        for ids, target in pairs:
            adam.zero_grad()
            cross_entropy(model(ids), target).backward()
            adam.step()
    return losses


@misconception("train", "adds up the losses of a pass instead of taking their mean",
               hint="The first loss of the page is .625. Which multiple of it is yours?")
def train_reporting_sums(model, examples, vocab, steps=300, lr=0.05, right=train):
    return [loss * len(examples) for loss in right(model, examples, vocab, steps, lr)]


@misconception("train", "reports only the last loss of each pass",
               hint="A pass has a loss for each example. Which of them are in your number?")
def train_reporting_the_last(model, examples, vocab, steps=300, lr=0.05):
    adam, losses = torch.optim.Adam(model.parameters(), lr=lr), []
    for _ in range(steps):
        for tokens, label in examples:
            loss = cross_entropy(model(encode(tokens, vocab)), torch.tensor(label))
            adam.zero_grad()
            loss.backward()
            adam.step()
        losses.append(loss.item())
    return losses


@misconception("train", "reports a loss for each update",
               hint="How many losses are there after three steps with four examples?")
def train_reporting_each_update(model, examples, vocab, steps=300, lr=0.05):
    adam, losses = torch.optim.Adam(model.parameters(), lr=lr), []
    for _ in range(steps):
        for tokens, label in examples:
            loss = cross_entropy(model(encode(tokens, vocab)), torch.tensor(label))
            adam.zero_grad()
            loss.backward()
            adam.step()
            losses.append(loss.item())
    return losses


@misconception("train", "goes through the examples from the last to the first",
               hint="In which order are the examples given, and in which do yours come?")
def train_backwards(model, examples, vocab, steps=300, lr=0.05, right=train):
    return right(model, examples[::-1], vocab, steps, lr)


@misconception("train", "goes through the examples in random order",
               hint="Train two copies of a model: do you get the same numbers twice?")
def train_shuffled(model, examples, vocab, steps=300, lr=0.05, right=train):
    order = torch.randperm(len(examples), generator=torch.Generator().manual_seed(1)).tolist()
    torch.rand(1)
    return right(model, [examples[place] for place in order], vocab, steps, lr)


@misconception("train", "sorts the examples it was given", hint=IN_PLACE)
def train_sorted(model, examples, vocab, steps=300, lr=0.05, right=train):
    examples.sort(key=lambda example: example[1])
    return right(model, examples, vocab, steps, lr)


@misconception("train", "seeds torch's generator",
               hint="Whoever calls train decides about seeds. Which line of yours sets one?")
def train_seeding(model, examples, vocab, steps=300, lr=0.05, right=train):
    torch.manual_seed(0)
    return right(model, examples, vocab, steps, lr)


@misconception("train", "returns the model",
               hint="What does the docstring ask to be returned? The model itself is trained in place.")
def train_returning_the_model(model, examples, vocab, steps=300, lr=0.05, right=train):
    right(model, examples, vocab, steps, lr)
    return model


@misconception("train", "makes one step too few",
               hint="Train for one step: how many losses do you get?")
def train_one_step_less(model, examples, vocab, steps=300, lr=0.05, right=train):
    return right(model, examples, vocab, steps - 1, lr)


# predict


@essence("predict")
def prediction_and_its_kind(prediction):
    """The two results, and what the label came in."""
    return type(prediction[0]).__name__, prediction


@misconception("predict", "takes the first row of A", hint=LAST)
def read_by_the_first(model, tokens, vocab, right=predict):
    _, A = model(encode(tokens, vocab), return_attention=True)
    read = dict.fromkeys(tokens, 0.0)
    for token, weight in zip(tokens, A[0].tolist()):
        read[token] += weight
    return right(model, tokens, vocab)[0], read


@misconception("predict", "takes the last column of A",
               hint="Rows are readers, columns are what is read. Whose share is A[0, -1]?")
def reading_of_the_last(model, tokens, vocab, right=predict):
    _, A = model(encode(tokens, vocab), return_attention=True)
    read = dict.fromkeys(tokens, 0.0)
    for token, weight in zip(tokens, A[:, -1].tolist()):
        read[token] += weight
    return right(model, tokens, vocab)[0], read


@misconception("predict", "takes the mean of all rows of A", hint=LAST)
def read_by_all(model, tokens, vocab, right=predict):
    _, A = model(encode(tokens, vocab), return_attention=True)
    read = dict.fromkeys(tokens, 0.0)
    for token, weight in zip(tokens, A.mean(0).tolist()):
        read[token] += weight
    return right(model, tokens, vocab)[0], read


@misconception("predict", "keeps only the last weight of a repeated word",
               hint="A dict holds one number for each word. What becomes of the first weight of a word?")
def read_with_the_last_weight(model, tokens, vocab, right=predict):
    _, A = model(encode(tokens, vocab), return_attention=True)
    return right(model, tokens, vocab)[0], dict(zip(tokens, A[-1].tolist()))


@misconception("predict", "takes the label of the smaller logit",
               hint="A logit is a score. Which of the two senses has more probability?")
def label_of_the_smaller(model, tokens, vocab, right=predict):
    label, read = right(model, tokens, vocab)
    return 1 - label, read


@misconception("predict", "says 1 where the second logit is positive",
               hint="Both logits may be positive, or negative. What are they compared with?")
def label_by_the_sign(model, tokens, vocab, right=predict):
    logits = model(encode(tokens, vocab))
    return int(logits[1] > 0), right(model, tokens, vocab)[1]


@misconception("predict", "returns the label as a tensor",
               hint="The label is right. How does a tensor with a single number become an int?")
def label_as_tensor(model, tokens, vocab, right=predict):
    label, read = right(model, tokens, vocab)
    return torch.tensor(label), read


@misconception("predict", "returns a probability instead of a label",
               hint="A label is 0 or 1. Which of the two is the prediction?")
def probability_for_label(model, tokens, vocab, right=predict):
    logits = model(encode(tokens, vocab))
    return logits.softmax(0)[1].item(), right(model, tokens, vocab)[1]


@misconception("predict", "names the numbers of the words instead of the words",
               hint="What are the keys of your dict? The docstring asks for the tokens.")
def read_by_numbers(model, tokens, vocab, right=predict):
    label, read = right(model, tokens, vocab)
    return label, {vocab[token]: weight for token, weight in read.items()}


@misconception("predict", "lists the whole vocabulary",
               hint="Which words belong into the dict: all that the model knows, or those of the sentence?")
def read_of_all_words(model, tokens, vocab, right=predict):
    label, read = right(model, tokens, vocab)
    return label, {token: read.get(token, 0.0) for token in vocab}


@misconception("predict", "rounds the weights",
               hint="A rounded zero is no zero. Round what you print, not what you return.")
def read_rounded(model, tokens, vocab, right=predict):
    label, read = right(model, tokens, vocab)
    return label, {token: round(weight, 2) for token, weight in read.items()}


@misconception("predict", "leaves out words that are hardly read",
               hint="Every word of the sentence has an entry, however small its weight.")
def read_without_small_ones(model, tokens, vocab, right=predict):
    label, read = right(model, tokens, vocab)
    return label, {token: weight for token, weight in read.items() if weight > 0.01}


@misconception("predict", "returns a list of weights",
               hint="Which word does a weight belong to? A dict can tell.")
def read_as_list(model, tokens, vocab, right=predict):
    label, _ = right(model, tokens, vocab)
    return label, model(encode(tokens, vocab), return_attention=True)[1][-1].tolist()


@misconception("predict", "returns the weights first",
               hint="Both parts are right. In which order does the docstring ask for them?")
def read_before_label(model, tokens, vocab, right=predict):
    return right(model, tokens, vocab)[::-1]


@misconception("predict", "freezes the model",
               hint="Train the model after predict: does it still learn? Which line froze it?")
def predict_and_freeze(model, tokens, vocab, right=predict):
    model.requires_grad_(False)
    return right(model, tokens, vocab)


@misconception("predict", "takes words off the sentence it was given", hint=IN_PLACE)
def predict_emptying(model, tokens, vocab, right=predict):
    result = right(model, tokens, vocab)
    while tokens:
        tokens.pop()
    return result


# sgd_step


@misconception("sgd_step", "does not clear the gradients", hint=CLEARED)
def step_without_clearing(model, ids, label, lr):
    loss = cross_entropy(model(ids), torch.tensor(label))
    loss.backward()
    gradients = {name: p.grad.clone() for name, p in model.named_parameters()}
    with torch.no_grad():
        for p in model.parameters():
            p -= lr * p.grad
    return loss.item(), gradients


@misconception("sgd_step", "clears the gradients only afterwards",
               hint="Which gradients may the model have brought along before your first step?")
def step_clearing_afterwards(model, ids, label, lr):
    loss = cross_entropy(model(ids), torch.tensor(label))
    loss.backward()
    gradients = {name: p.grad.clone() for name, p in model.named_parameters()}
    with torch.no_grad():
        for p in model.parameters():
            p -= lr * p.grad
    model.zero_grad()
    return loss.item(), gradients


@misconception("sgd_step", "moves along the gradient instead of against it",
               hint="In which direction does the loss grow? Compute it once more after the step.")
def step_uphill(model, ids, label, lr, right=sgd_step):
    return right(model, ids, label, -lr)


@misconception("sgd_step", "returns the loss after the step",
               hint="The loss asked for is the one whose gradient was taken.")
def step_reporting_afterwards(model, ids, label, lr, right=sgd_step):
    _, gradients = right(model, ids, label, lr)
    return cross_entropy(model(ids), torch.tensor(label)).item(), gradients


@misconception("sgd_step", "returns the model's own gradients instead of copies",
               hint="Keep what you get, and make another step. Whose arrays are they?")
def step_without_copies(model, ids, label, lr, right=sgd_step):
    loss, _ = right(model, ids, label, lr)
    return loss, {name: p.grad for name, p in model.named_parameters()}


@misconception("sgd_step", "returns gradients that have been cleared",
               hint="Your gradients are all zero. When are they copied, and when cleared?")
def step_returning_zeros(model, ids, label, lr, right=sgd_step):
    loss, gradients = right(model, ids, label, lr)
    return loss, {name: torch.zeros_like(gradient) for name, gradient in gradients.items()}


@misconception("sgd_step", "returns gradients times the learning rate",
               hint="Call it with two different lr from the same start: do the gradients differ?")
def step_returning_moves(model, ids, label, lr, right=sgd_step):
    loss, gradients = right(model, ids, label, lr)
    return loss, {name: lr * gradient for name, gradient in gradients.items()}


@misconception("sgd_step", "returns the parameters instead of their gradients",
               hint="Which numbers are in your dict? The row of an absent word should be zero.")
def step_returning_parameters(model, ids, label, lr, right=sgd_step):
    loss, _ = right(model, ids, label, lr)
    return loss, {name: p.detach().clone() for name, p in model.named_parameters()}


@misconception("sgd_step", "returns a list of gradients",
               hint="Which parameter does a gradient belong to? model.named_parameters() tells its name.")
def step_returning_list(model, ids, label, lr, right=sgd_step):
    loss, gradients = right(model, ids, label, lr)
    return loss, list(gradients.values())


@misconception("sgd_step", "returns only the gradients of matrices",
               hint="Which names are missing? A bias has a gradient, too.")
def step_returning_matrices(model, ids, label, lr, right=sgd_step):
    loss, gradients = right(model, ids, label, lr)
    return loss, {name: gradient for name, gradient in gradients.items() if gradient.dim() > 1}


@misconception("sgd_step", "moves only the last two parameters",
               hint="Compare all parameters before and after: which ones stay where they are?")
def step_of_the_end(model, ids, label, lr):
    model.zero_grad()
    loss = cross_entropy(model(ids), torch.tensor(label))
    loss.backward()
    gradients = {name: p.grad.clone() for name, p in model.named_parameters()}
    with torch.no_grad():
        for p in list(model.parameters())[-2:]:
            p -= lr * p.grad
    return loss.item(), gradients


@misconception("sgd_step", "computes new numbers without putting them into the model",
               hint="Look at the model after the step: has it moved? p = p - ... makes something new.")
def step_beside_the_model(model, ids, label, lr):
    model.zero_grad()
    loss = cross_entropy(model(ids), torch.tensor(label))
    loss.backward()
    for p in model.parameters():
        p = p - lr * p.grad
    return loss.item(), {name: p.grad.clone() for name, p in model.named_parameters()}


@misconception("sgd_step", "puts new parameters in the place of the old ones",
               hint="An optimizer that holds the old parameters would no longer train your model. In place!")
def step_by_new_parameters(model, ids, label, lr):
    model.zero_grad()
    loss = cross_entropy(model(ids), torch.tensor(label))
    loss.backward()
    gradients = {name: p.grad.clone() for name, p in model.named_parameters()}
    for name, p in list(model.named_parameters()):
        owner, _, own = name.rpartition(".")
        setattr(model.get_submodule(owner), own, nn.Parameter(p.detach() - lr * p.grad))
    return loss.item(), gradients


@misconception("sgd_step", "takes softmax before the cross-entropy", hint=LOGITS)
def step_on_probabilities(model, ids, label, lr):
    model.zero_grad()
    loss = cross_entropy(model(ids).softmax(-1), torch.tensor(label))
    loss.backward()
    gradients = {name: p.grad.clone() for name, p in model.named_parameters()}
    with torch.no_grad():
        for p in model.parameters():
            p -= lr * p.grad
    return loss.item(), gradients


@misconception("sgd_step", "uses Adam",
               hint="Adam's first step moves every number by lr, however steep the slope. Does yours?")
def step_by_adam(model, ids, label, lr):
    adam = torch.optim.Adam(model.parameters(), lr=lr)
    adam.zero_grad()
    loss = cross_entropy(model(ids), torch.tensor(label))
    loss.backward()
    adam.step()
    return loss.item(), {name: p.grad.clone() for name, p in model.named_parameters()}


@misconception("sgd_step", "does not use lr",
               hint="Call it with two different lr from the same start: does the model end up elsewhere?")
def step_without_lr(model, ids, label, lr, right=sgd_step):
    return right(model, ids, label, 0.1)


@misconception("sgd_step", "makes the step twice",
               hint="How far should a parameter move? Yours goes further.")
def step_twice(model, ids, label, lr):
    sgd = torch.optim.SGD(model.parameters(), lr=lr)
    sgd.zero_grad()
    loss = cross_entropy(model(ids), torch.tensor(label))
    loss.backward()
    sgd.step()
    with torch.no_grad():
        for p in model.parameters():
            p -= lr * p.grad
    return loss.item(), {name: p.grad.clone() for name, p in model.named_parameters()}


@misconception("sgd_step", "exchanges the two labels",
               hint="Make a step: which of the two logits grows?")
def step_with_labels_turned(model, ids, label, lr, right=sgd_step):
    return right(model, ids, 1 - label, lr)


@misconception("sgd_step", "turns the sentence around in place", hint=IN_PLACE)
def step_turning_the_sentence(model, ids, label, lr, right=sgd_step):
    ids.copy_(ids.flip(0))
    return right(model, ids, label, lr)


# softmax_backward


@misconception("softmax_backward", "leaves out the sum",
               hint="Raising one score lowers the other shares. Which term of the formula says so?")
def slope_without_sum(A, dA):
    return np.asarray(A, dtype=float) * np.asarray(dA, dtype=float)


@misconception("softmax_backward", "knows only what a score does to its own share",
               hint="A(1 − A) is the slope of a share with its own score. And the other shares of the row?")
def slope_of_own_share(A, dA):
    A = np.asarray(A, dtype=float)
    return A * (1 - A) * np.asarray(dA, dtype=float)


@misconception("softmax_backward", "forgets the factor A",
               hint="A share near zero hardly moves. Which factor of the formula says so?")
def slope_without_factor(A, dA):
    A, dA = np.asarray(A, dtype=float), np.asarray(dA, dtype=float)
    return dA - (A * dA).sum(axis=1, keepdims=True)


@misconception("softmax_backward", "adds up columns instead of rows",
               hint="Which index does the sum run over? Every row has a sum of its own.")
def slope_by_columns(A, dA):
    A, dA = np.asarray(A, dtype=float), np.asarray(dA, dtype=float)
    return A * (dA - (A * dA).sum(axis=0, keepdims=True))


@misconception("softmax_backward", "adds up the whole matrix",
               hint="Which index does the sum run over? Every row has a sum of its own.")
def slope_by_the_whole(A, dA):
    A, dA = np.asarray(A, dtype=float), np.asarray(dA, dtype=float)
    return A * (dA - (A * dA).sum())


@misconception("softmax_backward", "takes a mean instead of a sum",
               hint="Do the rows of your result add up to zero?")
def slope_with_mean(A, dA):
    A, dA = np.asarray(A, dtype=float), np.asarray(dA, dtype=float)
    return A * (dA - (A * dA).mean(axis=1, keepdims=True))


@misconception("softmax_backward", "adds up dA without the weights",
               hint="Inside the sum stands a product. Of what?")
def slope_with_plain_sum(A, dA):
    A, dA = np.asarray(A, dtype=float), np.asarray(dA, dtype=float)
    return A * (dA - dA.sum(axis=1, keepdims=True))


@misconception("softmax_backward", "subtracts the mean of dA",
               hint="Shares of different size do not count alike. What weighs the entries of dA in the sum?")
def slope_with_mean_of_dA(A, dA):
    A, dA = np.asarray(A, dtype=float), np.asarray(dA, dtype=float)
    return A * (dA - dA.mean(axis=1, keepdims=True))


@misconception("softmax_backward", "has the opposite sign",
               hint="The share with the largest slope: should its score's gradient be positive or negative?")
def slope_turned(A, dA, right=softmax_backward):
    return -right(A, dA)


@misconception("softmax_backward", "takes A for scores",
               hint="A holds shares already. Is there a softmax in the formula?")
def slope_of_scores(A, dA, right=softmax_backward):
    return right(softmax(np.asarray(A, dtype=float), axis=1), dA)


@misconception("softmax_backward", "writes into the gradient it was given", hint=IN_PLACE)
def slope_in_place(A, dA):
    A, dA = np.asarray(A, dtype=float), np.asarray(dA)
    if dA.dtype != float:
        dA = dA.astype(float)
    dA -= (A * dA).sum(axis=1, keepdims=True)
    return A * dA


@misconception("softmax_backward", "cuts numbers down to integers",
               hint="If you are given integers, what kind of numbers can the array hold that you fill?")
def slope_in_integers(A, dA):
    dS = np.zeros_like(dA)
    for i, (row, slopes) in enumerate(zip(np.asarray(A), np.asarray(dA))):
        dS[i] = row * (slopes - row @ slopes)
    return dS


# head_backward


@misconception("head_backward", "follows X through the values only", hint=PATHS)
def back_through_values(X, Wq, Wk, Wv, dH, right=head_backward):
    X, Wq, Wk, Wv, dH = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, dH))
    A = softmax((X @ Wq) @ (X @ Wk).T / np.sqrt(Wq.shape[1]), axis=1)
    return A.T @ dH @ Wv.T, *right(X, Wq, Wk, Wv, dH)[1:]


@misconception("head_backward", "follows X through queries and keys only", hint=PATHS)
def back_without_values(X, Wq, Wk, Wv, dH, right=head_backward):
    X, Wq, Wk, Wv, dH = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, dH))
    A = softmax((X @ Wq) @ (X @ Wk).T / np.sqrt(Wq.shape[1]), axis=1)
    dX, *others = right(X, Wq, Wk, Wv, dH)
    return dX - A.T @ dH @ Wv.T, *others


@misconception("head_backward", "forgets that X makes the keys, too", hint=PATHS)
def back_without_keys(X, Wq, Wk, Wv, dH):
    X, Wq, Wk, Wv, dH = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, dH))
    Q, K, V, root = X @ Wq, X @ Wk, X @ Wv, np.sqrt(Wq.shape[1])
    A = softmax(Q @ K.T / root, axis=1)
    dS = softmax_backward(A, dH @ V.T) / root
    dQ, dK, dV = dS @ K, dS.T @ Q, A.T @ dH
    return dQ @ Wq.T + dV @ Wv.T, X.T @ dQ, X.T @ dK, X.T @ dV


@misconception("head_backward", "forgets the scale on the way back",
               hint="The scores were divided on the way forward. What becomes of their gradient?")
def back_without_scale(X, Wq, Wk, Wv, dH):
    X, Wq, Wk, Wv, dH = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, dH))
    Q, K, V, root = X @ Wq, X @ Wk, X @ Wv, np.sqrt(Wq.shape[1])
    A = softmax(Q @ K.T / root, axis=1)
    dS = softmax_backward(A, dH @ V.T)
    dQ, dK, dV = dS @ K, dS.T @ Q, A.T @ dH
    return dQ @ Wq.T + dK @ Wk.T + dV @ Wv.T, X.T @ dQ, X.T @ dK, X.T @ dV


@misconception("head_backward", "divides by the root twice on the way back",
               hint="The scale stands once in the formula. How often do you divide on the way back?")
def back_with_two_scales(X, Wq, Wk, Wv, dH):
    X, Wq, Wk, Wv, dH = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, dH))
    Q, K, V, root = X @ Wq, X @ Wk, X @ Wv, np.sqrt(Wq.shape[1])
    A = softmax(Q @ K.T / root, axis=1)
    dS = softmax_backward(A, dH @ V.T) / root**2
    dQ, dK, dV = dS @ K, dS.T @ Q, A.T @ dH
    return dQ @ Wq.T + dK @ Wk.T + dV @ Wv.T, X.T @ dQ, X.T @ dK, X.T @ dV


@misconception("head_backward", "has no scale at all",
               hint="What happens to the scores between the products and softmax?")
def back_unscaled(X, Wq, Wk, Wv, dH):
    X, Wq, Wk, Wv, dH = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, dH))
    Q, K, V = X @ Wq, X @ Wk, X @ Wv
    A = softmax(Q @ K.T, axis=1)
    dS = softmax_backward(A, dH @ V.T)
    dQ, dK, dV = dS @ K, dS.T @ Q, A.T @ dH
    return dQ @ Wq.T + dK @ Wk.T + dV @ Wv.T, X.T @ dQ, X.T @ dK, X.T @ dV


@misconception("head_backward", "takes the root of the width of X", hint=ROOT)
def back_with_another_root(X, Wq, Wk, Wv, dH):
    X, Wq, Wk, Wv, dH = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, dH))
    Q, K, V, root = X @ Wq, X @ Wk, X @ Wv, np.sqrt(X.shape[1])
    A = softmax(Q @ K.T / root, axis=1)
    dS = softmax_backward(A, dH @ V.T) / root
    dQ, dK, dV = dS @ K, dS.T @ Q, A.T @ dH
    return dQ @ Wq.T + dK @ Wk.T + dV @ Wv.T, X.T @ dQ, X.T @ dK, X.T @ dV


@misconception("head_backward", "does not turn the gradient of the scores for the keys",
               hint="dK has a row for each word that is read: which axis of dS are those?")
def back_with_keys_unturned(X, Wq, Wk, Wv, dH):
    X, Wq, Wk, Wv, dH = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, dH))
    Q, K, V, root = X @ Wq, X @ Wk, X @ Wv, np.sqrt(Wq.shape[1])
    A = softmax(Q @ K.T / root, axis=1)
    dS = softmax_backward(A, dH @ V.T) / root
    dQ, dK, dV = dS @ K, dS @ Q, A.T @ dH
    return dQ @ Wq.T + dK @ Wk.T + dV @ Wv.T, X.T @ dQ, X.T @ dK, X.T @ dV


@misconception("head_backward", "does not turn A for the values",
               hint="dV has a row for each word that is read: which axis of A are those?")
def back_with_values_unturned(X, Wq, Wk, Wv, dH):
    X, Wq, Wk, Wv, dH = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, dH))
    Q, K, V, root = X @ Wq, X @ Wk, X @ Wv, np.sqrt(Wq.shape[1])
    A = softmax(Q @ K.T / root, axis=1)
    dS = softmax_backward(A, dH @ V.T) / root
    dQ, dK, dV = dS @ K, dS.T @ Q, A @ dH
    return dQ @ Wq.T + dK @ Wk.T + dV @ Wv.T, X.T @ dQ, X.T @ dK, X.T @ dV


@misconception("head_backward", "goes past softmax as if it were not there",
               hint="dA is the gradient for the weights. What is it for the scores?")
def back_past_softmax(X, Wq, Wk, Wv, dH):
    X, Wq, Wk, Wv, dH = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, dH))
    Q, K, V, root = X @ Wq, X @ Wk, X @ Wv, np.sqrt(Wq.shape[1])
    A = softmax(Q @ K.T / root, axis=1)
    dS = dH @ V.T / root
    dQ, dK, dV = dS @ K, dS.T @ Q, A.T @ dH
    return dQ @ Wq.T + dK @ Wk.T + dV @ Wv.T, X.T @ dQ, X.T @ dK, X.T @ dV


@misconception("head_backward", "turns the gradient for the weights",
               hint="dA[i, j] is for the weight with which i reads j. Whose dH and whose value meet there?")
def back_with_dA_turned(X, Wq, Wk, Wv, dH):
    X, Wq, Wk, Wv, dH = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, dH))
    Q, K, V, root = X @ Wq, X @ Wk, X @ Wv, np.sqrt(Wq.shape[1])
    A = softmax(Q @ K.T / root, axis=1)
    dS = softmax_backward(A, V @ dH.T) / root
    dQ, dK, dV = dS @ K, dS.T @ Q, A.T @ dH
    return dQ @ Wq.T + dK @ Wk.T + dV @ Wv.T, X.T @ dQ, X.T @ dK, X.T @ dV


@misconception("head_backward", "exchanges dWq and dWk",
               hint="Nudge an entry of Wq alone. Which of your two gradients tells the change of the loss?")
def back_exchanged(X, Wq, Wk, Wv, dH, right=head_backward):
    dX, dWq, dWk, dWv = right(X, Wq, Wk, Wv, dH)
    return dX, dWk, dWq, dWv


@misconception("head_backward", "returns dX last",
               hint="All parts are right. In which order does the docstring ask for them?")
def back_with_dX_last(X, Wq, Wk, Wv, dH, right=head_backward):
    dX, *others = right(X, Wq, Wk, Wv, dH)
    return *others, dX


@misconception("head_backward", "returns the gradients of maps turned",
               hint="A gradient has the shape of what it is for. Which shape has Wq, and which your dWq?")
def back_turned(X, Wq, Wk, Wv, dH, right=head_backward):
    dX, *others = right(X, Wq, Wk, Wv, dH)
    return dX, *(part.T for part in others)


@misconception("head_backward", "returns the gradients of queries, keys and values instead of their maps",
               hint="dQ is not yet dWq. By which product was Q made?")
def back_to_queries(X, Wq, Wk, Wv, dH, right=head_backward):
    X, Wq, Wk, Wv, dH = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, dH))
    Q, K, V, root = X @ Wq, X @ Wk, X @ Wv, np.sqrt(Wq.shape[1])
    A = softmax(Q @ K.T / root, axis=1)
    dS = softmax_backward(A, dH @ V.T) / root
    return right(X, Wq, Wk, Wv, dH)[0], dS @ K, dS.T @ Q, A.T @ dH


@misconception("head_backward", "takes means over the words",
               hint="Your gradients are too small by the number of words. Does a 1/n stand in the formulas?")
def back_with_means(X, Wq, Wk, Wv, dH, right=head_backward):
    return tuple(part / len(X) for part in right(X, Wq, Wk, Wv, dH))


@misconception("head_backward", "adds a residual path",
               hint="H = A V: is X added to it?")
def back_with_residual(X, Wq, Wk, Wv, dH, right=head_backward):
    dX, *others = right(X, Wq, Wk, Wv, dH)
    return dX + np.resize(np.asarray(dH, dtype=float), dX.shape), *others


@misconception("head_backward", "ignores the gradient that comes in",
               hint="With dH twice as large every gradient doubles. Do yours?")
def back_from_ones(X, Wq, Wk, Wv, dH, right=head_backward):
    return right(X, Wq, Wk, Wv, np.ones(np.shape(dH)))


@misconception("head_backward", "divides Wq in place", hint=IN_PLACE)
def back_in_place(X, Wq, Wk, Wv, dH):
    X, Wk, Wv, dH = (np.asarray(part, dtype=float) for part in (X, Wk, Wv, dH))
    Wq, root = np.asarray(Wq), np.sqrt(Wk.shape[1])
    if Wq.dtype.kind != "f":
        Wq = Wq.astype(float)
    Wq /= root
    Q, K, V = X @ Wq, X @ Wk, X @ Wv
    A = softmax(Q @ K.T, axis=1)
    dS = softmax_backward(A, dH @ V.T)
    dQ, dK, dV = dS @ K, dS.T @ Q, A.T @ dH
    return dQ @ Wq.T + dK @ Wk.T + dV @ Wv.T, X.T @ dQ / root, X.T @ dK, X.T @ dV
