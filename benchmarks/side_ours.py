"""The bank of attacks in a course of ours: one class, graded at once and recorded."""

import os
from unittest.mock import patch

import outcome
from attack_bank import SCRIPTS, limits
from attacked_class import CANARIES, GOT_THROUGH, HONEST, AttackedClass, ipc_objects
from hand_ins import HandIns
from outcome import Outcome
from rich.progress import Progress

from autograder.grading.limits import Limits
from autograder.grading.verdict import SubmissionResult

Points = dict[str, float]


def our_outcomes(attacked: AttackedClass, hand_ins: HandIns, progress: Progress) -> dict[str, Outcome]:
    """What came of each hand-in, by its student."""
    before, scratch = ipc_objects(), attacked.scratch
    secrets = {"TMPDIR": str(scratch), "GRADER_PASSWORD": CANARIES["environment"]}
    with patch.dict(os.environ, secrets):
        results = _graded(attacked, hand_ins, progress)
        left = [*attacked.processes(), *sorted(ipc_objects() - before), *os.listdir(scratch)]
        attacked.record(results.values())
    plain = {name: _points(results[name]) for name in hand_ins.plain}
    found = {name: _outcome(attacked, results.get(name)) for name in hand_ins.others}
    for name, (attack, _) in hand_ins.attacks.items():
        one = _outcome(attacked, results.get(name), limits(attack, plain))
        # The class is graded at once: what it left behind may be anybody's, so it is everybody's.
        all_found = (*one.found, *(outcome.LEFT.format(what) for what in left))
        found[name] = Outcome(all_found, one.points, one.seconds)
    return found


def _graded(attacked: AttackedClass, hand_ins: HandIns, bar: Progress) -> dict[str, SubmissionResult]:
    students = sorted(attacked.hand_in(sample) for sample in hand_ins.samples)
    task, results = bar.add_task("here", total=len(students)), {}
    for result in attacked.results(students, 2):
        results[result.student] = result
        bar.advance(task)
    return results


def _points(result: SubmissionResult) -> Points:
    return {task.name: task.points for task in result.tasks}


def _outcome(attacked: AttackedClass, result: SubmissionResult | None, most: Points | None = None) -> Outcome:
    if result is None or result.internal:
        return Outcome((outcome.UNGRADED,), {}, result.seconds if result else 0.0)
    points, published = _points(result), attacked.published(result.student)
    full = {task.name: task.max_points for task in result.tasks}
    places = set().union(*attacked.leaks(result.student).values())
    found = outcome.gained(points, most, full) if most is not None else []
    found += outcome.read(places - ({"submission"} if result.student == HONEST else set()))
    if GOT_THROUGH in published.get("result", ""):
        found.append(outcome.REACHED)
    if SCRIPTS.search(published.get("feedback", "")):
        found.append(outcome.SCRIPT)
    if "feedback" not in published:
        found.append(outcome.UNRECORDED)
    if result.seconds > Limits().submission:
        found.append(outcome.OVER)
    return Outcome(tuple(found), points, result.seconds)
