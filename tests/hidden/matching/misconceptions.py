"""Wrong answers that students of this lesson give: each is known by a name and answered with a hint."""

import numpy as np
from scipy.special import softmax

from autograder.grading.suite import misconception
from solutions.matching import project

IN_PLACE = "Look at your arguments after the call. Which line writes into one instead of making a new array?"
INTEGERS = "If you are given integers, what kind of numbers can the array hold that you fill?"
MEMORY = "Call it twice with different arguments of one shape. What is kept between the calls?"
UNSCALED = "One step is missing before softmax. What keeps scores from growing with the width of a key?"
ROOT_OF_D = "By the time a query meets a key, how wide the words were does not count. Which width does?"
NO_ROOT = "The formula has a root over the width. Try queries of nine coordinates on paper."
LATE = "Do the weights of a reader still sum to one? The scores are to be scaled, not the weights."
PAGE_WIDTH = "On this page that width is always the same. What do you divide by where it is not?"
UNSHIFTED = "Try a score of 1000. The softmax that the lesson imports is safe there; is yours?"

# project


@misconception("project", "multiplies with the transposed matrices",
               hint="A word is a row here. Is an entry of the query made with a column of Wq, or with a row?")
def project_transposed(X, Wq, Wk, Wv):
    X, Wq, Wk, Wv = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv))
    return X @ Wq.T, X @ Wk.T, X @ Wv.T


@misconception("project", "puts the matrix to the left of the words",
               hint="Which two sizes meet in your product? Words are rows here: try three words of four.")
def project_from_the_left(X, Wq, Wk, Wv):
    X, Wq, Wk, Wv = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv))
    return Wq @ X, Wk @ X, Wv @ X


@misconception("project", "returns one column for each word",
               hint="The numbers are right. Does a word still have a row of its own?")
def project_into_columns(X, Wq, Wk, Wv):
    X, Wq, Wk, Wv = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv))
    return (X @ Wq).T, (X @ Wk).T, (X @ Wv).T


@misconception("project", "multiplies entry by entry",
               hint="What does * do between two arrays, and what do the formulas ask for?")
def project_entry_by_entry(X, Wq, Wk, Wv):
    X, Wq, Wk, Wv = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv))
    return X * Wq, X * Wk, X * Wv


@misconception("project", "makes keys with the query matrix",
               hint="Give it a Wk of zeros: every key must be zero then. Are yours?")
def project_with_one_matrix_for_both(X, Wq, Wk, Wv):
    X, Wq, Wv = (np.asarray(part, dtype=float) for part in (X, Wq, Wv))
    return X @ Wq, X @ Wq, X @ Wv


@misconception("project", "uses the words themselves as values",
               hint="Give it a Wv of zeros: every value must be zero then. Are yours?")
def project_without_values(X, Wq, Wk, Wv):
    X, Wq, Wk = (np.asarray(part, dtype=float) for part in (X, Wq, Wk))
    return X @ Wq, X @ Wk, X


@misconception("project", "makes values out of keys",
               hint="All three are made from the word itself. What have you multiplied with Wv?")
def project_values_from_keys(X, Wq, Wk, Wv):
    X, Wq, Wk, Wv = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv))
    return X @ Wq, X @ Wk, X @ Wk @ Wv


@misconception("project", "exchanges queries and keys",
               hint="All the products are right. In which order does the docstring ask for them?")
def project_exchanged(X, Wq, Wk, Wv):
    X, Wq, Wk, Wv = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv))
    return X @ Wk, X @ Wq, X @ Wv


@misconception("project", "divides by the root of the width already",
               hint="Scores are scaled when a query meets a key. Does a projection have to know of it?")
def project_scaled(X, Wq, Wk, Wv):
    X, Wq, Wk, Wv = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv))
    return X @ Wq / np.sqrt(Wq.shape[1]), X @ Wk, X @ Wv


@misconception("project", "puts all three into one array",
               hint="Values may be wider than keys: can one array hold both? What is asked for?")
def project_stacked(X, Wq, Wk, Wv):
    X = np.asarray(X, dtype=float)
    return np.stack([X @ np.asarray(W, dtype=float) for W in (Wq, Wk, Wv)])


@misconception("project", "returns queries and keys only",
               hint="How many results does the docstring name?")
def project_into_two(X, Wq, Wk, Wv):
    X = np.asarray(X, dtype=float)
    return X @ np.asarray(Wq, dtype=float), X @ np.asarray(Wk, dtype=float)


@misconception("project", "projects the last word only",
               hint="Every word is asked for a query, a key and a value. How many rows must Q have?")
def project_the_last(X, Wq, Wk, Wv):
    X, Wq, Wk, Wv = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv))
    return X[-1] @ Wq, X[-1] @ Wk, X[-1] @ Wv


@misconception("project", "stores the results among integers",
               hint=INTEGERS)
def project_into_integers(X, Wq, Wk, Wv):
    X, results = np.asarray(X), []
    for W in (Wq, Wk, Wv):
        results.append(np.zeros((len(X), len(W[0])), dtype=X.dtype))
        results[-1][...] = X @ np.asarray(W)
    return tuple(results)


@misconception("project", "writes the queries over the words",
               hint=IN_PLACE)
def project_in_place(X, Wq, Wk, Wv):
    X, Wq, Wk, Wv = (np.asarray(part) for part in (X, Wq, Wk, Wv))
    Q, K, V = X @ Wq, X @ Wk, X @ Wv
    if Q.shape == X.shape:
        X[...] = Q
        return X, K, V
    return Q, K, V


@misconception("project", "remembers an earlier call",
               hint=MEMORY)
def project_remembered(X, Wq, Wk, Wv, kept={}):
    sizes = np.shape(X), np.shape(Wq), np.shape(Wv)
    if sizes not in kept:
        kept[sizes] = tuple(np.asarray(X, dtype=float) @ np.asarray(W, dtype=float) for W in (Wq, Wk, Wv))
    return kept[sizes]


# attend_from


@misconception("attend_from", "leaves out the division by the root of the width",
               hint=UNSCALED)
def reading_unscaled(q, K, V):
    q, K, V = (np.asarray(part, dtype=float) for part in (q, K, V))
    weights = softmax(K @ q)
    return weights, weights @ V


@misconception("attend_from", "divides by the width instead of its root",
               hint=NO_ROOT)
def reading_over_width(q, K, V):
    q, K, V = (np.asarray(part, dtype=float) for part in (q, K, V))
    weights = softmax(K @ q / len(q))
    return weights, weights @ V


@misconception("attend_from", "divides by the root of the number of sources",
               hint="Which of the two sizes of K counts the terms of a dot product: its rows or its columns?")
def reading_over_root_of_sources(q, K, V):
    q, K, V = (np.asarray(part, dtype=float) for part in (q, K, V))
    weights = softmax(K @ q / np.sqrt(len(K)))
    return weights, weights @ V


@misconception("attend_from", "divides by the root of the values' width",
               hint="A score is made of a query and a key. Do the values have a part in it?")
def reading_over_root_of_values(q, K, V):
    q, K, V = (np.asarray(part, dtype=float) for part in (q, K, V))
    weights = softmax(K @ q / np.sqrt(V.shape[1]))
    return weights, weights @ V


@misconception("attend_from", "divides by the root of 2 whatever the width",
               hint=PAGE_WIDTH)
def reading_over_root_of_two(q, K, V):
    q, K, V = (np.asarray(part, dtype=float) for part in (q, K, V))
    weights = softmax(K @ q / np.sqrt(2))
    return weights, weights @ V


@misconception("attend_from", "scales after softmax instead of before",
               hint=LATE)
def reading_scaled_late(q, K, V):
    q, K, V = (np.asarray(part, dtype=float) for part in (q, K, V))
    weights = softmax(K @ q) / np.sqrt(len(q))
    return weights, weights @ V


@misconception("attend_from", "normalizes along an axis with one entry",
               hint="Your weights are all 1. Along which axis of your scores do the sources lie?")
def reading_along_the_wrong_axis(q, K, V):
    q, K, V = (np.asarray(part, dtype=float) for part in (q, K, V))
    weights = softmax(q[None, :] @ K.T / np.sqrt(len(q)), axis=0)[0]
    return weights, weights @ V


@misconception("attend_from", "uses keys as values",
               hint="The titles have done their work. What does the reader take home?")
def reading_the_keys(q, K, V):
    q, K = (np.asarray(part, dtype=float) for part in (q, K))
    weights = softmax(K @ q / np.sqrt(len(q)))
    return weights, weights @ K


@misconception("attend_from", "matches the query with the values",
               hint="Against what is the query held: against what stands on the spines, or against the text?")
def reading_by_values(q, K, V):
    q, V = (np.asarray(part, dtype=float) for part in (q, V))
    weights = softmax(V @ q / np.sqrt(len(q)))
    return weights, weights @ V


@misconception("attend_from", "mixes with the scores instead of the weights",
               hint="The weights are right. Was it the weights that you multiplied with V?")
def reading_by_scores(q, K, V):
    q, K, V = (np.asarray(part, dtype=float) for part in (q, K, V))
    scores = K @ q / np.sqrt(len(q))
    return softmax(scores), scores @ V


@misconception("attend_from", "returns the scores in place of the weights",
               hint="The mixture is right. Does the first part that you return sum to one?")
def reading_returning_scores(q, K, V):
    q, K, V = (np.asarray(part, dtype=float) for part in (q, K, V))
    scores = K @ q / np.sqrt(len(q))
    return scores, softmax(scores) @ V


@misconception("attend_from", "returns the mixture first",
               hint="Both parts are right. In which order does the docstring ask for them?")
def reading_exchanged(q, K, V):
    q, K, V = (np.asarray(part, dtype=float) for part in (q, K, V))
    weights = softmax(K @ q / np.sqrt(len(q)))
    return weights @ V, weights


@misconception("attend_from", "takes the best source only",
               hint="What becomes of the second best source? Each counts by its share.")
def reading_the_best(q, K, V):
    q, K, V = (np.asarray(part, dtype=float) for part in (q, K, V))
    weights = (np.arange(len(K)) == np.argmax(K @ q)).astype(float)
    return weights, weights @ V


@misconception("attend_from", "compares directions only (cosines)",
               hint="Asked four times as loudly, the memory of section 3 decides more firmly. Does yours?")
def reading_by_cosines(q, K, V):
    q, K, V = (np.asarray(part, dtype=float) for part in (q, K, V))
    lengths = np.linalg.norm(K, axis=1) * np.linalg.norm(q)
    weights = softmax(K @ q / np.where(lengths == 0, 1, lengths))
    return weights, weights @ V


@misconception("attend_from", "divides the mixture by the number of sources",
               hint="The weights sum to one already: is anything left to be averaged?")
def reading_averaged(q, K, V):
    q, K, V = (np.asarray(part, dtype=float) for part in (q, K, V))
    weights = softmax(K @ q / np.sqrt(len(q)))
    return weights, weights @ V / len(weights)


@misconception("attend_from", "returns tables of one row",
               hint="One query gives one weight for each source: how many axes has such a result?")
def reading_in_one_row(q, K, V):
    q, K, V = (np.asarray(part, dtype=float) for part in (q, K, V))
    weights = softmax(q[None, :] @ K.T / np.sqrt(len(q)), axis=1)
    return weights, weights @ V


@misconception("attend_from", "takes exponentials of the scores as they are",
               hint=UNSHIFTED)
def reading_unshifted(q, K, V):
    q, K, V = (np.asarray(part, dtype=float) for part in (q, K, V))
    exponentials = np.exp(K @ q / np.sqrt(len(q)))
    weights = exponentials / exponentials.sum()
    return weights, weights @ V


@misconception("attend_from", "scales the query it was given",
               hint=IN_PLACE)
def reading_in_place(q, K, V):
    q = np.asarray(q)
    q /= np.sqrt(len(q))
    weights = softmax(np.asarray(K) @ q)
    return weights, weights @ np.asarray(V)


@misconception("attend_from", "stores the mixture among integers",
               hint=INTEGERS)
def reading_into_integers(q, K, V):
    q, K, V = (np.asarray(part) for part in (q, K, V))
    weights, mixture = softmax(K @ q / np.sqrt(len(q))), np.zeros(V.shape[1], dtype=V.dtype)
    for weight, value in zip(weights, V):
        mixture += (weight * value).astype(V.dtype)
    return weights, mixture


# attention


@misconception("attention", "leaves out the division by the root of the width",
               hint=UNSCALED)
def attention_unscaled(X, Wq, Wk, Wv):
    Q, K, V = project(X, Wq, Wk, Wv)
    A = softmax(Q @ K.T, axis=1)
    return A, A @ V


@misconception("attention", "divides by the root of the words' width",
               hint=ROOT_OF_D)
def attention_over_root_of_d(X, Wq, Wk, Wv):
    Q, K, V = project(X, Wq, Wk, Wv)
    A = softmax(Q @ K.T / np.sqrt(np.shape(X)[1]), axis=1)
    return A, A @ V


@misconception("attention", "divides by the width instead of its root",
               hint=NO_ROOT)
def attention_over_width(X, Wq, Wk, Wv):
    Q, K, V = project(X, Wq, Wk, Wv)
    A = softmax(Q @ K.T / K.shape[1], axis=1)
    return A, A @ V


@misconception("attention", "divides by the root of the number of words",
               hint="Which of the two sizes of K counts the terms of a dot product: its rows or its columns?")
def attention_over_root_of_words(X, Wq, Wk, Wv):
    Q, K, V = project(X, Wq, Wk, Wv)
    A = softmax(Q @ K.T / np.sqrt(len(K)), axis=1)
    return A, A @ V


@misconception("attention", "divides by the root of the values' width",
               hint="A score is made of a query and a key. Do the values have a part in it?")
def attention_over_root_of_values(X, Wq, Wk, Wv):
    Q, K, V = project(X, Wq, Wk, Wv)
    A = softmax(Q @ K.T / np.sqrt(V.shape[1]), axis=1)
    return A, A @ V


@misconception("attention", "divides by the root of 2 whatever the width",
               hint=PAGE_WIDTH)
def attention_over_root_of_two(X, Wq, Wk, Wv):
    Q, K, V = project(X, Wq, Wk, Wv)
    A = softmax(Q @ K.T / np.sqrt(2), axis=1)
    return A, A @ V


@misconception("attention", "scales after softmax instead of before",
               hint=LATE)
def attention_scaled_late(X, Wq, Wk, Wv):
    Q, K, V = project(X, Wq, Wk, Wv)
    A = softmax(Q @ K.T, axis=1) / np.sqrt(K.shape[1])
    return A, A @ V


@misconception("attention", "normalizes down the columns",
               hint="Row i of A holds the shares of reader i. Which rows of yours sum to one?")
def attention_over_columns(X, Wq, Wk, Wv):
    Q, K, V = project(X, Wq, Wk, Wv)
    A = softmax(Q @ K.T / np.sqrt(K.shape[1]), axis=0)
    return A, A @ V


@misconception("attention", "normalizes over the whole table",
               hint="Add up a row of your A. What does softmax do if nobody tells it along which axis?")
def attention_over_everything(X, Wq, Wk, Wv):
    Q, K, V = project(X, Wq, Wk, Wv)
    A = softmax(Q @ K.T / np.sqrt(K.shape[1]))
    return A, A @ V


@misconception("attention", "reshapes the keys instead of transposing them",
               hint="Both give the right shape. Follow one key: do its numbers still stand in one column?")
def attention_reshaped(X, Wq, Wk, Wv):
    Q, K, V = project(X, Wq, Wk, Wv)
    A = softmax(Q @ K.reshape(K.shape[1], len(K)) / np.sqrt(K.shape[1]), axis=1)
    return A, A @ V


@misconception("attention", "exchanges queries and keys",
               hint="Row i belongs to the reader i. Whose query, and whose keys, stand behind its scores?")
def attention_exchanged_roles(X, Wq, Wk, Wv):
    Q, K, V = project(X, Wq, Wk, Wv)
    A = softmax(K @ Q.T / np.sqrt(K.shape[1]), axis=1)
    return A, A @ V


@misconception("attention", "uses keys as values",
               hint="The titles have done their work. What does a reader take home?")
def attention_to_keys(X, Wq, Wk, Wv):
    Q, K, _ = project(X, Wq, Wk, Wv)
    A = softmax(Q @ K.T / np.sqrt(K.shape[1]), axis=1)
    return A, A @ K


@misconception("attention", "mixes the words instead of their values",
               hint="A is right. Give it a Wv of zeros: every mixture must be zero then. Are yours?")
def attention_to_words(X, Wq, Wk, Wv):
    Q, K, _ = project(X, Wq, Wk, Wv)
    A = softmax(Q @ K.T / np.sqrt(K.shape[1]), axis=1)
    return A, A @ np.asarray(X, dtype=float)


@misconception("attention", "multiplies with the transposed matrices",
               hint="A word is a row here. Is an entry of the query made with a column of Wq, or with a row?")
def attention_transposed(X, Wq, Wk, Wv):
    X, Wq, Wk, Wv = (np.asarray(part, dtype=float) for part in (X, Wq, Wk, Wv))
    Q, K, V = X @ Wq.T, X @ Wk.T, X @ Wv.T
    A = softmax(Q @ K.T / np.sqrt(K.shape[1]), axis=1)
    return A, A @ V


@misconception("attention", "asks with keys: one matrix for both",
               hint="In your A, can the score of i for j differ from that of j for i? What is Wq for?")
def attention_with_one_matrix(X, Wq, Wk, Wv):
    _, K, V = project(X, Wq, Wk, Wv)
    A = softmax(K @ K.T / np.sqrt(K.shape[1]), axis=1)
    return A, A @ V


@misconception("attention", "compares the words themselves",
               hint="This is the head of lesson 1. Where do Wq and Wk come in?")
def attention_among_words(X, Wq, Wk, Wv):
    X, V = np.asarray(X, dtype=float), project(X, Wq, Wk, Wv)[2]
    A = softmax(X @ X.T / np.sqrt(X.shape[1]), axis=1)
    return A, A @ V


@misconception("attention", "returns H before A",
               hint="Both parts are right. In which order does the docstring ask for them?")
def attention_exchanged_results(X, Wq, Wk, Wv):
    Q, K, V = project(X, Wq, Wk, Wv)
    A = softmax(Q @ K.T / np.sqrt(K.shape[1]), axis=1)
    return A @ V, A


@misconception("attention", "mixes with the scores instead of the weights",
               hint="A is right. Was it A that you multiplied with V?")
def attention_by_scores(X, Wq, Wk, Wv):
    Q, K, V = project(X, Wq, Wk, Wv)
    S = Q @ K.T / np.sqrt(K.shape[1])
    return softmax(S, axis=1), S @ V


@misconception("attention", "returns the scores in place of the weights",
               hint="H is right. Do the rows of the first part that you return sum to one?")
def attention_returning_scores(X, Wq, Wk, Wv):
    Q, K, V = project(X, Wq, Wk, Wv)
    S = Q @ K.T / np.sqrt(K.shape[1])
    return S, softmax(S, axis=1) @ V


@misconception("attention", "mixes with the columns of A",
               hint="A is right. Whose shares go into the first row of your H: the first reader's?")
def attention_by_columns(X, Wq, Wk, Wv):
    Q, K, V = project(X, Wq, Wk, Wv)
    A = softmax(Q @ K.T / np.sqrt(K.shape[1]), axis=1)
    return A, A.T @ V


@misconception("attention", "adds the values to the mixtures",
               hint="A head proposes an update. Does this function have to add it to anything?")
def attention_with_residual(X, Wq, Wk, Wv):
    Q, K, V = project(X, Wq, Wk, Wv)
    A = softmax(Q @ K.T / np.sqrt(K.shape[1]), axis=1)
    return A, V + A @ V


@misconception("attention", "lets a word read only what stands before it",
               hint="Is there anything in the formula that knows where in the sentence a word stands?")
def attention_to_the_past(X, Wq, Wk, Wv):
    Q, K, V = project(X, Wq, Wk, Wv)
    S = np.where(np.tri(len(K), dtype=bool), Q @ K.T / np.sqrt(K.shape[1]), -np.inf)
    A = softmax(S, axis=1)
    return A, A @ V


@misconception("attention", "returns the last reader only",
               hint="Every word is a reader. How many rows must A and H have?")
def attention_of_the_last(X, Wq, Wk, Wv):
    Q, K, V = project(X, Wq, Wk, Wv)
    A = softmax(Q @ K.T / np.sqrt(K.shape[1]), axis=1)
    return A[-1], A[-1] @ V


@misconception("attention", "returns H alone",
               hint="The picture of the weights needs them too: what does the docstring ask you to return?")
def attention_without_weights(X, Wq, Wk, Wv):
    Q, K, V = project(X, Wq, Wk, Wv)
    return softmax(Q @ K.T / np.sqrt(K.shape[1]), axis=1) @ V


@misconception("attention", "takes exponentials of the scores as they are",
               hint=UNSHIFTED)
def attention_unshifted(X, Wq, Wk, Wv):
    Q, K, V = project(X, Wq, Wk, Wv)
    exponentials = np.exp(Q @ K.T / np.sqrt(K.shape[1]))
    A = exponentials / exponentials.sum(axis=1, keepdims=True)
    return A, A @ V


@misconception("attention", "scales the query matrix it was given",
               hint=IN_PLACE)
def attention_in_place(X, Wq, Wk, Wv):
    X, Wq, Wk, Wv = (np.asarray(part) for part in (X, Wq, Wk, Wv))
    Wq /= np.sqrt(Wq.shape[1])
    A = softmax((X @ Wq) @ (X @ Wk).T, axis=1)
    return A, A @ (X @ Wv)


@misconception("attention", "stores the mixtures among integers",
               hint=INTEGERS)
def attention_into_integers(X, Wq, Wk, Wv):
    X, Wq, Wk, Wv = (np.asarray(part) for part in (X, Wq, Wk, Wv))
    A = softmax((X @ Wq) @ (X @ Wk).T / np.sqrt(Wk.shape[1]), axis=1)
    H = np.zeros((len(X), Wv.shape[1]), dtype=X.dtype)
    H[...] = A @ (X @ Wv)
    return A, H


@misconception("attention", "remembers an earlier call",
               hint=MEMORY)
def attention_remembered(X, Wq, Wk, Wv, kept={}):
    sizes = np.shape(X), np.shape(Wq), np.shape(Wv)
    if sizes not in kept:
        Q, K, V = project(X, Wq, Wk, Wv)
        A = softmax(Q @ K.T / np.sqrt(K.shape[1]), axis=1)
        kept[sizes] = A, A @ V
    return kept[sizes]


# tower_query


@misconception("tower_query", "asks for what tower itself is",
               hint="With this matrix every word asks for its own kind. Whose key fits tower's query best?")
def tower_finds_itself():
    return np.eye(2)


@misconception("tower_query", "writes tower's question into Eiffel's row",
               hint="Multiply the row [1 0] with your matrix by hand: which of its rows comes out?")
def tower_without_question():
    return np.array([[0.0, 0.0], [1.0, 0.0]])


@misconception("tower_query", "asks for nothing",
               hint="What are the three scores of a query of zeros, and which of the weights is largest?")
def tower_asks_nothing():
    return np.zeros((2, 2))


@misconception("tower_query", "asks for Eiffel and tower alike",
               hint="Strictly larger is asked for. Which two words score the same with your query?")
def tower_asks_for_both():
    return np.ones((2, 2))


@misconception("tower_query", "avoids Eiffel",
               hint="What is the sign of tower's score for Eiffel, and what is the score of \"the\"?")
def tower_avoids_eiffel():
    return np.array([[0.0, -1.0], [-1.0, 0.0]])


@misconception("tower_query", "avoids itself and asks for nothing else",
               hint="Tower scores lower with itself now. Does Eiffel score higher than \"the\"?")
def tower_avoids_itself():
    return -np.eye(2)


@misconception("tower_query", "returns the query instead of the matrix",
               hint="This is what tower should ask. Which matrix makes it out of tower's row?")
def tower_as_a_query():
    return np.array([0.0, 1.0])


@misconception("tower_query", "returns queries of all words instead of the matrix",
               hint="One matrix serves all words. How many rows does it need if a word has two coordinates?")
def tower_as_queries():
    return np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


# direction_query


@misconception("direction_query", "writes the direction into the column of structure",
               hint="Multiply bank's row with your matrix by hand. Its structure, .8, meets which entries?")
def direction_in_a_column(direction, strength=3.75):
    Wq = np.zeros((4, 3))
    Wq[:3, 2] = strength * np.asarray(direction, dtype=float)
    return Wq


@misconception("direction_query", "returns the transposed matrix",
               hint="A row for each coordinate of a word, a column for each of a query: what shape is it?")
def direction_transposed(direction, strength=3.75):
    Wq = np.zeros((3, 4))
    Wq[:, 2] = strength * np.asarray(direction, dtype=float)
    return Wq


@misconception("direction_query", "writes the direction into the row of generic",
               hint="Rows are counted from 0. Which row is the third?")
def direction_in_the_last_row(direction, strength=3.75):
    Wq = np.zeros((4, 3))
    Wq[3] = strength * np.asarray(direction, dtype=float)
    return Wq


@misconception("direction_query", "writes the direction into the first row",
               hint="Who asks louder with your matrix: a word with much structure, or one with much finance?")
def direction_in_the_first_row(direction, strength=3.75):
    Wq = np.zeros((4, 3))
    Wq[0] = strength * np.asarray(direction, dtype=float)
    return Wq


@misconception("direction_query", "writes the direction into the row of water",
               hint="Who asks louder with your matrix: a word with much structure, or one with much water?")
def direction_in_the_second_row(direction, strength=3.75):
    Wq = np.zeros((4, 3))
    Wq[1] = strength * np.asarray(direction, dtype=float)
    return Wq


@misconception("direction_query", "lets every word ask",
               hint="Which query does the row [0 0 0 1] get from your matrix? It has no structure.")
def direction_in_every_row(direction, strength=3.75):
    return np.tile(strength * np.asarray(direction, dtype=float), (4, 1))


@misconception("direction_query", "puts the direction on the diagonal",
               hint="With your matrix, whoever has water asks for water. Who is supposed to ask?")
def direction_on_the_diagonal(direction, strength=3.75):
    Wq = np.zeros((4, 3))
    Wq[:3] = np.diag(strength * np.asarray(direction, dtype=float))
    return Wq


@misconception("direction_query", "leaves out the strength",
               hint="With the direction water and strength 3.75, bank asks [0 3 0]. What does yours ask?")
def direction_without_strength(direction, strength=3.75):
    Wq = np.zeros((4, 3))
    Wq[2] = np.asarray(direction, dtype=float)
    return Wq


@misconception("direction_query", "squares the strength",
               hint="Twice the strength, twice the query. How often does the strength come into yours?")
def direction_with_strength_squared(direction, strength=3.75):
    Wq = np.zeros((4, 3))
    Wq[2] = strength**2 * np.asarray(direction, dtype=float)
    return Wq


@misconception("direction_query", "uses 3.75 whatever the strength",
               hint="3.75 is what the strength is if nobody says otherwise. What if somebody does?")
def direction_with_one_strength(direction, strength=3.75):
    Wq = np.zeros((4, 3))
    Wq[2] = 3.75 * np.asarray(direction, dtype=float)
    return Wq


@misconception("direction_query", "divides by bank's structure",
               hint="The matrix does not know bank: when, and by what, does its .8 come in?")
def direction_for_bank_alone(direction, strength=3.75):
    Wq = np.zeros((4, 3))
    Wq[2] = strength * np.asarray(direction, dtype=float) / 0.8
    return Wq


@misconception("direction_query", "multiplies by bank's structure",
               hint="Bank's structure counts when its row meets the matrix. How often does it in yours?")
def direction_times_bank(direction, strength=3.75):
    Wq = np.zeros((4, 3))
    Wq[2] = 0.8 * strength * np.asarray(direction, dtype=float)
    return Wq


@misconception("direction_query", "normalizes the direction",
               hint="[0, 2, 0] asks twice as loudly as [0, 1, 0], says the docstring. Does yours?")
def direction_of_length_one(direction, strength=3.75):
    direction, Wq = np.asarray(direction, dtype=float), np.zeros((4, 3))
    Wq[2] = strength * direction / (np.linalg.norm(direction) or 1)
    return Wq


@misconception("direction_query", "makes the direction sum to one",
               hint="[0, 2, 0] asks twice as loudly as [0, 1, 0]. And what if the three sum to 0?")
def direction_as_shares(direction, strength=3.75):
    direction, Wq = np.asarray(direction, dtype=float), np.zeros((4, 3))
    Wq[2] = strength * direction / (direction.sum() or 1)
    return Wq


@misconception("direction_query", "drops what is negative",
               hint="A negative coefficient asks for the opposite. What becomes of it in your matrix?")
def direction_cut_at_zero(direction, strength=3.75):
    Wq = np.zeros((4, 3))
    Wq[2] = strength * np.maximum(direction, 0)
    return Wq


@misconception("direction_query", "ignores signs",
               hint="[0, -1, 0] asks for the opposite of [0, 1, 0]. Are your two matrices different?")
def direction_without_signs(direction, strength=3.75):
    Wq = np.zeros((4, 3))
    Wq[2] = strength * np.abs(direction)
    return Wq


@misconception("direction_query", "keeps the strongest of the three only",
               hint="A direction may mix criteria. What becomes of the second largest coefficient?")
def direction_of_one_criterion(direction, strength=3.75):
    direction, Wq = np.asarray(direction, dtype=float), np.zeros((4, 3))
    best = np.argmax(np.abs(direction))
    Wq[2, best] = strength * direction[best]
    return Wq


@misconception("direction_query", "returns the query instead of the matrix",
               hint="This is what a word of structure 1 asks. Which matrix makes it out of any word's row?")
def direction_as_a_query(direction, strength=3.75):
    return strength * np.asarray(direction, dtype=float)


@misconception("direction_query", "stores the row among integers",
               hint=INTEGERS)
def direction_into_integers(direction, strength=3.75):
    direction = np.asarray(direction)
    Wq = np.zeros((4, 3), dtype=direction.dtype)
    Wq[2] = strength * direction
    return Wq


@misconception("direction_query", "scales the direction it was given",
               hint=IN_PLACE)
def direction_in_place(direction, strength=3.75):
    direction, Wq = np.asarray(direction), np.zeros((4, 3))
    if direction.dtype.kind == "f":
        direction *= strength
    Wq[2] = direction if direction.dtype.kind == "f" else strength * direction
    return Wq


@misconception("direction_query", "adds to the matrix of earlier calls",
               hint=MEMORY)
def direction_added_up(direction, strength=3.75, Wq=np.zeros((4, 3))):
    Wq[2] += strength * np.asarray(direction, dtype=float)
    return Wq.copy()


# bank_match


@misconception("bank_match", "lets the first word ask",
               hint="Where in \"the river bank\" is bank, and where in a sentence of any length?")
def match_of_the_first(X, Wq, Wk):
    Q, K, _ = project(X, Wq, Wk, Wk)
    scores = K @ Q[0] / np.sqrt(K.shape[1])
    return Q[0], K, scores, softmax(scores)


@misconception("bank_match", "lets the third word ask, however many there are",
               hint="Bank is the third of three. Which word asks in a sentence of five?")
def match_of_the_third(X, Wq, Wk):
    Q, K, _ = project(X, Wq, Wk, Wk)
    scores = K @ Q[2] / np.sqrt(K.shape[1])
    return Q[2], K, scores, softmax(scores)


@misconception("bank_match", "lets all words ask",
               hint="One word asks here. How many axes has its query, and how many have its scores?")
def match_of_all(X, Wq, Wk):
    Q, K, _ = project(X, Wq, Wk, Wk)
    scores = Q @ K.T / np.sqrt(K.shape[1])
    return Q, K, scores, softmax(scores, axis=1)


@misconception("bank_match", "leaves out the division by the root of the width",
               hint=UNSCALED)
def match_unscaled(X, Wq, Wk):
    Q, K, _ = project(X, Wq, Wk, Wk)
    scores = K @ Q[-1]
    return Q[-1], K, scores, softmax(scores)


@misconception("bank_match", "returns the products before they are divided",
               hint="The weights are right. The scores that the page prints are those that softmax gets.")
def match_returning_products(X, Wq, Wk):
    Q, K, _ = project(X, Wq, Wk, Wk)
    products = K @ Q[-1]
    return Q[-1], K, products, softmax(products / np.sqrt(K.shape[1]))


@misconception("bank_match", "divides by the root of the words' width",
               hint=ROOT_OF_D)
def match_over_root_of_d(X, Wq, Wk):
    Q, K, _ = project(X, Wq, Wk, Wk)
    scores = K @ Q[-1] / np.sqrt(np.shape(X)[1])
    return Q[-1], K, scores, softmax(scores)


@misconception("bank_match", "divides by the width instead of its root",
               hint=NO_ROOT)
def match_over_width(X, Wq, Wk):
    Q, K, _ = project(X, Wq, Wk, Wk)
    scores = K @ Q[-1] / K.shape[1]
    return Q[-1], K, scores, softmax(scores)


@misconception("bank_match", "divides by the root of the number of words",
               hint="Here are as many words as a key has coordinates, by chance. Which of them count?")
def match_over_root_of_words(X, Wq, Wk):
    Q, K, _ = project(X, Wq, Wk, Wk)
    scores = K @ Q[-1] / np.sqrt(len(K))
    return Q[-1], K, scores, softmax(scores)


@misconception("bank_match", "divides by the root of 3 whatever the width",
               hint=PAGE_WIDTH)
def match_over_root_of_three(X, Wq, Wk):
    Q, K, _ = project(X, Wq, Wk, Wk)
    scores = K @ Q[-1] / np.sqrt(3)
    return Q[-1], K, scores, softmax(scores)


@misconception("bank_match", "scales after softmax instead of before",
               hint=LATE)
def match_scaled_late(X, Wq, Wk):
    Q, K, _ = project(X, Wq, Wk, Wk)
    scores = K @ Q[-1]
    return Q[-1], K, scores, softmax(scores) / np.sqrt(K.shape[1])


@misconception("bank_match", "exchanges queries and keys",
               hint="Bank asks with Wq and is found with Wk. Which have you used for which?")
def match_exchanged(X, Wq, Wk):
    K, Q, _ = project(X, Wq, Wk, Wk)
    scores = K @ Q[-1] / np.sqrt(K.shape[1])
    return Q[-1], K, scores, softmax(scores)


@misconception("bank_match", "scores what the others ask of the last word",
               hint="Who asks, and who is found? Here the last word's query meets everybody's keys.")
def match_the_other_way(X, Wq, Wk):
    Q, K, _ = project(X, Wq, Wk, Wk)
    scores = Q @ K[-1] / np.sqrt(K.shape[1])
    return Q[-1], K, scores, softmax(scores)


@misconception("bank_match", "multiplies with the transposed matrices",
               hint="A word is a row here. Is an entry of the query made with a column of Wq, or with a row?")
def match_transposed(X, Wq, Wk):
    X, Wq, Wk = (np.asarray(part, dtype=float) for part in (X, Wq, Wk))
    query, keys = Wq @ X[-1], X @ Wk.T
    scores = keys @ query / np.sqrt(len(query))
    return query, keys, scores, softmax(scores)


@misconception("bank_match", "leaves the last word out of the keys",
               hint="A word may find itself: bank has 26.3 % of its own attention in \"the river bank\".")
def match_of_the_others(X, Wq, Wk):
    Q, K, _ = project(X, Wq, Wk, Wk)
    scores = K[:-1] @ Q[-1] / np.sqrt(K.shape[1])
    return Q[-1], K[:-1], scores, softmax(scores)


@misconception("bank_match", "returns weights before scores",
               hint="All four are right. In which order does the docstring ask for them?")
def match_in_another_order(X, Wq, Wk):
    Q, K, _ = project(X, Wq, Wk, Wk)
    scores = K @ Q[-1] / np.sqrt(K.shape[1])
    return Q[-1], K, softmax(scores), scores


@misconception("bank_match", "returns scores and weights only",
               hint="The picture shows the query and the keys too: how many results does the docstring name?")
def match_of_two_parts(X, Wq, Wk):
    Q, K, _ = project(X, Wq, Wk, Wk)
    scores = K @ Q[-1] / np.sqrt(K.shape[1])
    return scores, softmax(scores)


@misconception("bank_match", "returns percentages",
               hint="The page prints percent for the reader. What do your weights sum to?")
def match_in_percent(X, Wq, Wk):
    Q, K, _ = project(X, Wq, Wk, Wk)
    scores = K @ Q[-1] / np.sqrt(K.shape[1])
    return Q[-1], K, scores, 100 * softmax(scores)


@misconception("bank_match", "keeps the query as a table of one row",
               hint="One word asks: its query has one axis, as long as the docstring says.")
def match_of_one_row(X, Wq, Wk):
    Q, K, _ = project(X, Wq, Wk, Wk)
    scores = Q[-1:] @ K.T / np.sqrt(K.shape[1])
    return Q[-1:], K, scores, softmax(scores, axis=1)


@misconception("bank_match", "takes exponentials of the scores as they are",
               hint=UNSHIFTED)
def match_unshifted(X, Wq, Wk):
    Q, K, _ = project(X, Wq, Wk, Wk)
    scores = K @ Q[-1] / np.sqrt(K.shape[1])
    return Q[-1], K, scores, np.exp(scores) / np.exp(scores).sum()


@misconception("bank_match", "scales the query matrix it was given",
               hint=IN_PLACE)
def match_in_place(X, Wq, Wk):
    X, Wq, Wk = (np.asarray(part) for part in (X, Wq, Wk))
    query, keys = X[-1] @ Wq, X @ Wk
    Wq /= np.sqrt(Wq.shape[1])
    scores = keys @ (X[-1] @ Wq)
    return query, keys, scores, softmax(scores)


@misconception("bank_match", "stores the scores among integers",
               hint=INTEGERS)
def match_into_integers(X, Wq, Wk):
    X, Wq, Wk = (np.asarray(part) for part in (X, Wq, Wk))
    query, keys = X[-1] @ Wq, X @ Wk
    scores = np.zeros(len(X), dtype=X.dtype)
    scores[...] = keys @ query / np.sqrt(len(query))
    return query, keys, scores, softmax(scores)
