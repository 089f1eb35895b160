"""The commands about what students handed in. What takes long to import is imported where it is needed."""

import argparse
from pathlib import Path

from autograder.commands import command
from autograder.grading.commands.parsers import LMS
from autograder.grading.course import Course

SOURCES = (*LMS, "folder", "exchange")
LOCAL_TIMES = ("moodle", "blackboard", "brightspace")  # whose times are the site's


def add(parsers: argparse._SubParsersAction) -> None:
    _add_collect(parsers)
    _add_receipt(parsers)


def _add_collect(parsers: argparse._SubParsersAction) -> None:
    parser = command(
        parsers,
        "collect",
        "Take the hand-ins out of an LMS's archive, each student's newest one.",
        "autograder collect moodle submissions.zip --assignment mixing --roster Grades.csv",
    )
    parser.add_argument("lms", choices=SOURCES, metavar="LMS", help=f"where it is from: {', '.join(SOURCES)}")
    parser.add_argument("archive", type=Path, metavar="ARCHIVE", help="a zip or tar archive, or a folder")
    parser.add_argument("--assignment", required=True, metavar="NAME", help="the lesson it belongs to")
    parser.add_argument(
        "--roster", type=Path, metavar="FILE", help="who is who: an export of the LMS, or student,lms_id"
    )
    parser.add_argument(
        "--timezone", metavar="ZONE", help="of the times the LMS shows, as Europe/Berlin (default: UTC)"
    )
    parser.set_defaults(run=collect)


def _add_receipt(parsers: argparse._SubParsersAction) -> None:
    what = "Show what was received from a student, when, and from which archive, with SHA-256."
    parser = command(parsers, "receipt", what, "autograder receipt ada mixing")
    parser.add_argument("student", metavar="STUDENT", help="the student's id")
    parser.add_argument("lesson", metavar="NAME", help="the lesson")
    parser.set_defaults(run=receipt)


def collect(course: Course, options: argparse.Namespace) -> int:
    from autograder.grading.collecting import collection, listing
    from autograder.grading.table import console

    lesson, zone = course.lesson(options.assignment), options.timezone or "UTC"
    came = collection.collect(course, lesson, options.lms, options.archive, options.roster, zone)
    console().print(listing.table(lesson, came))
    for line in listing.lines(course, lesson, came):
        print(line)
    has_times = any(placement.attempt.handed_in for placement in came.placements)
    if has_times and options.timezone is None and options.lms in LOCAL_TIMES:
        print("The LMS's times were read as UTC: give --timezone, such as Europe/Berlin, if it shows others.")
    if options.lms == "moodle" and options.roster is None:
        print("Moodle numbers students anew in each assignment, and its archive tells no times:")
        print("give its grading worksheet as --roster, which tells who is who and when.")
    if options.lms == "brightspace" and options.roster is None:
        print("The numbers in Brightspace's archive are not in its grade book, into which the grades go:")
        print("give the grade book's export as --roster before you grade.")
    return 0


def receipt(course: Course, options: argparse.Namespace) -> int:
    from autograder.grading.collecting import listing

    for line in listing.receipt(course, course.lesson(options.lesson), options.student):
        print(line)
    return 0
