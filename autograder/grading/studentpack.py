"""The archive for students: the released lessons, the student wheel, and a page that tells how to start."""

import importlib.metadata
import io
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from autograder.document import read
from autograder.grading.course import Course, Lesson
from autograder.grading.errors import CourseError
from autograder.grading.results import write_whole
from autograder.grading.scaffold import PLACEHOLDER
from autograder.packages import PROJECT, needed

TEMPLATES = Path(__file__).with_name("studentpack")
FOLDER = "attention-lessons"  # what the archive unpacks to
MOMENT = (2020, 1, 1, 0, 0, 0)  # of every file: the same files give the same bytes


class Listed(NamedTuple):
    """What the page tells of a lesson: `packages` are those that the wheel does not bring."""

    name: str
    title: str
    packages: list[str]


def write_pack(course: Course, archive: Path) -> list[str]:
    """Write the archive; the names of what is in it. CourseError where a lesson is not released or holds a
    placeholder, or no wheel can be built."""
    files = _lessons(course)
    name, data = _wheel(course)
    files[name] = data
    files["START.html"] = _page(course, name, archive.name).encode()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as pack:
        for path in sorted(files):
            entry = zipfile.ZipInfo(f"{FOLDER}/{path}", MOMENT)
            entry.create_system, entry.external_attr = 3, 0o644 << 16  # as on Unix, everywhere
            entry.compress_type = zipfile.ZIP_DEFLATED
            pack.writestr(entry, files[path])
    write_whole(archive, buffer.getvalue())
    return sorted(files)


def _lessons(course: Course) -> dict[str, bytes]:
    found = {}
    for lesson in course.lessons():
        if not lesson.release.is_file():
            raise CourseError(f"{lesson.name} is not released: run `autograder release {lesson.name}` first.")
        folder = lesson.release_folder
        files = (path for path in folder.rglob("*") if path.is_file() and not _is_clutter(path, folder))
        packed = {f"{lesson.name}/{path.relative_to(folder).as_posix()}": path.read_bytes() for path in files}
        _refuse_unwritten(lesson, packed)
        found |= packed
    return found


def _refuse_unwritten(lesson: Lesson, packed: dict[str, bytes]) -> None:
    """A lesson begun with `autograder new` can be released to look at it, but is nothing for students yet."""
    for name, data in packed.items():
        if PLACEHOLDER.encode() in data:
            raise CourseError(
                f"assignments/{name} still holds a {PLACEHOLDER}: replace each in source/{lesson.name}, "
                f"then run `autograder release {lesson.name}`."
            )


def _is_clutter(path: Path, folder: Path) -> bool:
    """What looking at a lesson leaves behind, such as .ipynb_checkpoints."""
    return any(part.startswith((".", "__")) for part in path.relative_to(folder).parts)


def _wheel(course: Course) -> tuple[str, bytes]:
    """The student wheel's name and bytes, built without a network."""
    with tempfile.TemporaryDirectory() as place:
        build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", place]
        environment = {key: value for key, value in os.environ.items() if key != "SOURCE_DATE_EPOCH"}
        done = subprocess.run(build, cwd=course.root, capture_output=True, text=True, env=environment)
        made = list(Path(place).glob("*.whl"))
        if done.returncode or len(made) != 1:
            said = (done.stderr.strip() or done.stdout.strip() or "nothing was said").splitlines()[-1]
            raise CourseError(f"the student wheel could not be built ({said}): run `make setup`.")
        return made[0].name, made[0].read_bytes()


def _page(course: Course, wheel: str, archive: str) -> str:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    python = importlib.metadata.metadata(PROJECT)["Requires-Python"].lstrip(">=")
    lessons = [_entry(lesson) for lesson in course.lessons()]
    return environment.get_template("start.html").render(
        wheel=wheel, archive=archive, folder=FOLDER, python=python, lessons=lessons
    )


def _entry(lesson: Lesson) -> Listed:
    title = read(lesson.release).cells[0].source.partition("\n")[0].partition(":")[0].lstrip("# ")
    roots = {name.split(".")[0] for name in lesson.modules}
    more = roots - needed(optional=False) - set(sys.stdlib_module_names)
    return Listed(lesson.name, title, sorted(root.replace("_", "-") for root in more))
