# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 6 Training: one head learns
#
# So far you or the page chose every query, key and value matrix. In a real model they start as noise, and all
# they are ever told is how wrong the last prediction was. Is that enough for *bank* to find out that *river*
# and *money* are the words to look at? You train a classifier with one head on four sentences, see what it
# learns from labels that make no sense, and follow a single update down to its last number.
#
# ## 1 Four sentences, two senses

# %%
import numpy as np
import torch
from scipy.special import softmax
from torch import nn
from torch.nn.functional import cross_entropy
from autograder import check, show_attention, show_matrices, show_presets, show_training, while_grading

torch.set_num_threads(1)  # a model as small as ours only loses time by sharing it out
VOCAB = {"the": 0, "river": 1, "money": 2, "bank": 3}
SENSES = ["water", "finance"]  # labels 0 and 1
EXAMPLES = [("the river bank".split(), 0), ("the money bank".split(), 1),
            ("river bank".split(), 0), ("money bank".split(), 1)]

# %% nbgrader={"grade_id": "encode_stub", "solution": true}
def encode(tokens, vocab):
    """The number of each token, in the order of the sentence.

    tokens: a list or tuple of n words, n from 1 upward; a word may occur twice, and then its number does.
    vocab: a dict {word: number}, in any order. Returns a LongTensor (torch.int64) of shape (n,).
    """
    ### BEGIN SOLUTION
    return torch.tensor([vocab[token] for token in tokens])
    ### END SOLUTION
# %% nbgrader={"grade_id": "encode", "grade": true, "points": 1}
check("encode")

# %% [markdown]
# ## 2 A head as a module
#
# Lesson 2 in torch's words: an `nn.Embedding` looks rows up, an `nn.Linear` is a matrix that can learn. What
# the last position gathers goes to a classifier, which gives a score, a **logit**, for each of two senses.

# %% nbgrader={"grade_id": "OneHeadSense_stub", "solution": true}
class OneHeadSense(nn.Module):
    """One head whose last position decides between two senses.

    x = emb(ids),  q = Wq(x), k = Wk(x), v = Wv(x)     rows (n, d)
    A = softmax, along each row, of q kᵀ / √d          (n, n): every position reads all, no mask
    logits = cls(last row of A v)                      (2,): the mixture alone, no residual, no softmax

    OneHeadSense(vocab_size, d=8) has five modules, made in this order and under these names: emb, an
    nn.Embedding(vocab_size, d); Wq, Wk, Wv, each an nn.Linear(d, d) without bias; cls, an nn.Linear(d, 2)
    with its bias. The order counts: with the same seed, everybody starts from the same numbers. Nothing else
    is learned, nothing is initialized anew. Loss computed from the logits must reach all six parameters.

    forward(ids): ids a LongTensor (n,), n from 1 upward; returns the logits. With return_attention=True it
    returns the pair (logits, A).
    """

    def __init__(self, vocab_size, d=8):
        super().__init__()
        ### BEGIN SOLUTION
        self.emb = nn.Embedding(vocab_size, d)
        self.Wq, self.Wk, self.Wv = (nn.Linear(d, d, bias=False) for _ in range(3))
        self.cls = nn.Linear(d, 2)
        ### END SOLUTION

    def forward(self, ids, return_attention=False):
        ### BEGIN SOLUTION
        x = self.emb(ids)
        scores = self.Wq(x) @ self.Wk(x).T / x.shape[1] ** 0.5
        A = scores.softmax(dim=1)
        logits = self.cls((A @ self.Wv(x))[-1])
        return (logits, A) if return_attention else logits
        ### END SOLUTION
# %% nbgrader={"grade_id": "OneHeadSense", "grade": true, "points": 5}
check("OneHeadSense")

# %% nbgrader={"grade_id": "count_parameters_stub", "solution": true}
def count_parameters(model):
    """How many numbers a model learns: the entries of all its parameters, those of its parts included.

    model: any nn.Module; what it keeps besides (buffers) does not count. Returns an int.
    """
    ### BEGIN SOLUTION
    return sum(parameter.numel() for parameter in model.parameters())
    ### END SOLUTION
# %% nbgrader={"grade_id": "count_parameters", "grade": true, "points": 1}
check("count_parameters")

# %%
torch.manual_seed(0)
model = OneHeadSense(len(VOCAB))
print(count_parameters(model), "= 4·8 + 3·8·8 + (8·2 + 2)")
for tokens, _ in EXAMPLES[:2]:
    logits, A = model(encode(tokens, VOCAB), return_attention=True)
    shares = (f"{share:.2f} {sense}" for share, sense in zip(logits.softmax(0), SENSES))
    print(*shares, "bank reads", np.round(A[-1].tolist(), 2))

# %% [markdown]
# Before training both sentences lean to *finance* (.53 and .59), and bank reads all words about alike.
#
# ## 3 Three hundred times through four sentences
#
# An update predicts, takes the gradient of its **loss** (cross-entropy: −log of the right sense's share) and
# moves all parameters a little against it.

# %% nbgrader={"grade_id": "train_stub", "solution": true}
def train(model, examples, vocab, steps=300, lr=0.05):
    """Train a model in place, and tell how its loss went down.

    A step is one pass over the examples, in the order given. Each example gets an update of its own: logits
    of model(encode(tokens, vocab)), cross-entropy with the label, gradients of that loss alone (those that
    are left from before are cleared), one step of Adam. The loss of a step is the mean over the examples of
    the losses just computed, each before the update that it causes.

    model: any nn.Module that gives logits (2,) for ids (n,); all its parameters learn. examples: a list of
    pairs (tokens, label), label 0 or 1. Each call starts a torch.optim.Adam of its own with that lr and
    nothing else changed. Draws nothing at random and seeds nothing. Returns a list of `steps` floats.
    """
    ### BEGIN SOLUTION
    update, losses = torch.optim.Adam(model.parameters(), lr=lr), []
    for _ in range(steps):
        total = 0.0
        for tokens, label in examples:
            loss = cross_entropy(model(encode(tokens, vocab)), torch.tensor(label))
            update.zero_grad()
            loss.backward()
            update.step()
            total += loss.item()
        losses.append(total / len(examples))
    return losses
    ### END SOLUTION
# %% nbgrader={"grade_id": "train", "grade": true, "points": 4}
check("train")

# %% nbgrader={"grade_id": "predict_stub", "solution": true}
def predict(model, tokens, vocab):
    """What a model says, and what its last position read.

    model: gives (logits (2,), A (n, n)) for model(ids, return_attention=True). tokens, vocab: as for encode.
    Returns the pair (label, read): label an int, 0 or 1, that of the larger logit; read a dict with an entry
    {token: weight} for each different token of the sentence, and no other: the weight in the last row of A, a
    float. Where a token occurs more than once its weights are added up. The model stays as it is.
    """
    ### BEGIN SOLUTION
    with torch.no_grad():
        logits, A = model(encode(tokens, vocab), return_attention=True)
    read = dict.fromkeys(tokens, 0.0)
    for token, weight in zip(tokens, A[-1].tolist()):
        read[token] += weight
    return int(logits.argmax()), read
    ### END SOLUTION
# %% nbgrader={"grade_id": "predict", "grade": true, "points": 2}
check("predict")

# %%
STEPS = 5 if while_grading() else 300
torch.manual_seed(0)
model = OneHeadSense(len(VOCAB))
show_training(train(model, EXAMPLES, VOCAB, STEPS), title="Four examples, seed 0")
said = [predict(model, tokens, VOCAB) for tokens, _ in EXAMPLES[:2]]
print(*said, sep="\n")
show_attention([list(read.values()) for _, read in said], [f"bank → {SENSES[label]}" for label, _ in said],
               "the river/money bank".split())

# %% [markdown]
# Both right, and bank's row has become the .00, river 1.00, bank .00 (.9997 for river: a rounded zero is no
# zero), and the .00, money 1.00, bank .00. Nobody told the head to look there. **One loss, at the very end,
# trained what is looked up, asked, matched and passed on.** All heads and blocks of a large model learn so.
#
# What it does *not* show: that it had to come so. Of 200 seeds 115 route as sharply. Even a uniform mixture
# separates the sentences, since *river* and *money* differ: sharp rows are what this run found.
#
# **Question.** Nobody says which word bank should read. How does Wk come to change?
# - **a** It does not need to: the classifier learns, and the head stays as it began.
# - **b** Adam compares the row of A with the label and raises the weight of the right word.
# - **c** The loss depends on Wk, by way of scores, weights, mixture and logits: so it has a slope there.
# - **d** Each matrix has a loss of its own, and that of Wk is small when the right word is read.

# %% tags=["question"] nbgrader={"grade_id": "one_loss_stub", "solution": true}
answer = None  # write "a", "b", "c" or "d"
### BEGIN SOLUTION
answer = "c"
### END SOLUTION
# %% nbgrader={"grade_id": "one_loss", "grade": true, "points": 1}
check("one_loss")

# %% [markdown]
# ## 4 Labels without sense
#
# Six sentences "the … bank", with labels that we just *assign* in turn: *lawyer* and *attorney*, which mean
# the same, get opposite ones. Same recipe, 274 parameters. Guess before you run it.

# %%
words = "river money vault salmon lawyer attorney".split()
vocab = {word: number for number, word in enumerate(["the", *words, "bank"])}
assigned = [(["the", word, "bank"], number % 2) for number, word in enumerate(words)]
torch.manual_seed(0)
other = OneHeadSense(len(vocab))
train(other, assigned, vocab, STEPS)
said = [predict(other, tokens, vocab) for tokens, _ in assigned]
names = [f"{tokens[1]}: {label} ({right})" for (tokens, right), (label, _) in zip(assigned, said)]
show_attention([list(read.values()) for _, read in said], names, ["the", "the word", "bank"],
               title="Said (assigned), and what bank reads")

# %% [markdown]
# All six right: **a head learns what the data assign.** Its weights on the word are .00 1.00 .00 1.00 .00
# 1.00 (of the seeds 0 to 11 only 0 gives that pattern).
#
# **Question.** For *lawyer* bank reads only itself, and the prediction is right. What follows?
# - **a** The answer was luck: a head that does not look at the word cannot know its label.
# - **b** Finding nothing is an answer too: a bank that reads itself stands for label 0, whatever the word.
# - **c** The word's vector went to the classifier by the residual path.
# - **d** *lawyer* was not important for the prediction: with *attorney* in its place it would be the same.

# %% tags=["question"] nbgrader={"grade_id": "what_rows_say_stub", "solution": true}
answer = None  # write "a", "b", "c" or "d"
### BEGIN SOLUTION
answer = "b"
### END SOLUTION
# %% nbgrader={"grade_id": "what_rows_say", "grade": true, "points": 1}
check("what_rows_say")

# %% [markdown]
# ## 5 One update, number by number
#
# Adam remembers earlier gradients. A plain step of **stochastic gradient descent** (SGD) is easier to follow.

# %% nbgrader={"grade_id": "sgd_step_stub", "solution": true}
def sgd_step(model, ids, label, lr):
    """One update of all parameters from one example: θ ← θ − lr · (gradient of the loss at θ).

    model: any nn.Module that gives logits (2,) for ids (n,); every parameter takes part in them. ids: a
    LongTensor. label: 0 or 1. The loss is the cross-entropy of logits and label. Gradients that are left from
    before are cleared first. The step is plain and in place: no momentum, no decay, the same parameters.
    Returns the pair (loss, gradients): the loss before the step, a float; and a dict {name: gradient} of all
    model.named_parameters(), those that made this step, as copies that later steps do not change.
    """
    ### BEGIN SOLUTION
    model.zero_grad(set_to_none=True)
    loss = cross_entropy(model(ids), torch.tensor(label))
    loss.backward()
    gradients = {name: parameter.grad.clone() for name, parameter in model.named_parameters()}
    with torch.no_grad():
        for parameter in model.parameters():
            parameter -= lr * parameter.grad
    return loss.item(), gradients
    ### END SOLUTION
# %% nbgrader={"grade_id": "sgd_step", "grade": true, "points": 3}
check("sgd_step")

# %% [markdown]
# A head small enough to follow: two coordinates, 26 parameters, the classifier's bias 0 at the start, the two
# sentences of three words in turn, learning rate .3. Each line is a stage of the first update (torch keeps
# maps transposed). Live, choose a stage and how many updates came before: 0 is always the same start.

# %%
STAGES = ["1 sentence and lookup", "2 query, key, value", "3 weights and mixture", "4 prediction and loss",
          "5 gradients", "6 after the update"]
def walk(updates, stage):  # one stage of the update that comes after so many others
    torch.manual_seed(0)
    small = OneHeadSense(len(VOCAB), d=2)
    nn.init.zeros_(small.cls.bias)
    for number in range(updates + 1):
        tokens, label = EXAMPLES[number % 2]
        ids = encode(tokens, VOCAB)
        x, (logits, A), table = small.emb(ids), small(ids, return_attention=True), small.emb.weight.tolist()
        Q, K, V = small.Wq(x), small.Wk(x), small.Wv(x)
        loss, gradients = sgd_step(small, ids, label, lr=0.3)
    return dict(zip(STAGES, (
        {"emb": table, f"X: {' '.join(tokens)}": x}, {"Q": Q, "K": K, "V": V}, {"A": A, "mixture": A[-1] @ V},
        {"logits": logits, "probabilities": logits.softmax(0), f"loss ({SENSES[label]} is right)": [loss]},
        {f"d {name}": each for name, each in gradients.items()}, dict(small.named_parameters()))))[stage]
show_presets(walk, {stage: {"updates": 0, "stage": stage} for stage in STAGES},
             {"updates": range(25), "stage": STAGES}, rows=list(VOCAB), title="One update of a head")

# %% [markdown]
# Line 5 comes before anything moves; line 6 is what was, less .3 times line 5. The row of *money* gets zeros:
# **an absent word learns nothing.** The entries for the bias are probability minus truth, and opposite.
# The walk leaves out positions, normalization, residual path and feed-forward layer.
#
# ## 6 Where the gradients come from
#
# `loss.backward()` is the chain rule, line by line backwards. Softmax is the line where all entries of a row
# depend on each other: raising one score lowers the other shares.

# %% nbgrader={"grade_id": "softmax_backward_stub", "solution": true}
def softmax_backward(A, dA):
    """Gradient for the scores S, where A = softmax of S along each row.

    dS_ij = A_ij (dA_ij − Σ_k A_ik dA_ik)

    A, dA: arrays or nested lists (n, m), dA the gradient of a loss for A. Both stay as they were. Returns
    (n, m). Every row of dS adds up to 0; a row of A with a single 1 gives zeros.
    """
    ### BEGIN SOLUTION
    A, dA = np.asarray(A, dtype=float), np.asarray(dA, dtype=float)
    return A * (dA - (A * dA).sum(axis=1, keepdims=True))
    ### END SOLUTION
# %% nbgrader={"grade_id": "softmax_backward", "grade": true, "points": 2}
check("softmax_backward")

# %% [markdown]
# All else follows from one rule. If Y = P R, then dP = dY Rᵀ and dR = Pᵀ dY. X enters three products.
# %% nbgrader={"grade_id": "head_backward_stub", "solution": true}
def head_backward(X, Wq, Wk, Wv, dH):
    """The gradients of a loss for all that goes into a head, from its gradient for the mixtures H.

    Q = X Wq,  K = X Wk,  V = X Wv;   A = the softmax, along each row, of Q Kᵀ / √d_k;   H = A V

    X: (n, d). Wq, Wk: (d, d_k). Wv: (d, d_v). dH: (n, d_v). Arrays or nested lists, which stay as they were.
    No mask, no biases, no residual; nothing is averaged over n. Returns (dX, dWq, dWk, dWv), each of the
    shape of what it is for; dX adds up what comes back through queries, keys and values.
    """
    ### BEGIN SOLUTION
    X, Wq, Wk, Wv, dH = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, dH))
    Q, K, V, root = X @ Wq, X @ Wk, X @ Wv, np.sqrt(Wq.shape[1])
    A = softmax(Q @ K.T / root, axis=1)
    dS = softmax_backward(A, dH @ V.T) / root
    dQ, dK, dV = dS @ K, dS.T @ Q, A.T @ dH
    return dQ @ Wq.T + dK @ Wk.T + dV @ Wv.T, X.T @ dQ, X.T @ dK, X.T @ dV
    ### END SOLUTION
# %% nbgrader={"grade_id": "head_backward", "grade": true, "points": 5}
check("head_backward")

# %% [markdown]
# Here is a checker for any gradient. It knows no calculus: it nudges one number after the other and looks.

# %%
def numeric_gradient(loss, array, nudge=1e-5):
    """The slope of the number loss() for each entry of a float array, which is nudged and put back."""
    slopes = np.zeros_like(array)
    for place in np.ndindex(array.shape):
        kept, found = array[place], []
        for array[place] in (kept + nudge, kept - nudge):
            found.append(loss())
        slopes[place], array[place] = (found[0] - found[1]) / (2 * nudge), kept
    return slopes
rng = np.random.default_rng(0)
X, Wq, Wk, Wv, dH = (rng.normal(size=shape) for shape in ((3, 4), (4, 2), (4, 2), (4, 4), (3, 4)))
loss = lambda: (dH * (softmax((X @ Wq) @ (X @ Wk).T / np.sqrt(2), axis=1) @ (X @ Wv))).sum()
for name, part, ours in zip(["dX", "dWq", "dWk", "dWv"], (X, Wq, Wk, Wv), head_backward(X, Wq, Wk, Wv, dH)):
    print(name, "is off by", np.abs(ours - numeric_gradient(loss, part)).max())

# %% [markdown]
# Differences near 1e-10: the formulas are right. Now the head of lesson 2 in which bank asks for water, and a
# loss that wants more water in bank's mixture. Whose row feels it when bank asks louder? Does Wq?

# %%
X = np.array([[0, 0, 0, 1], [0, 1, 0, .2], [.5, .5, .8, .2]])  # the, river, bank
dH, sizes = np.array([[0] * 4, [0] * 4, [0, -1, 0, 0]]), {}
for strength in (3.75, 15, 60):
    Wq = strength * np.eye(4)[:, 2:3] * np.eye(3)[1]  # bank's structure asks for water
    dX, dWq, _, _ = head_backward(X, Wq, np.eye(4)[:, :3], np.eye(4), dH)
    sizes[f"strength {strength}"] = [np.linalg.norm(each) for each in (*dX, (dX + dH)[2], dWq)]
columns = ["the", "river", "bank", "bank + residual", "Wq"]
show_matrices({"size of the gradient": list(sizes.values())}, list(sizes), columns)

# %% [markdown]
# Once bank reads river alone, all its content comes from there. Its own row and Wq get no gradient: no small
# change of the question shows, so none is learned. With a residual path the loss reaches bank's row in full.

# %% [markdown] nbgrader={"grade_id": "written_what_was_learned", "task": true, "points": 3}
# **In your own words.** Somebody shows the picture of section 3 and says: "Trained on four sentences, the
# model has understood that *river* makes *bank* a water word." In four to six sentences: what has the run
# shown, what not, and which experiment would you do next? Use a result of section 3 and one of section 4.
#
# === BEGIN MARK SCHEME ===
# 1 point: shown: with these labels and this seed the loss alone led to right predictions and to a row that
# reads river; no sentence was held out, so nothing is known about others.
# 1 point: other seeds, or a uniform mixture, solve it without the sharp row (3); assigned labels are learned
# as well, lawyer and attorney apart, or one class is solved without looking at the word (4).
# 1 point: an experiment and what its outcomes would say: sentences held out, other seeds, another word in
# river's place, a uniform mixture instead of the head, ...
# === END MARK SCHEME ===

# %% [markdown]
# *Write your answer here.*

# %% [markdown]
# ## Summary
#
# - One loss at the end gives every parameter on the way its gradient; a head learns what the labels say.
# - What it reads is a finding about one run. A heatmap alone does not explain a prediction.
#
# ## Further reading
#
# - Vaswani et al. 2017, *Attention Is All You Need*, §3.2.1: the scale, and the small gradients without it.
# - *Transformers From Scratch* (two articles have this title): larger models, trained by the same loop.
# - Yan 2023, *Some Intuition on Attention and the Transformer*: why it is easy to train.
