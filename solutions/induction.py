"""Generated from source/induction/induction.py by `autograder build`: edit that instead."""

import contextlib
import torch
from torch import nn
from torch.nn.functional import cross_entropy


def repeated_tokens(batch, length, vocab, min_period, max_period, generator):
    """Texts in which a random block of tokens is repeated.

    tokens[b, t] = block_b[t mod periods[b]],  t = 0 ... length − 1

    Each of the `batch` texts has a period and a block of its own. The period is uniform over the whole
    numbers from min_period to max_period, both included (1 ≤ min_period ≤ max_period ≤ length); the block
    has so many tokens, each uniform over 0 ... vocab − 1, drawn with replacement.
    All chance comes from `generator`, a torch Generator, which goes on from one call to the next.
    Returns the pair (tokens, periods): LongTensors of shapes (batch, length) and (batch,).
    (Not graded: draw all periods by one torch.randint, then `length` tokens for each text by another, of
    which you use the first ones, and you get the very run that the page describes.)
    """
    periods = torch.randint(min_period, max_period + 1, (batch,), generator=generator)
    blocks = torch.randint(vocab, (batch, length), generator=generator)
    return blocks.gather(1, torch.arange(length) % periods[:, None]), periods


class CausalHeads(nn.Module):
    """One layer of causal self-attention, all heads in parallel; layer(x) → (update, A).

    Its only parameters are four maps `q`, `k`, `v`, `o`, made in this order: nn.Linear(d, d) without bias.
    With w = d / heads, head i owns the entries i·w ... (i+1)·w − 1 of the rows q(x), k(x) and v(x):

    A[b, i, t, s] = softmax over s ≤ t of q_t · k_s / √w, and exactly 0 for s > t, however large the scores
    mixture_i[b, t] = Σ_s A[b, i, t, s] v_s
    update = o(all mixtures side by side, head 0's first)

    x: (B, T, d), any B, T from 1 to `length`. Returns the pair (update, A), shapes (B, T, d) and
    (B, heads, T, T). No residual here: the model adds the update to x. `heads` divides d.
    """

    def __init__(self, d, heads, length):
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v, self.o = (nn.Linear(d, d, bias=False) for _ in range(4))
        self.register_buffer("future", torch.ones(length, length, dtype=torch.bool).triu(1))

    def forward(self, x):
        B, T, d = x.shape
        q, k, v = (map(x).view(B, T, self.heads, -1).transpose(1, 2) for map in (self.q, self.k, self.v))
        scores = q @ k.transpose(2, 3) / q.shape[3] ** 0.5  # (B, heads, T, T)
        A = scores.masked_fill(self.future[:T, :T], -torch.inf).softmax(dim=-1)
        return self.o((A @ v).transpose(1, 2).reshape(B, T, d)), A


def repeat_loss(logits, tokens, periods):
    """Cross-entropy of the next token, from the first repeated token on.

    mean of −log softmax(logits[b, t])[tokens[b, t + 1]] over all pairs (b, t) with periods[b] ≤ t ≤ T − 2

    A single mean: each pair of the batch counts the same, whichever text it is from.
    logits: (B, T, vocab). tokens: integers (B, T). periods: integers (B,); a text with a period above T − 2
    has no such place and adds nothing, but there is at least one pair. Logits near ±1000 are fine.
    Returns a scalar tensor, from which gradients flow back to the logits.
    """
    counted = torch.arange(tokens.shape[1] - 1) >= periods[:, None]  # (B, T − 1)
    return cross_entropy(logits[:, :-1][counted], tokens[:, 1:][counted])


def previous_token_score(A):
    """How much each head reads the token just before: the mean of A[b, head, t, t − 1] over all b and t ≥ 1.

    A: patterns (B, h, T, T), 32- or 64-bit floats, T at least 2. Returns a tensor (h,), of shares up to 1.
    """
    return A.diagonal(-1, dim1=2, dim2=3).mean(dim=(0, 2))


def induction_score(A, periods):
    """How much each head reads the tokens that came after earlier copies of the token it stands on.

    For each text b and each t ≥ periods[b], up to T − 1 included: the share of t that falls on the places
    t − k · periods[b] + 1, summed over all k = 1, 2, ... for which the place is at least 0.
    The score of a head is the mean of these over all such pairs (b, t) together, each counted the same.

    A: patterns (B, h, T, T). periods: integers (B,), from 1 upward; a text with a period above T − 1 adds
    nothing, but there is at least one pair. Returns a tensor (h,).
    """
    *_, T = A.shape
    t = torch.arange(T)
    back = t[:, None] - t + 1  # (T, T): from s to t + 1
    after = (back % periods[:, None, None] == 0).tril()  # (B, T, T)
    shares = (A * after[:, None]).sum(dim=-1)  # (B, h, T)
    return shares.transpose(1, 2)[t >= periods[:, None]].mean(dim=0)


@contextlib.contextmanager
def ablated(model, layer, head):
    """A context in which one head adds nothing:  with ablated(model, 0, 2): logits, patterns = model(tokens)

    Inside, the mixture of that head is replaced by zeros before `o` of that layer; everything else is
    computed as ever, and the model is the same object. Afterwards it is exactly as before, also where an
    exception ended the block (which must get out of it), or where blocks are nested or follow one another.

    model: AttentionOnly, or any module with `heads` (a number) and `layers`, each of them a module with a
    Linear `o` that reads the mixtures of all heads side by side, head 0's first. Nothing else about the
    layers is known: where their patterns come from is their own affair. layer and head count from 0.
    (The decorator makes such a context out of a generator function; without it, a class does as well.)
    """
    o = model.layers[layer].o
    width = o.in_features // model.heads

    def silence(_, inputs):
        mixtures = inputs[0].clone()
        mixtures[..., head * width : (head + 1) * width] = 0
        return (mixtures,)

    hook = o.register_forward_pre_hook(silence)
    try:
        yield model
    finally:
        hook.remove()


def ablation_table(model, tokens, periods):
    """What each head is worth: by how much the loss rises when it alone is removed.

    table[layer, head] = repeat_loss without that head − repeat_loss of the whole model

    model: as for `ablated`, with any number of layers; model(tokens) returns the pair (logits, patterns).
    Returns a tensor (layers, heads), with a negative number where removal helps.
    """
    def loss():
        with torch.no_grad():
            return repeat_loss(model(tokens)[0], tokens, periods)

    table = torch.zeros(len(model.layers), model.heads)
    for layer in range(len(model.layers)):
        for head in range(model.heads):
            with ablated(model, layer, head):
                table[layer, head] = loss()
    return table - loss()


ANSWERS = {
    "what_fits": "a",
    "score_and_cost": "c",
    "guaranteed": "d",
}
