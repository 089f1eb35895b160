"""What lies in build/submitted becomes one sound notebook a student; every original is kept, with a
receipt."""

import contextlib
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hand_in import EARLY, LATE, RIGHT, HandIn, done

from autograder.grading import intake, receipts
from autograder.grading.course import Course, Lesson
from autograder.grading.errors import CourseError


@pytest.fixture
def raw(lesson: Lesson) -> dict:
    return done(lesson)


@pytest.fixture
def ana(course: Course, lesson: Lesson) -> HandIn:
    return HandIn(course, lesson)


def test_an_honest_notebook_stays_to_the_byte_and_gets_a_receipt(ana: HandIn, raw):
    data = json.dumps(raw, indent=3).encode()
    path = ana.put("tides.ipynb", data)
    assert ana.take_in() == []
    assert path.read_bytes() == data and path.stat().st_mtime == EARLY
    receipt = ana.receipts()["tides.ipynb"]
    assert receipt["sha256"] == hashlib.sha256(data).hexdigest() and receipt["size"] == len(data)
    assert receipt["modified"] == "2023-11-14T22:13:20+00:00"
    assert (ana.kept / receipt["kept_as"]).read_bytes() == data


def test_repairs_are_told_at_every_later_grading(ana: HandIn, raw):
    for cell in raw["cells"]:
        cell["metadata"] = {}
    original = json.dumps(raw)
    ana.put("tides.ipynb", original)
    told = ana.take_in()
    assert "were missing and have been restored" in told[0]
    assert ana.source("level_stub") == RIGHT, "the notebook in place has its metadata back"
    assert (ana.kept / "tides.ipynb").read_text() == original


def test_where_no_notebook_was_handed_in_the_files_are_named(ana: HandIn):
    ana.put("essay.pdf", b"%PDF")
    assert ana.take_in() == ["No notebook was handed in (essay.pdf): hand in tides.ipynb."]
    ana.put("tides.py", RIGHT, LATE)
    assert "tides.py was handed in" in ana.take_in()[0] and ana.source("level_stub") == RIGHT


def test_an_empty_folder_is_a_zero_and_no_folder_an_error(ana: HandIn, course, lesson):
    assert ana.take_in() == ["No notebook was handed in (nothing): hand in tides.ipynb."]
    with pytest.raises(
        CourseError, match=r"^bo handed in nothing for tides: put the notebook into .*/bo/tides\.$"
    ):
        intake.take_in(course, lesson, "bo")


def test_students_are_those_with_a_folder(ana: HandIn, course, lesson):
    HandIn(course, lesson, '=bo, "b"')
    (course.build / "submitted" / "cy" / "other").mkdir(parents=True)
    (course.build / "submitted" / "notes.txt").write_text("")
    assert intake.students(course, lesson) == ['=bo, "b"', "ana"]


# Whatever else lies there.


def test_links_and_pipes_are_set_aside_and_never_opened(ana: HandIn, raw, tmp_path: Path):
    secret = tmp_path / "secret"
    secret.write_text(json.dumps(raw).replace("Tides", "SECRET"))
    (ana.folder / "tides.ipynb").symlink_to(secret)
    (ana.folder / "data.csv").symlink_to(secret)
    (ana.folder / "home").symlink_to(tmp_path)
    os.mkfifo(ana.folder / "pipe")
    told = ana.take_in()
    assert [line.split()[0] for line in told[:4]] == ["data.csv", "home", "pipe", "tides.ipynb"]
    assert "SECRET" not in (ana.folder / "tides.ipynb").read_text()
    assert [path.name for path in ana.folder.iterdir()] == ["tides.ipynb"]
    assert secret.read_text() and all((ana.kept / name).is_symlink() for name in ("home", "tides.ipynb"))


def test_clutter_and_what_is_too_much_is_moved_out(ana: HandIn, raw):
    ana.put("tides.ipynb", raw)
    ana.put(".ipynb_checkpoints/tides-checkpoint.ipynb", raw, LATE)
    ana.put("__MACOSX/._tides.ipynb", b"\0\5", LATE)
    ana.put("model.bin", bytes(9 * 1024**2))
    ana.put("small.csv", "1,2")
    told = ana.take_in()
    assert len(told) == 1 and told[0].startswith("model.bin was left out")
    assert sorted(path.name for path in ana.folder.iterdir()) == ["small.csv", "tides.ipynb"]
    assert (ana.kept / "model.bin").stat().st_size == 9 * 1024**2


def test_folders_under_reserved_names_do_not_stop_nbgrader(ana: HandIn, raw):
    ana.put("tides.ipynb/data.txt", "x")
    ana.put("public_checks.py/data.txt", "x")
    ana.put("work.ipynb", raw)
    ana.take_in()
    assert ana.source("level_stub") == RIGHT and [path.name for path in ana.folder.iterdir()] == [
        "tides.ipynb"
    ]


def test_kept_names_never_clash(ana: HandIn, raw):
    ana.put("tides.ipynb", raw)
    ana.put("receipts.json", "{}")
    ana.put("a/b.txt", "1")
    ana.put("a__b.txt", "2")
    ana.put(f"{'ü' * 120}.csv", "3")
    assert ana.take_in() == []
    kept = {entry["sha256"]: ana.kept / entry["kept_as"] for entry in ana.receipts().values()}
    assert len(kept) == 5 and all(ana.digest(path) == sha256 for sha256, path in kept.items())


def test_a_time_that_nbgrader_cannot_read_is_set_aside(ana: HandIn, raw):
    ana.put("tides.ipynb", raw)
    ana.put("timestamp.txt", "2030-01-01 12:00:00 UTC")
    ana.take_in()
    assert (ana.folder / "timestamp.txt").exists()
    ana.put("timestamp.txt", "yesterday")
    ana.take_in()
    assert not (ana.folder / "timestamp.txt").exists() and "timestamp.txt" in ana.receipts()


def test_a_time_that_is_a_pipe_is_set_aside_unopened(ana: HandIn, raw):
    ana.put("tides.ipynb", raw)
    os.mkfifo(ana.folder / "timestamp.txt")
    ana.take_in()
    assert not os.path.lexists(ana.folder / "timestamp.txt") and "timestamp.txt" in ana.receipts()


def test_read_only_files_are_no_obstacle(ana: HandIn, raw):
    raw["metadata"]["kernelspec"]["name"] = "old"
    ana.put("tides.ipynb", raw).chmod(0o444)
    assert "kernel" in ana.take_in()[0]


def test_a_file_nobody_may_read_is_kept_and_named(ana: HandIn, raw, monkeypatch: pytest.MonkeyPatch):
    """Simulated, since root may read everything."""
    path = ana.put("tides.ipynb", raw)
    forbidden = {str(path), str(ana.kept / "tides.ipynb")}
    monkeypatch.setattr(
        receipts, "open", lambda file, mode: _refuse(file, forbidden) or open(file, mode), raising=False
    )
    read_bytes = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda self: _refuse(self, forbidden) or read_bytes(self))
    told = intake.take_in(ana.course, ana.lesson, "ana")
    assert told == ["tides.ipynb cannot be read (Permission denied): make it readable, or hand it in again."]
    assert ana.source("level_stub") != RIGHT
    assert json.loads((ana.kept / "receipts.json").read_text())["received"][0]["sha256"] == ""
    monkeypatch.undo()
    assert (ana.kept / "tides.ipynb").read_text() == json.dumps(raw)


OWNER_ONLY = """
import sys
from autograder.grading import intake
from autograder.grading.course import Course
from autograder.sandbox.privileges import drop_capabilities
drop_capabilities()  # root, too, is then bound to what the modes allow
course = Course(sys.argv[1])
print("\\n".join(intake.take_in(course, course.lesson("tides"), "ana")))
"""


def test_files_and_folders_without_rights_are_opened(ana: HandIn, raw):
    """As an archive may bring them: nothing in them is lost, and nothing in the way."""
    ana.put("tides.ipynb", raw, EARLY - 60).chmod(0o000)
    ana.put("shut/tides.ipynb", raw)
    ana.put("fixed/tides.ipynb", raw, EARLY - 60)
    for folder, mode in (("shut", 0o000), ("fixed", 0o555)):
        (ana.folder / folder).chmod(mode)
    ana.folder.chmod(0o555)
    run = subprocess.run(
        [sys.executable, "-c", OWNER_ONLY, str(ana.course.root)], capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines() == [
        "tides.ipynb could be read by nobody; it was made readable.",
        "shut/tides.ipynb was graded, not fixed/tides.ipynb, tides.ipynb: hand in one notebook.",
    ]
    assert [path.name for path in ana.folder.iterdir()] == ["tides.ipynb"]
    assert ana.source("level_stub") == RIGHT and len(ana.receipts()) == 3


def _refuse(file: object, forbidden: set[str]) -> None:
    if str(file) in forbidden:
        raise PermissionError(13, "Permission denied")


def test_a_large_notebook_is_put_in_place_without_its_outputs(ana: HandIn, raw):
    raw["cells"][1]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "x" * 5 * 1024**2}]
    path = ana.put("tides.ipynb", raw)
    assert ana.take_in() == [] and path.stat().st_size < 10_000
    assert ana.source("level_stub") == RIGHT


@pytest.mark.parametrize(
    "change",
    [
        lambda raw: raw["cells"][1].update(outputs=5),
        lambda raw: raw["cells"][1].update(outputs=[{"output_type": "error"}]),
        lambda raw: raw["cells"][1]["metadata"].update(tags="x"),
        lambda raw: raw["metadata"].update(title=4),
        lambda raw: raw.pop("nbformat_minor"),
        lambda raw: raw["cells"][0].update(attachments={"a": {"image/png": 3}}),
        lambda raw: raw["cells"][1].update(execution_count="two"),
        lambda raw: raw.update(extra=1),
    ],
)
def test_what_nbformat_does_not_allow_is_put_right_in_silence(ana: HandIn, raw, change):
    change(raw)
    ana.put("tides.ipynb", raw)
    assert ana.take_in() == [] and ana.source("level_stub") == RIGHT


def test_another_release_is_what_the_next_run_repairs_after(ana: HandIn, raw, lesson, edit):
    ana.put("tides.ipynb", raw)
    assert ana.take_in() == []
    edit(lesson.release, '"points": 2', '"points": 4')
    assert "points of these cells" in ana.take_in()[0] and '"points": 4' in ana.placed()
    edit(lesson.release, '"points": 4', '"points": 2')
    assert ana.take_in() == [] and '"points": 2' in ana.placed(), "it is made of the original again"


def test_a_notebook_that_was_deleted_is_put_in_place_again(ana: HandIn, raw):
    path = ana.put("tides (1).ipynb", raw)
    told = ana.take_in()
    (ana.folder / "tides.ipynb").unlink()
    assert ana.take_in() == told and ana.source("level_stub") == RIGHT and not path.exists()


class Killed(BaseException):
    pass


def test_a_run_killed_anywhere_is_made_up_for(course, lesson, raw, monkeypatch: pytest.MonkeyPatch):
    """Killed at every single step that changes the disk, then run again: as if undisturbed."""
    broken = json.dumps(raw).replace('"level"', '"levels"')

    def files(hand_in: HandIn) -> dict[str, bytes]:
        return {
            path.relative_to(course.build).as_posix().replace(hand_in.student, "S"): path.read_bytes()
            for path in hand_in.all_files(hand_in.folder, hand_in.kept)
        }

    def prepared(student: str) -> HandIn:
        hand_in = HandIn(course, lesson, student)
        hand_in.put("first.ipynb", raw, EARLY - 9)
        hand_in.take_in()
        hand_in.put("tides (1).ipynb", broken, LATE)
        hand_in.put("tides.ipynb", raw, EARLY)
        hand_in.put("data.csv", "1,2", EARLY)
        hand_in.put("model.bin", bytes(9 * 1024**2), EARLY)
        return hand_in

    undisturbed = prepared("whole")
    told = undisturbed.take_in()
    for step in range(1, 60):
        hand_in = prepared(f"s{step}")
        with monkeypatch.context() as patch:
            left = _kill_after(step, patch)
            with contextlib.suppress(Killed):
                intake.take_in(course, lesson, hand_in.student)
        assert hand_in.take_in() == told
        if left() > 0:
            break
        got, wanted = files(hand_in), files(undisturbed)
        got.pop("received/S/tides/receipts.json"), wanted.pop("received/S/tides/receipts.json")
        assert got == wanted, f"killed at step {step}"
    else:
        raise AssertionError("the run never came to its end")
    assert step > 8


def _kill_after(steps: int, patch: pytest.MonkeyPatch):
    """From the given step on every change of the disk raises, as it does in a process that was killed."""
    left = [steps]

    def dying(function):
        def wrapper(*args, **kwargs):
            left[0] -= 1
            if left[0] < 0:
                raise Killed
            return function(*args, **kwargs)

        return wrapper

    for name in ("replace", "rename", "unlink", "write_bytes"):
        patch.setattr(Path, name, dying(getattr(Path, name)))
    patch.setattr(os, "utime", dying(os.utime))
    return lambda: left[0]


# nbgrader's hook.


def test_the_hook_takes_in_the_student_of_the_path(ana: HandIn, raw, monkeypatch):
    monkeypatch.chdir(ana.course.root)
    path = ana.put("tides (1).ipynb", raw)
    notebooks = [str(path)]
    assert intake.before_autograde(assignment="tides", student="*", notebooks=notebooks) is None
    assert notebooks == [str(ana.folder / "tides.ipynb")] and ana.source("level_stub") == RIGHT


def test_a_hook_that_fails_leaves_nbgrader_nothing_to_grade(ana: HandIn, raw, monkeypatch, caplog):
    monkeypatch.chdir(ana.course.root)
    monkeypatch.setattr(intake, "take_in", lambda *_: 1 / 0)
    notebooks = [str(ana.put("tides.ipynb", raw))]
    with caplog.at_level("ERROR"):
        intake.before_autograde(assignment="tides", student="*", notebooks=notebooks)
    assert notebooks == []
