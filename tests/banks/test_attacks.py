"""The bank of attacks, graded as one class: each gets what its name says, gains nothing, learns nothing,
disturbs nobody and leaves nothing behind."""

import ast
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from attack_bank import (
    ATTACKS,
    BANK,
    EVERYTHING,
    ON_STOCK,
    ROOT,
    SCRIPTS,
    leaky_text,
    limits,
    plain_text,
    replaced,
    table,
    without_the_trick,
)
from attacked_class import CANARIES, GOT_THROUGH, HONEST, NUMBER, QUICK, AttackedClass, ipc_objects

from autograder.grading.samples import Sample
from autograder.grading.verdict import Spent, SubmissionResult, Verdict

HONEST_SAMPLES = ("passed--only-loops.py", "failed-mix--columns-of-shares.py")
LEAKY = "leaky"  # prints what nobody may see, so that the checks have something to find
pytestmark = pytest.mark.xdist_group("attacks")
every_attack = pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.path.stem)


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    """The class, and what came of it: `mixed`, attackers and honest together; `apart`, attackers alone, the
    other way round; `alone`, the honest alone; `plain`, the attacks without their tricks."""
    folder = tmp_path_factory.mktemp("attacks")
    with tempfile.TemporaryDirectory(prefix="scratch-") as scratch, pytest.MonkeyPatch.context() as patch:
        os.chmod(scratch, 0o711)
        patch.setenv("TMPDIR", scratch)
        patch.setenv("GRADER_PASSWORD", CANARIES["environment"])
        attacked = AttackedClass(ROOT, folder / "course", Path(scratch))
        lesson = attacked.lesson
        attackers = [attacked.hand_in(Sample(attack.path, lesson)) for attack in ATTACKS]
        honest = [Sample(ROOT / "tests/submissions/mixing" / name, lesson) for name in HONEST_SAMPLES]
        honest.append(attacked.sample(folder, HONEST, f"# {CANARIES['submission']}\n{EVERYTHING}"))
        others = [attacked.hand_in(sample) for sample in honest]
        leaky = attacked.hand_in(attacked.sample(folder, LEAKY, leaky_text()))
        plain = {without_the_trick(a): replaced(a) for a in ATTACKS if a.path.suffix == ".py"}
        for name, gone in plain.items():
            attacked.hand_in(attacked.sample(folder, name, plain_text(gone)))
        mixed = attacked.grade(sorted([*attackers, *others, leaky]), 2)
        left = [*attacked.processes(), *ipc_objects(), *os.listdir(scratch)]
        yield SimpleNamespace(
            attacked=attacked,
            mixed=mixed,
            left=left,
            apart=attacked.grade(sorted(attackers, reverse=True), 2),
            alone=attacked.grade(others, 1),
            plain=attacked.grade(plain, 1),
            failures=attacked.record(mixed.values()),
        )


def told(result: SubmissionResult) -> SubmissionResult:
    return msgspec.structs.replace(result, seconds=0.0, spent=Spent())


def judged(result: SubmissionResult) -> tuple:
    """What an attacker's result says, but for what it displayed, which may be a random name or number."""
    return result.problems, result.tasks


@every_attack
def test_an_attack_gets_the_verdicts_of_its_name(room, attack):
    result = room.mixed[attack.student]
    assert {task.name: task.verdict for task in result.tasks} == attack.expected(
        [task.name for task in result.tasks]
    ), msgspec.json.format(msgspec.json.encode(result.report())).decode()


@pytest.mark.parametrize(
    "name, said",
    [
        ("error-add_residual--fakes-replies-to-come", "The code wrote into the grader's channel."),
        ("error-add_residual--asks-for-a-function-that-is-not-lent", "Your code raised NameError"),
        ("failed-add_residual--input-mutated", "The function changed its input"),
    ],
)
def test_an_attack_on_the_harness_gets_as_far_as_it_can(room, name, said):
    """It is not its own mistake that ends it."""
    messages = [test.message for test in room.mixed[name].task("add_residual").tests]
    assert any(message.startswith(said) for message in messages), messages


def test_who_patches_the_harness_hides_a_change_of_inputs_and_no_more(room):
    result = room.mixed["failed-add_residual--the-servant-patched"].task("add_residual")
    assert not [test.message for test in result.tests if "changed its input" in test.message]
    assert result.verdict is Verdict.FAILED


@every_attack
def test_an_attack_gains_nothing(room, attack):
    """Not a point over the same submission with a plain wrong function in place of the trick."""
    attacker = room.mixed[attack.student]
    plain = {name: {task.name: task.points for task in r.tasks} for name, r in room.plain.items()}
    most = limits(attack, plain)
    assert {t.name: t.points for t in attacker.tasks if t.points > most[t.name]} == {}
    assert attacker.max_points == room.mixed[HONEST].max_points


@every_attack
def test_an_attack_learns_nothing(room, attack):
    assert room.attacked.leaks(attack.student) == {}
    assert GOT_THROUGH not in room.attacked.published(attack.student)["result"]


def test_a_leak_would_be_found(room):
    everywhere = set(CANARIES)
    assert room.attacked.leaks(LEAKY) == dict.fromkeys(("result", "autograded", "feedback"), everywhere)
    assert GOT_THROUGH in room.attacked.published(LEAKY)["result"]
    assert "submission" in room.attacked.leaks(HONEST)["autograded"]


def test_the_canaries_are_where_they_are_looked_for(room):
    course, lesson = room.attacked.course, room.attacked.lesson
    for path, place in (
        (course.root / "course_secret", "secret"),
        (lesson.hidden / "test_softmax.py", "suite"),
        (lesson.solution, "solution"),
        (course.build / "submitted" / HONEST / lesson.name / f"{lesson.name}.ipynb", "submission"),
        (course.build / "gradebook.db", "gradebook"),
    ):
        assert CANARIES[place].encode() in path.read_bytes(), path
    assert os.environ["GRADER_PASSWORD"] == CANARIES["environment"]
    assert str(NUMBER) in (lesson.hidden / "test_add_residual.py").read_text()
    assert "test_of_the_canary" in [t.name for t in room.mixed[HONEST].task("add_residual").tests]


def test_the_honest_get_what_they_get_alone(room):
    assert len(room.alone) == len(HONEST_SAMPLES) + 1
    for student, result in room.alone.items():
        assert told(room.mixed[student]) == told(result)
    assert room.alone[HONEST].points == room.alone[HONEST].max_points


@every_attack
def test_an_attack_gets_the_same_again(room, attack):
    """In a class of attackers only, in another order."""
    assert judged(room.mixed[attack.student]) == judged(room.apart[attack.student])


def test_nothing_is_left_behind(room):
    assert room.left == []


def test_what_is_left_behind_would_be_found(room, monkeypatch):
    """A process with the class's folder in its environment, and a file with an attack's name."""
    environment = {"LEFT": str(room.attacked.course.root)}
    process = subprocess.Popen([sys.executable, "-c", "input()"], env=environment, stdin=subprocess.PIPE)
    found = room.attacked.processes()
    process.communicate(b"\n")
    assert len(found) == 1 and "input()" in found[0]
    path = Path("/dev/shm/seen-by-an-attack")
    path.touch()
    found = ipc_objects()
    path.unlink()
    assert found == {str(path)}


def test_an_endless_loop_costs_its_limit_once(room):
    loops = [attack for attack in ATTACKS if "loop" in attack.student]
    for attack in loops:
        result = room.mixed[attack.student]
        limit = f"The code took longer than {QUICK.call:g} s."
        hits = [test.message for test in result.task("add_residual").tests if test.message == limit]
        assert len(hits) == 1 and result.seconds < 30
    assert loops


def test_everybody_is_recorded_but_a_name_with_a_line_break(room):
    [failure] = room.failures
    assert "line break" in failure and "rename the folder" in failure


@every_attack
def test_no_script_reaches_a_reader(room, attack):
    assert SCRIPTS.findall(room.attacked.published(attack.student).get("feedback", "")) == []


def test_scripts_would_be_found():
    tried = " ".join(attack.path.read_text(encoding="utf-8") for attack in ATTACKS)
    assert set(SCRIPTS.findall(tried)) == {"<script>alert", "<img src=x", "<svg onload"}


# ── the table ──


def test_every_attack_stands_in_the_table_and_every_file_exists():
    named = {file for row in table() for file in row.files}
    assert sorted(named) == sorted(path.name for path in BANK.iterdir() if path.name != "README.md")


def test_every_attack_says_whether_stock_nbgrader_is_to_bear_it():
    assert {row.attack: row.stock for row in table() if row.stock not in ON_STOCK} == {}


# ── what is promised ──


def test_every_promise_names_a_test_that_exists():
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", (ROOT / "SECURITY.md").read_text(encoding="utf-8"))
    assert len(named) >= 20
    for file, test in named:
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        assert test in names, f"SECURITY.md names {file}::{test}"
