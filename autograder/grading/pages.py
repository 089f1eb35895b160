"""The feedback pages of a class, by nbgrader's own `GenerateFeedback`, in several processes at once."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

from nbgrader.converters import GenerateFeedback

from autograder.grading.conversion import Conversion
from autograder.grading.course import Course, Lesson
from autograder.sandbox.privileges import die_with

BATCH = 8  # students a process writes for before it says so


def write_pages(
    course: Course,
    lesson: Lesson,
    students: Sequence[str],
    jobs: int,
    progress: Callable[[int], None] = lambda count: None,
) -> dict[str, str]:
    """Write the feedback of these students where it is older than what it tells of; the failures, by
    student. `progress` is told how many more are done."""
    old = [student for student in students if not is_told(course, lesson, student)]
    progress(len(students) - len(old))
    size = max(1, min(BATCH, -(-len(old) // jobs)))
    batches = [old[i : i + size] for i in range(0, len(old), size)]
    failures: dict[str, str] = {}
    if len(batches) < 2:
        for batch in batches:
            failures |= _write(course, lesson, batch)
            progress(len(batch))
        return failures
    # A fork has nbgrader imported already, which takes seconds; no thread of ours is alive by now.
    processes, fork = min(jobs, len(batches)), get_context("fork")
    with ProcessPoolExecutor(processes, fork, initializer=die_with, initargs=(os.getpid(),)) as pool:
        running = {pool.submit(_write, course, lesson, batch): batch for batch in batches}
        for done in as_completed(running):
            failures |= done.result()
            progress(len(running[done]))
    return failures


def _write(course: Course, lesson: Lesson, students: list[str]) -> dict[str, str]:
    conversion = Conversion(GenerateFeedback, course, lesson)
    with conversion.running():
        reasons = {name: conversion.convert(_folder(course, lesson, "autograded", name)) for name in students}
    return {student: reason for student, reason in reasons.items() if reason}


def page(course: Course, lesson: Lesson, student: str) -> Path:
    """Where the feedback of a student lies, once it is written."""
    return _folder(course, lesson, "feedback", student) / f"{lesson.name}.html"


def is_told(course: Course, lesson: Lesson, student: str) -> bool:
    """Whether the feedback is younger than what it tells of: the notebook, and manual grades in the
    gradebook."""
    notebook = _folder(course, lesson, "autograded", student) / f"{lesson.name}.ipynb"
    try:
        sources = [source.stat().st_mtime_ns for source in (notebook, course.gradebook)]
        return max(sources) < page(course, lesson, student).stat().st_mtime_ns
    except FileNotFoundError:
        return False


def _folder(course: Course, lesson: Lesson, step: str, student: str) -> Path:
    return course.build / step / student / lesson.name
