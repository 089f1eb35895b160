"""What several suites of this lesson share: parameters to draw, and all heads computed in plain loops."""

import math

import numpy as np
import pytest

PAGE_WORDS = np.eye(5)[[4, 0, 3, 4, 1, 2]]  # "The chicken crossed the road carelessly"


class Loops:
    """Multi-head attention, one number after the other."""

    def draw(self, rng, n, d, d_k, d_v, h):
        """X, Wq, Wk, Wv, Wo, with scores between about -8 and 8."""
        shapes = (h, d, d_k), (h, d, d_k), (h, d, d_v), (h * d_v, d)
        return rng.uniform(-2, 2, (n, d)), *(rng.uniform(-1, 1, shape) for shape in shapes)

    def page(self, strength=3):
        """X, Wq, Wk, Wv, Wo of the lesson: heads for who, what and how."""
        asks = np.zeros((3, 5, 2))
        asks[:, 3] = strength
        ones = np.eye(5)[:3]
        return PAGE_WORDS.copy(), asks, np.stack([ones, ones], axis=2), ones[:, :, None].copy(), ones.copy()

    def head(self, X, Wq, Wk, Wv, causal=False):
        """The weights (n, n) and mixtures (n, d_v) of one head; its matrices have two axes."""
        Q, K, V = (_product(X, W) for W in (Wq, Wk, Wv))
        A, H = [], []
        for reader, query in enumerate(Q):
            read = range(reader + 1 if causal else len(K))
            scores = [math.fsum(a * b for a, b in zip(query, K[j])) / math.sqrt(len(query)) for j in read]
            raw = [math.exp(score - max(scores)) for score in scores]
            A.append([share / math.fsum(raw) for share in raw] + [0.] * (len(K) - len(raw)))
            H.append([math.fsum(share * row[k] for share, row in zip(A[-1], V)) for k in range(len(V[0]))])
        return np.array(A), np.array(H)

    def parts(self, X, Wq, Wk, Wv, Wo, causal=False):
        """What each head adds to the update: its mixtures times its own rows of Wo, shape (h, n, d)."""
        X, Wq, Wk, Wv, Wo = (np.asarray(matrix, dtype=float) for matrix in (X, Wq, Wk, Wv, Wo))
        width, added = Wv.shape[2], []
        for i in range(len(Wv)):
            _, H = self.head(X, Wq[i], Wk[i], Wv[i], causal)
            added.append(_product(H, Wo[i * width:(i + 1) * width]))
        return np.array(added)

    def update(self, X, Wq, Wk, Wv, Wo, causal=False):
        """The update (n, d): the sum of the heads' parts."""
        return sum(self.parts(X, Wq, Wk, Wv, Wo, causal))

    def weights(self, X, Wq, Wk, Wv, Wo, causal=False):
        """The weights of all heads, (h, n, n)."""
        X, Wq, Wk, Wv = (np.asarray(matrix, dtype=float) for matrix in (X, Wq, Wk, Wv))
        return np.array([self.head(X, *matrices, causal)[0] for matrices in zip(Wq, Wk, Wv)])


def _product(A, B):
    return [[math.fsum(a * b for a, b in zip(row, column)) for column in zip(*B)] for row in A]


@pytest.fixture
def loops():
    return Loops()
