"""Wrong answers that students of this lesson give: each is known by a name and answered with a hint."""

import numpy as np

from autograder.grading.suite import misconception
from solutions.mixing import match_scores, mix, softmax

IN_PLACE = "Look at your argument after the call. Which line writes into it instead of making a new array?"
INTEGERS = "If you are given integers, what kind of numbers can the array hold that you fill?"

# softmax


@misconception("softmax", "normalizes down the columns",
               hint="Which entries must share a total of one: those of a row, or those of a column?")
def softmax_over_columns(z):
    z = np.asarray(z, dtype=float)
    exponentials = np.exp(z - z.max(axis=0))
    return exponentials / exponentials.sum(axis=0)


@misconception("softmax", "normalizes along axis 1, which is not always the last",
               hint="A row has one axis, a stack of matrices three. How do you name the last one in each?")
def softmax_along_axis_one(z):
    z = np.asarray(z, dtype=float)
    exponentials = np.exp(z - z.max(axis=1, keepdims=True))
    return exponentials / exponentials.sum(axis=1, keepdims=True)


@misconception("softmax", "divides by the total of the whole array",
               hint="Add up each row of your result: every row must come to one, not all of them together.")
def softmax_over_everything(z):
    z = np.asarray(z, dtype=float)
    exponentials = np.exp(z - z.max())
    return exponentials / exponentials.sum()


@misconception("softmax", "divides a row by the totals of other rows",
               hint="What shape do the totals have, and which total meets which entry when you divide?")
def softmax_without_keeping_the_axis(z):
    z = np.asarray(z, dtype=float)
    exponentials = np.exp(z - z.max())
    return exponentials / exponentials.sum(axis=-1)


@misconception("softmax", "takes exponentials of the scores as they are",
               hint="Try a score of 1000. Adding a constant to a row changes no share: which one would help?")
def softmax_unshifted(z):
    exponentials = np.exp(np.asarray(z, dtype=float))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


@misconception("softmax", "looks for the largest score starting from 0",
               hint="What does your code take for the largest score of a row that holds only negative ones?")
def softmax_with_a_maximum_from_zero(z):
    z = np.asarray(z, dtype=float)
    exponentials = np.exp(z - z.max(axis=-1, keepdims=True, initial=0))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


@misconception("softmax", "subtracts the mean instead of the largest score",
               hint="After your shift, how large can the largest score of a row still be?")
def softmax_shifted_by_the_mean(z):
    z = np.asarray(z, dtype=float)
    exponentials = np.exp(z - z.mean(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


@misconception("softmax", "divides the scores themselves by their total",
               hint="Scores may be negative and may cancel. What makes every one of them positive first?")
def softmax_of_plain_scores(z):
    z = np.asarray(z, dtype=float)
    return z / z.sum(axis=-1, keepdims=True)


@misconception("softmax", "uses magnitudes in place of exponentials",
               hint="With your code, which of the scores -3 and 1 gets the larger share?")
def softmax_of_magnitudes(z):
    magnitudes = np.abs(np.asarray(z, dtype=float))
    return magnitudes / magnitudes.sum(axis=-1, keepdims=True)


@misconception("softmax", "does not divide by the total",
               hint="Your exponentials are in the right ratios. What has to happen for a row to sum to one?")
def softmax_unnormalized(z):
    z = np.asarray(z, dtype=float)
    return np.exp(z - z.max(axis=-1, keepdims=True))


@misconception("softmax", "returns the logarithms of the shares",
               hint="Can a share be negative? The last step of the formula is still to be done.")
def softmax_in_logarithms(z):
    z = np.asarray(z, dtype=float)
    z = z - z.max(axis=-1, keepdims=True)
    return z - np.log(np.exp(z).sum(axis=-1, keepdims=True))


@misconception("softmax", "squashes every score by itself (a sigmoid)",
               hint="A share depends on the competitors: where do the other scores of the row come in?")
def softmax_one_by_one(z):
    return 1 / (1 + np.exp(-np.asarray(z, dtype=float)))


@misconception("softmax", "rounds the shares",
               hint="The page rounds only for the reader. What becomes of the digits that are not printed?")
def softmax_rounded(z):
    z = np.asarray(z, dtype=float)
    exponentials = np.exp(z - z.max(axis=-1, keepdims=True))
    return np.round(exponentials / exponentials.sum(axis=-1, keepdims=True), 2)


@misconception("softmax", "takes a score of -inf for a score of 0",
               hint="A score of 0 still earns a share. Where does the exponential go as a score falls?")
def softmax_without_infinity(z):
    z = np.asarray(z, dtype=float)
    z = np.where(np.isinf(z), 0, z)
    exponentials = np.exp(z - z.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


@misconception("softmax", "changes the scores it was given",
               hint=IN_PLACE)
def softmax_in_place(z):
    z = np.asarray(z)
    z -= z.max(axis=-1, keepdims=True)
    exponentials = np.exp(z)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


@misconception("softmax", "stores the shares among integers",
               hint=INTEGERS)
def softmax_into_integers(z):
    z = np.asarray(z)
    shares = np.empty_like(z)
    exponentials = np.exp(z - z.max(axis=-1, keepdims=True))
    shares[...] = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return shares


@misconception("softmax", "remembers an earlier call",
               hint="Call it twice with different scores of one shape. What is kept between the calls?")
def softmax_remembered(z, kept={}):
    z = np.asarray(z, dtype=float)
    if z.shape not in kept:
        exponentials = np.exp(z - z.max(axis=-1, keepdims=True))
        kept[z.shape] = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return kept[z.shape]


# match_scores


@misconception("match_scores", "leaves out the division by the root of the width",
               hint="The products are there. What keeps them from growing when rows have more coordinates?")
def scores_unscaled(X):
    X = np.asarray(X, dtype=float)
    return X @ X.T


@misconception("match_scores", "divides by the width instead of its root",
               hint="The formula has a root over d, the number of columns. Try nine columns on paper.")
def scores_over_width(X):
    X = np.asarray(X, dtype=float)
    return X @ X.T / X.shape[1]


@misconception("match_scores", "divides by 2 whatever the width",
               hint="On this page rows have four coordinates. What do you divide by if they have nine?")
def scores_over_two(X):
    X = np.asarray(X, dtype=float)
    return X @ X.T / 2


@misconception("match_scores", "divides by half the width",
               hint="The root of 4 happens to be half of 4. Is the root of 9 half of 9?")
def scores_over_half_the_width(X):
    X = np.asarray(X, dtype=float)
    return X @ X.T / (X.shape[1] / 2)


@misconception("match_scores", "divides by the root of the number of words",
               hint="Which of the two sizes of X counts the terms of a dot product: rows or columns?")
def scores_over_root_of_words(X):
    X = np.asarray(X, dtype=float)
    return X @ X.T / np.sqrt(len(X))


@misconception("match_scores", "computes cosines",
               hint="Should a row twice as long score no higher? A dot product keeps the lengths.")
def scores_as_cosines(X):
    X = np.asarray(X, dtype=float)
    lengths = np.linalg.norm(X, axis=1)
    return X @ X.T / np.outer(lengths, lengths)


@misconception("match_scores", "compares columns instead of rows",
               hint="The table needs one row and one column for each word. What shape does yours have?")
def scores_of_columns(X):
    X = np.asarray(X, dtype=float)
    return X.T @ X / np.sqrt(X.shape[1])


@misconception("match_scores", "already applies softmax",
               hint="A score is not yet a share: may the rows of this table sum to one?")
def scores_as_shares(X):
    X = np.asarray(X, dtype=float)
    return softmax(X @ X.T / np.sqrt(X.shape[1]))


@misconception("match_scores", "stores the scores among integers",
               hint=INTEGERS)
def scores_into_integers(X):
    X = np.asarray(X)
    S = np.zeros((len(X), len(X)), dtype=X.dtype)
    S[...] = X @ X.T / np.sqrt(X.shape[1])
    return S


@misconception("match_scores", "scales the rows it was given",
               hint=IN_PLACE)
def scores_in_place(X):
    X = np.asarray(X)
    X /= X.shape[1] ** .25
    return X @ X.T


@misconception("match_scores", "does not accept lists",
               hint="A nested list has no shape and no product. What turns it into something that does?")
def scores_of_arrays_only(X):
    return X @ X.T / np.sqrt(X.shape[1])


# mix


@misconception("mix", "swaps readers and sources",
               hint="Row i of A belongs to reader i. Which entries of A go into reader i's mixture?")
def mix_of_columns(A, V):
    return np.asarray(A, dtype=float).T @ np.asarray(V, dtype=float)


@misconception("mix", "copies the row with the largest share",
               hint="What becomes of the second largest share? Every source counts by its share.")
def mix_of_the_largest(A, V):
    return np.asarray(V, dtype=float)[np.argmax(A, axis=1)]


@misconception("mix", "takes the plain mean of the rows",
               hint="Where do the shares come in? Two readers with different shares need different mixtures.")
def mix_of_equal_parts(A, V):
    return np.tile(np.mean(V, axis=0), (len(A), 1))


@misconception("mix", "divides the mixture by the number of sources",
               hint="The shares sum to one already: is anything left to be averaged?")
def mix_averaged(A, V):
    return np.asarray(A, dtype=float) @ np.asarray(V, dtype=float) / len(V)


@misconception("mix", "normalizes the shares again",
               hint="What does the docstring say about shares that do not sum to one, and what do you do?")
def mix_of_normalized_shares(A, V):
    A = np.asarray(A, dtype=float)
    return A / A.sum(axis=1, keepdims=True) @ np.asarray(V, dtype=float)


@misconception("mix", "applies softmax to the shares",
               hint="A holds shares, not scores: they have been through softmax before they get here.")
def mix_of_shares_as_scores(A, V):
    return softmax(A) @ np.asarray(V, dtype=float)


@misconception("mix", "stores the mixture among integers",
               hint=INTEGERS)
def mix_into_integers(A, V):
    A, V = np.asarray(A), np.asarray(V)
    H = np.zeros((len(A), V.shape[1]), dtype=V.dtype)
    H[...] = A @ V
    return H


@misconception("mix", "writes the mixtures over the sources",
               hint="Later readers still need the sources: where do you put the mixtures of earlier ones?")
def mix_into_the_sources(A, V):
    H = np.asarray(V)
    for reader, shares in enumerate(np.asarray(A)):
        H[reader] = shares @ H
    return H


# attend


@misconception("attend", "leaves out the division by the root of the width",
               hint="Compare your scores with section 3. What happened there between products and scores?")
def attend_unscaled(X):
    X = np.asarray(X, dtype=float)
    A = softmax(X @ X.T)
    return A, A @ X


@misconception("attend", "scales after softmax instead of before",
               hint="Do the rows of A still sum to one? The scores are to be scaled, not the shares.")
def attend_scaled_late(X):
    X = np.asarray(X, dtype=float)
    A = softmax(X @ X.T) / np.sqrt(X.shape[1])
    return A, A @ X


@misconception("attend", "divides by the root of the width twice",
               hint="Which of your functions has divided by the root already?")
def attend_scaled_twice(X):
    X = np.asarray(X, dtype=float)
    A = softmax(match_scores(X) / np.sqrt(X.shape[1]))
    return A, A @ X


@misconception("attend", "divides by the root of the number of words",
               hint="Which of the two sizes of X counts the terms of a dot product: rows or columns?")
def attend_over_root_of_words(X):
    X = np.asarray(X, dtype=float)
    A = softmax(X @ X.T / np.sqrt(len(X)))
    return A, A @ X


@misconception("attend", "returns H before A",
               hint="Both parts are right. In which order does the docstring ask for them?")
def attend_exchanged(X):
    X = np.asarray(X, dtype=float)
    A = softmax(match_scores(X))
    return A @ X, A


@misconception("attend", "normalizes down the columns",
               hint="Row i of A holds the shares of reader i. Which rows of yours sum to one?")
def attend_over_columns(X):
    X = np.asarray(X, dtype=float)
    A = softmax(match_scores(X).T).T
    return A, A @ X


@misconception("attend", "mixes with the scores instead of the weights",
               hint="A is right. Was it A that you multiplied with X?")
def attend_mixing_scores(X):
    S = match_scores(X)
    return softmax(S), S @ np.asarray(X, dtype=float)


@misconception("attend", "returns the scores in place of the weights",
               hint="H is right. Do the rows of the first part that you return sum to one?")
def attend_returning_scores(X):
    S = match_scores(X)
    return S, softmax(S) @ np.asarray(X, dtype=float)


@misconception("attend", "mixes with the columns of A",
               hint="A is right. Whose shares go into the first row of your H: the first reader's?")
def attend_mixing_columns(X):
    A = softmax(match_scores(X))
    return A, A.T @ np.asarray(X, dtype=float)


@misconception("attend", "adds the residual already",
               hint="A head proposes an update. Does this function have to add it to the word as well?")
def attend_with_residual(X):
    X = np.asarray(X, dtype=float)
    A = softmax(match_scores(X))
    return A, X + A @ X


@misconception("attend", "does not let a word read itself",
               hint="In the printed weights, which word does bank read most?")
def attend_to_others_only(X):
    X = np.asarray(X, dtype=float)
    S = match_scores(X)
    np.fill_diagonal(S, -np.inf)
    A = softmax(S)
    return A, A @ X


@misconception("attend", "lets a word read only what stands before it",
               hint="Is there anything in the formula that knows where in the sentence a word stands?")
def attend_to_the_past_only(X):
    X = np.asarray(X, dtype=float)
    S = np.where(np.tri(len(X), dtype=bool), match_scores(X), -np.inf)
    A = softmax(S)
    return A, A @ X


@misconception("attend", "returns the last reader only",
               hint="Every word is a reader. How many rows must A and H have?")
def attend_for_the_last(X):
    A = softmax(match_scores(X))
    return A[-1], (A @ np.asarray(X, dtype=float))[-1]


@misconception("attend", "returns H alone",
               hint="The picture of the weights needs them too: what does the docstring ask you to return?")
def attend_without_weights(X):
    return softmax(match_scores(X)) @ np.asarray(X, dtype=float)


@misconception("attend", "compares directions only (cosines)",
               hint="Make river's row twice as long: the weights on the page move. Do yours?")
def attend_by_cosines(X):
    X = np.asarray(X, dtype=float)
    lengths = np.linalg.norm(X, axis=1)
    A = softmax(X @ X.T / np.outer(lengths, lengths))
    return A, A @ X


@misconception("attend", "takes exponentials of the scores as they are",
               hint="Long rows have large scores. Which function of yours is safe with a score of 1000?")
def attend_unshifted(X):
    X = np.asarray(X, dtype=float)
    exponentials = np.exp(match_scores(X))
    A = exponentials / exponentials.sum(axis=1, keepdims=True)
    return A, A @ X


@misconception("attend", "scales the rows it was given, and then mixes them",
               hint="Only the scores are scaled. What has become of X by the time you mix it?")
def attend_in_place(X):
    X = np.asarray(X)
    X /= X.shape[1] ** .25
    A = softmax(X @ X.T)
    return A, A @ X


@misconception("attend", "stores the mixture among integers",
               hint=INTEGERS)
def attend_into_integers(X):
    X = np.asarray(X)
    A, H = softmax(match_scores(X)), np.zeros_like(X)
    H[...] = mix(A, X)
    return A, H


# add_residual


@misconception("add_residual", "forgets the word itself",
               hint="A residual connection keeps what was there. Where does X come in?")
def residual_without_the_word(X, H):
    return np.asarray(H, dtype=float)


@misconception("add_residual", "adds the word twice",
               hint="Put zeros in place of the mixture: the word must come out as it was.")
def residual_with_the_word_twice(X, H):
    return 2 * np.asarray(X, dtype=float) + np.asarray(H, dtype=float)


@misconception("add_residual", "averages instead of adding",
               hint="How much of bank's old row is left in your result: all of it, or half?")
def residual_averaged(X, H):
    return (np.asarray(X, dtype=float) + np.asarray(H, dtype=float)) / 2


@misconception("add_residual", "subtracts",
               hint="The update is added to the word. What becomes of bank's structure in your result?")
def residual_subtracted(X, H):
    return np.asarray(X, dtype=float) - np.asarray(H, dtype=float)


@misconception("add_residual", "puts the two side by side",
               hint="The result has as many coordinates as the word had. How many has yours?")
def residual_concatenated(X, H):
    return np.concatenate([np.asarray(X, dtype=float), np.asarray(H, dtype=float)], axis=1)


@misconception("add_residual", "joins lists end to end",
               hint="What does a plus sign do between two lists, and what between two arrays?")
def residual_of_lists(X, H):
    return X + H


@misconception("add_residual", "changes the words it was given",
               hint=IN_PLACE)
def residual_in_place(X, H):
    X = np.asarray(X)
    X += np.asarray(H)
    return X


@misconception("add_residual", "stores the sum among integers",
               hint=INTEGERS)
def residual_into_integers(X, H):
    Y = np.zeros_like(np.asarray(X))
    Y[...] = np.asarray(X) + np.asarray(H)
    return Y


# uniform_mixture


@misconception("uniform_mixture", "takes the mean along each row",
               hint="A mean over words keeps finance and water apart. What does yours throw together?")
def uniform_along_rows(X):
    X = np.asarray(X, dtype=float)
    return np.repeat(X.mean(axis=1, keepdims=True), X.shape[1], axis=1)


@misconception("uniform_mixture", "adds the rows up without dividing",
               hint="How large is each word's share if all are equal and sum to one?")
def uniform_sum(X):
    X = np.asarray(X, dtype=float)
    return np.tile(X.sum(axis=0), (len(X), 1))


@misconception("uniform_mixture", "divides by the number of coordinates",
               hint="Equal shares of how many: is it the words that are counted, or the coordinates?")
def uniform_over_width(X):
    X = np.asarray(X, dtype=float)
    return np.tile(X.sum(axis=0) / X.shape[1], (len(X), 1))


@misconception("uniform_mixture", "returns a single row",
               hint="Every reader gets a mixture, even if all are alike. How many rows does X have?")
def uniform_single_row(X):
    return np.asarray(X, dtype=float).mean(axis=0)


@misconception("uniform_mixture", "takes the mean of all numbers together",
               hint="May finance and water have different means? Which numbers does yours throw together?")
def uniform_over_everything(X):
    X = np.asarray(X, dtype=float)
    return np.full(X.shape, X.mean())


@misconception("uniform_mixture", "leaves a word out of its own mean",
               hint="All words have the same share in every mixture. Does that hold for the reader itself?")
def uniform_of_the_others(X):
    X = np.asarray(X, dtype=float)
    return (X.sum(axis=0) - X) / (len(X) - 1)


@misconception("uniform_mixture", "stores the mean among integers",
               hint=INTEGERS)
def uniform_into_integers(X):
    X = np.asarray(X)
    H = np.zeros_like(X)
    H[...] = X.mean(axis=0)
    return H


@misconception("uniform_mixture", "changes the rows it was given",
               hint=IN_PLACE)
def uniform_in_place(X):
    X = np.asarray(X)
    X[...] = X.mean(axis=0)
    return X


# sharpen


@misconception("sharpen", "multiplies the shares instead of the scores",
               hint="Do your shares still sum to one? Ask which comes first, the factor or softmax.")
def sharpen_late(scores, factor):
    return factor * softmax(scores)


@misconception("sharpen", "divides by the factor",
               hint="A large factor exaggerates differences. Do your shares drift apart or together?")
def sharpen_by_temperature(scores, factor):
    with np.errstate(all="ignore"):
        return softmax(np.divide(np.asarray(scores, dtype=float), factor))


@misconception("sharpen", "ignores the factor",
               hint="Do two different factors give different shares in your code?")
def sharpen_nothing(scores, factor):
    return softmax(scores)


@misconception("sharpen", "divides by a root once more",
               hint="The docstring takes the scores as they are given. Where have they been scaled before?")
def sharpen_scaled_again(scores, factor):
    scores = np.asarray(scores, dtype=float)
    return softmax(factor * scores / np.sqrt(scores.shape[-1]))


@misconception("sharpen", "raises the shares to a power and leaves it at that",
               hint="The ratios are right. Do the shares still sum to one?")
def sharpen_by_powers(scores, factor):
    return softmax(scores) ** factor


@misconception("sharpen", "normalizes down the columns",
               hint="Which entries must share a total of one: those of a row, or those of a column?")
def sharpen_columns(scores, factor):
    scores = np.asarray(scores, dtype=float)
    return np.moveaxis(softmax(np.moveaxis(factor * scores, 0, -1)), -1, 0)


@misconception("sharpen", "takes exponentials of the products as they are",
               hint="A factor makes large scores larger. Which function of yours is safe with them?")
def sharpen_unshifted(scores, factor):
    exponentials = np.exp(factor * np.asarray(scores, dtype=float))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


@misconception("sharpen", "changes the scores it was given",
               hint=IN_PLACE)
def sharpen_in_place(scores, factor):
    scores = np.asarray(scores)
    scores *= factor
    return softmax(scores)


@misconception("sharpen", "repeats a list instead of multiplying its entries",
               hint="What does a factor do to a list, and what to an array?")
def sharpen_of_lists(scores, factor):
    return softmax(factor * scores)


@misconception("sharpen", "stores the shares among integers",
               hint=INTEGERS)
def sharpen_into_integers(scores, factor):
    shares = np.zeros_like(np.asarray(scores))
    shares[...] = softmax(factor * np.asarray(scores))
    return shares
