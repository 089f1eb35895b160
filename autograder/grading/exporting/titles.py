"""Which column of an LMS is a lesson's: found by its name or heading, never guessed among several."""

import re
from collections.abc import Mapping

from autograder.grading.course import Course, Lesson
from autograder.grading.errors import CourseError


def title(lesson: Lesson) -> str:
    """What a lesson is called in few words: "Tides" for the heading "1 Tides: how the water moves"."""
    return re.sub(r"^\d+[.:]? *", "", lesson.heading).split(":")[0].strip() or lesson.name


def find_column(
    titles: Mapping[int, str], headers: list[str], course: Course, lesson: Lesson, wanted: str, source: str
) -> int:
    """The column of a lesson among those that can take points, given by their titles as the LMS's users know
    them; `wanted` is the title that the teacher asked for, if any. CourseError if there is none, or more
    than one."""
    found = _asked_for(titles, headers, wanted) if wanted else _called(titles, course, lesson)
    if len(found) == 1:
        return found[0]
    if found:
        names = " and ".join(f"`{headers[column]}`" for column in found)
        raise CourseError(f"{source} has several columns for this ({names}): give one to --column.")
    names = ", ".join(f"`{headers[column]}`" for column in titles) or "none that takes points"
    what = f"`{wanted}`" if wanted else lesson.name
    raise CourseError(
        f"{source} has no column for {what} (it has {names}): give a file of the right course, or the title "
        "to --column."
    )


def _asked_for(titles: Mapping[int, str], headers: list[str], wanted: str) -> list[int]:
    exact = [column for column in titles if headers[column].strip() == wanted.strip()]
    return exact or [column for column, text in titles.items() if _words(text) == _words(wanted)]


def _called(titles: Mapping[int, str], course: Course, lesson: Lesson) -> list[int]:
    """Those called as the lesson is, or else those whose title holds that, and not more of another lesson."""
    names = _names(lesson)
    exact = [column for column, text in titles.items() if _words(text) in names]
    if exact:
        return exact
    others = {name for other in course.lessons() if other != lesson for name in _names(other)}
    found = []
    for column, text in titles.items():
        ours = max((len(name) for name in names if _holds(text, name)), default=0)
        theirs = max((len(name) for name in others if _holds(text, name)), default=0)
        if ours > theirs:
            found.append(column)
    return found


def _names(lesson: Lesson) -> set[tuple[str, ...]]:
    """What a lesson may be called, as words: its name, its heading or the part before the colon, with the
    lesson's number or without."""
    heading = lesson.heading
    spoken = (lesson.name, title(lesson), heading, heading.split(":")[0], re.sub(r"^\d+ *", "", heading))
    return {_words(text) for text in spoken} - {()}


def _words(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[^\W_]+", text.casefold()))


def _holds(text: str, name: tuple[str, ...]) -> bool:
    words = _words(text)
    return any(words[i : i + len(name)] == name for i in range(len(words) - len(name) + 1))
