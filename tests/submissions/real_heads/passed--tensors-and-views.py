import torch


def multi_head(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (torch.as_tensor(each).double() for each in (X, Wq, Wk, Wv, Wo))
    Q, K, V = X @ Wq, X @ Wk, X @ Wv
    scores = Q @ K.transpose(1, 2) / Q.shape[2] ** 0.5
    if causal:
        scores = scores.masked_fill(torch.ones(len(X), len(X)).triu(1).bool(), float("-inf"))
    A = scores.softmax(-1)
    return A, torch.cat(list(A @ V), dim=1) @ Wo


def head_parameters(state, layer):
    def get(name):
        return state[f"encoder.layer.{layer}.attention.{name}"]

    def heads(part):
        tall = torch.vstack([get(f"self.{part}.weight").T, get(f"self.{part}.bias")])
        return torch.stack(tall.chunk(12, dim=1))

    Wo, bo = get("output.dense.weight").T, get("output.dense.bias")
    return heads("query"), heads("key"), heads("value"), Wo, bo
