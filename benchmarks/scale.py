"""How grading goes on with a class of thousands: `python benchmarks/scale.py --submissions 2000`.

The rate of the last hundred against that of the first, the memory of the first and the last tenth of the
run, a second run with nothing changed, and one worker against two.
"""

import argparse
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

from handed_in_class import course_copy, hand_in, notebooks
from measured import measured
from rich.console import Console
from rich.table import Table
from speed import AUTOGRADER, ROOT

from autograder.grading.course import Course, Lesson
from autograder.grading.limits import MIB

AT_ONCE = 100  # submissions over which a rate is taken
COMPARED = 300  # that one worker and two grade in turn: to start costs as much as ten of them


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure how grading goes on with a large class.")
    parser.add_argument("lesson", nargs="?", default="mixing", help="the lesson to measure")
    parser.add_argument("--submissions", type=int, default=2000, metavar="N", help="hand-ins of it")
    options = parser.parse_args()
    if options.submissions < 2 * AT_ONCE:
        parser.error(f"give at least {2 * AT_ONCE} submissions")
    with tempfile.TemporaryDirectory(prefix="scale-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o711)  # an unprivileged sandbox must get to its own folder
        lesson = course_copy(Course(ROOT), Course(ROOT).lesson(options.lesson), Path(folder) / "course")
        made = notebooks(lesson, options.submissions, Path(folder) / "texts")
        hand_in(lesson, made)
        Console().print(_table(_long(lesson) | _workers(lesson, list(made)[:COMPARED])))
    return 0


def _long(lesson: Lesson) -> dict[str, str]:
    grade = [AUTOGRADER, "grade", lesson.name, "--quiet"]
    first = measured([*grade, "--no-feedback"], lesson.root)
    moments = _moments(lesson, "results")
    early, late = (AT_ONCE / (part[-1] - part[0]) for part in (moments[:AT_ONCE], moments[-AT_ONCE:]))
    tenth = max(1, len(first.memory) // 10)
    # The beginning of the run, when workers start, is no measure of what one submission leaves behind.
    before, after = (
        statistics.median(part) / MIB for part in (first.memory[tenth : 2 * tenth], first.memory[-tenth:])
    )
    pages, again = measured(grade, lesson.root), measured(grade, lesson.root)
    return {
        "submissions": str(len(moments)),
        "seconds to grade and record": f"{first.wall:.0f}",
        "seconds to write the feedback": f"{pages.wall:.0f}",
        f"graded a second, first {AT_ONCE}": f"{early:.2f}",
        f"graded a second, last {AT_ONCE}": f"{late:.2f} ({late / early:.0%})",
        "MiB in the second tenth": f"{before:.0f}",
        "MiB in the last tenth": f"{after:.0f} ({after / before:.0%})",
        "seconds of a second run": f"{again.wall:.1f}",
    }


def _moments(lesson: Lesson, room: str) -> list[float]:
    """When each result was kept, in order."""
    results = (lesson.root / "build" / room / lesson.name).glob("*.json")
    return sorted(path.stat().st_mtime for path in results)


def _workers(lesson: Lesson, students: list[str]) -> dict[str, str]:
    """One worker and two in turn, over the same submissions; the median ratios of three rounds."""
    whole, at_work = [], []
    for _ in range(3):
        (long, slow), (short, fast) = (_with_workers(lesson, students, jobs) for jobs in (1, 2))
        whole.append(long / short)
        at_work.append(fast / slow)
    return {
        "two workers against one, the whole run": _ratio(whole),
        "two workers against one, once at work": _ratio(at_work),
    }


def _with_workers(lesson: Lesson, students: list[str], jobs: int) -> tuple[float, float]:
    """Seconds of a run that records nothing, and the submissions it graded in a second from the first on."""
    for room in ("results", "proposed"):
        shutil.rmtree(lesson.root / "build" / room, ignore_errors=True)
    command = [AUTOGRADER, "grade", lesson.name, "--quiet", "--dry-run", "--jobs", str(jobs), "--student"]
    seconds = measured([*command, *students], lesson.root, weighed=False).wall
    moments = _moments(lesson, "proposed")
    return seconds, (len(moments) - 1) / (moments[-1] - moments[0])


def _ratio(ratios: list[float]) -> str:
    spread = ", ".join(f"{ratio:.2f}" for ratio in sorted(ratios))
    return f"{statistics.median(ratios):.2f} times ({spread})"


def _table(found: dict[str, str]) -> Table:
    table = Table(title="A large class", show_header=False)
    for name, value in found.items():
        table.add_row(name, value)
    return table


if __name__ == "__main__":
    sys.exit(main())
