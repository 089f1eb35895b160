"""The command line of a teacher."""

import argparse
import errno
import sys

from autograder import commands as student
from autograder.grading.commands import containers, grades, handins, lessons, packs, scores, upkeep
from autograder.grading.course import find_course
from autograder.grading.errors import CourseError

USAGE = 2  # the exit code where the user can mend it
CURES = {
    errno.ENOSPC: "make room",
    errno.EDQUOT: "make room within your quota",
    errno.EROFS: "make it writable",
    errno.EACCES: "take the right to use it",
}
GROUPS = (
    lessons,
    handins,
    grades,
    scores,
    upkeep,
    packs,
    student,  # listed here for the help; `autograder` runs them without the engine
    containers,
)


def main(argv: list[str] | None = None) -> int:
    """Run a command; 0 when all went well, 1 when something of ours failed, 2 when the user can mend it."""
    options = _parser().parse_args(argv)
    try:
        return options.run(find_course(), options)
    except CourseError as error:
        print(f"autograder: {error}", file=sys.stderr)
        return USAGE
    except OSError as error:
        if error.errno not in CURES:
            raise
        place = error.filename or "a disk that is written to"
        print(
            f"autograder: {place}: {error.strerror}: {CURES[error.errno]}, and run the same command again.",
            file=sys.stderr,
        )
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
    for group in GROUPS:
        group.add(parsers)
    return parser
