"""Grades many submissions at once: a grader for each job, the work handed to whichever is idle."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from queue import SimpleQueue

from autograder.grading.course import Course, Lesson
from autograder.grading.grader import Grader
from autograder.grading.limits import Limits
from autograder.grading.verdict import SubmissionResult
from autograder.grading.work import Work


def grade_all(
    course: Course, lesson: Lesson, limits: Limits, works: Sequence[Callable[[], Work]], jobs: int
) -> Iterator[SubmissionResult]:
    """Results as they come. A thread only waits for its judge process, so threads suffice; a submission is
    read (`work()`) when its turn comes, so that a class of thousands is never in memory at once."""
    jobs = max(1, min(jobs, len(works)))
    idle: SimpleQueue[Grader] = SimpleQueue()
    with ExitStack() as stack:
        for _ in range(jobs):
            idle.put(stack.enter_context(Grader(course, lesson, limits)))
        pool = stack.enter_context(ThreadPoolExecutor(jobs))
        stack.callback(pool.shutdown, wait=False, cancel_futures=True)

        def grade(work: Callable[[], Work]) -> SubmissionResult:
            grader = idle.get()
            try:
                return grader.grade(work())
            finally:
                idle.put(grader)

        for done in as_completed([pool.submit(grade, work) for work in works]):
            yield done.result()
