"""The rules of the house: nothing generated is stale, nothing leaks, nothing lacks its counterpart."""

import ast
import json
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.grading.course import Course, Lesson, find_course, source_of
from autograder.grading.coursepage import course_page
from autograder.grading.leaks import leaks
from autograder.grading.release import release
from autograder.grading.scaffold import placeholders

COURSE = find_course(Path(__file__).parent)
ROOT = COURSE.root
LESSONS = COURSE.lessons()
PACKAGE = ROOT / "autograder"
every_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=[lesson.name for lesson in LESSONS])

# What does not belong into a course: where and by whom it was written, and from where packages came.
# Each pattern is written so that it does not match itself.
FOREIGN = re.compile(
    r"(?i)[/]work\b|[.][.]/shared|\b[w]orkplace|\b(sub)?[a]gents?\b|\b[l]anguage model assistant"
    r"|\b(last|next|previous|earlier|another) [s]ession\b|\b[i]ssue #?\d|\b(fixes|closes|see) #\d"
    r"|[p]ypi\.org|[p]ythonhosted|[r]egistry\.npmjs|[d]eb\.debian|[d]ownload\.pytorch"
)
WRITTEN = ("autograder", "source", "solutions", "assignments", "tests", "benchmarks", ".ci")
HANDWRITTEN = ("autograder", "source", "tests", "benchmarks")
LOOSE_COMPARISONS = {"allclose", "assert_allclose", "isclose", "approx", "array_equal", "assert_array_equal"}


def files(folder: Path) -> dict[str, bytes]:
    found = (file for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in found}


def code_files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.rglob("*.py") if "__pycache__" not in file.parts)


def tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"), filename=str(file))


def short(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


# ── generated files ──


@pytest.fixture(scope="session")
def rebuilt(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """The course made anew from what was written, in another folder and with a new gradebook."""
    root = tmp_path_factory.mktemp("rebuilt") / "course"
    for room in ("source", "autograder"):
        shutil.copytree(ROOT / room, root / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "nbgrader_config.py", root)
    course = Course(root)
    for lesson in course.lessons():
        release(lesson)
    return course


def test_the_page_of_the_course_is_fresh():
    page = (ROOT / "source" / "README.md").read_text(encoding="utf-8")
    assert page == course_page(COURSE), "run `autograder build`"


def test_the_page_of_the_course_tells_of_every_lesson_and_task_with_its_points():
    page = (ROOT / "source" / "README.md").read_text(encoding="utf-8")
    for lesson in LESSONS:
        section = page.partition(f"\n| task of `{lesson.name}` | points |\n")[2].partition("\n\n")[0]
        points = [float(line.split("|")[-2]) for line in section.splitlines()[1:]]
        by_hand = [line for line in section.splitlines() if "graded by hand" in line]
        assert len(points) == len(lesson.tasks) + len(by_hand) and by_hand
        assert [
            task.name for task in lesson.tasks if not task.question and f"| `{task.name}`: " not in section
        ] == []
    numbers = re.findall(r"(?m)^## (\d+) ", page)
    assert numbers == sorted(numbers, key=int) and len(numbers) == len(LESSONS)


once = pytest.mark.xdist_group("rebuilt")  # the course is made anew once


@pytest.fixture
def copy(rebuilt: Course, tmp_path: Path) -> Course:
    """A copy of the rebuilt course, to plant something in."""
    return Course(shutil.copytree(rebuilt.root, tmp_path / "copy"))


@once
@pytest.mark.parametrize("room", ["assignments", "solutions"])
def test_generated_files_are_fresh(rebuilt: Course, room: str):
    made, committed = files(rebuilt.root / room), files(ROOT / room)
    stale = sorted(name for name in made.keys() | committed.keys() if made.get(name) != committed.get(name))
    assert not stale, f"run `autograder release` for these files of {room}/: {stale}"


@every_lesson
def test_nothing_leaks(lesson: Lesson):
    assert leaks(lesson) == []


@once
@every_lesson
@pytest.mark.parametrize("place", ["notebook", "public_checks.py", "check.py"])
def test_a_planted_leak_is_found(copy: Course, lesson: Lesson, place: str):
    planted = copy.lesson(lesson.name)
    solution = planted.solution.read_text(encoding="utf-8")
    tasks = {task.name for task in planted.tasks}
    functions = [node for node in ast.parse(solution).body if isinstance(node, ast.FunctionDef)]
    function = next(node for node in functions if node.name in tasks)  # not one that the text gives
    line = solution.splitlines()[function.end_lineno - 1].strip()
    folder = copy.root / "autograder" if place == "check.py" else planted.release_folder
    file = planted.release if place == "notebook" else folder / place
    text = file.read_text(encoding="utf-8")
    in_json = json.dumps(line, ensure_ascii=False)[1:-1]
    file.write_text(
        text.replace("raise NotImplementedError()", in_json) if place == "notebook" else text + line
    )
    assert [leak for leak in leaks(planted) if line in leak and file.name in leak]


@every_lesson
def test_every_stub_of_the_release_raises(lesson: Lesson):
    notebook = json.loads(lesson.release.read_text(encoding="utf-8"))
    stubs = {cell["id"]: source_of(cell) for cell in notebook["cells"]}
    for task in lesson.tasks:
        nodes = ast.walk(ast.parse(stubs[f"{task.name}_stub"]))
        assert "raise NotImplementedError()" in map(ast.unparse, nodes), task.name


# ── every part has its counterpart ──


@every_lesson
def test_every_task_has_a_suite_and_every_suite_a_task(lesson: Lesson):
    suites = {file.stem.removeprefix("test_") for file in lesson.hidden.glob("test_*.py")}
    assert suites == {task.name for task in lesson.tasks}


@every_lesson
@pytest.mark.parametrize("kind", ["misconception", "variant"])
def test_every_code_task_has_wrong_and_unusual_right_answers(lesson: Lesson, kind: str):
    counted = Counter(decorated(lesson.hidden / f"{kind}s.py", kind))
    few = [task.name for task in lesson.tasks if not task.question and counted[task.name] < 2]
    assert not few, f"write at least two for each in {kind}s.py"
    assert counted.keys() <= {task.name for task in lesson.tasks}


def decorated(file: Path, decorator: str) -> Iterator[str]:
    """The task that each function decorated so is for."""
    for node in tree(file).body:
        for call in getattr(node, "decorator_list", []):
            if isinstance(call, ast.Call) and ast.unparse(call.func) == decorator:
                yield ast.literal_eval(call.args[0])


@every_lesson
def test_every_task_has_a_public_check_and_a_section(lesson: Lesson):
    checks = tree(lesson.public_checks)
    tests = [node.name for node in checks.body if isinstance(node, ast.FunctionDef)]
    assigned = [node for node in checks.body if isinstance(node, ast.Assign)]
    sections = next(node.value for node in assigned if ast.unparse(node.targets[0]) == "SECTIONS")
    headings = re.findall(r"(?m)^# ##+ (.*)$", lesson.text.read_text(encoding="utf-8"))
    for task in lesson.tasks:
        assert any(test.startswith(f"test_{task.name}_") for test in tests), task.name
        section = ast.literal_eval(sections).get(task.name)
        assert section in headings, f"SECTIONS: `{task.name}` needs a heading of the text, not {section!r}"


@every_lesson
def test_no_placeholder_is_left(lesson: Lesson):
    assert placeholders(lesson) == []


@every_lesson
def test_hidden_suites_compare_strictly(lesson: Lesson):
    for file in lesson.hidden.glob("*.py"):
        loose = LOOSE_COMPARISONS & names(tree(file))
        assert not loose, f"{short(file)}: compare with `same`"


def names(module: ast.Module) -> set[str]:
    nodes = list(ast.walk(module))
    imported = {alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}
    attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return imported | attributes | {node.id for node in nodes if isinstance(node, ast.Name)}


# ── the engine ──


def test_the_engine_names_no_exercise():
    known = {lesson.name for lesson in LESSONS} | {task.name for lesson in LESSONS for task in lesson.tasks}
    for file in code_files(PACKAGE):
        nodes = list(ast.walk(tree(file)))
        words = {node.value for node in nodes if isinstance(node, ast.Constant)}
        words |= {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        named = words & known
        assert not named, short(file)


def test_the_students_side_never_imports_the_engine():
    engine, sandbox = "autograder.grading", "autograder.sandbox"
    for file in code_files(PACKAGE):
        room = file.relative_to(PACKAGE).parts[0]
        barred = {"grading": (), "sandbox": (engine,)}.get(room, (engine, sandbox))
        if file.name != "cli.py":  # the command, which tells a student what to install for grading
            assert not [module for module in imports(tree(file)) if module.startswith(barred)], short(file)


def imports(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


# ── the style ──


def test_modules_and_functions_are_short():
    for file in code_files(PACKAGE):
        lines = len(file.read_text(encoding="utf-8").splitlines())
        assert lines <= 300, f"{short(file)} has {lines} lines"
    for file in [file for room in HANDWRITTEN for file in code_files(ROOT / room)]:
        functions = [node for node in ast.walk(tree(file)) if isinstance(node, ast.FunctionDef)]
        long = [node.name for node in functions if node.end_lineno - node.lineno >= 40]
        assert not long, short(file)


def test_lines_are_short():
    long = []
    for file in [file for room in HANDWRITTEN for file in code_files(ROOT / room)]:
        lines = enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        long += [f"{short(file)}:{number}" for number, line in lines if len(line) > 110]
    assert not long


def test_nothing_written_speaks_of_how_it_was_written():
    loose = [file for file in ROOT.iterdir() if file.is_file()]
    for file in loose + [file for room in WRITTEN for file in (ROOT / room).rglob("*") if file.is_file()]:
        if "cache" not in file.as_posix():
            found = FOREIGN.search(file.read_text(encoding="utf-8", errors="replace"))
            assert not found, f"{short(file)} says {found and found[0]!r}"
