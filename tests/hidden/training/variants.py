"""Right answers written differently: each must get every point."""

import math
from collections import Counter, defaultdict

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from autograder.grading.suite import variant
from solutions.training import encode, softmax_backward

# encode


@variant("encode", "a LongTensor, filled word by word")
def encoded_word_by_word(tokens, vocab):
    ids = torch.zeros(len(tokens), dtype=torch.long)
    for place, token in enumerate(tokens):
        ids[place] = vocab[token]
    return ids


@variant("encode", "map, and an array in between")
def encoded_by_map(tokens, vocab):
    return torch.from_numpy(np.fromiter(map(vocab.get, tokens), dtype=np.int64))


@variant("encode", "stacked tensors")
def encoded_by_stacking(tokens, vocab):
    return torch.stack([torch.tensor(vocab[token]) for token in list(tokens)]).long()


# OneHeadSense


@variant("OneHeadSense", "only the last row is mixed, with torch's own attention for it")
class SenseByLibrary(nn.Module):
    def __init__(self, vocab_size, d=8):
        super().__init__()
        self.emb = nn.Embedding(vocab_size, d)
        self.Wq = nn.Linear(d, d, bias=False)
        self.Wk = nn.Linear(d, d, bias=False)
        self.Wv = nn.Linear(d, d, bias=False)
        self.cls = nn.Linear(d, 2)

    def forward(self, ids, return_attention=False):
        x = self.emb(ids)[None]
        q, k, v = self.Wq(x), self.Wk(x), self.Wv(x)
        logits = self.cls(functional.scaled_dot_product_attention(q[:, -1:], k, v)).reshape(2)
        if return_attention:
            one = torch.eye(len(ids))[None]  # as values, it shows the weights
            return logits, functional.scaled_dot_product_attention(q, k, one)[0]
        return logits


@variant("OneHeadSense", "log-probabilities, fourth roots on both sides")
class SenseOfLogarithms(nn.Module):
    def __init__(self, vocab_size, d=8):
        super().__init__()
        self.emb = nn.Embedding(vocab_size, d)
        for name in ("Wq", "Wk", "Wv"):
            setattr(self, name, nn.Linear(d, d, bias=False))
        self.cls = nn.Linear(d, 2)
        self.root = math.sqrt(math.sqrt(d))

    def forward(self, ids, return_attention=False):
        rows = torch.stack([self.emb.weight[i] for i in ids])
        S = torch.einsum("ik,jk->ij", self.Wq(rows) / self.root, self.Wk(rows) / self.root)
        A = torch.exp(S - S.max(dim=1, keepdim=True).values)
        A = A / A.sum(dim=1, keepdim=True)
        out = torch.log_softmax(self.cls(A[-1] @ self.Wv(rows)), dim=0)
        return [out, A] if return_attention else out


@variant("OneHeadSense", "the mixture before the value map, matrices without modules, a buffer besides")
class SenseByMatrices(nn.Module):
    def __init__(self, vocab_size, d=8):
        super(SenseByMatrices, self).__init__()
        self.emb = nn.Embedding(num_embeddings=vocab_size, embedding_dim=d)
        self.Wq, self.Wk, self.Wv = [nn.Linear(d, d, False) for _ in range(3)]
        self.cls = nn.Linear(d, 2)
        self.register_buffer("scale", torch.tensor(d ** -0.5))

    def forward(self, ids, return_attention=False):
        x = functional.embedding(ids, self.emb.weight)
        scores = x @ self.Wq.weight.T @ self.Wk.weight @ x.mT * self.scale
        A = functional.softmax(scores, dim=1)
        logits = self.cls.weight @ (self.Wv.weight @ (A[len(A) - 1] @ x)) + self.cls.bias
        if not return_attention:
            return logits
        return logits, A


# count_parameters


@variant("count_parameters", "shapes multiplied, by names")
def count_by_shapes(model):
    total = 0
    for _, parameter in model.named_parameters():
        total += math.prod(parameter.shape)
    return total


@variant("count_parameters", "one long vector")
def count_of_vector(model):
    return len(nn.utils.parameters_to_vector(model.parameters()))


@variant("count_parameters", "sizes of arrays, a numpy number returned")
def count_by_arrays(model):
    return np.sum([np.size(parameter.detach().numpy()) for parameter in model.parameters()])


# train


@variant("train", "likelihoods by hand, a list of tensors returned")
def train_by_likelihoods(model, examples, vocab, steps=300, lr=0.05):
    optimizer = torch.optim.Adam(model.parameters(), lr)
    history = []
    for _ in range(steps):
        found = []
        for tokens, label in examples:
            optimizer.zero_grad(set_to_none=False)
            loss = -torch.log_softmax(model(encode(tokens, vocab)), -1)[label]
            loss.backward()
            optimizer.step()
            found.append(loss.detach())
        history.append(torch.stack(found).mean())
    return history


@variant("train", "a batch of one, everything encoded beforehand, the fused Adam")
def train_on_batches(model, examples, vocab, steps=300, lr=0.05):
    model.train()
    data = [(encode(tokens, vocab), torch.tensor([label])) for tokens, label in examples]
    criterion, adam = nn.CrossEntropyLoss(), torch.optim.Adam(model.parameters(), lr=lr, fused=True)
    losses = np.zeros((steps, len(data)))
    for step in range(steps):
        for number, (ids, target) in enumerate(data):
            loss = criterion(model(ids).unsqueeze(0), target)
            model.zero_grad()
            loss.backward()
            adam.step()
            losses[step, number] = loss
    return losses.mean(axis=1).tolist()


@variant("train", "Adam by its formulas, in place")
def train_by_formulas(model, examples, vocab, steps=300, lr=0.05):
    parameters = list(model.parameters())
    m, v = ([torch.zeros_like(p) for p in parameters] for _ in range(2))
    t, losses = 0, []
    for _ in range(steps):
        total = 0
        for tokens, label in examples:
            t += 1
            loss = functional.cross_entropy(model(encode(tokens, vocab)), torch.tensor(label))
            slopes = torch.autograd.grad(loss, parameters)
            total += float(loss)
            with torch.no_grad():
                for i, (p, g) in enumerate(zip(parameters, slopes)):
                    m[i] = 0.9 * m[i] + 0.1 * g
                    v[i] = 0.999 * v[i] + 0.001 * g * g
                    p -= lr * (m[i] / (1 - 0.9**t)) / ((v[i] / (1 - 0.999**t)).sqrt() + 1e-8)
        losses.append(total / len(examples))
    return losses


# predict


@variant("predict", "a Counter, weights of numpy")
def predict_by_counter(model, tokens, vocab):
    logits, A = model(encode(tokens, vocab), return_attention=True)
    read = Counter()
    for token, weight in zip(tokens, A[-1].detach().numpy()):
        read[token] += weight
    return torch.argmax(logits).item(), dict(read)


@variant("predict", "a defaultdict of tensors, probabilities compared")
def predict_by_tensors(model, tokens, vocab):
    logits, A = model(encode(tokens, vocab), True)
    water, finance = torch.softmax(logits.detach(), dim=0)
    read = defaultdict(lambda: torch.zeros(()))
    for place, token in enumerate(tokens):
        read[token] = read[token] + A[len(tokens) - 1, place].detach()
    return int(finance > water), read


@variant("predict", "a sum for each word, returned as a list")
def predict_by_sums(model, tokens, vocab):
    with torch.inference_mode():
        logits, A = model(encode(tokens, vocab), return_attention=True)
    last = A.tolist()[-1]
    read = {word: sum(w for token, w in zip(tokens, last) if token == word) for word in set(tokens)}
    return [max((0, 1), key=lambda label: logits[label].item()), read]


# sgd_step


@variant("sgd_step", "torch's own SGD")
def step_by_torch(model, ids, label, lr):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    optimizer.zero_grad()
    loss = nn.CrossEntropyLoss()(model(ids)[None], torch.tensor([label]))
    loss.backward()
    gradients = {}
    for name, parameter in model.named_parameters():
        gradients[name] = parameter.grad.detach().clone()
    optimizer.step()
    return loss.detach(), gradients


@variant("sgd_step", "gradients without backward, numbers moved by .data")
def step_by_grad(model, ids, label, lr):
    names, parameters = zip(*model.named_parameters())
    loss = -model(ids).log_softmax(0)[label]
    slopes = torch.autograd.grad(loss, parameters)
    for parameter, slope in zip(parameters, slopes):
        parameter.data = parameter.data - lr * slope
    return float(loss), dict(zip(names, slopes))


@variant("sgd_step", "a state dict loaded, arrays returned as a list")
def step_by_state(model, ids, label, lr):
    for parameter in model.parameters():
        parameter.grad = None
    loss = functional.nll_loss(functional.log_softmax(model(ids), dim=0), torch.tensor(label))
    loss.backward()
    gradients = {name: parameter.grad.numpy().copy() for name, parameter in model.named_parameters()}
    moved = {name: model.state_dict()[name] - lr * torch.from_numpy(g) for name, g in gradients.items()}
    model.load_state_dict(moved, strict=False)
    return [loss.item(), gradients]


# softmax_backward


@variant("softmax_backward", "the Jacobian of each row")
def slope_by_jacobians(A, dA):
    rows = []
    for a, slopes in zip(np.asarray(A, dtype=float), np.asarray(dA, dtype=float)):
        rows.append((np.diag(a) - np.outer(a, a)) @ slopes)
    return np.array(rows)


@variant("softmax_backward", "loops, lists returned")
def slope_in_loops(A, dA):
    result = []
    for a, slopes in zip(A, dA):
        mean = sum(float(x) * float(y) for x, y in zip(a, slopes))
        result.append([float(x) * (float(y) - mean) for x, y in zip(a, slopes)])
    return result


@variant("softmax_backward", "einsum, in float32")
def slope_by_einsum(A, dA):
    A, dA = np.asarray(A, dtype=np.float32), np.asarray(dA, dtype=np.float32)
    return A * dA - A * np.einsum("ik,ik->i", A, dA)[:, np.newaxis]


# head_backward


@variant("head_backward", "torch's autograd, tensors returned")
def back_by_autograd(X, Wq, Wk, Wv, dH):
    inputs = [torch.tensor(np.asarray(part, dtype=float), requires_grad=True) for part in (X, Wq, Wk, Wv)]
    x, q, k, v = inputs
    H = torch.softmax(x @ q @ (x @ k).T / q.shape[1] ** 0.5, dim=-1) @ x @ v
    return torch.autograd.grad(H, inputs, torch.tensor(np.asarray(dH, dtype=float)))


@variant("head_backward", "by the form Wq Wkᵀ, word by word")
def back_by_the_form(X, Wq, Wk, Wv, dH):
    X, Wq, Wk, Wv, dH = (np.array(part, dtype=float) for part in (X, Wq, Wk, Wv, dH))
    M, dM = Wq @ Wk.T / math.sqrt(Wq.shape[1]), np.zeros((X.shape[1], X.shape[1]))
    dX, dWv = np.zeros_like(X), np.zeros_like(Wv)
    for i, x in enumerate(X):
        raw = np.exp(X @ M.T @ x - np.max(X @ M.T @ x))
        a = raw / raw.sum()
        slopes = np.asarray(softmax_backward([a], [X @ Wv @ dH[i]]))[0]
        dM += np.outer(x, slopes @ X)
        dWv += np.outer(a @ X, dH[i])
        dX[i] += slopes @ X @ M.T
        dX += np.outer(slopes, x @ M) + np.outer(a, dH[i] @ Wv.T)
    root = math.sqrt(Wq.shape[1])
    return [dX, dM @ Wk / root, dM.T @ Wq / root, dWv]


@variant("head_backward", "einsum, in float32")
def back_by_einsum(X, Wq, Wk, Wv, dH):
    X, Wq, Wk, Wv, dH = (np.asarray(part, dtype=np.float32) for part in (X, Wq, Wk, Wv, dH))
    root = np.float32(Wq.shape[1] ** 0.5)
    S = np.einsum("id,dk,je,ek->ij", X, Wq, X, Wk) / root
    A = np.exp(S - S.max(axis=1, keepdims=True))
    A /= A.sum(axis=1, keepdims=True)
    dA = np.einsum("iv,dv,jd->ij", dH, Wv, X)
    dS = A * (dA - (A * dA).sum(axis=1)[:, None]) / root
    dQ, dK, dV = dS @ X @ Wk, dS.T @ X @ Wq, A.T @ dH
    dX = sum(part @ W.T for part, W in ((dQ, Wq), (dK, Wk), (dV, Wv)))
    return dX, X.T @ dQ, X.T @ dK, X.T @ dV
