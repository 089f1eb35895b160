"""A small course of one lesson, released once, of which each test gets a copy to change; and graders of this
course's own lessons."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from small_course import write_course

from autograder.grading.course import Course, Lesson
from autograder.grading.grader import Grader
from autograder.grading.limits import Limits
from autograder.grading.sandboxes import ONE_THREAD

os.environ |= ONE_THREAD  # as in judges and sandboxes: the threads of two workers only wait for each other
ROOT = Path(__file__).resolve().parent.parent


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Have one worker do all of a lesson whose grader it started: that takes seconds."""
    for item in items:
        if "graders" in item.fixturenames and hasattr(item, "callspec"):
            values = [getattr(value, "lesson", value) for value in item.callspec.params.values()]
            for lesson in [value for value in values if isinstance(value, Lesson)]:
                item.add_marker(pytest.mark.xdist_group(lesson.name))


@pytest.fixture(scope="session")
def released_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from autograder.grading.release import release

    root = tmp_path_factory.mktemp("released") / "course"
    release(write_course(root).lesson("tides"))
    return root


@pytest.fixture
def course(released_once: Path, tmp_path: Path) -> Course:
    """The small course, released, with its gradebook."""
    return Course(shutil.copytree(released_once, tmp_path / "course"))


@pytest.fixture
def new_course(tmp_path: Path) -> Course:
    """The small course, never built."""
    return write_course(tmp_path / "new")


@pytest.fixture
def edit() -> Callable[[Path, str, str], None]:
    """edit(file, old, new) puts new in the place of old, which must be there."""

    def replace(file: Path, old: str, new: str) -> None:
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new, 1), encoding="utf-8")

    return replace


@pytest.fixture(scope="session")
def graders() -> Iterator[Callable[[Lesson], Grader]]:
    """graders(lesson) is the grader of one of this course's lessons, started when it is first needed. A test
    of a lesson that this machine lacks something for is skipped."""
    made: dict[str, Grader] = {}

    def grader(lesson: Lesson) -> Grader:
        if lesson.lacking:
            pytest.skip(lesson.lacking)
        if lesson.name not in made:
            made[lesson.name] = Grader(Course(ROOT), lesson, Limits())
        return made[lesson.name]

    yield grader
    for one in made.values():
        one.close()
