# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 9 Decoding: reading a source, writing a target
#
# Until 2014 a translating network read a sentence to its end, handed over **one vector**, and wrote the
# translation from that. Short sentences came out well, long ones did not. Then the writer was allowed to look
# back at every word of the source, and this look was called *attention*. Here you rebuild both, measure how
# far each gets, and then ask whether the likeliest word is the way to the likeliest text. Arrays may also
# come as (nested) lists, of integers or floats; leave them as they were.
#
# ## 1 Two ways to hand over a sentence
#
# Our grammar has one rule: English puts the adjective first, Spanish the noun. So *red house old tower*
# becomes *casa roja torre vieja*. A sentence has up to six such pairs.

# %%
import matplotlib.pyplot as plt
import numpy as np
import torch
from scipy.special import log_softmax, softmax
from torch import nn
from torch.nn.functional import cross_entropy, scaled_dot_product_attention

from autograder import check, show_attention, show_matrices, show_presets, show_training, while_grading

ENGLISH = "<start> <end> red old new white black cold house tower street door table chair".split()
SPANISH = "<start> <end> roja vieja nueva blanca negra fría casa torre calle puerta mesa silla".split()
START, END = 0, 1
torch.set_num_threads(1)  # models as small as ours only lose time by sharing it out

def sentences(count, pairs, generator):
    """Sources (count, 2·pairs), and targets between a start and an end token."""
    adjectives = torch.randint(2, 8, (count, pairs), generator=generator)
    nouns = torch.randint(8, 14, (count, pairs), generator=generator)
    written = torch.stack([nouns, adjectives], 2).flatten(1)
    target = nn.functional.pad(nn.functional.pad(written, (1, 0), value=START), (0, 1), value=END)
    return torch.stack([adjectives, nouns], 2).flatten(1), target

# %% [markdown]
# An **encoder** turns the source into vectors; a **decoder** writes the target, word by word, reading those
# vectors and what it has written so far. Our encoder is recurrent: it updates one state from word to word.
# The two models differ in a single line, which says what is handed over: the last state, or all of them.

# %%
class Block(nn.ModuleDict):
    def __init__(self, d):
        names = ("self_q", "self_k", "self_v", "cross_q", "cross_k", "cross_v")
        super().__init__({name: nn.Linear(d, d, bias=False) for name in names})

    def read(self, which, x, sources):
        q, k, v = (self[f"{which}_{part}"](rows) for part, rows in zip("qkv", (x, sources, sources)))
        return x + scaled_dot_product_attention(q, k, v, is_causal=which == "self")

class Translator(nn.Module):
    def __init__(self, one_vector, d=32, blocks=2):
        super().__init__()
        self.one_vector, self.encoder = one_vector, nn.GRU(d, d, batch_first=True)
        self.source, self.embed, self.place = (nn.Embedding(size, d) for size in (14, 14, 16))
        self.blocks, self.out = nn.ModuleList(Block(d) for _ in range(blocks)), nn.Linear(d, 14, bias=False)

    def encode(self, source):
        states, _ = self.encoder(self.source(source) + self.place.weight[: source.shape[1]])
        return states[:, -1:] if self.one_vector else states  # the difference between the two models

    def forward(self, source, written):
        memory, x = self.encode(source), self.embed(written) + self.place.weight[: written.shape[1]]
        for block in self.blocks:
            x = block.read("cross", block.read("self", x, x), memory)
        return self.out(x)

models, generator = {}, torch.Generator()
for name in ("one vector", "one per word"):
    torch.manual_seed(0), generator.manual_seed(0)
    models[name], losses = Translator(name == "one vector"), []
    adam = torch.optim.Adam(models[name].parameters(), lr=.005)
    for _ in range(5 if while_grading() else 500):
        source, target = sentences(32, int(torch.randint(1, 7, (), generator=generator)), generator)
        loss = cross_entropy(models[name](source, target[:, :-1]).flatten(0, 1), target[:, 1:].flatten())
        adam.zero_grad()
        loss.backward()
        adam.step()
        losses.append(loss.item())
    show_training(losses, title=name)

# %% [markdown]
# Same data, same start. (The first loss jumps with the length of the sentences drawn.) To see more, we take
# the models apart and run them in numpy.
#
# ## 2 What attention adds
#
# The decoder's state says what it needs next, the source has a row for each of its words: cross-attention,
# as in lesson 4, with a single reader.

# %% nbgrader={"grade_id": "read_source_stub", "solution": true}
def read_source(state, memory, params):
    """One look of the decoder at the source.

    q = state cross_q,  K = memory cross_k,  V = memory cross_v
    weights = softmax of K q / √d_k;   context = Σ_s weights_s V_s

    state: (d,), a row of the decoder. memory: (m, d_m), a row for each source word, m from 1 upward.
    params: a dict of the matrices "cross_q" (d, d_k), "cross_k" (d_m, d_k), "cross_v" (d_m, d_v), perhaps of
    others. Returns the pair (weights, context), shapes (m,) and (d_v,). Scores near ±1000 are fine.
    """
    ### BEGIN SOLUTION
    q = np.asarray(state, dtype=float) @ np.asarray(params["cross_q"])
    K, V = (np.asarray(memory, dtype=float) @ np.asarray(params[name]) for name in ("cross_k", "cross_v"))
    weights = softmax(K @ q / np.sqrt(len(q)))
    return weights, weights @ V
    ### END SOLUTION

# %% nbgrader={"grade_id": "read_source", "grade": true, "points": 2}
check("read_source")

# %%
memory = [[1, 0, 5], [0, 1, 7]]  # red: an adjective, word 5.  house: a noun, word 7
asking = {"cross_q": [[0, 1], [1, 0]], "cross_k": [[1, 0], [0, 1], [0, 0]], "cross_v": [[0], [0], [1]]}

def look(noun, adjective, memory=memory):  # as it is now: the name is used again below
    weights, context = read_source([noun, adjective], memory, asking)
    return {"weights: red, house": weights, "context": context}

states = {"a noun is due": {"noun": 3, "adjective": 0}, "an adjective is due": {"noun": 0, "adjective": 3}}
show_presets(look, states, {"noun": (-4, 4), "adjective": (-4, 4)}, title="One look at the source")

# %% [markdown]
# Asked for a noun, the source answers [6.79]: .89 of *house*, .11 of *red*. Asked for an adjective, [5.21].
# **The rows stay, the look changes from step to step.** Where memory is a single row, its weight is always 1,
# and every step gets the same context.
#
# ## 3 How far apart are two words?
#
# Capacity is one matter, distance the other. In a recurrent network what the first word says travels from
# state to state, and each step may blur it. Attention reads it where it stands. Count the steps.

# %% nbgrader={"grade_id": "longest_path_stub", "solution": true}
def longest_path(kind, n):
    """How many steps of computation lie between the two words of a sequence that are farthest apart.

    kind "recurrent": one state after the other, each computed from the one before and its own word.
    kind "attention": each word reads any other directly, in one layer.
    n: the number of words, from 2 upward. Returns a whole number; two neighbors are one step apart.
    """
    ### BEGIN SOLUTION
    return n - 1 if kind == "recurrent" else 1
    ### END SOLUTION

# %% nbgrader={"grade_id": "longest_path", "grade": true, "points": 1}
check("longest_path")

# %% [markdown]
# From the first source word to the first written one it is a step more: n against 1. The price of a path of
# 1 is work, n² scores if everybody reads everybody; but all of them can be computed at the same time.
#
# **Question.** A sentence has 100 words, and the last one depends on the first. What is true?
# - **a** A recurrent state must carry the first word through 99 updates; attention reads it at once.
# - **b** Attention takes 99 steps too, but its softmax makes the first word's weight largest.
# - **c** A recurrent network cannot connect the two at all, since its state is computed from neighbors.
# - **d** Both take one step, but attention has more parameters for it.

# %% tags=["question"] nbgrader={"grade_id": "path_length_stub", "solution": true}
answer = None  # write "a", "b", "c" or "d"
### BEGIN SOLUTION
answer = "a"
### END SOLUTION

# %% nbgrader={"grade_id": "path_length", "grade": true, "points": 1}
check("path_length")

# %% [markdown]
# ## 4 One step of writing
#
# A decoder turns what was written so far, and the source if there is one, into a probability for each word
# that may come next. Most models that write today are a *decoder alone*, without a source.

# %% nbgrader={"grade_id": "decoder_step_stub", "solution": true}
def decoder_step(prefix, memory, params):
    """Log-probabilities of the next token: causal self-attention, cross-attention, residuals, block by block.

    x_i = embed[prefix_i] + place[i], for each token written, i = 0, 1, ...
    In each of params["blocks"], in order, with the matrices of that block, for all rows:
        x_i ← x_i + Σ_{j ≤ i} a_ij (x_j self_v); a_ij: softmax over j ≤ i of (x_i self_q)·(x_j self_k) / √d_s
        x_i ← x_i + the context of read_source(x_i, memory, block); left out if memory is None
    result = log of the softmax of x_last out: the last row only, over the vocabulary

    prefix: t tokens, t from 1 upward. memory: (m, d_m) or None; then the cross matrices may be missing.
    params: a dict of "embed" (vocab, d), "place" (at least t, d), "out" (d, vocab) and "blocks", a list of
    one dict or more: "self_q", "self_k" (d, d_s), "self_v" (d, d), "cross_q" (d, d_k), "cross_k" (d_m, d_k),
    "cross_v" (d_m, d). d_s is the number of columns of self_q. No biases, no normalization, nothing else.
    Returns (vocab,), natural logarithms, finite even where a probability is smaller than any float.
    """
    ### BEGIN SOLUTION
    embed, place = (np.asarray(params[name], dtype=float) for name in ("embed", "place"))
    x = embed[np.asarray(prefix)] + place[: len(prefix)]
    for block in params["blocks"]:
        Wq, Wk, Wv = (np.asarray(block[name], dtype=float) for name in ("self_q", "self_k", "self_v"))
        scores = (x @ Wq) @ (x @ Wk).T / np.sqrt(Wq.shape[1])
        x = x + softmax(np.where(np.tri(len(x), dtype=bool), scores, -np.inf), axis=1) @ (x @ Wv)
        if memory is not None:
            x = x + np.array([read_source(row, memory, block)[1] for row in x])
    return log_softmax(x[-1] @ np.asarray(params["out"], dtype=float))
    ### END SOLUTION

# %% nbgrader={"grade_id": "decoder_step", "grade": true, "points": 4}
check("decoder_step")

# %%
# This is the trained model's decoder, and its weights fit (torch keeps them transposed). Let it speak.
matrix = lambda weight: weight.detach().numpy().astype(float)
matrices = lambda module: {name: matrix(map.weight.T) for name, map in module.items()}
params = {name: {"embed": matrix(model.embed.weight), "place": matrix(model.place.weight),
                 "blocks": [matrices(block) for block in model.blocks], "out": matrix(model.out.weight.T)}
          for name, model in models.items()}
encoded = lambda name, source: matrix(models[name].encode(torch.tensor([source]))[0])

source = [ENGLISH.index(word) for word in "red house old tower cold door".split()]
written = [START, *(SPANISH.index(word) for word in "casa roja torre vieja puerta fría".split())]
memory, model, ours = encoded("one per word", source), models["one per word"], params["one per word"]
likeliest = [int(np.argmax(decoder_step(written[: t + 1], memory, ours))) for t in range(7)]
x = (model.embed.weight[written] + model.place.weight[:7])[None]
x = model.blocks[0].read("cross", model.blocks[0].read("self", x, x), model.encode(torch.tensor([source])))
x = model.blocks[1].read("self", x, x)  # now the second block is about to read the source
looks = [read_source(state, memory, ours["blocks"][1])[0] for state in matrix(x[0])]
readers = [f"{SPANISH[last]} → {SPANISH[word]}" for last, word in zip(written, likeliest)]
show_attention(looks, readers, [ENGLISH[token] for token in source])

# %% [markdown]
# Each row is one call of your `read_source`, and names the word that `decoder_step` finds likeliest. After
# *<start>* the decoder looks at *house*, after *casa* at *red*: nobody told it that words change places.
# (Where it looks before it stops means little: a look that does no harm is never corrected.)
#
# **Question.** What of cross-attention can be computed before the first word, and serve at every step?
# - **a** Its weights: the source does not change while the target is written.
# - **b** Its queries: they ask for the same source words at every step.
# - **c** Nothing: as in causal self-attention, each new word brings a new key and value.
# - **d** Its keys and values: they come from the source alone.

# %% tags=["question"] nbgrader={"grade_id": "who_reads_stub", "solution": true}
answer = None  # write "a", "b", "c" or "d"
### BEGIN SOLUTION
answer = "d"
### END SOLUTION

# %% nbgrader={"grade_id": "who_reads", "grade": true, "points": 1}
check("who_reads")

# %% [markdown]
# ## 5 The likeliest word, again and again
#
# A decoder gives probabilities, not text. **Greedy** search takes the likeliest word, appends it, and asks
# again. All it needs of a model is `step`, from the tokens so far to the log-probabilities of the next.

# %% nbgrader={"grade_id": "greedy_stub", "solution": true}
def greedy(step, start, end, max_len):
    """Write by taking the likeliest next token each time.

    step(tokens): takes the list of tokens so far, start included, and returns an array (vocab,) of finite
    log-probabilities. start, end: two different tokens. Stop when the end token was taken, or when max_len
    tokens were (the end counts, the start does not); max_len is at least 1. Ties go to the smaller token.
    Returns the pair (tokens, log_prob): a list that includes start, and end if it was reached; and the sum of
    the log-probabilities of the tokens taken (start was given: it costs nothing).
    """
    ### BEGIN SOLUTION
    tokens, log_prob = [start], 0.0
    while len(tokens) <= max_len and tokens[-1] != end:
        scores = step(tokens)
        best = int(np.argmax(scores))
        tokens, log_prob = [*tokens, best], log_prob + float(scores[best])
    return tokens, log_prob
    ### END SOLUTION
# %% nbgrader={"grade_id": "greedy", "grade": true, "points": 2}
check("greedy")

# %% [markdown]
# **Now the measurement.** Both models translate sentences drawn anew, two to fourteen words long; twelve were
# the most in training. What share of the target words comes out right?

# %%
def accuracy(name, pairs, count):
    """The share of target words, end included, that greedy search writes at their place."""
    source, target = sentences(count, pairs, torch.Generator().manual_seed(pairs))
    right = 0
    for words, wanted in zip(source.tolist(), target.tolist()):
        memory = encoded(name, words)
        step = lambda prefix: decoder_step(prefix, memory, params[name])
        right += sum(a == b for a, b in zip(greedy(step, START, END, len(wanted) - 1)[0][1:], wanted[1:]))
    return right / (count * (2 * pairs + 1))


lengths = [2, 4, 6, 8, 10, 12, 14]
for name in models:
    shares = [accuracy(name, n // 2, count=1 if while_grading() else 15) for n in lengths]
    print(f"{name:12}", *(f"{share:.2f}" for share in shares))
    plt.plot(lengths, shares, marker="o", label=name)
plt.xlabel("words in the source"), plt.ylabel("share of words right"), plt.ylim(0, 1.05), plt.legend()
plt.show()

# %% [markdown]
# Up to four words there is no difference. Then one vector falls behind (with more training, a little later);
# a row for each word loses nothing, up to twelve words.
#
# ## 6 When the likeliest word is a trap
#
# Our translator is nearly certain of every word, so greedy search is hard to beat. This model is not:

# %%
WORDS = ["<start>", "<end>", "red", "an", "old", "house"]
NEXT = np.array([[.02, .02, .50, .40, .03, .03], [.10, .50, .10, .10, .10, .10],
                 [.02, .30, .02, .02, .24, .40], [.01, .01, .02, .01, .90, .05],
                 [.01, .02, .03, .01, .03, .90], [.01, .95, .01, .01, .01, .01]])
next_word = lambda tokens: np.log(NEXT[tokens[-1]])
show_matrices({"probability of the next word": NEXT}, rows=WORDS, columns=WORDS)
print(*(WORDS[token] for token in greedy(next_word, 0, 1, 6)[0]))

# %% [markdown]
# Greedy takes *red* and ends with .50 · .40 · .95 = .19; "an old house" has .40 · .90 · .90 · .95 = .3078.
# There are far too many texts to try them all. **Beam search** keeps only the `width` best beginnings.
# %% nbgrader={"grade_id": "beam_search_stub", "solution": true}
def beam_search(step, start, end, width, max_len):
    """Write with the `width` best hypotheses in view.

    step, start, end, max_len: as for greedy. A hypothesis is (tokens, log_prob); the search begins with
    ([start], 0) alone; width is at least 1. In each of max_len rounds:
    - every unfinished hypothesis is extended by every token of the vocabulary (step is asked once for each);
    - a finished one, which ends with end, is never extended: it competes again, as it is, for the same slots;
    - of all these together, the `width` of largest log_prob are kept. It is the plain sum over tokens: longer
      hypotheses get no bonus. Ties (only among extensions of one hypothesis) go to the smaller token.
    Returns the list of (tokens, log_prob) kept in the last round, best first, finished or not; tokens include
    start, and end if it was reached. Fewer than width only if there are no more. Width 1 equals greedy.
    """
    ### BEGIN SOLUTION
    beam = [([start], 0.0)]
    for _ in range(max_len):
        pool = []
        for tokens, log_prob in beam:
            if tokens[-1] == end:
                pool.append((tokens, log_prob))
            else:
                pool += [([*tokens, i], log_prob + float(more)) for i, more in enumerate(step(tokens))]
        beam = sorted(pool, key=lambda hypothesis: -hypothesis[1])[:width]
    return beam
    ### END SOLUTION
# %% nbgrader={"grade_id": "beam_search", "grade": true, "points": 4}
check("beam_search")

# %%
for width in (1, 2, 3):
    for taken, log_prob in beam_search(next_word, 0, 1, width, 6):
        print(width, f"{np.exp(log_prob):.4f}", *(WORDS[token] for token in taken))

# %% [markdown]
# Width 2 finds "an old house". Third at width 3 is "red", finished after one word, .15: each further word
# multiplies by a number below one, so **short texts have an advantage**.
#
# **Question.** What is certain about the best hypothesis of a beam of width 3?
# - **a** It is the most probable text of all that have at most max_len tokens.
# - **b** It is not certain to be as probable as greedy's: that one may be crowded out on the way.
# - **c** It is at least as probable as greedy's: the beam contains whatever greedy takes.
# - **d** It is finished: unfinished hypotheses are never returned.
# %% tags=["question"] nbgrader={"grade_id": "beam_promise_stub", "solution": true}
answer = None  # write "a", "b", "c" or "d"
### BEGIN SOLUTION
answer = "b"
### END SOLUTION
# %% nbgrader={"grade_id": "beam_promise", "grade": true, "points": 1}
check("beam_promise")

# %% [markdown] nbgrader={"grade_id": "written_two_failures", "task": true, "points": 3}
# **In your own words.** On ten words one model makes mistakes; on fourteen both do. Find out where in the
# sentence. In four to six sentences: what are the two kinds of failure, and which experiment would show it?
#
# === BEGIN MARK SCHEME ===
# 1 point: ten words: one vector of fixed width has to hold the whole sentence ("attention is better" earns
# nothing). 1 point: fourteen words: with at most twelve in training, the last places were never trained
# (mistakes from the thirteenth word on). 1 point for an experiment with its outcomes: longer sentences in
# training (mends the second failure, not the first), or a wider vector (moves the first, not the second).
# === END MARK SCHEME ===

# %% [markdown]
# *Write your answer here.*

# %% [markdown]
# ## Summary
#
# - A decoder reads its own text by self-attention, the encoder's vectors by cross-attention.
# - Attention changed two things: n vectors instead of one, a path of 1 instead of n. How much fits into one
#   vector, a toy language and a single seed do not show. Nor is a likely text always a good one.
#
# ## Further reading
#
# - Vaswani et al. 2017, *Attention Is All You Need*, §3.2.3 and §4: three uses of attention, path lengths.
# - Alammar, *The Illustrated Transformer*: the decoder in pictures.
# - *Understanding the Attention Mechanism in Sequence Models*: how looking back at the source came about.
