from dataclasses import dataclass
from functools import partial

import numpy as np


class Softmax:
    def __init__(self, axis):
        self.axis = axis

    def __call__(self, z):
        z = np.asarray(z, dtype=float)
        e = np.exp(z - z.max(axis=self.axis, keepdims=True))
        return e / e.sum(axis=self.axis, keepdims=True)


softmax = Softmax(axis=-1)

match_scores = lambda X: np.inner(X, X) / np.sqrt(np.shape(X)[-1])

mix = np.matmul


@dataclass(frozen=True)
class Head:
    score: object
    share: object

    def __call__(self, X):
        A = self.share(self.score(X))
        return A, mix(A, X)


attend = Head(match_scores, softmax)

add_residual = partial(np.add, dtype=float)

uniform_mixture = lambda X: np.repeat(np.mean(X, axis=0, keepdims=True), len(X), axis=0)


def scaled(scores, factor, then):
    return then(factor * np.asarray(scores))


sharpen = partial(scaled, then=softmax)
