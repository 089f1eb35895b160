"""The command that packs the course for students."""

import argparse
from pathlib import Path

from autograder.commands import command
from autograder.grading.course import Course
from autograder.grading.errors import CourseError


def add(parsers: argparse._SubParsersAction) -> None:
    what = "Pack the released lessons, the student wheel and a page on how to start into one archive."
    parser = command(parsers, "student-pack", what, "autograder student-pack")
    parser.add_argument(
        "archive", type=Path, nargs="?", help="the file to write (default: build/student-pack.zip)"
    )
    parser.set_defaults(run=student_pack)


def student_pack(course: Course, options: argparse.Namespace) -> int:
    from autograder.grading.studentpack import write_pack

    if options.archive is not None:
        _require_place(options.archive)
    archive = options.archive or course.build / "student-pack.zip"
    names = write_pack(course, archive)
    print(f"packed {len(names)} files into {archive}: START.html in it tells students how to start")
    return 0


def _require_place(archive: Path) -> None:
    if archive.suffix != ".zip" or archive.is_dir():
        raise CourseError(f"{archive} cannot be the archive: give a file that ends in .zip.")
    if not archive.absolute().parent.is_dir():
        raise CourseError(f"{archive.parent} is not a folder: make it first, or give another place.")
