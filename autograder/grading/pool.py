"""Grades many submissions: one by itself in this process's own judge, more of them on a cluster."""

from collections.abc import Callable, Iterator, Sequence

from autograder.grading.course import Course, Lesson
from autograder.grading.grader import Grader
from autograder.grading.limits import Limits
from autograder.grading.verdict import SubmissionResult
from autograder.grading.work import Work


def grade_all(
    course: Course,
    lesson: Lesson,
    limits: Limits,
    works: Sequence[Callable[[], Work]],
    jobs: int,
    scheduler: str | None = None,
) -> Iterator[SubmissionResult]:
    """Results as they come. Each of `works` reads a submission when its turn comes."""
    if scheduler is None and min(jobs, len(works)) < 2:
        yield from _one_by_one(course, lesson, limits, works)
    else:
        from autograder.grading.cluster import grade_on_cluster  # it takes a second to import

        yield from grade_on_cluster(course, lesson, limits, works, jobs, scheduler)


def _one_by_one(
    course: Course, lesson: Lesson, limits: Limits, works: Sequence[Callable[[], Work]]
) -> Iterator[SubmissionResult]:
    with Grader(course, lesson, limits) as grader:
        for work in works:
            yield grader.grade(work())
