"""A new lesson in every room: a small one that works, with a placeholder wherever its author has to write."""

from pathlib import Path
from string import Template

from autograder.grading.course import Course, Lesson
from autograder.grading.errors import CourseError

PLACEHOLDER = "PLACEHOLDER"
TEMPLATES = Path(__file__).with_name("scaffold")


def new_lesson(course: Course, name: str, task: str) -> list[Path]:
    """Write the files of a new lesson with one task; where they are. Nothing that is there is touched."""
    for word, what in ((name, "lesson"), (task, "task")):
        if not (word.isidentifier() and word == word.lower()):
            raise CourseError(f"`{word}` is no name for a {what}: use small letters, digits and _.")
    lesson = Lesson(name, course.root)
    files = _files(lesson, task)
    there = [path for path in files if path.exists()]
    if there:
        place = there[0].relative_to(course.root)
        raise CourseError(f"{place} is there already: choose another name, or change what is there.")
    for path, template in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        text = (TEMPLATES / f"{template}.txt").read_text(encoding="utf-8")
        path.write_text(Template(text).substitute(lesson=name, task=task), encoding="utf-8")
    return list(files)


def placeholders(lesson: Lesson) -> list[str]:
    """Where a placeholder is left, as file:line."""
    rooms = (lesson.text.parent, lesson.hidden, lesson.samples)
    files = [path for room in rooms for path in sorted(room.rglob("*.py"))]
    return [
        f"{path.relative_to(lesson.root).as_posix()}:{number}"
        for path in files
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if PLACEHOLDER in line
    ]


def _files(lesson: Lesson, task: str) -> dict[Path, str]:
    return {
        lesson.text: "lesson",
        lesson.public_checks: "public_checks",
        lesson.hidden / f"test_{task}.py": "suite",
        lesson.hidden / "misconceptions.py": "misconceptions",
        lesson.hidden / "variants.py": "variants",
        lesson.samples / "passed--written-otherwise.py": "right",
        lesson.samples / f"failed-{task}--squared.py": "wrong",
    }
