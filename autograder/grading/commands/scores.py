"""The command that writes grades for an LMS. What takes long to import is imported where it is needed."""

import argparse
import sys
from pathlib import Path

from autograder.commands import command
from autograder.grading.commands.parsers import LMS
from autograder.grading.course import Course


def add(parsers: argparse._SubParsersAction) -> None:
    parser = command(
        parsers,
        "export",
        "Write a lesson's grades as an LMS takes them: into its own table, or as the least that it takes.",
        "autograder export canvas --assignment mixing --template gradebook.csv --out upload.csv\n"
        "  autograder export moodle --assignment mixing --template worksheet.csv --out feedback.zip",
    )
    parser.add_argument("lms", choices=LMS, help="where the grades go")
    parser.add_argument("--assignment", required=True, metavar="NAME", help="the lesson")
    parser.add_argument(
        "--out",
        required=True,
        type=Path,
        metavar="FILE",
        help="the file to write; for Moodle, .zip makes it the feedback to upload",
    )
    parser.add_argument(
        "--template", type=Path, metavar="FILE", help="the table as the LMS wrote it, which is filled in"
    )
    parser.add_argument(
        "--column", default="", metavar="TITLE", help="the column, if not found by the lesson"
    )
    parser.add_argument("--student", nargs="+", action="extend", metavar="ID", help="only these students")
    parser.add_argument("--skip", nargs="+", action="extend", metavar="ID", help="not these students")
    parser.add_argument(
        "--missing-as-zero", action="store_true", help="give 0 points to who handed in nothing"
    )
    parser.set_defaults(run=export)


def export(course: Course, options: argparse.Namespace) -> int:
    from autograder.grading import gradebook

    plugin = _exporter(options.lms)(
        assignment=[options.assignment],
        to=str(options.out),
        template=str(options.template or ""),
        column=options.column,
        student=options.student or [],
        skip=options.skip or [],
        missing_as_zero=options.missing_as_zero,
    )
    gradebook.await_in_place(course, _say)
    with gradebook.opened(course) as book:
        print(f"wrote {plugin.write(book, course, _say)}")
    return 0


def _exporter(lms: str) -> type:
    from autograder.grading.exporting.blackboard import BlackboardExporter
    from autograder.grading.exporting.brightspace import BrightspaceExporter
    from autograder.grading.exporting.canvas import CanvasExporter
    from autograder.grading.exporting.moodle import MoodleExporter

    exporters = (BlackboardExporter, BrightspaceExporter, CanvasExporter, MoodleExporter)
    return next(exporter for exporter in exporters if exporter.lms == lms)


def _say(line: str) -> None:
    print(line, file=sys.stderr)
