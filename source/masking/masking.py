# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 4 Masking: who may be read
#
# A model that writes learns from text that is already written. At every word it has to guess the next one,
# and the next one **stands right there**, one position to the right. A head that reads the whole sentence
# does not learn to guess, it learns to copy. Who may read whom, then? You will hide the future from a head,
# see that nothing leaks, let one text read another, write from a cache, and trade that for a fixed memory.
#
# **True for every task.** Arguments may be arrays or (nested) lists, of integers or floats, sizes from one
# upward; leave them as they were. Results are floats, but for the mask. After you hand in, tests use other
# sizes and matrices than this page. From now on softmax comes from SciPy.
#
# ## 1 Drawing the line
#
# We keep the hand-made vectors of lesson 1, so that every number can be checked on paper.

# %%
import numpy as np
from scipy.special import softmax

from autograder import check, show_attention, show_matrices, show_presets

VECTORS = {"the": [0, 0, 0, 1], "river": [0, 1, 0, .2], "bank": [.5, .5, .8, .2],
           "das": [0, 0, 0, 1], "Ufer": [0, 1, .8, .2]}  # finance, water, structure, generic
I = np.eye(4)  # the identity, in place of learned projections
look_up = lambda sentence: np.array([VECTORS[word] for word in sentence.split()])  # one row for each word
words, river = "the river bank".split(), look_up("the river bank")
scores = river @ river.T / 2
print(scores)

# %% [markdown]
# One row per reader, one column per word read. If words are written from left to right, *the* may not read
# *river* yet, nor *river* read *bank*. All may read themselves. Which entries are out of bounds?

# %% nbgrader={"grade_id": "causal_mask_stub", "solution": true}
def causal_mask(n):
    """Where reading is forbidden, if a word may read only itself and what stands before it.

    n: a whole number. Returns booleans, shape (n, n): entry [i, j] is True where reader i must NOT read
    position j, False where it may.
    """
    ### BEGIN SOLUTION
    return np.triu(np.ones((n, n), dtype=bool), k=1)
    ### END SOLUTION

# %% nbgrader={"grade_id": "causal_mask", "grade": true, "points": 1}
check("causal_mask")

# %% [markdown]
# ## 2 Shares among those allowed
#
# How do you strike out a score? Zero looks natural and is wrong: 0 is a score like any other, and $e^0 = 1$
# earns a share. With zeros in place of the forbidden scores, *the* still reads the future:

# %%
print(np.round(softmax(scores * [[1, 0, 0], [1, 1, 0], [1, 1, 1]], axis=1), 4))

# %% [markdown]
# More than half of the first row, [.4519 .2741 .2741], goes to words that do not exist yet. To get nothing
# out of softmax, something has to go in whose exponential is nothing; what is left is shared anew. And if
# nothing is allowed? A row of nan, or of equal shares, does harm far from its cause. Better to stop at once.

# %% nbgrader={"grade_id": "masked_softmax_stub", "solution": true}
def masked_softmax(scores, forbidden):
    """Softmax along the last axis, among the entries that are not forbidden.

    scores: shape (..., m), one dimension or more, finite. forbidden: booleans that broadcast to the shape of
    scores (as large, or one row for all readers, or one matrix for a stack, or a single False). True forbids.
    Returns the shape of scores: exactly 0 where forbidden; the other entries of a row sum to one and keep the
    ratios of plain softmax. An allowed score of exactly 0 earns a share like others. Rows near +1000 or -1000
    are fine (no two scores of a row are more than 500 apart). ValueError if any row has nothing allowed.
    """
    ### BEGIN SOLUTION
    scores = np.asarray(scores, dtype=float)
    forbidden = np.broadcast_to(forbidden, scores.shape)
    if forbidden.all(axis=-1).any():
        raise ValueError("a row has nothing that it may read")
    return softmax(np.where(forbidden, -np.inf, scores), axis=-1)
    ### END SOLUTION

# %% nbgrader={"grade_id": "masked_softmax", "grade": true, "points": 3}
check("masked_softmax")

# %% [markdown]
# **Who may read whom?** Everybody reads everybody; then the future is struck out; then what survives is
# shared anew. In a live notebook a panel switches the mask and sharpens the scores. Watch *the*: whatever the
# scores, who may read only one word gives it everything.

# %%
def stages(causal, factor):
    everyone = masked_softmax(factor * scores, False)
    shared = masked_softmax(factor * scores, causal_mask(3) if causal else False)
    return {"all may be read": everyone, "survives": everyone * (shared > 0), "shared anew": shared}


presets = {"no mask": {"causal": False, "factor": 1}, "causal": {"causal": True, "factor": 1}}
show_presets(stages, presets, {"causal": bool, "factor": (0, 8)}, words, words, title="Who may read whom")

# %% [markdown]
# ## 3 Attention with a switch
#
# Now the whole head, with the queries, keys and values of lesson 2. The mask is off unless turned on: a model
# that only has to understand a finished text (an *encoder*) lets everybody read everybody.

# %% nbgrader={"grade_id": "attention_stub", "solution": true}
def attention(X, Wq, Wk, Wv, causal=False):
    """One attention head, with or without a view of the future.

    Q = X Wq, K = X Wk, V = X Wv;   A = softmax of Q Kᵀ / √d_k along each row;   H = A V
    With causal=True a row shares among itself and the rows before it; A is exactly 0 elsewhere.
    X: (n, d), Wq and Wk: (d, d_k), Wv: (d, d_v). Returns the pair (A, H), shapes (n, n) and (n, d_v).
    A row of zeros in X is a word like any other: its scores are 0, which is not forbidden.
    """
    ### BEGIN SOLUTION
    X, Wq, Wk, Wv = (np.asarray(array, dtype=float) for array in (X, Wq, Wk, Wv))
    S = (X @ Wq) @ (X @ Wk).T / np.sqrt(Wq.shape[1])
    A = masked_softmax(S, causal_mask(len(X)) if causal else False)
    return A, A @ (X @ Wv)
    ### END SOLUTION

# %% nbgrader={"grade_id": "attention", "grade": true, "points": 3}
check("attention")

# %%
for sentence in ("bank river", "the river bank"):
    A, H = attention(look_up(sentence), I, I, I, causal=True)
    print(np.round(A, 4))
show_attention(A, words, title="the river bank, causal")

# %% [markdown]
# The last row, [.2619 .3105 .4276], is as in lesson 1: nothing stands after bank. Row two, [.3965 .6035 0],
# is the full row [.2697 .4105 .3197] cut to the past and divided by .2697 + .4105. In "bank river", bank
# reads only itself: which bank it is, it cannot know yet.
#
# Is the future hidden now? **Zeros in A are no proof.** Change a word, and see which rows of H move:

# %%
changed = np.array([*river[:2], [1, 0, 0, 0]])  # another third word
for causal in (False, True):
    moved = attention(changed, I, I, I, causal)[1] - attention(river, I, I, I, causal)[1]
    print("causal " if causal else "no mask", np.round(np.abs(moved).max(axis=1), 3))

# %% [markdown]
# Without a mask, the third word reaches the rows that are to predict what comes after *the* and *river*. With
# it, both stay exactly as they were. The mask has a side effect: shuffled words used to give the same rows,
# shuffled. Is that still so?
#
# **Question.** The mask is on. Which words have another mixture in "river the bank" than in "the river bank"?
# - **a** All three, since every word has other neighbors now.
# - **b** None: the same three words are mixed, only in another order.
# - **c** *the* and *river*, but not *bank*.
# - **d** Only *bank*, since it alone reads both of the words that were exchanged.

# %% tags=["question"] nbgrader={"grade_id": "word_order_stub", "solution": true}
answer = None  # write "a", "b", "c" or "d"
### BEGIN SOLUTION
answer = "c"
### END SOLUTION

# %% nbgrader={"grade_id": "word_order", "grade": true, "points": 1}
check("word_order")

# %% [markdown]
# ## 4 Reading another text
#
# So far a sentence read itself: *self-attention*. A translator also reads the sentence it translates. The
# formula does not mind if queries come from one text, keys and values from another: **cross-attention**.

# %% nbgrader={"grade_id": "cross_attention_stub", "solution": true}
def cross_attention(X, Z, Wq, Wk, Wv):
    """The rows of X read the rows of Z; there is no mask.

    Q = X Wq, K = Z Wk, V = Z Wv;   A = softmax of Q Kᵀ / √d_k along each row;   H = A V
    X: (n, d), the readers. Z: (m, d), the sources; n and m may differ. Wq and Wk: (d, d_k), Wv: (d, d_v).
    Returns the pair (A, H), shapes (n, m) and (n, d_v).
    """
    ### BEGIN SOLUTION
    X, Z, Wq, Wk, Wv = (np.asarray(array, dtype=float) for array in (X, Z, Wq, Wk, Wv))
    A = softmax((X @ Wq) @ (Z @ Wk).T / np.sqrt(Wk.shape[1]), axis=1)
    return A, A @ (Z @ Wv)
    ### END SOLUTION

# %% nbgrader={"grade_id": "cross_attention", "grade": true, "points": 2}
check("cross_attention")

# %%
A, H = cross_attention(look_up("das Ufer"), river, I, I, I)
show_attention(A, "das Ufer", sources=words)

# %% [markdown]
# *Ufer*, the side of a river, reads [.24 .37 .39]. *Bank* is third and *Ufer* only second, but the English
# sentence was complete before the first German word: hide what is to be guessed, nothing else.
#
# ## 5 One word at a time
#
# A model that writes takes its own last word as the next input. Must it start over for each? Section 3 says
# no: **a later word changes no earlier row**. So keep the earlier keys: 1000 words then take 1000, instead of
# 1 + 2 + ... + 1000 = 500 500. First a place for them, then one step of writing. That one needs no mask.

# %% nbgrader={"grade_id": "KVCache_stub", "solution": true}
class KVCache:
    """The keys and values of the words so far, oldest first.

    KVCache() is empty; append(k, v) adds a word's key k (d_k,) and value v (d_v,). After t words, keys has
    shape (t, d_k), values (t, d_v), and len(cache) is t. keys and values are attributes (or properties),
    arrays (or lists of rows). An empty cache has length 0; nobody looks at its keys and values.
    append keeps copies: who changes k or v afterwards does not change the cache. Two caches share nothing.
    """

    def __init__(self):
        ### BEGIN SOLUTION
        self.keys = self.values = None
        ### END SOLUTION

    def append(self, k, v):
        ### BEGIN SOLUTION
        k, v = np.array([k], dtype=float), np.array([v], dtype=float)
        self.keys = k if self.keys is None else np.concatenate([self.keys, k])
        self.values = v if self.values is None else np.concatenate([self.values, v])
        ### END SOLUTION

    def __len__(self):
        ### BEGIN SOLUTION
        return 0 if self.keys is None else len(self.keys)
        ### END SOLUTION

# %% nbgrader={"grade_id": "KVCache", "grade": true, "points": 2}
check("KVCache")

# %% nbgrader={"grade_id": "decode_step_stub", "solution": true}
def decode_step(x, cache, Wq, Wk, Wv):
    """Attention of the newest word over a cache.

    First x's own key x Wk and value x Wv are appended to the cache. Then the query x Wq reads all that the
    cache holds, its own entry included: softmax of the scores divided by √d_k.
    x: (d,), Wq and Wk: (d, d_k), Wv: (d, d_v). cache: a KVCache of the words before x, maybe none; only the
    cache changes. Returns the pair (weights, mixture), shapes (t,) and (d_v,), t counting x. Word by word
    these are the rows of attention(X, Wq, Wk, Wv, causal=True), without the zeros.
    """
    ### BEGIN SOLUTION
    x, Wq, Wk, Wv = (np.asarray(array, dtype=float) for array in (x, Wq, Wk, Wv))
    cache.append(x @ Wk, x @ Wv)
    weights = softmax(np.asarray(cache.keys) @ (x @ Wq) / np.sqrt(Wq.shape[1]))
    return weights, weights @ np.asarray(cache.values)
    ### END SOLUTION

# %% nbgrader={"grade_id": "decode_step", "grade": true, "points": 3}
check("decode_step")

# %%
cache = KVCache()
for word, x in zip(words, river):
    print(word, "reads", np.round(decode_step(x, cache, I, I, I)[0], 4), "cached:", len(cache))

# %% [markdown]
# The causal table again, row by row. But word 1000 still reads 1000 keys, and the cache holds them all.
#
# ## 6 A memory that does not grow
#
# Leave softmax out: the weights are plain products, of a word with itself and all before it, and may well be
# negative. This is **linear attention**, $\text{out}_t = \sum_{s \le t} (q_t \cdot k_s)\, v_s$.

# %% nbgrader={"grade_id": "linear_attention_stub", "solution": true}
def linear_attention(Q, K, V):
    """Causal attention with the products themselves as weights.

    out_t = Σ_{s ≤ t} (q_t · k_s) v_s: t itself included, no softmax, no √d_k, no normalization.
    Q and K: (n, d_k), V: (n, d_v). Returns out: (n, d_v).
    """
    ### BEGIN SOLUTION
    Q, K, V = (np.asarray(array, dtype=float) for array in (Q, K, V))
    return np.tril(Q @ K.T) @ V
    ### END SOLUTION

# %% nbgrader={"grade_id": "linear_attention", "grade": true, "points": 2}
check("linear_attention")

# %% [markdown]
# Now move the brackets. The query is the same in every term, so it can be taken out of the sum:
# $\text{out}_t = q_t M_t$ with $M_t = \sum_{s \le t} k_s^{\top} v_s$. This has d_k × d_v numbers, however
# many words went in: each adds its part and may be forgotten. A matrix like a layer's weights, but written
# anew for every text: hence **fast weights**.

# %% nbgrader={"grade_id": "fast_weights_stub", "solution": true}
def fast_weights(Q, K, V):
    """Linear attention from a memory that every word updates.

    M_0 = 0;   M_t = M_{t-1} + k_tᵀ v_t;   out_t = q_t M_t, read after word t was added
    Q and K: (n, d_k), V: (n, d_v). Returns the pair (out, memory): out (n, d_v), which equals
    linear_attention(Q, K, V), and M_n (d_k, d_v), rows for coordinates of keys, columns for those of values.
    """
    ### BEGIN SOLUTION
    Q, K, V = (np.asarray(array, dtype=float) for array in (Q, K, V))
    memory, out = np.zeros((K.shape[1], V.shape[1])), []
    for q, k, v in zip(Q, K, V):
        memory = memory + np.outer(k, v)
        out.append(q @ memory)
    return np.array(out), memory
    ### END SOLUTION

# %% nbgrader={"grade_id": "fast_weights", "grade": true, "points": 3}
check("fast_weights")

# %%
keys, values = np.array([[1, 0], [0, 1], [.6, .8]]), np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
memories = {f"after word {n}": fast_weights(keys[:n], keys[:n], values[:n])[1] for n in (1, 2, 3)}
show_matrices(memories, title="a memory of fixed size")
print(*(np.round([0, 1] @ memory, 2) for memory in memories.values()))

# %% [markdown]
# We ask for the second key, [0 1]. After two words the answer is [4 5 6], just what was stored with it. The
# third key overlaps with it by .8, and the answer becomes [9.6 11.4 13.2]: more than d_k keys cannot all be
# kept apart. In return, with d_k = d_v = 64, 4096 numbers do, where 1000 words in a cache take 128 000.
#
# **Question.** Why can't softmax attention be given a memory of d_k × d_v numbers in the same way?
# - **a** The exponential of q · k is no product of q with something that does not depend on q.
# - **b** Its weights sum to one, and that total is known only at the end of the text.
# - **c** It divides by √d_k, and a division cannot be moved out of a sum.
# - **d** It could, but its mask would have to be stored in the memory as well.

# %% tags=["question"] nbgrader={"grade_id": "regrouping_stub", "solution": true}
answer = None  # write "a", "b", "c" or "d"
### BEGIN SOLUTION
answer = "a"
### END SOLUTION

# %% nbgrader={"grade_id": "regrouping", "grade": true, "points": 1}
check("regrouping")

# %% [markdown]
# ## 7 Any compatibility will do
#
# Softmax divides exponentials by their total. Instead, take any positive measure of how well a key suits a
# query, and you have a **kernel smoother**, known to statistics since 1964.

# %% nbgrader={"grade_id": "kernel_smoother_stub", "solution": true}
def kernel_smoother(q, K, V, compatibility):
    """Mix values by how compatible their keys are with a query.

    weight_s = compatibility(q, k_s) / Σ_r compatibility(q, k_r);   mixture = Σ_s weight_s v_s
    q: (d_k,), K: (m, d_k), V: (m, d_v). compatibility takes the query, then ONE key, both arrays (d_k,), and
    returns a positive number; it need not be symmetric. Returns the pair (weights (m,), mixture (d_v,)).
    """
    ### BEGIN SOLUTION
    q, K, V = (np.asarray(array, dtype=float) for array in (q, K, V))
    weights = np.array([compatibility(q, k) for k in K])
    weights = weights / weights.sum()
    return weights, weights @ V
    ### END SOLUTION

# %% nbgrader={"grade_id": "kernel_smoother", "grade": true, "points": 2}
check("kernel_smoother")

# %%
hours, degrees = [[0], [4], [8], [12], [16], [20]], [[9], [7], [12], [19], [17], [12]]
nearness = lambda q, k: np.exp(-np.sum((q - k) ** 2) / 18)
print("at 10 h:", *(np.round(part, 2) for part in kernel_smoother([10], hours, degrees, nearness)))
print("bank:", np.round(kernel_smoother(river[2], river, river, lambda q, k: np.exp(q @ k / 2))[0], 4))

# %% [markdown]
# A temperature that nobody measured, from six that were: sources need not be words. The exponential of
# $q \cdot k / \sqrt{d_k}$ gives bank's attention back. Distance and dot product rank keys differently.

# %% [markdown] nbgrader={"grade_id": "written_no_mask", "task": true, "points": 3}
# **In your own words.** A friend trains a next-word model and forgets the mask. In training it is almost
# always right; what it writes is nonsense. In four to six sentences: why the one, why the other, and how
# could your friend have found the mistake without training anything?
#
# === BEGIN MARK SCHEME ===
# 1 point: in training the word to be predicted stands in the input, and without a mask every position reads
# it, so the model learns to copy ("overfitting" or "memorizing" alone earns nothing). 1 point: in writing,
# that word does not exist yet, and guessing from the past was never needed, so it was not learned. 1 point
# for a test: change a later word and see whether an earlier row moves, or compare word-by-word decoding with
# the result for the whole text ("look at the heatmap" earns half a point).
# === END MARK SCHEME ===

# %% [markdown]
# *Write your answer here.*

# %% [markdown]
# ## Summary
#
# - A mask strikes out scores before softmax; what is left is shared anew. It brings in some order, but is no
#   full positional encoding: what a word reads of its past is a set, not a sequence.
# - Later words change no earlier row, hence the cache; without softmax, a fixed memory where keys interfere.
# - None of this shows that a model guesses well: that takes training (lesson 6), and more heads (lesson 5).
#
# ## Further reading
#
# - Vaswani et al. 2017, *Attention Is All You Need*, §3.2: one formula, used in three places.
# - Schlag et al. 2021, *Linear Transformers Are Secretly Fast Weight Programmers*: section 6, better updates.
# - Tsai et al. 2019, *Transformer Dissection*: attention as a kernel smoother.
