"""The class as a table in the terminal: students by tasks, a symbol and the points in each place."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.grading.course import Lesson
from autograder.grading.feedback import LOOKS
from autograder.grading.verdict import SubmissionResult, TaskResult, Verdict

STYLES = {
    Verdict.PASSED: "green",
    Verdict.FAILED: "yellow",
    Verdict.ERROR: "magenta",
    Verdict.TIMEOUT: "blue",
    Verdict.MISSING: "dim",
    Verdict.INTERNAL: "bold red",
}
SYMBOLS = {verdict: (LOOKS[verdict][0], style) for verdict, style in STYLES.items()}
PLAIN_WIDTH = 200  # columns where the output is no terminal, so that nothing is cut


def console(**options: object) -> Console:
    """A console on standard output that does not wrap tables in a log file."""
    ours = Console(**options)
    return ours if ours.is_terminal else Console(width=PLAIN_WIDTH, **options)


def class_table(
    lesson: Lesson, results: list[SubmissionResult], nothing: list[str], handed_in: int
) -> Table:
    """The table of a class, or of some of the many who `handed_in`; `nothing` are the students who handed in
    nothing."""
    shown = len(results)
    count = f"{shown} handed in" if shown == handed_in else f"{shown} of {handed_in} hand-ins"
    table = Table(title=f"{lesson.name}: {count}", caption=_legend(), caption_justify="left")
    table.add_column("student", overflow="fold")
    for task in lesson.tasks:
        table.add_column("\n".join(task.name.split("_")), justify="right")
    table.add_column("total", justify="right")
    for result in sorted(results, key=lambda result: result.student):
        cells = [_cell(result.task(task.name)) for task in lesson.tasks]
        table.add_row(Text(result.student), *cells, f"{result.points:g}/{result.max_points:g}")
    for student in sorted(nothing):
        table.add_row(Text(student), *[""] * len(lesson.tasks), "nothing handed in")
    return table


def change_table(lesson: Lesson, changes: list[tuple[SubmissionResult | None, SubmissionResult]]) -> Table:
    """Whose result would change, and the tests that now end otherwise."""
    results = "1 result" if len(changes) == 1 else f"{len(changes)} results"
    table = Table(title=f"{lesson.name}: {results} would change")
    for column in ("student", "points", "why"):
        table.add_column(column, overflow="fold")
    for old, new in sorted(changes, key=lambda pair: pair[1].student):
        before = f"{old.points:g}" if old else "none"
        after = "internal" if new.internal else f"{new.points:g}"
        table.add_row(Text(new.student), f"{before} → {after}", Text("\n".join(_reasons(old, new))))
    return table


def _reasons(old: SubmissionResult | None, new: SubmissionResult) -> list[str]:
    if new.internal:
        return [problem for problem in new.problems if problem.startswith("internal: ")]
    if old is None:
        return ["not graded yet"]
    lines = [line for task in new.tasks for line in _differences(old.task(task.name), task)]
    return lines or ["the words only"]


def _differences(old: TaskResult | None, new: TaskResult) -> list[str]:
    """The tests of a task that end otherwise, or else its points, if the same ends count otherwise."""
    ends = {test.name: test.verdict for test in old.tests} if old else {}
    lines = [
        f"{new.name}: {test.name} was {ends.get(test.name, 'not there')}, is {test.verdict}"
        for test in new.tests
        if ends.get(test.name) is not test.verdict
    ]
    gone = ends.keys() - {test.name for test in new.tests}
    lines += [f"{new.name}: {name} is not there any more" for name in sorted(gone)]
    if old and not lines and (old.points, old.max_points) != (new.points, new.max_points):
        before, after = (f"{task.points:g}/{task.max_points:g}" for task in (old, new))
        lines = [f"{new.name}: {before} → {after}: the same tests hold, and count otherwise"]
    return lines


def _cell(task: TaskResult | None) -> Text:
    if task is None:
        return Text("")
    symbol, style = SYMBOLS[task.verdict]
    return Text(f"{symbol} {task.points:.3g}", style=style)


def _legend() -> str:
    return "   ".join(f"{symbol} {verdict}" for verdict, (symbol, _) in SYMBOLS.items())


def problem_lines(results: list[SubmissionResult]) -> list[str]:
    """One line a problem, for the TA."""
    return [f"{result.student}: {problem}" for result in results for problem in result.problems]
