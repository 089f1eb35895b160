import numpy as np
from scipy.special import log_softmax, softmax


def read_source(state, memory, params):
    q = np.dot(state, params["cross_q"])
    K, V = np.dot(memory, params["cross_k"]), np.dot(memory, params["cross_v"])
    weights = softmax(K @ q / np.sqrt(len(q)))
    return weights, weights @ V


def longest_path(kind, n):
    if kind == "attention":
        return 1
    return n - 1


def decoder_step(prefix, memory, params):
    x = np.array([params["embed"][token] for token in prefix], dtype=float)
    x = x + np.array(params["place"][:len(prefix)])
    for block in params["blocks"]:
        Q, K, V = (x @ np.asarray(block[name]) for name in ("self_q", "self_k", "self_v"))
        S = Q @ K.T / np.sqrt(Q.shape[1])
        S[np.triu_indices(len(x), 1)] = -np.inf
        x = x + softmax(S, axis=1) @ V
        if memory is not None:
            for i in range(len(x)):
                x[i] += read_source(x[i], memory, block)[1]
    return log_softmax(x[-1] @ np.asarray(params["out"]))


def greedy(step, start, end, max_len):
    tokens = [start]
    total = 0.0
    for _ in range(max_len):
        log_probs = np.asarray(step(tokens))
        token = int(log_probs.argmax())
        tokens.append(token)
        total += log_probs[token]
        if token == end:
            break
    return tokens, total


def beam_search(step, start, end, width, max_len):
    beams = [([start], 0.0, False)]
    for _ in range(max_len):
        candidates = []
        for tokens, score, done in beams:
            if done:
                candidates.append((tokens, score, done))
                continue
            for token, log_prob in enumerate(step(tokens)):
                candidates.append((tokens + [token], score + log_prob, token == end))
        candidates.sort(key=lambda c: c[1], reverse=True)
        beams = candidates[:width]
    return [(tokens, score) for tokens, score, done in beams]
