"""Generated from source/decoding/decoding.py by `autograder build`: edit that instead."""

import numpy as np
from scipy.special import log_softmax, softmax


def read_source(state, memory, params):
    """One look of the decoder at the source.

    q = state cross_q,  K = memory cross_k,  V = memory cross_v
    weights = softmax of K q / √d_k;   context = Σ_s weights_s V_s

    state: (d,), a row of the decoder. memory: (m, d_m), a row for each source word, m from 1 upward.
    params: a dict of the matrices "cross_q" (d, d_k), "cross_k" (d_m, d_k), "cross_v" (d_m, d_v), perhaps of
    others. Returns the pair (weights, context), shapes (m,) and (d_v,). Scores near ±1000 are fine.
    """
    q = np.asarray(state, dtype=float) @ np.asarray(params["cross_q"])
    K, V = (np.asarray(memory, dtype=float) @ np.asarray(params[name]) for name in ("cross_k", "cross_v"))
    weights = softmax(K @ q / np.sqrt(len(q)))
    return weights, weights @ V


def longest_path(kind, n):
    """How many steps of computation lie between the two words of a sequence that are farthest apart.

    kind "recurrent": one state after the other, each computed from the one before and its own word.
    kind "attention": each word reads any other directly, in one layer.
    n: the number of words, from 2 upward. Returns a whole number; two neighbors are one step apart.
    """
    return n - 1 if kind == "recurrent" else 1


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
    embed, place = (np.asarray(params[name], dtype=float) for name in ("embed", "place"))
    x = embed[np.asarray(prefix)] + place[: len(prefix)]
    for block in params["blocks"]:
        Wq, Wk, Wv = (np.asarray(block[name], dtype=float) for name in ("self_q", "self_k", "self_v"))
        scores = (x @ Wq) @ (x @ Wk).T / np.sqrt(Wq.shape[1])
        x = x + softmax(np.where(np.tri(len(x), dtype=bool), scores, -np.inf), axis=1) @ (x @ Wv)
        if memory is not None:
            x = x + np.array([read_source(row, memory, block)[1] for row in x])
    return log_softmax(x[-1] @ np.asarray(params["out"], dtype=float))


def greedy(step, start, end, max_len):
    """Write by taking the likeliest next token each time.

    step(tokens): takes the list of tokens so far, start included, and returns an array (vocab,) of finite
    log-probabilities. start, end: two different tokens. Stop when the end token was taken, or when max_len
    tokens were (the end counts, the start does not); max_len is at least 1. Ties go to the smaller token.
    Returns the pair (tokens, log_prob): a list that includes start, and end if it was reached; and the sum of
    the log-probabilities of the tokens taken (start was given: it costs nothing).
    """
    tokens, log_prob = [start], 0.0
    while len(tokens) <= max_len and tokens[-1] != end:
        scores = step(tokens)
        best = int(np.argmax(scores))
        tokens, log_prob = [*tokens, best], log_prob + float(scores[best])
    return tokens, log_prob


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


ANSWERS = {
    "path_length": "a",
    "who_reads": "d",
    "beam_promise": "b",
}
