"""What the commands do. What takes long to import is imported where it is needed."""

import argparse
import json
import os
import sys
from datetime import datetime
from pathlib import Path

from autograder.grading.course import Course
from autograder.grading.errors import CourseError

INTERNAL = 1  # the exit code where something of ours failed


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
        results, failures = run.grade(options.student, options.regrade, options.failed)
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


def doctor(course: Course, _: argparse.Namespace) -> int:
    from autograder.grading.doctor import examine

    findings = examine(course)
    for finding in findings:
        print(f"{'ok  ' if finding.ok else 'LACK'} {finding.name}: {finding.detail}")
        if not finding.ok:
            print(f"     {finding.cure}")
    return 0 if all(finding.ok for finding in findings) else INTERNAL


def backup(course: Course, options: argparse.Namespace) -> int:
    from autograder.grading.backup import back_up

    archive = options.archive or Path(f"{course.root.name}-{datetime.now():%Y%m%d-%H%M%S}.tar.gz")
    count = back_up(course, archive)
    print(f"wrote {count} files and folders to {archive}: it holds the secret and the grades, keep it so")
    return 0


def restore(course: Course, options: argparse.Namespace) -> int:
    from autograder.grading.backup import restore as put_back

    aside = put_back(course, options.archive)
    print(f"restored {options.archive}" + (f"; what was there before is in {aside}" if aside else ""))
    return 0
