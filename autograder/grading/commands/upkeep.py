"""The commands that look after a course. What takes long to import is imported where it is needed."""

import argparse
from datetime import datetime
from pathlib import Path

from autograder.commands import command
from autograder.grading.commands.parsers import INTERNAL
from autograder.grading.course import Course


def add(parsers: argparse._SubParsersAction) -> None:
    _add_backup(parsers)
    _add_doctor(parsers)


def _add_backup(parsers: argparse._SubParsersAction) -> None:
    what = "Copy gradebook, secret, submissions and results into one archive."
    parser = command(parsers, "backup", what, "autograder backup term.tar.gz")
    parser.add_argument(
        "archive", type=Path, nargs="?", help="the file to write (default: named by the time)"
    )
    parser.set_defaults(run=backup)
    what = "Put back what a backup holds; what is there now is set aside."
    parser = command(parsers, "restore", what, "autograder restore term.tar.gz")
    parser.add_argument("archive", type=Path, help="a file that `autograder backup` wrote")
    parser.set_defaults(run=restore)


def _add_doctor(parsers: argparse._SubParsersAction) -> None:
    parser = command(
        parsers,
        "doctor",
        "Tell what this machine has and lacks for grading, with the cure.",
        "autograder doctor",
    )
    parser.set_defaults(run=doctor)


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


def doctor(course: Course, _: argparse.Namespace) -> int:
    from autograder.grading.doctor import examine

    findings = examine(course)
    for finding in findings:
        print(f"{'ok  ' if finding.ok else 'LACK'} {finding.name}: {finding.detail}")
        if not finding.ok:
            print(f"     {finding.cure}")
    return 0 if all(finding.ok for finding in findings) else INTERNAL
