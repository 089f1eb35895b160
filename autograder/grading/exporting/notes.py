"""What the teacher should know about those whose points are not, or not all, on their way."""

from collections.abc import Callable, Iterable

from autograder.grading.exporting.grades import ClassGrades
from autograder.grading.reader import printable

Tell = Callable[[str], None]


def tell_names(tell: Tell, what: str, names: Iterable[str]) -> None:
    """One line with all the names, if there are any."""
    shown = ", ".join(printable(name) for name in names)
    if shown:
        tell(f"{what}: {shown}")


def tell_unfinished(tell: Tell, grades: ClassGrades) -> None:
    """Who waits for a TA, and who for the grader."""
    waiting = [student.id for student in grades.graded if student.waiting]
    tell_names(tell, "wait for points by hand in formgrader, those so far are written", waiting)
    ungraded = [student.id for student in grades.ungraded]
    tell_names(tell, "handed in and not graded, no points written", ungraded)
