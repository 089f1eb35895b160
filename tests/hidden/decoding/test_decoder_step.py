"""Hidden tests of `decoder_step`."""

import math

import numpy as np
import pytest

from autograder.grading.suite import inputs_untouched, same

pytestmark = pytest.mark.leans_on("read_source")


def shares(scores):
    return [1 / math.fsum(math.exp(min(other - score, 700)) for other in scores) for score in scores]


def reading(q, keys, values):
    """What one reader takes in, word by word."""
    weights = shares([math.fsum(a * b for a, b in zip(q, k)) / math.sqrt(len(q)) for k in keys])
    return np.array([math.fsum(w * v for w, v in zip(weights, column)) for column in zip(*values)])


def slow_step(prefix, memory, params):
    """Row by row; each row is given only the rows up to itself."""
    rows = [np.add(params["embed"][token], params["place"][i]) for i, token in enumerate(prefix)]
    for block in params["blocks"]:
        own = {part: [row @ np.asarray(block[f"self_{part}"], dtype=float) for row in rows] for part in "qkv"}
        read = [reading(q, own["k"][: i + 1], own["v"][: i + 1]) for i, q in enumerate(own["q"])]
        rows = [row + update for row, update in zip(rows, read)]
        if memory is not None:
            q, k, v = (np.asarray(block[f"cross_{part}"], dtype=float) for part in "qkv")
            source = np.asarray(memory, dtype=float)
            rows = [row + reading(row @ q, source @ k, source @ v) for row in rows]
    logits = rows[-1] @ np.asarray(params["out"], dtype=float)
    top = max(logits)
    return [logit - top - math.log(math.fsum(math.exp(other - top) for other in logits)) for logit in logits]


def some_block(rng, d, d_s, d_m=None, d_k=3):
    shapes = {"self_q": (d, d_s), "self_k": (d, d_s), "self_v": (d, d)}
    if d_m is not None:
        shapes |= {"cross_q": (d, d_k), "cross_k": (d_m, d_k), "cross_v": (d_m, d)}
    most = {"q": 1.5, "k": 1.5, "v": 1}
    return {name: rng.uniform(-1, 1, shape) * most[name[-1]] for name, shape in shapes.items()}


def some_model(rng, vocab, d, d_s, d_m=None, blocks=2, places=9):
    """Parameters of a decoder; without d_m it reads no source."""
    made = [some_block(rng, d, d_s, d_m) for _ in range(blocks)]
    tables = {"embed": (vocab, d), "place": (places, d), "out": (d, vocab)}
    return {**{name: rng.uniform(-1, 1, shape) for name, shape in tables.items()}, "blocks": made}


def some_source(rng, m, d_m):
    return rng.uniform(-1, 1, (m, d_m))


def distinct(rng, count, vocab):
    return rng.permutation(vocab)[:count].tolist()


def right(student, prefix, memory, params):
    same(student.decoder_step(prefix, memory, params), slow_step(prefix, memory, params))


@pytest.mark.gate
def test_order_of_likeliness(student, rng):
    """The likelier a token, the larger its number (one token is written, nothing is read)."""
    params, memory = some_model(rng, 5, 5, 3, 2, blocks=1), some_source(rng, 3, 2)
    params["blocks"][0]["self_v"][:] = params["blocks"][0]["cross_v"][:] = params["place"][:] = 0
    params["embed"], params["out"] = 4 * np.eye(5), rng.permuted([[.4, -.2, .1, -.3, .2]] * 5, axis=1)
    for token in (0, 3):
        expected = slow_step([token], memory, params)
        got = student.decoder_step([token], memory, params)
        same(got, expected, atol=1e6)
        same(np.argsort(np.asarray(got, dtype=float)), np.argsort(expected))


@pytest.mark.weight(3)
def test_with_a_source(student, rng):
    """Two blocks, a source: log-probabilities after prefixes of several lengths."""
    for vocab, d, d_s, d_m, m, t in ((7, 4, 3, 5, 5, 4), (5, 6, 2, 3, 3, 6), (6, 3, 5, 4, 7, 2)):
        params = some_model(rng, vocab, d, d_s, d_m)
        right(student, rng.integers(0, vocab, t).tolist(), some_source(rng, m, d_m), params)


@pytest.mark.weight(2)
def test_alone(student, rng):
    """Without a source, memory None: a decoder alone, whose blocks need no cross matrices."""
    for vocab, d, d_s, t in ((7, 4, 3, 5), (5, 6, 2, 7)):
        right(student, rng.integers(0, vocab, t).tolist(), None, some_model(rng, vocab, d, d_s))


def test_none_leaves_the_source_out(student, rng):
    """memory None leaves cross-attention out, even if its matrices are there."""
    right(student, distinct(rng, 3, 6), None, some_model(rng, 6, 4, 3, 5))


def test_one_block(student, rng):
    """A single block: one row after the other gets its two updates."""
    right(student, distinct(rng, 5, 6), some_source(rng, 4, 5), some_model(rng, 6, 4, 3, 5, blocks=1))


def test_three_blocks(student, rng):
    """Three blocks, each with matrices and widths of queries of its own."""
    params = some_model(rng, 6, 4, 3, 5, blocks=1)
    params["blocks"] += [some_block(rng, 4, 2, 5, 2), some_block(rng, 4, 6, 5, 5)]
    right(student, distinct(rng, 4, 6), some_source(rng, 3, 5), params)


def test_causal(student, rng):
    """With two blocks, an earlier row that read a later one would be noticed: it must not."""
    params = some_model(rng, 7, 4, 3)
    for block in params["blocks"]:
        block["self_v"] *= 2
    right(student, distinct(rng, 6, 7), None, params)


def test_place(student, rng):
    """The same tokens in another order give another result: each row has a place."""
    params, tokens = some_model(rng, 6, 4, 3, 5), distinct(rng, 4, 6)
    memory = some_source(rng, 3, 5)
    for prefix in (tokens, [*tokens[2::-1], tokens[3]]):
        right(student, prefix, memory, params)


def test_repeated_token(student, rng):
    """A token may be written several times; so may the one that a text starts with."""
    right(student, [2, 4, 4, 2, 2], some_source(rng, 3, 5), some_model(rng, 6, 4, 3, 5))


def test_single_token(student, rng):
    """One token written: it reads itself, and the source."""
    params = some_model(rng, 5, 4, 3, 6)
    for token in (0, 4):
        right(student, [token], some_source(rng, 3, 6), params)


def test_source_of_one_row(student, rng):
    """One vector for the whole source: every row gets the same context."""
    right(student, distinct(rng, 4, 6), some_source(rng, 1, 5), some_model(rng, 6, 4, 3, 5))


def test_large_logits(student, rng):
    """Logits near 1000 and -1000 give finite log-probabilities, below what a float holds as a probability."""
    params = some_model(rng, 5, 4, 3, blocks=1)
    params["out"] = params["out"] * 0
    params["embed"][1], params["place"][0], params["out"][0] = [4, 0, 0, 0], 0, [250, 249, -250, 0, 100]
    params["blocks"][0]["self_v"][:] = 0
    same(student.decoder_step([1], None, params), slow_step([1], None, params), atol=2e-3)


def test_total(student, rng):
    """The exponentials add up to one."""
    params, memory = some_model(rng, 8, 4, 3, 5), some_source(rng, 4, 5)
    prefix = distinct(rng, 3, 8)
    got = student.decoder_step(prefix, memory, params)
    same(got, slow_step(prefix, memory, params))
    same(np.exp(np.asarray(got, dtype=float)).sum(), 1.)


def test_kinds_of_numbers(student, rng):
    """Tokens in an array, matrices in lists, integers and 32-bit floats give the same result."""
    params, memory = some_model(rng, 6, 4, 3, 5), some_source(rng, 3, 5)
    prefix = np.array(distinct(rng, 3, 6))
    single = {name: params[name].astype(np.float32) for name in ("embed", "place", "out")}
    blocks = [{key: W.astype(np.float32) for key, W in block.items()} for block in params["blocks"]]
    got = student.decoder_step(prefix, memory.astype(np.float32), {**single, "blocks": blocks})
    same(got, slow_step(prefix, memory, params), atol=3e-5)
    whole = {name: rng.integers(-1, 2, params[name].shape).tolist() for name in ("embed", "place", "out")}
    block = {key: rng.integers(-1, 2, W.shape).tolist() for key, W in params["blocks"][0].items()}
    right(student, tuple(prefix.tolist()), rng.integers(-1, 2, (3, 5)).tolist(), {**whole, "blocks": [block]})


def test_inputs_are_left_as_they_were(student, rng):
    """The prefix, the source and all matrices are the same after the call."""
    params, memory = some_model(rng, 6, 4, 3, 5), some_source(rng, 3, 5)
    inputs_untouched(student.decoder_step, distinct(rng, 4, 6), memory, params)


def test_second_call(student, rng):
    """Another prefix, another source or other parameters give a result of their own."""
    one, other = some_model(rng, 6, 4, 3, 5), some_model(rng, 6, 4, 3, 5)
    source, another = some_source(rng, 3, 5), some_source(rng, 4, 5)
    prefix = distinct(rng, 3, 6)
    calls = (prefix, source, one), (prefix[:2], source, one), (prefix, another, one), (prefix, source, other)
    for call in calls:
        right(student, *call)
