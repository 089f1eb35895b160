"""Wrong answers that students of this lesson give: each is known by a name and answered with a hint.

`right=greedy` keeps hold of the right answer, where the mistake is to do something else with it.
"""

import numpy as np
from scipy.special import log_softmax, softmax

from autograder.grading.suite import misconception
from solutions.decoding import beam_search, decoder_step, greedy, longest_path, read_source

ROOT = "A score adds up one product for each coordinate of a query. The root of which number is taken?"
COUNT = "max_len counts the tokens that were taken. Was the start token taken, or given?"
LARGER = "Two tokens are equally likely. Which of them does the docstring prefer, and which does yours find?"
LOGS = "A product of probabilities becomes something else when logarithms are taken. What?"
IDENTITY = "`is` asks whether two names stand for one object. Are two equal numbers always one object?"
IN_PLACE = "Look at your arguments after the call. Which line writes into one instead of making a new array?"

# read_source


@misconception("read_source", "leaves out the division by the root of the width",
               hint="What happens to the scores between the products and softmax?")
def source_unscaled(state, memory, params, right=read_source):
    Wq = np.asarray(params["cross_q"], dtype=float)
    return right(state, memory, {**params, "cross_q": Wq * np.sqrt(Wq.shape[1])})


@misconception("read_source", "takes the root of the state's width instead of the query's", hint=ROOT)
def source_root_of_state(state, memory, params, right=read_source):
    Wq = np.asarray(params["cross_q"], dtype=float)
    return right(state, memory, {**params, "cross_q": Wq * np.sqrt(Wq.shape[1] / len(Wq))})


@misconception("read_source", "takes the root of the number of source words", hint=ROOT)
def source_root_of_words(state, memory, params, right=read_source):
    Wq = np.asarray(params["cross_q"], dtype=float)
    return right(state, memory, {**params, "cross_q": Wq * np.sqrt(Wq.shape[1] / len(memory))})


@misconception("read_source", "divides by the width instead of its root", hint=ROOT)
def source_without_root(state, memory, params, right=read_source):
    Wq = np.asarray(params["cross_q"], dtype=float)
    return right(state, memory, {**params, "cross_q": Wq / np.sqrt(Wq.shape[1])})


@misconception("read_source", "exchanges keys and values",
               hint="Keys are compared with the query, values are handed on. Which matrix makes which?")
def source_keys_for_values(state, memory, params):
    state, memory = np.asarray(state, dtype=float), np.asarray(memory, dtype=float)
    q = state @ np.asarray(params["cross_q"])
    weights = softmax(memory @ np.asarray(params["cross_v"]) @ q / np.sqrt(len(q)))
    return weights, weights @ (memory @ np.asarray(params["cross_k"]))


@misconception("read_source", "mixes the keys",
               hint="The weights are right. What is mixed with them: what is compared, or what is handed on?")
def source_of_keys(state, memory, params, right=read_source):
    return right(state, memory, {**params, "cross_v": params["cross_k"]})


@misconception("read_source", "mixes the rows of memory as they are",
               hint="The weights are right. What do they mix: the rows themselves, or what is made of them?")
def source_of_rows(state, memory, params, right=read_source):
    weights, _ = right(state, memory, params)
    return weights, weights @ np.asarray(memory, dtype=float)


@misconception("read_source", "gives every source word a share of its own instead of one total for all",
               hint="Which numbers have to add up to one? There is a single reader, with many sources.")
def source_wrong_axis(state, memory, params):
    state, memory = np.asarray([state], dtype=float), np.asarray(memory, dtype=float)
    Wq, Wk, Wv = (np.asarray(params[name], dtype=float) for name in ("cross_q", "cross_k", "cross_v"))
    weights = softmax((state @ Wq) @ (memory @ Wk).T / np.sqrt(Wq.shape[1]), axis=0)[0]
    return weights, weights @ (memory @ Wv)


@misconception("read_source", "returns the context first",
               hint="Both parts are right. In which order does the docstring ask for them?")
def source_exchanged(state, memory, params, right=read_source):
    return right(state, memory, params)[::-1]


@misconception("read_source", "returns scores in place of weights",
               hint="Do your weights add up to one? What turns scores into shares?")
def source_scores(state, memory, params):
    state, memory = np.asarray(state, dtype=float), np.asarray(memory, dtype=float)
    q = state @ np.asarray(params["cross_q"])
    scores = memory @ np.asarray(params["cross_k"]) @ q / np.sqrt(len(q))
    return scores, scores @ (memory @ np.asarray(params["cross_v"]))


@misconception("read_source", "takes exponentials of the scores as they are",
               hint="Try a score of 1000. Only differences of scores count: which number can you subtract?")
def source_unshifted(state, memory, params):
    state, memory = np.asarray(state, dtype=float), np.asarray(memory, dtype=float)
    q = state @ np.asarray(params["cross_q"])
    weights = np.exp(memory @ np.asarray(params["cross_k"]) @ q / np.sqrt(len(q)))
    weights = weights / weights.sum()
    return weights, weights @ (memory @ np.asarray(params["cross_v"]))


@misconception("read_source", "adds the state to the context",
               hint="The formula of the context: does the state occur in it?")
def source_with_residual(state, memory, params, right=read_source):
    weights, context = right(state, memory, params)
    return weights, context + np.resize(np.asarray(state, dtype=float), len(context))


@misconception("read_source", "takes only the word with the largest weight",
               hint="Does the context of the page, 6.79, stand anywhere in memory? It is a mixture.")
def source_hard(state, memory, params, right=read_source):
    weights, _ = right(state, memory, params)
    return weights, (np.asarray(memory, dtype=float) @ np.asarray(params["cross_v"]))[np.argmax(weights)]


# longest_path


@misconception("longest_path", "counts the words instead of the steps between them",
               hint="Two neighbors are one step apart. How many gaps are there between n words in a row?")
def path_of_words(kind, n, right=longest_path):
    return n if kind == "recurrent" else 1


@misconception("longest_path", "exchanges the two kinds",
               hint="Which of the two reads a word where it stands, and which passes it on by states?")
def path_exchanged(kind, n):
    return 1 if kind == "recurrent" else n - 1


@misconception("longest_path", "stops one step early",
               hint="Draw three words in a row. How many steps is it from the first to the last?")
def path_too_short(kind, n):
    return n - 2 if kind == "recurrent" else 1


@misconception("longest_path", "counts the steps to the first written word",
               hint="The docstring stays within one sequence. Where does your path end?")
def path_too_long(kind, n):
    return n + 1 if kind == "recurrent" else 1


@misconception("longest_path", "says that both take as long",
               hint="In attention, what does a word have to wait for before it can read the first one?")
def path_the_same(kind, n):
    return n - 1


@misconception("longest_path", "says that every word is one step away",
               hint="A recurrent state is computed from the one before. What does it know of the others?")
def path_always_one(kind, n):
    return 1


@misconception("longest_path", "counts the scores of attention instead of the steps",
               hint="Attention computes many scores. Do they have to wait for each other?")
def path_of_pairs(kind, n):
    return n - 1 if kind == "recurrent" else n * n


@misconception("longest_path", "says that attention takes no step",
               hint="Reading a word directly is a step of computation, too.")
def path_of_nothing(kind, n):
    return n - 1 if kind == "recurrent" else 0


# decoder_step


@misconception("decoder_step", "lets a row read the tokens after it",
               hint="The last row may read all. But from block two on it reads what others have read.")
def step_not_causal(prefix, memory, params):
    x = np.asarray(params["embed"], dtype=float)[np.asarray(prefix)]
    x = x + np.asarray(params["place"], dtype=float)[: len(prefix)]
    for block in params["blocks"]:
        Wq, Wk, Wv = (np.asarray(block[name], dtype=float) for name in ("self_q", "self_k", "self_v"))
        x = x + softmax((x @ Wq) @ (x @ Wk).T / np.sqrt(Wq.shape[1]), axis=1) @ (x @ Wv)
        if memory is not None:
            x = x + np.array([read_source(row, memory, block)[1] for row in x])
    return log_softmax(x[-1] @ np.asarray(params["out"], dtype=float))


@misconception("decoder_step", "does not let a row read itself",
               hint="j ≤ i: is i among them?")
def step_without_itself(prefix, memory, params):
    x = np.asarray(params["embed"], dtype=float)[np.asarray(prefix)]
    x = x + np.asarray(params["place"], dtype=float)[: len(prefix)]
    for block in params["blocks"]:
        Wq, Wk, Wv = (np.asarray(block[name], dtype=float) for name in ("self_q", "self_k", "self_v"))
        scores = (x @ Wq) @ (x @ Wk).T / np.sqrt(Wq.shape[1])
        scores = np.where(np.tri(len(x), k=-1, dtype=bool), scores, -1e9)
        x = x + softmax(scores, axis=1) @ (x @ Wv)
        if memory is not None:
            x = x + np.array([read_source(row, memory, block)[1] for row in x])
    return log_softmax(x[-1] @ np.asarray(params["out"], dtype=float))


@misconception("decoder_step", "replaces the rows by what they read, without residuals",
               hint="What of the token itself is left after self-attention? The formula says x_i plus it.")
def step_without_residuals(prefix, memory, params):
    x = np.asarray(params["embed"], dtype=float)[np.asarray(prefix)]
    x = x + np.asarray(params["place"], dtype=float)[: len(prefix)]
    for block in params["blocks"]:
        Wq, Wk, Wv = (np.asarray(block[name], dtype=float) for name in ("self_q", "self_k", "self_v"))
        scores = np.where(np.tri(len(x), dtype=bool), (x @ Wq) @ (x @ Wk).T / np.sqrt(Wq.shape[1]), -np.inf)
        x = softmax(scores, axis=1) @ (x @ Wv)
        if memory is not None:
            x = np.array([read_source(row, memory, block)[1] for row in x])
    return log_softmax(x[-1] @ np.asarray(params["out"], dtype=float))


@misconception("decoder_step", "adds only the context of the source to the rows",
               hint="There are two updates in a block. Is the row itself kept in both?")
def step_without_self_residual(prefix, memory, params):
    x = np.asarray(params["embed"], dtype=float)[np.asarray(prefix)]
    x = x + np.asarray(params["place"], dtype=float)[: len(prefix)]
    for block in params["blocks"]:
        Wq, Wk, Wv = (np.asarray(block[name], dtype=float) for name in ("self_q", "self_k", "self_v"))
        scores = np.where(np.tri(len(x), dtype=bool), (x @ Wq) @ (x @ Wk).T / np.sqrt(Wq.shape[1]), -np.inf)
        x = softmax(scores, axis=1) @ (x @ Wv)
        if memory is not None:
            x = x + np.array([read_source(row, memory, block)[1] for row in x])
    return log_softmax(x[-1] @ np.asarray(params["out"], dtype=float))


@misconception("decoder_step", "lets both attentions read the rows as they entered the block",
               hint="The two updates come one after the other. Which rows does the second one start from?")
def step_side_by_side(prefix, memory, params):
    x = np.asarray(params["embed"], dtype=float)[np.asarray(prefix)]
    x = x + np.asarray(params["place"], dtype=float)[: len(prefix)]
    for block in params["blocks"]:
        Wq, Wk, Wv = (np.asarray(block[name], dtype=float) for name in ("self_q", "self_k", "self_v"))
        scores = np.where(np.tri(len(x), dtype=bool), (x @ Wq) @ (x @ Wk).T / np.sqrt(Wq.shape[1]), -np.inf)
        own = softmax(scores, axis=1) @ (x @ Wv)
        other = 0 if memory is None else np.array([read_source(row, memory, block)[1] for row in x])
        x = x + own + other
    return log_softmax(x[-1] @ np.asarray(params["out"], dtype=float))


@misconception("decoder_step", "lets only the last row read the source",
               hint="In the second block, the last row reads the others again. What should they know?")
def step_last_row_reads(prefix, memory, params):
    x = np.asarray(params["embed"], dtype=float)[np.asarray(prefix)]
    x = x + np.asarray(params["place"], dtype=float)[: len(prefix)]
    for block in params["blocks"]:
        Wq, Wk, Wv = (np.asarray(block[name], dtype=float) for name in ("self_q", "self_k", "self_v"))
        scores = np.where(np.tri(len(x), dtype=bool), (x @ Wq) @ (x @ Wk).T / np.sqrt(Wq.shape[1]), -np.inf)
        x = x + softmax(scores, axis=1) @ (x @ Wv)
        if memory is not None:
            x[-1] = x[-1] + read_source(x[-1], memory, block)[1]
    return log_softmax(x[-1] @ np.asarray(params["out"], dtype=float))


@misconception("decoder_step", "returns probabilities instead of their logarithms",
               hint="Your numbers add up to one. What is asked for are their logarithms.")
def step_of_probabilities(prefix, memory, params, right=decoder_step):
    return np.exp(right(prefix, memory, params))


@misconception("decoder_step", "returns logits",
               hint="Take the exponential of your results and add up. What should the total be?")
def step_of_logits(prefix, memory, params):
    x = np.asarray(params["embed"], dtype=float)[np.asarray(prefix)]
    x = x + np.asarray(params["place"], dtype=float)[: len(prefix)]
    for block in params["blocks"]:
        Wq, Wk, Wv = (np.asarray(block[name], dtype=float) for name in ("self_q", "self_k", "self_v"))
        scores = np.where(np.tri(len(x), dtype=bool), (x @ Wq) @ (x @ Wk).T / np.sqrt(Wq.shape[1]), -np.inf)
        x = x + softmax(scores, axis=1) @ (x @ Wv)
        if memory is not None:
            x = x + np.array([read_source(row, memory, block)[1] for row in x])
    return x[-1] @ np.asarray(params["out"], dtype=float)


@misconception("decoder_step", "takes the logarithm of probabilities that have become zero",
               hint="Try logits of 1000 and -1000. A probability may vanish; its logarithm is a number.")
def step_with_infinities(prefix, memory, params, right=decoder_step):
    return np.log(np.exp(right(prefix, memory, params)))


@misconception("decoder_step", "uses the logarithm to the base 2",
               hint="What is the exponential of your results? It should be a probability.")
def step_in_bits(prefix, memory, params, right=decoder_step):
    return right(prefix, memory, params) / np.log(2)


@misconception("decoder_step", "leaves out the source",
               hint="Change a row of memory: does your result change?")
def step_without_source(prefix, memory, params, right=decoder_step):
    return right(prefix, None, params)


@misconception("decoder_step", "cannot do without a source",
               hint="memory may be None: a decoder alone. Which line has nothing to do then?")
def step_with_a_source_only(prefix, memory, params, right=decoder_step):
    return right(prefix, np.asarray(memory, dtype=float) + 0, params)


@misconception("decoder_step", "goes on from the first row",
               hint="Which row knows everything that was written so far?")
def step_of_the_first_row(prefix, memory, params, right=decoder_step):
    return right(list(prefix)[:1], memory, params)


@misconception("decoder_step", "goes on from the mean of all rows",
               hint="Which row stands where the next token is to be predicted?")
def step_of_the_mean(prefix, memory, params):
    x = np.asarray(params["embed"], dtype=float)[np.asarray(prefix)]
    x = x + np.asarray(params["place"], dtype=float)[: len(prefix)]
    for block in params["blocks"]:
        Wq, Wk, Wv = (np.asarray(block[name], dtype=float) for name in ("self_q", "self_k", "self_v"))
        scores = np.where(np.tri(len(x), dtype=bool), (x @ Wq) @ (x @ Wk).T / np.sqrt(Wq.shape[1]), -np.inf)
        x = x + softmax(scores, axis=1) @ (x @ Wv)
        if memory is not None:
            x = x + np.array([read_source(row, memory, block)[1] for row in x])
    return log_softmax(x.mean(axis=0) @ np.asarray(params["out"], dtype=float))


@misconception("decoder_step", "leaves out the division in self-attention",
               hint="What happens to the scores between the products and softmax, in self-attention too?")
def step_unscaled(prefix, memory, params, right=decoder_step):
    blocks = [{**block, "self_q": np.asarray(block["self_q"]) * np.sqrt(np.shape(block["self_q"])[1])}
              for block in params["blocks"]]
    return right(prefix, memory, {**params, "blocks": blocks})


@misconception("decoder_step", "takes the root of the rows' width in self-attention", hint=ROOT)
def step_root_of_rows(prefix, memory, params, right=decoder_step):
    d, d_s = np.shape(params["blocks"][0]["self_q"])
    factor = np.sqrt(d_s / d)
    blocks = [{**block, "self_q": np.asarray(block["self_q"]) * factor} for block in params["blocks"]]
    return right(prefix, memory, {**params, "blocks": blocks})


@misconception("decoder_step", "leaves out the places",
               hint="Exchange two earlier tokens: the same token at another place is another row.")
def step_without_places(prefix, memory, params, right=decoder_step):
    return right(prefix, memory, {**params, "place": np.zeros(np.shape(params["place"]))})


@misconception("decoder_step", "counts the places from 1",
               hint="Tokens and places are counted from the same number. Which?")
def step_places_from_one(prefix, memory, params, right=decoder_step):
    return right(prefix, memory, {**params, "place": np.roll(params["place"], -1, axis=0)})


@misconception("decoder_step", "uses the first block only",
               hint="Add a second block to the parameters: does your result change?")
def step_of_one_block(prefix, memory, params, right=decoder_step):
    return right(prefix, memory, {**params, "blocks": params["blocks"][:1]})


@misconception("decoder_step", "uses the matrices of the first block in every block",
               hint="Each block has matrices of its own. Where does your loop use them?")
def step_of_shared_blocks(prefix, memory, params, right=decoder_step):
    return right(prefix, memory, {**params, "blocks": [params["blocks"][0]] * len(params["blocks"])})


@misconception("decoder_step", "reads the source before what it has written",
               hint="In which order do the two updates of a block come?")
def step_source_first(prefix, memory, params):
    x = np.asarray(params["embed"], dtype=float)[np.asarray(prefix)]
    x = x + np.asarray(params["place"], dtype=float)[: len(prefix)]
    for block in params["blocks"]:
        if memory is not None:
            x = x + np.array([read_source(row, memory, block)[1] for row in x])
        Wq, Wk, Wv = (np.asarray(block[name], dtype=float) for name in ("self_q", "self_k", "self_v"))
        scores = np.where(np.tri(len(x), dtype=bool), (x @ Wq) @ (x @ Wk).T / np.sqrt(Wq.shape[1]), -np.inf)
        x = x + softmax(scores, axis=1) @ (x @ Wv)
    return log_softmax(x[-1] @ np.asarray(params["out"], dtype=float))


@misconception("decoder_step", "changes the embeddings it was given", hint=IN_PLACE)
def step_in_place(prefix, memory, params, right=decoder_step):
    result = right(prefix, memory, params)
    if isinstance(params["embed"], np.ndarray) and params["embed"].dtype == float:
        params["embed"][prefix[0]] += np.asarray(params["place"])[0]
    return result


# greedy


@misconception("greedy", "leaves the start token out of what it returns",
               hint="Which token stands first in the list that the docstring asks for?")
def greedy_without_start(step, start, end, max_len, right=greedy):
    tokens, log_prob = right(step, start, end, max_len)
    return tokens[1:], log_prob


@misconception("greedy", "leaves the end token out of what it returns",
               hint="The end was taken like any other token: it is paid for. Is it listed, too?")
def greedy_without_end(step, start, end, max_len, right=greedy):
    tokens, log_prob = right(step, start, end, max_len)
    return tokens[:-1] if tokens[-1] == end else tokens, log_prob


@misconception("greedy", "does not pay for the end token",
               hint="To stop is a choice with a probability of its own. Is it in your sum?")
def greedy_free_end(step, start, end, max_len):
    tokens, log_prob = [start], 0.0
    for _ in range(max_len):
        scores = np.asarray(step(tokens))
        tokens.append(int(np.argmax(scores)))
        if tokens[-1] == end:
            break
        log_prob += float(scores[tokens[-1]])
    return tokens, log_prob


@misconception("greedy", "counts the start token in max_len", hint=COUNT)
def greedy_counts_start(step, start, end, max_len, right=greedy):
    return right(step, start, end, max_len - 1) if max_len > 1 else ([start], 0.0)


@misconception("greedy", "takes one token too many", hint=COUNT)
def greedy_one_too_many(step, start, end, max_len, right=greedy):
    return right(step, start, end, max_len + 1)


@misconception("greedy", "does not stop at the end token",
               hint="After the end there is nothing more to say. Does your loop notice that it was taken?")
def greedy_endless(step, start, end, max_len, right=greedy):
    return right(step, start, -1, max_len)


@misconception("greedy", "adds up probabilities", hint=LOGS)
def greedy_sums_probabilities(step, start, end, max_len):
    tokens, total = [start], 0.0
    for _ in range(max_len):
        scores = np.asarray(step(tokens))
        tokens.append(int(np.argmax(scores)))
        total += float(np.exp(scores[tokens[-1]]))
        if tokens[-1] == end:
            break
    return tokens, total


@misconception("greedy", "multiplies log-probabilities", hint=LOGS)
def greedy_multiplies(step, start, end, max_len):
    tokens, total = [start], 1.0
    for _ in range(max_len):
        scores = np.asarray(step(tokens))
        tokens.append(int(np.argmax(scores)))
        total *= float(scores[tokens[-1]])
        if tokens[-1] == end:
            break
    return tokens, total


@misconception("greedy", "returns the probability instead of its logarithm",
               hint="Your number is the exponential of what is asked for.")
def greedy_probability(step, start, end, max_len, right=greedy):
    tokens, log_prob = right(step, start, end, max_len)
    return tokens, float(np.exp(log_prob))


@misconception("greedy", "returns the log-probability of the last token only",
               hint="A text of several tokens: what do the earlier ones contribute?")
def greedy_last_only(step, start, end, max_len):
    tokens, log_prob = [start], 0.0
    for _ in range(max_len):
        scores = np.asarray(step(tokens))
        tokens.append(int(np.argmax(scores)))
        log_prob = float(scores[tokens[-1]])
        if tokens[-1] == end:
            break
    return tokens, log_prob


@misconception("greedy", "divides by the number of tokens",
               hint="The docstring asks for a sum. What is yours?")
def greedy_mean(step, start, end, max_len, right=greedy):
    tokens, log_prob = right(step, start, end, max_len)
    return tokens, log_prob / (len(tokens) - 1)


@misconception("greedy", "takes the unlikeliest token",
               hint="Log-probabilities are negative. Is the best the smallest, or the one closest to 0?")
def greedy_argmin(step, start, end, max_len, right=greedy):
    tokens, log_prob = right(lambda prefix: -np.asarray(step(prefix)), start, end, max_len)
    return tokens, -log_prob


@misconception("greedy", "draws tokens by chance",
               hint="Run it twice. Greedy search leaves nothing to chance.")
def greedy_samples(step, start, end, max_len):
    tokens, log_prob, rng = [start], 0.0, np.random.default_rng(7)
    for _ in range(max_len):
        scores = np.asarray(step(tokens))
        tokens.append(int(rng.choice(len(scores), p=softmax(scores))))
        log_prob += float(scores[tokens[-1]])
        if tokens[-1] == end:
            break
    return tokens, log_prob


@misconception("greedy", "tells step only the last token",
               hint="What does step need to know: the last token, or all that was written so far?")
def greedy_forgets(step, start, end, max_len, right=greedy):
    return right(lambda prefix: step(prefix[-1:]), start, end, max_len)


@misconception("greedy", "gives step the tokens without the start",
               hint="What stands first in the list that step expects?")
def greedy_step_without_start(step, start, end, max_len, right=greedy):
    return right(lambda prefix: step(prefix[1:]), start, end, max_len)


@misconception("greedy", "takes the larger of two equally likely tokens", hint=LARGER)
def greedy_larger(step, start, end, max_len):
    tokens, log_prob = [start], 0.0
    for _ in range(max_len):
        scores = np.asarray(step(tokens))
        tokens.append(int(np.argsort(scores, kind="stable")[-1]))
        log_prob += float(scores[tokens[-1]])
        if tokens[-1] == end:
            break
    return tokens, log_prob


@misconception("greedy", "takes 1 for the end token whatever end is",
               hint="end is an argument: on this page it is 1. And elsewhere?")
def greedy_end_is_one(step, start, end, max_len, right=greedy):
    return right(step, start, 1, max_len)


@misconception("greedy", "asks whether the last token is end with `is`", hint=IDENTITY)
def greedy_by_identity(step, start, end, max_len):
    tokens, log_prob = [start], 0.0
    while len(tokens) <= max_len and tokens[-1] is not end:
        scores = step(tokens)
        best = int(np.argmax(scores))
        tokens, log_prob = [*tokens, best], log_prob + float(scores[best])
    return tokens, log_prob


# beam_search


@misconception("beam_search", "drops finished hypotheses",
               hint="What becomes of a hypothesis after its end token? Does it compete in the next round?")
def beam_drops_finished(step, start, end, width, max_len):
    beam = [([start], 0.0)]
    for _ in range(max_len):
        pool = [([*tokens, i], total + float(more)) for tokens, total in beam
                if len(tokens) == 1 or tokens[-1] != end for i, more in enumerate(step(tokens))]
        beam = sorted(pool, key=lambda item: -item[1])[:width] or beam
    return beam


@misconception("beam_search", "lets finished hypotheses go on",
               hint="Look for an end token in the middle of your hypotheses. What may follow it?")
def beam_lets_them_grow(step, start, end, width, max_len, right=beam_search):
    return right(step, start, -1, width, max_len)


@misconception("beam_search", "returns only the best hypothesis",
               hint="How many hypotheses are in view after the last round, and how many do you return?")
def beam_only_the_best(step, start, end, width, max_len, right=beam_search):
    return right(step, start, end, width, max_len)[:1]


@misconception("beam_search", "keeps only the best of the finished hypotheses",
               hint="Several hypotheses may be finished. Which of them keep their slots?")
def beam_one_finished(step, start, end, width, max_len):
    beam = [([start], 0.0)]
    for _ in range(max_len):
        pool, finished = [], []
        for tokens, total in beam:
            if len(tokens) > 1 and tokens[-1] == end:
                finished.append((tokens, total))
            else:
                pool += [([*tokens, i], total + float(more)) for i, more in enumerate(step(tokens))]
        beam = sorted(finished[:1] + pool, key=lambda item: -item[1])[:width]
    return beam


@misconception("beam_search", "sets finished hypotheses aside and fills their slots anew",
               hint="A finished hypothesis keeps its slot. How many hypotheses are in view in each round?")
def beam_sets_aside(step, start, end, width, max_len):
    beam, finished = [([start], 0.0)], []
    for _ in range(max_len):
        pool = [([*tokens, i], total + float(more)) for tokens, total in beam
                for i, more in enumerate(step(tokens))]
        beam = sorted(pool, key=lambda item: -item[1])[:width]
        finished += [item for item in beam if item[0][-1] == end]
        beam = [item for item in beam if item[0][-1] != end]
    return sorted(finished + beam, key=lambda item: -item[1])[:width]


@misconception("beam_search", "divides by the length before it compares",
               hint="A hypothesis is worth the plain sum of its log-probabilities. What do you compare?")
def beam_normalizes(step, start, end, width, max_len):
    beam = [([start], 0.0)]
    for _ in range(max_len):
        pool = []
        for tokens, total in beam:
            if len(tokens) > 1 and tokens[-1] == end:
                pool.append((tokens, total))
            else:
                pool += [([*tokens, i], total + float(more)) for i, more in enumerate(step(tokens))]
        beam = sorted(pool, key=lambda item: -item[1] / (len(item[0]) - 1))[:width]
    return beam


@misconception("beam_search", "returns the mean of the log-probabilities",
               hint="The hypotheses are right. What is asked for as their log_prob: sum or mean?")
def beam_returns_means(step, start, end, width, max_len, right=beam_search):
    return [(tokens, total / (len(tokens) - 1)) for tokens, total in right(step, start, end, width, max_len)]


@misconception("beam_search", "returns the worst first",
               hint="Log-probabilities are negative. Does your first hypothesis have the largest?")
def beam_worst_first(step, start, end, width, max_len, right=beam_search):
    return right(step, start, end, width, max_len)[::-1]


@misconception("beam_search", "keeps the unlikeliest hypotheses",
               hint="Sorting puts the smallest first. Is the smallest log-probability the best?")
def beam_ascending(step, start, end, width, max_len):
    beam = [([start], 0.0)]
    for _ in range(max_len):
        pool = []
        for tokens, total in beam:
            if len(tokens) > 1 and tokens[-1] == end:
                pool.append((tokens, total))
            else:
                pool += [([*tokens, i], total + float(more)) for i, more in enumerate(step(tokens))]
        beam = sorted(pool, key=lambda item: item[1])[:width]
    return beam


@misconception("beam_search", "keeps the best extension of each hypothesis instead of the best of all",
               hint="Two extensions of one hypothesis may be better than all of another. Who competes?")
def beam_each_for_itself(step, start, end, width, max_len):
    beam = [([start], 0.0)]
    for k in range(max_len):
        pool = []
        for tokens, total in beam:
            if len(tokens) > 1 and tokens[-1] == end:
                pool.append((tokens, total))
            else:
                more = [([*tokens, i], total + float(extra)) for i, extra in enumerate(step(tokens))]
                pool += sorted(more, key=lambda item: -item[1])[: width if k == 0 else 1]
        beam = sorted(pool, key=lambda item: -item[1])[:width]
    return beam


@misconception("beam_search", "ends as soon as one hypothesis is finished",
               hint="One hypothesis is finished, the others are not. What are the remaining rounds for?")
def beam_ends_at_the_first(step, start, end, width, max_len):
    beam = [([start], 0.0)]
    for _ in range(max_len):
        pool = [([*tokens, i], total + float(more)) for tokens, total in beam
                for i, more in enumerate(step(tokens))]
        beam = sorted(pool, key=lambda item: -item[1])[:width]
        if any(tokens[-1] == end for tokens, _ in beam):
            break
    return beam


@misconception("beam_search", "keeps one hypothesis too many",
               hint="Count your hypotheses after a round. How many may there be?")
def beam_too_wide(step, start, end, width, max_len, right=beam_search):
    return right(step, start, end, width + 1, max_len)


@misconception("beam_search", "keeps one hypothesis too many and cuts at the end",
               hint="Each round keeps as many as width says, not only the last one.")
def beam_cut_late(step, start, end, width, max_len, right=beam_search):
    return right(step, start, end, width + 1, max_len)[:width]


@misconception("beam_search", "ignores the width: greedy search only",
               hint="How many beginnings does your search have in view after the first round?")
def beam_is_greedy(step, start, end, width, max_len):
    return [greedy(step, start, end, max_len)]


@misconception("beam_search", "pays for the end again in every round",
               hint="A finished hypothesis stays as it is. Does its log_prob change in later rounds?")
def beam_pays_again(step, start, end, width, max_len):
    beam = [([start], 0.0, 0.0)]
    for _ in range(max_len):
        pool = []
        for tokens, total, last in beam:
            if len(tokens) > 1 and tokens[-1] == end:
                pool.append((tokens, total + last, last))
            else:
                scores = [float(more) for more in step(tokens)]
                pool += [([*tokens, i], total + more, more) for i, more in enumerate(scores)]
        beam = sorted(pool, key=lambda item: -item[1])[:width]
    return [(tokens, total) for tokens, total, _ in beam]


@misconception("beam_search", "lets a finished hypothesis take two slots",
               hint="The same tokens stand in your list twice. Where did the second copy come from?")
def beam_counts_twice(step, start, end, width, max_len):
    beam, finished = [([start], 0.0)], []
    for _ in range(max_len):
        pool = list(finished)
        for tokens, total in beam:
            if len(tokens) > 1 and tokens[-1] == end:
                pool.append((tokens, total))
            else:
                pool += [([*tokens, i], total + float(more)) for i, more in enumerate(step(tokens))]
        beam = sorted(pool, key=lambda item: -item[1])[:width]
        finished = [item for item in beam if item[0][-1] == end]
    return beam


@misconception("beam_search", "lets the larger of two equally likely tokens go first", hint=LARGER)
def beam_larger(step, start, end, width, max_len):
    beam = [([start], 0.0)]
    for _ in range(max_len):
        pool = []
        for tokens, total in beam:
            if len(tokens) > 1 and tokens[-1] == end:
                pool.append((tokens, total))
            else:
                pool += [([*tokens, i], total + float(more)) for i, more in enumerate(step(tokens))]
        beam = sorted(pool, key=lambda item: item[1])[::-1][:width]
    return beam


@misconception("beam_search", "drops what is unfinished at max_len",
               hint="What is to become of a hypothesis that has no end token after the last round?")
def beam_finished_only(step, start, end, width, max_len, right=beam_search):
    return [item for item in right(step, start, end, width, max_len) if item[0][-1] == end]


@misconception("beam_search", "counts the start token in max_len", hint=COUNT)
def beam_counts_start(step, start, end, width, max_len, right=beam_search):
    return right(step, start, end, width, max_len - 1)


@misconception("beam_search", "goes one round too far", hint=COUNT)
def beam_round_too_far(step, start, end, width, max_len, right=beam_search):
    return right(step, start, end, width, max_len + 1)


@misconception("beam_search", "leaves the start token out of what it returns",
               hint="Which token stands first in every hypothesis that the docstring asks for?")
def beam_without_start(step, start, end, width, max_len, right=beam_search):
    return [(tokens[1:], total) for tokens, total in right(step, start, end, width, max_len)]


@misconception("beam_search", "leaves the end token out of what it returns",
               hint="Which token stands last in a finished hypothesis?")
def beam_without_end(step, start, end, width, max_len, right=beam_search):
    return [(tokens[:-1] if tokens[-1] == end else tokens, total)
            for tokens, total in right(step, start, end, width, max_len)]


@misconception("beam_search", "adds up probabilities", hint=LOGS)
def beam_sums_probabilities(step, start, end, width, max_len, right=beam_search):
    return right(lambda tokens: np.exp(step(tokens)), start, end, width, max_len)


@misconception("beam_search", "returns the log-probability first",
               hint="Both parts are right. In which order does the docstring ask for them?")
def beam_exchanged(step, start, end, width, max_len, right=beam_search):
    return [(total, tokens) for tokens, total in right(step, start, end, width, max_len)]


@misconception("beam_search", "asks whether the last token is end with `is`", hint=IDENTITY)
def beam_by_identity(step, start, end, width, max_len):
    beam = [([start], 0.0)]
    for _ in range(max_len):
        pool = []
        for tokens, total in beam:
            if tokens[-1] is end:
                pool.append((tokens, total))
            else:
                pool += [([*tokens, i], total + float(more)) for i, more in enumerate(step(tokens))]
        beam = sorted(pool, key=lambda item: -item[1])[:width]
    return beam
