"""The demo class: every sample submission of a lesson as a student, graded like any other class."""

from autograder.grading import gradebook, intake
from autograder.grading.course import Course, Lesson
from autograder.grading.errors import CourseError
from autograder.grading.samples import Sample, samples
from autograder.grading.verdict import SubmissionResult


def take_in_class(course: Course, lesson: Lesson) -> list[Sample]:
    """Hand in every sample and enter the students into the gradebook. A class that is already there is real
    people's
    work: it is not mixed with the samples."""
    wanted = samples(lesson)
    strangers = set(intake.students(course, lesson)) - {sample.student for sample in wanted}
    if strangers:
        raise CourseError(
            f"{course.build / 'submitted'} holds a class of its own ({min(strangers)}, ...): "
            "run the demo in a fresh clone."
        )
    for sample in wanted:
        folder = course.build / "submitted" / sample.student / lesson.name
        if not folder.exists():
            sample.hand_in(folder)
    gradebook.add_students(course, [sample.student for sample in wanted])
    return wanted


def broken_promises(wanted: list[Sample], results: list[SubmissionResult]) -> list[str]:
    """Where a verdict is not the one that the sample's name says, one line each."""
    by_student = {result.student: result for result in results}
    lines = []
    for sample in wanted:
        if not sample.handed_in:
            continue
        result = by_student.get(sample.student)
        came = {task.name: task.verdict for task in result.tasks} if result else {}
        for task, verdict in sample.expected([task.name for task in sample.lesson.tasks]).items():
            if came.get(task) is not verdict:
                lines.append(
                    f"{sample.student}: {task} should be {verdict} and is {came.get(task, 'not graded')}"
                )
    return lines
