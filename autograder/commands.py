"""The commands of a student: a check of what is saved, and the last look before handing in."""

import argparse
import contextlib
import sys
import time
from pathlib import Path

from autograder import document, handin, manifest, screen, terminal, watch
from autograder.lesson import LessonError
from autograder.report import Report
from autograder.rerun import rerun
from autograder.work import work_at

NAMES = ("check", "submit-check")
USAGE = 2  # the exit code where the student can mend it
_SAID = {
    handin.Mark.FINE: "Ready to be handed in.",
    handin.Mark.LOOK: f"It can be handed in; first look at what is marked {handin.Mark.LOOK}.",
    handin.Mark.WRONG: f"Mend what is marked {handin.Mark.WRONG}, save, and look again.",
}


def add(parsers: argparse._SubParsersAction) -> None:
    """Their options. As for every command, `run` gets the course, which students do without."""
    _add_check(parsers)
    _add_submit_check(parsers)


def _add_check(parsers: argparse._SubParsersAction) -> None:
    what = "Run your own notebook or Python file afresh, and the lesson's checks on its functions."
    parser = command(parsers, "check", what, "autograder check mixing.ipynb --task softmax --watch")
    parser.add_argument("path", type=Path, metavar="PATH", help="the notebook or .py file")
    parser.add_argument("--task", nargs="+", action="extend", metavar="T", help="only these tasks")
    parser.add_argument("--watch", action="store_true", help="check again at each save, until Ctrl-C")
    parser.set_defaults(run=check)


def _add_submit_check(parsers: argparse._SubParsersAction) -> None:
    what = "The last look before handing in: name, cells, size, a fresh run; and a receipt to keep."
    parser = command(parsers, "submit-check", what, "autograder submit-check mixing.ipynb")
    parser.add_argument("path", type=Path, metavar="PATH", help="the notebook or .py file")
    parser.set_defaults(run=submit_check)


def command(
    parsers: argparse._SubParsersAction, name: str, what: str, example: str
) -> argparse.ArgumentParser:
    """The parser of one command, with a line about it and an example."""
    return parsers.add_parser(
        name,
        help=what,
        description=what,
        epilog=f"example:\n  {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def main(argv: list[str]) -> int:
    """Run one of these commands; 0 when all is well, 1 when there is something to do, 2 when it cannot
    run."""
    what = "Look at your work before you hand it in."
    parser = argparse.ArgumentParser(prog="autograder", description=what)
    add(parser.add_subparsers(required=True, metavar="COMMAND"))
    options = parser.parse_args(argv)
    try:
        return options.run(None, options)
    except LessonError as problem:
        print(f"autograder: {problem}", file=sys.stderr)
        return USAGE
    except KeyboardInterrupt:
        print("autograder: stopped.", file=sys.stderr)
        return 130


def check(_course: object, options: argparse.Namespace) -> int:
    path = work_at(options.path)
    if options.watch:
        return _watch(path, options.task)
    report = _checked(path, options.task, "")
    return 0 if all(task.passed for task in report.tasks) else 1


def submit_check(_course: object, options: argparse.Namespace) -> int:
    work = document.read(work_at(options.path))
    try:
        run = rerun(work)
    except LessonError as problem:
        run = str(problem)
    found = handin.findings(work, manifest.beside(work.path), run)
    for mark, text in found:
        screen.show_text(terminal.marked(mark, text))
    screen.show_text(_SAID[handin.worst(found)])
    screen.show_text(handin.receipt(work))
    return 1 if handin.worst(found) is handin.Mark.WRONG else 0


def _checked(path: Path, tasks: list[str] | None, first: str) -> Report:
    """Check what is saved and show it, with the task that comes `first` in front; what stopped before any
    check may be why one fails, and is said before all."""
    run = rerun(document.read(path), tasks)
    for trouble in run.broken:
        screen.show_text(terminal.marked("!", str(trouble)))
    report = run.report._replace(tasks=sorted(run.report.tasks, key=lambda task: task.name != first))
    screen.show_text(terminal.rendered(report), terminal.rendered(report, color=True))
    return report


def _watch(path: Path, tasks: list[str] | None) -> int:
    """Check at each save, until Ctrl-C; what failed the last time comes first. `LessonError` where there is
    nothing to wait for."""
    document.read(path)
    first = ""
    with contextlib.suppress(KeyboardInterrupt):
        while True:
            seen = watch.stamp(path)
            try:
                failed = [task.name for task in _checked(path, tasks, first).tasks if not task.passed]
                first = failed[0] if failed else ""
            except LessonError as problem:  # half a file, or a slip that the next save mends
                screen.show_text(f"autograder: {problem}")
            now = time.strftime("%H:%M:%S")
            screen.show_text(f"── {now} · waiting for {path.name} to be saved; Ctrl-C ends ──")
            watch.wait_for_save(path, seen)
    return 0
