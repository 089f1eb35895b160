"""The commands of a teacher: `autograder new`, `build`, `release`, `grade`, `doctor`."""

import argparse
import json
import os
import sys
from pathlib import Path

from autograder.grading.course import Course, find_course
from autograder.grading.errors import CourseError

INTERNAL, USAGE = 1, 2  # exit codes


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
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_new(commands)
    _add_build(commands)
    _add_release(commands)
    _add_grade(commands)
    _add_demo(commands)
    _add_doctor(commands)
    return parser


def _command(
    commands: argparse._SubParsersAction, name: str, what: str, example: str
) -> argparse.ArgumentParser:
    return commands.add_parser(
        name,
        help=what,
        description=what,
        epilog=f"example:\n  {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def _add_new(commands: argparse._SubParsersAction) -> None:
    parser = _command(
        commands,
        "new",
        "Start a lesson: a small one that works, with a placeholder wherever you have to write.",
        "autograder new positions --task rotate",
    )
    parser.add_argument("lesson", help="its name: small letters, digits and _")
    parser.add_argument("--task", default="answer_it", help="the name of its first task")
    parser.set_defaults(run=_new)


def _add_build(commands: argparse._SubParsersAction) -> None:
    parser = _command(
        commands, "build", "Make notebooks and solutions from the lessons' text.", "autograder build"
    )
    parser.add_argument("lesson", nargs="*", help="lessons to build (default: all)")
    parser.set_defaults(run=_build)


def _add_release(commands: argparse._SubParsersAction) -> None:
    parser = _command(
        commands,
        "release",
        "Build a lesson and release it to assignments/ with nbgrader.",
        "autograder release mixing",
    )
    parser.add_argument("lesson", help="the lesson to release")
    parser.set_defaults(run=_release)


def _add_grade(commands: argparse._SubParsersAction) -> None:
    parser = _command(
        commands,
        "grade",
        "Grade what was handed in, record it in the gradebook, and show the class.",
        "autograder grade mixing\n  autograder grade mixing --from files/ --json scores.json --task softmax",
    )
    parser.add_argument("lesson", help="the lesson to grade")
    parser.add_argument("--student", nargs="+", action="extend", metavar="ID", help="only these students")
    parser.add_argument("--regrade", action="store_true", help="grade again what has a fresh result, too")
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
    parser.set_defaults(run=_grade)


def _add_demo(commands: argparse._SubParsersAction) -> None:
    parser = _command(
        commands, "demo", "Take in the sample class of a lesson and grade it.", "autograder demo mixing"
    )
    parser.add_argument("lesson", help="the lesson whose samples are graded")
    parser.set_defaults(run=_demo)


def _add_doctor(commands: argparse._SubParsersAction) -> None:
    parser = _command(
        commands,
        "doctor",
        "Tell what this machine has and lacks for grading, with the cure.",
        "autograder doctor",
    )
    parser.set_defaults(run=_doctor)


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("give a number of at least 1")
    return number


def _new(course: Course, options: argparse.Namespace) -> int:
    from autograder.grading.scaffold import PLACEHOLDER, new_lesson

    for path in new_lesson(course, options.lesson, options.task):
        print(f"wrote {path.relative_to(course.root)}")
    print(f"Replace every {PLACEHOLDER}, then run `autograder release {options.lesson}` and `make test`,")
    print("which fails while one is left. CONTRIBUTING.md tells what belongs where.")
    return 0


def _build(course: Course, options: argparse.Namespace) -> int:
    from autograder.grading.coursepage import write_course_page
    from autograder.grading.source import build

    for lesson in [course.lesson(name) for name in options.lesson] or course.lessons():
        build(lesson)
        print(f"built {lesson.built.relative_to(course.root)} and {lesson.solution.relative_to(course.root)}")
    write_course_page(course)
    return 0


def _release(course: Course, options: argparse.Namespace) -> int:
    from autograder.grading.coursepage import write_course_page
    from autograder.grading.release import release

    lesson = course.lesson(options.lesson)
    release(lesson)
    write_course_page(course)
    print(f"released {lesson.release_folder.relative_to(course.root)}")
    return 0


def _grade(course: Course, options: argparse.Namespace) -> int:
    if (options.folder is None) != (options.json is None):
        raise CourseError("--from and --json go together: give both, or neither to grade the class.")
    if options.folder is None and options.task:
        raise CourseError("--task goes with --from: the class is always graded whole; leave it out.")
    if options.folder is not None and (options.student or options.regrade):
        raise CourseError("--student and --regrade are for the class: leave them out with --from.")
    return _grade_files(course, options) if options.folder is not None else _grade_class(course, options)


def _grade_files(course: Course, options: argparse.Namespace) -> int:
    from autograder.grading.results import write_whole
    from autograder.grading.run import grade_files
    from autograder.grading.table import console, problem_lines

    lesson = course.lesson(options.lesson)
    if not options.json.absolute().parent.is_dir():
        raise CourseError(
            f"{options.json.parent} is not a folder: make it first, or give another place to --json."
        )
    where = (_jobs(options), console(stderr=True), options.scheduler)
    results = grade_files(course, lesson, options.folder, options.task, *where)
    reports = json.dumps([result.report() for result in results], indent=1, ensure_ascii=False)
    write_whole(options.json, reports.encode("utf-8", "replace"))
    internal = [result for result in results if result.internal]
    for line in problem_lines(internal):
        print(f"autograder: {line}", file=sys.stderr)
    print(f"graded {len(results)} files into {options.json}")
    return INTERNAL if internal else 0


def _grade_class(course: Course, options: argparse.Namespace) -> int:
    from autograder.grading.release import ensure_released
    from autograder.grading.run import ClassRun
    from autograder.grading.table import console

    lesson = course.lesson(options.lesson)
    ensure_released(course, lesson)
    run = ClassRun(course, lesson, console(), _jobs(options), options.scheduler)
    results, failures = run.grade(options.student, options.regrade)
    run.show(results)
    for failure in failures:
        print(f"autograder: {failure}", file=sys.stderr)
    return INTERNAL if failures or any(result.internal for result in results) else 0


def _demo(course: Course, options: argparse.Namespace) -> int:
    from autograder.grading.demo import broken_promises, take_in_class
    from autograder.grading.release import release
    from autograder.grading.run import ClassRun
    from autograder.grading.table import console

    lesson = course.lesson(options.lesson)
    release(lesson)
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


def _doctor(course: Course, _: argparse.Namespace) -> int:
    from autograder.grading.doctor import examine

    findings = examine(course)
    for finding in findings:
        print(f"{'ok  ' if finding.ok else 'LACK'} {finding.name}: {finding.detail}")
        if not finding.ok:
            print(f"     {finding.cure}")
    return 0 if all(finding.ok for finding in findings) else INTERNAL
