"""What is no data and still takes part in a call: kept objects, lent functions and objects, seeds."""

from types import SimpleNamespace

import pytest
from small_course import write_course

from autograder.grading.cells import Cell, Submission
from autograder.grading.grader import Grader
from autograder.grading.limits import MIB, Limits
from autograder.grading.verdict import SubmissionResult, Verdict
from autograder.grading.weaving import statements
from autograder.grading.work import work_on
from autograder.sandbox.servant import Servant

TASKS = '''
# %% nbgrader={"grade_id": "Log_stub", "solution": true}
class Log:
    """Heights in the order of their coming."""
    ### BEGIN SOLUTION
    def __init__(self):
        self._heights = []
    def append(self, height):
        self._heights.append(float(height))
    @property
    def heights(self):
        return np.array(self._heights)
    def __len__(self):
        return len(self._heights)
    ### END SOLUTION

# %% nbgrader={"grade_id": "Log", "grade": true, "points": 2}
check("Log")

# %% nbgrader={"grade_id": "note_stub", "solution": true}
def note(log, height):
    """Append the height, return the mean of all."""
    ### BEGIN SOLUTION
    log.append(height)
    return log.heights.mean() if len(log) else 0.0
    ### END SOLUTION

# %% nbgrader={"grade_id": "note", "grade": true, "points": 2}
check("note")

# %% nbgrader={"grade_id": "waves_stub", "solution": true}
def waves(count, rng, shape):
    """Random times, each in that shape."""
    ### BEGIN SOLUTION
    return [shape(time) for time in rng.uniform(0, 9, count)]
    ### END SOLUTION

# %% nbgrader={"grade_id": "waves", "grade": true, "points": 2}
check("waves")

# %% nbgrader={"grade_id": "drawn_stub", "solution": true}
def drawn(values):
    """The values and one more."""
    ### BEGIN SOLUTION
    return [*values, np.random.rand()]
    ### END SOLUTION

# %% nbgrader={"grade_id": "drawn", "grade": true, "points": 2}
check("drawn")
'''
CHECKS = """
def test_Log_is_empty(student):
    assert len(student.Log()) == 0
def test_note_once(student):
    assert student.note(student.Log(), 1) == 1
def test_waves_none(student):
    assert student.waves(0, None, None) == []
def test_drawn_length(student):
    assert len(student.drawn([1])) == 2
"""
SUITES = {
    "test_Log.py": '''
from autograder.grading.suite import same
def test_heights(student, rng):
    """What was appended is there, in order."""
    log, other = student.Log.kept(), student.Log.kept()
    heights = rng.uniform(1, 5, 3)
    for height in heights:
        log.append(height)
    same(log.value("heights"), heights)
    assert len(log) == 3 and len(other) == 0
''',
    "test_note.py": '''
import pytest
from autograder.grading.suite import same
pytestmark = pytest.mark.leans_on("Log")
def test_means(student, rng):
    """The mean of all heights so far."""
    log = student.Log.kept()
    heights = rng.uniform(1, 5, 4)
    for count, height in enumerate(heights, 1):
        same(student.note(log, height), heights[:count].mean())
    same(log.value("heights"), heights)
def test_another_log(student):
    """A log of another kind, which starts with three heights."""
    log = student.given("Started", 3, height=2.0)
    same(student.note(log, 6.0), 3.0)
    same(log.value("heights"), [2.0, 2.0, 2.0, 6.0])
''',
    "given.py": '''
import numpy as np
class Started:
    """Starts with that height, so often."""
    def __init__(self, count, height):
        self.heights = np.full(count, height)
    def append(self, height):
        self.heights = np.append(self.heights, height)
    def __len__(self):
        return len(self.heights)
''',
    "test_drawn.py": '''
import numpy as np
from autograder.grading.suite import same
def test_drawn(student):
    """Drawn by the global generator; a list that was handed in may change later."""
    student.seed_generators(7)
    drawn = np.random.RandomState(7).rand(2)
    kept = student.keep([1.0])
    same(student.drawn(kept), [1.0, drawn[0]])
    kept.append(2.0)
    same(student.drawn(kept), [1.0, 2.0, drawn[1]])
''',
    "test_waves.py": '''
import numpy as np
from autograder.grading.suite import numpy_rng, same
def test_shapes(student, rng):
    """Each time in its shape."""
    seed = int(rng.integers(2**32))
    expected = np.cos(np.random.default_rng(seed).uniform(0, 9, 5))
    same(student.waves(5, numpy_rng(seed), shape=lambda time: np.cos(time)), expected)
''',
    "misconceptions.py":
    """
import numpy as np
from autograder.grading.suite import misconception
from solutions.tides import Log

@misconception("Log", "keeps the newest first", hint="Where does a new height go?")
class Backwards(Log):
    def append(self, height):
        self._heights.insert(0, float(height))

@misconception("note", "averages before it appends", hint="Is the new one in?")
def late(log, height):
    mean = log.heights.mean() if len(log) else 0.0
    log.append(height)
    return mean

@misconception("drawn", "draws twice", hint="How often?")
def twice(values):
    np.random.rand()
    return [*values, np.random.rand()]

@misconception("waves", "draws with the wrong limits", hint="How long is a day?")
def short(count, rng, shape):
    return [shape(time) for time in rng.uniform(0, 1, count)]
""",
}
OWN_LOG = """
class Log:
    def __init__(self):
        self.all = []
    def append(self, height):
        self.all.append(height)
    @property
    def heights(self):
        return np.asarray(self.all)
    def __len__(self):
        return len(self.all)
"""
WRONG_LOG = OWN_LOG.replace("self.all.append(height)", "self.all.insert(0, height)")
NOTE = "def note(log, height):\n    log.append(height)\n    return log.heights.mean()\n"
WAVES = "def waves(count, rng, shape):\n    return [shape(t) for t in rng.uniform(0, 9, count)]\n"
RIGHT = "import numpy as np\ndef level(hours):\n    return np.sin(np.asarray(hours, dtype=float) / 2)\n"

pytestmark = pytest.mark.xdist_group("objects")  # one grader, started once


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    from autograder.grading.release import release

    course = write_course(tmp_path_factory.mktemp("objects") / "course")
    lesson = course.lesson("tides")
    for path, more in ((lesson.text, TASKS), (lesson.public_checks, CHECKS)):
        path.write_text(path.read_text(encoding="utf-8") + more, encoding="utf-8")
    lesson.hidden.mkdir(parents=True)
    for name, text in SUITES.items():
        (lesson.hidden / name).write_text(text, encoding="utf-8")
    for other in ("level", "cause"):
        (lesson.hidden / f"test_{other}.py").write_text("def test_one(student):\n    student.level(1)\n")
    release(lesson)
    limits = Limits(call=1.0, cell=2.0, submission=30.0, memory=900 * MIB)
    with Grader(course, lesson, limits) as grader:
        yield grader, lesson


def grade(room, text: str) -> SubmissionResult:
    grader, lesson = room
    cells = [Cell("", part, "code", index) for index, part in enumerate(statements(RIGHT + text))]
    result = grader.grade(work_on(lesson, Submission("s", lesson.name, "python", cells, []), None))
    assert not result.internal, result.problems
    return result


def points(result: SubmissionResult) -> dict[str, float]:
    return {task.name: task.points for task in result.tasks if task.name in ("Log", "note", "waves")}


def test_right_objects_get_everything(room):
    assert points(grade(room, OWN_LOG + NOTE + WAVES)) == {"Log": 2, "note": 2, "waves": 2}


def test_a_wrong_class_costs_itself_only_and_is_named(room):
    result = grade(room, WRONG_LOG.replace("heights(self)", "heights(self, late=None)") + NOTE + WAVES)
    assert points(result) == {"Log": 0, "note": 2, "waves": 2}
    assert result.task("Log").misconception == "keeps the newest first"
    assert result.task("note").lent == ["Log"]


def test_a_missing_class_is_missing_and_costs_itself_only(room):
    result = grade(room, NOTE + WAVES)
    assert points(result) == {"Log": 0, "note": 2, "waves": 2}
    assert result.task("Log").verdict is Verdict.MISSING


def test_mistakes_in_what_an_object_is_used_for_are_named(room):
    late = "def note(log, height):\n    m = log.heights.mean() if len(log) else 0\n"
    late += "    log.append(height)\n    return m\n"
    result = grade(room, OWN_LOG + late + WAVES.replace("0, 9", "0, 1"))
    assert points(result) == {"Log": 2, "note": 0, "waves": 0}
    assert result.task("note").misconception == "averages before it appends"
    assert result.task("waves").misconception == "draws with the wrong limits"


@pytest.mark.parametrize(
    "log, verdict",
    [
        ("Log = 3\n", Verdict.ERROR),
        ("Log = lambda: 3\n", Verdict.ERROR),
        ("class Log:\n    append = heights = None\n", Verdict.ERROR),
        (OWN_LOG.replace("return len(self.all)", "return -1"), Verdict.FAILED),
        (OWN_LOG.replace("np.asarray(self.all)", "object()"), Verdict.FAILED),
        (OWN_LOG.replace("np.asarray(self.all)", "(i for i in self.all)"), Verdict.FAILED),
        ("class Log:\n    def __getattr__(self, name):\n        import os; os._exit(0)\n", Verdict.ERROR),
        ("class Log:\n    def __init__(self):\n        while True: pass\n", Verdict.TIMEOUT),
    ],
)
def test_hostile_objects_cost_only_their_task(room, log, verdict):
    result = grade(room, log + NOTE + WAVES)
    assert result.task("Log").verdict is verdict
    assert points(result) == {"Log": 0, "note": 2, "waves": 2}


def test_kept_data_and_seeded_generators(room):
    right = "def drawn(values):\n    return list(values) + [np.random.random_sample()]\n"
    assert grade(room, right).task("drawn").points == 2
    wrong = right.replace("    return", "    np.random.rand()\n    return")
    assert grade(room, wrong).task("drawn").misconception == "draws twice"


def test_lending_replaces_a_function_under_all_its_names_and_no_number(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("signal.signal", lambda *_: None)
    names = {"level": abs, "same_one": abs, "three": 3, "tide": 3}
    servant = Servant(None, SimpleNamespace(user_ns=names))
    servant._replace("level", max)
    servant._replace("three", max)
    assert names == {"level": max, "same_one": max, "three": max, "tide": 3}


def test_what_a_lent_function_raises_is_raised_in_the_students_code(room):
    caught = """
def waves(count, rng, shape):
    try:
        shape('x')
    except TypeError:
        return [shape(t) for t in rng.uniform(0, 9, count)]
"""
    assert points(grade(room, OWN_LOG + NOTE + caught))["waves"] == 2
