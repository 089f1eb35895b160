"""What the benchmarks measure with: the hidden suites as inlined calls, and the controls."""

import sys

import pytest
from attack_bank import ROOT

sys.path.append(str(ROOT / "benchmarks"))

from attacked_class import CANARIES, HONEST  # noqa: E402
from attacks import check_controls  # noqa: E402
from hand_ins import LEAKY, PLAIN  # noqa: E402
from inlined import hidden_tests, literal  # noqa: E402
from outcome import GAINED, HARMLESS, PARTLY, READ, REACHED, SHOWN, Outcome, gained  # noqa: E402

from autograder.grading.course import Course, Lesson  # noqa: E402
from autograder.grading.errors import CourseError  # noqa: E402

LESSONS = Course(ROOT).lessons()
FULL = {"add_residual": 1.0, "mix": 2.0}


@pytest.mark.parametrize("lesson", LESSONS, ids=[lesson.name for lesson in LESSONS])
def test_inlined_tests_pass_the_reference_and_fail_a_wrong_function(lesson: Lesson):
    names = {}
    exec(lesson.solution.read_text(encoding="utf-8"), names)
    exec("import numpy as np", names)
    tests = hidden_tests(ROOT, lesson.name)
    assert list(tests) == [task.name for task in lesson.tasks]
    for task, lines in tests.items():
        wrong = names | {"answer": "", task: lambda *args, **kwargs: "wrong"}
        exec("\n".join(lines), names | {"answer": names["ANSWERS"].get(task)})
        if "callable" not in lines[0]:
            with pytest.raises((AssertionError, ValueError, TypeError)):
                exec("\n".join(lines), wrong)


def test_literals_are_what_they_stand_for():
    import numpy as np

    for value in (1.5, float("inf"), -float("inf"), [1, (2,), {"a": None}], np.float32(0.5), True, "x"):
        assert eval(literal(value), {"np": np}) == value
    for array in (np.zeros((0, 3)), np.array([[1, 2]], "int8"), np.array([np.inf, 2.5])):
        back = eval(literal(array), {"np": np})
        assert (back == array).all() and back.shape == array.shape and back.dtype == array.dtype
    with pytest.raises(ValueError):
        literal(object())


def controls(**changed: Outcome) -> dict[str, dict[str, Outcome]]:
    read = READ.format(", ".join(sorted(CANARIES)))
    right = {
        HONEST: Outcome((SHOWN,), FULL, 1.0),
        PLAIN: Outcome((SHOWN,), FULL | {"add_residual": 0.0}, 1.0),
        LEAKY: Outcome((read, REACHED, SHOWN), FULL, 1.0),
    }
    return {"here": right | changed}


def test_controls_that_come_out_right_are_let_pass():
    check_controls(controls())


@pytest.mark.parametrize("name, outcome", [
    (HONEST, Outcome((REACHED,), FULL, 1.0)),
    (HONEST, Outcome((), FULL | {"mix": 0.0}, 1.0)),
    (PLAIN, Outcome((), FULL, 1.0)),
    (PLAIN, Outcome((), {}, 1.0)),
    (LEAKY, Outcome((REACHED,), FULL, 1.0)),
])
def test_a_control_that_comes_out_wrong_stops_the_benchmark(name: str, outcome: Outcome):
    with pytest.raises(CourseError, match="mend the benchmark"):
        check_controls(controls(**{name: outcome}))


def test_a_gain_is_what_exceeds_the_same_without_the_trick():
    plain = FULL | {"add_residual": 0.0}
    assert gained(FULL, plain, FULL) == [GAINED]
    assert gained(FULL | {"add_residual": 0.1}, plain, FULL) == [PARTLY]
    assert gained(plain, plain, FULL) == [] and Outcome((), plain, 1.0).text == HARMLESS
    assert gained(FULL | {"bonus": 100.0}, FULL, FULL) == [GAINED]
