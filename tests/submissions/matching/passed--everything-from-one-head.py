import numpy as np
from scipy.special import softmax


def project(X, *matrices):
    return [np.einsum("nd,dk->nk", X, W) for W in matrices]


def attention(X, Wq, Wk, Wv):
    scaled = np.asarray(Wq) / np.shape(Wq)[1] ** 0.5
    Q, K, V = project(X, scaled, Wk, Wv)
    A = softmax(np.inner(Q, K), axis=1)
    return [A, np.einsum("nm,md->nd", A, V)]


def attend_from(q, K, V):
    scores = np.einsum("k,mk->m", q, K) / np.size(q) ** 0.5
    return softmax(scores), np.einsum("m,md->d", softmax(scores), V)


def tower_query():
    print("Eiffel, please")
    return np.array([[0.0, 1.0], [1.0, 0.0]], dtype=np.float32)


def direction_query(direction, strength=3.75):
    return np.einsum("i,j->ij", [0, 0, 1, 0], np.multiply(direction, strength))


def bank_match(X, Wq, Wk):
    Q, K, _ = project(X, Wq, Wk, Wk)
    A, _ = attention(X, Wq, Wk, Wk)
    return [Q[-1], K, np.inner(Q, K)[-1] / np.sqrt(np.shape(Wk)[1]), A[-1]]
