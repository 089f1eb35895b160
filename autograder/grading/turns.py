"""Whose turn it is: one program at a time takes in, places or reads the hand-ins of a lesson."""

import contextlib
import sys
from collections.abc import Iterator
from fcntl import LOCK_EX, LOCK_NB, LOCK_UN, flock

from autograder.grading.course import Course, Lesson
from autograder.grading.errors import CourseError


@contextlib.contextmanager
def turn(course: Course, lesson: Lesson) -> Iterator[None]:
    """Wait for the turn, which is said once, and keep it. The turn of a program that was killed is over.
    CourseError where the disk knows no locks. Within a turn there is no other one of the same lesson: it
    would wait for itself."""
    path = course.build / "locks" / f"{lesson.name}.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a") as file:
        try:
            try:
                flock(file, LOCK_EX | LOCK_NB)
            except BlockingIOError:
                line = f"{lesson.name}: another program is at its hand-ins. Waiting; Ctrl-C loses nothing."
                print(line, file=sys.stderr, flush=True)
                flock(file, LOCK_EX)
        except OSError as error:
            reason = error.strerror
            raise CourseError(
                f"{path} cannot be locked ({reason}): put the course on a disk that knows file locks."
            ) from error
        try:
            yield
        finally:
            flock(file, LOCK_UN)  # closing alone would leave it to a child that was forked meanwhile
