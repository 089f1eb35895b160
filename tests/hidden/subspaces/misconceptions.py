"""Wrong answers that students of this lesson give: each is known by a name and answered with a hint."""

import numpy as np

from autograder.grading.suite import essence, misconception
from solutions.subspaces import null_space

IN_PLACE = "Look at your arguments after the call. Which line writes into one instead of making a new array?"
INTEGERS = "If you are given integers, what kind of numbers can the array hold that you fill?"
RELATIVE = "Multiply W by a billion: the rounding errors grow with it. What should your threshold grow with?"
OTHER_SIDE = "On which side of W does your direction stand: v @ W, or W @ v? How many entries must v have?"
REPEATED = "Two equal columns read one direction, not two. Does your code count columns, or what they read?"
EXCHANGED = "Both parts are right. In which order does the docstring ask for them?"

# null_space


@essence("null_space")
def projection(N):
    """Every basis of the same directions has the same."""
    N = np.asarray(N, dtype=float)
    return N.shape, N @ N.T


@misconception("null_space", "looks on the wrong side of W", hint=OTHER_SIDE)
def null_space_of_the_other_side(W):
    W = np.asarray(W, dtype=float)
    _, s, Vt = np.linalg.svd(W)
    return Vt[np.count_nonzero(s > 1e-10 * s.max()):].T


@misconception("null_space", "takes rows where the directions stand in columns",
               hint="svd returns two matrices of directions: in one they are columns, in the other rows. "
                    "Multiply what you return by W.")
def null_space_from_the_rows_of_u(W):
    W = np.asarray(W, dtype=float)
    U, s, _ = np.linalg.svd(W)
    return U[np.count_nonzero(s > 1e-10 * s.max()):].T


@misconception("null_space", "takes columns of the transposed factor",
               hint="The last factor that svd returns is already transposed: do its directions lie along "
                    "its rows or its columns? Multiply what you return by W.")
def null_space_from_the_columns_of_vt(W):
    _, s, Vt = np.linalg.svd(np.asarray(W, dtype=float).T)
    return Vt[:, np.count_nonzero(s > 1e-10 * s.max()):]


@misconception("null_space", "uses one threshold for all maps", hint=RELATIVE)
def null_space_with_an_absolute_threshold(W):
    U, s, _ = np.linalg.svd(np.asarray(W, dtype=float))
    return U[:, np.count_nonzero(s > 1e-10):]


@misconception("null_space", "uses the library's default threshold",
               hint="From which size on does your code take a singular value for real, and from which one "
                    "does the docstring?")
def null_space_with_the_default_threshold(W):
    W = np.asarray(W, dtype=float)
    return np.linalg.svd(W)[0][:, np.linalg.matrix_rank(W):]


@misconception("null_space", "applies the threshold to the squares of the singular values",
               hint="The eigenvalues of W Wᵀ are squares: how small is the square of a value that is small "
                    "but real, and how well do computers tell it from zero?")
def null_space_by_eigenvalues(W):
    W = np.asarray(W, dtype=float)
    squares, directions = np.linalg.eigh(W @ W.T)
    return directions[:, squares <= 1e-10 * squares.max()]


@misconception("null_space", "takes a small singular value for zero",
               hint="A direction that is read weakly is read. How small must a singular value be, compared "
                    "with the largest?")
def null_space_of_the_weak(W):
    U, s, _ = np.linalg.svd(np.asarray(W, dtype=float))
    return U[:, np.count_nonzero(s > .1 * s.max()):]


@misconception("null_space", "assumes that every column reads something new", hint=REPEATED)
def null_space_of_full_rank(W):
    W = np.asarray(W, dtype=float)
    return np.linalg.svd(W)[0][:, W.shape[1]:]


@misconception("null_space", "returns directions that are not of length one",
               hint="Your columns are ignored, as they should be. How long are they?")
def null_space_stretched(W):
    U, s, _ = np.linalg.svd(np.asarray(W, dtype=float))
    return 2 * U[:, np.count_nonzero(s > 1e-10 * s.max()):]


@misconception("null_space", "returns directions that are not perpendicular to each other",
               hint="Your columns are ignored, as they should be. What are their dot products with each "
                    "other?")
def null_space_slanted(W):
    U, s, _ = np.linalg.svd(np.asarray(W, dtype=float))
    N = U[:, np.count_nonzero(s > 1e-10 * s.max()):].copy()
    for j in range(1, N.shape[1]):
        N[:, j] = (N[:, j] + N[:, 0]) / np.sqrt(2)
    return N


@misconception("null_space", "drops the last coordinates",
               hint="What a map ignores is a direction, rarely a coordinate. Multiply what you return by "
                    "the map of the page.")
def null_space_of_last_coordinates(W):
    d, d_k = np.shape(W)
    return np.eye(d)[:, d_k:]


@misconception("null_space", "asks for too few directions (the short form of svd)",
               hint="A tall W has fewer singular values than rows. Where are the directions that belong to "
                    "none of them? Look at the shapes that svd returns.")
def null_space_of_the_short_form(W):
    U, s, _ = np.linalg.svd(np.asarray(W, dtype=float), full_matrices=False)
    return U[:, s <= 1e-10 * s.max()]


@misconception("null_space", "returns what is read instead of what is ignored",
               hint="Multiply your columns by W: do you get zeros?")
def null_space_read(W):
    U, s, _ = np.linalg.svd(np.asarray(W, dtype=float))
    return U[:, :np.count_nonzero(s > 1e-10 * s.max())]


@misconception("null_space", "returns the directions as rows",
               hint="The directions are right. Does the docstring want them as rows or as columns?")
def null_space_in_rows(W):
    U, s, _ = np.linalg.svd(np.asarray(W, dtype=float))
    return U[:, np.count_nonzero(s > 1e-10 * s.max()):].T


@misconception("null_space", "returns a single direction",
               hint="How many independent directions are ignored if seven coordinates are mapped to three?")
def null_space_of_one_direction(W):
    return np.linalg.svd(np.asarray(W, dtype=float))[0][:, -1:]


@misconception("null_space", "returns the projection instead of a basis",
               hint="Your matrix takes a row to its ignored part. Which perpendicular columns span its "
                    "range?")
def null_space_as_a_projection(W):
    W = np.asarray(W, dtype=float)
    return np.eye(len(W)) - W @ np.linalg.pinv(W, rcond=1e-10)


@misconception("null_space", "takes a map of zeros for one that reads everything",
               hint="Compare zero with 1e-10 × the largest singular value, if that is zero, too: is it "
                    "below?")
def null_space_but_for_zeros(W):
    U, s, _ = np.linalg.svd(np.asarray(W, dtype=float))
    return U[:, np.count_nonzero(s >= 1e-10 * s.max()):]


@misconception("null_space", "loses the shape when nothing is ignored",
               hint="With no direction to return, how many rows should the result still have?")
def null_space_without_a_shape(W):
    U, s, _ = np.linalg.svd(np.asarray(W, dtype=float))
    return np.array([U[:, j] for j in range(np.count_nonzero(s > 1e-10 * s.max()), len(U))]).T


@misconception("null_space", "scales the map it was given", hint=IN_PLACE)
def null_space_in_place(W):
    W = np.asarray(W)
    W /= np.abs(W).max()
    U, s, _ = np.linalg.svd(W)
    return U[:, np.count_nonzero(s > 1e-10):]


# split_by_map


@misconception("split_by_map", "returns the parts in the wrong order", hint=EXCHANGED)
def split_exchanged(x, W):
    x, N = np.asarray(x, dtype=float), null_space(W)
    return x @ N @ N.T, x - x @ N @ N.T


@misconception("split_by_map", "projects with W Wᵀ as if its columns were orthonormal",
               hint="Columns of W may be long, short or slanted. What happens to your read part if W is "
                    "doubled?")
def split_by_columns_as_they_are(x, W):
    x, W = np.asarray(x, dtype=float), np.asarray(W, dtype=float)
    return x @ W @ W.T, x - x @ W @ W.T


@misconception("split_by_map", "needs independent columns (it inverts WᵀW)",
               hint="If two columns are equal, WᵀW has no inverse. What does the read part depend on then?")
def split_by_normal_equations(x, W):
    x, W = np.asarray(x, dtype=float), np.asarray(W, dtype=float)
    read = x @ W @ np.linalg.inv(W.T @ W) @ W.T
    return read, x - read


@misconception("split_by_map", "uses the library's default threshold",
               hint="From which size on does your code take a singular value for real, and from which one "
                    "does the docstring?")
def split_by_the_default_pseudoinverse(x, W):
    x, W = np.asarray(x, dtype=float), np.asarray(W, dtype=float)
    read = x @ W @ np.linalg.pinv(W)
    return read, x - read


@misconception("split_by_map", "uses one threshold for all maps", hint=RELATIVE)
def split_with_an_absolute_threshold(x, W):
    x = np.asarray(x, dtype=float)
    U, s, _ = np.linalg.svd(np.asarray(W, dtype=float))
    N = U[:, np.count_nonzero(s > 1e-10):]
    return x - x @ N @ N.T, x @ N @ N.T


@misconception("split_by_map", "assumes that every column reads something new", hint=REPEATED)
def split_of_full_rank(x, W):
    x, W = np.asarray(x, dtype=float), np.asarray(W, dtype=float)
    N = np.linalg.svd(W)[0][:, W.shape[1]:]
    return x - x @ N @ N.T, x @ N @ N.T


@misconception("split_by_map", "keeps the first coordinates and calls the last ones ignored",
               hint="What the map of the page ignores is a direction, not the third coordinate. Is the "
                    "query of your ignored part zero?")
def split_at_a_coordinate(x, W):
    x = np.asarray(x, dtype=float)
    kept = np.arange(x.shape[-1]) < np.shape(W)[1]
    return x * kept, x * ~kept


@misconception("split_by_map", "returns the query as the read part",
               hint="The read part is a part of x: how many entries must it have?")
def split_into_the_query(x, W):
    x, N = np.asarray(x, dtype=float), null_space(W)
    return x @ np.asarray(W, dtype=float), x @ N @ N.T


@misconception("split_by_map", "returns coordinates along the basis as the ignored part",
               hint="The dot products with the basis say how much of each direction there is. What is the "
                    "sum of these directions?")
def split_into_coordinates(x, W):
    x, N = np.asarray(x, dtype=float), null_space(W)
    return x - x @ N @ N.T, x @ N


@misconception("split_by_map", "splits columns instead of rows",
               hint="Each row of x is a word. On which side of a table of words does a projection stand?")
def split_columns(x, W):
    x, N = np.asarray(x, dtype=float), null_space(W)
    ignored = N @ (N.T @ x)
    return x - ignored, ignored


@misconception("split_by_map", "splits one row only",
               hint="What does your code do with a table of several rows?")
def split_of_the_first_row(x, W):
    x, N = np.atleast_2d(np.asarray(x, dtype=float))[0], null_space(W)
    ignored = N @ (N.T @ x)
    return x - ignored, ignored


@misconception("split_by_map", "turns a single row into a table",
               hint="For one row of shape (d,), what shape does the docstring want back?")
def split_always_a_table(x, W):
    x, N = np.atleast_2d(np.asarray(x, dtype=float)), null_space(W)
    return x - x @ N @ N.T, x @ N @ N.T


@misconception("split_by_map", "stores the parts among integers", hint=INTEGERS)
def split_into_integers(x, W):
    x, N = np.asarray(x), null_space(W)
    read, ignored = np.empty_like(x), np.empty_like(x)
    ignored[...] = x @ N @ N.T
    read[...] = x - x @ N @ N.T
    return read, ignored


@misconception("split_by_map", "changes the rows it was given", hint=IN_PLACE)
def split_in_place(x, W):
    x, N = np.asarray(x), null_space(W)
    ignored = x @ N @ N.T
    x -= ignored
    return x, ignored


# count_directions


@misconception("count_directions", "returns the numbers in the wrong order", hint=EXCHANGED)
def count_exchanged(W):
    N = null_space(W)
    return N.shape[1], N.shape[0] - N.shape[1]


@misconception("count_directions", "subtracts from the width of the query",
               hint="Directions are ignored in the space of the words: how many dimensions has that?")
def count_in_the_query_space(W):
    read = len(np.asarray(W)) - null_space(W).shape[1]
    return read, np.shape(W)[1] - read


@misconception("count_directions", "counts columns", hint=REPEATED)
def count_columns(W):
    d, d_k = np.shape(W)
    return d_k, d - d_k


@misconception("count_directions", "assumes the largest rank that the shape allows", hint=REPEATED)
def count_of_full_rank(W):
    d, d_k = np.shape(W)
    return min(d, d_k), d - min(d, d_k)


@misconception("count_directions", "uses one threshold for all maps", hint=RELATIVE)
def count_with_an_absolute_threshold(W):
    read = np.count_nonzero(np.linalg.svd(np.asarray(W, dtype=float), compute_uv=False) > 1e-10)
    return read, len(W) - read


@misconception("count_directions", "takes rounding errors for real singular values",
               hint="Print the singular values of a map with two equal columns. Is the last exactly zero?")
def count_nonzero_stretches(W):
    read = np.count_nonzero(np.linalg.svd(np.asarray(W, dtype=float), compute_uv=False))
    return read, len(W) - read


@misconception("count_directions", "uses the library's default threshold",
               hint="From which size on does your code take a singular value for real, and from which one "
                    "does the docstring?")
def count_with_the_default_threshold(W):
    read = int(np.linalg.matrix_rank(np.asarray(W, dtype=float)))
    return read, len(W) - read


@misconception("count_directions", "takes a small singular value for zero",
               hint="A direction that is read weakly is read. How small must a singular value be, compared "
                    "with the largest?")
def count_the_strong(W):
    s = np.linalg.svd(np.asarray(W, dtype=float), compute_uv=False)
    read = np.count_nonzero(s > .1 * s.max())
    return read, len(W) - read


@misconception("count_directions", "returns the rank alone",
               hint="The docstring asks for two numbers. What is the second one?")
def count_read_only(W):
    return len(W) - null_space(W).shape[1]


@misconception("count_directions", "eliminates in the map it was given", hint=IN_PLACE)
def count_by_elimination_in_place(W):
    W, read = np.asarray(W), 0
    smallest = 1e-10 * np.abs(W).max()
    for column in range(W.shape[1]):
        pivot = read + int(np.argmax(np.abs(W[read:, column])))
        if np.abs(W[pivot, column]) > smallest:
            W[[read, pivot]] = W[[pivot, read]]
            W[read + 1:] -= np.outer(W[read + 1:, column] / W[read, column], W[read])
            read += 1
        if read == len(W):
            break
    return read, len(W) - read


# unseen_change


@misconception("unseen_change", "does not bring the change to the size asked for",
               hint="A random mixture of directions has a random length. How long is your change?")
def change_of_random_length(x, W, size, rng):
    N = null_space(W)
    if N.shape[1] == 0:
        raise ValueError("nothing is ignored")
    return np.asarray(x, dtype=float) + size * N @ rng.standard_normal(N.shape[1])


@misconception("unseen_change", "ignores the size",
               hint="How far from x is your new row if the size is 40?")
def change_of_length_one(x, W, size, rng):
    N = null_space(W)
    if N.shape[1] == 0:
        raise ValueError("nothing is ignored")
    c = rng.standard_normal(N.shape[1])
    return np.asarray(x, dtype=float) + N @ c / np.linalg.norm(c)


@misconception("unseen_change", "takes the size for the squared distance",
               hint="How far from x is your new row if the size is 4? A distance is a root of a sum of "
                    "squares.")
def change_of_squared_size(x, W, size, rng):
    N = null_space(W)
    if N.shape[1] == 0:
        raise ValueError("nothing is ignored")
    c = rng.standard_normal(N.shape[1])
    return np.asarray(x, dtype=float) + np.sqrt(size) * N @ c / np.linalg.norm(c)


@misconception("unseen_change", "divides by the squared length",
               hint="What do you divide a vector by to bring it to length one? Try it with [3 4].")
def change_over_squared_length(x, W, size, rng):
    N = null_space(W)
    if N.shape[1] == 0:
        raise ValueError("nothing is ignored")
    c = rng.standard_normal(N.shape[1])
    return np.asarray(x, dtype=float) + size * N @ c / (c @ c)


@misconception("unseen_change", "moves every coefficient by the size",
               hint="With several ignored directions, each changed by the size: how far is that together?")
def change_of_every_coefficient(x, W, size, rng):
    N = null_space(W)
    if N.shape[1] == 0:
        raise ValueError("nothing is ignored")
    return np.asarray(x, dtype=float) + size * N @ rng.choice([-1.0, 1.0], N.shape[1])


@misconception("unseen_change", "returns the row unchanged",
               hint="The query is right, of course: nothing has moved. How far should the row go?")
def change_of_nothing(x, W, size, rng):
    if null_space(W).shape[1] == 0:
        raise ValueError("nothing is ignored")
    return np.array(x, dtype=float)


@misconception("unseen_change", "returns the change instead of the changed row",
               hint="How far is your result from x itself?")
def change_alone(x, W, size, rng):
    N = null_space(W)
    if N.shape[1] == 0:
        raise ValueError("nothing is ignored")
    c = rng.standard_normal(N.shape[1])
    return size * N @ c / np.linalg.norm(c)


@misconception("unseen_change", "adds noise in every direction",
               hint="The distance is right. Compute the query of the new row: has it stayed?")
def change_in_any_direction(x, W, size, rng):
    if null_space(W).shape[1] == 0:
        raise ValueError("nothing is ignored")
    noise = rng.standard_normal(len(x))
    return np.asarray(x, dtype=float) + size * noise / np.linalg.norm(noise)


@misconception("unseen_change", "measures the noise before it is projected",
               hint="Projecting makes a vector shorter. When do you bring it to its length?")
def change_measured_too_early(x, W, size, rng):
    N = null_space(W)
    if N.shape[1] == 0:
        raise ValueError("nothing is ignored")
    noise = rng.standard_normal(len(x))
    return np.asarray(x, dtype=float) + size * (noise / np.linalg.norm(noise)) @ N @ N.T


@misconception("unseen_change", "moves along what is read",
               hint="Compute the query of the new row: has it stayed?")
def change_along_what_is_read(x, W, size, rng):
    N = null_space(W)
    if N.shape[1] == 0:
        raise ValueError("nothing is ignored")
    noise = rng.standard_normal(len(x))
    seen = noise - noise @ N @ N.T
    return np.asarray(x, dtype=float) + size * seen / max(np.linalg.norm(seen), 1e-300)


@misconception("unseen_change", "changes the last coordinates",
               hint="What a map ignores is a direction, rarely a coordinate. Compute the query of the new "
                    "row.")
def change_of_last_coordinates(x, W, size, rng):
    d, d_k = np.shape(W)
    if d_k >= d:
        raise ValueError("nothing is ignored")
    noise = rng.standard_normal(d) * (np.arange(d) >= d_k)
    return np.asarray(x, dtype=float) + size * noise / np.linalg.norm(noise)


@misconception("unseen_change", "assumes that every column reads something new", hint=REPEATED)
def change_at_full_rank(x, W, size, rng):
    d, d_k = np.shape(W)
    if d_k >= d:
        raise ValueError("nothing is ignored")
    N = np.linalg.svd(np.asarray(W, dtype=float))[0][:, d_k:]
    c = rng.standard_normal(d - d_k)
    return np.asarray(x, dtype=float) + size * N @ c / np.linalg.norm(c)


@misconception("unseen_change", "returns the row where no change is possible",
               hint="If the map ignores nothing, no row can satisfy both demands. What does the docstring "
                    "say?")
def change_without_an_error(x, W, size, rng):
    N = null_space(W)
    if N.shape[1] == 0:
        return np.array(x, dtype=float)
    c = rng.standard_normal(N.shape[1])
    return np.asarray(x, dtype=float) + size * N @ c / np.linalg.norm(c)


@misconception("unseen_change", "always takes the first ignored direction",
               hint="Call it with two generators: does anything differ? Where does chance come in?")
def change_without_chance(x, W, size, rng):
    N = null_space(W)
    if N.shape[1] == 0:
        raise ValueError("nothing is ignored")
    return np.asarray(x, dtype=float) + size * N[:, 0]


@misconception("unseen_change", "picks one of the directions instead of mixing them",
               hint="With three ignored directions, how many different results can your code give?")
def change_along_one_of_them(x, W, size, rng):
    N = null_space(W)
    if N.shape[1] == 0:
        raise ValueError("nothing is ignored")
    return np.asarray(x, dtype=float) + size * N[:, rng.integers(N.shape[1])]


@misconception("unseen_change", "draws from a generator of its own",
               hint="Call it with two generators: does anything differ? Which one do you draw from?")
def change_from_an_own_generator(x, W, size, rng):
    N = null_space(W)
    if N.shape[1] == 0:
        raise ValueError("nothing is ignored")
    c = np.random.default_rng(0).standard_normal(N.shape[1])
    return np.asarray(x, dtype=float) + size * N @ c / np.linalg.norm(c)


@misconception("unseen_change", "changes the row it was given", hint=IN_PLACE)
def change_in_place(x, W, size, rng):
    N = null_space(W)
    if N.shape[1] == 0:
        raise ValueError("nothing is ignored")
    c = rng.standard_normal(N.shape[1])
    x = np.asarray(x)
    x += size * N @ c / np.linalg.norm(c)
    return x


# compatibility_form


@misconception("compatibility_form", "multiplies on the wrong side (WqᵀWk)",
               hint="M stands between two words of d coordinates. How many rows and columns has yours?")
def form_of_channels(Wq, Wk):
    return np.asarray(Wq, dtype=float).T @ np.asarray(Wk, dtype=float)


@misconception("compatibility_form", "puts the keys in front (Wk Wqᵀ)",
               hint="The reader's row stands on the left of M. Which map does it meet first?")
def form_transposed(Wq, Wk):
    return np.asarray(Wk, dtype=float) @ np.asarray(Wq, dtype=float).T


@misconception("compatibility_form", "divides by the root of the width",
               hint="The docstring asks for the score before which step?")
def form_scaled(Wq, Wk):
    Wq, Wk = np.asarray(Wq, dtype=float), np.asarray(Wk, dtype=float)
    return Wq @ Wk.T / np.sqrt(Wq.shape[1])


@misconception("compatibility_form", "makes M symmetric",
               hint="Need the score of i with j be that of j with i? Compare with the M on the page.")
def form_symmetrized(Wq, Wk):
    M = np.asarray(Wq, dtype=float) @ np.asarray(Wk, dtype=float).T
    return (M + M.T) / 2


@misconception("compatibility_form", "leaves the keys' map out",
               hint="Exchange Wk for another map: do your scores change?")
def form_of_queries_only(Wq, Wk):
    Wq = np.asarray(Wq, dtype=float)
    return Wq @ Wq.T


@misconception("compatibility_form", "multiplies entry by entry",
               hint="M joins every coordinate of the reader with every one of the source. How many pairs is "
                    "that?")
def form_entry_by_entry(Wq, Wk):
    return np.asarray(Wq, dtype=float) * np.asarray(Wk, dtype=float)


@misconception("compatibility_form", "forgets a transpose (Wq Wk)",
               hint="Write down the shapes of the two factors. When does the product exist, and what does "
                    "it say?")
def form_without_a_transpose(Wq, Wk):
    return np.asarray(Wq, dtype=float) @ np.asarray(Wk, dtype=float)


# refactor


@misconception("refactor", "uses R for both maps",
               hint="Multiply the new query map by the new key map, transposed. What has to cancel R?")
def refactor_by_r_twice(Wq, Wk, R):
    Wq, Wk, R = (np.asarray(matrix, dtype=float) for matrix in (Wq, Wk, R))
    return Wq @ R, Wk @ R


@misconception("refactor", "forgets to transpose the inverse",
               hint="Write down the product of the new maps: transposing a product of two matrices does "
                    "what to their order, and to each of them?")
def refactor_by_the_inverse(Wq, Wk, R):
    Wq, Wk, R = (np.asarray(matrix, dtype=float) for matrix in (Wq, Wk, R))
    return Wq @ R, Wk @ np.linalg.inv(R)


@misconception("refactor", "uses the transpose for the inverse",
               hint="Rᵀ undoes R only if R is a rotation. Is it one here?")
def refactor_as_for_rotations(Wq, Wk, R):
    Wq, Wk, R = (np.asarray(matrix, dtype=float) for matrix in (Wq, Wk, R))
    return Wq @ R, Wk @ R.T


@misconception("refactor", "leaves the key map as it was",
               hint="If only the queries change, so do the scores. What undoes R?")
def refactor_of_queries_only(Wq, Wk, R):
    return np.asarray(Wq, dtype=float) @ np.asarray(R, dtype=float), np.array(Wk, dtype=float)


@misconception("refactor", "returns the maps in the wrong order", hint=EXCHANGED)
def refactor_exchanged(Wq, Wk, R):
    Wq, Wk, R = (np.asarray(matrix, dtype=float) for matrix in (Wq, Wk, R))
    return Wk @ np.linalg.inv(R).T, Wq @ R


@misconception("refactor", "gives the inverse to the queries",
               hint="The scores agree. Which of the two maps does the docstring multiply by R itself?")
def refactor_the_other_way(Wq, Wk, R):
    Wq, Wk, R = (np.asarray(matrix, dtype=float) for matrix in (Wq, Wk, R))
    return Wq @ np.linalg.inv(R), Wk @ R.T


@misconception("refactor", "inverts R entry by entry",
               hint="Multiply R by your inverse: do you get ones on the diagonal and zeros elsewhere?")
def refactor_by_reciprocals(Wq, Wk, R):
    Wq, Wk, R = (np.asarray(matrix, dtype=float) for matrix in (Wq, Wk, R))
    return Wq @ R, Wk @ (1 / R).T


@misconception("refactor", "transposes R for the queries",
               hint="The docstring multiplies the query map by R as it is. Compare with the page.")
def refactor_by_the_transpose(Wq, Wk, R):
    Wq, Wk, R = (np.asarray(matrix, dtype=float) for matrix in (Wq, Wk, R))
    return Wq @ R.T, Wk @ np.linalg.inv(R)


@misconception("refactor", "changes nothing",
               hint="The scores agree. But other maps were asked for: where does R come in?")
def refactor_nothing(Wq, Wk, R):
    return np.array(Wq, dtype=float), np.array(Wk, dtype=float)


@misconception("refactor", "changes the maps it was given", hint=IN_PLACE)
def refactor_in_place(Wq, Wk, R):
    Wq, Wk, R = np.asarray(Wq), np.asarray(Wk), np.asarray(R)
    Wq @= R
    Wk @= np.linalg.inv(R).T
    return Wq, Wk


@misconception("refactor", "works in whole numbers", hint=INTEGERS)
def refactor_into_integers(Wq, Wk, R):
    Wq, Wk = np.array(Wq), np.array(Wk)
    Wq[...] = Wq @ np.asarray(R)
    Wk[...] = Wk @ np.linalg.inv(R).T
    return Wq, Wk


# dot_product_variance


@misconception("dot_product_variance", "divides by the width instead of its root",
               hint="Dividing numbers by a constant divides their variance by what? Yours is far below one.")
def variance_scaled_by_the_width(d_k, samples, rng):
    q, k = rng.standard_normal((2, samples, d_k))
    products = (q * k).sum(axis=1)
    return products.var(), (products / d_k).var()


@misconception("dot_product_variance", "divides the variance by the root",
               hint="It is the products that are divided by the root. What does that do to their variance?")
def variance_over_the_root(d_k, samples, rng):
    q, k = rng.standard_normal((2, samples, d_k))
    raw = (q * k).sum(axis=1).var()
    return raw, raw / np.sqrt(d_k)


@misconception("dot_product_variance", "measures the two variances on different samples",
               hint="How often do you draw? With two pairs only, compare your raw number with d_k × the "
                    "scaled.")
def variance_of_two_samples(d_k, samples, rng):
    q, k = rng.standard_normal((2, samples, d_k))
    raw = (q * k).sum(axis=1).var()
    q, k = rng.standard_normal((2, samples, d_k))
    return raw, ((q * k).sum(axis=1) / np.sqrt(d_k)).var()


@misconception("dot_product_variance", "returns standard deviations",
               hint="A standard deviation is the root of what is asked for.")
def deviation_in_place_of_variance(d_k, samples, rng):
    q, k = rng.standard_normal((2, samples, d_k))
    products = (q * k).sum(axis=1)
    return products.std(), (products / np.sqrt(d_k)).std()


@misconception("dot_product_variance", "does not scale",
               hint="Both your numbers grow with the width. What is the second one divided by?")
def variance_unscaled(d_k, samples, rng):
    q, k = rng.standard_normal((2, samples, d_k))
    raw = (q * k).sum(axis=1).var()
    return raw, raw


@misconception("dot_product_variance", "returns the numbers in the wrong order", hint=EXCHANGED)
def variance_exchanged(d_k, samples, rng):
    q, k = rng.standard_normal((2, samples, d_k))
    products = (q * k).sum(axis=1)
    return (products / np.sqrt(d_k)).var(), products.var()


@misconception("dot_product_variance", "does not add up the products of the entries",
               hint="A dot product is a sum: how many numbers do you have for each pair?")
def variance_of_entries(d_k, samples, rng):
    q, k = rng.standard_normal((2, samples, d_k))
    return (q * k).var(), (q * k / np.sqrt(d_k)).var()


@misconception("dot_product_variance", "draws entries between 0 and 1",
               hint="Which distribution do the entries have according to the docstring, and which mean?")
def variance_of_uniform_entries(d_k, samples, rng):
    q, k = rng.random((2, samples, d_k))
    products = (q * k).sum(axis=1)
    return products.var(), (products / np.sqrt(d_k)).var()


@misconception("dot_product_variance", "multiplies queries by themselves",
               hint="Are your q and k independent? Look at the mean of your products.")
def variance_of_squares(d_k, samples, rng):
    q = rng.standard_normal((samples, d_k))
    products = (q * q).sum(axis=1)
    return products.var(), (products / np.sqrt(d_k)).var()


@misconception("dot_product_variance", "uses one query for all keys",
               hint="Every pair has a query of its own. What does your raw number depend on, besides d_k?")
def variance_for_one_query(d_k, samples, rng):
    products = rng.standard_normal((samples, d_k)) @ rng.standard_normal(d_k)
    return products.var(), (products / np.sqrt(d_k)).var()


@misconception("dot_product_variance", "draws from a generator of its own",
               hint="Call it with two generators: does anything differ? Which one do you draw from?")
def variance_from_an_own_generator(d_k, samples, rng):
    q, k = np.random.default_rng(0).standard_normal((2, samples, d_k))
    products = (q * k).sum(axis=1)
    return products.var(), (products / np.sqrt(d_k)).var()


@misconception("dot_product_variance", "returns what theory says",
               hint="The task is to measure. Where do samples and rng come in?")
def variance_in_theory(d_k, samples, rng):
    return float(d_k), 1.0


@misconception("dot_product_variance", "ignores the number of samples",
               hint="How many pairs do you draw if three are asked for?")
def variance_of_a_fixed_number(d_k, samples, rng):
    q, k = rng.standard_normal((2, 10_000, d_k))
    products = (q * k).sum(axis=1)
    return products.var(), (products / np.sqrt(d_k)).var()


# coherence


@misconception("coherence", "compares each row with itself, too",
               hint="Yours is always 1. Which entries of the table of cosines compare a row with itself?")
def coherence_with_the_diagonal(F):
    F = np.asarray(F, dtype=float)
    F = F / np.linalg.norm(F, axis=1, keepdims=True)
    return np.abs(F @ F.T).max()


@misconception("coherence", "ignores overlaps of opposite directions",
               hint="A cosine of -.9 is as much of an overlap as one of .9.")
def coherence_with_signs(F):
    F = np.asarray(F, dtype=float)
    F = F / np.linalg.norm(F, axis=1, keepdims=True)
    return (F @ F.T - 2 * np.eye(len(F))).max()


@misconception("coherence", "does not normalize the rows",
               hint="Double a row: a cosine does not notice. Does your result?")
def coherence_of_products(F):
    F = np.asarray(F, dtype=float)
    products = np.abs(F @ F.T)
    np.fill_diagonal(products, 0)
    return products.max()


@misconception("coherence", "compares columns instead of rows",
               hint="One direction per row. How many directions does your table of cosines compare?")
def coherence_of_columns(F):
    F = np.asarray(F, dtype=float)
    F = F / np.linalg.norm(F, axis=0, keepdims=True)
    overlaps = np.abs(F.T @ F)
    np.fill_diagonal(overlaps, 0)
    return overlaps.max()


@misconception("coherence", "normalizes columns, and then compares rows",
               hint="After your division, how long is each row?")
def coherence_of_normalized_columns(F):
    F = np.asarray(F, dtype=float)
    F = F / np.linalg.norm(F, axis=0, keepdims=True)
    overlaps = np.abs(F @ F.T)
    np.fill_diagonal(overlaps, 0)
    return overlaps.max()


@misconception("coherence", "divides all rows by one length",
               hint="After your division, how long is each row?")
def coherence_over_one_length(F):
    F = np.asarray(F, dtype=float)
    F = F / np.linalg.norm(F)
    overlaps = np.abs(F @ F.T)
    np.fill_diagonal(overlaps, 0)
    return overlaps.max()


@misconception("coherence", "divides by squared lengths",
               hint="What do you divide a vector by to bring it to length one? Try it with [3 4].")
def coherence_over_squares(F):
    F = np.asarray(F, dtype=float)
    F = F / (F * F).sum(axis=1, keepdims=True)
    overlaps = np.abs(F @ F.T)
    np.fill_diagonal(overlaps, 0)
    return overlaps.max()


@misconception("coherence", "averages the overlaps",
               hint="The worst pair counts, not the usual one.")
def coherence_on_average(F):
    F = np.asarray(F, dtype=float)
    F = F / np.linalg.norm(F, axis=1, keepdims=True)
    overlaps = np.abs(F @ F.T)
    np.fill_diagonal(overlaps, 0)
    return overlaps.sum() / (len(F) * (len(F) - 1))


@misconception("coherence", "compares neighboring rows only",
               hint="How many pairs of different rows are there among four? Which of them do you compare?")
def coherence_of_neighbors(F):
    F = np.asarray(F, dtype=float)
    F = F / np.linalg.norm(F, axis=1, keepdims=True)
    return np.abs((F[1:] * F[:-1]).sum(axis=1)).max()


@misconception("coherence", "subtracts means first (a correlation)",
               hint="Two perpendicular rows have coherence 0. What does your function say of [1 0] and [0 "
                    "1]?")
def coherence_as_correlation(F):
    F = np.asarray(F, dtype=float)
    F = F - F.mean(axis=1, keepdims=True)
    with np.errstate(all="ignore"):
        F = F / np.linalg.norm(F, axis=1, keepdims=True)
    overlaps = np.abs(F @ F.T)
    np.fill_diagonal(overlaps, 0)
    return overlaps.max()


@misconception("coherence", "squares the cosines",
               hint="Two rows at 60 degrees have a cosine of .5. What does your function say?")
def coherence_squared(F):
    F = np.asarray(F, dtype=float)
    F = F / np.linalg.norm(F, axis=1, keepdims=True)
    overlaps = (F @ F.T) ** 2
    np.fill_diagonal(overlaps, 0)
    return overlaps.max()


@misconception("coherence", "throws away all equal rows",
               hint="Two equal rows are two rows. Which entries of the table compare a row with itself: "
                    "those on the diagonal, or all that are one?")
def coherence_below_one(F):
    F = np.asarray(F, dtype=float)
    F = F / np.linalg.norm(F, axis=1, keepdims=True)
    overlaps = np.abs(F @ F.T)
    return overlaps[overlaps < 1 - 1e-9].max(initial=0)


@misconception("coherence", "changes the rows it was given", hint=IN_PLACE)
def coherence_in_place(F):
    F = np.asarray(F)
    F /= np.linalg.norm(F, axis=1, keepdims=True)
    overlaps = np.abs(F @ F.T)
    np.fill_diagonal(overlaps, 0)
    return overlaps.max()
