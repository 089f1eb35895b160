# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 7 Induction: a head you find, then test by removing it
#
# Show a language model a name that it has never met, and two lines later it spells the name right. Training
# cannot have taught it that name: it must look it up in the text. Here you train one of the smallest models
# that can do this, two layers of attention and nothing else, and ask *how* it does. Its patterns will suggest
# an answer. To suggest is not to show: you will then remove heads, one at a time, and measure what is lost.
# Functions take and return torch tensors (whole numbers are LongTensors) and leave what they are given as is.
#
# ## 1 Texts that repeat themselves
#
# Our texts have 24 tokens out of 24 letters. A block of 4 to 12 random letters is repeated to the end. The
# first time around nothing can be predicted; after that nearly everything can, by a reader who looks back.

# %%
import contextlib

import torch
from torch import nn
from torch.nn.functional import cross_entropy

from autograder import check, show_attention, show_matrices, show_presets, show_training, while_grading

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWX"
torch.set_num_threads(1)  # a model as small as ours only loses time by sharing it out
# %% nbgrader={"grade_id": "repeated_tokens_stub", "solution": true}
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
    ### BEGIN SOLUTION
    periods = torch.randint(min_period, max_period + 1, (batch,), generator=generator)
    blocks = torch.randint(vocab, (batch, length), generator=generator)
    return blocks.gather(1, torch.arange(length) % periods[:, None]), periods
    ### END SOLUTION
# %% nbgrader={"grade_id": "repeated_tokens", "grade": true, "points": 2}
check("repeated_tokens")
# %%
for text in repeated_tokens(3, 24, 24, 4, 12, torch.Generator().manual_seed(3))[0]:
    print(*(LETTERS[token] for token in text))

# %% [markdown]
# ## 2 A layer of heads
#
# The layer is that of lesson 5, for a batch of texts. One thing is up to us: where the heads lie in its
# matrices. To take a head out later, you need to know which numbers are its own.
# %% nbgrader={"grade_id": "CausalHeads_stub", "solution": true}
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
        ### BEGIN SOLUTION
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v, self.o = (nn.Linear(d, d, bias=False) for _ in range(4))
        self.register_buffer("future", torch.ones(length, length, dtype=torch.bool).triu(1))
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        B, T, d = x.shape
        q, k, v = (map(x).view(B, T, self.heads, -1).transpose(1, 2) for map in (self.q, self.k, self.v))
        scores = q @ k.transpose(2, 3) / q.shape[3] ** 0.5  # (B, heads, T, T)
        A = scores.masked_fill(self.future[:T, :T], -torch.inf).softmax(dim=-1)
        return self.o((A @ v).transpose(1, 2).reshape(B, T, d)), A
        ### END SOLUTION
# %% nbgrader={"grade_id": "CausalHeads", "grade": true, "points": 4}
check("CausalHeads")
# %% [markdown]
# ## 3 A loss that counts what can be known
#
# Stand at the end of the first block: will it start again, or go on? No one can tell. One place later the
# first letter has come back, and from there on the text can be known. There we measure.
# %% nbgrader={"grade_id": "repeat_loss_stub", "solution": true}
def repeat_loss(logits, tokens, periods):
    """Cross-entropy of the next token, from the first repeated token on.

    mean of −log softmax(logits[b, t])[tokens[b, t + 1]] over all pairs (b, t) with periods[b] ≤ t ≤ T − 2

    A single mean: each pair of the batch counts the same, whichever text it is from.
    logits: (B, T, vocab). tokens: integers (B, T). periods: integers (B,); a text with a period above T − 2
    has no such place and adds nothing, but there is at least one pair. Logits near ±1000 are fine.
    Returns a scalar tensor, from which gradients flow back to the logits.
    """
    ### BEGIN SOLUTION
    counted = torch.arange(tokens.shape[1] - 1) >= periods[:, None]  # (B, T − 1)
    return cross_entropy(logits[:, :-1][counted], tokens[:, 1:][counted])
    ### END SOLUTION
# %% nbgrader={"grade_id": "repeat_loss", "grade": true, "points": 3}
check("repeat_loss")
# %% [markdown]
# The model adds what you know: vectors for tokens, learned vectors for places, residuals. No normalization,
# no feed-forward layers. It is given, and so is the training, of less than a minute.

# %%
class AttentionOnly(nn.Module):
    """tokens (B, T) → (logits (B, T, vocab), [A of each layer])"""
    def __init__(self, vocab, length, d, heads, layers=2):
        super().__init__()
        self.heads = heads
        self.embed, self.place = (nn.Parameter(torch.randn(size, d) / 2) for size in (vocab, length))
        self.layers = nn.ModuleList(CausalHeads(d, heads, length) for _ in range(layers))
        self.out = nn.Linear(d, vocab, bias=False)

    def forward(self, tokens):
        x, patterns = self.embed[tokens] + self.place[: tokens.shape[1]], []
        for layer in self.layers:
            update, A = layer(x)
            x, patterns = x + update, [*patterns, A]
        return self.out(x), patterns

def train(steps, min_period=4, max_period=12, seed=0):
    torch.manual_seed(seed)
    model, generator, losses = AttentionOnly(24, 24, 48, heads=4), torch.Generator().manual_seed(seed), []
    adam = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for _ in range(5 if while_grading() else steps):
        tokens, periods = repeated_tokens(64, 24, 24, min_period, max_period, generator)
        loss = repeat_loss(model(tokens)[0], tokens, periods)
        adam.zero_grad()
        loss.backward()
        adam.step()
        losses.append(loss.item())
    return model, losses
model, losses = train(2000)
show_training(losses, title="Loss on texts that repeat")
tokens, periods = repeated_tokens(256, 24, 24, 4, 12, torch.Generator().manual_seed(1))  # new texts
with torch.no_grad():
    logits, patterns = model(tokens)
print(f"loss on new texts: {repeat_loss(logits, tokens, periods):.2f}")

# %% [markdown]
# Guessing costs log 24 = 3.18. Most is won in 200 steps; the rest is hard, as a block may repeat a letter.
#
# ## 4 Who reads the letter before?
#
# How may it work? To go on after …CAB…CA, the last A has to find *what came after the A before*: B. But B's
# row says "B, place 2", and nothing about A; unless a head of an earlier layer has read the letter before and
# written it there. Such a head would be easy to see.
# %% nbgrader={"grade_id": "previous_token_score_stub", "solution": true}
def previous_token_score(A):
    """How much each head reads the token just before: the mean of A[b, head, t, t − 1] over all b and t ≥ 1.

    A: patterns (B, h, T, T), 32- or 64-bit floats, T at least 2. Returns a tensor (h,), of shares up to 1.
    """
    ### BEGIN SOLUTION
    return A.diagonal(-1, dim1=2, dim2=3).mean(dim=(0, 2))
    ### END SOLUTION
# %% nbgrader={"grade_id": "previous_token_score", "grade": true, "points": 1}
check("previous_token_score")
# %%
HEADS, LAYERS = [f"head {i}" for i in range(4)], ["layer 0", "layer 1"]
previous = torch.stack([previous_token_score(A) for A in patterns])  # (2, 4)
show_matrices({"previous-token score": previous}, rows=LAYERS, columns=HEADS)
before = int(previous[0].argmax())  # the head of layer 0 that does it most
words = [LETTERS[token] for token in tokens[0]]
show_attention(patterns[0][0, before], words, title=f"Layer 0, head {before}")

# %% [markdown]
# In the run described here head 1 scores .92: its shares lie on the line just below the diagonal, but for the
# last row (the loss asks nothing of the last place, so nothing was learned there). In yours it may be another
# head: processors round differently, and 2 000 steps blow that up. So the cells below go by its score.
#
# ## 5 Who reads what came after?
#
# The second half of the guess: a head of layer 1 looks for rows into which *my own* letter was written. They
# stand one place after each earlier copy of it: at t − period + 1, t − 2 · period + 1, and so on.
# %% nbgrader={"grade_id": "induction_score_stub", "solution": true}
def induction_score(A, periods):
    """How much each head reads the tokens that came after earlier copies of the token it stands on.

    For each text b and each t ≥ periods[b], up to T − 1 included: the share of t that falls on the places
    t − k · periods[b] + 1, summed over all k = 1, 2, ... for which the place is at least 0.
    The score of a head is the mean of these over all such pairs (b, t) together, each counted the same.

    A: patterns (B, h, T, T). periods: integers (B,), from 1 upward; a text with a period above T − 1 adds
    nothing, but there is at least one pair. Returns a tensor (h,).
    """
    ### BEGIN SOLUTION
    *_, T = A.shape
    t = torch.arange(T)
    back = t[:, None] - t + 1  # (T, T): from s to t + 1
    after = (back % periods[:, None, None] == 0).tril()  # (B, T, T)
    shares = (A * after[:, None]).sum(dim=-1)  # (B, h, T)
    return shares.transpose(1, 2)[t >= periods[:, None]].mean(dim=0)
    ### END SOLUTION
# %% nbgrader={"grade_id": "induction_score", "grade": true, "points": 3}
check("induction_score")
# %%
induction = torch.stack([induction_score(A, periods) for A in patterns])
show_matrices({"induction score": induction}, rows=LAYERS, columns=HEADS)
after = int(induction[1].argmax())

def pattern(layer, head, period):
    text, _ = repeated_tokens(1, 24, 24, period, period, torch.Generator().manual_seed(5))
    with torch.no_grad():
        return {"A": model(text)[1][layer][0, head]}

show_presets(pattern, {"reads the letter before": {"layer": 0, "head": before, "period": 6},
                       "reads what came after": {"layer": 1, "head": after, "period": 6}},
             dict(layer=range(2), head=range(4), period=range(4, 13)), rows=range(24), columns=range(24))

# %% [markdown]
# All four heads of layer 1 are such **induction heads**: they score about .9; none of layer 0 does. In the
# second picture, after the first block, each letter reads those that followed it in one block or several.
#
# **Question.** …CAB…CA: in layer 1, the last A reads the row of B. What made B's key fit A's query?
# - **a** B's row holds the letter A: a head of layer 0 had read it there and wrote it into B's row.
# - **b** B's row holds the letter B, and the query asks for the letter that has to come next.
# - **c** B's place lies exactly one period minus one before the place of the last A.
# - **d** A's row holds the letter B: a head of layer 0 had written the next letter into it.
# %% tags=["question"] nbgrader={"grade_id": "what_fits_stub", "solution": true}
answer = None  # write "a", "b", "c" or "d"
### BEGIN SOLUTION
answer = "a"
### END SOLUTION
# %% nbgrader={"grade_id": "what_fits", "grade": true, "points": 1}
check("what_fits")
# %% [markdown]
# ## 6 Take it out
#
# So far we have a story: patterns that look as if. If the story is true, then without its previous-token head
# the model must fail. To remove a head, let all of the layer go on, but let this one hand over nothing: zeros
# in place of its mixture, where `o` reads it. And put it back afterwards, whatever happens.
# %% nbgrader={"grade_id": "ablated_stub", "solution": true}
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
    ### BEGIN SOLUTION
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
    ### END SOLUTION
# %% nbgrader={"grade_id": "ablated", "grade": true, "points": 3}
check("ablated")
# %% nbgrader={"grade_id": "ablation_table_stub", "solution": true}
def ablation_table(model, tokens, periods):
    """What each head is worth: by how much the loss rises when it alone is removed.

    table[layer, head] = repeat_loss without that head − repeat_loss of the whole model

    model: as for `ablated`, with any number of layers; model(tokens) returns the pair (logits, patterns).
    Returns a tensor (layers, heads), with a negative number where removal helps.
    """
    ### BEGIN SOLUTION
    def loss():
        with torch.no_grad():
            return repeat_loss(model(tokens)[0], tokens, periods)

    table = torch.zeros(len(model.layers), model.heads)
    for layer in range(len(model.layers)):
        for head in range(model.heads):
            with ablated(model, layer, head):
                table[layer, head] = loss()
    return table - loss()
    ### END SOLUTION
# %% nbgrader={"grade_id": "ablation_table", "grade": true, "points": 2}
check("ablation_table")
# %%
table = ablation_table(model, tokens, periods)
show_matrices({"the loss rises by": table}, rows=LAYERS, columns=HEADS)

# %% [markdown]
# Without head 1 of layer 0 the loss rises by 2.4, most of the way back to guessing. **The test agrees with
# the story**: this model depends on that head. But layer 1? Four heads with scores near .9, and none costs
# more than .05. Is the second half of the story wrong? Remove several at once.
# %%
def without(*heads):
    """The loss, and the induction scores in layer 1, without these heads."""
    with contextlib.ExitStack() as removed, torch.no_grad():
        for head in heads:
            removed.enter_context(ablated(model, *head))
        logits, patterns = model(tokens)
        return repeat_loss(logits, tokens, periods), induction_score(patterns[1], periods)

layer_1 = [(1, head) for head in range(4)]
print(f"loss without layer 1: {without(*layer_1)[0]:.2f}")
print("with one head of it: ", *(f"{without(*layer_1[:i], *layer_1[i + 1 :])[0]:.2f}" for i in range(4)))
print("induction scores without the previous-token head:", *(f"{x:.2f}" for x in without((0, before))[1]))

# %% [markdown]
# Without layer 1 nothing is left (3.5); any single head of it brings the loss down to 1.1. **The four do the
# same and cover for each other**: one removal at a time does not see what several share. The last line shows
# that the layers work together: without that head of layer 0, layer 1 no longer finds its rows (.2). Other
# seeds spread the first half over several heads, too: there the dearest removal costs between .2 and 2.6.
#
# **Question.** A head has an induction score of .9, and removing it raises the loss by .03. What follows?
# - **a** Its score is misleading: the head does something else than the score says.
# - **b** It is of no use: the model would have learned as well with one head less.
# - **c** The model as it is can do without it; whether others do the same, removing them together can tell.
# - **d** It is worth 3 % of the model's performance, since increases add up to the whole.
# %% tags=["question"] nbgrader={"grade_id": "score_and_cost_stub", "solution": true}
answer = None  # write "a", "b", "c" or "d"
### BEGIN SOLUTION
answer = "c"
### END SOLUTION
# %% nbgrader={"grade_id": "score_and_cost", "grade": true, "points": 1}
check("score_and_cost")
# %% [markdown]
# ## 7 Does it have to be so?
#
# Change one thing about the texts: the period is always 8.
# %%
fixed, losses = train(500, 8, 8)
text, period = repeated_tokens(256, 24, 24, 8, 8, torch.Generator().manual_seed(1))
with torch.no_grad():
    logits, found = fixed(text)
print(f"loss {repeat_loss(logits, text, period):.2f}, previous-token scores", previous_token_score(found[0]))

# %% [markdown]
# Solved, and no head reads the letter before. With a fixed period the answer stands seven places back, and
# places alone will do. A circuit is an answer to the data, not a property of attention.
#
# **Question.** Which of these holds for every model of this kind, whatever it was trained on?
# - **a** One head of layer 0 reads the token before, one head of layer 1 reads what came after.
# - **b** The head whose removal costs most is the one with the highest score.
# - **c** With the same data and steps, another seed puts the same role into another head of the same layer.
# - **d** Keys of layer 0 hold nothing about the token before, so none of its heads can look for that.
# %% tags=["question"] nbgrader={"grade_id": "guaranteed_stub", "solution": true}
answer = None  # write "a", "b", "c" or "d"
### BEGIN SOLUTION
answer = "d"
### END SOLUTION
# %% nbgrader={"grade_id": "guaranteed", "grade": true, "points": 1}
check("guaranteed")
# %% [markdown] nbgrader={"grade_id": "written_found_and_tested", "task": true, "points": 3}
# **In your own words.** A classmate writes: "Layer 0 remembers the letter before and layer 1 copies. Removal
# proves it for layer 0 and refutes it for layer 1." In four to six sentences, with numbers of your own run:
# what did scores and removals show, and what did neither? Propose one more experiment.
#
# === BEGIN MARK SCHEME ===
# 1 point: a score describes where a head reads and suggests a role; removing it shows that *this* model needs
# it (with numbers of a run). "Proof" of the role in general: no; another seed may differ.
#
# 1 point: nothing is refuted for layer 1: its heads cover for each other, as removing all of them shows.
#
# 1 point: something neither shows, and an experiment with its possible outcomes, such as: texts without any
# repetition (is the head good for repeats only?); more seeds; what a head hands over, not where it reads.
# === END MARK SCHEME ===
# %% [markdown]
# *Write your answer here.*

# %% [markdown]
# ## Summary
#
# - A score finds a candidate, removal tests it, and removing several finds those that cover for each other.
# - Here one layer writes "what came before me" into each row, and the next looks for it.
# - All this holds for one model, for these texts, and for zeros in the place of what a head hands over.
#
# ## Further reading
#
# - Olsson et al. 2022, *In-context Learning and Induction Heads*: the same in large language models.
# - *TransformerLens*: a library for looking into trained models, and for removing parts of them.
