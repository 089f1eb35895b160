# handed in as: Übung – mixing (Kopie é).ipynb
"""Lösung von Søren Müller-Gößwein 🙂: die Wörter „river“ und „bank“."""

import numpy as np


def softmax(z):
    ζ = np.asarray(z, dtype=float)
    größte = ζ.max(axis=-1, keepdims=True)
    ε = np.exp(ζ - größte)
    return ε / ε.sum(axis=-1, keepdims=True)


def match_scores(X):
    Χ = np.asarray(X, dtype=float)  # griechisches Chi
    return Χ @ Χ.T / np.sqrt(Χ.shape[1])


def mix(A, V):
    """Anteile × Zeilen ✔"""
    return np.asarray(A, dtype=float) @ np.asarray(V, dtype=float)


def attend(X):
    Α = softmax(match_scores(X))
    return Α, mix(Α, X)


def add_residual(X, H):
    return np.asarray(X, dtype=float) + np.asarray(H, dtype=float)


def uniform_mixture(X):
    größe = len(X)
    return mix(np.full((größe, größe), 1 / größe), X)


def sharpen(scores, factor):
    print("Schärfe:", factor, "→ 🔪")
    return softmax(factor * np.asarray(scores, dtype=float))
