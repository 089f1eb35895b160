"""Graders of this course's lessons, each started when it is first needed."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from autograder.grading.course import Course, Lesson
from autograder.grading.grader import Grader
from autograder.grading.limits import Limits

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def graders() -> Iterator[Callable[[Lesson], Grader]]:
    made: dict[str, Grader] = {}

    def grader(lesson: Lesson) -> Grader:
        if lesson.name not in made:
            made[lesson.name] = Grader(Course(ROOT), lesson, Limits())
        return made[lesson.name]

    yield grader
    for one in made.values():
        one.close()
