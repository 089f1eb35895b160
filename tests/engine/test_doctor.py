"""What the doctor finds on machines that lack something."""

import importlib.metadata
import os
import shutil
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

import pytest

from autograder.grading import doctor, memory
from autograder.grading.course import Course
from autograder.sandbox.confinement import missing


@pytest.fixture
def healthy(tmp_path, monkeypatch) -> Course:
    """A course on a machine that meets every requirement of the project's."""
    monkeypatch.setattr(doctor, "TEMPLATE", 0)
    monkeypatch.setattr(doctor, "ROOM", 0)
    monkeypatch.setattr(importlib.metadata, "requires", lambda _: ["numpy>=2", 'rich; extra == "grading"'])
    return Course(tmp_path)


@pytest.mark.skipif(bool(missing()), reason="this machine cannot confine")
def test_healthy_machine_lacks_nothing(healthy):
    findings = doctor.examine(healthy)
    assert [finding for finding in findings if not finding.ok] == []
    assert [finding.name for finding in findings] == [
        "Python", "packages", "torch", "Landlock", "confinement", "memory", "disk of the course",
        "disk for temporary files", "course secret",
    ]  # fmt: skip
    assert not healthy.build.exists()


def test_every_lack_has_a_cure_on_one_line(healthy, monkeypatch):
    usage = namedtuple("usage", "free")
    monkeypatch.setattr(sys, "version_info", (3, 10))
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(importlib.metadata, "requires", lambda _: ["numpy>=99", "nosuch-package==1"])
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    monkeypatch.setattr(doctor, "ROOM", 1)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(0))
    monkeypatch.setattr(doctor, "free_memory", lambda: 10)
    (healthy.root / "course_secret").touch(mode=0o644)
    findings = doctor.examine(healthy)
    assert [finding.name for finding in findings if not finding.ok] == [
        "Python", "numpy", "nosuch-package", "torch", "confinement", "memory", "disk of the course",
        "disk for temporary files", "course secret",
    ]  # fmt: skip
    for finding in findings:
        assert finding.detail
        assert finding.cure
        assert "\n" not in finding.detail + finding.cure


def test_project_that_is_not_installed(monkeypatch):
    def requires(name: str) -> None:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "requires", requires)
    [finding] = doctor._packages()
    assert not finding.ok
    assert "make setup" in finding.cure


def test_requirements_of_other_extras_do_not_count(monkeypatch):
    lines = ['nosuch-package; extra == "test"', 'pytest; extra == "grading"']
    monkeypatch.setattr(importlib.metadata, "requires", lambda _: lines)
    [finding] = doctor._packages()
    assert finding.detail.startswith("pytest ")


@pytest.mark.parametrize(("version", "note"), [("cuda = None", "CPU"), ("cuda = '12.6'", "CUDA 12.6")])
def test_builds_of_torch(monkeypatch, tmp_path, version, note):
    package = tmp_path / "site" / "torch"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "version.py").write_text(f"__version__ = '2.0'\n{version}\n")
    monkeypatch.syspath_prepend(package.parent)
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    finding = doctor._torch()
    assert finding.ok
    assert finding.detail.startswith(f"2.0, {note} build")


@pytest.mark.skipif(bool(missing()), reason="this machine cannot confine")
def test_course_where_submissions_can_read_it():
    """A course inside the interpreter's own folder is open to every submission."""
    finding = doctor._trial(Course(Path(sys.prefix)))
    assert not finding.ok
    assert "read the course" in finding.detail
    assert sys.prefix in finding.cure


@pytest.mark.parametrize(
    ("stdout", "stderr", "words"),
    [
        ('{"failure": "OSError: no"}', "", "OSError: no"),
        ("", "Traceback\nValueError: bad", "ValueError: bad"),
        ("", "", "no answer"),
    ],
)
def test_confinement_that_fails_when_tried(healthy, monkeypatch, stdout, stderr, words):
    ended = subprocess.CompletedProcess([], 1, stdout, stderr)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: ended)
    finding = doctor._trial(healthy)
    assert not finding.ok
    assert words in finding.detail


@pytest.mark.parametrize(
    ("user", "grader", "words"),
    [(65534, 0, "as user 65534"), (0, 0, "as root without privileges"), (1000, 1000, "the user who grades")],
)
def test_user_of_submissions(monkeypatch, user, grader, words):
    monkeypatch.setattr(os, "geteuid", lambda: grader)
    assert words in doctor._as_whom(user)


@pytest.mark.parametrize(("folder", "names", "none"), [("", ("max", "current"), "max"),
    ("memory", ("limit_in_bytes", "usage_in_bytes"), str(2**63 - 4096))])  # fmt: skip
def test_memory_under_a_container_limit(monkeypatch, tmp_path, folder, names, none):
    monkeypatch.setattr(memory, "CGROUPS", tmp_path)
    controls = tmp_path / folder
    controls.mkdir(exist_ok=True)
    limit, used = (controls / f"memory.{name}" for name in names)
    limit.write_text("5000\n")
    used.write_text("2000\n")
    (controls / "memory.stat").write_text("anon 1400\ninactive_file 600\ntotal_inactive_file 600\n")
    assert memory.free_memory() == 3600
    limit.write_text(f"{none}\n")
    assert memory.free_memory() > 3600


def test_secret(healthy):
    secret = healthy.root / "course_secret"
    assert doctor._secret(healthy).ok
    healthy.build.mkdir()
    (healthy.build / "gradebook.db").touch()
    lost = doctor._secret(healthy)
    assert not lost.ok
    assert "backup" in lost.cure
    secret.touch(mode=0o600)
    assert doctor._secret(healthy).ok
    secret.chmod(0o640)
    loose = doctor._secret(healthy)
    assert not loose.ok
    assert loose.cure == f"run `chmod 600 {secret}`"
