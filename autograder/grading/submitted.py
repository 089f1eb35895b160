"""What a student handed in, taken in before."""

from pathlib import Path

import msgspec

from autograder.grading import intake
from autograder.grading.course import Course, Lesson
from autograder.grading.reader import load_notebook
from autograder.grading.submission import read_file
from autograder.grading.work import Work, work_on


def submitted_work(course: Course, lesson: Lesson, student: str) -> Work:
    """The work of grading what a student handed in, taken in before."""
    submission = read_file(_place(course, lesson, student), lesson)
    known = intake.problems(course, lesson, student)
    return work_on(lesson, msgspec.structs.replace(submission, problems=[*known, *submission.problems]))


def was_readable(course: Course, lesson: Lesson, student: str) -> bool:
    """Whether there was a notebook, or a Python file, that could be read."""
    return load_notebook(_place(course, lesson, student)).cells[0].id != intake.PLACEHOLDER


def _place(course: Course, lesson: Lesson, student: str) -> Path:
    return course.build / "submitted" / student / lesson.name / f"{lesson.name}.ipynb"
