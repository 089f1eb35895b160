"""The commands that grade a class. What takes long to import is imported where it is needed."""

import argparse
import json
import os
import sys
from pathlib import Path

from autograder.commands import command
from autograder.grading.commands.parsers import INTERNAL, positive
from autograder.grading.course import Course
from autograder.grading.errors import CourseError


def add(parsers: argparse._SubParsersAction) -> None:
    _add_grade(parsers)
    _add_report(parsers)
    _add_demo(parsers)


def _add_grade(parsers: argparse._SubParsersAction) -> None:
    parser = command(
        parsers,
        "grade",
        "Grade what was handed in, record it in the gradebook, and show the class.",
        "autograder grade mixing\n  autograder grade mixing --from files/ --json scores.json --task softmax",
    )
    parser.add_argument("lesson", help="the lesson to grade")
    parser.add_argument("--student", nargs="+", action="extend", metavar="ID", help="only these students")
    parser.add_argument("--regrade", action="store_true", help="grade again what has a fresh result, too")
    parser.add_argument("--failed", action="store_true", help="grade again where a task did not pass")
    parser.add_argument(
        "--dry-run", action="store_true", help="show whose result would change and why; record nothing"
    )
    parser.add_argument(
        "--no-feedback",
        dest="feedback",
        action="store_false",
        help="leave the feedback for when hand grading is done",
    )
    parser.add_argument("--quiet", action="store_true", help="print nothing but what went wrong")
    parser.add_argument(
        "--jobs", type=positive, metavar="N", help="submissions graded at once (default: one a core)"
    )
    parser.add_argument(
        "--scheduler", metavar="ADDRESS", help="grade on this Dask cluster, such as tcp://10.0.0.5:8786"
    )
    parser.add_argument(
        "--from",
        dest="folder",
        type=Path,
        metavar="DIR",
        help="grade every .ipynb and .py file of DIR instead, touching nothing else; needs --json",
    )
    parser.add_argument("--json", type=Path, metavar="OUT", help="where the results of --from are written")
    parser.add_argument(
        "--task", nargs="+", action="extend", metavar="T", help="only these tasks; with --from"
    )
    parser.set_defaults(run=grade)


def _add_report(parsers: argparse._SubParsersAction) -> None:
    parser = command(
        parsers,
        "report",
        "Show how a graded class did: mistakes, tasks, scores, similar hand-ins; a page, CSV and JSON.",
        "autograder report mixing",
    )
    parser.add_argument("lesson", help="the lesson that was graded")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="the page (default: build/reports/<lesson>.html)"
    )
    parser.set_defaults(run=report)


def _add_demo(parsers: argparse._SubParsersAction) -> None:
    parser = command(
        parsers, "demo", "Take in the sample class of a lesson and grade it.", "autograder demo mixing"
    )
    parser.add_argument("lesson", help="the lesson whose samples are graded")
    parser.set_defaults(run=demo)


def grade(course: Course, options: argparse.Namespace) -> int:
    if (options.folder is None) != (options.json is None):
        raise CourseError("--from and --json go together: give both, or neither to grade the class.")
    if options.folder is None and options.task:
        raise CourseError("--task goes with --from: the class is always graded whole; leave it out.")
    for_the_class = (options.student, options.regrade, options.failed, options.dry_run)
    if options.folder is not None and any(for_the_class):
        raise CourseError(
            "--student, --regrade, --failed and --dry-run are for the class: leave them out with --from."
        )
    return grade_files(course, options) if options.folder is not None else grade_class(course, options)


def grade_files(course: Course, options: argparse.Namespace) -> int:
    from autograder.grading.results import write_whole
    from autograder.grading import run
    from autograder.grading.table import console, problem_lines

    lesson = course.lesson(options.lesson)
    if not options.json.absolute().parent.is_dir():
        raise CourseError(
            f"{options.json.parent} is not a folder: make it first, or give another place to --json."
        )
    where = (_jobs(options), console(stderr=True), options.scheduler)
    results = run.grade_files(course, lesson, options.folder, options.task, *where)
    reports = json.dumps([result.report() for result in results], indent=1, ensure_ascii=False)
    write_whole(options.json, reports.encode("utf-8", "replace"))
    internal = [result for result in results if result.internal]
    for line in problem_lines(internal):
        print(f"autograder: {line}", file=sys.stderr)
    print(f"graded {len(results)} files into {options.json}")
    return INTERNAL if internal else 0


def grade_class(course: Course, options: argparse.Namespace) -> int:
    from autograder.grading import gradebook
    from autograder.grading.release import ensure_released
    from autograder.grading.run import ClassRun
    from autograder.grading.table import change_table, console

    lesson, screen = course.lesson(options.lesson), console(quiet=options.quiet)
    gradebook.await_in_place(course, screen.print)
    ensure_released(course, lesson)
    run = ClassRun(course, lesson, screen, _jobs(options), options.scheduler)
    if options.dry_run:
        changes, failures = run.propose(options.student)
        screen.print(change_table(lesson, changes) if changes else "Nobody's result would change.")
        results = [new for _, new in changes]
    else:
        results, failures = run.grade(options.student, options.regrade, options.failed, options.feedback)
        run.show(results)
    for failure in failures:
        print(f"autograder: {failure}", file=sys.stderr)
    return INTERNAL if failures or any(result.internal for result in results) else 0


def report(course: Course, options: argparse.Namespace) -> int:
    from autograder.grading import report as reporting
    from autograder.grading.reportfiles import write_report

    lesson = course.lesson(options.lesson)
    page = options.out or course.build / "reports" / f"{lesson.name}.html"
    if page.suffix != ".html" or page.is_dir():
        raise CourseError(f"{page} cannot be the page: give --out a file that ends in .html.")
    if options.out and not page.absolute().parent.is_dir():
        raise CourseError(f"{page.parent} is not a folder: make it first, or give another place to --out.")
    for path in write_report(reporting.report(course, lesson), page):
        print(f"wrote {path}")
    return 0


def demo(course: Course, options: argparse.Namespace) -> int:
    from autograder.grading.demo import broken_promises, take_in_class
    from autograder.grading import release as releasing
    from autograder.grading.run import ClassRun
    from autograder.grading.table import console

    lesson = course.lesson(options.lesson)
    releasing.release(lesson)
    wanted = take_in_class(course, lesson)
    run = ClassRun(course, lesson, console(), len(os.sched_getaffinity(0)))
    results, failures = run.grade(None, regrade=False)
    lines = [*failures, *broken_promises(wanted, results)]
    run.show(results)
    for line in lines:
        print(f"autograder: {line}", file=sys.stderr)
    print(
        "the table agrees with the names of the samples"
        if not lines
        else "the table does not agree with the names"
    )
    return INTERNAL if lines else 0


def _jobs(options: argparse.Namespace) -> int:
    return options.jobs or len(os.sched_getaffinity(0))
