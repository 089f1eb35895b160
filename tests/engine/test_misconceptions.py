"""A known mistake is recognised by what a submission did in the calls of its task."""

from pathlib import Path

import numpy as np
import pytest

from autograder.grading.misconceptions import misconceptions, recognise
from autograder.grading.student import CallRecord

KNOWN = '''
import numpy as np
from autograder.grading.suite import essence, misconception

@essence("axis")
def line(v):
    v = np.asarray(v, dtype=float)
    return np.outer(v, v)

@misconception("axis", "the other axis", hint="Turn it.")
def turned(v):
    return np.array([-v[1], v[0]])

@misconception("axis", "twice as long", hint="How long?")
def doubled(v):
    return 2 * np.asarray(v, dtype=float)

@misconception("above", "says it in numbers", hint="Yes or no?")
def numbers(x):
    return (np.asarray(x) > 1).astype(int)

@misconception("above", "asks the other way round", hint="Which is larger?")
def below(x):
    return np.asarray(x) < 1

@misconception("height", "in feet", hint="Units?")
def feet(x):
    return x * 3.28
'''
REFERENCE = {
    "axis": lambda v: np.asarray(v, dtype=float),
    "height": lambda x: x,
    "above": lambda x: np.asarray(x) > 1,
}
INPUTS = [[1.0, 0.0], [0.6, 0.8], [0.0, 1.0]]


@pytest.fixture
def known(tmp_path: Path):
    (tmp_path / "misconceptions.py").write_text(KNOWN)
    return misconceptions(tmp_path / "misconceptions.py")


def name(task: str, known: list, *answers) -> str | None:
    inputs = INPUTS if task == "axis" else [1.0, 2.0, 4.0]
    calls = [CallRecord(task, (given,), value=answer) for given, answer in zip(inputs, answers)]
    found = recognise(task, calls, REFERENCE, [item for item in known if item.task == task])
    return found.name if found else None


def test_more_than_half_of_the_telling_calls_must_agree(known):
    assert name("height", known, 3.28, 6.56, 13.12) == "in feet"
    assert name("height", known, 3.28, 6.56, 5.0) == "in feet"
    assert name("height", known, 3.28, 5.0, 5.0) is None
    assert name("height", known, 1.0, 2.0, 4.0) is None


def test_what_right_answers_have_in_common_is_compared(known):
    turned = [np.array([0.0, -1.0]), np.array([-0.8, 0.6]), np.array([1.0, 0.0])]  # signs of one's own
    assert name("axis", known, *turned) == "the other axis"
    assert name("axis", known, [-2.0, 0.0], [1.2, 1.6], [0.0, -2.0]) == "twice as long"
    assert name("axis", known, [-1.0, 0.0], [-0.6, -0.8], [0.0, 1.0]) is None


def test_ones_and_zeros_are_no_booleans_but_explain_a_mistake_all_the_same(known):
    inputs = [[0, 1, 2], [2, 0, 3], [5, 0, 0]]

    def named(answer) -> str | None:
        calls = [CallRecord("above", (given,), value=answer(np.array(given))) for given in inputs]
        found = recognise("above", calls, REFERENCE, [item for item in known if item.task == "above"])
        return found.name if found else None

    assert named(lambda x: (x > 1).astype(int)) == "says it in numbers"
    assert named(lambda x: [float(each > 1) for each in x]) == "says it in numbers"
    assert named(lambda x: (x < 1).astype(float)) == named(lambda x: x < 1) == "asks the other way round"
    assert named(lambda x: x > 1) is None


def test_an_answer_of_another_kind_is_no_fault_of_ours(known):
    assert name("axis", known, "x", None, {"a": 1}) is None


def test_a_tensor_that_wants_a_gradient_is_no_fault_of_ours(known):
    torch = pytest.importorskip("torch")
    wants = torch.ones(2, requires_grad=True)
    assert name("axis", known, (wants, wants), [wants], wants) is None
