"""Wrong answers that students of this lesson give: each is known by a name and answered with a hint."""

import numpy as np
from scipy.special import softmax

from autograder.grading.suite import misconception
from solutions.heads import attention_sublayer, concat_heads, multi_head

IN_PLACE = "Look at your argument after the call. Which line writes into it instead of making a new array?"
INTEGERS = "If you are given integers, what kind of numbers can the array hold that you fill?"

# split_heads


@misconception("split_heads", "reshapes without exchanging the axes",
               hint="A reshape keeps the reading order, row by row. Where do row 1's first numbers go?")
def split_by_reshape_alone(P, h):
    P = np.asarray(P, dtype=float)
    return P.reshape(h, len(P), -1)


@misconception("split_heads", "deals the columns out in turn, like cards",
               hint="Which columns are head 0's: the first w of them, or every h-th?")
def split_interleaved(P, h):
    P = np.asarray(P, dtype=float)
    return P.reshape(len(P), -1, h).transpose(2, 0, 1)


@misconception("split_heads", "numbers the heads from the last column group to the first",
               hint="Whose columns are the leftmost ones: the first head's or the last one's?")
def split_backwards(P, h):
    return np.stack(np.split(np.asarray(P, dtype=float), h, axis=1)[::-1])


@misconception("split_heads", "leaves the tokens in front",
               hint="In the result, which index comes first: that of the head or that of the token?")
def split_with_tokens_in_front(P, h):
    P = np.asarray(P, dtype=float)
    return P.reshape(len(P), h, -1)


@misconception("split_heads", "turns rows into columns within each head",
               hint="In each head's table a row still belongs to a token. How many rows has it in yours?")
def split_and_transposed(P, h):
    P = np.asarray(P, dtype=float)
    return P.reshape(len(P), h, -1).transpose(1, 2, 0)


@misconception("split_heads", "takes the number of heads for the width of one",
               hint="Is h how many heads there are, or how many columns each has?")
def split_into_width_h(P, h):
    P = np.asarray(P, dtype=float)
    return P.reshape(len(P), -1, h).swapaxes(0, 1)


@misconception("split_heads", "cuts the tokens apart instead of the columns",
               hint="Every head sees every token. Which axis of P do the heads share out?")
def split_the_tokens(P, h):
    return np.stack(np.split(np.asarray(P, dtype=float), h, axis=0))


@misconception("split_heads", "gives every head the first head's columns",
               hint="Compare head 0 and head 1 of your result. Where do the columns of head 1 begin?")
def split_always_the_first(P, h):
    P = np.asarray(P, dtype=float)
    return np.stack([P[:, :P.shape[1] // h]] * h)


@misconception("split_heads", "changes the shape of the table it was given",
               hint=IN_PLACE)
def split_in_place(P, h):
    P = np.asarray(P)
    P.shape = len(P), h, P.shape[1] // h
    return P.swapaxes(0, 1).copy()


# concat_heads


@misconception("concat_heads", "reshapes without exchanging the axes",
               hint="A reshape keeps the reading order, head by head. Does your row 0 hold token 0 alone?")
def concat_by_reshape_alone(H):
    H = np.asarray(H, dtype=float)
    return H.reshape(H.shape[1], -1)


@misconception("concat_heads", "shuffles the heads' columns together",
               hint="Head 0's columns stand together. What stands beside its first column in yours?")
def concat_interleaved(H):
    H = np.asarray(H, dtype=float)
    return H.transpose(1, 2, 0).reshape(H.shape[1], -1)


@misconception("concat_heads", "puts the last head first",
               hint="Whose columns are the leftmost ones: head 0's or the last head's?")
def concat_backwards(H):
    return np.hstack(list(np.asarray(H, dtype=float))[::-1])


@misconception("concat_heads", "adds the heads up",
               hint="The result is h times as wide as one head. What has become of the width in yours?")
def concat_by_sum(H):
    return np.asarray(H, dtype=float).sum(axis=0)


@misconception("concat_heads", "averages the heads",
               hint="The result is h times as wide as one head: no head's numbers are merged with another's.")
def concat_by_mean(H):
    return np.asarray(H, dtype=float).mean(axis=0)


@misconception("concat_heads", "puts the heads below one another",
               hint="A token has one row in the result. How many rows does each token have in yours?")
def concat_downwards(H):
    H = np.asarray(H, dtype=float)
    return H.reshape(-1, H.shape[2])


@misconception("concat_heads", "turns rows into columns",
               hint="A row of the result belongs to a token. What does a row of yours belong to?")
def concat_transposed(H):
    H = np.asarray(H, dtype=float)
    return H.transpose(0, 2, 1).reshape(-1, H.shape[1])


@misconception("concat_heads", "flattens everything into one row",
               hint="Every token keeps a row of its own: which axes may be merged, and which must stay?")
def concat_flat(H):
    return np.asarray(H, dtype=float).swapaxes(0, 1).ravel()


@misconception("concat_heads", "changes the shape of the mixtures it was given",
               hint=IN_PLACE)
def concat_in_place(H):
    H = np.asarray(H)
    h, n, width = H.shape
    H.shape = h * n, width
    return np.hstack([H[i * n:i * n + n] for i in range(h)])


# pack_projections


@misconception("pack_projections", "reshapes without exchanging the axes",
               hint="A reshape keeps the reading order. Does row 0 of yours hold row 0 of every head?")
def pack_by_reshape_alone(W):
    W = np.asarray(W, dtype=float)
    return W.reshape(W.shape[1], -1)


@misconception("pack_projections", "shuffles the heads' columns together",
               hint="Head 0's columns stand together. What stands beside its first column in yours?")
def pack_interleaved(W):
    W = np.asarray(W, dtype=float)
    return W.transpose(1, 2, 0).reshape(W.shape[1], -1)


@misconception("pack_projections", "puts the last head first",
               hint="Whose columns are the leftmost ones: head 0's or the last head's?")
def pack_backwards(W):
    return np.hstack(list(np.asarray(W, dtype=float))[::-1])


@misconception("pack_projections", "puts the projections below one another",
               hint="X has d columns. How many rows must a matrix have that X is multiplied with?")
def pack_downwards(W):
    return np.vstack(list(np.asarray(W, dtype=float)))


@misconception("pack_projections", "turns rows into columns",
               hint="X stands on the left of the packed matrix here. Which of its axes has d entries?")
def pack_transposed(W):
    return np.hstack(list(np.asarray(W, dtype=float))).T


@misconception("pack_projections", "adds the projections up",
               hint="Each head's projection has columns of its own. How many columns are there in all?")
def pack_by_sum(W):
    return np.asarray(W, dtype=float).sum(axis=0)


@misconception("pack_projections", "gives each head rows of its own (a block diagonal)",
               hint="All heads read the same d coordinates of X. How many rows does that take?")
def pack_block_diagonal(W):
    W = np.asarray(W, dtype=float)
    h, d, width = W.shape
    packed = np.zeros((h * d, h * width))
    for i in range(h):
        packed[i * d:i * d + d, i * width:i * width + width] = W[i]
    return packed


@misconception("pack_projections", "changes the shape of the projections it was given",
               hint=IN_PLACE)
def pack_in_place(W):
    W = np.asarray(W)
    h, d, width = W.shape
    W.shape = h * d, width
    return np.hstack([W[i * d:i * d + d] for i in range(h)])


# multi_head


@misconception("multi_head", "divides by the root of the whole width d",
               hint="How many terms does one head's dot product have: as many as X has columns?")
def heads_over_root_of_d(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, Wo))
    S = (X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(X.shape[1])
    A = softmax(np.where(np.tri(len(X)) > 0, S, -np.inf) if causal else S, axis=-1)
    return A, concat_heads(A @ (X @ Wv)) @ Wo


@misconception("multi_head", "divides by the root of all heads' widths together",
               hint="How many terms does a dot product have in ONE head?")
def heads_over_root_of_all_widths(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, Wo))
    S = (X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(len(Wq) * Wq.shape[2])
    A = softmax(np.where(np.tri(len(X)) > 0, S, -np.inf) if causal else S, axis=-1)
    return A, concat_heads(A @ (X @ Wv)) @ Wo


@misconception("multi_head", "divides by the root of the value width",
               hint="Scores are made of queries and keys. Whose width counts the terms of their products?")
def heads_over_root_of_value_width(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, Wo))
    S = (X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wv.shape[2])
    A = softmax(np.where(np.tri(len(X)) > 0, S, -np.inf) if causal else S, axis=-1)
    return A, concat_heads(A @ (X @ Wv)) @ Wo


@misconception("multi_head", "does not scale the scores",
               hint="The weights have the right order but are too sharp. What are the products divided by?")
def heads_unscaled(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, Wo))
    S = (X @ Wq) @ (X @ Wk).swapaxes(1, 2)
    A = softmax(np.where(np.tri(len(X)) > 0, S, -np.inf) if causal else S, axis=-1)
    return A, concat_heads(A @ (X @ Wv)) @ Wo


@misconception("multi_head", "lets the heads compete for a share (softmax over the heads)",
               hint="Which entries of A sum to one: a reader's row in one head, or one cell in all heads?")
def heads_softmax_over_heads(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, Wo))
    S = (X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wq.shape[2])
    A = softmax(S, axis=0)
    A = A * np.tri(len(X)) if causal else A
    return A, concat_heads(A @ (X @ Wv)) @ Wo


@misconception("multi_head", "normalizes down the columns",
               hint="A reader is a row of A. Along which of the three axes do a reader's shares lie?")
def heads_softmax_over_readers(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, Wo))
    S = (X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wq.shape[2])
    A = softmax(np.where(np.tri(len(X)) > 0, S, -np.inf) if causal else S, axis=1)
    return A, concat_heads(A @ (X @ Wv)) @ Wo


@misconception("multi_head", "normalizes all scores together",
               hint="How many rows have to sum to one, in how many heads? Add one of yours up.")
def heads_softmax_over_everything(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, Wo))
    S = (X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wq.shape[2])
    A = softmax(np.where(np.tri(len(X)) > 0, S, -np.inf) if causal else S, axis=None)
    return A, concat_heads(A @ (X @ Wv)) @ Wo


@misconception("multi_head", "takes exponentials of the scores as they are",
               hint="Try scores of 2000 and of -2000. Which function does it without an overflow?")
def heads_unshifted(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, Wo))
    raw = np.exp((X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wq.shape[2]))
    raw = raw * np.tri(len(X)) if causal else raw
    A = raw / raw.sum(axis=-1, keepdims=True)
    return A, concat_heads(A @ (X @ Wv)) @ Wo


@misconception("multi_head", "mixes with the first head's weights in every head",
               hint="Each head asks with its own queries. Whose weights does head 1 mix with in yours?")
def heads_with_one_pattern(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, Wo))
    S = (X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wq.shape[2])
    A = softmax(np.where(np.tri(len(X)) > 0, S, -np.inf) if causal else S, axis=-1)
    A = np.stack([A[0]] * len(A))
    return A, concat_heads(A @ (X @ Wv)) @ Wo


@misconception("multi_head", "exchanges queries and keys",
               hint="S[i, j] is the query of i with the key of j. Which token asks in the rows of yours?")
def heads_asked_by_keys(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, Wo))
    S = (X @ Wk) @ (X @ Wq).swapaxes(1, 2) / np.sqrt(Wq.shape[2])
    A = softmax(np.where(np.tri(len(X)) > 0, S, -np.inf) if causal else S, axis=-1)
    return A, concat_heads(A @ (X @ Wv)) @ Wo


@misconception("multi_head", "adds the mixtures up instead of putting them side by side",
               hint="How many rows has Wo, and how wide is the table it is multiplied with?")
def heads_summed(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, Wo))
    S = (X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wq.shape[2])
    A = softmax(np.where(np.tri(len(X)) > 0, S, -np.inf) if causal else S, axis=-1)
    return A, (A @ (X @ Wv)).sum(axis=0) @ Wo


@misconception("multi_head", "averages the heads' parts",
               hint="Every head's part arrives in full strength. Is the update a sum of the parts or a mean?")
def heads_averaged(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, Wo))
    S = (X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wq.shape[2])
    A = softmax(np.where(np.tri(len(X)) > 0, S, -np.inf) if causal else S, axis=-1)
    return A, concat_heads(A @ (X @ Wv)) @ Wo / len(A)


@misconception("multi_head", "joins the mixtures by reshaping alone",
               hint="A is right. Which of your functions puts mixtures side by side, token by token?")
def heads_joined_by_reshape(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, Wo))
    S = (X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wq.shape[2])
    A = softmax(np.where(np.tri(len(X)) > 0, S, -np.inf) if causal else S, axis=-1)
    return A, (A @ (X @ Wv)).reshape(len(X), -1) @ Wo


@misconception("multi_head", "shuffles the heads' columns together before Wo",
               hint="The first d_v rows of Wo belong to head 0. Which columns meet them in yours?")
def heads_interleaved(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, Wo))
    S = (X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wq.shape[2])
    A = softmax(np.where(np.tri(len(X)) > 0, S, -np.inf) if causal else S, axis=-1)
    return A, (A @ (X @ Wv)).transpose(1, 2, 0).reshape(len(X), -1) @ Wo


@misconception("multi_head", "puts the last head's mixtures first",
               hint="The first d_v rows of Wo belong to head 0. Whose mixtures meet them in yours?")
def heads_joined_backwards(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, Wo))
    S = (X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wq.shape[2])
    A = softmax(np.where(np.tri(len(X)) > 0, S, -np.inf) if causal else S, axis=-1)
    return A, concat_heads((A @ (X @ Wv))[::-1]) @ Wo


@misconception("multi_head", "forgets the output projection",
               hint="The mixtures stand side by side. What makes one update of width d of them?")
def heads_without_output(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv))
    S = (X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wq.shape[2])
    A = softmax(np.where(np.tri(len(X)) > 0, S, -np.inf) if causal else S, axis=-1)
    return A, concat_heads(A @ (X @ Wv))


@misconception("multi_head", "transposes the output projection",
               hint="Wo has h·d_v rows and d columns. On which side does it stand in the formula, and how?")
def heads_with_output_transposed(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, Wo))
    S = (X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wq.shape[2])
    A = softmax(np.where(np.tri(len(X)) > 0, S, -np.inf) if causal else S, axis=-1)
    return A, concat_heads(A @ (X @ Wv)) @ Wo.T


@misconception("multi_head", "adds the residual already",
               hint="The update is what the heads propose. Does this function add it, or the next one?")
def heads_with_residual(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, Wo))
    S = (X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wq.shape[2])
    A = softmax(np.where(np.tri(len(X)) > 0, S, -np.inf) if causal else S, axis=-1)
    return A, X + concat_heads(A @ (X @ Wv)) @ Wo


@misconception("multi_head", "ignores causal",
               hint="With causal=True, what weight does token 0 give to token 1 in yours?")
def heads_never_causal(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, Wo))
    A = softmax((X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wq.shape[2]), axis=-1)
    return A, concat_heads(A @ (X @ Wv)) @ Wo


@misconception("multi_head", "is always causal",
               hint="What does the default of causal say? May token 0 read token 1 then?")
def heads_always_causal(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, Wo))
    S = (X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wq.shape[2])
    A = softmax(np.where(np.tri(len(X)) > 0, S, -np.inf), axis=-1)
    return A, concat_heads(A @ (X @ Wv)) @ Wo


@misconception("multi_head", "hides the past instead of the future",
               hint="With causal=True, which tokens may the last one read? And the first?")
def heads_hiding_the_past(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, Wo))
    S = (X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wq.shape[2])
    A = softmax(np.where(np.tri(len(X)).T > 0, S, -np.inf) if causal else S, axis=-1)
    return A, concat_heads(A @ (X @ Wv)) @ Wo


@misconception("multi_head", "hides the reader from itself",
               hint="With causal=True, whom can the very first token read, if not itself?")
def heads_hiding_the_reader(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, Wo))
    S = (X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wq.shape[2])
    A = softmax(np.where(np.tri(len(X), k=-1) > 0, S, -np.inf) if causal else S, axis=-1)
    return A, concat_heads(A @ (X @ Wv)) @ Wo


@misconception("multi_head", "multiplies the weights with the mask and leaves it at that",
               hint="With causal=True, do the shares that are left in row 0 sum to one?")
def heads_masked_late(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, Wo))
    A = softmax((X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wq.shape[2]), axis=-1)
    A = A * np.tri(len(X)) if causal else A
    return A, concat_heads(A @ (X @ Wv)) @ Wo


@misconception("multi_head", "multiplies the scores with the mask",
               hint="A score of 0 still earns a share. Which score earns none?")
def heads_masked_with_zero_scores(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, Wo))
    S = (X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wq.shape[2])
    A = softmax(S * np.tri(len(X)) if causal else S, axis=-1)
    return A, concat_heads(A @ (X @ Wv)) @ Wo


@misconception("multi_head", "takes every score of exactly 0 for a hidden one",
               hint="An allowed score can be 0, as with a token of zeros. How do you mark a hidden one?")
def heads_hiding_zeros(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, Wo))
    S = (X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wq.shape[2])
    S = S * np.tri(len(X)) if causal else S
    A = softmax(np.where(S == 0, -1e9, S), axis=-1)
    return A, concat_heads(A @ (X @ Wv)) @ Wo


@misconception("multi_head", "returns the update before A",
               hint="Both parts are right. In which order does the docstring ask for them?")
def heads_exchanged(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, Wo))
    S = (X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wq.shape[2])
    A = softmax(np.where(np.tri(len(X)) > 0, S, -np.inf) if causal else S, axis=-1)
    return concat_heads(A @ (X @ Wv)) @ Wo, A


@misconception("multi_head", "returns the update alone",
               hint="The picture of the weights needs them too: what does the docstring ask you to return?")
def heads_without_weights(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, Wo))
    S = (X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wq.shape[2])
    A = softmax(np.where(np.tri(len(X)) > 0, S, -np.inf) if causal else S, axis=-1)
    return concat_heads(A @ (X @ Wv)) @ Wo


@misconception("multi_head", "returns weights averaged over the heads",
               hint="Each head has its own matrix of weights. How many axes does that make?")
def heads_with_mean_weights(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv, Wo))
    S = (X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wq.shape[2])
    A = softmax(np.where(np.tri(len(X)) > 0, S, -np.inf) if causal else S, axis=-1)
    return A.mean(axis=0), concat_heads(A @ (X @ Wv)) @ Wo


@misconception("multi_head", "stores the update among integers",
               hint=INTEGERS)
def heads_into_integers(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (np.asarray(part) for part in (X, Wq, Wk, Wv, Wo))
    S = (X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wq.shape[2])
    A = softmax(np.where(np.tri(len(X)) > 0, S, -np.inf) if causal else S, axis=-1)
    update = np.zeros_like(X)
    update[...] = concat_heads(A @ (X @ Wv)) @ Wo
    return A, update


@misconception("multi_head", "scales the query projections it was given",
               hint=IN_PLACE)
def heads_in_place(X, Wq, Wk, Wv, Wo, causal=False):
    X, Wq, Wk, Wv, Wo = (np.asarray(part) for part in (X, Wq, Wk, Wv, Wo))
    Wq /= np.sqrt(Wq.shape[2])
    S = (X @ Wq) @ (X @ Wk).swapaxes(1, 2)
    A = softmax(np.where(np.tri(len(X)) > 0, S, -np.inf) if causal else S, axis=-1)
    return A, concat_heads(A @ (X @ Wv)) @ Wo


# attention_sublayer


@misconception("attention_sublayer", "forgets the residual connection",
               hint="With an update of zero, what is left of the tokens in yours?")
def sublayer_without_residual(X, Wq, Wk, Wv, Wo, causal=False):
    return multi_head(X, Wq, Wk, Wv, Wo, causal)[1]


@misconception("attention_sublayer", "adds the tokens twice",
               hint="With an update of zero the tokens must come out as they went in.")
def sublayer_with_double_residual(X, Wq, Wk, Wv, Wo, causal=False):
    return 2 * np.asarray(X, dtype=float) + multi_head(X, Wq, Wk, Wv, Wo, causal)[1]


@misconception("attention_sublayer", "averages instead of adding",
               hint="How much of crossed's deed is left in your result: all of it, or half?")
def sublayer_averaged(X, Wq, Wk, Wv, Wo, causal=False):
    return (np.asarray(X, dtype=float) + multi_head(X, Wq, Wk, Wv, Wo, causal)[1]) / 2


@misconception("attention_sublayer", "subtracts the update",
               hint="Does crossed gain who, what and how in your result, or lose them?")
def sublayer_subtracted(X, Wq, Wk, Wv, Wo, causal=False):
    return np.asarray(X, dtype=float) - multi_head(X, Wq, Wk, Wv, Wo, causal)[1]


@misconception("attention_sublayer", "does not pass causal on",
               hint="Call it once with causal=True and once without. Do the results differ?")
def sublayer_never_causal(X, Wq, Wk, Wv, Wo, causal=False):
    return np.asarray(X, dtype=float) + multi_head(X, Wq, Wk, Wv, Wo)[1]


@misconception("attention_sublayer", "is always causal",
               hint="What does the default of causal say? May the first token read the others then?")
def sublayer_always_causal(X, Wq, Wk, Wv, Wo, causal=False):
    return np.asarray(X, dtype=float) + multi_head(X, Wq, Wk, Wv, Wo, True)[1]


@misconception("attention_sublayer", "returns the weights too",
               hint="The next layer takes one array of tokens. What does yours hand on?")
def sublayer_with_weights(X, Wq, Wk, Wv, Wo, causal=False):
    A, update = multi_head(X, Wq, Wk, Wv, Wo, causal)
    return A, np.asarray(X, dtype=float) + update


@misconception("attention_sublayer", "gives every row unit length",
               hint="Nothing else is done to the sum. How long are the rows of your result?")
def sublayer_normalized(X, Wq, Wk, Wv, Wo, causal=False):
    Y = np.asarray(X, dtype=float) + multi_head(X, Wq, Wk, Wv, Wo, causal)[1]
    return Y / np.linalg.norm(Y, axis=1, keepdims=True)


@misconception("attention_sublayer", "adds the residual before the heads read",
               hint="The heads read X itself, and only their update is added. What do they read in yours?")
def sublayer_in_two_rounds(X, Wq, Wk, Wv, Wo, causal=False):
    X = np.asarray(X, dtype=float)
    Y = X + multi_head(X, Wq, Wk, Wv, Wo, causal)[1]
    return X + multi_head(Y, Wq, Wk, Wv, Wo, causal)[1]


@misconception("attention_sublayer", "writes the sum into the tokens it was given",
               hint=IN_PLACE)
def sublayer_in_place(X, Wq, Wk, Wv, Wo, causal=False):
    X = np.asarray(X)
    X += multi_head(X, Wq, Wk, Wv, Wo, causal)[1]
    return X


@misconception("attention_sublayer", "stores the sum among integers",
               hint=INTEGERS)
def sublayer_into_integers(X, Wq, Wk, Wv, Wo, causal=False):
    Y = np.array(X)
    Y[...] = Y + multi_head(X, Wq, Wk, Wv, Wo, causal)[1]
    return Y


# without_head


@misconception("without_head", "counts the heads from one",
               hint="Which head falls silent in yours when head is 0?")
def without_the_head_before(X, Wq, Wk, Wv, Wo, head, causal=False):
    values = np.array(Wv, dtype=float)
    values[head - 1] = 0
    return multi_head(X, Wq, Wk, values, Wo, causal)[1]


@misconception("without_head", "silences all other heads",
               hint="Two heads out of three should still be heard. Which ones are heard in yours?")
def without_all_others(X, Wq, Wk, Wv, Wo, head, causal=False):
    values = np.zeros(np.shape(Wv))
    values[head] = Wv[head]
    return multi_head(X, Wq, Wk, values, Wo, causal)[1]


@misconception("without_head", "silences nothing",
               hint="Compare with the full update: is there a difference?")
def without_nothing(X, Wq, Wk, Wv, Wo, head, causal=False):
    return multi_head(X, Wq, Wk, Wv, Wo, causal)[1]


@misconception("without_head", "lets the later heads slip into other rows of Wo",
               hint="If a head's columns are taken out, others move up. Which rows of Wo do they meet then?")
def without_a_gap(X, Wq, Wk, Wv, Wo, head, causal=False):
    Wq, Wk, Wv, Wo = (np.asarray(part, dtype=float) for part in (Wq, Wk, Wv, Wo))
    if len(Wv) == 1:
        return np.zeros(np.shape(X))
    others = np.delete(np.arange(len(Wv)), head)
    rows = len(others) * Wv.shape[2]
    return multi_head(X, Wq[others], Wk[others], Wv[others], Wo[:rows], causal)[1]


@misconception("without_head", "sets the scores to zero, so that the head reads all alike",
               hint="Equal scores are equal shares: does that head still bring something in?")
def without_scores(X, Wq, Wk, Wv, Wo, head, causal=False):
    queries = np.array(Wq, dtype=float)
    queries[head] = 0
    return multi_head(X, queries, Wk, Wv, Wo, causal)[1]


@misconception("without_head", "makes up for the loss by strengthening the others",
               hint="Silencing a head leaves the others as they are. Are their parts larger in yours?")
def without_and_rescaled(X, Wq, Wk, Wv, Wo, head, causal=False):
    values = np.array(Wv, dtype=float)
    values[head] = 0
    factor = len(values) / max(len(values) - 1, 1)
    return multi_head(X, Wq, Wk, values, Wo, causal)[1] * factor


@misconception("without_head", "adds the residual already",
               hint="The update that is left is asked for. Where do the tokens themselves come in, in yours?")
def without_but_with_residual(X, Wq, Wk, Wv, Wo, head, causal=False):
    values = np.array(Wv, dtype=float)
    values[head] = 0
    return attention_sublayer(X, Wq, Wk, values, Wo, causal)


@misconception("without_head", "does not pass causal on",
               hint="Call it once with causal=True and once without. Do the results differ?")
def without_causal(X, Wq, Wk, Wv, Wo, head, causal=False):
    values = np.array(Wv, dtype=float)
    values[head] = 0
    return multi_head(X, Wq, Wk, values, Wo)[1]


@misconception("without_head", "returns the weights too",
               hint="One array is asked for, the update that is left. What else does yours return?")
def without_but_with_weights(X, Wq, Wk, Wv, Wo, head, causal=False):
    values = np.array(Wv, dtype=float)
    values[head] = 0
    return multi_head(X, Wq, Wk, values, Wo, causal)


@misconception("without_head", "silences one column of the mixtures instead of a head",
               hint="A head's mixture is d_v wide. How many columns of the joined mixtures are its own?")
def without_one_column(X, Wq, Wk, Wv, Wo, head, causal=False):
    Wo = np.array(Wo, dtype=float)
    Wo[head] = 0
    return multi_head(X, Wq, Wk, Wv, Wo, causal)[1]


@misconception("without_head", "silences every h-th column, wherever it belongs",
               hint="Do a head's columns stand together in the joined mixtures, or are they scattered?")
def without_scattered_columns(X, Wq, Wk, Wv, Wo, head, causal=False):
    Wo = np.array(Wo, dtype=float)
    Wo[head::len(Wv)] = 0
    return multi_head(X, Wq, Wk, Wv, Wo, causal)[1]


@misconception("without_head", "counts a head's columns by the width of its queries",
               hint="The joined mixtures are made of values. How wide is one head's value: d_k or d_v?")
def without_query_width(X, Wq, Wk, Wv, Wo, head, causal=False):
    Wo, width = np.array(Wo, dtype=float), np.shape(Wq)[2]
    Wo[head * width:(head + 1) * width] = 0
    return multi_head(X, Wq, Wk, Wv, Wo, causal)[1]


@misconception("without_head", "silences a token instead of a head",
               hint="Which axis of the stacked mixtures is the heads', and which the tokens'?")
def without_a_token(X, Wq, Wk, Wv, Wo, head, causal=False):
    update = np.array(multi_head(X, Wq, Wk, Wv, Wo, causal)[1])
    update[head] = 0
    return update


@misconception("without_head", "puts the head's mean mixture in place of zeros",
               hint="Zeros are asked for. What does your silenced head still say, the same to every token?")
def without_but_with_its_mean(X, Wq, Wk, Wv, Wo, head, causal=False):
    X, Wv, Wo = (np.asarray(part, dtype=float) for part in (X, Wv, Wo))
    H = multi_head(X, Wq, Wk, Wv, Wo, causal)[0] @ (X @ Wv)
    H[head] = H[head].mean(axis=0)
    return concat_heads(H) @ Wo


@misconception("without_head", "wipes out the parameters it was given",
               hint="Call it twice, with two different heads. How many heads are silent the second time?")
def without_in_place(X, Wq, Wk, Wv, Wo, head, causal=False):
    Wv = np.asarray(Wv)
    Wv[head] = 0
    return multi_head(X, Wq, Wk, Wv, Wo, causal)[1]


# inventory


@misconception("inventory", "counts the queries, keys and values of each token apart",
               hint="A row of Q is one token's query. How many tokens does one matrix Q hold?")
def inventory_by_token(tokens, d, d_k, d_v, heads, blocks=1):
    h, n, N = heads * blocks, tokens, blocks
    return {"X": (N, (n, d)), "Wq": (h, (d, d_k)), "Wk": (h, (d, d_k)), "Wv": (h, (d, d_v)),
            "Q": (h * n, (n, d_k)), "K": (h * n, (n, d_k)), "V": (h * n, (n, d_v)),
            "S": (h, (n, n)), "A": (h, (n, n)), "H": (h, (n, d_v)),
            "concat": (N, (n, heads * d_v)), "Wo": (N, (heads * d_v, d)),
            "update": (N, (n, d)), "output": (N, (n, d))}


@misconception("inventory", "counts one block only",
               hint="Do two blocks share their matrices? Every count is that of the whole stack.")
def inventory_of_one_block(tokens, d, d_k, d_v, heads, blocks=1):
    h, n, N = heads, tokens, 1
    return {"X": (N, (n, d)), "Wq": (h, (d, d_k)), "Wk": (h, (d, d_k)), "Wv": (h, (d, d_v)),
            "Q": (h, (n, d_k)), "K": (h, (n, d_k)), "V": (h, (n, d_v)),
            "S": (h, (n, n)), "A": (h, (n, n)), "H": (h, (n, d_v)),
            "concat": (N, (n, heads * d_v)), "Wo": (N, (heads * d_v, d)),
            "update": (N, (n, d)), "output": (N, (n, d))}


@misconception("inventory", "gives every head an output projection",
               hint="The heads' mixtures are put side by side. How many matrices does that row then meet?")
def inventory_with_many_outputs(tokens, d, d_k, d_v, heads, blocks=1):
    h, n, N = heads * blocks, tokens, blocks
    return {"X": (N, (n, d)), "Wq": (h, (d, d_k)), "Wk": (h, (d, d_k)), "Wv": (h, (d, d_v)),
            "Q": (h, (n, d_k)), "K": (h, (n, d_k)), "V": (h, (n, d_v)),
            "S": (h, (n, n)), "A": (h, (n, n)), "H": (h, (n, d_v)),
            "concat": (N, (n, heads * d_v)), "Wo": (h, (heads * d_v, d)),
            "update": (N, (n, d)), "output": (N, (n, d))}


@misconception("inventory", "counts per block, not per head",
               hint="Do two heads of a block share their queries, or their weights?")
def inventory_without_heads(tokens, d, d_k, d_v, heads, blocks=1):
    h, n, N = blocks, tokens, blocks
    return {"X": (N, (n, d)), "Wq": (h, (d, d_k)), "Wk": (h, (d, d_k)), "Wv": (h, (d, d_v)),
            "Q": (h, (n, d_k)), "K": (h, (n, d_k)), "V": (h, (n, d_v)),
            "S": (h, (n, n)), "A": (h, (n, n)), "H": (h, (n, d_v)),
            "concat": (N, (n, heads * d_v)), "Wo": (N, (heads * d_v, d)),
            "update": (N, (n, d)), "output": (N, (n, d))}


@misconception("inventory", "lets all blocks share their parameters",
               hint="Each block learns matrices of its own. How many Wo are there in two blocks?")
def inventory_with_shared_parameters(tokens, d, d_k, d_v, heads, blocks=1):
    h, n, N = heads * blocks, tokens, blocks
    return {"X": (N, (n, d)), "Wq": (heads, (d, d_k)), "Wk": (heads, (d, d_k)), "Wv": (heads, (d, d_v)),
            "Q": (h, (n, d_k)), "K": (h, (n, d_k)), "V": (h, (n, d_v)),
            "S": (h, (n, n)), "A": (h, (n, n)), "H": (h, (n, d_v)),
            "concat": (N, (n, heads * d_v)), "Wo": (1, (heads * d_v, d)),
            "update": (N, (n, d)), "output": (N, (n, d))}


@misconception("inventory", "gives the projections a row for a bias",
               hint="No biases here: how many rows must a matrix have to take in a token of d numbers?")
def inventory_with_biases(tokens, d, d_k, d_v, heads, blocks=1):
    h, n, N = heads * blocks, tokens, blocks
    return {"X": (N, (n, d)), "Wq": (h, (d + 1, d_k)), "Wk": (h, (d + 1, d_k)), "Wv": (h, (d + 1, d_v)),
            "Q": (h, (n, d_k)), "K": (h, (n, d_k)), "V": (h, (n, d_v)),
            "S": (h, (n, n)), "A": (h, (n, n)), "H": (h, (n, d_v)),
            "concat": (N, (n, heads * d_v)), "Wo": (N, (heads * d_v + 1, d)),
            "update": (N, (n, d)), "output": (N, (n, d))}


@misconception("inventory", "writes the projections with rows and columns exchanged",
               hint="A token is a row here and stands on the left of Wq. Which size of Wq must fit it?")
def inventory_transposed(tokens, d, d_k, d_v, heads, blocks=1):
    h, n, N = heads * blocks, tokens, blocks
    return {"X": (N, (n, d)), "Wq": (h, (d_k, d)), "Wk": (h, (d_k, d)), "Wv": (h, (d_v, d)),
            "Q": (h, (n, d_k)), "K": (h, (n, d_k)), "V": (h, (n, d_v)),
            "S": (h, (n, n)), "A": (h, (n, n)), "H": (h, (n, d_v)),
            "concat": (N, (n, heads * d_v)), "Wo": (N, (d, heads * d_v)),
            "update": (N, (n, d)), "output": (N, (n, d))}


@misconception("inventory", "gives the values the width of the queries",
               hint="Values need not be as wide as queries and keys. Which of your shapes hold d_v?")
def inventory_with_one_width(tokens, d, d_k, d_v, heads, blocks=1):
    h, n, N = heads * blocks, tokens, blocks
    return {"X": (N, (n, d)), "Wq": (h, (d, d_k)), "Wk": (h, (d, d_k)), "Wv": (h, (d, d_k)),
            "Q": (h, (n, d_k)), "K": (h, (n, d_k)), "V": (h, (n, d_k)),
            "S": (h, (n, n)), "A": (h, (n, n)), "H": (h, (n, d_k)),
            "concat": (N, (n, heads * d_k)), "Wo": (N, (heads * d_k, d)),
            "update": (N, (n, d)), "output": (N, (n, d))}


@misconception("inventory", "makes the joined mixtures d wide",
               hint="h mixtures of d_v numbers stand side by side. Is that always d?")
def inventory_with_square_output(tokens, d, d_k, d_v, heads, blocks=1):
    h, n, N = heads * blocks, tokens, blocks
    return {"X": (N, (n, d)), "Wq": (h, (d, d_k)), "Wk": (h, (d, d_k)), "Wv": (h, (d, d_v)),
            "Q": (h, (n, d_k)), "K": (h, (n, d_k)), "V": (h, (n, d_v)),
            "S": (h, (n, n)), "A": (h, (n, n)), "H": (h, (n, d_v)),
            "concat": (N, (n, d)), "Wo": (N, (d, d)), "update": (N, (n, d)), "output": (N, (n, d))}


@misconception("inventory", "counts the input once for the whole stack",
               hint="Words are looked up once, but X is what a block is given. How many blocks are there?")
def inventory_with_one_input(tokens, d, d_k, d_v, heads, blocks=1):
    h, n, N = heads * blocks, tokens, blocks
    return {"X": (1, (n, d)), "Wq": (h, (d, d_k)), "Wk": (h, (d, d_k)), "Wv": (h, (d, d_v)),
            "Q": (h, (n, d_k)), "K": (h, (n, d_k)), "V": (h, (n, d_v)),
            "S": (h, (n, n)), "A": (h, (n, n)), "H": (h, (n, d_v)),
            "concat": (N, (n, heads * d_v)), "Wo": (N, (heads * d_v, d)),
            "update": (N, (n, d)), "output": (N, (n, d))}


@misconception("inventory", "gives an update and an output to every head",
               hint="Only after Wo is there an update. How many does one block make?")
def inventory_with_many_updates(tokens, d, d_k, d_v, heads, blocks=1):
    h, n, N = heads * blocks, tokens, blocks
    return {"X": (N, (n, d)), "Wq": (h, (d, d_k)), "Wk": (h, (d, d_k)), "Wv": (h, (d, d_v)),
            "Q": (h, (n, d_k)), "K": (h, (n, d_k)), "V": (h, (n, d_v)),
            "S": (h, (n, n)), "A": (h, (n, n)), "H": (h, (n, d_v)),
            "concat": (N, (n, heads * d_v)), "Wo": (N, (heads * d_v, d)),
            "update": (h, (n, d)), "output": (h, (n, d))}


@misconception("inventory", "gives the shape of all heads' matrices stacked",
               hint="The count says how many there are already. What is the shape of a single one?")
def inventory_of_stacks(tokens, d, d_k, d_v, heads, blocks=1):
    h, n, N = heads * blocks, tokens, blocks
    return {"X": (N, (n, d)), "Wq": (h, (h, d, d_k)), "Wk": (h, (h, d, d_k)), "Wv": (h, (h, d, d_v)),
            "Q": (h, (h, n, d_k)), "K": (h, (h, n, d_k)), "V": (h, (h, n, d_v)),
            "S": (h, (h, n, n)), "A": (h, (h, n, n)), "H": (h, (h, n, d_v)),
            "concat": (N, (n, heads * d_v)), "Wo": (N, (heads * d_v, d)),
            "update": (N, (n, d)), "output": (N, (n, d))}


@misconception("inventory", "lists biases too",
               hint="Exactly fourteen names are asked for. Which of yours are not among them?")
def inventory_with_more_names(tokens, d, d_k, d_v, heads, blocks=1):
    h, n, N = heads * blocks, tokens, blocks
    return {"X": (N, (n, d)), "Wq": (h, (d, d_k)), "Wk": (h, (d, d_k)), "Wv": (h, (d, d_v)),
            "bq": (h, (1, d_k)), "bk": (h, (1, d_k)), "bv": (h, (1, d_v)), "bo": (N, (1, d)),
            "Q": (h, (n, d_k)), "K": (h, (n, d_k)), "V": (h, (n, d_v)),
            "S": (h, (n, n)), "A": (h, (n, n)), "H": (h, (n, d_v)),
            "concat": (N, (n, heads * d_v)), "Wo": (N, (heads * d_v, d)),
            "update": (N, (n, d)), "output": (N, (n, d))}


# count_parameters


@misconception("count_parameters", "counts biases",
               hint="There are no biases here: which of your terms does not belong to any entry of a matrix?")
def parameters_with_biases(d, d_k, d_v, heads):
    return d * heads * (2 * d_k + d_v) + heads * d_v * d + heads * (2 * d_k + d_v) + d


@misconception("count_parameters", "forgets the values or the output projection",
               hint="A head learns three projections, and a block one more matrix. Which one is missing?")
def parameters_of_three_kinds(d, d_k, d_v, heads):
    return 2 * d * heads * d_k + heads * d_v * d


@misconception("count_parameters", "counts the queries and keys only",
               hint="What a head reads it also passes on. Which matrices are missing in your total?")
def parameters_of_two_kinds(d, d_k, d_v, heads):
    return 2 * d * heads * d_k


@misconception("count_parameters", "counts one head only",
               hint="What happens to your count if there are twice as many heads?")
def parameters_of_one_head(d, d_k, d_v, heads):
    return d * (2 * d_k + d_v) + d_v * d


@misconception("count_parameters", "gives the output projection rows for one head only",
               hint="Wo takes in the mixtures of all heads side by side. How many rows does it have?")
def parameters_with_narrow_output(d, d_k, d_v, heads):
    return d * heads * (2 * d_k + d_v) + d_v * d


@misconception("count_parameters", "counts the output projection once for every head",
               hint="How many matrices Wo does a block have, and how many rows has that one?")
def parameters_with_many_outputs(d, d_k, d_v, heads):
    return d * heads * (2 * d_k + d_v) + heads * heads * d_v * d


@misconception("count_parameters", "takes the values to be as wide as the queries",
               hint="Try two different widths d_k and d_v. Which entries depend on which?")
def parameters_of_one_width(d, d_k, d_v, heads):
    return 4 * d * heads * d_k


@misconception("count_parameters", "takes the output projection to be square",
               hint="h mixtures of d_v numbers go into Wo. Is that always d?")
def parameters_with_square_output(d, d_k, d_v, heads):
    return d * heads * (2 * d_k + d_v) + d * d


@misconception("count_parameters", "counts queries and keys as one",
               hint="Do queries and keys share a projection, or are there two of that width?")
def parameters_with_shared_keys(d, d_k, d_v, heads):
    return d * heads * (d_k + d_v) + heads * d_v * d


# reachable


@misconception("reachable", "forgets the residual connection",
               hint="If nobody may read anybody, what does a token depend on after a layer?")
def reach_without_residual(allowed, layers):
    step = np.asarray(allowed, dtype=bool)
    reached = np.eye(len(step), dtype=bool)
    for _ in range(layers):
        reached = step @ reached
    return reached


@misconception("reachable", "adds the token itself only at the end",
               hint="A token may wait a layer and be read in the next. Do shorter chains count in yours?")
def reach_with_a_late_residual(allowed, layers):
    step = np.asarray(allowed, dtype=bool)
    reached = np.eye(len(step), dtype=bool)
    for _ in range(layers):
        reached = step @ reached
    return reached | np.eye(len(step), dtype=bool)


@misconception("reachable", "goes one layer too far",
               hint="What comes out in yours after 0 layers? And after 1?")
def reach_one_layer_too_far(allowed, layers):
    step = np.asarray(allowed, dtype=bool) | np.eye(len(allowed), dtype=bool)
    reached = step
    for _ in range(layers):
        reached = step @ reached
    return reached


@misconception("reachable", "goes one layer too few",
               hint="After one layer a token depends on those that it has read. Does it in yours?")
def reach_one_layer_too_few(allowed, layers):
    step = np.asarray(allowed, dtype=bool) | np.eye(len(allowed), dtype=bool)
    reached = np.eye(len(step), dtype=bool)
    for _ in range(layers - 1):
        reached = step @ reached
    return reached


@misconception("reachable", "counts the paths",
               hint="True or False is asked for. What do the numbers in your result say?")
def reach_in_counts(allowed, layers):
    step = (np.asarray(allowed, dtype=bool) | np.eye(len(allowed), dtype=bool)).astype(int)
    return np.linalg.matrix_power(step, layers)


@misconception("reachable", "exchanges who reads and who is read",
               hint="Row i says on whom i depends. If token 1 alone reads token 0, which row grows?")
def reach_transposed(allowed, layers):
    step = np.asarray(allowed, dtype=bool) | np.eye(len(allowed), dtype=bool)
    reached = np.eye(len(step), dtype=bool)
    for _ in range(layers):
        reached = step @ reached
    return reached.T


@misconception("reachable", "stops after one layer",
               hint="What does a second layer add: whom have my sources read in the first?")
def reach_of_one_layer(allowed, layers):
    own = np.eye(len(allowed), dtype=bool)
    return np.asarray(allowed, dtype=bool) | own if layers else own


@misconception("reachable", "goes on as long as there is somewhere to go",
               hint="How long a chain can there be if there are only two layers?")
def reach_without_end(allowed, layers):
    reached = np.asarray(allowed, dtype=bool) | np.eye(len(allowed), dtype=bool)
    for _ in range(len(reached)):
        reached = reached @ reached
    return reached if layers else np.eye(len(reached), dtype=bool)


@misconception("reachable", "doubles the reach with every layer",
               hint="Each layer adds one reading to the chain. How long are your chains after three layers?")
def reach_doubling(allowed, layers):
    own = np.eye(len(allowed), dtype=bool)
    reached = np.asarray(allowed, dtype=bool) | own
    for _ in range(layers - 1):
        reached = reached @ reached
    return reached if layers else own


@misconception("reachable", "raises each entry to a power instead of the matrix",
               hint="An entry alone knows nothing of chains. Which product joins two steps?")
def reach_by_entries(allowed, layers):
    return (np.asarray(allowed, dtype=int) ** layers).astype(bool) | np.eye(len(allowed), dtype=bool)


@misconception("reachable", "asks for a reading in both directions",
               hint="May I depend on a token that never reads me? The rule need not be symmetric.")
def reach_symmetric(allowed, layers):
    step = np.asarray(allowed, dtype=bool)
    step = step | step.T | np.eye(len(step), dtype=bool)
    reached = np.eye(len(step), dtype=bool)
    for _ in range(layers):
        reached = step @ reached
    return reached


@misconception("reachable", "changes the rule of reading it was given",
               hint=IN_PLACE)
def reach_in_place(allowed, layers):
    step = np.asarray(allowed)
    np.fill_diagonal(step, True)
    reached = np.eye(len(step), dtype=bool)
    for _ in range(layers):
        reached = step.astype(bool) @ reached
    return reached


# effect_of_change


@misconception("effect_of_change", "always leaves the residual path out",
               hint="Does the last argument make a difference in yours if receiver and source are one?")
def effect_without_residual(X, source, receiver, delta, params, residual):
    moved = np.array(X, dtype=float)
    moved[source] += delta
    before, after = multi_head(X, *params)[1], multi_head(moved, *params)[1]
    return np.linalg.norm(after[receiver] - before[receiver])


@misconception("effect_of_change", "always follows the residual path",
               hint="Does the last argument make a difference in yours if receiver and source are one?")
def effect_with_residual(X, source, receiver, delta, params, residual):
    moved = np.array(X, dtype=float)
    moved[source] += delta
    before, after = attention_sublayer(X, *params), attention_sublayer(moved, *params)
    return np.linalg.norm(after[receiver] - before[receiver])


@misconception("effect_of_change", "returns the squared length",
               hint="If the outputs lie twice as far apart, how many times larger is your result?")
def effect_squared(X, source, receiver, delta, params, residual):
    X = np.asarray(X, dtype=float)
    moved = X.copy()
    moved[source] += delta
    before, after = (rows * residual + multi_head(rows, *params)[1] for rows in (X, moved))
    return ((after[receiver] - before[receiver]) ** 2).sum()


@misconception("effect_of_change", "looks at the source instead of the receiver",
               hint="Which row of the output is asked for: that of the token moved, or another?")
def effect_at_the_source(X, source, receiver, delta, params, residual):
    X = np.asarray(X, dtype=float)
    moved = X.copy()
    moved[source] += delta
    before, after = (rows * residual + multi_head(rows, *params)[1] for rows in (X, moved))
    return np.linalg.norm(after[source] - before[source])


@misconception("effect_of_change", "moves the receiver and looks at the source",
               hint="Whose row of X is moved, and whose row of the output is measured?")
def effect_the_other_way(X, source, receiver, delta, params, residual):
    X = np.asarray(X, dtype=float)
    moved = X.copy()
    moved[receiver] += delta
    before, after = (rows * residual + multi_head(rows, *params)[1] for rows in (X, moved))
    return np.linalg.norm(after[source] - before[source])


@misconception("effect_of_change", "takes the largest coordinate of the change",
               hint="A length takes in all coordinates. What does yours do with the smaller ones?")
def effect_by_maximum(X, source, receiver, delta, params, residual):
    X = np.asarray(X, dtype=float)
    moved = X.copy()
    moved[source] += delta
    before, after = (rows * residual + multi_head(rows, *params)[1] for rows in (X, moved))
    return np.abs(after[receiver] - before[receiver]).max()


@misconception("effect_of_change", "adds up the magnitudes (the 1-norm)",
               hint="How long is the diagonal of a square of side 1: 2, or the root of 2?")
def effect_by_magnitudes(X, source, receiver, delta, params, residual):
    X = np.asarray(X, dtype=float)
    moved = X.copy()
    moved[source] += delta
    before, after = (rows * residual + multi_head(rows, *params)[1] for rows in (X, moved))
    return np.abs(after[receiver] - before[receiver]).sum()


@misconception("effect_of_change", "measures the change of all tokens together",
               hint="One token's output is asked for. What does `receiver` do in yours?")
def effect_everywhere(X, source, receiver, delta, params, residual):
    X = np.asarray(X, dtype=float)
    moved = X.copy()
    moved[source] += delta
    before, after = (rows * residual + multi_head(rows, *params)[1] for rows in (X, moved))
    return np.linalg.norm(after - before)


@misconception("effect_of_change", "subtracts lengths instead of outputs",
               hint="An output may turn without becoming longer. Is that a change in yours?")
def effect_of_lengths(X, source, receiver, delta, params, residual):
    X = np.asarray(X, dtype=float)
    moved = X.copy()
    moved[source] += delta
    before, after = (rows * residual + multi_head(rows, *params)[1] for rows in (X, moved))
    return abs(np.linalg.norm(after[receiver]) - np.linalg.norm(before[receiver]))


@misconception("effect_of_change", "puts delta in the place of the row",
               hint="The row is moved by delta. What is left of the old row in yours?")
def effect_of_a_replacement(X, source, receiver, delta, params, residual):
    X = np.asarray(X, dtype=float)
    moved = X.copy()
    moved[source] = delta
    before, after = (rows * residual + multi_head(rows, *params)[1] for rows in (X, moved))
    return np.linalg.norm(after[receiver] - before[receiver])


@misconception("effect_of_change", "moves every row",
               hint="Only the row `source` moves. How many rows of yours differ from X?")
def effect_of_moving_all(X, source, receiver, delta, params, residual):
    X = np.asarray(X, dtype=float)
    before, after = (rows * residual + multi_head(rows, *params)[1] for rows in (X, X + np.asarray(delta)))
    return np.linalg.norm(after[receiver] - before[receiver])


@misconception("effect_of_change", "divides by the size of the change",
               hint="How far does the output move? That is asked, not how far per unit.")
def effect_per_unit(X, source, receiver, delta, params, residual):
    X = np.asarray(X, dtype=float)
    moved = X.copy()
    moved[source] += delta
    before, after = (rows * residual + multi_head(rows, *params)[1] for rows in (X, moved))
    return np.linalg.norm(after[receiver] - before[receiver]) / np.linalg.norm(delta)


@misconception("effect_of_change", "looks back only (causal heads)",
               hint="May the first token feel a change of the last one here?")
def effect_through_causal_heads(X, source, receiver, delta, params, residual):
    X = np.asarray(X, dtype=float)
    moved = X.copy()
    moved[source] += delta
    before, after = (rows * residual + multi_head(rows, *params, causal=True)[1] for rows in (X, moved))
    return np.linalg.norm(after[receiver] - before[receiver])


@misconception("effect_of_change", "returns the change itself, not its length",
               hint="One number is asked for. How many coordinates has what you return?")
def effect_as_a_vector(X, source, receiver, delta, params, residual):
    X = np.asarray(X, dtype=float)
    moved = X.copy()
    moved[source] += delta
    before, after = (rows * residual + multi_head(rows, *params)[1] for rows in (X, moved))
    return after[receiver] - before[receiver]


@misconception("effect_of_change", "moves the tokens it was given",
               hint="What does X hold by the time you compute the output without the change?")
def effect_in_place(X, source, receiver, delta, params, residual):
    X = np.asarray(X, dtype=float)
    before = X * residual + multi_head(X, *params)[1]
    X[source] += delta
    after = X * residual + multi_head(X, *params)[1]
    return np.linalg.norm(after[receiver] - before[receiver])


@misconception("effect_of_change", "stores the moved row among integers",
               hint=INTEGERS)
def effect_among_integers(X, source, receiver, delta, params, residual):
    X = np.asarray(X)
    moved = X.copy()
    moved[source] = moved[source] + np.asarray(delta)
    before, after = (rows * residual + multi_head(rows, *params)[1] for rows in (X, moved))
    return np.linalg.norm(after[receiver] - before[receiver])
