"""Feedback pages in one archive, a folder for each student, as an LMS takes them back."""

import io
import zipfile

from autograder.grading.course import Course
from autograder.grading.errors import CourseError
from autograder.grading.exporting.grades import ClassGrades
from autograder.grading.exporting.notes import Tell, tell_names
from autograder.grading.pages import is_told, page


def feedback_zip(course: Course, grades: ClassGrades, folders: dict[str, str], tell: Tell) -> bytes:
    """The pages of these students, in the folders that are given; the same pages give the same bytes.
    CourseError if nobody has one."""
    lesson = grades.lesson
    pages = {student: page(course, lesson, student) for student in sorted(folders)}
    there = {student: path for student, path in pages.items() if path.is_file()}
    if not there:
        raise CourseError(f"there is no feedback for {lesson.name}: run `autograder grade {lesson.name}`.")
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for student, path in there.items():
            entry = zipfile.ZipInfo(f"{folders[student]}/{lesson.name}.html")  # its date is 1980
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
    tell(f"feedback for {len(there)} students")
    cure = f"run `autograder grade {lesson.name}`"
    tell_names(tell, f"without feedback ({cure})", sorted(pages.keys() - there.keys()))
    old = [student for student in there if not is_told(course, lesson, student)]
    tell_names(tell, f"with feedback that is older than the gradebook ({cure})", old)
    return data.getvalue()
