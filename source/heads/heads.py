# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 5 Heads: many mixtures, one update
#
# "The chicken crossed the road carelessly." The verb has three questions at once: *who* crossed, *what*, and
# *how*? A head answers with one mixture per word, and its shares sum to one: what goes to *chicken* is lost
# for *road*. So real models run many heads side by side and turn their mixtures into a single update. You
# build that here, then take it apart: what does one head contribute, who mends the damage when it is removed,
# what is learned at all, and how far does a word reach through a stack of layers?
#
# **True for every task:** arguments are arrays or nested lists, of integers or floats, and stay as they were.
# Parameters of all heads are stacked: Wq and Wk have shape (h, d, d_k), Wv (h, d, d_v), Wo (h·d_v, d), for h
# heads and rows of d coordinates. The four sizes are free: h·d_k, h·d_v and d may all differ.
#
# ## 1 One row of shares is not enough
#
# Five coordinates, made by hand: may the word say *who*, *what* or *how*, is it a *deed*, or mere *filler*?

# %%
import numpy as np
from scipy.special import softmax
from autograder import check, show_attention, show_matrices, show_presets

WORDS = "The chicken crossed the road carelessly".split()
COORDINATES = ["who", "what", "how", "deed", "filler"]
X = np.eye(5)[[4, 0, 3, 4, 1, 2]]  # The: filler, chicken: who, crossed: deed, ...
wishes = {"asks all alike": softmax([0, 5, 0, 0, 5, 5]), "rather for who": softmax([0, 5, 0, 0, 4, 3])}
show_matrices(wishes, columns=WORDS, title="One head for three questions: what crossed reads")

# %% [markdown]
# If it asks for all three alike, each gets a share of .33: diluted answers. If it asks a little louder for
# *who*, chicken gets .66, road .24, carelessly .09. Softmax favors the largest: one head tends to one source.
#
# **Question.** How can one head let crossed read chicken, road and carelessly with a share of .9 each?
#
# - **a** With more query and key coordinates: there is then room for all three questions.
# - **b** By sharpening its scores until all three weights approach 1.
# - **c** It cannot: its shares in the row of crossed sum to one.
# - **d** By seeing more examples: which shares are possible is a matter of training.

# %% tags=["question"] nbgrader={"grade_id": "one_row_of_shares_stub", "solution": true}
answer = None  # write "a", "b", "c" or "d"
### BEGIN SOLUTION
answer = "c"
### END SOLUTION
# %% nbgrader={"grade_id": "one_row_of_shares", "grade": true, "points": 1}
check("one_row_of_shares")

# %% [markdown]
# ## 2 Three heads in one table
#
# So we take three heads. In each, a deed asks (its query is [3 3], all others are zero); words with *who*
# answer the first head (key [1 1]), those with *what* the second, with *how* the third. A value is the very
# coordinate asked for, and Wo writes it back to where it stood.

# %%
HEADS = COORDINATES[:3]
Wq, Wk, Wv, Wo = np.zeros((3, 5, 2)), np.zeros((3, 5, 2)), np.zeros((3, 5, 1)), np.zeros((3, 5))
for i in range(3):
    Wq[i, 3] = 3
    Wk[i, i] = Wv[i, i] = Wo[i, i] = 1
params = Wq, Wk, Wv, Wo

# %% [markdown]
# Three heads need three matrix products for their queries, or just one: put the matrices side by side,
# multiply once, and cut the product into heads again. Libraries do so, since one large product is faster than
# many small ones. But few errors are as silent as numbers that end up with another token or another head.

# %% nbgrader={"grade_id": "split_heads_stub", "solution": true}
def split_heads(P, h):
    """Cut a table whose columns belong to h heads into a table per head: result[i, t, k] = P[t, i·w + k].

    P: shape (n, h·w), a row per token; head 0's w columns come first, then head 1's, and so on. h: number of
    heads; it divides the number of columns. Returns shape (h, n, w); n, w and h may each be 1.
    """
    ### BEGIN SOLUTION
    P = np.asarray(P, dtype=float)
    return P.reshape(len(P), h, -1).swapaxes(0, 1)
    ### END SOLUTION
# %% nbgrader={"grade_id": "split_heads", "grade": true, "points": 2}
check("split_heads")

# %% nbgrader={"grade_id": "concat_heads_stub", "solution": true}
def concat_heads(H):
    """The inverse of split_heads: all heads side by side, a row per token: result[t, i·d_v + k] = H[i, t, k].

    H: shape (h, n, d_v), each size from 1 upward. Returns shape (n, h·d_v), head 0's columns first.
    """
    ### BEGIN SOLUTION
    H = np.asarray(H, dtype=float)
    return H.swapaxes(0, 1).reshape(H.shape[1], -1)
    ### END SOLUTION
# %% nbgrader={"grade_id": "concat_heads", "grade": true, "points": 1}
check("concat_heads")

# %% nbgrader={"grade_id": "pack_projections_stub", "solution": true}
def pack_projections(W):
    """One wide matrix that does the work of h projections: packed[c, i·w + k] = W[i, c, k].

    W: shape (h, d, w), each size from 1 upward. Returns shape (d, h·w), head 0's columns first, so that
    split_heads(X @ packed, h)[i] equals X @ W[i].
    """
    ### BEGIN SOLUTION
    return np.concatenate(list(np.asarray(W, dtype=float)), axis=1)
    ### END SOLUTION
# %% nbgrader={"grade_id": "pack_projections", "grade": true, "points": 1}
check("pack_projections")

# %%
packed = X @ pack_projections(Wk)
keys = {f"keys of head {i}": K for i, K in enumerate(split_heads(packed, 3))}
show_matrices({"packed keys": packed, **keys}, rows=WORDS, title="One product, cut into three heads")

# %% [markdown]
# ## 3 Many mixtures, one update
#
# Every head goes through the steps of lessons 2 and 4 by itself: scores, shares, mixture. Only then do they
# meet: their mixtures stand side by side in a row, and Wo, the output projection, makes one update of it.

# %% nbgrader={"grade_id": "multi_head_stub", "solution": true}
def multi_head(X, Wq, Wk, Wv, Wo, causal=False):
    """Several heads at once, and the one update that they make together.

    head i:  A[i] = the softmax, along each row, of (X Wq[i]) (X Wk[i])ᵀ / √d_k,   H[i] = A[i] (X Wv[i])
    update = [H[0] H[1] ... H[h-1]] Wo      the mixtures side by side, head 0's columns first

    X: shape (n, d). The parameters have the shapes at the top of the page; every size may be 1; d_k is the
    width of ONE head's queries. causal: with True, row i of every A reads rows 0 to i only (lesson 4): later
    ones get a weight of exactly 0, and the others sum to one. Returns the pair (A, update): A (h, n, n), not
    averaged over heads; update (n, d). No biases, no residual. Scores of ±5000 give finite results.
    """
    ### BEGIN SOLUTION
    X, Wq, Wk, Wv, Wo = (np.asarray(matrix, dtype=float) for matrix in (X, Wq, Wk, Wv, Wo))
    S = (X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wq.shape[2])
    if causal:
        S = np.where(np.tri(len(X), dtype=bool), S, -np.inf)
    A = softmax(S, axis=-1)
    return A, concat_heads(A @ (X @ Wv)) @ Wo
    ### END SOLUTION
# %% nbgrader={"grade_id": "multi_head", "grade": true, "points": 5}
check("multi_head")

# %%
A, update = multi_head(X, *params)
show_attention(A[:, 2], HEADS, WORDS, title="What crossed reads, head by head")
show_matrices({"update": update}, rows=WORDS, columns=COORDINATES)

# %% [markdown]
# Three rows of shares for one reader: chicken .93, road .93, carelessly .93, which no single head can do. The
# update of crossed is [.93 .93 .93 0 0]. The other words ask for nothing: equal shares, .17 of everything.
#
# With `causal=True` crossed gets [.97 0 0 0 0]: *road* and *carelessly* have not been said yet, and the heads
# that look for them give a third each to the three words so far; shares cannot say "nothing here". What this
# does *not* show: that trained heads divide their work as neatly.
#
# ## 4 The word keeps itself
#
# Attention proposes an update, and the residual connection adds it to what was there: one **sublayer**.

# %% nbgrader={"grade_id": "attention_sublayer_stub", "solution": true}
def attention_sublayer(X, Wq, Wk, Wv, Wo, causal=False):
    """Multi-head attention with its residual connection: X + update, one array of shape (n, d), no weights.

    Arguments as in multi_head. Nothing is averaged or normalized.
    """
    ### BEGIN SOLUTION
    return np.asarray(X, dtype=float) + multi_head(X, Wq, Wk, Wv, Wo, causal)[1]
    ### END SOLUTION
# %% nbgrader={"grade_id": "attention_sublayer", "grade": true, "points": 1}
check("attention_sublayer")

# %% [markdown]
# ## 5 Taking a head away
#
# What did a head contribute? Silence it and compare: its mixture is replaced by zeros, while all other heads
# keep theirs, and keep their own rows of Wo.

# %% nbgrader={"grade_id": "without_head_stub", "solution": true}
def without_head(X, Wq, Wk, Wv, Wo, head, causal=False):
    """The update (n, d) that is left when one head's mixture is set to zero.

    without_head = [H[0] ... 0 ... H[h-1]] Wo      zeros in place of H[head]; Wo and the other heads unchanged

    head: index from 0 to h-1. The other arguments as in multi_head. Nothing is rescaled to make up for the
    loss, no residual is added. With a single head nothing is left: zeros.
    """
    ### BEGIN SOLUTION
    kept = np.array(Wv, dtype=float)
    kept[head] = 0  # no values, no mixture
    return multi_head(X, Wq, Wk, kept, Wo, causal)[1]
    ### END SOLUTION
# %% nbgrader={"grade_id": "without_head", "grade": true, "points": 3}
check("without_head")

# %% [markdown]
# Now damage a stack of two layers with our parameters in both: head 1 (*what*) silenced in layer 1, or all of
# layer 1 left out. Guess what is left of crossed's *what* after layer 2.

# %%
damage = {"intact": update, "head 1 silenced": without_head(X, *params, head=1), "no layer 1": 0 * X}
history = {name: [(X + made)[2], attention_sublayer(X + made, *params)[2]] for name, made in damage.items()}
show_matrices(history, rows=["layer 1", "layer 2"], columns=COORDINATES, title="Crossed after each layer")

# %% [markdown]
# Intact, crossed has *what* = .93 after layer 1 and 2.00 after layer 2. With head 1 silenced it has 0, then
# **.93**: the second layer reads road again and mends what the first missed. Even with no layer 1 at all, the
# three answers arrive. The residual path makes it possible: road still holds its *what*, crossed its *deed*.
# An update *in place of* the row, [.93 .93 .93 0 0], would have no deed: no question left to ask.
#
# ## 6 What is learned, what is computed
#
# Words are looked up once, before the first block; then each block takes the rows that the last one put out.
# How many matrices is that, and which of them are parameters? Draw up the inventory.

# %% nbgrader={"grade_id": "inventory_stub", "solution": true}
def inventory(tokens, d, d_k, d_v, heads, blocks=1):
    """All matrices of a stack that reads one text: {name: (count, shape)}, shape being that of ONE of them.

    Exactly these fourteen names; each count is that of the whole stack of `blocks` blocks of `heads` heads:
      heads·blocks of each: Wq, Wk (d, d_k) and Wv (d, d_v), learned; Q, K (tokens, d_k) and V (tokens, d_v);
        S and A (tokens, tokens), the scores and weights; H (tokens, d_v), the mixtures
      blocks of each: X (tokens, d), the block's input; concat (tokens, heads·d_v), the mixtures side by side;
        Wo (heads·d_v, d), learned; update and output (tokens, d)
    No biases. All arguments are integers from 1 upward. Each value is a pair: an integer, and a pair of them.
    """
    ### BEGIN SOLUTION
    shapes = {
        "X": (tokens, d), "Wq": (d, d_k), "Wk": (d, d_k), "Wv": (d, d_v),
        "Q": (tokens, d_k), "K": (tokens, d_k), "V": (tokens, d_v),
        "S": (tokens, tokens), "A": (tokens, tokens), "H": (tokens, d_v),
        "concat": (tokens, heads * d_v), "Wo": (heads * d_v, d), "update": (tokens, d), "output": (tokens, d),
    }
    shared = {"X", "concat", "Wo", "update", "output"}  # by all heads of a block
    return {name: (blocks if name in shared else heads * blocks, shape) for name, shape in shapes.items()}
    ### END SOLUTION
# %% nbgrader={"grade_id": "inventory", "grade": true, "points": 3}
check("inventory")

# %% nbgrader={"grade_id": "count_parameters_stub", "solution": true}
def count_parameters(d, d_k, d_v, heads):
    """How many numbers one block's attention learns: all entries of its Wq, Wk, Wv and of Wo.

    d·h·(2·d_k + d_v) + h·d_v·d   with h heads, no biases. All are integers from 1 upward; returns an integer.
    """
    ### BEGIN SOLUTION
    return d * heads * (2 * d_k + d_v) + heads * d_v * d
    ### END SOLUTION
# %% nbgrader={"grade_id": "count_parameters", "grade": true, "points": 1}
check("count_parameters")

# %%
gpt3 = inventory(2048, 12288, 128, 128, heads=96, blocks=96)
print(sum(gpt3[name][0] for name in ("Wq", "Wk", "Wv")), gpt3["Wo"][0], count_parameters(12288, 128, 128, 96))

# %% [markdown]
# With N blocks of h heads there are 3Nh projections and N output projections: in GPT-3, with 96 blocks of 96
# heads, 27 648 and 96. A block's attention learns 603 979 776 numbers, 58 billion in all, a third of the
# model. And every token has h queries, h keys and h values in each block, computed anew for each text.
#
# **Question.** E is the table in which words are looked up. Which list holds only what is learned?
#
# - **a** E, X, Wq, Wk, Wv
# - **b** Wq, Wk, Wv, Wo, A
# - **c** Q, K, V, A, H
# - **d** E, Wq, Wk, Wv, Wo

# %% tags=["question"] nbgrader={"grade_id": "learned_ones_stub", "solution": true}
answer = None  # write "a", "b", "c" or "d"
### BEGIN SOLUTION
answer = "d"
### END SOLUTION
# %% nbgrader={"grade_id": "learned_ones", "grade": true, "points": 1}
check("learned_ones")

# %% [markdown]
# ## 7 How far does a word reach?
#
# If every word may read every other, one layer connects them all, and depth adds *interactions*: pairs first,
# then pairs of pairs. Long texts, however, are often read through a window of a few words.

# %% nbgrader={"grade_id": "reachable_stub", "solution": true}
def reachable(allowed, layers):
    """Which tokens can influence which, through a stack of layers with residual connections.

    result[i, j] is True where token i, after `layers` layers, depends on what token j was at the start.
    In one layer i takes in every j with allowed[i, j], and, by the residual connection, always itself.

    allowed: (n, n), True/False or 1/0, not always symmetric; its diagonal may be False. layers: an integer, 0
    or more (0: each token depends on itself only). Returns an (n, n) array of True/False, not of counts.
    """
    ### BEGIN SOLUTION
    own = np.eye(len(allowed), dtype=bool)
    step, reached = np.asarray(allowed, dtype=bool) | own, own
    for _ in range(layers):
        reached = step @ reached
    return reached
    ### END SOLUTION
# %% nbgrader={"grade_id": "reachable", "grade": true, "points": 3}
check("reachable")

# %%
window = np.eye(6, k=-1, dtype=bool)  # each word reads the one before it
depths = {f"after {layers}": reachable(window, layers) for layers in (1, 2, 3, 5)}
show_matrices(depths, rows=WORDS, columns=WORDS, title="Who depends on whom, by number of layers")

# %% [markdown]
# Each layer extends the reach by one word; after five, carelessly depends on The. Without a window, any two
# words are a single step apart. But "depends" means *may* depend: a path may carry next to nothing.
#
# **Question.** Which two may be computed at the same time, neither waiting for the other?
#
# - **a** Block 1 and block 2 of one stack, for the same text.
# - **b** The mixtures of head 0 and of head 2 in the same block.
# - **c** The weights of a head and the mixtures of the same head.
# - **d** Head 0 in block 2 and the update of block 1.
# %% tags=["question"] nbgrader={"grade_id": "at_the_same_time_stub", "solution": true}
answer = None  # write "a", "b", "c" or "d"
### BEGIN SOLUTION
answer = "b"
### END SOLUTION
# %% nbgrader={"grade_id": "at_the_same_time", "grade": true, "points": 1}
check("at_the_same_time")

# %% [markdown]
# ## 8 Who feels a nudge?
#
# How much does a path carry? Move one word's row and measure how far the output moves, there or elsewhere.
# %% nbgrader={"grade_id": "effect_of_change_stub", "solution": true}
def effect_of_change(X, source, receiver, delta, params, residual):
    """How far the output at `receiver` moves when delta is added to the row `source` of X.

    effect = ‖ out(X with X[source] + delta)[receiver] − out(X)[receiver] ‖   the 2-norm, one number ≥ 0

    out(X) is X + update where residual is True, else the update alone; never causal. X: (n, d). source and
    receiver: indices from 0, equal or not. delta: (d,), of any size, by which the effect is not divided.
    params: (Wq, Wk, Wv, Wo), a tuple or list. Returns a float.
    """
    ### BEGIN SOLUTION
    X = np.asarray(X, dtype=float)
    moved = X.copy()
    moved[source] += delta
    before, after = (rows * residual + multi_head(rows, *params)[1] for rows in (X, moved))
    return float(np.linalg.norm(after[receiver] - before[receiver]))
    ### END SOLUTION
# %% nbgrader={"grade_id": "effect_of_change", "grade": true, "points": 3}
check("effect_of_change")

# %%
def nudged(factor, residual):  # how far crossed moves, for each word in turn
    change = {"delta": [.1] * 5, "params": (factor * Wq, Wk, Wv, Wo), "residual": residual}
    return {"effect": [effect_of_change(X, word, 2, **change) for word in range(6)]}

presets = {f"queries × {factor}{' + X' if residual else ''}": {"factor": factor, "residual": residual}
           for factor, residual in ((1, False), (3, False), (3, True))}
show_presets(nudged, presets, {"factor": (0, 4), "residual": bool}, columns=WORDS,
             title="A nudge to each word in turn, as crossed feels it")

# %% [markdown]
# Crossed feels a nudge to chicken, road or carelessly (.12 each) and hardly one to The (.01), which it barely
# reads. And a nudge to itself? With queries three times as long its heads are **saturated**: nothing of it
# shows in the update (.00). The residual path carries it across in full length (.22): small changes still get
# through, and so do gradients in training. What this does *not* show: whether the change matters.

# %% [markdown] nbgrader={"grade_id": "written_removal", "task": true, "points": 3}
# **In your own words.** A classmate silences head 1 in layer 1 of the stack in section 5, finds *what* = .93
# after layer 2, and concludes: "Head 1 is useless, delete it in every layer." In four to six sentences: what
# did the experiment show, and why does the conclusion not follow? Use two results from this lesson.
#
# === BEGIN MARK SCHEME ===
# 1 point: for this sentence, with everything else intact, the rest of the stack makes up for the loss, at
# least in part; that head 1 did nothing is not shown.
#
# 1 point for each of two results used against the conclusion, for example: after layer 1 *what* is 0 instead
# of .93, so the head did contribute; the same head mends it in layer 2 (silenced in both, *what* stays 0);
# intact, *what* is 2.00; the residual path kept crossed's *deed* and road's *what*; the heads are hand-made.
# === END MARK SCHEME ===

# %% [markdown]
# *Write your answer here.*

# %% [markdown]
# ## Summary
#
# - Several heads read several things at full strength; Wo turns their mixtures into one update.
# - A head can be removed exactly; the rest of the stack and the residual path may hide the loss.
# - Learned: h projections of each kind and one Wo per block. Computed for each text: all the rest.
#
# ## Further reading
#
# - Vaswani et al. 2017, *Attention Is All You Need*, section 3.2: multi-head attention as it was proposed.
# - *Transformers From Scratch* (two articles have this title): the same code, grown into whole models.
# - Vig 2019, *BertViz*, and *exBERT*: the heads of trained models, in pictures.
# - Olsson et al. 2022, *In-context Learning and Induction Heads*: heads that cooperate (lesson 7).
