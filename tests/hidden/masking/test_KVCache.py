"""Hidden tests of `KVCache`."""

import numpy as np
import pytest

from autograder.grading.suite import Mismatch, same


def some_words(rng, t, d_k, d_v):
    """Keys and values of t words."""
    return rng.uniform(-4, 4, (t, d_k)), rng.uniform(-4, 4, (t, d_v))


def filled(cache, keys, values):
    """The cache after these words; what append returns, if anything, stays where it is."""
    for k, v in zip(keys, values):
        cache.append.kept(k, v)
    return cache


def holds(cache, keys, values):
    """The cache holds these words, oldest first."""
    has_length(cache, len(keys))
    same(cache.value("keys"), keys)
    same(cache.value("values"), values)


def has_length(cache, t):
    """len(cache) is t."""
    if len(cache) != t:
        raise Mismatch("The length of the cache is wrong.", f"({len(cache)} instead of {t})")


def own_row(cache, name):
    """The only row of the cache's keys or values as an object that stays on the student's side; None where
    the row is of a kind that cannot be changed."""
    seen, held = cache.value(name), cache.part(name)
    if isinstance(seen, np.ndarray):
        return held.copy.kept().reshape.kept(-1)
    mutable = isinstance(seen, list) and isinstance(seen[0], list | np.ndarray)
    return held.copy.kept().pop.kept() if mutable else None


@pytest.mark.public
def test_two_words(student):
    """After two words, keys, values and length are as on the page."""
    cache = filled(student.KVCache.kept(), [[1, 2], [6, 7]], [[3, 4, 5], [8, 9, 10]])
    holds(cache, [[1, 2], [6, 7]], [[3, 4, 5], [8, 9, 10]])


@pytest.mark.gate
@pytest.mark.weight(2)
def test_keys_of_three_words(student, rng):
    """append adds one row to the keys."""
    keys, values = some_words(rng, 3, 4, 4)
    same(filled(student.KVCache.kept(), keys, values).value("keys"), keys)


@pytest.mark.weight(3)
def test_keys_and_values(student, rng):
    """Keys and values are kept apart, oldest first, whatever their widths."""
    for t, d_k, d_v in ((5, 3, 2), (4, 2, 6), (3, 1, 5), (2, 4, 1)):
        keys, values = some_words(rng, t, d_k, d_v)
        holds(filled(student.KVCache.kept(), keys, values), keys, values)


def test_many_words(student, rng):
    """A long text fits in, too."""
    keys, values = some_words(rng, 40, 3, 2)
    holds(filled(student.KVCache.kept(), keys, values), keys, values)


def test_length(student, rng):
    """The length is 0 at first and grows by one with each word, repeated words included."""
    cache, (keys, values) = student.KVCache.kept(), some_words(rng, 1, 3, 5)
    for t in range(4):
        has_length(cache, t)
        cache.append.kept(keys[0], values[0])
    holds(cache, np.tile(keys, (4, 1)), np.tile(values, (4, 1)))


@pytest.mark.weight(2)
def test_two_caches(student, rng):
    """What goes into one cache does not show up in another, made before or after."""
    one, other = student.KVCache.kept(), student.KVCache.kept()
    (keys, values), (more_keys, more_values) = some_words(rng, 3, 3, 2), some_words(rng, 2, 4, 5)
    filled(one, keys, values)
    has_length(other, 0)
    filled(other, more_keys, more_values)
    holds(one, keys, values)
    holds(other, more_keys, more_values)
    has_length(student.KVCache.kept(), 0)


@pytest.mark.weight(2)
def test_copies(student):
    """Changing a key or a value after append changes nothing in the cache."""
    giver, cache = student.KVCache.kept(), student.KVCache.kept()
    giver.append.kept(np.array([3., 2, 1]), np.array([6., 5]))
    same(giver.value("keys"), [[3, 2, 1]])
    same(giver.value("values"), [[6, 5]])
    k, v = own_row(giver, "keys"), own_row(giver, "values")
    if k is None or v is None:
        return
    cache.append.kept(k, v)
    k.sort()
    v.sort()
    holds(cache, [[3, 2, 1]], [[6, 5]])


def test_kinds_of_numbers(student, rng):
    """Lists, integers and 32-bit floats are kept as they are worth, in any order."""
    keys, values = [[1, 2], [.5, .25], [3, 4]], [[1], [.5], [2]]
    holds(filled(student.KVCache.kept(), keys, values), keys, values)
    whole = [np.array(rows, dtype=int) for rows in ([[1, 2]], [[3]])]
    cache = filled(student.KVCache.kept(), *whole)
    holds(filled(cache, [[.5, -.5]], [[.25]]), [[1, 2], [.5, -.5]], [[3], [.25]])
    single = [rows.astype(np.float32) for rows in some_words(rng, 3, 2, 4)]
    holds(filled(student.KVCache.kept(), *single), *single)
