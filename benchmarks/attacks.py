"""The bank of attacks on stock nbgrader and here: `python benchmarks/attacks.py [--only NAME ...]`.

Attacks run UNCONFINED on stock nbgrader; those that could harm the machine are left out, as the table beside
them (tests/submissions/attacks/README.md) says. Controls whose result is known go through both graders, too:
where one comes out wrong, there are no numbers.
"""

import argparse
import json
import statistics
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "banks"))

from attack_bank import ATTACKS, ROOT, Row  # noqa: E402
from attacked_class import CANARIES, HONEST, AttackedClass  # noqa: E402
from hand_ins import CONTROLS, LEAKY, PLAIN, HandIns, hand_ins  # noqa: E402
from outcome import READ, REACHED, SHOWN, Outcome  # noqa: E402
from rich.console import Console  # noqa: E402
from rich import progress as bars  # noqa: E402
from rich.table import Table  # noqa: E402
from rich.text import Text  # noqa: E402
from side_ours import our_outcomes  # noqa: E402
from side_stock import StockSide  # noqa: E402

from autograder.grading.errors import CourseError  # noqa: E402
from autograder.grading.run import require_machine  # noqa: E402

STOCK, HERE = "stock nbgrader", "here"
Sides = dict[str, dict[str, Outcome]]


def main() -> int:
    options = _options()
    try:
        compare(options)
    except CourseError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Run the bank of attacks on stock nbgrader and here.")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="parts of attacks' names")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write all that was found into a file")
    one = parser.add_mutually_exclusive_group()
    one.add_argument("--ours-only", action="store_true", help="leave stock nbgrader out")
    one.add_argument("--stock-only", action="store_true", help="run stock nbgrader only")
    return parser.parse_args()


def compare(options: argparse.Namespace) -> None:
    require_machine(ATTACKS[0].lesson)
    with tempfile.TemporaryDirectory(prefix="attacks-", ignore_cleanup_errors=True) as name:
        handed_in, sides = _run(Path(name), options)
    sides = {side: _beyond_the_usual(found) for side, found in sides.items()}
    console, lines = Console(), summary(handed_in, sides)
    console.print(_table(handed_in, sides))
    for line in lines:
        console.print(line, highlight=False)
    if options.json:
        report = {side: {name: one.report() for name, one in found.items()} for side, found in sides.items()}
        options.json.write_text(json.dumps({"summary": lines, **report}, indent=1), encoding="utf-8")


def _run(folder: Path, options: argparse.Namespace) -> tuple[HandIns, Sides]:
    folder.chmod(0o711)  # an unprivileged sandbox must get to its own folder
    scratch = folder / "scratch"
    scratch.mkdir(mode=0o711)
    columns = (*bars.Progress.get_default_columns()[:2], bars.MofNCompleteColumn(), bars.TimeElapsedColumn())
    with bars.Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        attacked = AttackedClass(ROOT, folder / "ours", scratch)
        handed_in, sides = hand_ins(attacked.lesson, folder / "hand-ins", options.only), {}
        if not options.ours_only:
            sides[STOCK] = StockSide(attacked, folder).outcomes(handed_in, progress)
            check_controls(sides)
        if not options.stock_only:
            sides[HERE] = our_outcomes(attacked, handed_in, progress)
            check_controls(sides)
    return handed_in, sides


def check_controls(sides: Sides) -> None:
    """CourseError where the honest, the plain wrong or the leaky one is not seen as what it is."""
    leaky = {READ.format(", ".join(sorted(CANARIES))), REACHED}
    for side, found in sides.items():
        honest, plain = found[HONEST].points, found[PLAIN].points
        right = {
            HONEST: set(found[HONEST].found) <= {SHOWN} and sum(honest.values()) > 0,
            PLAIN: {task for task in honest if plain.get(task, 0.0) != honest[task]} == {"add_residual"},
            LEAKY: leaky <= set(found[LEAKY].found) and found[LEAKY].points == honest,
        }
        for name, is_right in right.items():
            if not is_right:
                came = f"{found[name].text}, {dict(found[name].points)}"
                raise CourseError(f"the control `{name}` is not right, {side} ({came}): mend the benchmark.")


def _beyond_the_usual(found: dict[str, Outcome]) -> dict[str, Outcome]:
    """What attackers have that the honest have not."""
    usual = found[HONEST].found
    return {name: one if name in CONTROLS else one.without(usual) for name, one in found.items()}


def summary(handed_in: HandIns, sides: Sides) -> list[str]:
    """One line each: how many succeed, with what, and what is shown to everybody."""
    lines = [_line(side, [found[name] for name in handed_in.attacks if name in found])
             for side, found in sides.items()]
    lines += [f"{side}: the feedback of everybody, honest or not, shows the hidden tests."
              for side, found in sides.items() if SHOWN in found[HONEST].found]
    if len(sides) == 2:
        both = [name for name, (_, row) in handed_in.attacks.items() if row.stock == "yes"]
        stock, here = (sum(bool(found[name].found) for name in both) for found in sides.values())
        lines.append(f"Of {len(both)} attacks that apply to both, {stock} succeed on {STOCK}, {here} {HERE}.")
    return lines


def _line(side: str, tried: list[Outcome]) -> str:
    """How many of these succeed, and how many with what."""
    kinds = Counter(kind for one in tried for kind in {word.partition(":")[0] for word in one.found})
    told = ", ".join(f"{kind} {number}" for kind, number in kinds.most_common())
    seconds = statistics.median([one.seconds for one in tried] or [0.0])
    succeed = sum(bool(one.found) for one in tried)
    return f"{side}: {succeed} of {len(tried)} attacks succeed ({told or 'nothing'}); median {seconds:.1f} s."


def _table(handed_in: HandIns, sides: Sides) -> Table:
    table = Table("attack", title="Attacks side by side")
    for side in sides:
        table.add_column(side)
        table.add_column("s", justify="right")
    for name in CONTROLS:
        table.add_row(f"control: {name}", *_cells(name, None, sides))
    section = ""
    for name, (sample, row) in handed_in.attacks.items():
        if row.section != section:
            section = row.section
            table.add_section()
            table.add_row(f"[bold]{section}")
        table.add_row(sample.path.stem.partition("--")[2], *_cells(name, row, sides))
    return table


def _cells(name: str, row: Row | None, sides: Sides) -> list[str | Text]:
    cells = []
    for found in sides.values():
        if name in found:
            style = "red" if found[name].found and row else ""
            cells += [Text(found[name].text[:200], style), f"{found[name].seconds:.1f}"]
        else:
            cells += [f"[dim]{row.stock if row else ''}", ""]
    return cells


if __name__ == "__main__":
    sys.exit(main())
