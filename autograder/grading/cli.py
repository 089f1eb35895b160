"""The command line of a teacher."""

import argparse
import sys
from pathlib import Path

from autograder.grading import commands
from autograder.grading.course import find_course
from autograder.grading.errors import CourseError

USAGE = 2  # the exit code where the user can mend it


def main(argv: list[str] | None = None) -> int:
    """Run a command; 0 when all went well, 1 when something of ours failed, 2 when the user can mend it."""
    options = _parser().parse_args(argv)
    try:
        return options.run(find_course(), options)
    except CourseError as error:
        print(f"autograder: {error}", file=sys.stderr)
        return USAGE
    except KeyboardInterrupt:
        print("autograder: stopped; what was graded is kept, run the same command to go on.", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="autograder",
        description="Build, release and grade the lessons of this course.",
        epilog="example: autograder grade mixing",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parsers = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_new(parsers)
    _add_build(parsers)
    _add_release(parsers)
    _add_grade(parsers)
    _add_report(parsers)
    _add_demo(parsers)
    _add_backup(parsers)
    _add_doctor(parsers)
    return parser


def _command(
    parsers: argparse._SubParsersAction, name: str, what: str, example: str
) -> argparse.ArgumentParser:
    return parsers.add_parser(
        name,
        help=what,
        description=what,
        epilog=f"example:\n  {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def _add_new(parsers: argparse._SubParsersAction) -> None:
    parser = _command(
        parsers,
        "new",
        "Start a lesson: a small one that works, with a placeholder wherever you have to write.",
        "autograder new positions --task rotate",
    )
    parser.add_argument("lesson", help="its name: small letters, digits and _")
    parser.add_argument("--task", default="answer_it", help="the name of its first task")
    parser.set_defaults(run=commands.new)


def _add_build(parsers: argparse._SubParsersAction) -> None:
    parser = _command(
        parsers, "build", "Make notebooks and solutions from the lessons' text.", "autograder build"
    )
    parser.add_argument("lesson", nargs="*", help="lessons to build (default: all)")
    parser.set_defaults(run=commands.build)


def _add_release(parsers: argparse._SubParsersAction) -> None:
    parser = _command(
        parsers,
        "release",
        "Build a lesson and release it to assignments/ with nbgrader.",
        "autograder release mixing",
    )
    parser.add_argument("lesson", help="the lesson to release")
    parser.set_defaults(run=commands.release)


def _add_grade(parsers: argparse._SubParsersAction) -> None:
    parser = _command(
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
    parser.add_argument("--quiet", action="store_true", help="print nothing but what went wrong")
    parser.add_argument(
        "--jobs", type=_positive, metavar="N", help="submissions graded at once (default: one a core)"
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
    parser.set_defaults(run=commands.grade)


def _add_report(parsers: argparse._SubParsersAction) -> None:
    parser = _command(
        parsers,
        "report",
        "Show how a graded class did: mistakes, tasks, scores, similar hand-ins; a page, CSV and JSON.",
        "autograder report mixing",
    )
    parser.add_argument("lesson", help="the lesson that was graded")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="the page (default: build/reports/<lesson>.html)"
    )
    parser.set_defaults(run=commands.report)


def _add_demo(parsers: argparse._SubParsersAction) -> None:
    parser = _command(
        parsers, "demo", "Take in the sample class of a lesson and grade it.", "autograder demo mixing"
    )
    parser.add_argument("lesson", help="the lesson whose samples are graded")
    parser.set_defaults(run=commands.demo)


def _add_backup(parsers: argparse._SubParsersAction) -> None:
    what = "Copy gradebook, secret, submissions and results into one archive."
    parser = _command(parsers, "backup", what, "autograder backup term.tar.gz")
    parser.add_argument(
        "archive", type=Path, nargs="?", help="the file to write (default: named by the time)"
    )
    parser.set_defaults(run=commands.backup)
    what = "Put back what a backup holds; what is there now is set aside."
    parser = _command(parsers, "restore", what, "autograder restore term.tar.gz")
    parser.add_argument("archive", type=Path, help="a file that `autograder backup` wrote")
    parser.set_defaults(run=commands.restore)


def _add_doctor(parsers: argparse._SubParsersAction) -> None:
    parser = _command(
        parsers,
        "doctor",
        "Tell what this machine has and lacks for grading, with the cure.",
        "autograder doctor",
    )
    parser.set_defaults(run=commands.doctor)


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("give a number of at least 1")
    return number
