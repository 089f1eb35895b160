"""Ten thousand replies as no honest sandbox gives them: none crashes, hangs or misleads the grader."""

import contextlib
import copy
import os
import random
import shutil
import socket
import struct
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from nbformat import from_dict, validate
from nbformat.v4 import new_code_cell, new_notebook

from autograder.grading import bench, sandboxes
from autograder.grading.bench import Bench, BudgetSpent
from autograder.grading.cells import Cell, Submission
from autograder.grading.faults import StudentFault, StudentRefused
from autograder.grading.limits import Limits
from autograder.grading.outputs import cleaned
from autograder.grading.sandboxes import StudentProcessEnded
from autograder.grading.student import CallRecord, Student
from autograder.grading.verdict import Verdict
from autograder.grading.work import Work
from autograder.sandbox.messages import Absent, LentCall, Raised, Ran, Ready, Refused, Returned
from autograder.sandbox.orders import Reaped
from autograder.sandbox.wire import Handle, Packer

RIGHT, TICKET = 20261957.25, 1
PACKED = [
    Packer().pack(value)
    for value in (
        RIGHT,
        "text",
        [1, [2.5, None]],
        (True, {"a": 1j}),
        np.arange(6.0).reshape(2, 3),
        np.eye(2) > 0,
    )
]
OUTPUTS = [
    {"output_type": "stream", "name": "stdout", "text": "1"},
    {"output_type": "error", "ename": "E", "evalue": "no", "traceback": ["E: no"]},
    {"output_type": "execute_result", "data": {"text/plain": "1"}, "metadata": {}, "execution_count": 1},
    {"output_type": "display_data", "data": {"image/svg+xml": "<svg/>", "text/plain": "1"}, "metadata": {}},
]
REPLIES = [
    *(Returned(TICKET, value, changed) for value in PACKED for changed in (False, True)),
    Raised(TICKET, "ValueError", "no", 2, 1),
    Raised(TICKET, "MemoryError", "", -1, 0),
    Absent(TICKET),
    Refused(TICKET, "an array of dtype object"),
    Ready(TICKET, ""),
    LentCall(7, "loan1", Packer().pack((2.0,)), Packer().pack({})),
    Returned(TICKET, Handle(0)),
]
RAN = [
    *(Ran(TICKET, [output], error, "b") for output in OUTPUTS for error in ("", "MemoryError", "Odd")),
    *(Ran(TICKET, [], "", value) for value in PACKED),
]
ODD = (
    None,
    True,
    -1,
    2**63,
    2**64 - 1,
    1.5,
    float("nan"),
    "",
    "softmax",
    b"",
    b"\0" * 8,
    [],
    {},
    [[]],
    ["list", []],
)


def frame(data: bytes) -> bytes:
    return struct.pack("<I", len(data)) + data


def flipped(data: bytes, chance: random.Random) -> bytes:
    flips = bytearray(data)
    for _ in range(chance.randrange(1, 6)):
        flips[chance.randrange(len(flips))] = chance.randrange(256)
    return bytes(flips)


def cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data))]


def spliced(data: bytes, chance: random.Random) -> bytes:
    place = chance.randrange(len(data))
    return data[:place] + chance.randbytes(chance.randrange(1, 9)) + data[place + chance.randrange(9) :]


def other_parts(data: bytes, chance: random.Random) -> bytes:
    """Another part somewhere in the tree: well-formed MessagePack of a wrong kind."""
    tree = msgspec.msgpack.decode(data[4:])
    node = tree
    while chance.random() < 0.7:
        inner = [part for part in node if isinstance(part, list) and part]
        if not inner:
            break
        node = chance.choice(inner)
    place = chance.randrange(len(node))
    node[place] = copy.deepcopy(chance.choice((*ODD, node, tree) if chance.random() < 0.2 else ODD))
    return frame(msgspec.msgpack.encode(tree))


def noise(_: bytes, chance: random.Random) -> bytes:
    return chance.randbytes(chance.randrange(1, 200))


def whole(data: bytes, _: random.Random) -> bytes:
    return data


MUTATIONS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    flipped,
    cut,
    spliced,
    other_parts,
    other_parts,
    noise,
    whole,
    whole,
    whole,
)


def said(chance: random.Random, replies: list) -> bytes:
    """One to three replies, each spoilt in some way."""
    chosen = chance.choices(replies, k=chance.choice((1, 1, 1, 2, 3)))
    return b"".join(chance.choice(MUTATIONS)(frame(msgspec.msgpack.encode(r)), chance) for r in chosen)


class Fakes:
    """In the place of a template: its forks are one dead process, which says what it is given to say."""

    owner, lacking = None, ()

    def __init__(self):
        self.pid = os.fork()
        if self.pid == 0:
            os._exit(0)
        self.says, self.later, self.stays, self.open_ends = b"", [], False, []

    def fork(self, _order: Any, descriptor: int) -> int:
        end = socket.socket(fileno=os.dup(descriptor))
        end.sendall(frame(msgspec.msgpack.encode(Ready(0, ""))) + self.says)
        self.says = self.later.pop() if self.later else self.says
        self.open_ends.append(end)
        if not self.stays:
            end.shutdown(socket.SHUT_WR)
        return self.pid

    def hang_up(self) -> None:
        while self.open_ends:
            self.open_ends.pop().close()

    def reap(self, _pid: int) -> Reaped:
        return Reaped(0, 0)


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bench, "remove", shutil.rmtree)  # a process for each would take most of the time
    monkeypatch.setattr(sandboxes, "GRACE", 0.05)
    made = Fakes()
    yield made
    made.hang_up()
    os.waitpid(made.pid, 0)


def outcome(fakes: Fakes, folder: Path, says: bytes, stays: bool = False) -> Any:
    """What a test would see of a call that is answered so: a value, or whose fault it is."""
    with benched(fakes, folder, says, stays, []) as bench:
        try:
            return Student(bench, "level", {}).ask(CallRecord("level", (abs, 2.0))).value
        except StudentFault as fault:
            return fault


@contextlib.contextmanager
def benched(fakes: Fakes, folder: Path, says: bytes, stays: bool, cells: list[Cell]) -> Iterator[Bench]:
    fakes.says, fakes.stays = says, stays
    submission, none = Submission("s", "tides", "notebook", cells, []), frozenset()
    work = Work(submission, none, none, frozenset({"cause_stub"}), {}, [])
    made = Bench(fakes, work, Limits(call=0.05, cell=0.05), 60.0, folder, set())
    try:
        yield made
    finally:
        made.close()
        fakes.hang_up()


def is_data(value: Any) -> bool:
    match value:
        case None | bool() | int() | float() | complex() | str() | np.ndarray():
            return True
        case list() | tuple():
            return all(map(is_data, value))
        case dict():
            return all(map(is_data, [*value.keys(), *value.values()]))
    return False


@pytest.mark.parametrize("seed", range(10))
def test_no_reply_crashes_hangs_or_misleads_the_grader(fakes: Fakes, tmp_path: Path, seed: int):
    """It ends in data, or in a fault of the submission's; a thousand times for each seed."""
    chance, seen = random.Random(seed), {}
    started = time.monotonic()
    for _ in range(1000):
        came = outcome(fakes, tmp_path, said(chance, REPLIES), stays=chance.random() < 0.1)
        if isinstance(came, StudentFault):
            assert came.verdict in (Verdict.ERROR, Verdict.FAILED, Verdict.MISSING, Verdict.TIMEOUT)
            seen[type(came)] = seen.get(type(came), 0) + 1
        else:
            assert is_data(came), came
            seen["data"] = seen.get("data", 0) + 1
    assert len(seen) == 5, seen  # of every way to end
    assert time.monotonic() - started < 120


@pytest.mark.parametrize("count", [True, -1, 2**63, 1.5, "1", None, 7])
def test_whatever_number_an_output_gives_itself_a_notebook_may_hold_it(count: Any):
    result = OUTPUTS[2] | {"execution_count": count}
    notebook = new_notebook(cells=[new_code_cell(outputs=cleaned([result], Limits()))])
    validate(from_dict(notebook))
    assert notebook.cells[0].outputs[0]["execution_count"] == (7 if count == 7 else None)


@pytest.mark.parametrize("seed", range(3))
def test_no_reply_to_a_cell_crashes_or_hangs_the_grader(fakes: Fakes, tmp_path: Path, seed: int):
    """Outputs stay such as a notebook may hold, and an answer is data or the submission's fault."""
    chance, answers = random.Random(seed), set()
    for _ in range(1000):
        cells = [Cell("cause_stub", "answer = 'b'", "code", 0)]
        with benched(fakes, tmp_path, said(chance, RAN), chance.random() < 0.1, cells) as bench:
            with contextlib.suppress(BudgetSpent, StudentProcessEnded):
                bench.open()
            notebook = new_notebook(cells=[new_code_cell(outputs=bench.outputs[0])])
            validate(from_dict(notebook))
            try:
                answer = Student(bench, "cause", {}).answer
                assert is_data(answer)
                answers.add(str(answer))
            except StudentFault as fault:
                answers.add(type(fault))
    assert {"b", "None", StudentRefused} <= answers


def test_a_reply_to_another_request_is_no_answer(fakes: Fakes, tmp_path: Path):
    def asked(*replies: Any) -> Any:
        return outcome(fakes, tmp_path, b"".join(frame(msgspec.msgpack.encode(reply)) for reply in replies))

    assert asked(Returned(TICKET, RIGHT)) == RIGHT
    for ticket in (0, 2, -1, 2**62):
        assert isinstance(asked(Returned(ticket, RIGHT), Returned(TICKET, RIGHT)), StudentFault)


def test_a_reply_that_comes_late_costs_a_fork_and_nobody_the_answer(fakes: Fakes, tmp_path: Path):
    late, right = (frame(msgspec.msgpack.encode(Returned(ticket, RIGHT))) for ticket in (TICKET - 1, TICKET))
    with benched(fakes, tmp_path, late, False, []) as bench:
        fakes.later = [right]
        assert Student(bench, "level", {}).ask(CallRecord("level", (2.0,))).value == RIGHT
