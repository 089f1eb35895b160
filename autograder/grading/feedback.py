"""What a student reads about a task: as HTML for nbgrader's pages, and as plain text."""

import html
import re
from collections.abc import Iterator

from autograder.grading.verdict import TaskResult, TestResult, Verdict

SHOWN = 6  # tests that went wrong and are shown; more help nobody
LONGEST = 600  # characters of one message

# Symbol (one cell of a terminal, and in the fonts that systems bring), color that can be read on white and on
# black, and the words for it: never the color alone.
LOOKS = {
    Verdict.PASSED: ("✓", "#2e8b57", "passed"),
    Verdict.FAILED: ("✗", "#c9502c", "not right yet"),
    Verdict.ERROR: ("!", "#b0568f", "your code raised an error"),
    Verdict.TIMEOUT: ("∞", "#4a7fc1", "stopped at a limit"),
    Verdict.MISSING: ("○", "#808080", "nothing to grade"),
    Verdict.INTERNAL: ("‼", "#d03030", "the grader failed; this is not your fault, and not your score"),
}


def task_html(task: TaskResult) -> str:
    """One task's feedback as a block of HTML: inline styles only, the page's own text color, nothing
    unescaped."""
    symbol, color, words = LOOKS[task.verdict]
    said = f'<b style="color:{color}">{symbol} {_text(words)}</b>'
    parts = [f"<div>{said} · <b>{_points(task)}</b> · <code>{_text(task.name)}</code></div>"]
    parts += [_labeled(*note) for note in _mistake(task)]
    wrong = list(_wrong(task))
    if wrong:
        parts.append(f'<ul style="margin:.3em 0 .3em 1.2em;padding:0">{"".join(map(_item, wrong))}</ul>')
    parts += [_labeled(*note) for note in _notes(task)]
    style = f"border-left:.3em solid {color};padding:.2em .8em;margin:.2em 0;line-height:1.5"
    return f'<div style="{style}">{"".join(parts)}</div>'


def task_text(task: TaskResult) -> str:
    """The same as plain text, for terminals and where no HTML is shown."""
    symbol, _, words = LOOKS[task.verdict]
    lines = [f"{symbol} {task.name}: {words}, {_points(task)}"]
    lines += [f"  {label} {_tidy(text)}" for label, text in _mistake(task)]
    lines += [f"  - {' '.join(filter(None, pair))}" for pair in _wrong(task)]
    lines += [f"  {label} {_tidy(text)}" for label, text in _notes(task)]
    return "\n".join(lines)


def plain_points(points: float) -> str:
    """Points as nbgrader reads them: a plain number."""
    return repr(float(points))


def _points(task: TaskResult) -> str:
    return f"{round(task.points, 2):g} of {task.max_points:g} points"


def _wrong(task: TaskResult) -> Iterator[tuple[str, str]]:
    """Property and message of the tests that did not pass; a message that repeats is told once."""
    tests = [test for test in task.tests if test.verdict is not Verdict.PASSED]
    if task.verdict is Verdict.MISSING:
        yield (
            "",
            _tidy(next((test.message for test in tests if test.message), "The stub was left as it was.")),
        )
        return
    told: set[str] = set()
    for test in tests[:SHOWN]:
        message = _tidy(test.message)
        yield _subject(test), "" if message in told else message
        told.add(message)
    if len(tests) > SHOWN:
        yield "", f"... and {len(tests) - SHOWN} more."


def _subject(test: TestResult) -> str:
    unmet = test.verdict is Verdict.FAILED
    return f"{'Does not hold' if unmet else 'Could not be tested'}: {_tidy(test.property or test.name)}"


def _mistake(task: TaskResult) -> Iterator[tuple[str, str]]:
    """The one thing to read first: which mistake it is, and where to look."""
    if task.misconception:
        yield "This looks like:", f"{task.misconception}."
    if task.hint:
        yield "Hint:", task.hint


def _notes(task: TaskResult) -> Iterator[tuple[str, str]]:
    if task.lent:
        names = ", ".join(f"`{name}`" for name in task.lent)
        yield "Note:", f"judged with our {names} in place of yours, so that no mistake is paid for twice."
    passed = sum(test.verdict is Verdict.PASSED for test in task.tests)
    if passed and passed < len(task.tests):
        yield "What holds:", f"{passed} of {len(task.tests)} tests passed."
    if any(test.gate and test.verdict is not Verdict.PASSED for test in task.tests) and passed:
        yield (
            "Why so few points:",
            "a test that the task depends on did not pass; without it a tenth at most counts.",
        )
    if task.explanation:
        yield "Why:", task.explanation


def _labeled(label: str, text: str) -> str:
    return f'<div style="margin:.3em 0"><b>{_text(label)}</b> {prose(text)}</div>'


def _item(pair: tuple[str, str]) -> str:
    return f"<li>{'<br>'.join(prose(text) for text in pair if text)}</li>"


def _text(text: str) -> str:
    return html.escape(_tidy(text))


def prose(text: str) -> str:
    """Text as HTML on one line: escaped, with `code` set as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", _text(text))


def _tidy(text: str) -> str:
    """One line of printable characters, cut to a length: a message may quote the student's own code."""
    start = text[: LONGEST + 1]
    if not start.isprintable():
        start = "".join(char if char.isprintable() else " " for char in start)
    line = " ".join(start.split())
    return line if len(text) <= LONGEST else f"{line[:LONGEST]}..."
