"""A report as HTML, for a notebook: readable in light and dark, and where a page strips all style."""

import re
from html import escape

from autograder.report import CODE, SYMBOLS, Failure, Report, State, TaskReport

_LIGHT = """--ok:#0b5cad;--no:#a8410a;--note:#6b4fa0;--fg:#1f2328;--soft:#57606a;--bg:#ffffff;--line:#d0d7de;
--code:#f3f4f6"""
_DARK = """--ok:#6cb6ff;--no:#ffa657;--note:#c8b1f5;--fg:#e6e8eb;--soft:#a9b1ba;--bg:#17191d;--line:#444c56;
--code:#262a30"""
# A page that says which theme it has (JupyterLab, VS Code) decides, else the system's setting does.
# `div.ag-check.ag-check` wins over what a page says about tables and code in general.
_RULES = f"""
.ag-check{{{_LIGHT}}}
@media (prefers-color-scheme:dark){{.ag-check{{{_DARK}}}}}
[data-jp-theme-light=true] .ag-check,.vscode-light .ag-check{{{_LIGHT}}}
[data-jp-theme-light=false] .ag-check,.vscode-dark .ag-check{{{_DARK}}}
& {{color:var(--fg);background:var(--bg);border:1px solid var(--line);border-radius:6px;padding:8px 12px;
max-width:46em;font:14px/1.5 var(--jp-ui-font-family,system-ui,sans-serif)}}
& p,& ul,& li{{margin:2px 0;padding:0;list-style:none}} & li,& .why{{margin-left:1.2em}}
& i{{font-style:normal;font-weight:700;display:inline-block;width:1.2em}}
& .passed>i{{color:var(--ok)}} & .failed>i{{color:var(--no)}} & .note>i{{color:var(--note)}}
& table{{border-collapse:collapse;margin:2px 0 6px 1.2em;border:0;width:auto;color:inherit;font-size:13px}}
& tr{{background:none!important;border:0}}
& th,& td{{text-align:left!important;vertical-align:top;padding:1px 10px 1px 0;border:0;
white-space:normal;max-width:none}}
& th{{color:var(--soft);font-weight:400;white-space:nowrap}}
& code,& pre{{font:12.5px/1.45 var(--jp-code-font-family,ui-monospace,Menlo,Consolas,monospace);
color:inherit;background:var(--code);border:0;border-radius:3px;padding:0 4px;margin:0}}
& pre{{white-space:pre;overflow-x:auto}} & .total{{color:var(--soft);font-size:13px;margin-top:4px}}
& .total span{{white-space:nowrap;margin-right:.5em}}
"""
_STYLE = f"<style>{_RULES.replace('& ', 'div.ag-check.ag-check ')}</style>"


def rendered(report: Report) -> str:
    """The whole report. All text of the student's and of the checks is escaped."""
    parts = [_task(task, task is report.detailed) for task in report.tasks]
    parts += [f'<p class="note"><i>!</i>{_prose(note)}</p>' for note in report.notes]
    stands = [f"<span>{SYMBOLS[state]} {escape(name)}</span>" for name, state in report.standing.items()]
    stands.append(f"<span>{escape(report.legend)}</span>")
    parts.append(f'<p class="total">{escape(report.total)}: {" ".join(stands)}</p>')
    return f'{_STYLE}<div class="ag-check" role="group" aria-label="Result of check">{"".join(parts)}</div>'


def _task(task: TaskReport, detailed: bool) -> str:
    head = f"<strong>{escape(task.name)}</strong> {escape(task.summary)}"
    checks = _checks(task) if detailed else ""
    return f'<p class="{_kind(task.passed)}">{_mark(task.passed)}{head}</p>{checks}'


def _checks(task: TaskReport) -> str:
    items: list[str] = []
    for title, passed, failure, _ in task.outcomes:
        more = _failure(failure, task.section) if failure else ""
        items.append(f'<li class="{_kind(passed)}">{_mark(passed)}{_prose(title)}{more}</li>')
    return f"<ul>{''.join(items)}</ul>"


def _failure(failure: Failure, section: str) -> str:
    rows = [*failure.rows, *([("lesson", section)] if section else [])]
    cells = "".join(
        f'<tr><th scope="row">{escape(label)}</th><td>{_content(label, text)}</td></tr>'
        for label, text in rows
    )
    return f'<p class="why">{_prose(failure.headline)}</p><table>{cells}</table>'


def _content(label: str, content: str) -> str:
    return f"<pre>{escape(content)}</pre>" if label in CODE else _prose(content)


def _prose(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _mark(passed: bool) -> str:
    symbol = SYMBOLS[State.PASSED if passed else State.FAILED]
    return f'<i role="img" aria-label="{_kind(passed)}">{symbol}</i>'


def _kind(passed: bool) -> str:
    return "passed" if passed else "failed"
