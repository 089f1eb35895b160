# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 2 Matching: what a word asks for
#
# The head of lesson 1 had one question for everybody: *who is like me?* So bank, made to read more sharply,
# only read more of bank. But *tower* does not need more tower; it needs to know *which* tower. How can a word
# ask for what it is not? By playing three roles, each through a matrix of its own. Afterwards you can
#
# - compute a head with queries, keys and values, for any widths, on paper and in numpy;
# - set up a query by hand that looks for what you choose, and predict what it will find;
# - tell where a word *looks* from what it *receives*, and name what a good match does not prove.
#
# **How to work.** As in lesson 1: docstrings say everything a function must satisfy, the check below a task
# uses numbers from this page, and after handing in other sizes and numbers are tried. To hand in, restart the
# kernel, run all cells, save, and upload the notebook under its present name.
#
# **True for every task.** Arguments may be arrays or (nested) lists, of integers or floats; results are
# arrays of floats. Leave the arguments as they were. For softmax, use the one imported below: it is stable,
# and it has to be told the `axis` along which the entries share a total of one.
#
# ## 1 A tower that finds only itself
#
# Two coordinates, *structure* and *Paris identity*. *Tower* has the one, *Eiffel* the other, *the* neither.

# %%
import numpy as np
from scipy.special import softmax

from autograder import check, show_arrows, show_attention, show_matrices, show_presets

WORDS = ["the", "Eiffel", "tower"]
TOWER = np.array([[0, 0], [0, 1], [1, 0]])  # structure, Paris identity
show_arrows(dict(zip(WORDS[1:], TOWER[1:])), ["structure", "Paris identity"], "At right angles: product 0")

# %% [markdown]
# Compare tower with each word, as in lesson 1: the products with *the*, *Eiffel*, *tower* are 0, 0, 1;
# divided by $\sqrt 2$ they are 0, 0, .707. The exponentials 1, 1, 2.028 sum to 4.028, so the weights are
# [.2483 .2483 .5035]. Eiffel, the one word that could tell which tower is meant, gets not a hair more than
# the filler. Nothing is wrong with the arithmetic. The question is wrong.
#
# ## 2 One row, three roles
#
# Go to a library. You come with a question, the **query**. You hold it against the titles on the spines, the
# **keys**. What you take home is neither: it is what the books say, the **values**. In a head every word is
# reader, spine and book at once, so its row $x$ is turned into three:
#
# $$q = x\,W_q \qquad k = x\,W_k \qquad v = x\,W_v$$
#
# A word is a row here, so the matrix stands to its right: entry $j$ of $q$ is $x$ times *column* $j$ of
# $W_q$. (Texts that write words as columns have $W x$, with the transposed matrices.) A query meets keys, so
# these two share a width, $d_k$. The values are free to have another, $d_v$.

# %% nbgrader={"grade_id": "project_stub", "solution": true}
def project(X, Wq, Wk, Wv):
    """Turn every row into a query, a key and a value.

    Q = X Wq,   K = X Wk,   V = X Wv

    X: shape (n, d), one word per row. Wq and Wk: shape (d, d_k). Wv: shape (d, d_v). All sizes are at least
    one and may differ. Returns the triple (Q, K, V), in this order: Q and K have shape (n, d_k), V (n, d_v).
    Nothing is scaled here. Lists and integers are accepted; the arguments are left as they were.
    """
    ### BEGIN SOLUTION
    X, Wq, Wk, Wv = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv))
    return X @ Wq, X @ Wk, X @ Wv
    ### END SOLUTION

# %% nbgrader={"grade_id": "project", "grade": true, "points": 1}
check("project")

# %% [markdown]
# **Question.** One book gets another title on its spine; its pages stay as they are. What is that in a head?
#
# - **a** A query changes: one reader now looks for something else.
# - **b** A key changes: readers may give this source another weight; what it passes on is as before.
# - **c** A value changes: the weights are as before, but this source passes on something else.
# - **d** Key and value change, since both are made from the same row.

# %% tags=["question"] nbgrader={"grade_id": "new_title_stub", "solution": true}
answer = None  # write "a", "b", "c" or "d"
### BEGIN SOLUTION
answer = "b"
### END SOLUTION

# %% nbgrader={"grade_id": "new_title", "grade": true, "points": 1}
check("new_title")

# %% [markdown]
# ## 3 One question to any sources
#
# Begin with one reader. Its query is held against each key; scores become shares; shares mix the *values*:
#
# $$w = \text{softmax}\left(\frac{q \cdot k_1}{\sqrt{d_k}}, \dots, \frac{q \cdot k_m}{\sqrt{d_k}}\right)
# \qquad h = w_1 v_1 + \dots + w_m v_m$$
#
# The root is that of $d_k$, as many terms as a product has; how wide the words were no longer matters. With
# the query [1 0] and tower's three rows as keys and as values, this is the calculation of section 1.

# %% nbgrader={"grade_id": "attend_from_stub", "solution": true}
def attend_from(q, K, V):
    """Let one query read m sources.

    weights = the softmax of the m scores  q · K[j] / √d_k
    mixture = sum_j weights[j] V[j]

    q: shape (d_k,). K: shape (m, d_k), the keys. V: shape (m, d_v), the values. m, d_k and d_v are at least
    one and may differ. Returns the pair (weights, mixture), in this order: shapes (m,) and (d_v,).
    Stable for scores in the thousands. Lists and integers are accepted; arguments stay as they were.
    """
    ### BEGIN SOLUTION
    q, K, V = (np.asarray(part, dtype=float) for part in (q, K, V))
    weights = softmax(K @ q / np.sqrt(len(q)))
    return weights, weights @ V
    ### END SOLUTION

# %% nbgrader={"grade_id": "attend_from", "grade": true, "points": 2}
check("attend_from")

# %%
print(attend_from([1, 0], TOWER, TOWER))
print(attend_from([1, 0], [*TOWER, [0, 0]], [*TOWER, [0, 0]])[0], "with one more source")

# %% [markdown]
# The mixture is [.5035 .2483]. The second line adds a source as empty as *the*: no query and no key has
# changed, and yet *every* weight has, for all share one total. A weight is no matter between two words alone.
#
# Nor must a query come from a sentence. Store three patterns, each as key **and** as value, and ask with a
# damaged copy of the first, one entry flipped and two erased: the mixture repairs it. With $V = K$ this is
# one retrieval step of an **associative memory**; a longer query has larger scores and decides more firmly.

# %%
stored = np.array([[1, 1, 1, 1, -1, -1, -1, -1], [1, -1, 1, -1, 1, -1, 1, -1], [1, 1, -1, -1, -1, -1, 1, 1]])
damaged = np.array([1, 1, 0, 1, -1, 0, 1, -1])
recalled = {f"asked with {c} × damaged": attend_from(c * damaged, stored, stored)[1] for c in (1, 4)}
show_matrices({"stored": stored, "damaged": damaged, **recalled}, title="Keys that are values: a memory")

# %% [markdown]
# ## 4 Every word asks
#
# In a sentence each word is such a reader. With the queries as rows of $Q$, all scores are one product of
# matrices, whose row $i$ belongs to reader $i$ and column $j$ to source $j$: the formula of the Transformer.
#
# $$A = \text{softmax}\left(\frac{Q K^\top}{\sqrt{d_k}}\right) \qquad H = A V$$

# %% nbgrader={"grade_id": "attention_stub", "solution": true}
def attention(X, Wq, Wk, Wv):
    """One attention head: weights and mixtures for every row of X.

    Q = X Wq,  K = X Wk,  V = X Wv
    A = the softmax, along each row, of Q Kᵀ / √d_k        H = A V

    X: shape (n, d). Wq, Wk: shape (d, d_k). Wv: shape (d, d_v). All sizes are at least one and may differ.
    Returns the pair (A, H), in this order: A has shape (n, n), and A[i, j] is reader i's share of source j;
    H has shape (n, d_v). No mask, no residual. Stable for scores in the thousands.
    Lists and integers are accepted; the arguments are left as they were.
    """
    ### BEGIN SOLUTION
    Q, K, V = project(X, Wq, Wk, Wv)
    A = softmax(Q @ K.T / np.sqrt(K.shape[1]), axis=1)
    return A, A @ V
    ### END SOLUTION

# %% nbgrader={"grade_id": "attention", "grade": true, "points": 3}
check("attention")

# %% [markdown]
# With three identity matrices this is the head of lesson 1. In general the score of $i$ for $j$ **need not
# be** that of $j$ for $i$: I may be looking for you while you are looking elsewhere.
#
# ## 5 A query that finds Eiffel
#
# Now mend tower's question. Leave the keys alone ($W_k$ is the identity) and choose the four numbers of
# $W_q$. Pencil first: tower's row is [1 0]; which of the four become its query? And which queries have a
# larger product with Eiffel's key, [0 1], than with the two others? Many answers are right.

# %% nbgrader={"grade_id": "tower_query_stub", "solution": true}
def tower_query():
    """A query matrix with which tower reads Eiffel most.

    Takes nothing and returns Wq: shape (2, 2), finite numbers. In the head over the rows the = [0, 0],
    Eiffel = [0, 1], tower = [1, 0], with this Wq (q = x Wq), the identity as Wk and scores divided by √2,
    tower's weight on Eiffel is strictly larger than its weight on "the" and than its weight on itself.
    """
    ### BEGIN SOLUTION
    return np.array([[0.0, 1.0], [1.0, 0.0]])
    ### END SOLUTION

# %% nbgrader={"grade_id": "tower_query", "grade": true, "points": 1}
check("tower_query")

# %%
A, _ = attention(TOWER, tower_query(), np.eye(2), np.eye(2))
show_attention(A, WORDS, title="With your query matrix")

# %% [markdown]
# Tower, in the last row, asks for what it lacks, and the word that has it answers.
#
# ## 6 Change the match, then change the content
#
# One right answer **swaps** the two coordinates. It turns the queries of *the*, *Eiffel*, *tower* into [0 0],
# [1 0], [0 1]. As $W_v$ the same matrix would swap what the sources *pass on*. Two choices each for $W_q$ and
# $W_v$ make four heads. Guess before you look: which give tower the same weights, which the same mixture?

# %%
CHOICE = {"identity": np.eye(2), "swap": np.eye(2)[::-1]}


def tower_head(query, value):
    """What the words ask, whom tower reads, what the words say and what tower receives."""
    matrices = CHOICE[query], np.eye(2), CHOICE[value]
    Q, _, V = project(TOWER, *matrices)
    A, H = attention(TOWER, *matrices)
    return {"queries": Q, "tower's weights": A[2], "values": V, "tower's mixture": H[2]}


heads = {f"query: {q}, value: {v}": {"query": q, "value": v} for q in CHOICE for v in CHOICE}
for name, setting in heads.items():
    _, weights, _, mixture = tower_head(**setting).values()
    print(f"{name:<32}", *(np.round(row, 4) for row in (weights, mixture, TOWER[2] + mixture)))
show_presets(tower_head, heads, controls={"query": list(CHOICE), "value": list(CHOICE)}, rows=WORDS,
             columns=WORDS, title="Change the match, then change the content")

# %% [markdown]
# The query matrix moves the **weights**: [.2483 .2483 .5035] becomes [.2483 .5035 .2483], Eiffel first.
# Tower receives [.2483 .5035], mostly Paris; with its own row added, [1.2483 .5035], it is a tower with a
# place. The value matrix moves the **content** and no weight: with both swapped, the weights stay and the
# mixture becomes [.5035 .2483]. With only the values swapped it is [.2483 .5035] again, the same content
# from other weights: tower reads itself, who now says "Paris".
#
# **Question.** All you know of a head is that tower's mixture is [.2483 .5035]. What follows for its weights?
#
# - **a** Eiffel has the largest, since the mixture is mostly Paris identity.
# - **b** Tower has the largest, since a word always matches itself best.
# - **c** Nothing yet: it depends on the values that were mixed.
# - **d** They are the same as in every head with this mixture.

# %% tags=["question"] nbgrader={"grade_id": "same_mixture_stub", "solution": true}
answer = None  # write "a", "b", "c" or "d"
### BEGIN SOLUTION
answer = "c"
### END SOLUTION

# %% nbgrader={"grade_id": "same_mixture", "grade": true, "points": 1}
check("same_mixture")

# %% [markdown]
# ## 7 What could this query match?
#
# Back to bank and the coordinates of lesson 1. Let the keys show *finance*, *water* and *structure* and drop
# the generic rest. What bank asks for is up to us: a **direction** in the space of keys. One matrix serves
# all words, so it also settles who asks: the more structure a word has, the louder. Here only bank has any.

# %%
the, river, money, bank = [0, 0, 0, 1], [0, 1, 0, .2], [1, 0, 0, .2], [.5, .5, .8, .2]
RIVER, MONEY = np.array([the, river, bank]), np.array([the, money, bank])
KEYS = np.eye(4, 3)  # Wk: a key is the first three coordinates of finance, water, structure, generic

# %% nbgrader={"grade_id": "direction_query_stub", "solution": true}
def direction_query(direction, strength=3.75):
    """A query matrix that lets structures ask for a direction.

    The row of structure, the third of the four, is strength × direction; the other three rows are zero. So a
    row x = [finance, water, structure, generic] gets the query  structure · strength · direction.

    direction: three finite numbers (finance, water, structure) of any sign, used as they are: [0, 2, 0] asks
    twice as loudly as [0, 1, 0], and [0, -1, 0] for the opposite; all may be zero. strength: one finite
    number. Returns Wq: shape (4, 3). Lists and integers are accepted; direction is left as it was.
    """
    ### BEGIN SOLUTION
    Wq = np.zeros((4, 3))
    Wq[2] = strength * np.asarray(direction, dtype=float)
    return Wq
    ### END SOLUTION

# %% nbgrader={"grade_id": "direction_query", "grade": true, "points": 2}
check("direction_query")

# %% nbgrader={"grade_id": "bank_match_stub", "solution": true}
def bank_match(X, Wq, Wk):
    """What the last word of a sentence asks, what it meets, and how it decides.

    query   = the last row of X, times Wq                  shape (d_k,)
    keys    = X Wk, those of all words, the last included  shape (n, d_k)
    scores  = query · keys[j] / √d_k                       shape (n,)
    weights = the softmax of the scores                    shape (n,)

    X: shape (n, d). Wq, Wk: shape (d, d_k). All sizes are at least one and may differ. Returns all four, in
    this order. Stable for large scores. Lists and integers are accepted; the arguments are left as they were.
    """
    ### BEGIN SOLUTION
    X, Wq, Wk = (np.asarray(part, dtype=float) for part in (X, Wq, Wk))
    query, keys = X[-1] @ Wq, X @ Wk
    scores = keys @ query / np.sqrt(len(query))
    return query, keys, scores, softmax(scores)
    ### END SOLUTION

# %% nbgrader={"grade_id": "bank_match", "grade": true, "points": 3}
check("bank_match")

# %%
def bank_asks(finance, water, structure):
    """Bank's query in both sentences; for each word its key, its score and its weight in percent."""
    Wq, shown = direction_query([finance, water, structure], strength=1), {}
    for name, X in {"river": RIVER, "money": MONEY}.items():
        shown[f"query near {name}"], keys, scores, weights = bank_match(X, Wq, KEYS)
        shown[f"the {name} bank"] = np.column_stack([keys, scores, 100 * np.asarray(weights)])
    return shown


NOTHING = {"finance": 0, "water": 0, "structure": 0}
show_presets(bank_asks, {name: {**NOTHING, name: 3.75} for name in NOTHING},
             controls={name: (-4, 4) for name in NOTHING}, rows=["the", "river/money", "bank"],
             columns=[*NOTHING, "score", "weight %"], title="What could this query match?")

# %% [markdown]
# With the direction *water*, bank's query is [0 3 0] in both sentences: it is made from bank's own row. In
# "the river bank" it scores [0 1.732 .866] and gives the weights 11.1, 62.6, 26.3 %: river first, at last.
# In "the money bank" the same query meets other **keys**, and nobody has more water than bank itself: 22.8,
# 22.8, 54.3 %. *Finance* mirrors this. *Structure* finds bank alone, 16.7, 16.7, 66.7 %, in either sentence.
#
# Move the sliders. All at zero: no question, a third for everybody. Water at −3.75 asks for the opposite of
# water: 62.6, 11.1, 26.3 % in "the river bank", and the empty *the* wins because it has least of it. Finance
# and water both at 3.75: river, all water, and bank, half of each, score the same. One number joins all
# criteria. The other words have no structure and ask nothing; their rows are uniform, which is not idle:

# %%
A, _ = attention(RIVER, direction_query([0, 1, 0]), KEYS, np.eye(4))
show_attention(A, ["the", "river", "bank"], title="Only bank has something to ask")

# %% [markdown]
# **Question.** Bank asks for water. Now *river* is replaced by *money*. Which is exactly as before?
#
# - **a** Bank's score for the second word.
# - **b** Bank's weight on "the", whose row has not changed.
# - **c** Bank's weight on itself, since its query and its key have not changed.
# - **d** Bank's score for itself.

# %% tags=["question"] nbgrader={"grade_id": "other_sentence_stub", "solution": true}
answer = None  # write "a", "b", "c" or "d"
### BEGIN SOLUTION
answer = "d"
### END SOLUTION

# %% nbgrader={"grade_id": "other_sentence", "grade": true, "points": 1}
check("other_sentence")

# %% [markdown]
# ## 8 What a match is, and what it is not
#
# **A match is not a likeness.** Tower and Eiffel are at right angles, and match: one has what the other asks.
#
# **It knows no places.** Put the words in another order, and each keeps its query, key, value and mixture:
# only the rows trade places. "Dog bites man" and "man bites dog" are alike to such a head.
#
# **Nobody turns the knobs.** We set $W_q$ by hand, anew for each preset. No trained head picks a matrix for a
# sentence: its $W_q$ stays, and only Q, K, V and A are computed anew. If bank is to find river here and money
# there, one question must do for both, such as "finance and water", and the keys must do the rest.

# %% [markdown] nbgrader={"grade_id": "written_preset", "task": true, "points": 3}
# **In your own words.** A classmate sets the direction to water, sees 62.6 % on river and writes: "The head
# has understood that this bank belongs to a river. In 'the money bank' it will pick finance by itself, and it
# will pass on what money means." In four to six sentences: what is right about this, and what is not? Use at
# least two numbers from this lesson.
#
# === BEGIN MARK SCHEME ===
# 1 point: what is right. The query [0 3 0] fits river's key best of the three, so river's share in bank's
# mixture is 62.6 % (a "probability" that bank means a river's side earns nothing).
#
# 1 point: nothing picks finance. The direction was set by hand and Wq is the same in every sentence: in "the
# money bank" the query is still [0 3 0], and bank reads itself most (22.8, 22.8, 54.3 %).
#
# 1 point: what is passed on is up to the values: for example, the same weights gave the mixtures
# [.2483 .5035] and [.5035 .2483], and the same mixture came from other weights (section 6).
#
# At most 2 points in all if fewer than two numbers from the lesson are used.
# === END MARK SCHEME ===

# %% [markdown]
# *Write your answer here.*

# %% [markdown]
# ## Summary
#
# - Each row is projected three times: what it asks (query), what it is found by (key), what it gives (value).
# - Queries and keys decide the weights, values the content. Either can change without the other.
# - The same query finds other things in other sentences, because the keys change; Wq does not.
# - Bank's query has three numbers, its row four: what of a row does a query never see? See lesson 3.
#
# ## Further reading
#
# - Vaswani et al. 2017, *Attention Is All You Need*, sections 3.2 and 3.2.1: queries, keys, values, the root.
# - Ramsauer et al. 2020, *Hopfield Networks is All You Need*: attention as retrieval from a memory.
# - Alammar, *The Illustrated Transformer*: the three projections in pictures.
