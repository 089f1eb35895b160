"""Folders for work in progress: gone afterwards, and those of a killed run at the next one."""

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from lms_archives import zipped
from small_class import Class

from autograder.grading import scratch
from autograder.grading.cli import main
from autograder.grading.course import Course
from autograder.grading.scratch import scratch_folder

WORKER = """
import sys, time
from pathlib import Path
from autograder.grading.scratch import scratch_folder

with scratch_folder(Path(sys.argv[1]), ".work-") as folder:
    (folder / "half a file").touch()
    print(folder, flush=True)
    time.sleep(600)
"""


@contextlib.contextmanager
def working(place: Path) -> Iterator[tuple[subprocess.Popen, Path]]:
    """Another program at work, and its folder."""
    command = [sys.executable, "-c", WORKER, place]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process, Path(process.stdout.readline().strip())
        finally:
            process.kill()


def test_a_folder_for_work_is_gone_afterwards(tmp_path: Path):
    with pytest.raises(ZeroDivisionError), scratch_folder(tmp_path, ".work-") as folder:
        (folder / "file").touch()
        assert folder.parent == tmp_path and folder.name.startswith(".work-")
        raise ZeroDivisionError
    assert list(tmp_path.iterdir()) == []


def test_remnants_go_and_what_somebody_works_in_stays(tmp_path: Path):
    (tmp_path / "other").mkdir()
    (tmp_path / ".work-file").touch()
    (tmp_path / ".work-link").symlink_to(tmp_path / "other")
    with working(tmp_path) as (_, alive), working(tmp_path) as (killed, remnant):
        killed.kill()
        killed.wait()
        with scratch_folder(tmp_path, ".work-") as ours, scratch_folder(tmp_path, ".work-") as inner:
            assert alive.is_dir() and ours.is_dir() and inner.is_dir() and not remnant.exists()
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"other", ".work-file", ".work-link", alive.name}


def test_a_folder_that_was_taken_for_a_remnant_is_made_again(tmp_path: Path, monkeypatch):
    """Another run came between its making and its lock."""
    locked, seen = scratch._locked, []

    def late(path: Path) -> int:
        if not seen:
            path.rmdir()
        seen.append(path)
        return locked(path)

    monkeypatch.setattr(scratch, "_locked", late)
    with scratch_folder(tmp_path, ".work-") as folder:
        assert folder.is_dir() and len(seen) == 2


@pytest.mark.parametrize("command", ["collect", "prairielearn"])
def test_commands_clear_away_what_a_killed_one_left(
    course: Course, tmp_path: Path, monkeypatch, command: str
):
    monkeypatch.chdir(course.root)
    archive, out = tmp_path / "s.zip", tmp_path / "made"
    remnants = {"collect": course.build / ".collecting-old", "prairielearn": tmp_path / ".packing-old"}
    archive.write_bytes(zipped({"s_1_1_tides.ipynb": b"{}"}))
    Class(course).write_suites()
    remnants[command].mkdir()
    options = {
        "collect": ["canvas", str(archive), "--assignment", "tides"],
        "prairielearn": ["tides", "--out", str(out), "--image", "our/tides"],
    }
    assert main([command, *options[command]]) == 0
    assert not remnants[command].exists()
