# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 1 Mixing: how one word takes in the others
#
# In "the river bank" and "the money bank" the word *bank* means two things, yet a program that looks words up
# in a table finds the same entry twice. How can the rest of the sentence reach that word? One answer is
# called *attention*, and its core is small enough to compute by hand: every word is replaced by a **weighted
# mixture** of all the words of its sentence. You build it in seven short functions. Afterwards you can
#
# - turn any scores into shares that sum to one, without numerical accidents;
# - compute an attention head from a table of word vectors, on paper and in numpy;
# - say what a row of attention weights means, and name three things that it does not show.
#
# **How to work.** Each task is a function whose docstring says everything it has to satisfy. Put your code in
# place of the `raise` line, run the cell, then the check below it. Checks use numbers from this page; after
# you hand in, further tests try other widths, other numbers of words, extreme scores. In a question, set
# `answer` to your letter and delete the `raise` line; what is right, and why, comes with the feedback. To
# hand in, restart the kernel, run all cells, save, and upload the notebook under its present name.
#
# **True for every task.** Arguments may be arrays or (nested) lists, of integers or floats; results are
# arrays of floats. Leave the arguments as they were: build new arrays instead of changing old ones.
#
# ## 1 One row per word, whatever the sentence
#
# Real models learn hundreds or thousands of numbers per word. Ours has four, made by hand so that we can read
# them: how much a word has to do with *finance*, with *water*, with a *structure*, and a *generic* rest.

# %%
import numpy as np

from autograder import check, show_arrows, show_attention, show_presets

VECTORS = {  # finance, water, structure, generic
    "the": [0, 0, 0, 1],
    "river": [0, 1, 0, .2],
    "money": [1, 0, 0, .2],
    "bank": [.5, .5, .8, .2],
}


def look_up(sentence):
    """One row of four coordinates for each word: shape (n, 4)."""
    return np.array([VECTORS[word] for word in sentence.split()])


river, money = look_up("the river bank"), look_up("the money bank")
print(river, money, sep="\n\n")

# %% [markdown]
# The last row, bank, is [.5 .5 .8 .2] in both, half way between water and finance: looking a word up gives
# the same row in every sentence. We want that row to take in something of its neighbors, so many parts of
# *the*, so many of *river*, so many of *bank* itself. How do scores become shares (section 2), where do the
# scores come from (3), and how are rows mixed by shares (4)?
#
# ## 2 From scores to shares
#
# Say somebody has scored how well the words of "the river bank" suit bank: .10, .27, .59. Shares must be
# positive and sum to one, and a higher score should get a larger share. **Softmax** does it by exponentials:
#
# $$\text{softmax}(z)_i = \frac{e^{z_i}}{\sum_j e^{z_j}}$$
#
# On paper: $e^{.10} = 1.105$, $e^{.27} = 1.310$, $e^{.59} = 1.804$, in total 4.219. Divide: [.26 .31 .43].
# Only *differences* of scores count: adding one number to all of them multiplies the top and the bottom of
# the fraction by the same factor. You will want that freedom, because `np.exp(1000)` is infinite and
# `np.exp(-1000)` is zero. A score of $-\infty$ is allowed: $e^{-\infty} = 0$, no share at all.

# %% nbgrader={"grade_id": "softmax_stub", "solution": true}
def softmax(z):
    """Turn scores into shares that sum to one along the last axis.

    softmax(z)_i = exp(z_i) / sum_j exp(z_j)

    z: shape (..., m), any number of dimensions from one upward. Returns the same shape: every row along the
    LAST axis is normalized by itself, so softmax([[0, 0], [5, 5]]) is [[.5, .5], [.5, .5]].
    Stable: scores of +1000 or -1000 (all of a row, or some) give finite, correct shares and no nan.
    Adding a constant to a row changes nothing. An entry of -inf gets the share 0 and the others share the
    rest; every row holds at least one finite score, and none is +inf or nan.
    Lists and integers are accepted; z is left as it was.
    """
    ### BEGIN SOLUTION
    z = np.asarray(z, dtype=float)
    exponentials = np.exp(z - z.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)
    ### END SOLUTION

# %% nbgrader={"grade_id": "softmax", "grade": true, "points": 3}
check("softmax")

# %% [markdown]
# Bank's lead of .32 over river in score becomes a ratio of $e^{.32} \approx 1.4$ in share, .43 to .31.
# Softmax favors the largest score, yet leaves no finite one with nothing.
#
# ## 3 How well do two words match?
#
# Where did .10, .27, .59 come from? Multiply two words coordinate by coordinate and add up: a **dot
# product**, large when both are large in the same places. For bank and river: 0·.5 + 1·.5 + 0·.8 + .2·.2 =
# .54. Bank's products with *the*, *river* and *bank* are [.20 .54 1.18]. The more coordinates $d$, the more
# terms, and the larger the differences that softmax sees. Hence the sum is divided by $\sqrt d$; here
# $\sqrt 4 = 2$, which gives [.10 .27 .59]. (Why the root? Lesson 3 measures it.)

# %% nbgrader={"grade_id": "match_scores_stub", "solution": true}
def match_scores(X):
    """Score every row of X against every row of X.

    S = X Xᵀ / √d,   S[i, j] = (row i · row j) / √d

    X: shape (n, d), one word per row, n and d from one upward. Returns S: shape (n, n).
    d is the number of columns of the X at hand: 4 on this page, but not in every test.
    Lists and integers are accepted; X is left as it was.
    """
    ### BEGIN SOLUTION
    X = np.asarray(X, dtype=float)
    return X @ X.T / np.sqrt(X.shape[1])
    ### END SOLUTION

# %% nbgrader={"grade_id": "match_scores", "grade": true, "points": 2}
check("match_scores")

# %%
print(np.round(match_scores(river), 2))

# %% [markdown]
# One row per reader, one column per word read; the last row is the one computed above. The table is
# symmetric: how well river suits bank and bank suits river is the same sum (not so in lesson 2).
#
# ## 4 Mixing rows
#
# With the shares [.26 .31 .43], bank's mixture is .26 × *the* + .31 × *river* + .43 × *bank*. Its water
# coordinate is .26·0 + .31·1 + .43·.5 = .525; all four, by hand: [.215 .525 .344 .408]. Those shares were
# already rounded. Carried through at full precision and rounded once, at the end, the mixture is
# [.21 .52 .34 .41]. So your paper may differ in the last digit: printed rows come from full precision.
#
# Now for many readers at once: a row of shares for each reader, a row of content for each word read.

# %% nbgrader={"grade_id": "mix_stub", "solution": true}
def mix(A, V):
    """Mix the rows of V with the shares in A.

    H = A V,   H[i] = sum_j A[i, j] V[j]

    A: shape (n, m), row i holds reader i's shares of the m sources. V: shape (m, d_v), one row per source.
    Returns H: shape (n, d_v). n, m and d_v may all differ, and each may be 1.
    The shares are used as they are: nothing is normalized here.
    Lists and integers are accepted; A and V are left as they were.
    """
    ### BEGIN SOLUTION
    return np.asarray(A, dtype=float) @ np.asarray(V, dtype=float)
    ### END SOLUTION

# %% nbgrader={"grade_id": "mix", "grade": true, "points": 2}
check("mix")

# %% [markdown]
# ## 5 One attention head
#
# Scores, shares, mixture: these three steps in a row are an **attention head**. All words go through them at
# the same time, each as the reader of one row; nothing is read from left to right. Nor do the steps ask what
# the rows stand for: products in a basket or notes of a melody would do as well.
#
# Guess before you run it: does bank have the same weights in "the money bank" as in "the river bank"?

# %% nbgrader={"grade_id": "attend_stub", "solution": true}
def attend(X):
    """One attention head that uses each row as it is ("identity projections").

    A = the softmax, along each row, of X Xᵀ / √d          the weights
    H = A X                                                the mixtures

    X: shape (n, d), n and d from one upward. Returns the pair (A, H), in this order: A has shape (n, n), each
    row sums to one, A[i, j] is reader i's share of word j; H has shape (n, d). No residual is added here.
    Use the functions you have already written. Lists and integers are accepted; X is left as it was.
    """
    ### BEGIN SOLUTION
    A = softmax(match_scores(X))
    return A, mix(A, X)
    ### END SOLUTION

# %% nbgrader={"grade_id": "attend", "grade": true, "points": 3}
check("attend")

# %%
for sentence in ("the money bank", "the river bank"):
    A, H = attend(look_up(sentence))
    print(sentence, "  bank's weights", np.round(A[2], 2), "  bank's mixture", np.round(H[2], 2))
show_attention(A, sentence.split(), title=sentence)

# %% [markdown]
# Read the picture by rows: the last row says how bank's mixture is put together, [.26 .31 .43]. In "the money
# bank" the weights are **the same**, and still the mixture is another: [.52 .21 .34 .41] instead of
# [.21 .52 .34 .41]. No picture of weights could tell the two apart: the weights are only part of the story.
#
# **Question.** Bank has the same weights in both sentences. Why do its mixtures differ?
#
# - **a** The weights differ too, but rounding to two digits hides it.
# - **b** River and money match bank equally well, but they bring in different rows.
# - **c** Looking bank up gives it a different row in each of the two sentences.
# - **d** Softmax treats each sentence separately, so equal scores become different shares.

# %% tags=["question"] nbgrader={"grade_id": "same_weights_stub", "solution": true}
answer = None  # write "a", "b", "c" or "d"
### BEGIN SOLUTION
answer = "b"
### END SOLUTION

# %% nbgrader={"grade_id": "same_weights", "grade": true, "points": 1}
check("same_weights")

# %% [markdown]
# ## 6 Keeping the word itself
#
# H is not yet bank's new representation: bank's old row makes up less than half of its mixture. A Transformer
# adds the mixture to the old row, a **residual connection**: the head only proposes an update.

# %% nbgrader={"grade_id": "add_residual_stub", "solution": true}
def add_residual(X, H):
    """Add the mixtures to the rows they belong to.

    Y = X + H

    X and H: the same shape (n, d). Returns Y: shape (n, d), a new array.
    Lists and integers are accepted (and added entry by entry); X and H are left as they were.
    """
    ### BEGIN SOLUTION
    return np.asarray(X, dtype=float) + np.asarray(H, dtype=float)
    ### END SOLUTION

# %% nbgrader={"grade_id": "add_residual", "grade": true, "points": 1}
check("add_residual")

# %%
arrows = {word: VECTORS[word][:2] for word in ("river", "money", "bank")}
for sentence in ("the river bank", "the money bank"):
    X = look_up(sentence)
    Y = add_residual(X, attend(X)[1])
    arrows[f"bank in {sentence}"] = Y[2][:2]
    print(sentence, np.round(Y[2], 2))
show_arrows(arrows, axes=("finance", "water"), title="bank: one row in the table, two in sentences")

# %% [markdown]
# One arrow has become two: [.71 1.02 1.14 .61] beside the river, [1.02 .71 1.14 .61] beside the money.
# Context has reached the word. What this does *not* show: that word order matters (shuffle the sentence, and
# bank's row stays the same), or that anything was learned (nothing was).
#
# **Question.** Another head gives bank the weights [.4 .6 0]. How much of bank's old row is left in Y?
#
# - **a** Nothing: a weight of 0 removes it.
# - **b** A third, since the residual treats the three positions alike.
# - **c** That depends on how well bank's row matches itself.
# - **d** All of it: it is added unchanged, whatever the weights are.

# %% tags=["question"] nbgrader={"grade_id": "keeps_itself_stub", "solution": true}
answer = None  # write "a", "b", "c" or "d"
### BEGIN SOLUTION
answer = "d"
### END SOLUTION

# %% nbgrader={"grade_id": "keeps_itself", "grade": true, "points": 1}
check("keeps_itself")

# %% [markdown]
# ## 7 Would the plain mean have done it?
#
# The head told two meanings apart. Before we praise its weights, take them away: give every word the same
# share, so that each row becomes the mean of all rows. Could you still tell the sentences apart?

# %% nbgrader={"grade_id": "uniform_mixture_stub", "solution": true}
def uniform_mixture(X):
    """Mix with equal shares: every row becomes the mean of all rows.

    H[i] = (1/n) sum_j X[j]   for every i

    X: shape (n, d), n and d from one upward. Returns H: shape (n, d), n equal rows (not just one).
    Lists and integers are accepted; X is left as it was.
    """
    ### BEGIN SOLUTION
    X = np.asarray(X, dtype=float)
    return np.tile(X.mean(axis=0), (len(X), 1))
    ### END SOLUTION

# %% nbgrader={"grade_id": "uniform_mixture", "grade": true, "points": 1}
check("uniform_mixture")

# %%
print(np.round(uniform_mixture(river)[2], 2), np.round(uniform_mixture(money)[2], 2))

# %% [markdown]
# In "the river bank" the mean has water .50 and finance .17; in "the money bank" it is the reverse. The plain
# mean **already separates** the two, without looking at anything. (In both mixtures water minus finance is
# exactly river's share: .31 with the head, .33 with the mean.) Different results for different sentences are
# thus no evidence that a head *selects*. Always ask what the dullest mixture would have done.
#
# ## 8 Turning the contrast up and down
#
# Perhaps our head is only too timid. Multiply the scores by a factor before softmax: a large one exaggerates
# their differences, a small one levels them. Guess first: which word wins bank's row when the factor is 5?

# %% nbgrader={"grade_id": "sharpen_stub", "solution": true}
def sharpen(scores, factor):
    """Shares from scores whose differences are first multiplied by a factor.

    sharpen(scores, factor) = the softmax, along the last axis, of factor × scores

    scores: shape (..., m), finite, used as given: no further √d. factor: one finite number. Returns the same
    shape as scores. A factor of 1 is plain softmax, 0 gives equal shares, a negative one reverses the order.
    Stable for large products such as 5 × 1000. Lists and integers are accepted; scores is left as it was.
    """
    ### BEGIN SOLUTION
    return softmax(factor * np.asarray(scores, dtype=float))
    ### END SOLUTION

# %% nbgrader={"grade_id": "sharpen", "grade": true, "points": 2}
check("sharpen")

# %%
words = "the river bank".split()
contrast = lambda factor: {"shares": sharpen(match_scores(river), factor)}
factors = {f"factor {factor}": {"factor": factor} for factor in (.1, 1, 5)}
show_presets(contrast, factors, {"factor": (-8, 8, .1)}, words, words, "The same scores, three contrasts")
print(*(np.round(contrast(**setting)["shares"][2], 3) for setting in factors.values()))

# %% [markdown]
# With factor 5, bank's weights are [.067 .157 .776]: the winner is **bank itself, not river**. With factor .1
# they are [.326 .332 .342], almost the plain mean. A positive factor never changes the order: it amplifies a
# preference, it does not acquire a better one. For that, bank must *ask* for something other than its own
# likeness, as in lesson 2. (In a live notebook, move the factor: below zero, the worst match gets most.)
#
# ## 9 What a weight is, and what it is not
#
# **A dot product is not a cosine.** A cosine compares directions only; a dot product also grows with length.
# Make river's row twice as long, in the same direction, and bank's weights become [.239 .371 .390]:

# %%
print(np.round(attend(river * [[1], [2], [1]])[0][2], 3))

# %% [markdown]
# River has gained, though it points where it did before: a high weight may mean "similar", or merely "long".
#
# **A weight is a share over positions.** A[i, j] says how much of row j goes into mixture i. It is not a
# parameter, not a count of how often two words occur together, not a probability that word j comes next: it
# is computed from this sentence's rows, and anew for the next sentence.
#
# **Question.** Which change leaves all of bank's weights in "the river bank" exactly as they are?
#
# - **a** Every score in bank's row is doubled.
# - **b** The same number is added to every score in bank's row.
# - **c** A fourth word, whose row is all zeros, is appended to the sentence.
# - **d** Each word's row is scaled to length one, so that all directions are kept.

# %% tags=["question"] nbgrader={"grade_id": "unchanged_weights_stub", "solution": true}
answer = None  # write "a", "b", "c" or "d"
### BEGIN SOLUTION
answer = "b"
### END SOLUTION

# %% nbgrader={"grade_id": "unchanged_weights", "grade": true, "points": 1}
check("unchanged_weights")

# %% [markdown] nbgrader={"grade_id": "written_heatmap", "task": true, "points": 3}
# **In your own words.** A classmate shows the picture of section 5 and writes: "Bank gives river a weight of
# .31. So the head has discovered that this bank is the side of a river." In four to six sentences: what does
# the .31 say, and why does the conclusion not follow? Support your answer with two results from this lesson.
#
# === BEGIN MARK SCHEME ===
# 1 point: the .31 is the share of river's row in bank's mixture, computed from these rows ("the probability"
# or "the importance" of river alone earns nothing).
#
# 1 point for each of two results used against the conclusion, for example: the weights are the same in "the
# money bank"; the plain mean separates the sentences too (water .50, finance .17, and the reverse); bank's
# largest weight, .43, falls on itself, and sharpening (.776) strengthens just that; doubling river's length
# raises its weight to .371 with no change of meaning; the coordinates were made by hand.
#
# At most 2 points in all if the text calls the weights meaningless: the mixture does carry the context.
# === END MARK SCHEME ===

# %% [markdown]
# *Write your answer here.*

# %% [markdown]
# ## Summary
#
# - The table gives one row per word. Mixing adds context: scores X Xᵀ / √d, shares by softmax, mixture A X.
# - The residual connection adds the mixture to the word's row: attention updates, it does not replace.
# - Weights are shares over positions, computed for each input: no parameters, no cosines.
# - The plain mean separates the banks too, and sharper weights favor bank itself. To *choose* what to read
#   takes queries and keys: lesson 2.
#
# ## Further reading
#
# - Vaswani et al. 2017, *Attention Is All You Need*, sections 3.2 and 3.2.1: the formula in full.
# - Alammar, *The Illustrated Transformer*: the same steps in pictures.
# - Yan 2023, *Some Intuition on Attention and the Transformer*: answers to questions you may have now.
