"""Generated from source/real_heads/real_heads.py by `autograder build`: edit that instead."""

import numpy as np
from scipy.special import softmax


def multi_head(X, Wq, Wk, Wv, Wo, causal=False):
    """Paste yours, with the functions that it uses. The update of all heads together, and their weights:

    head i:  A[i] = the softmax, along each row, of (X Wq[i]) (X Wk[i])ᵀ / √d_k,   H[i] = A[i] (X Wv[i])
    update = [H[0] H[1] ... H[h-1]] Wo      the mixtures side by side, head 0's columns first

    Arrays X (n, d), Wq and Wk (h, d, d_k), Wv (h, d, d_v), Wo (h·d_v, d_out); here X has a column more than
    the update. Returns the pair (A, update), (h, n, n) and (n, d_out). Nothing here asks for causal=True.
    """
    scores = np.einsum("nd,hdk,hek,me->hnm", X, Wq, Wk, X, optimize="greedy") / np.sqrt(np.shape(Wq)[2])
    A = softmax(scores, axis=2)
    mixtures = A @ (X @ np.asarray(Wv, dtype=float))
    return A, np.hstack(list(mixtures)) @ Wo


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
    linear_maps = [
        [state[f"encoder.layer.{layer}.attention.{part}.{kind}"].numpy() for kind in ("weight", "bias")]
        for part in ("self.query", "self.key", "self.value", "output.dense")
    ]
    tall = [np.vstack([weight.T, bias]) for weight, bias in linear_maps[:3]]
    Wq, Wk, Wv = (np.stack(np.split(matrix, 12, axis=1)) for matrix in tall)
    return Wq, Wk, Wv, linear_maps[3][0].T, linear_maps[3][1]


ANSWERS = {
    "idle_bias": "b",
    "same_place": "c",
    "weight_and_effect": "b",
    "encoder_alone": "d",
}
