# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 3 Subspaces: what a query map reads, and what it never sees
#
# Lesson 2 turned a word's row x into a query, `q = x @ Wq`. The map usually has far fewer columns than rows,
# so something must get lost. What exactly? Two words may differ a lot and still ask the very same question.
# Afterwards you can
#
# - split any row into the part that a map reads and the part that it ignores;
# - change a word so that a query does not notice, and say who else may;
# - measure why scores are divided by a root, and how many features fit into few coordinates.
#
# **True for every task.** Arguments may be arrays or (nested) lists, of integers or floats, and stay as they
# were. In a question set `answer` to your letter and delete the `raise` line.
#
# ## 1 Two rows, one query
#
# A map from three coordinates to two. Its first column adds $x_1 + x_3$, its second $x_2 + x_3$.

# %%
import numpy as np
from scipy.special import softmax

from autograder import check, show_arrows, show_matrices, show_presets

Wq = np.array([[1, 0], [0, 1], [1, 1]])
rows = np.array([[2, 3, 1], [6, 7, -3]])
print(rows @ Wq)

# %% [markdown]
# [2 3 1] and [6 7 −3] differ in every coordinate, and both ask [3 4]. Their difference is 4 × [1 1 −1], which
# maps to [0 0]: any multiple of [1 1 −1] can be added to any row without a trace in the query. What this map
# ignores is **not "the third coordinate"**, which enters both sums, but a *direction*.
#
# ## 2 The directions that leave no trace
#
# Sums and multiples of ignored directions are ignored, too: all v with v W = 0 form a subspace. It is best
# written down as an **orthonormal basis**: vectors of length one, perpendicular to each other, whose mixtures
# are the whole subspace. Many bases do that equally well, and any will be accepted.
#
# Computers round, so "= 0" needs a yardstick. The *singular values* of W say how strongly W stretches the
# directions it is best described by (`np.linalg.svd` computes both); those below $10^{-10}$ times the largest
# are rounding dust. And beware: we multiply rows from the left. Where textbooks and libraries mean W c = 0,
# they ask about another space; in their words, ours is the null space of Wᵀ.

# %% nbgrader={"grade_id": "null_space_stub", "solution": true}
def null_space(W):
    """An orthonormal basis of the directions that W ignores, as columns.

    v @ W = 0 for each column v, which has length one and is perpendicular to the others

    W: shape (d, d_k), d and d_k from one upward, tall, wide or square, of any rank r. Returns shape
    (d, d - r). Any such basis is right, whatever the order, signs or rotation of its columns.
    r counts the singular values of W that are not zero. Those below 1e-10 × the largest count as zero, all
    others do not, however small: 1e-9 × the largest is real. A W of zeros ignores everything: shape (d, d).
    If nothing is ignored: shape (d, 0). Lists and integers are accepted; W is left as it was.
    """
    ### BEGIN SOLUTION
    W = np.asarray(W, dtype=float)
    directions, stretches, _ = np.linalg.svd(W)
    rank = np.count_nonzero(stretches > 1e-10 * stretches.max())
    return directions[:, rank:]
    ### END SOLUTION

# %% nbgrader={"grade_id": "null_space", "grade": true, "points": 3}
check("null_space")

# %% [markdown]
# For the map above there is one column, ±[.577 .577 −.577]: the direction [1 1 −1], brought to length one.
#
# ## 3 A read part and an ignored part
#
# Every row splits in exactly one way into an ignored part, inside that subspace, and a rest perpendicular to
# it. For [2 3 1], along [1 1 −1]: the dot product is 4, the squared length 3, so the ignored part is
# 4/3 × [1 1 −1] and the read part [2/3 5/3 7/3]. What will the read part of [6 7 −3] be?

# %% nbgrader={"grade_id": "split_by_map_stub", "solution": true}
def split_by_map(x, W):
    """Split rows into what W reads and what it ignores.

    x = read + ignored,   ignored @ W = 0,   read perpendicular to every direction that W ignores

    x: one row of shape (d,), or n rows of shape (n, d), each split by itself. W: shape (d, d_k), of any rank;
    the same singular values count as zero as in null_space. Returns the pair (read, ignored), in this order,
    both of the shape of x. Lists and integers are accepted; x and W are left as they were.
    """
    ### BEGIN SOLUTION
    x, basis = np.asarray(x, dtype=float), null_space(W)
    ignored = x @ basis @ basis.T
    return x - ignored, ignored
    ### END SOLUTION

# %% nbgrader={"grade_id": "split_by_map", "grade": true, "points": 3}
check("split_by_map")

# %%
read, ignored = split_by_map(rows, Wq)
parts = {"x": rows, "read": read, "ignored": ignored, "query": rows @ Wq}
show_matrices(parts, rows=["[2 3 1]", "[6 7 −3]"], title="Two rows, split by what the map reads")
a, b, narrow = [3, 1], [4.5, -2], [[2], [1]]  # narrow: a map to one number, 2 × first + second
arrows = {"a": a, "b": b, "read of both": split_by_map([a, b], narrow)[0][1]}
show_arrows(arrows, axes=("first", "second"), title="Both ask 7")

# %% [markdown]
# Both rows have the same read part: as readers they are one word. In the second picture the query is the
# number 2·3 + 1·1 = 7, but the read part is 3.13 long: a learned "projection" may stretch and turn what it
# reads, whereas `split_by_map` projects orthogonally and stays among the words. (Read parts fill the column
# space of W. Queries fill its row space: the column space of Wᵀ, in books that write q = Wᵀx.)
#
# ## 4 How many directions?
#
# A map of **rank** r reads r of the d directions and ignores the others.

# %% nbgrader={"grade_id": "count_directions_stub", "solution": true}
def count_directions(W):
    """Count the independent directions that W reads, and those that it ignores: (r, d - r).

    W: shape (d, d_k), of any rank r, also less than d_k; singular values count as zero as in null_space.
    Returns the pair (read, ignored) of whole numbers. Lists and integers are accepted; W is left as it was.
    """
    ### BEGIN SOLUTION
    W = np.asarray(W, dtype=float)
    unseen = null_space(W).shape[1]
    return len(W) - unseen, unseen
    ### END SOLUTION

# %% nbgrader={"grade_id": "count_directions", "grade": true, "points": 1}
check("count_directions")

# %%
larger = np.random.default_rng(0).standard_normal((768, 64))  # as large as a head of GPT-2
print(count_directions(Wq), count_directions(larger), count_directions(larger[:, [0, 1, 1, 0]]))

# %% [markdown]
# A head that maps 12 288 coordinates to 128, as in GPT-3, reads **at most 128** independent directions and
# ignores **at least 12 160**: the last of the three maps shows what happens if columns repeat others.
#
# ## 5 A change that a head does not see
#
# If the theory holds, we can forge a word: move it a given distance without moving its query.

# %% nbgrader={"grade_id": "unseen_change_stub", "solution": true}
def unseen_change(x, W, size, rng):
    """Move a row by a random change that W ignores.

    |x' - x| = size,   x' @ W = x @ W

    x: one row of shape (d,). W: shape (d, d_k), of any rank; singular values count as zero as in null_space.
    size: a number above zero. rng: a numpy Generator, such as np.random.default_rng(5), the only source of
    chance: the same seed gives the same x', another seed another. The change is a random mixture of *all*
    ignored directions (if there is but one, only its sign can vary). Returns x': shape (d,). Raises
    ValueError if W ignores nothing. Lists and integers are accepted; x and W are left as they were.
    """
    ### BEGIN SOLUTION
    basis = null_space(W)
    if basis.shape[1] == 0:
        raise ValueError("this map reads every direction, so no change goes unseen")
    change = basis @ rng.standard_normal(basis.shape[1])
    return np.asarray(x, dtype=float) + size * change / np.linalg.norm(change)
    ### END SOLUTION

# %% nbgrader={"grade_id": "unseen_change", "grade": true, "points": 3}
check("unseen_change")

# %% [markdown]
# Now a small head: the last of three words reads, and the keys come from another map, which reads $x_1$ and
# $x_3$. Guess which of the three rows of weights will be equal.

# %%
Wk = np.array([[1, 0], [0, 0], [0, 1]])
X = np.array([[1, 0, 2], [0, 1, -1], [.5, .2, .4]])
forged = np.vstack([X[:2], unseen_change(X[2], Wq, 2, np.random.default_rng(0))])
cases = {"before": (X, X), "forged, old keys": (forged, X), "forged, new keys": (forged, forged)}
weights = {name: softmax(Z[2] @ Wq @ (Y @ Wk).T / np.sqrt(2)) for name, (Z, Y) in cases.items()}
show_matrices(weights, columns=["word 0", "word 1", "word 2"], title="Weights of word 2, the forged one")

# %% [markdown]
# Equal queries with the *same keys* give equal weights. But the forged word has a key, too, which another map
# reads: there the change shows. It may equally move the word's value or another head, and it stands in the
# residual stream for all later layers. "Ignored" always means: by this map.
#
# **Question.** A word's row is moved along a direction that Wq ignores, and one head of the layer is computed
# anew for the whole sentence. Which of these is certain not to move, whatever the other matrices are?
#
# - **a** The word's row of weights.
# - **b** The word's query.
# - **c** The weight with which the other words read this one.
# - **d** The word's row after the residual connection.

# %% tags=["question"] nbgrader={"grade_id": "certain_to_stay_stub", "solution": true}
answer = None  # write "a", "b", "c" or "d"
### BEGIN SOLUTION
answer = "b"
### END SOLUTION

# %% nbgrader={"grade_id": "certain_to_stay", "grade": true, "points": 1}
check("certain_to_stay")

# %% [markdown]
# ## 6 One matrix behind all scores
#
# Queries and keys meet only in dot products, $q_i \cdot k_j = (x_i W_q)(x_j W_k)^\top$. Move the brackets:
# a single matrix M stands between two words, and their score, before the root, is $x_i\,M\,x_j^\top$.

# %% nbgrader={"grade_id": "compatibility_form_stub", "solution": true}
def compatibility_form(Wq, Wk):
    """The matrix between reader and source that gives their score, not yet divided by a root.

    x_i M x_jᵀ = q_i · k_j   with q_i = x_i Wq and k_j = x_j Wk, for all rows x_i and x_j

    Wq and Wk: shape (d, d_k). Returns M: shape (d, d), to be used with the reader's row on the left.
    Lists and integers are accepted; Wq and Wk are left as they were.
    """
    ### BEGIN SOLUTION
    return np.asarray(Wq, dtype=float) @ np.asarray(Wk, dtype=float).T
    ### END SOLUTION

# %% nbgrader={"grade_id": "compatibility_form", "grade": true, "points": 1}
check("compatibility_form")

# %%
M = compatibility_form(Wq, Wk)
show_matrices({"M": M, "scores X M Xᵀ": X @ M @ X.T}, title="What stands between two words")
print("read of readers, read of sources:", count_directions(M), count_directions(M.T))

# %% [markdown]
# M has d × d entries but a rank of at most d_k, here 2. It need not be symmetric, and it is no distance:
# [0 1 0] scores 0 with itself, 1 with [0 0 1], and the other way round 0. And it has *two* blind sides:
# [1 1 −1] on the left, which Wq ignores of a reader, and [0 1 0] on the right, which Wk ignores of a source.
#
# ## 7 The same head in other clothes
#
# Can we read Wq and Wk off the scores? Let any invertible R act on the queries, and let its inverse undo that
# on the side of the keys: no score changes.

# %% nbgrader={"grade_id": "refactor_stub", "solution": true}
def refactor(Wq, Wk, R):
    """Other maps with the same scores: (Wq R, Wk R⁻ᵀ), where R⁻ᵀ is the inverse of R, transposed.

    Wq and Wk: shape (d, d_k). R: shape (d_k, d_k), invertible, in general neither symmetric nor a rotation.
    Returns the pair (new query map, new key map), both of shape (d, d_k).
    Lists and integers are accepted; Wq, Wk and R are left as they were.
    """
    ### BEGIN SOLUTION
    Wq, Wk, R = (np.asarray(matrix, dtype=float) for matrix in (Wq, Wk, R))
    return Wq @ R, Wk @ np.linalg.inv(R).T
    ### END SOLUTION
# %% nbgrader={"grade_id": "refactor", "grade": true, "points": 2}
check("refactor")

# %%
Wq2, Wk2 = refactor(Wq, Wk, [[2, 1], [0, .5]])
show_matrices({"Wq R": Wq2, "Wk R⁻ᵀ": Wk2, "M": compatibility_form(Wq2, Wk2)}, title="New maps, old M")
print(rows @ Wq2)

# %% [markdown]
# The query [3 4] has become [6 5]; M, and with it every score, is the old one: an entry of a query means
# little by itself. (All this holds for scores of content only. Where queries and keys are turned according
# to their positions before they meet, R has to get along with the turning.)
#
# ## 8 Why the root?
#
# Lesson 1 promised a reason for dividing by $\sqrt{d_k}$. Let the entries of q and k be independent, of mean
# 0 and variance 1. Each product of two entries then has variance 1, and the variances of d_k terms add up.
# %% nbgrader={"grade_id": "dot_product_variance_stub", "solution": true}
def dot_product_variance(d_k, samples, rng):
    """Measure how much the dot products of random queries and keys vary, raw and scaled.

    raw = the variance of q·k,   scaled = the variance of q·k / √d_k,   over `samples` pairs (q, k)

    q and k: d_k entries each, all standard normal and independent; every pair has a q and a k of its own.
    samples: at least 2. rng: a numpy Generator, from which everything is drawn, in any order you like: the
    same seed gives the same result, another seed another. Returns the pair of numbers (raw, scaled), measured
    on ONE sample of pairs, and either both divided by samples or both by samples - 1.
    """
    ### BEGIN SOLUTION
    queries, keys = rng.standard_normal((2, samples, d_k))
    products = np.sum(queries * keys, axis=1)
    return products.var(), (products / np.sqrt(d_k)).var()
    ### END SOLUTION
# %% nbgrader={"grade_id": "dot_product_variance", "grade": true, "points": 2}
check("dot_product_variance")

# %%
for d_k in (2, 16, 128):
    print(d_k, np.round(dot_product_variance(d_k, 20_000, np.random.default_rng(0)), 2))
rng = np.random.default_rng(0)
scores = [rng.standard_normal(128) @ rng.standard_normal((8, 128)).T for reader in range(3000)]
for root in (1, np.sqrt(128)):
    shares = [softmax(row / root) for row in scores]
    norms = [np.linalg.norm(np.diag(p) - np.outer(p, p)) for p in shares]  # of softmax's Jacobian
    print(f"median norm: {np.median(norms[:100]):.3f} (100 readers), {np.median(norms):.3f} (3000)")

def shares_of(d_k):  # one reader, 8 keys
    rng = np.random.default_rng(0)
    scores = rng.standard_normal(d_k) @ rng.standard_normal((8, d_k)).T
    return {"raw": softmax(scores), "scaled": softmax(scores / np.sqrt(d_k))}

widths = {f"d_k = {d_k}": {"d_k": d_k} for d_k in (2, 128)}
show_presets(shares_of, widths, {"d_k": range(1, 257)}, title="One reader, 8 keys")

# %% [markdown]
# The raw variance is about d_k, the scaled one about 1, for any width. Why it matters: softmax's Jacobian
# says how far shares move when scores do. With d_k = 128 and 8 keys, the median of its norm over a hundred
# random readers is **.011** unscaled and **.37** scaled, and training works by moving. (A hundred are few for
# so lopsided a quantity: three thousand give .014.) This is about random vectors; trained ones may differ.
#
# ## 9 More features than directions
#
# 128 coordinates hold 128 independent directions, not 1 000. At most 128 *features*, then? Only if these must
# be independent. Let their directions overlap, and measure how badly.
# %% nbgrader={"grade_id": "coherence_stub", "solution": true}
def coherence(F):
    """The worst overlap among directions: the largest |cosine| between two different rows.

    coherence(F) = max over i ≠ j of |f_i · f_j| / (|f_i| |f_j|)

    F: shape (m, d), one direction per row, of any length but zero; m from two upward, also above d.
    Returns one number, from 0 (all perpendicular) to 1 (two rows are equal, parallel or opposite).
    Lists and integers are accepted; F is left as it was.
    """
    ### BEGIN SOLUTION
    F = np.asarray(F, dtype=float)
    F = F / np.linalg.norm(F, axis=1, keepdims=True)
    overlaps = np.abs(F @ F.T)
    np.fill_diagonal(overlaps, 0)
    return overlaps.max()
    ### END SOLUTION
# %% nbgrader={"grade_id": "coherence", "grade": true, "points": 2}
check("coherence")

# %%
turns = 2 * np.pi * np.arange(5) / 5
star = np.stack([np.cos(turns), np.sin(turns)], axis=1)
show_arrows({f"feature {i}": f for i, f in enumerate(star)}, title=f"Coherence {coherence(star):.2f}")
ten = np.linalg.qr(np.random.default_rng(0).standard_normal((128, 10)))[0].T
print("ten features:", np.round(coherence(ten), 2), " entries that are zero:", np.sum(ten == 0))
crowds = [coherence(np.random.default_rng(seed).standard_normal((1000, 128))) for seed in range(3)]
print("1 000 features:", np.round(crowds, 2), " mean:", np.round(np.mean(crowds), 2))

# %% [markdown]
# Five features in two coordinates are crowded (.81). But of a thousand *random* directions in 128 coordinates
# even the worst of half a million pairs overlaps by about .43 only (three tries, .40 to .47). And the ten
# features, which do not overlap, each spread over all 128 coordinates: a coordinate is no feature.
#
# **Question.** Which of these is impossible in 128 coordinates?
#
# - **a** 1 000 features, none of which is a weighted sum of the others.
# - **b** 1 000 features with coherence .5 or less.
# - **c** Ten features with coherence 0, none of which has a zero among its entries.
# - **d** 129 features, no two of which are parallel.
# %% tags=["question"] nbgrader={"grade_id": "crowded_features_stub", "solution": true}
answer = None  # write "a", "b", "c" or "d"
### BEGIN SOLUTION
answer = "a"
### END SOLUTION
# %% nbgrader={"grade_id": "crowded_features", "grade": true, "points": 1}
check("crowded_features")

# %% [markdown] nbgrader={"grade_id": "written_ignored", "task": true, "points": 3}
# **In your own words.** A classmate found that in a trained model one head's Wq ignores the direction "past
# minus present tense", and concludes: "This layer does not use tense." In four to six sentences: what does
# follow, why does the conclusion not, and which experiment on the model would tell more?
#
# === BEGIN MARK SCHEME ===
# 1 point: moving a word along that direction leaves this head's query of the word as it is, and its weights
# if the keys stay ("the weights stay" without that condition: half a point).
#
# 1 point: why no more follows, with at least one route named: the same head's Wk or Wv, another head, the
# residual stream; or that the direction is but one reading of "tense", since features may spread and overlap.
#
# 1 point: an experiment that changes something and compares outcomes, such as moving a word's row along the
# direction (for keys or values alone, to tell routes apart) and comparing weights, updates or predictions.
# Looking at heatmaps alone: no point.
# === END MARK SCHEME ===

# %% [markdown]
# *Write your answer here.*

# %% [markdown]
# ## Summary
#
# - A map reads r directions, its rank, and ignores d − r; what is ignored here may be read elsewhere.
# - Scores know Wq and Wk only through M = Wq Wkᵀ: of rank at most d_k, no distance, factored in many ways.
# - Unscaled scores grow with the width; the root keeps softmax where it can still move.
# - Independent directions are scarce, nearly perpendicular ones are not. What an ignored direction *means*,
#   only experiments on a trained model can say.
#
# ## Further reading
#
# - Elhage et al. 2022, *Toy Models of Superposition*: when more features than directions pay off.
# - Tsai et al. 2019, *Transformer Dissection*: scores as a kernel, and what else could stand in for M.
# - Vaswani et al. 2017, *Attention Is All You Need*, section 3.2.1 and its footnote on the variance.
