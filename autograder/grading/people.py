"""Who is who in an LMS: what collecting a lesson found out about its students, for the grades' way back."""

from pathlib import Path

import msgspec

from autograder.grading.course import Course, Lesson
from autograder.grading.errors import CourseError
from autograder.grading.results import write_whole


class Person(msgspec.Struct, frozen=True):
    """One student of one lesson: `lms_id` is what the LMS itself calls them (Canvas: the user id; Moodle: the
    participant's number, which is another one in every assignment; Blackboard: the user name; Brightspace:
    the number of the hand-in's folder), the rest is text, empty where unknown."""

    lms_id: str
    name: str = ""
    login: str = ""
    email: str = ""
    number: str = ""  # the institution's: SIS User ID, ID number, OrgDefinedId
    first: str = ""
    last: str = ""


class People(msgspec.Struct):
    """The students of a lesson by their id here, the name of their folder in build/submitted."""

    lms: str = ""
    students: dict[str, Person] = {}


def people(course: Course, lesson: Lesson) -> People:
    """Those whose work was collected; nobody where nothing was. CourseError if the file cannot be read."""
    try:
        return msgspec.json.decode(_file(course, lesson).read_bytes(), type=People)
    except FileNotFoundError:
        return People()
    except msgspec.MsgspecError as error:
        raise CourseError(
            f"{_file(course, lesson)} is damaged ({error}): collect the archive again."
        ) from error


def keep(course: Course, lesson: Lesson, found: People) -> None:
    """Write down who is who; where it is known already, the file stays as it is."""
    path = _file(course, lesson)
    if path.exists() and people(course, lesson) == found:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, msgspec.json.format(msgspec.json.encode(found), indent=1))


def _file(course: Course, lesson: Lesson) -> Path:
    return course.build / "people" / f"{lesson.name}.json"
