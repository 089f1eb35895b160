"""A class for measuring: as many hand-ins of a lesson as are wanted, right ones and ones with a mistake."""

import shutil
from pathlib import Path

from autograder.grading.course import Course, Lesson
from autograder.grading.release import release
from autograder.grading.samples import Sample, samples

ROOMS = ("source", "solutions", "tests/hidden", "tests/submissions", "assignments")


def course_copy(original: Course, lesson: Lesson, root: Path) -> Lesson:
    """The lesson in a course of its own, released there."""
    for room in ROOMS:
        shutil.copytree(original.root / room, root / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(original.root / "nbgrader_config.py", root)
    fonts = original.build / "template"  # matplotlib's list of them, which `make setup` has made
    if fonts.is_dir():
        shutil.copytree(fonts, root / "build" / "template")
    copy = Course(root).lesson(lesson.name)
    release(copy)
    return copy


def notebooks(lesson: Lesson, number: int, scratch: Path) -> dict[str, bytes]:
    """The notebooks by student: every other one right, the rest with the mistakes of the sample hand-ins in
    turn; no two are the same."""
    wrong = [s.text for s in samples(lesson) if s.path.stem.startswith("failed") and s.path.suffix == ".py"]
    right = lesson.solution.read_text(encoding="utf-8")
    scratch.mkdir(parents=True, exist_ok=True)
    made = {}
    for i in range(number):
        text = wrong[i // 2 % len(wrong)] if i % 2 else right
        path = scratch / f"student{i:05d}.py"
        path.write_text(f"{text}\n\n# hand-in {i}\n", encoding="utf-8")
        made[path.stem] = Sample(path, lesson).notebook()
    return made


def hand_in(lesson: Lesson, made: dict[str, bytes]) -> None:
    """Put the notebooks where `autograder grade` looks for them."""
    for student, data in made.items():
        folder = lesson.root / "build" / "submitted" / student / lesson.name
        folder.mkdir(parents=True)
        (folder / f"{lesson.name}.ipynb").write_bytes(data)
