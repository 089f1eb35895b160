import heapq
import math

import numpy as np


def shares(scores):
    top = max(scores)
    raw = [math.exp(score - top) for score in scores]
    return [each / sum(raw) for each in raw]


def times(row, W):
    return [sum(a * b for a, b in zip(row, column)) for column in zip(*W)]


def look(q, keys, values):
    weights = shares([sum(a * b for a, b in zip(q, k)) / math.sqrt(len(q)) for k in keys])
    return weights, [sum(w * v for w, v in zip(weights, column)) for column in zip(*values)]


def read_source(state, memory, params):
    keys = [times(row, params["cross_k"]) for row in memory]
    values = [times(row, params["cross_v"]) for row in memory]
    return look(times(state, params["cross_q"]), keys, values)


def longest_path(kind, n):
    return {"recurrent": n, "attention": 2}[kind] - 1


def decoder_step(prefix, memory, params):
    rows = [[a + b for a, b in zip(params["embed"][t], params["place"][i])] for i, t in enumerate(prefix)]
    for block in params["blocks"]:
        keys = [times(row, block["self_k"]) for row in rows]
        values = [times(row, block["self_v"]) for row in rows]
        updated = []
        for i, row in enumerate(rows):
            _, update = look(times(row, block["self_q"]), keys[: i + 1], values[: i + 1])
            row = [a + b for a, b in zip(row, update)]
            if memory is not None:
                row = [a + b for a, b in zip(row, read_source(row, memory, block)[1])]
            updated.append(row)
        rows = updated
    logits = times(rows[-1], params["out"])
    top = max(logits)
    total = top + math.log(sum(math.exp(logit - top) for logit in logits))
    return [logit - total for logit in logits]


def greedy(step, start, end, max_len):
    return beam_search(step, start, end, 1, max_len)[0]


def beam_search(step, start, end, width, max_len):
    def search(beam, left):
        if left == 0:
            return beam
        pool = []
        for cost, tokens in beam:
            if tokens[-1] == end and len(tokens) > 1:
                pool.append((cost, tokens))
            else:
                pool.extend((cost - p, tokens + [i]) for i, p in enumerate(step(tokens)))
        return search(heapq.nsmallest(width, pool), left - 1)

    return [(tokens, -cost) for cost, tokens in search([(0.0, [start])], max_len)]
