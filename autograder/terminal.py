"""A report as text, for a terminal. Blue and orange, and never color alone."""

import textwrap

from autograder.report import CODE, SYMBOLS, Failure, Report, State, TaskReport

_WIDTH = 100
_COLORS = {State.PASSED: "1;34", State.FAILED: "1;33"}


def rendered(report: Report, color: bool = False) -> str:
    """The whole report. `color` adds ANSI codes and changes nothing else."""
    lines: list[str] = []
    for task in report.tasks:
        lines.append(f"{_mark(task.passed, color)} {task.name}: {task.summary}")
        if task is report.detailed:
            lines += _checks(task, color)
    lines += [marked("!", note) for note in report.notes]
    stands = [f"{SYMBOLS[state]} {name}" for name, state in report.standing.items()] + [report.legend]
    kept = "  ".join(part.replace(" ", "\xa0") for part in stands)
    total = textwrap.wrap(f"{report.total}: {kept}", _WIDTH, subsequent_indent="  ")
    return "\n".join([*lines, *(line.replace("\xa0", " ") for line in total)])


def marked(mark: str, text: str) -> str:
    """A mark and what it says, on as many lines as it needs."""
    return textwrap.fill(f"{mark} {text}", _WIDTH, subsequent_indent="  ", break_on_hyphens=False)


def _checks(task: TaskReport, color: bool) -> list[str]:
    lines: list[str] = []
    for title, passed, failure, _ in task.outcomes:
        lines.append(f"  {_mark(passed, color)} {title}")
        lines += _failure(failure, task.section) if failure else []
    return lines


def _failure(failure: Failure, section: str) -> list[str]:
    lines = textwrap.wrap(failure.headline, _WIDTH, initial_indent="    ", subsequent_indent="    ")
    for label, content in [*failure.rows, *([("lesson", section)] if section else [])]:
        pieces = content.split("\n") if label in CODE else textwrap.wrap(content, _WIDTH - 15)
        lines += [f"    {label if not number else '':<9} {piece}" for number, piece in enumerate(pieces)]
    return lines


def _mark(passed: bool, color: bool) -> str:
    state = State.PASSED if passed else State.FAILED
    return f"\x1b[{_COLORS[state]}m{SYMBOLS[state]}\x1b[0m" if color else SYMBOLS[state]
