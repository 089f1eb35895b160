"""Hidden tests of `count_parameters`."""

import pytest

from autograder.grading.suite import same


def head(rows, width):
    """How many numbers a LibraryHead learns."""
    return rows * width + 3 * width * width + 2 * width + 2


def parts(rows, width):
    """How many numbers a Parts learns."""
    return rows * width + (width + 1) * 3 * width + 3 * width * 5 + 6 * width


@pytest.mark.public
def test_page(student, trainer):
    """A head for four words, with eight coordinates, learns 242 numbers."""
    model = student.given("LibraryHead", trainer.seeded(0))
    same(student.count_parameters(model), 242, atol=1e-9, rtol=0)


@pytest.mark.gate
def test_grows_with_the_model(student, trainer):
    """A larger model has more to learn."""
    for rows, width in ((4, 4), (9, 12)):
        model = student.given("LibraryHead", trainer.seeded(1, rows, width))
        same(student.count_parameters(model), head(rows, width), atol=0, rtol=.5)


@pytest.mark.weight(2)
def test_heads(student, trainer, rng):
    """Table, maps, classifier and its bias, for other vocabularies and widths."""
    for rows, width in ((1, 3), (int(rng.integers(5, 20)), int(rng.integers(5, 12)))):
        model = student.given("LibraryHead", trainer.seeded(1, rows, width))
        same(student.count_parameters(model), head(rows, width), atol=1e-9, rtol=0)


@pytest.mark.weight(2)
def test_other_models(student, rng):
    """Parts within parts, parameters of three axes and biases count; buffers do not."""
    for rows, width in ((3, 2), (int(rng.integers(4, 12)), int(rng.integers(3, 9)))):
        count = student.count_parameters(student.given("Parts", rows, width))
        same(count, parts(rows, width), atol=1e-9, rtol=0)
