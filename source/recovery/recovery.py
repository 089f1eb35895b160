# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 8 Recovery: can two small maps recover known features?
#
# "This head reads *plural*." Such sentences are said of trained models, whose maps nobody has written down,
# so how far can they be trusted? Here we try the method where the truth is known: we make a small world, keep
# its maps in view, train two new maps on nothing but its inputs and results, and compare.
#
# In this lesson all arrays are torch tensors of 32-bit floats (`torch.float32`) unless a task says otherwise;
# leave them as they were. In a question set `answer` to your letter and delete the `raise` line.
#
# ## 1 A world whose maps we know
#
# A word is described by nine features. They are **sparse**: each is present in three of ten words, with a
# strength between 0 and 2. A reader word looks at three sources: the subject, the verb and the object of its
# sentence. The query map says how much each is wanted, the value map what a source hands over.

# %%
import matplotlib.pyplot as plt
import torch

from autograder import check, show_matrices, show_presets, show_training, while_grading

torch.set_num_threads(1)  # maps as small as ours only lose time by sharing the work out
FEATURES = "finance water structure plural past question name color rare".split()
SOURCES = ["subject", "verb", "object"]

def look(x, Wq, keys=torch.eye(3)):
    """Weights (n, m) of n readers x (n, 9) for m sources, whose keys are fixed."""
    return torch.softmax(x @ Wq @ keys.T / Wq.shape[1] ** .5, dim=-1)

def head(x, sources, Wq, Wv, keys=torch.eye(3)):
    """What the readers x (n, 9) get of their sources (n, m, 9), a mixture for each: (n, 3)."""
    return (look(x, Wq, keys).unsqueeze(1) @ (sources @ Wv)).squeeze(1)

def rows(**entries):
    """A map (9, 3) that is zero but for these rows."""
    return torch.tensor([entries.get(name, [0, 0, 0]) for name in FEATURES], dtype=torch.float32)

true_Wq = rows(plural=[2, 0, 0], past=[0, 2, 0], structure=[0, 0, 2], question=[0, 1, 1])
true_Wv = rows(finance=[2, 0, 0], water=[0, 2, 0], structure=[0, 0, 2], color=[1, 0, -1])

def make_data(samples, generator):
    """Readers x (samples, 9), their sources (samples, 3, 9), and what the true maps make of them."""
    def words(*shape):
        present = torch.rand(*shape, 9, generator=generator) < .3
        return 2 * torch.rand(*shape, 9, generator=generator) * present
    x, sources = words(samples), words(samples, 3)
    return x, sources, head(x, sources, true_Wq, true_Wv)

data = make_data(256, torch.Generator().manual_seed(0))
held_out = make_data(1000, torch.Generator().manual_seed(1))
show_matrices({"true Wq": true_Wq, "true Wv": true_Wv}, rows=FEATURES, columns=["0", "1", "2"])

# %% [markdown]
# The keys are [1 0 0], [0 1 0] and [0 0 1], so coordinate j of a query is simply the score of source j, and
# *plural* makes a reader look at the subject. The result is compared with targets as it is: its coordinates
# mean what the targets mean. Neither the keys nor the targets are ever trained. **That pins down what a
# coordinate is**; otherwise there would be no sense in comparing maps entry by entry. Both maps read
# *structure*, and neither reads *name* or *rare*.
#
# ## 2 Two maps, trained
#
# Forget the true maps. Start with random ones and change both until the results fit.

# %% nbgrader={"grade_id": "fit_stub", "solution": true}
def fit(data, steps, seed):
    """Train a query map and a value map together, from a random start.

    loss = mean of (head(x, sources, Wq, Wv) - target)², over all samples and the 3 numbers of each

    data: a tuple (x, sources, target) as make_data returns it; other true maps may have made it. `head` and
    its keys stay as they are given. steps: the number of updates, from 0 upward. Each moves both maps; with 0
    they come back as they started. seed: a whole number that decides the start of both maps: the same seed
    gives the same maps again, another seed starts elsewhere, in Wq and in Wv.
    Returns the pair (Wq, Wv), both of shape (9, 3); they may require gradients.
    Start, optimizer and batches are your choice: what counts is what comes out. After 200 steps on 256
    samples, whatever the seed, with true maps whose entries lie between -2 and 2:
    - the loss on 1000 new samples is below 1e-3 (after 0 steps it is above 1e-2: a start knows nothing);
    - Wv is within .1 of the true one, in every entry;
    - centred, Wq is within .1 of the true one: each minus the means of its rows (section 4 tells why).
    A start of normal entries with standard deviation .5, and Adam with learning rate .1 on all samples at
    once, get a thousand times as close. A call must end within 3 seconds; so made, it takes about .2.
    """
    ### BEGIN SOLUTION
    x, sources, target = data
    generator = torch.Generator().manual_seed(seed)
    Wq, Wv = (torch.randn(9, 3, generator=generator).div(2).requires_grad_() for _ in range(2))
    descent = torch.optim.Adam([Wq, Wv], lr=.1)
    for _ in range(steps):
        descent.zero_grad()
        (head(x, sources, Wq, Wv) - target).pow(2).mean().backward()
        descent.step()
    return Wq.detach(), Wv.detach()
    ### END SOLUTION

# %% nbgrader={"grade_id": "fit", "grade": true, "points": 4}
check("fit")

# %% [markdown]
# ## 3 Does it hold for new words?
#
# A small loss on the samples that were trained on says little: they may have been learned by heart. So we ask
# for samples that no update has seen.

# %% nbgrader={"grade_id": "held_out_error_stub", "solution": true}
def held_out_error(Wq, Wv, data):
    """How far two maps are off on samples: the loss of `fit`, and nothing else.

    error = mean of (head(x, sources, Wq, Wv) - target)², over all samples and the 3 numbers of each

    Wq, Wv: shape (9, 3); they may require gradients. data: a tuple (x, sources, target), of one sample or
    more, x (n, 9), sources (n, 3, 9), target (n, 3). Returns one number (or a tensor that holds one).
    """
    ### BEGIN SOLUTION
    x, sources, target = data
    return (head(x, sources, Wq, Wv) - target).detach().pow(2).mean().item()
    ### END SOLUTION

# %% nbgrader={"grade_id": "held_out_error", "grade": true, "points": 2}
check("held_out_error")

# %%
every = 50 if while_grading() else 5
path = [held_out_error(*fit(data, steps, 0), held_out) for steps in range(0, 101, every)]
show_training(path, title=f"Held-out error, every {every} steps")

sizes = [5, 30] if while_grading() else [5, 10, 20, 30, 40, 60]
errors = []
for size in sizes:
    few = make_data(size, torch.Generator().manual_seed(2))
    maps = fit(few, 200, 0)
    errors.append([held_out_error(*maps, few), held_out_error(*maps, held_out)])
    print(f"{size:3} samples: error {errors[-1][0]:.0e}, held-out error {errors[-1][1]:.0e}")
plt.semilogy(sizes, errors, marker="o", label=["samples trained on", "new samples"])
plt.xlabel("samples"), plt.ylabel("error after 200 steps"), plt.legend()
plt.show()

# %% [markdown]
# Within a hundred steps the error on new samples falls from .87 to almost nothing. The second picture is
# about the number of samples. Five of them give 15 conditions for 54 trained numbers: they are met, the error
# is as good as zero, and on new samples the maps are worse than at the start. From about 40 samples on, what
# fits the old fits the new.
#
# **Question.** With five samples, the error on these becomes as small as with sixty. What follows?
# - **a** The true maps are recovered, since no pair of maps could explain the five samples better.
# - **b** The start was an unlucky one: from another seed the same samples would lead to the true maps.
# - **c** Many pairs of maps explain five samples, and the training has ended at one of them.
# - **d** The training was too short: with more steps, the error on new samples would vanish, too.

# %% tags=["question"] nbgrader={"grade_id": "five_samples_stub", "solution": true}
answer = None  # write "a", "b", "c" or "d"
### BEGIN SOLUTION
answer = "c"
### END SOLUTION

# %% nbgrader={"grade_id": "five_samples", "grade": true, "points": 1}
check("five_samples")

# %% [markdown]
# ## 4 One map is found, the other is not
#
# On new samples the error of our two maps is practically zero. Then surely they are the true ones?

# %%
found = {seed: fit(data, 200, seed) for seed in (0, 1)}
for seed, (Wq, Wv) in found.items():
    print(f"seed {seed}: held-out error {held_out_error(Wq, Wv, held_out):.0e},",
          f"Wv off by {(Wv - true_Wv).abs().max():.0e}, Wq off by {(Wq - true_Wq).abs().max():.2f}")
queries = {"true Wq": true_Wq, "seed 0": found[0][0], "seed 1": found[1][0]}
show_matrices(queries, rows=FEATURES, columns=SOURCES, title="Query maps")

# %% [markdown]
# Wv is recovered, to better than 5e-4. **Wq is off by about 1**, and the two seeds do not agree with each
# other either, though no sample, old or new, can tell their results apart. Compare a row with the true one:
# all three entries are off by the *same* amount. Such an amount adds the same number to all three scores, and
# softmax ignores what all scores share (lesson 1). No gradient ever pushes there. How much that is was
# decided by the random start, and by the way the optimizer took.
#
# In general: write every key as the mean of all keys plus a rest of its own, k_j = k̄ + r_j. A query's
# product with k̄ is in every score; only the products with the rests make a difference.

# %% nbgrader={"grade_id": "centred_stub", "solution": true}
def centred(Wq, keys):
    """What each feature adds to the score of each source, compared with the mean of all sources.

    result = Wq (keys - k̄)ᵀ,   k̄: the mean of all keys, coordinate by coordinate;  no division by a root

    Wq: shape (9, d_k). keys: shape (m, d_k), a key per row; m and d_k from 1 upward, not only 3. Both are
    tensors, of 32-bit or 64-bit floats. Returns a tensor of shape (9, m), whose rows add up to zero: softmax
    makes the same weights of x @ result, divided by the root of d_k, as of the scores themselves.
    """
    ### BEGIN SOLUTION
    return Wq @ (keys - keys.mean(dim=0)).T
    ### END SOLUTION

# %% nbgrader={"grade_id": "centred", "grade": true, "points": 2}
check("centred")

# %%
keys = torch.eye(3)
visible = {name: centred(Wq, keys) for name, Wq in queries.items()}
show_matrices(visible, rows=FEATURES, columns=SOURCES, title="The same query maps, centred")
for name, map in visible.items():
    print(f"{name}: off by {(map - visible['true Wq']).abs().max():.0e}")

# %% [markdown]
# Now all three agree, to better than 5e-4. The experiment recovers **everything that weights can depend on**,
# and nothing else of Wq. More samples or steps would not change that. The picture shows three times the same
# map, but "the" Wq was never to be had.
#
# **Question.** Which change of the given world makes Wq itself recoverable, without centring?
# - **a** A fourth source, of which the key is [0 0 0].
# - **b** Keys that are twice as long: [2 0 0], [0 2 0] and [0 0 2].
# - **c** The vector [1 2 3], added to every key.
# - **d** A hundred times as many samples.

# %% tags=["question"] nbgrader={"grade_id": "another_key_stub", "solution": true}
answer = None  # write "a", "b", "c" or "d"
### BEGIN SOLUTION
answer = "a"
### END SOLUTION

# %% nbgrader={"grade_id": "another_key", "grade": true, "points": 1}
check("another_key")

# %% [markdown]
# ## 5 Which features are read?
#
# A feature that a map does not read has a row of zeros. How strongly the others are read is told by the
# length of the row: that far the query, or the value, moves if the feature grows by 1.

# %% nbgrader={"grade_id": "read_strength_stub", "solution": true}
def read_strength(W):
    """How strongly a map reads each feature: the Euclidean length of each row.

    result_f = √(W_f0² + W_f1² + ...)

    W: a tensor of shape (9, k), k from 1 upward, of 32-bit or 64-bit floats. Returns shape (9,).
    """
    ### BEGIN SOLUTION
    return W.norm(dim=1)
    ### END SOLUTION

# %% nbgrader={"grade_id": "read_strength", "grade": true, "points": 1}
check("read_strength")

# %%
Wq, Wv = found[0]
maps = {"Wq": Wq, "Wq, centred": centred(Wq, keys), "Wv": Wv}
strengths = {name: read_strength(map).unsqueeze(1) for name, map in maps.items()}
show_matrices(strengths, rows=FEATURES, title="How strongly each feature is read (seed 0)")

# %% [markdown]
# The raw map seems to read all nine features, and *color*, which the true Wq ignores, more than *question*,
# which it reads: what the random start left there looks like a row that means something. Centred, four rows
# remain, the right ones. (Lengths are lengths: *question*, [0 1 1], comes out as [-.67 .33 .33], .82 long.)
#
# ## 6 Change the input and look
#
# Row lengths are read off a map. An **intervention** asks the head itself: move one feature of an input,
# leave all else as it is, and see whether the result changes.

# %% nbgrader={"grade_id": "intervene_stub", "solution": true}
def intervene(x, feature, size):
    """Move inputs along one feature: that entry of each becomes larger by `size`, all others stay.

    x: a tensor of shape (9,), (n, 9) or with still more axes in front; the features are along the last axis.
    feature: a whole number from 0 to 8. size: a number, also negative or 0; the result may be negative, too.
    Returns a new tensor of the shape of x, which stays as it was.
    """
    ### BEGIN SOLUTION
    return x + size * torch.eye(9)[feature]
    ### END SOLUTION

# %% nbgrader={"grade_id": "intervene", "grade": true, "points": 1}
check("intervene")

# %%
x, sources, target = held_out
def effect(maps, of_reader, of_sources):
    """How far results move, on average, if a feature of readers, or of all sources, grows so much: (9, 1)."""
    before = head(x, sources, *maps)
    after = [head(intervene(x, i, of_reader), intervene(sources, i, of_sources), *maps) for i in range(9)]
    return torch.stack([(result - before).norm(dim=1).mean() for result in after]).unsqueeze(1)

truth = true_Wq, true_Wv
effects = {"reader, true maps": effect(truth, 1, 0), "reader, found": effect(found[0], 1, 0),
           "sources, true maps": effect(truth, 0, 1), "sources, found": effect(found[0], 0, 1)}
show_matrices(effects, rows=FEATURES, title="How far the result moves if a feature grows by 1")

# %% [markdown]
# A reader's *plural*, *past*, *structure* and *question* move the result; its other five features do not, by
# more than the training's last digits. That is what "the head reads *plural*" should mean. *Finance* has no
# effect here although Wv reads it: Wv never sees the reader. Move all sources instead, and the result moves
# by the rows of Wv, exactly: weights that add up to 1 pass on what all sources share.
#
# One reader, who looks at the verb: *past* moves its weights, *color* does not. Twice the size is not twice
# the change, since a weight near 1 has little left to gain. (In a live notebook, move what you like.)

# %%
def moved(feature, size):
    """Weights and result of the first held-out reader, with one feature moved."""
    reader = intervene(x[0], FEATURES.index(feature), size)
    result = head(reader[None], sources[:1], Wq, Wv)
    return {"weights: subject, verb, object": look(reader[None], Wq), "result": result}

presets = {f"{feature} {size:+}": {"feature": feature, "size": size}
           for feature, size in (("name", 0), ("past", 2), ("past", -2), ("color", 2))}
show_presets(moved, presets, {"feature": FEATURES, "size": (-2., 2.)})

# %% [markdown]
# **Question.** In a centred query map, the row of one feature is twice as long as that of another. A reader
# is moved by 1 along either. What is certain?
# - **a** The first move changes the result more than the second.
# - **b** The first move changes the score of each source by twice as much as the second.
# - **c** The first move changes the largest weight more than the second.
# - **d** The first move changes the scores, taken together and compared with their mean, by twice the length.

# %% tags=["question"] nbgrader={"grade_id": "twice_as_long_stub", "solution": true}
answer = None  # write "a", "b", "c" or "d"
### BEGIN SOLUTION
answer = "d"
### END SOLUTION

# %% nbgrader={"grade_id": "twice_as_long", "grade": true, "points": 1}
check("twice_as_long")

# %% [markdown] nbgrader={"grade_id": "written_identifiable", "task": true, "points": 3}
# **In your own words.** A classmate trains the three keys as well as Wq and Wv, on the same data; the
# held-out error is 1e-9. In four to six sentences: what could be identified in *our* experiment, what could
# not, and why? What of that is left in the classmate's?
#
# === BEGIN MARK SCHEME ===
# 1 point: Wv was identifiable in every entry, because the targets fix what its coordinates mean (and enough
# samples show every feature); Wq only up to one number for each feature, that is, centred.
#
# 1 point for the reason: that number is added to all scores of a reader alike, and softmax ignores it, so
# that no sample, step or held-out error can tell. "The training was not good enough": no point.
#
# 1 point: with trained keys, Wq R and keys R⁻ᵀ give the same scores for any invertible R, so that only the
# product, Wq (keys - k̄)ᵀ, is left; Wv stays identifiable. "Nothing is left": half a point.
# === END MARK SCHEME ===

# %% [markdown]
# *Write your answer here.*

# %% [markdown]
# ## Summary
#
# - Held-out error tells whether a model predicts. It cannot tell apart maps that predict the same.
# - Before two maps are compared, take away what the results cannot depend on: here, what all keys share.
# - Reading a map is a guess about what it does; an intervention tests it.
# - Our world was kind: features were known, each had a coordinate of its own, there was no noise, and the
#   truth had the very form of the model. In a trained model none of this is given; what is not identifiable
#   here, is not there either.
#
# ## Further reading
#
# - Elhage et al. 2022, *Toy Models of Superposition*: sparse features that share few coordinates.
# - Tsai et al. 2019, *Transformer Dissection*: scores as a kernel, of which the maps are but one factoring.
# - Vig 2019, *BertViz*, and *TransformerLens*: to look into trained models, and to intervene there.
