"""What must hold of every hidden suite: the reference passes, each known mistake fails and is named, each
right answer written differently passes, and no answer whatever makes the suite itself fail."""

import ast
from pathlib import Path

import pytest

from autograder.grading.course import Course, Lesson
from autograder.grading.grader import Grader
from autograder.grading.judging import load_reference
from autograder.grading.misconceptions import load, misconceptions
from autograder.grading.cells import Cell, Submission
from autograder.grading.samples import Sample
from autograder.grading.submission import read_file
from autograder.grading.verdict import SubmissionResult, TaskResult, Verdict
from autograder.grading.weaving import statements
from autograder.grading.work import work_on

ROOT = Path(__file__).resolve().parents[2]
LESSONS = Course(ROOT).lessons()
CODE_TASKS = [(lesson, task) for lesson in LESSONS for task in lesson.tasks if not task.question]


def name_of(value: object) -> str:
    return getattr(value, "name", None) or getattr(value, "__name__", str(value))


def grade(
    grader: Grader,
    lesson: Lesson,
    text: str,
    tasks: list[str] | None = None,
    follow_through: bool = True,
    student: str = "proof",
) -> SubmissionResult:
    cells = [Cell("", part, "code", index) for index, part in enumerate(statements(text))]
    submission = Submission(student, lesson.name, "python", cells, [])
    return grader.grade(work_on(lesson, submission, tasks), follow_through)


def pasted(lesson: Lesson, module: Path, function) -> str:
    """The solutions with one function in the place of a task's: what a student would have handed in."""
    body = ast.parse(module.read_text(encoding="utf-8")).body
    imports = [node for node in body if isinstance(node, ast.Import | ast.ImportFrom) and not _ours(node)]
    definition = next(node for node in body if getattr(node, "name", None) == function.__name__)
    definition.decorator_list = []
    task = (getattr(function, "misconception", None) or function.variant)[0]
    parts = [
        *(ast.unparse(node) for node in imports),
        ast.unparse(definition),
        f"{task} = {function.__name__}",
    ]
    return lesson.solution.read_text(encoding="utf-8") + "\n" + "\n".join(parts) + "\n"


def _ours(node: ast.Import | ast.ImportFrom) -> bool:
    return isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in (
        "autograder",
        "solutions",
    )


def report(result: TaskResult) -> str:
    return "; ".join(
        f"{t.name}: {t.verdict} {t.message}" for t in result.tests if t.verdict is not Verdict.PASSED
    )


@pytest.mark.parametrize("lesson", LESSONS, ids=name_of)
def test_the_reference_gets_everything(graders, lesson):
    result = grade(graders(lesson), lesson, lesson.solution.read_text(encoding="utf-8"))
    for task in result.tasks:
        assert task.verdict is Verdict.PASSED, f"{task.name}: {report(task)}"
    assert result.points == result.max_points and not result.problems


@pytest.mark.parametrize("lesson", LESSONS, ids=name_of)
def test_the_release_gets_nothing(graders, lesson):
    result = graders(lesson).grade(work_on(lesson, read_file(lesson.release, lesson)))
    assert {task.verdict for task in result.tasks} == {Verdict.MISSING}
    assert result.points == 0 and not result.problems


@pytest.mark.parametrize("lesson", LESSONS, ids=name_of)
def test_the_solved_notebook_runs_from_top_to_bottom_without_a_warning(graders, lesson, tmp_path):
    solved = tmp_path / "passed--the-reference.py"
    solved.write_text(lesson.solution.read_text(encoding="utf-8"), encoding="utf-8")
    notebook = tmp_path / f"{lesson.name}.ipynb"
    notebook.write_bytes(Sample(solved, lesson).notebook())
    result = graders(lesson).grade(work_on(lesson, read_file(notebook, lesson)))
    outputs = [output for cell in result.outputs for output in cell]
    amiss = [o for o in outputs if o["output_type"] == "error" or o.get("name") == "stderr"]
    assert not amiss and not result.problems and result.points == result.max_points
    assert any("text/html" in output.get("data", {}) for output in outputs)  # pictures were drawn


MISTAKES = [
    (lesson, item) for lesson in LESSONS for item in misconceptions(lesson.hidden / "misconceptions.py")
]


@pytest.mark.parametrize("lesson, item", MISTAKES, ids=[f"{item.task}: {item.name}" for _, item in MISTAKES])
def test_a_known_mistake_fails_and_is_named(graders, lesson, item):
    text = pasted(lesson, lesson.hidden / "misconceptions.py", item.function)
    result = grade(graders(lesson), lesson, text, [item.task], follow_through=False).task(item.task)
    assert result.verdict not in (Verdict.PASSED, Verdict.INTERNAL), report(result)
    assert not result.max_points or result.points < result.max_points
    assert result.misconception == item.name and result.hint == item.hint


VARIANTS = [
    (lesson, value)
    for lesson in LESSONS
    for value in vars(load(lesson.hidden / "variants.py")).values()
    if hasattr(value, "variant")
]


def _touched(lesson: Lesson, name: str) -> list[str]:
    """The task and those whose suites say that they lean on it."""
    suites = {task.name: lesson.hidden / f"test_{task.name}.py" for task in lesson.tasks}
    leaning = [task for task, suite in suites.items() if f'"{name}"' in _leaning(suite)]
    return [task.name for task in lesson.tasks if task.name in (name, *leaning)]


def _leaning(suite: Path) -> str:
    lines = suite.read_text(encoding="utf-8").splitlines()
    return " ".join(line for line in lines if "leans_on" in line)


@pytest.mark.parametrize("lesson, function", VARIANTS, ids=[": ".join(f.variant) for _, f in VARIANTS])
def test_a_right_answer_written_differently_gets_everything(graders, lesson, function):
    text = pasted(lesson, lesson.hidden / "variants.py", function)
    result = grade(graders(lesson), lesson, text, _touched(lesson, function.variant[0]))
    for task in result.tasks:
        assert task.verdict is Verdict.PASSED, f"{task.name}: {report(task)}"


# Answers that are none, and constants: {task} is the task's name.
NO_ANSWERS = {
    "none": "lambda *a, **k: None",
    "zero": "lambda *a, **k: 0.0",
    "text": "lambda *a, **k: 'x'",
    "empty": "lambda *a, **k: []",
    "ragged": "lambda *a, **k: [[1.0], [2.0, 3.0]]",
    "deep": "lambda *a, **k: [[[[[[1.0]]]]]]",
    "nan": "lambda *a, **k: np.full(np.shape(a[0]), np.nan)",
    "wrong pair": "lambda *a, **k: (1, 2, 3)",
    "pair of nothing": "lambda *a, **k: (None, None)",
    "objects": "lambda *a, **k: np.array([object()])",
    "dict": "lambda *a, **k: {'a': 1}",
    "complex": "lambda *a, **k: np.asarray(a[0]) * 1j",
    "raises": "lambda *a, **k: 1 / 0",
    "exits": "lambda *a, **k: __import__('sys').exit()",
    "number": "3",
    "class": "type('A', (), {})",
    "half": "lambda *a, **k: np.asarray(a[0], dtype=np.float16)",
    "infinite": "lambda *a, **k: np.full((3, 3), np.inf)",
    "zeros": "lambda *a, **k: np.zeros(np.shape(a[0]))",
    "ones": "lambda *a, **k: np.ones(np.shape(a[0]))",
    "identity": "lambda *a, **k: a[0]",
    "uniform": "lambda *a, **k: np.full(np.shape(a[0]), 1 / np.shape(a[0])[-1])",
    "zero pair": "lambda *a, **k: (np.zeros((len(a[0]), len(a[0]))), np.zeros(np.shape(a[0])))",
    "uniform pair": "lambda *a, **k: (np.full((len(a[0]), len(a[0])), 1 / len(a[0])), np.asarray(a[0]))",
    "identity pair": "lambda *a, **k: (np.eye(len(a[0])), np.asarray(a[0]))",
}


@pytest.mark.parametrize("answer", NO_ANSWERS)
@pytest.mark.parametrize("lesson", LESSONS, ids=name_of)
def test_no_answer_earns_more_than_a_tenth_or_breaks_the_suite(graders, lesson, answer):
    """Every task of the lesson answered with the same nothing, which calls no other function: lending it some
    would change nothing."""
    names = [task.name for task in lesson.tasks if not task.question]
    text = "import numpy as np\n" + "\n".join(f"{name} = {NO_ANSWERS[answer]}" for name in names)
    result = grade(graders(lesson), lesson, text, follow_through=False)
    assert not result.internal, result.problems
    for task in result.tasks:
        assert task.points <= 0.1 * task.max_points, f"{task.name} got {task.points}: {report(task)}"


# Every number of every result off by that much: of the parts of a pair, of what the methods and attributes of
# an object give, of what a module of torch makes of its input.
OFF = """
import numpy as np

_right, _OFF = {task}, 1e-3

def _off(value):
    if isinstance(value, (bool, np.bool_, str, type(None))):
        return value
    if isinstance(value, (tuple, list)):
        return type(value)(_off(part) for part in value)
    if isinstance(value, dict):
        return {{key: _off(part) for key, part in value.items()}}
    if getattr(value, "requires_grad", False):
        return value + _OFF
    return _off_array(np.asarray(value))

def _off_array(array):
    return ~array if array.dtype.kind == "b" else array + _OFF

if isinstance(_right, type) and hasattr(_right, "forward"):
    class {task}(_right):
        def forward(self, *args, **kwargs):
            return _off(super().forward(*args, **kwargs))
elif isinstance(_right, type):
    class {task}(_right):
        def __getattribute__(self, name):
            value = super().__getattribute__(name)
            return value if name.startswith("_") or callable(value) else _off(value)
else:
    def {task}(*args, **kwargs):
        return _off(_right(*args, **kwargs))
"""


@pytest.mark.parametrize("lesson, task", CODE_TASKS, ids=[task.name for _, task in CODE_TASKS])
def test_a_result_off_by_a_thousandth_does_not_pass(graders, lesson, task):
    suite = (lesson.hidden / f"test_{task.name}.py").read_text(encoding="utf-8")
    if "pytest.mark.open_ended" in suite:
        pytest.skip("many answers are right")
    text = lesson.solution.read_text(encoding="utf-8") + OFF.format(task=task.name)
    assert grade(graders(lesson), lesson, text, [task.name]).task(task.name).verdict is Verdict.FAILED


QUICK = [lesson for lesson in LESSONS if "torch" not in lesson.modules]


@pytest.mark.slow
@pytest.mark.parametrize("tens", range(10))
@pytest.mark.parametrize("lesson", QUICK, ids=name_of)
def test_the_reference_gets_everything_whatever_the_seed(graders, lesson, tens):
    text = lesson.solution.read_text(encoding="utf-8")
    for number in range(10 * tens, 10 * tens + 10):
        result = grade(graders(lesson), lesson, text, student=f"student {number}")
        wrong = [report(task) for task in result.tasks if task.verdict is not Verdict.PASSED]
        assert not wrong, number


@pytest.mark.parametrize("lesson", LESSONS[:1], ids=name_of)
def test_two_gradings_are_identical(graders, lesson):
    module = lesson.hidden / "misconceptions.py"
    text = pasted(lesson, module, misconceptions(module)[0].function)
    one, two = (grade(graders(lesson), lesson, text).report() for _ in range(2))
    assert one == two


def test_the_reference_module_is_the_one_suites_import():
    for lesson in LESSONS:
        assert Path(load_reference(ROOT, lesson.name).__file__) == lesson.solution
