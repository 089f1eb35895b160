"""A backup holds what a course cannot be graded again without, and a restore loses nothing."""

import sqlite3
import subprocess
import tarfile
from pathlib import Path

import pytest
from small_class import Class

from autograder.grading.backup import back_up, restore
from autograder.grading.course import Course, find_course
from autograder.grading.errors import CourseError
from autograder.grading.secret import course_secret


@pytest.fixture
def tides(course: Course) -> Class:
    """One student, graded and recorded."""
    made = Class(course)
    (course.root / "extensions.csv").write_text("student,lesson,until\n")
    made.hand_in("ana")
    made.grade("ana")
    made.record("ana")
    return made


def files(course: Course) -> dict[str, bytes]:
    """What is kept of a course, but the gradebook, whose copy differs in bytes."""
    names = ("submitted", "received", "results", "autograded", "feedback")
    paths = [path for name in names for path in (course.build / name).rglob("*") if path.is_file()]
    found = {str(path.relative_to(course.root)): path.read_bytes() for path in paths}
    extensions = course.root / "extensions.csv"
    found |= {"extensions": extensions.read_bytes()} if extensions.exists() else {}
    return found | {"secret": course_secret(course.root)}


def test_what_was_backed_up_comes_back(tides: Class, tmp_path: Path):
    archive, course = tmp_path / "term.tar.gz", tides.course
    before, scores = files(course), tides.scores()
    count = back_up(course, archive)
    assert count >= len(before) and scores == {"ana": 2.3}
    (course.root / "course_secret").write_text("another one, drawn after the loss of the first one\n")
    tides.hand_in("bo")
    tides.grade("bo")
    tides.record("bo")
    later = files(course)
    aside = restore(course, archive)
    assert files(course) == before and tides.scores() == scores
    set_aside = {str(path.relative_to(aside)) for path in aside.rglob("*") if path.is_file()}
    assert (
        later.keys() - {"secret", "extensions"} | {"course_secret", "extensions.csv", "build/gradebook.db"}
        <= set_aside
    )
    assert list(course.root.glob(".restore-*")) == []


def test_a_backup_comes_back_in_a_fresh_clone(tides: Class, new_course: Course, tmp_path: Path):
    back_up(tides.course, tmp_path / "term.tar.gz")
    assert restore(new_course, tmp_path / "term.tar.gz") is None
    assert files(new_course) == files(tides.course)


def test_the_gradebook_is_whole_while_somebody_writes_to_it(tides: Class, tmp_path: Path):
    writer = sqlite3.connect(tides.course.build / "gradebook.db")
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("DELETE FROM grade")
    back_up(tides.course, tmp_path / "term.tar.gz")
    writer.rollback()
    writer.close()
    with tarfile.open(tmp_path / "term.tar.gz") as tar:
        tar.extract("build/gradebook.db", tmp_path, filter="data")
    copy = sqlite3.connect(tmp_path / "build" / "gradebook.db")
    assert copy.execute("SELECT count(*) FROM grade").fetchone()[0] > 0
    copy.close()


def test_only_its_owner_may_read_it(tides: Class, tmp_path: Path):
    back_up(tides.course, tmp_path / "term.tar.gz")
    assert (tmp_path / "term.tar.gz").stat().st_mode & 0o777 == 0o600


def test_nothing_is_overwritten_or_lost(tides: Class, tmp_path: Path):
    archive = tmp_path / "term.tar.gz"
    archive.write_bytes(b"something else")
    with pytest.raises(CourseError, match="exists: give another name"):
        back_up(tides.course, archive)
    before = files(tides.course)
    for bad in (archive, tmp_path / "nothing"):
        with pytest.raises(CourseError, match="cannot be restored .*: give a file"):
            restore(tides.course, bad)
    with pytest.raises(CourseError, match=r"nothing cannot be restored \(No such file or directory\): give"):
        restore(tides.course, tmp_path / "nothing")
    with tarfile.open(tmp_path / "other.tar", "w:gz") as tar:
        tar.add(archive, "notes.txt")
    with pytest.raises(CourseError, match="is no backup of a course"):
        restore(tides.course, tmp_path / "other.tar")
    assert files(tides.course) == before and archive.read_bytes() == b"something else"


@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_a_damaged_backup_puts_nothing_back(tides: Class, tmp_path: Path, share: float):
    archive = tmp_path / "term.tar.gz"
    back_up(tides.course, archive)
    data = bytearray(archive.read_bytes())
    place = int(len(data) * share)
    data[place : place + 50] = bytes(50)
    archive.write_bytes(data)
    before = files(tides.course)
    with pytest.raises(CourseError, match="cannot be restored .*: give a file"):
        restore(tides.course, archive)
    assert files(tides.course) == before


def test_an_archive_cannot_write_outside(tides: Class, tmp_path: Path):
    with tarfile.open(tmp_path / "evil.tar", "w:gz") as tar:
        (tmp_path / "note").write_text("x")
        tar.add(tmp_path / "note", "../../outside")
    with pytest.raises(CourseError, match="cannot be restored"):
        restore(tides.course, tmp_path / "evil.tar")
    assert not (tides.course.root.parent / "outside").exists()


def test_nothing_to_back_up_is_one_line(new_course: Course, tmp_path: Path):
    with pytest.raises(CourseError, match="nothing to back up yet"):
        back_up(new_course, tmp_path / "term.tar.gz")
    assert list(tmp_path.glob("*.part")) == [] and not (tmp_path / "term.tar.gz").exists()


def test_git_leaves_out_what_is_written_beside_the_course():
    """Backups, grades and packs hold the secret or say who somebody is."""
    root = find_course(Path(__file__).parent).root
    if not (root / ".git").exists():
        pytest.skip("no clone")
    names = ["term.tar.gz", "course-20261130-120000.tar.gz", "mixing.zip", "upload.csv", "extensions.csv"]
    asked = subprocess.run(["git", "check-ignore", *names], cwd=root, capture_output=True, text=True)
    assert asked.stdout.split() == names
