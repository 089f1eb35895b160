"""The lesson of the small course, and the desk at which its hand-ins are collected."""

from pathlib import Path

import pytest
from lms_desk import Desk

from autograder.grading.course import Course, Lesson


@pytest.fixture
def lesson(course: Course) -> Lesson:
    return course.lesson("tides")


@pytest.fixture
def desk(course: Course, tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch) -> Desk:
    monkeypatch.chdir(course.root)
    return Desk(course, tmp_path / "desk", capsys)
