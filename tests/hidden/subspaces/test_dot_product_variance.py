"""Hidden tests of `dot_product_variance`. Draws may be made in any order: their statistics are judged.

The variance of n dot products strays from d_k by a part sqrt((2 + 6 / d_k) / n): the bounds are nine times as
wide, or more.
"""

import numpy as np
import pytest

from autograder.compare import to_array
from autograder.grading.suite import numpy_rng, pair, same


def some_seeds(rng, count=1):
    """Generators of different seeds for the student."""
    return [numpy_rng(int(seed)) for seed in rng.choice(10**6, count, replace=False)]


def raw_and_scaled(got):
    """The two numbers as floats."""
    parts = pair(got, "(raw, scaled)")
    for part in parts:
        same(part, 0, atol=np.inf)  # one finite number
    return [float(to_array(part)) for part in parts]


@pytest.mark.public
def test_width_of_the_page(student):
    """With 16 entries and 20,000 pairs, the raw variance is about 16 and the scaled one about 1."""
    raw, scaled = raw_and_scaled(student.dot_product_variance(16, 20_000, rng=numpy_rng(0)))
    same(raw, 16, rtol=.15)
    same(scaled, 1, rtol=.15)


@pytest.mark.gate
@pytest.mark.weight(2)
def test_raw_variance(student, rng):
    """The raw variance is about d_k, for any width and any generator."""
    for d_k, seed in zip((3, 7, 20, 2, 11, 5), some_seeds(rng, 6)):
        raw, _ = raw_and_scaled(student.dot_product_variance(d_k, 20_000, seed))
        same(raw, d_k, rtol=.15)


@pytest.mark.weight(2)
def test_scaled_variance(student, rng):
    """The scaled variance is about 1, for any width."""
    for d_k, seed in zip((3, 7, 20, 2), some_seeds(rng, 4)):
        _, scaled = raw_and_scaled(student.dot_product_variance(d_k, 20_000, seed))
        same(scaled, 1, rtol=.15)


@pytest.mark.weight(2)
def test_one_sample_for_both(student, rng):
    """Both numbers are measured on the same pairs: few pairs show it, since they stray far from theory."""
    for d_k, samples, seed in zip((3, 7, 12), (6, 2, 4), some_seeds(rng, 3)):
        raw, scaled = raw_and_scaled(student.dot_product_variance(d_k, samples, seed))
        same(raw / scaled if scaled else 0, d_k)


@pytest.mark.gate
@pytest.mark.weight(2)
def test_another_generator(student, rng):
    """Another generator gives another sample: the numbers are measured, not known."""
    raws = [raw_and_scaled(student.dot_product_variance(5, 200, seed))[0] for seed in some_seeds(rng, 4)]
    gaps = [abs(one - other) for i, one in enumerate(raws) for other in raws[:i]]
    assert min(gaps) > 1e-9


def test_same_seed(student, rng):
    """All chance comes from the generator: the same seed gives the same numbers again."""
    (seed,) = some_seeds(rng)
    one, other = (raw_and_scaled(student.dot_product_variance(5, 50, seed)) for _ in range(2))
    same(one, other)


def test_number_of_pairs(student, rng):
    """Measured on three pairs, the variance varies widely from generator to generator."""
    raws = [raw_and_scaled(student.dot_product_variance(4, 3, seed))[0] for seed in some_seeds(rng, 12)]
    assert max(raws) > 1.5 * min(raws)


def test_narrow_and_wide(student, rng):
    """One entry or 128: the raw variance follows the width, the scaled one does not."""
    for d_k, samples, seed in zip((1, 128), (20_000, 10_000), some_seeds(rng, 2)):
        raw, scaled = raw_and_scaled(student.dot_product_variance(d_k, samples, seed))
        same(raw, d_k, rtol=.2)
        same(scaled, 1, rtol=.2)
