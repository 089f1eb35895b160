"""Wrong answers that students of this lesson give: each is known by a name and answered with a hint.

`right=attention` keeps hold of the right answer, where the mistake is to do something else with it.
"""

import numpy as np
from scipy.special import softmax

from autograder.grading.suite import misconception
from solutions.masking import (
    KVCache,
    attention,
    causal_mask,
    cross_attention,
    linear_attention,
    masked_softmax,
)

IN_PLACE = "Look at your arguments after the call. Which line writes into one instead of making a new array?"
INTEGERS = "If you are given integers, what kind of numbers can the array hold that you fill?"
ROOT = "The root is over the number of products that a score adds up. Which width is that?"
ORDER = "Both parts are right. In which order does the docstring ask for them?"

# causal_mask


@misconception("causal_mask", "forbids reading oneself",
               hint="What could the first word read then? Look at the diagonal.")
def mask_with_the_diagonal(n):
    return np.triu(np.ones((n, n), dtype=bool))


@misconception("causal_mask", "forbids the past instead of the future",
               hint="Entry [i, j]: i reads, j is read. Which of the two is the row?")
def mask_transposed(n):
    return np.tril(np.ones((n, n), dtype=bool), k=-1)


@misconception("causal_mask", "marks what is allowed",
               hint="The picture is right, its colors are exchanged. What does True stand for here?")
def mask_of_the_allowed(n):
    return np.tril(np.ones((n, n), dtype=bool))


@misconception("causal_mask", "lets a word read the next one as well",
               hint="The next word is the one to be guessed. Where exactly does the forbidden part begin?")
def mask_too_late(n):
    return np.triu(np.ones((n, n), dtype=bool), k=2)


@misconception("causal_mask", "returns ones and zeros",
               hint="The picture is right. Of what kind are its entries to be, and what makes them so?")
def mask_in_numbers(n):
    return np.triu(np.ones((n, n)), k=1)


@misconception("causal_mask", "returns numbers to be added to the scores",
               hint="A mask says yes or no. What it does to a score is the business of the next task.")
def mask_to_add(n):
    return np.where(np.tri(n, dtype=bool), 0, -np.inf)


@misconception("causal_mask", "forbids everything but the word itself",
               hint="May the last reader not read the whole text?")
def mask_of_the_others(n):
    return ~np.eye(n, dtype=bool)


@misconception("causal_mask", "is made for three words",
               hint="Try a text of five words. Where does n come in?")
def mask_of_three(n):
    return np.array([[False, True, True], [False, False, True], [False, False, False]])


# masked_softmax


@misconception("masked_softmax", "puts 0 in place of a forbidden score",
               hint="What is the exponential of 0? Think of the row [.4519 .2741 .2741] on the page.")
def shares_with_zero_scores(scores, forbidden):
    forbidden = np.broadcast_to(forbidden, np.shape(scores))
    if forbidden.all(axis=-1).any():
        raise ValueError("nothing allowed")
    return softmax(np.where(forbidden, 0, np.asarray(scores, dtype=float)), axis=-1)


@misconception("masked_softmax", "strikes out shares after softmax without sharing anew",
               hint="Add up a row of your result. Who has got the shares that you struck out?")
def shares_struck_out(scores, forbidden):
    forbidden = np.broadcast_to(forbidden, np.shape(scores))
    if forbidden.all(axis=-1).any():
        raise ValueError("nothing allowed")
    return softmax(np.asarray(scores, dtype=float), axis=-1) * ~forbidden


@misconception("masked_softmax", "shares anew down the columns",
               hint="A row belongs to one reader. Along which axis does a reader's total run?")
def shares_renormalized_in_columns(scores, forbidden):
    forbidden = np.broadcast_to(forbidden, np.shape(scores))
    if forbidden.all(axis=-1).any():
        raise ValueError("nothing allowed")
    shares = softmax(np.asarray(scores, dtype=float), axis=-1) * ~forbidden
    return shares / shares.sum(axis=0)


@misconception("masked_softmax", "applies softmax down the columns",
               hint="Which entries must share a total of one: those of a row, or those of a column?")
def shares_of_columns(scores, forbidden):
    forbidden = np.broadcast_to(forbidden, np.shape(scores))
    if forbidden.all(axis=-1).any():
        raise ValueError("nothing allowed")
    return softmax(np.where(forbidden, -np.inf, np.asarray(scores, dtype=float)), axis=0)


@misconception("masked_softmax", "shares one total among all rows",
               hint="Add up each row: every reader has a whole of its own to give away.")
def shares_of_everything(scores, forbidden):
    forbidden = np.broadcast_to(forbidden, np.shape(scores))
    if forbidden.all(axis=-1).any():
        raise ValueError("nothing allowed")
    return softmax(np.where(forbidden, -np.inf, np.asarray(scores, dtype=float)))


@misconception("masked_softmax", "takes True for allowed",
               hint="Your zeros are exactly where shares belong. What does True mean in this mask?")
def shares_of_the_forbidden(scores, forbidden):
    allowed = np.broadcast_to(forbidden, np.shape(scores))
    if not allowed.any(axis=-1).all():
        raise ValueError("nothing allowed")
    return softmax(np.where(allowed, np.asarray(scores, dtype=float), -np.inf), axis=-1)


@misconception("masked_softmax", "ignores the mask",
               hint="Compare a forbidden place of your result with what the docstring says about it.")
def shares_unmasked(scores, forbidden):
    return softmax(np.asarray(scores, dtype=float), axis=-1)


@misconception("masked_softmax", "returns nan where nothing is allowed",
               hint="Your shares are right. What is to happen in a row that has none to give?")
def shares_with_nan(scores, forbidden):
    return softmax(np.where(forbidden, -np.inf, np.asarray(scores, dtype=float)), axis=-1)


@misconception("masked_softmax", "gives equal shares where nothing is allowed",
               hint="Forbid a whole row: your result lets its reader read everything. What should happen?")
def shares_with_equal_rows(scores, forbidden):
    forbidden = np.broadcast_to(forbidden, np.shape(scores))
    return softmax(np.where(forbidden, -1e9, np.asarray(scores, dtype=float)), axis=-1)


@misconception("masked_softmax", "gives zeros where nothing is allowed",
               hint="Your shares are right. What does the docstring say about a row with nothing allowed?")
def shares_with_zero_rows(scores, forbidden):
    shares = softmax(np.where(forbidden, -np.inf, np.asarray(scores, dtype=float)), axis=-1)
    return np.nan_to_num(shares)


@misconception("masked_softmax", "complains only if every row has nothing allowed",
               hint="Forbid one row of three entirely. Which question do you ask, of each row or of all?")
def shares_with_a_late_complaint(scores, forbidden):
    forbidden = np.broadcast_to(forbidden, np.shape(scores))
    if forbidden.all():
        raise ValueError("nothing allowed")
    return softmax(np.where(forbidden, -np.inf, np.asarray(scores, dtype=float)), axis=-1)


@misconception("masked_softmax", "takes a score of 0 for forbidden",
               hint="Who decides what is forbidden: the mask or the score? An allowed score may be 0.")
def shares_without_zeros(scores, forbidden):
    forbidden = np.broadcast_to(forbidden, np.shape(scores))
    if forbidden.all(axis=-1).any():
        raise ValueError("nothing allowed")
    kept = np.asarray(scores, dtype=float) * ~forbidden
    return softmax(np.where(kept == 0, -np.inf, kept), axis=-1)


@misconception("masked_softmax", "lowers forbidden scores by too little",
               hint="Exactly 0 is asked for. How far down is far enough, whatever the other scores are?")
def shares_lowered(scores, forbidden):
    forbidden = np.broadcast_to(forbidden, np.shape(scores))
    if forbidden.all(axis=-1).any():
        raise ValueError("nothing allowed")
    return softmax(np.asarray(scores, dtype=float) - 8 * forbidden, axis=-1)


@misconception("masked_softmax", "puts a fixed number in place of forbidden scores that is not low enough",
               hint="Try a row of scores near -1000: is your replacement still far below them?")
def shares_with_a_floor(scores, forbidden):
    forbidden = np.broadcast_to(forbidden, np.shape(scores))
    if forbidden.all(axis=-1).any():
        raise ValueError("nothing allowed")
    return softmax(np.where(forbidden, -1000, np.asarray(scores, dtype=float)), axis=-1)


@misconception("masked_softmax", "takes exponentials of the scores as they are",
               hint="Try a score of 1000. Adding a constant to a row changes no share: which one would help?")
def shares_unshifted(scores, forbidden):
    forbidden = np.broadcast_to(forbidden, np.shape(scores))
    if forbidden.all(axis=-1).any():
        raise ValueError("nothing allowed")
    exponentials = np.exp(np.asarray(scores, dtype=float)) * ~forbidden
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


@misconception("masked_softmax", "wants a mask as large as the scores",
               hint="The mask may be one row for all readers, or just False. What does your code do then?")
def shares_with_an_index(scores, forbidden):
    scores, forbidden = np.array(scores, dtype=float), np.asarray(forbidden)
    if forbidden.all(axis=-1).any():
        raise ValueError("nothing allowed")
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    exponentials[np.nonzero(forbidden)] = 0
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


@misconception("masked_softmax", "changes the scores it was given", hint=IN_PLACE)
def shares_in_place(scores, forbidden):
    scores = np.asarray(scores)
    forbidden = np.broadcast_to(forbidden, scores.shape)
    if forbidden.all(axis=-1).any():
        raise ValueError("nothing allowed")
    scores[forbidden] = -1e9
    return softmax(scores.astype(float), axis=-1)


@misconception("masked_softmax", "stores the shares among integers", hint=INTEGERS)
def shares_into_integers(scores, forbidden, right=masked_softmax):
    shares = np.zeros_like(np.asarray(scores))
    shares[...] = right(scores, forbidden)
    return shares


# attention


@misconception("attention", "ignores the switch: never masks",
               hint="Compare your A with and without causal=True. Where does the mask come in?")
def attention_never_masked(X, Wq, Wk, Wv, causal=False, right=attention):
    return right(X, Wq, Wk, Wv)


@misconception("attention", "ignores the switch: always masks",
               hint="Call it without causal. Who is it that hides the future from the first word?")
def attention_always_masked(X, Wq, Wk, Wv, causal=False, right=attention):
    return right(X, Wq, Wk, Wv, causal=True)


@misconception("attention", "masks unless told not to",
               hint="What does the head do if nobody mentions causal?")
def attention_masked_by_default(X, Wq, Wk, Wv, causal=True, right=attention):
    return right(X, Wq, Wk, Wv, causal)


@misconception("attention", "masks exactly when it should not",
               hint="Is it the mask that causal=True turns on, or the sight of everything?")
def attention_switch_reversed(X, Wq, Wk, Wv, causal=False, right=attention):
    return right(X, Wq, Wk, Wv, not causal)


@misconception("attention", "does not let a causal reader read itself",
               hint="What can the first word read? The mask starts behind the reader, not at it.")
def attention_without_itself(X, Wq, Wk, Wv, causal=False):
    X, Wq, Wk, Wv = (np.asarray(array, dtype=float) for array in (X, Wq, Wk, Wv))
    S = (X @ Wq) @ (X @ Wk).T / np.sqrt(Wq.shape[1])
    if causal:
        S = np.where(np.tri(len(X), k=-1, dtype=bool), S, -np.inf)
    A = softmax(S, axis=1)
    return A, A @ (X @ Wv)


@misconception("attention", "hides the past instead of the future",
               hint="In which corner of A are your zeros? The first row belongs to the first reader.")
def attention_to_the_future(X, Wq, Wk, Wv, causal=False):
    X, Wq, Wk, Wv = (np.asarray(array, dtype=float) for array in (X, Wq, Wk, Wv))
    S = (X @ Wq) @ (X @ Wk).T / np.sqrt(Wq.shape[1])
    A = masked_softmax(S, causal_mask(len(X)).T if causal else False)
    return A, A @ (X @ Wv)


@misconception("attention", "lets a reader see one word ahead",
               hint="Change the second word: does the first row stay as it was? It must.")
def attention_one_ahead(X, Wq, Wk, Wv, causal=False):
    X, Wq, Wk, Wv = (np.asarray(array, dtype=float) for array in (X, Wq, Wk, Wv))
    S = (X @ Wq) @ (X @ Wk).T / np.sqrt(Wq.shape[1])
    A = masked_softmax(S, ~np.tri(len(X), k=1, dtype=bool) if causal else False)
    return A, A @ (X @ Wv)


@misconception("attention", "puts 0 in place of the forbidden scores",
               hint="A score of 0 still earns a share. Which of your functions knows how to forbid?")
def attention_with_zero_scores(X, Wq, Wk, Wv, causal=False):
    X, Wq, Wk, Wv = (np.asarray(array, dtype=float) for array in (X, Wq, Wk, Wv))
    S = (X @ Wq) @ (X @ Wk).T / np.sqrt(Wq.shape[1])
    A = softmax(np.tril(S) if causal else S, axis=1)
    return A, A @ (X @ Wv)


@misconception("attention", "takes every score of 0 for forbidden",
               hint="A word of zeros scores 0 everywhere. Is it forbidden to read or to be read?")
def attention_without_zeros(X, Wq, Wk, Wv, causal=False):
    X, Wq, Wk, Wv = (np.asarray(array, dtype=float) for array in (X, Wq, Wk, Wv))
    S = (X @ Wq) @ (X @ Wk).T / np.sqrt(Wq.shape[1])
    if causal:
        S = np.tril(S)
        S[S == 0] = -1e9
    A = softmax(S, axis=1)
    return A, A @ (X @ Wv)


@misconception("attention", "strikes out weights without sharing anew",
               hint="Add up the first row of your causal A. It has one word to read: what is its weight?")
def attention_struck_out(X, Wq, Wk, Wv, causal=False, right=attention):
    A, _ = right(X, Wq, Wk, Wv)
    A = np.tril(A) if causal else A
    return A, A @ (np.asarray(X, dtype=float) @ np.asarray(Wv, dtype=float))


@misconception("attention", "shares anew down the columns",
               hint="A row belongs to one reader. Along which axis do its weights sum to one?")
def attention_renormalized_in_columns(X, Wq, Wk, Wv, causal=False, right=attention):
    A, _ = right(X, Wq, Wk, Wv)
    A = np.tril(A) / np.tril(A).sum(axis=0) if causal else A
    return A, A @ (np.asarray(X, dtype=float) @ np.asarray(Wv, dtype=float))


@misconception("attention", "masks the weights it returns, but mixes with unmasked ones",
               hint="Your A hides the future. Change the last word: do the earlier rows of H stay?")
def attention_leaking(X, Wq, Wk, Wv, causal=False, right=attention):
    return right(X, Wq, Wk, Wv, causal)[0], right(X, Wq, Wk, Wv)[1]


@misconception("attention", "leaves out the division by the root of the width",
               hint="What happens to the scores between the products and softmax?")
def attention_unscaled(X, Wq, Wk, Wv, causal=False, right=attention):
    Wq = np.asarray(Wq, dtype=float)
    return right(X, Wq * np.sqrt(Wq.shape[1]), Wk, Wv, causal)


@misconception("attention", "divides by the root of the words' width", hint=ROOT)
def attention_over_root_of_d(X, Wq, Wk, Wv, causal=False, right=attention):
    Wq = np.asarray(Wq, dtype=float)
    return right(X, Wq * np.sqrt(Wq.shape[1] / Wq.shape[0]), Wk, Wv, causal)


@misconception("attention", "divides by the root of the values' width", hint=ROOT)
def attention_over_root_of_d_v(X, Wq, Wk, Wv, causal=False, right=attention):
    Wq = np.asarray(Wq, dtype=float)
    return right(X, Wq * np.sqrt(Wq.shape[1] / np.shape(Wv)[1]), Wk, Wv, causal)


@misconception("attention", "divides by the width instead of its root",
               hint="The formula has a root over d_k. Try nine coordinates on paper.")
def attention_over_width(X, Wq, Wk, Wv, causal=False, right=attention):
    Wq = np.asarray(Wq, dtype=float)
    return right(X, Wq / np.sqrt(Wq.shape[1]), Wk, Wv, causal)


@misconception("attention", "normalizes down the columns",
               hint="Row i of A holds the shares of reader i. Which rows of yours sum to one?")
def attention_over_columns(X, Wq, Wk, Wv, causal=False):
    X, Wq, Wk, Wv = (np.asarray(array, dtype=float) for array in (X, Wq, Wk, Wv))
    S = (X @ Wq) @ (X @ Wk).T / np.sqrt(Wq.shape[1])
    A = softmax(np.where(causal_mask(len(X)), -np.inf, S) if causal else S, axis=0)
    return A, A @ (X @ Wv)


@misconception("attention", "lets the keys ask and the queries answer",
               hint="Rows of the scores belong to readers. What does the reader bring, query or key?")
def attention_asked_by_keys(X, Wq, Wk, Wv, causal=False, right=attention):
    return right(X, Wk, Wq, Wv, causal)


@misconception("attention", "returns H before A", hint=ORDER)
def attention_exchanged(X, Wq, Wk, Wv, causal=False, right=attention):
    A, H = right(X, Wq, Wk, Wv, causal)
    return H, A


@misconception("attention", "mixes the words instead of their values",
               hint="A is right. How wide are your mixtures, and how wide is Wv?")
def attention_of_words(X, Wq, Wk, Wv, causal=False, right=attention):
    A, _ = right(X, Wq, Wk, Wv, causal)
    return A, A @ np.asarray(X, dtype=float)


@misconception("attention", "mixes the keys instead of the values",
               hint="A is right. Keys serve to be found; what is handed over is something else.")
def attention_of_keys(X, Wq, Wk, Wv, causal=False, right=attention):
    return right(X, Wq, Wk, Wk, causal)


@misconception("attention", "stores the mixtures among integers", hint=INTEGERS)
def attention_into_integers(X, Wq, Wk, Wv, causal=False, right=attention):
    A, mixtures = right(X, Wq, Wk, Wv, causal)
    H = np.zeros(mixtures.shape, dtype=np.asarray(X).dtype)
    H[...] = mixtures
    return A, H


@misconception("attention", "takes exponentials of the scores as they are",
               hint="Long words have scores far above 1000. Which function of yours is safe with them?")
def attention_unshifted(X, Wq, Wk, Wv, causal=False):
    X, Wq, Wk, Wv = (np.asarray(array, dtype=float) for array in (X, Wq, Wk, Wv))
    exponentials = np.exp((X @ Wq) @ (X @ Wk).T / np.sqrt(Wq.shape[1]))
    exponentials = np.tril(exponentials) if causal else exponentials
    A = exponentials / exponentials.sum(axis=1, keepdims=True)
    return A, A @ (X @ Wv)


@misconception("attention", "scales the words it was given", hint=IN_PLACE)
def attention_in_place(X, Wq, Wk, Wv, causal=False, right=attention):
    X = np.asarray(X)
    result = right(X, Wq, Wk, Wv, causal)
    X /= np.sqrt(np.shape(Wq)[1])
    return result


# cross_attention


@misconception("cross_attention", "lets the sources ask and the readers answer",
               hint="How many rows does A have to have: as many as there are readers, or sources?")
def cross_the_other_way(X, Z, Wq, Wk, Wv, right=cross_attention):
    return right(Z, X, Wq, Wk, Wv)


@misconception("cross_attention", "lets the readers read themselves",
               hint="Change Z: does your result notice? Keys and values come from the text that is read.")
def cross_with_itself(X, Z, Wq, Wk, Wv, right=cross_attention):
    return right(X, X, Wq, Wk, Wv)


@misconception("cross_attention", "reads only the sources",
               hint="Change X: does your result notice? The queries come from the readers.")
def cross_among_sources(X, Z, Wq, Wk, Wv, right=cross_attention):
    return right(Z, Z, Wq, Wk, Wv)


@misconception("cross_attention", "reads both texts, one after the other",
               hint="A has a column for each source, and only for those. Which columns are too many?")
def cross_of_both(X, Z, Wq, Wk, Wv, right=cross_attention):
    return right(X, np.concatenate([np.asarray(X), np.asarray(Z)]), Wq, Wk, Wv)


@misconception("cross_attention", "hides sources as if they were the future",
               hint="The source text is complete before the first word is written. What is there to hide?")
def cross_masked(X, Z, Wq, Wk, Wv):
    X, Z, Wq, Wk, Wv = (np.asarray(array, dtype=float) for array in (X, Z, Wq, Wk, Wv))
    S = (X @ Wq) @ (Z @ Wk).T / np.sqrt(Wk.shape[1])
    A = softmax(np.where(np.tri(*S.shape, dtype=bool), S, -np.inf), axis=1)
    return A, A @ (Z @ Wv)


@misconception("cross_attention", "mixes the sources instead of their values",
               hint="A is right. How wide are your mixtures, and how wide is Wv?")
def cross_of_sources(X, Z, Wq, Wk, Wv, right=cross_attention):
    A, _ = right(X, Z, Wq, Wk, Wv)
    return A, A @ np.asarray(Z, dtype=float)


@misconception("cross_attention", "normalizes over the readers",
               hint="Each reader gives away a whole. Which rows of your A sum to one?")
def cross_over_columns(X, Z, Wq, Wk, Wv):
    X, Z, Wq, Wk, Wv = (np.asarray(array, dtype=float) for array in (X, Z, Wq, Wk, Wv))
    A = softmax((X @ Wq) @ (Z @ Wk).T / np.sqrt(Wk.shape[1]), axis=0)
    return A, A @ (Z @ Wv)


@misconception("cross_attention", "leaves out the division by the root of the width",
               hint="What happens to the scores between the products and softmax?")
def cross_unscaled(X, Z, Wq, Wk, Wv, right=cross_attention):
    return right(X, Z, np.asarray(Wq) * np.sqrt(np.shape(Wq)[1]), Wk, Wv)


@misconception("cross_attention", "divides by the root of the words' width", hint=ROOT)
def cross_over_root_of_d(X, Z, Wq, Wk, Wv, right=cross_attention):
    return right(X, Z, np.asarray(Wq) * np.sqrt(np.shape(Wq)[1] / np.shape(X)[1]), Wk, Wv)


@misconception("cross_attention", "divides by the root of the number of sources", hint=ROOT)
def cross_over_root_of_m(X, Z, Wq, Wk, Wv, right=cross_attention):
    return right(X, Z, np.asarray(Wq) * np.sqrt(np.shape(Wq)[1] / len(Z)), Wk, Wv)


@misconception("cross_attention", "returns H before A", hint=ORDER)
def cross_exchanged(X, Z, Wq, Wk, Wv, right=cross_attention):
    A, H = right(X, Z, Wq, Wk, Wv)
    return H, A


@misconception("cross_attention", "exchanges the matrices of queries and keys",
               hint="Readers go through Wq, sources through Wk. Which of your products is which?")
def cross_with_exchanged_maps(X, Z, Wq, Wk, Wv, right=cross_attention):
    return right(X, Z, Wk, Wq, Wv)


@misconception("cross_attention", "takes exponentials of the scores as they are",
               hint="Long rows have large scores. What is safe with a score of 1000?")
def cross_unshifted(X, Z, Wq, Wk, Wv):
    X, Z, Wq, Wk, Wv = (np.asarray(array, dtype=float) for array in (X, Z, Wq, Wk, Wv))
    exponentials = np.exp((X @ Wq) @ (Z @ Wk).T / np.sqrt(Wk.shape[1]))
    A = exponentials / exponentials.sum(axis=1, keepdims=True)
    return A, A @ (Z @ Wv)


@misconception("cross_attention", "scales the readers it was given", hint=IN_PLACE)
def cross_in_place(X, Z, Wq, Wk, Wv, right=cross_attention):
    X = np.asarray(X)
    result = right(X, Z, Wq, Wk, Wv)
    X /= np.sqrt(np.shape(Wq)[1])
    return result


# KVCache


@misconception("KVCache", "shares one store among all caches",
               hint="Make a second cache: is it empty? What belongs to the class, and what to each object?")
class SharedCache:
    keys = []
    values = []

    def append(self, k, v):
        self.keys.append(np.array(k, dtype=float))
        self.values.append(np.array(v, dtype=float))

    def __len__(self):
        return len(self.keys)


@misconception("KVCache", "exchanges keys and values",
               hint="What append gets first is the key. Under which name can it be found afterwards?")
class ExchangedCache:
    def __init__(self):
        self.keys, self.values = [], []

    def append(self, k, v):
        self.keys.append(np.array(v, dtype=float))
        self.values.append(np.array(k, dtype=float))

    def __len__(self):
        return len(self.keys)


@misconception("KVCache", "puts the newest word first",
               hint="In which order are the rows to stand? The newest word has read all above it.")
class ReversedCache:
    def __init__(self):
        self.keys, self.values = [], []

    def append(self, k, v):
        self.keys.insert(0, np.array(k, dtype=float))
        self.values.insert(0, np.array(v, dtype=float))

    def __len__(self):
        return len(self.keys)


@misconception("KVCache", "keeps the last word only",
               hint="What becomes of the first word when the second one is appended?")
class ForgetfulCache:
    def __init__(self):
        self.keys, self.values = [], []

    def append(self, k, v):
        self.keys, self.values = [np.array(k, dtype=float)], [np.array(v, dtype=float)]

    def __len__(self):
        return len(self.keys)


@misconception("KVCache", "strings all numbers together instead of keeping rows",
               hint="What shape have your keys after two words? One row for each word is asked for.")
class FlatCache:
    def __init__(self):
        self.keys, self.values = np.array([]), np.array([])

    def append(self, k, v):
        self.keys, self.values = np.append(self.keys, k), np.append(self.values, v)

    def __len__(self):
        return len(self.keys)


@misconception("KVCache", "keeps one column for each word instead of one row",
               hint="What shape have your keys after two words of three coordinates each?")
class ColumnCache:
    def __init__(self):
        self.rows = []

    def append(self, k, v):
        self.rows.append((np.array(k, dtype=float), np.array(v, dtype=float)))

    keys = property(lambda self: np.array([k for k, _ in self.rows]).T)
    values = property(lambda self: np.array([v for _, v in self.rows]).T)

    def __len__(self):
        return len(self.rows)


@misconception("KVCache", "keeps the very arrays it was given",
               hint="Change the array after append, and look into the cache. Whose array does it hold?")
class BorrowingCache:
    def __init__(self):
        self.keys, self.values = [], []

    def append(self, k, v):
        self.keys.append(k)
        self.values.append(v)

    def __len__(self):
        return len(self.keys)


@misconception("KVCache", "keeps integers once it has begun with integers", hint=INTEGERS)
class IntegerCache:
    def __init__(self):
        self.keys = self.values = None

    def append(self, k, v):
        k, v = np.array([k]), np.array([v])
        if self.keys is None:
            self.keys, self.values = k, v
        else:
            self.keys = np.concatenate([self.keys, k.astype(self.keys.dtype)])
            self.values = np.concatenate([self.values, v.astype(self.values.dtype)])

    def __len__(self):
        return 0 if self.keys is None else len(self.keys)


@misconception("KVCache", "counts keys and values separately in its length",
               hint="How many words were appended, and what does len say?")
class DoubleCountingCache:
    def __init__(self):
        self.keys, self.values = [], []

    def append(self, k, v):
        self.keys.append(np.array(k, dtype=float))
        self.values.append(np.array(v, dtype=float))

    def __len__(self):
        return len(self.keys) + len(self.values)


@misconception("KVCache", "keeps repeated words only once",
               hint="Append the same word twice. Does the second one not count as a word of its own?")
class DistinctCache:
    def __init__(self):
        self.rows = {}

    def append(self, k, v):
        self.rows[tuple(k)] = np.array(v, dtype=float)

    keys = property(lambda self: np.array(list(self.rows), dtype=float))
    values = property(lambda self: np.array(list(self.rows.values())))

    def __len__(self):
        return len(self.rows)


@misconception("KVCache", "has room for a few words only",
               hint="How long can a text get? Append more words than you have thought of.")
class SmallCache:
    def __init__(self):
        self.t = 0
        self.room = [None] * 16

    def append(self, k, v):
        self.room[self.t] = (np.array(k, dtype=float), np.array(v, dtype=float))
        self.t += 1

    keys = property(lambda self: np.array([k for k, _ in self.room[: self.t]]))
    values = property(lambda self: np.array([v for _, v in self.room[: self.t]]))

    def __len__(self):
        return self.t


# decode_step


@misconception("decode_step", "reads before it appends",
               hint="How many weights does the first word get? It is to read itself, too.")
def decode_before_appending(x, cache, Wq, Wk, Wv):
    x, Wq, Wk, Wv = (np.asarray(array, dtype=float) for array in (x, Wq, Wk, Wv))
    weights = softmax(np.asarray(cache.keys) @ (x @ Wq) / np.sqrt(Wq.shape[1]))
    mixture = weights @ np.asarray(cache.values)
    cache.append(x @ Wk, x @ Wv)
    return weights, mixture


@misconception("decode_step", "leaves the newest word out of its own reading",
               hint="Compare the number of weights with the length of the cache. Who is missing?")
def decode_without_itself(x, cache, Wq, Wk, Wv):
    x, Wq, Wk, Wv = (np.asarray(array, dtype=float) for array in (x, Wq, Wk, Wv))
    cache.append(x @ Wk, x @ Wv)
    if len(cache) == 1:
        return np.ones(1), x @ Wv
    weights = softmax(np.asarray(cache.keys)[:-1] @ (x @ Wq) / np.sqrt(Wq.shape[1]))
    return weights, weights @ np.asarray(cache.values)[:-1]


@misconception("decode_step", "appends nothing to the cache",
               hint="The next word will want to read this one. Where will it find it?")
def decode_without_appending(x, cache, Wq, Wk, Wv):
    x, Wq, Wk, Wv = (np.asarray(array, dtype=float) for array in (x, Wq, Wk, Wv))
    old = (np.asarray(cache.keys), np.asarray(cache.values)) if len(cache) else ([], [])
    keys, values = np.array([*old[0], x @ Wk]), np.array([*old[1], x @ Wv])
    weights = softmax(keys @ (x @ Wq) / np.sqrt(Wq.shape[1]))
    return weights, weights @ values


@misconception("decode_step", "appends the word twice",
               hint="What is the length of the cache after one step?")
def decode_appending_twice(x, cache, Wq, Wk, Wv):
    x, Wq, Wk, Wv = (np.asarray(array, dtype=float) for array in (x, Wq, Wk, Wv))
    cache.append(x @ Wk, x @ Wv)
    cache.append(x @ Wk, x @ Wv)
    weights = softmax(np.asarray(cache.keys) @ (x @ Wq) / np.sqrt(Wq.shape[1]))
    return weights, weights @ np.asarray(cache.values)


@misconception("decode_step", "starts a new cache at every step",
               hint="How many weights does the third word get? Which cache is it that you read?")
def decode_with_a_new_cache(x, cache, Wq, Wk, Wv):
    x, Wq, Wk, Wv = (np.asarray(array, dtype=float) for array in (x, Wq, Wk, Wv))
    cache = KVCache()
    cache.append(x @ Wk, x @ Wv)
    weights = softmax(np.asarray(cache.keys) @ (x @ Wq) / np.sqrt(Wq.shape[1]))
    return weights, weights @ np.asarray(cache.values)


@misconception("decode_step", "exchanges key and value when it appends",
               hint="What does append expect first? The scores are products of the query with keys.")
def decode_exchanging(x, cache, Wq, Wk, Wv):
    x, Wq, Wk, Wv = (np.asarray(array, dtype=float) for array in (x, Wq, Wk, Wv))
    cache.append(x @ Wv, x @ Wk)
    weights = softmax(np.asarray(cache.keys) @ (x @ Wq) / np.sqrt(Wq.shape[1]))
    return weights, weights @ np.asarray(cache.values)


@misconception("decode_step", "appends the query in place of the key",
               hint="A later word compares its query with what you keep of this one. What is that?")
def decode_keeping_queries(x, cache, Wq, Wk, Wv):
    x, Wq, Wk, Wv = (np.asarray(array, dtype=float) for array in (x, Wq, Wk, Wv))
    cache.append(x @ Wq, x @ Wv)
    weights = softmax(np.asarray(cache.keys) @ (x @ Wq) / np.sqrt(Wq.shape[1]))
    return weights, weights @ np.asarray(cache.values)


@misconception("decode_step", "asks with the key in place of the query",
               hint="What does the newest word ask with, and which matrix makes it?")
def decode_asking_with_keys(x, cache, Wq, Wk, Wv):
    x, Wq, Wk, Wv = (np.asarray(array, dtype=float) for array in (x, Wq, Wk, Wv))
    cache.append(x @ Wk, x @ Wv)
    weights = softmax(np.asarray(cache.keys) @ (x @ Wk) / np.sqrt(Wq.shape[1]))
    return weights, weights @ np.asarray(cache.values)


@misconception("decode_step", "leaves out the division by the root of the width",
               hint="What happens to the scores between the products and softmax?")
def decode_unscaled(x, cache, Wq, Wk, Wv):
    x, Wq, Wk, Wv = (np.asarray(array, dtype=float) for array in (x, Wq, Wk, Wv))
    cache.append(x @ Wk, x @ Wv)
    weights = softmax(np.asarray(cache.keys) @ (x @ Wq))
    return weights, weights @ np.asarray(cache.values)


@misconception("decode_step", "divides by the root of the word's width", hint=ROOT)
def decode_over_root_of_d(x, cache, Wq, Wk, Wv):
    x, Wq, Wk, Wv = (np.asarray(array, dtype=float) for array in (x, Wq, Wk, Wv))
    cache.append(x @ Wk, x @ Wv)
    weights = softmax(np.asarray(cache.keys) @ (x @ Wq) / np.sqrt(len(x)))
    return weights, weights @ np.asarray(cache.values)


@misconception("decode_step", "divides by the root of the number of words so far", hint=ROOT)
def decode_over_root_of_t(x, cache, Wq, Wk, Wv):
    x, Wq, Wk, Wv = (np.asarray(array, dtype=float) for array in (x, Wq, Wk, Wv))
    cache.append(x @ Wk, x @ Wv)
    weights = softmax(np.asarray(cache.keys) @ (x @ Wq) / np.sqrt(len(cache)))
    return weights, weights @ np.asarray(cache.values)


@misconception("decode_step", "takes exponentials of the scores as they are",
               hint="Long words have scores far above 1000. What is safe with them?")
def decode_unshifted(x, cache, Wq, Wk, Wv):
    x, Wq, Wk, Wv = (np.asarray(array, dtype=float) for array in (x, Wq, Wk, Wv))
    cache.append(x @ Wk, x @ Wv)
    weights = np.exp(np.asarray(cache.keys) @ (x @ Wq) / np.sqrt(Wq.shape[1]))
    weights = weights / weights.sum()
    return weights, weights @ np.asarray(cache.values)


@misconception("decode_step", "returns the mixture before the weights", hint=ORDER)
def decode_exchanged(x, cache, Wq, Wk, Wv):
    x, Wq, Wk, Wv = (np.asarray(array, dtype=float) for array in (x, Wq, Wk, Wv))
    cache.append(x @ Wk, x @ Wv)
    weights = softmax(np.asarray(cache.keys) @ (x @ Wq) / np.sqrt(Wq.shape[1]))
    return weights @ np.asarray(cache.values), weights


@misconception("decode_step", "lets all words so far ask again",
               hint="Only the newest word reads. How many rows of weights does one word need?")
def decode_for_everybody(x, cache, Wq, Wk, Wv):
    x, Wq, Wk, Wv = (np.asarray(array, dtype=float) for array in (x, Wq, Wk, Wv))
    cache.append(x @ Wk, x @ Wv)
    keys = np.asarray(cache.keys)
    A = softmax(keys @ keys.T / np.sqrt(Wq.shape[1]), axis=1)
    return A, A @ np.asarray(cache.values)


# linear_attention


@misconception("linear_attention", "reads the future as well",
               hint="Change the last word: which rows of your result move?")
def linear_not_causal(Q, K, V):
    return np.asarray(Q, dtype=float) @ np.asarray(K, dtype=float).T @ np.asarray(V, dtype=float)


@misconception("linear_attention", "leaves the word itself out",
               hint="The sum runs over s up to t. Is s = t among them?")
def linear_without_itself(Q, K, V):
    Q, K, V = (np.asarray(array, dtype=float) for array in (Q, K, V))
    return np.tril(Q @ K.T, k=-1) @ V


@misconception("linear_attention", "reads the future only",
               hint="Row t of the products belongs to the query of t. Which part of the row is the past?")
def linear_of_the_future(Q, K, V):
    Q, K, V = (np.asarray(array, dtype=float) for array in (Q, K, V))
    return np.triu(Q @ K.T) @ V


@misconception("linear_attention", "applies softmax",
               hint="What does 'linear' refer to? Double a query: what should the result do?")
def linear_with_softmax(Q, K, V):
    Q, K, V = (np.asarray(array, dtype=float) for array in (Q, K, V))
    return masked_softmax(Q @ K.T, causal_mask(len(Q))) @ V


@misconception("linear_attention", "is ordinary causal attention",
               hint="Neither softmax nor a root is in the formula. What are the weights?")
def linear_as_attention(Q, K, V):
    Q, K, V = (np.asarray(array, dtype=float) for array in (Q, K, V))
    return masked_softmax(Q @ K.T / np.sqrt(Q.shape[1]), causal_mask(len(Q))) @ V


@misconception("linear_attention", "divides by the root of the width",
               hint="Without softmax there is nothing to be kept small. Is a root in the formula?")
def linear_scaled(Q, K, V, right=linear_attention):
    return right(Q, K, V) / np.sqrt(np.shape(K)[1])


@misconception("linear_attention", "makes the weights sum to one",
               hint="Products may cancel. Does the formula divide by their total?")
def linear_normalized(Q, K, V):
    Q, K, V = (np.asarray(array, dtype=float) for array in (Q, K, V))
    weights = np.tril(Q @ K.T)
    return weights / weights.sum(axis=1, keepdims=True) @ V


@misconception("linear_attention", "averages over the words so far",
               hint="It is a sum. By what do you divide it, and why?")
def linear_averaged(Q, K, V, right=linear_attention):
    return right(Q, K, V) / np.arange(1, len(V) + 1)[:, None]


@misconception("linear_attention", "exchanges queries and keys",
               hint="Whose query is it that meets all the keys before it?")
def linear_exchanged(Q, K, V, right=linear_attention):
    return right(K, Q, V)


@misconception("linear_attention", "makes all weights positive",
               hint="A product may be negative: then the value is subtracted. What do you do to its sign?")
def linear_of_magnitudes(Q, K, V):
    Q, K, V = (np.asarray(array, dtype=float) for array in (Q, K, V))
    return np.abs(np.tril(Q @ K.T)) @ V


@misconception("linear_attention", "adds up the results of all words so far",
               hint="Each word asks anew, with its own query. What of the last word's result may remain?")
def linear_accumulated(Q, K, V):
    Q, K, V = (np.asarray(array, dtype=float) for array in (Q, K, V))
    return np.cumsum((Q * K).sum(axis=1, keepdims=True) * V, axis=0)


@misconception("linear_attention", "stores the result among integers", hint=INTEGERS)
def linear_into_integers(Q, K, V, right=linear_attention):
    out = np.zeros_like(np.asarray(V))
    out[...] = right(Q, K, V)
    return out


@misconception("linear_attention", "writes the result over the values", hint=IN_PLACE)
def linear_in_place(Q, K, V):
    Q, K, V = np.asarray(Q, dtype=float), np.asarray(K, dtype=float), np.asarray(V)
    for t in reversed(range(len(V))):
        V[t] = K[: t + 1] @ Q[t] @ V[: t + 1]
    return V


# fast_weights


@misconception("fast_weights", "stores the memory transposed",
               hint="What shape has your memory, and what does the docstring say about rows and columns?")
def fast_transposed(Q, K, V):
    Q, K, V = (np.asarray(array, dtype=float) for array in (Q, K, V))
    return linear_attention(Q, K, V), V.T @ K


@misconception("fast_weights", "reads the memory before the word is added",
               hint="What does the first word read? Its own key and value should be in the memory by then.")
def fast_read_too_early(Q, K, V):
    Q, K, V = (np.asarray(array, dtype=float) for array in (Q, K, V))
    memory, out = np.zeros((K.shape[1], V.shape[1])), []
    for q, k, v in zip(Q, K, V):
        out.append(q @ memory)
        memory = memory + np.outer(k, v)
    return np.array(out), memory


@misconception("fast_weights", "reads everything from the finished memory",
               hint="Change the last word: does the first row of out notice? It must not.")
def fast_read_too_late(Q, K, V):
    Q, K, V = (np.asarray(array, dtype=float) for array in (Q, K, V))
    memory = K.T @ V
    return Q @ memory, memory


@misconception("fast_weights", "overwrites the memory with each word",
               hint="What is left of the first word in your memory after the second?")
def fast_overwritten(Q, K, V):
    Q, K, V = (np.asarray(array, dtype=float) for array in (Q, K, V))
    memories = K[:, :, None] * V[:, None, :]
    return np.einsum("tk,tkv->tv", Q, memories), memories[-1]


@misconception("fast_weights", "returns what the last word reads only",
               hint="Every word reads the memory of its time. How many rows must out have?")
def fast_for_the_last(Q, K, V):
    Q, K, V = (np.asarray(array, dtype=float) for array in (Q, K, V))
    memory = K.T @ V
    return Q[-1] @ memory, memory


@misconception("fast_weights", "returns the memory before out", hint=ORDER)
def fast_exchanged(Q, K, V):
    Q, K, V = (np.asarray(array, dtype=float) for array in (Q, K, V))
    return K.T @ V, linear_attention(Q, K, V)


@misconception("fast_weights", "returns the memories of all steps",
               hint="Does your memory grow with the text? Only its last state is asked for.")
def fast_with_all_memories(Q, K, V):
    Q, K, V = (np.asarray(array, dtype=float) for array in (Q, K, V))
    return linear_attention(Q, K, V), np.cumsum(K[:, :, None] * V[:, None, :], axis=0)


@misconception("fast_weights", "stores only what the memory does not know yet (the delta rule)",
               hint="A fine idea, from the further reading. The update here adds the value as it is.")
def fast_with_corrections(Q, K, V):
    Q, K, V = (np.asarray(array, dtype=float) for array in (Q, K, V))
    memory, out = np.zeros((K.shape[1], V.shape[1])), []
    for q, k, v in zip(Q, K, V):
        memory = memory + np.outer(k, v - k @ memory)
        out.append(q @ memory)
    return np.array(out), memory


@misconception("fast_weights", "stores queries in place of keys",
               hint="A word is found under its key. What does it leave in the memory with its value?")
def fast_of_queries(Q, K, V):
    Q, K, V = (np.asarray(array, dtype=float) for array in (Q, K, V))
    return linear_attention(K, Q, V), Q.T @ V


@misconception("fast_weights", "divides by the root of the width",
               hint="Out must equal linear attention. Is a root in that formula?")
def fast_scaled(Q, K, V):
    Q, K, V = (np.asarray(array, dtype=float) for array in (Q, K, V))
    return linear_attention(Q, K, V) / np.sqrt(K.shape[1]), K.T @ V


@misconception("fast_weights", "keeps the memory from one call to the next",
               hint="Call it twice. With what does the memory begin the second time?")
def fast_remembered(Q, K, V, kept={}):
    Q, K, V = (np.asarray(array, dtype=float) for array in (Q, K, V))
    memory, out = kept.setdefault((K.shape[1], V.shape[1]), np.zeros((K.shape[1], V.shape[1]))), []
    for q, k, v in zip(Q, K, V):
        memory += np.outer(k, v)
        out.append(q @ memory)
    return np.array(out), memory.copy()


@misconception("fast_weights", "stores the memory among integers", hint=INTEGERS)
def fast_into_integers(Q, K, V):
    Q, K, V = np.asarray(Q, dtype=float), np.asarray(K, dtype=float), np.asarray(V)
    memory, out = np.zeros((K.shape[1], V.shape[1]), dtype=V.dtype), []
    for q, k, v in zip(Q, K, V):
        memory = (memory + np.outer(k, v)).astype(memory.dtype)
        out.append(q @ memory)
    return np.array(out), memory


@misconception("fast_weights", "writes out over the values", hint=IN_PLACE)
def fast_in_place(Q, K, V):
    Q, K, V = np.asarray(Q, dtype=float), np.asarray(K, dtype=float), np.asarray(V)
    memory = np.zeros((K.shape[1], V.shape[1]))
    for t in range(len(V)):
        memory += np.outer(K[t], V[t])
        V[t] = Q[t] @ memory
    return V, memory


# kernel_smoother


@misconception("kernel_smoother", "does not divide by the total",
               hint="Compatibilities are in the right ratios. What has to happen for weights to sum to one?")
def smoother_unnormalized(q, K, V, compatibility):
    weights = np.array([compatibility(np.asarray(q), np.asarray(k)) for k in K], dtype=float)
    return weights, weights @ np.asarray(V, dtype=float)


@misconception("kernel_smoother", "applies softmax to the compatibilities",
               hint="Compatibilities are positive already. Which exponential is in the formula?")
def smoother_with_softmax(q, K, V, compatibility):
    weights = softmax(np.array([compatibility(np.asarray(q), np.asarray(k)) for k in K], dtype=float))
    return weights, weights @ np.asarray(V, dtype=float)


@misconception("kernel_smoother", "is attention, whatever the compatibility",
               hint="Hand in another compatibility: does your result notice?")
def smoother_as_attention(q, K, V, compatibility):
    q, K, V = (np.asarray(array, dtype=float) for array in (q, K, V))
    weights = softmax(K @ q / np.sqrt(len(q)))
    return weights, weights @ V


@misconception("kernel_smoother", "asks with the key first and the query second",
               hint="A compatibility need not be symmetric. Which argument comes first?")
def smoother_the_other_way(q, K, V, compatibility):
    weights = np.array([compatibility(np.asarray(k), np.asarray(q)) for k in K], dtype=float)
    weights = weights / weights.sum()
    return weights, weights @ np.asarray(V, dtype=float)


@misconception("kernel_smoother", "divides by the number of sources",
               hint="Do your weights sum to one? What they are to be divided by depends on themselves.")
def smoother_averaged(q, K, V, compatibility):
    weights = np.array([compatibility(np.asarray(q), np.asarray(k)) for k in K], dtype=float) / len(K)
    return weights, weights @ np.asarray(V, dtype=float)


@misconception("kernel_smoother", "divides by the largest compatibility",
               hint="Your best source has the weight 1. What is left for the others?")
def smoother_over_the_largest(q, K, V, compatibility):
    weights = np.array([compatibility(np.asarray(q), np.asarray(k)) for k in K], dtype=float)
    weights = weights / weights.max()
    return weights, weights @ np.asarray(V, dtype=float)


@misconception("kernel_smoother", "mixes with the compatibilities instead of the weights",
               hint="The weights are right. Was it the weights that you mixed with?")
def smoother_mixing_raw(q, K, V, compatibility):
    raw = np.array([compatibility(np.asarray(q), np.asarray(k)) for k in K], dtype=float)
    return raw / raw.sum(), raw @ np.asarray(V, dtype=float)


@misconception("kernel_smoother", "takes the best source only",
               hint="What becomes of the second best? Every value counts by its weight.")
def smoother_of_the_best(q, K, V, compatibility):
    raw = np.array([compatibility(np.asarray(q), np.asarray(k)) for k in K], dtype=float)
    weights = np.eye(len(raw))[raw.argmax()]
    return weights, weights @ np.asarray(V, dtype=float)


@misconception("kernel_smoother", "returns the mixture before the weights", hint=ORDER)
def smoother_exchanged(q, K, V, compatibility):
    weights = np.array([compatibility(np.asarray(q), np.asarray(k)) for k in K], dtype=float)
    weights = weights / weights.sum()
    return weights @ np.asarray(V, dtype=float), weights


@misconception("kernel_smoother", "asks about all keys at once",
               hint="compatibility takes one key. How do you ask it about each of them?")
def smoother_at_once(q, K, V, compatibility):
    weights = np.asarray(compatibility(np.asarray(q), np.asarray(K)), dtype=float)
    weights = weights / weights.sum()
    return weights, weights @ np.asarray(V, dtype=float)


@misconception("kernel_smoother", "adds a small number to the total",
               hint="Compatibilities may be tiny. What becomes of their ratios if your number is larger?")
def smoother_with_a_little_extra(q, K, V, compatibility):
    weights = np.array([compatibility(np.asarray(q), np.asarray(k)) for k in K], dtype=float)
    weights = weights / (weights.sum() + 1e-8)
    return weights, weights @ np.asarray(V, dtype=float)


@misconception("kernel_smoother", "measures how compatible keys and values are",
               hint="Who asks? The query must be one of the two that are compared.")
def smoother_of_keys_and_values(q, K, V, compatibility):
    weights = np.array([compatibility(np.asarray(k), np.asarray(v)) for k, v in zip(K, V)], dtype=float)
    weights = weights / weights.sum()
    return weights, weights @ np.asarray(V, dtype=float)


@misconception("kernel_smoother", "stores the weights among integers", hint=INTEGERS)
def smoother_into_integers(q, K, V, compatibility):
    raw = np.array([compatibility(np.asarray(q), np.asarray(k)) for k in K])
    weights = np.zeros_like(raw)
    weights[...] = raw / raw.sum()
    return weights, weights @ np.asarray(V, dtype=float)
