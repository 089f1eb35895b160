"""The commands that make lessons. What takes long to import is imported where it is needed."""

import argparse

from autograder.commands import command
from autograder.grading.course import Course


def add(parsers: argparse._SubParsersAction) -> None:
    _add_new(parsers)
    _add_build(parsers)
    _add_release(parsers)


def _add_new(parsers: argparse._SubParsersAction) -> None:
    parser = command(
        parsers,
        "new",
        "Start a lesson: a small one that works, with a placeholder wherever you have to write.",
        "autograder new positions --task rotate",
    )
    parser.add_argument("lesson", help="its name: small letters, digits and _")
    parser.add_argument("--task", default="answer_it", help="the name of its first task")
    parser.set_defaults(run=new)


def _add_build(parsers: argparse._SubParsersAction) -> None:
    parser = command(
        parsers, "build", "Make notebooks and solutions from the lessons' text.", "autograder build"
    )
    parser.add_argument("lesson", nargs="*", help="lessons to build (default: all)")
    parser.set_defaults(run=build)


def _add_release(parsers: argparse._SubParsersAction) -> None:
    parser = command(
        parsers,
        "release",
        "Build a lesson and release it to assignments/ with nbgrader.",
        "autograder release mixing",
    )
    parser.add_argument("lesson", help="the lesson to release")
    parser.set_defaults(run=release)


def new(course: Course, options: argparse.Namespace) -> int:
    from autograder.grading.scaffold import PLACEHOLDER, new_lesson

    for path in new_lesson(course, options.lesson, options.task):
        print(f"wrote {path.relative_to(course.root)}")
    print(f"Replace every {PLACEHOLDER}, then run `autograder release {options.lesson}` and `make test`,")
    print("which fails while one is left. CONTRIBUTING.md tells what belongs where.")
    return 0


def build(course: Course, options: argparse.Namespace) -> int:
    from autograder.grading.coursepage import write_course_page
    from autograder.grading import source

    for lesson in [course.lesson(name) for name in options.lesson] or course.lessons():
        source.build(lesson)
        print(f"built {lesson.built.relative_to(course.root)} and {lesson.solution.relative_to(course.root)}")
    write_course_page(course)
    return 0


def release(course: Course, options: argparse.Namespace) -> int:
    from autograder.grading.coursepage import write_course_page
    from autograder.grading import release as releasing

    lesson = course.lesson(options.lesson)
    releasing.release(lesson)
    write_course_page(course)
    print(f"released {lesson.release_folder.relative_to(course.root)}")
    return 0
