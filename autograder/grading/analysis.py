"""What a class's results say about its tasks: facility, discrimination, and the mistakes that were made."""

from collections import Counter
from collections.abc import Iterable

import msgspec
import numpy as np

from autograder.grading.course import Lesson
from autograder.grading.verdict import SubmissionResult, TaskResult, Verdict


class Mistake(msgspec.Struct, frozen=True):
    """A known mistake and how many made it."""

    task: str
    name: str
    hint: str
    count: int


class Unmet(msgspec.Struct, frozen=True):
    """A tested property and for how many it did not hold."""

    property: str
    count: int


class TaskStatistics(msgspec.Struct, frozen=True):
    """One task over the class. `facility` and `discrimination` are None where they are not defined."""

    name: str
    max_points: float
    facility: float | None
    discrimination: float | None
    verdicts: dict[str, int]
    mistakes: list[Mistake]
    unmet: list[Unmet]


def statistics(lesson: Lesson, results: list[SubmissionResult]) -> list[TaskStatistics]:
    """Each task of the lesson; shares and correlations over those results that are whole."""
    whole = [result for result in results if is_whole(lesson, result)]
    names = [task.name for task in lesson.tasks]
    points = np.array([[result.task(name).points for name in names] for result in whole], dtype=float)
    points = points.reshape(len(whole), len(names))
    totals = points.sum(axis=1)
    return [
        TaskStatistics(
            task.name,
            task.points,
            facility(points[:, column], task.points),
            discrimination(points[:, column], totals),
            *_counts([found for result in results if (found := result.task(task.name))]),
        )
        for column, task in enumerate(lesson.tasks)
    ]


def is_whole(lesson: Lesson, result: SubmissionResult) -> bool:
    """Whether a result counts: every task of the lesson is judged, and the grader did not fail."""
    return not result.internal and all(result.task(task.name) for task in lesson.tasks)


def facility(points: np.ndarray, max_points: float) -> float | None:
    """The mean share of a task's points, mean(x) / max(x): 1 where everybody had all of them.

    The item difficulty p of classical test theory, for tasks with partial credit (Crocker and Algina,
    Introduction to Classical and Modern Test Theory, 1986, ch. 14).
    """
    return float(np.mean(points) / max_points) if len(points) and max_points else None


def discrimination(points: np.ndarray, totals: np.ndarray) -> float | None:
    """The corrected item-total correlation r(x, t - x): Pearson's r of a task's points with those of all
    other tasks together. None where one of the two is the same for all, or fewer than three were graded.

    The task is taken out of the total, with which it would correlate by itself (Henrysson, Correction of
    item-total correlations in item analysis, Psychometrika 28, 1963, 211-218). Where x is all or nothing this
    is the point-biserial correlation.
    """
    rest = totals - points
    if len(points) < 3 or min(np.std(points), np.std(rest)) < 1e-9:
        return None
    return float(np.corrcoef(points, rest)[0, 1])


def common_mistakes(tasks: Iterable[TaskStatistics]) -> list[Mistake]:
    """The known mistakes of all tasks, the most common first."""
    return sorted((mistake for task in tasks for mistake in task.mistakes), key=lambda made: -made.count)


def _counts(results: list[TaskResult]) -> tuple[dict[str, int], list[Mistake], list[Unmet]]:
    verdicts = Counter(str(result.verdict) for result in results)
    return {str(verdict): verdicts[verdict] for verdict in Verdict}, _mistakes(results), _unmet(results)


def _mistakes(results: list[TaskResult]) -> list[Mistake]:
    made = [result for result in results if result.misconception]
    hints = {result.misconception: result.hint for result in made}
    counts = Counter(result.misconception for result in made).most_common()
    return [Mistake(made[0].name, name, hints[name], count) for name, count in counts]


def _unmet(results: list[TaskResult]) -> list[Unmet]:
    """What did not hold where an answer came; a function that is not there says nothing of one property."""
    wrong = [
        {test.property or test.name for test in result.tests if test.verdict is Verdict.FAILED}
        for result in results
    ]
    return [Unmet(*item) for item in Counter(words for each in wrong for words in each).most_common()]
