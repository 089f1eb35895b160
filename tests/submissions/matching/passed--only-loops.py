import math


def project(X, Wq, Wk, Wv):
    results = []
    for W in (Wq, Wk, Wv):
        rows = []
        for x in X:
            row = []
            for j in range(len(W[0])):
                total = 0.0
                for i in range(len(x)):
                    total += x[i] * W[i][j]
                row.append(total)
            rows.append(row)
        results.append(rows)
    return tuple(results)


def shares(scores):
    top = max(scores)
    exponentials = [math.exp(score - top) for score in scores]
    return [value / sum(exponentials) for value in exponentials]


def scores_of(q, K):
    return [sum(a * b for a, b in zip(q, k)) / math.sqrt(len(q)) for k in K]


def attend_from(q, K, V):
    weights = shares(scores_of(q, K))
    mixture = [0.0] * len(V[0])
    for weight, value in zip(weights, V):
        for j in range(len(value)):
            mixture[j] += weight * value[j]
    return weights, mixture


def attention(X, Wq, Wk, Wv):
    Q, K, V = project(X, Wq, Wk, Wv)
    A, H = [], []
    for q in Q:
        weights, mixture = attend_from(q, K, V)
        A.append(weights)
        H.append(mixture)
    return A, H


def tower_query():
    return [[-1.0, 2.0], [0.0, 0.0]]


def direction_query(direction, strength=3.75):
    Wq = [[0.0] * 3 for _ in range(4)]
    for j in range(3):
        Wq[2][j] = strength * direction[j]
    return Wq


def bank_match(X, Wq, Wk):
    Q, K, _ = project(X, Wq, Wk, Wk)
    scores = scores_of(Q[-1], K)
    return Q[-1], K, scores, shares(scores)
