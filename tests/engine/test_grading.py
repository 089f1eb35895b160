"""From a submission to its result: the sandbox, the bench, the judge and the verdicts, on a small course."""

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from msgspec import structs
from processes import descendants
from small_course import write_course

from autograder.grading.grader import Grader
from autograder.grading.judge import _bound_memory
from autograder.grading.limits import MIB, Limits
from autograder.grading.secret import course_secret, seed
from autograder.grading.cells import Cell, Submission
from autograder.grading.submission import read_file
from autograder.grading.verdict import SubmissionResult, Verdict
from autograder.grading.work import work_on

SUITE = '''
import numpy as np
import pytest
from autograder.grading.suite import same, inputs_untouched
from solutions import tides as reference

@pytest.mark.gate
@pytest.mark.public
def test_published(student):
    """The level at 1."""
    same(student.level(1.0), np.sin(0.5))

@pytest.mark.weight(2)
def test_many(student, rng):
    """Many levels."""
    hours = rng.uniform(1, 9, 5)
    same(student.level(hours), reference.level(hours))

def test_untouched(student):
    """The input stays."""
    hours = np.arange(1.0, 4.0)
    same(inputs_untouched(student.level, hours), reference.level(hours))
'''
QUESTION = '''"""Because of the far side."""
from autograder.grading.suite import choice

def test_choice(student):
    """The right letter."""
    choice(student.answer, "b")
'''
TWICE = '''
import numpy as np
import pytest
from autograder.grading.suite import same

pytestmark = pytest.mark.leans_on("level")

def test_twice(student):
    """Twice the level."""
    same(student.twice(1.0), 2 * np.sin(0.5))
'''
MISTAKES = """
import numpy as np
from autograder.grading.suite import misconception

@misconception("level", "takes the cosine", hint="Where is the water at hour zero?")
def cosine(hours):
    return np.cos(np.asarray(hours, dtype=float) / 2)

@misconception("level", "forgets the half", hint="How long is a tide?")
def whole(hours):
    return np.sin(np.asarray(hours, dtype=float))
"""
EXTRA_TASK = '''
# %% nbgrader={"grade_id": "twice_stub", "solution": true}
def twice(hours):
    """Twice the level."""
    ### BEGIN SOLUTION
    return 2 * level(hours)
    ### END SOLUTION

# %% nbgrader={"grade_id": "twice", "grade": true, "points": 4}
check("twice")
'''
RIGHT = "import numpy as np\ndef level(hours):\n    return np.sin(np.asarray(hours, dtype=float) / 2)\n"
TWO = "def twice(hours):\n    return 2 * level(hours)\n"
QUICK = Limits(call=1.0, cell=2.0, submission=30.0, memory=900 * MIB, disk=20 * MIB, threads=50)

pytestmark = pytest.mark.xdist_group("grading")  # one grader, started once


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    """The small course with a second task and hidden suites, released; and a grader for it."""
    from autograder.grading.release import release

    course = write_course(tmp_path_factory.mktemp("graded") / "course")
    lesson = course.lesson("tides")
    with lesson.text.open("a", encoding="utf-8") as file:
        file.write(EXTRA_TASK)
    with lesson.public_checks.open("a", encoding="utf-8") as file:
        file.write(
            'SECTIONS["twice"] = "1 Tides"\n\n'
            "def test_twice_at_zero(student):\n    assert student.twice(0) == 0\n"
        )
    lesson.hidden.mkdir(parents=True)
    for name, text in {
        "test_level.py": SUITE,
        "test_cause.py": QUESTION,
        "test_twice.py": TWICE,
        "misconceptions.py": MISTAKES,
    }.items():
        (lesson.hidden / name).write_text(text, encoding="utf-8")
    release(lesson)
    with pytest.MonkeyPatch.context() as patch, Grader(course, lesson, QUICK) as grader:
        patch.setenv("TMPDIR", str(tmp_path_factory.mktemp("scratch")))
        patch.setattr(tempfile, "tempdir", None)
        patch.delenv("OMP_NUM_THREADS")  # the judge is to bring its own
        yield course, grader


def grade(
    room, *cells: str, tasks: list[str] | None = None, kind: str = "notebook", ids: tuple = ()
) -> SubmissionResult:
    course, grader = room
    lesson = course.lesson("tides")
    made = [Cell(ids[i] if i < len(ids) else "", text, "code", i) for i, text in enumerate(cells)]
    return grader.grade(work_on(lesson, Submission("ada", "tides", kind, made, []), tasks))


def verdicts(result: SubmissionResult) -> dict[str, str]:
    return {task.name: str(task.verdict) for task in result.tasks}


def message(result: SubmissionResult, task: str) -> str:
    return " ".join(test.message for test in result.task(task).tests)


def test_the_right_answers_get_everything(room):
    result = grade(room, RIGHT, "answer = 'B '", TWO, ids=("", "cause_stub"))
    assert verdicts(result) == {"level": "passed", "cause": "passed", "twice": "passed"}
    assert (result.points, result.max_points, result.problems) == (7.0, 7.0, [])
    assert result.task("cause").explanation == "Because of the far side."


def test_a_notebook_can_tell_that_it_is_graded(room):
    from autograder import while_grading

    told = grade(room, "from autograder import while_grading\nprint(while_grading())")
    assert told.outputs[0][0]["text"] == "True\n" and not while_grading()


def test_nothing_gets_nothing(room):
    result = grade(room, "pass")
    assert (
        verdicts(result) == {"level": "missing", "cause": "missing", "twice": "missing"}
        and result.points == 0
    )


def test_an_answer_counts_right_after_its_cell_only(room):
    result = grade(room, "answer = 'b'", "x = 1", "answer = 'b'", ids=("", "cause_stub"))
    assert result.task("cause").verdict is Verdict.MISSING


def test_partial_credit_and_gate(room):
    in_place = (
        "import numpy as np\ndef level(h):\n    r = np.sin(np.asarray(h, float) / 2)\n"
        "    if np.ndim(h): h[0] = 0\n    return r\n"
    )
    assert (
        grade(room, in_place).task("level").points == 1.5
    )  # two lists of inputs survive; the input does not
    ungated = (
        "import numpy as np\ndef level(h):\n"
        "    return np.sin(np.asarray(h, float) / 2) if np.ndim(h) else 0.5\n"
    )
    assert grade(room, ungated).task("level").points == pytest.approx(0.2)


def test_a_known_mistake_is_named(room):
    result = grade(
        room, "import numpy as np\ndef level(h):\n    return np.cos(np.array(h) / 2)\n", tasks=["level"]
    )
    task = result.task("level")
    assert (task.verdict, task.misconception) == (Verdict.FAILED, "takes the cosine")
    assert task.hint == "Where is the water at hour zero?"


def test_an_unknown_mistake_is_not(room):
    assert grade(room, "def level(h):\n    return h * 0 + 0.1\n").task("level").misconception is None


@pytest.mark.parametrize(
    "own",
    [
        "def level(h):\n    return h\n" + TWO,
        "def level(h):\n    return h\ntide = level\ndef twice(h):\n    return tide(h) * 2\n",
        "def level(h):\n    return h\ndef twice(h, f=level):\n    return f(h) * 2\n",
        "from functools import partial\ndef level(h):\n    return h\n"
        "def twice(h, f=partial(level)):\n    return f(h) * 2\n",
        TWO,
        "level = 3\n" + TWO,
        "def level(h):\n    while True: pass\n" + TWO,
        "def level(h):\n    import os; os._exit(0)\n" + TWO,
    ],
)
def test_a_mistake_made_once_is_paid_once(room, own):
    result = grade(room, own)
    assert result.task("level").points == 0 and result.task("level").verdict is not Verdict.PASSED
    assert (result.task("twice").points, result.task("twice").lent) == (4.0, ["level"])


def test_lending_does_not_mend_what_is_wrong_itself(room):
    result = grade(room, "def level(h):\n    return h\ndef twice(h):\n    return 3 * level(h)\n")
    assert result.task("twice").points == 0 and result.task("twice").lent == []


def test_nothing_is_lent_for_what_passed(room):
    result = grade(room, RIGHT + "def twice(h):\n    return 3 * level(h)\n")
    assert (verdicts(result)["level"], verdicts(result)["twice"]) == ("passed", "failed")


def test_threads_that_call_a_lent_function_at_once(room):
    many = """
import threading
def level(h):
    return h
def twice(h):
    out = []
    threads = [threading.Thread(target=lambda: out.append(level(h))) for _ in range(8)]
    [t.start() for t in threads]; [t.join() for t in threads]
    threading.Thread(target=lambda: [level(h) for _ in range(50)]).start()
    return out[0] + out[-1]
"""
    assert grade(room, many).task("twice").points == 4.0


def test_errors_name_the_students_line_and_no_hidden_value(room):
    result = grade(room, "x = 1", "def level(h):\n    raise ValueError(f'secret {h}')\n", tasks=["level"])
    assert verdicts(result)["level"] == "error"
    tests = {test.name: test.message for test in result.task("level").tests}
    assert "ValueError at line 2 of its cell: `raise ValueError" in tests["test_many"]
    assert "secret [" not in tests["test_many"]
    assert "It said: secret 1.0" in tests["test_published"]


def test_hidden_values_are_shown_for_public_inputs_only(room):
    tests = {t.name: t.message for t in grade(room, "def level(h):\n    return h * 0\n").task("level").tests}
    assert "instead of 0.479" in tests["test_published"] and "instead of" not in tests["test_many"]


def test_an_endless_loop_costs_its_limit_once(room):
    started = time.monotonic()
    result = grade(room, "def level(h):\n    while True: pass\n", tasks=["level"])
    assert verdicts(result) == {"level": "timeout"} and time.monotonic() - started < 4
    assert "took longer than 1 s" in message(result, "level") and "Not run" in message(result, "level")


@pytest.mark.parametrize(
    "loop",
    [
        "try:\n            while True: pass\n        except KeyboardInterrupt: continue",
        "import re; re.match('(a+)+$', 'a' * 40 + 'b')",
        "sum(range(10**14))",
        "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n        while True: pass",
    ],
)
def test_a_loop_that_will_not_end_is_ended(room, loop):
    own = f"def level(h):\n    while True:\n        {loop}\n" + TWO
    result = grade(room, own)
    assert verdicts(result)["level"] == "timeout" and result.task("twice").points == 4.0


def test_a_loop_in_a_cell_costs_that_cell(room):
    result = grade(room, RIGHT, "while True: pass", TWO)
    assert (verdicts(result)["level"], verdicts(result)["twice"]) == ("passed", "passed")
    assert result.problems == ["cell 2 took longer than 2 s"]


def test_a_cell_that_ends_the_process_costs_that_cell(room):
    result = grade(room, RIGHT, "import os; os._exit(7)", TWO)
    assert (verdicts(result)["level"], verdicts(result)["twice"]) == ("passed", "passed")
    assert result.problems == ["cell 2: the code ended the process (exit code 7)"]


@pytest.mark.parametrize(
    "end, said",
    [
        ("os._exit(0)", "exit code 0"),
        ("os.kill(os.getpid(), 9)", "SIGKILL"),
        ("os.abort()", "SIGABRT"),
        ("import ctypes; ctypes.string_at(0)", "SIGSEGV"),
    ],
)
def test_the_end_of_the_process_is_an_error(room, end, said):
    result = grade(room, f"import os\ndef level(h):\n    {end}\n", tasks=["level"])
    assert verdicts(result) == {"level": "error"} and said in message(result, "level")


@pytest.mark.parametrize(
    "raised", ["SystemExit", "KeyboardInterrupt", "GeneratorExit", "BaseException", "Own"]
)
def test_no_exception_passes_through(room, raised):
    own = f"class Own(BaseException): pass\ndef level(h):\n    raise {raised}\n"
    result = grade(room, own + TWO)
    assert verdicts(result)["level"] == "error" and result.task("twice").points == 4.0


def test_memory_is_bounded(room):
    result = grade(room, RIGHT + "def twice(h):\n    return bytearray(10**10)\n")
    assert (verdicts(result)["level"], verdicts(result)["twice"]) == ("passed", "error")
    assert "MemoryError" in message(result, "twice")


def test_the_disk_is_bounded(room):
    own = """
def twice(h):
    for i in range(10**6):
        with open(f'file{i}', 'wb') as f: f.write(bytes(4 * 2**20))
"""
    result = grade(room, RIGHT + own)
    assert (verdicts(result)["level"], verdicts(result)["twice"]) == ("passed", "timeout")
    assert "more files than allowed" in message(result, "twice")


@pytest.mark.parametrize(
    "own, said",
    [
        (
            "import os\n    for i in range(1500):\n        os.mkdir('d'); os.chdir('d')",
            "more files than allowed",
        ),
        ("import os\n    for i in range(3000): os.mkdir(f'd{i}')", "more files than allowed"),
        (
            "import threading, time\n    threading.stack_size(32768)\n"
            "    for i in range(90): threading.Thread(target=time.sleep, args=(9,)).start()",
            "more threads than allowed",
        ),
    ],
)
def test_folders_and_threads_are_bounded(room, own, said):
    result = grade(room, RIGHT + f"def twice(h):\n    {own}\n    import time; time.sleep(9)\n")
    assert (verdicts(result)["level"], verdicts(result)["twice"]) == ("passed", "timeout")
    assert said in message(result, "twice")
    assert not list(Path(tempfile.gettempdir()).glob("grading-*/*"))


def test_outputs_are_kept_under_a_cap(room):
    result = grade(
        room, RIGHT, "print('x' * 50_000_000)", "print(1)\nimport sys; print(2, file=sys.stderr)\n3"
    )
    assert len(result.outputs[1][0]["text"]) < 2 * QUICK.output and "was cut" in result.outputs[1][0]["text"]
    assert [o.get("text") or o["data"]["text/plain"] for o in result.outputs[2]] == ["1\n", "2\n", "3"]
    assert verdicts(result)["level"] == "passed"


def test_plain_python_goes_on_after_a_statement_that_goes_wrong(room, tmp_path):
    text = (
        "import sys\n1 / 0\nsys.exit()\nwhile True: pass\n"
        + RIGHT
        + "if __name__ == '__main__':\n    level = None\n"
    )
    course, grader = room
    lesson = course.lesson("tides")
    (tmp_path / "ada.py").write_text("from __future__ import annotations\n" + text + "def f(x: no): pass\n")
    result = grader.grade(work_on(lesson, read_file(tmp_path / "ada.py", lesson)))
    assert verdicts(result) == {"level": "passed", "twice": "missing"}
    assert result.problems == ["`while True: pass` took longer than 2 s"]


@pytest.mark.parametrize("fails", ["import no_such_package", "%load_ext no_such", "open('a.csv')", "1 / 0"])
def test_a_cell_goes_on_after_a_statement_that_goes_wrong(room, fails):
    """Functions further down have been written, whatever is not installed here."""
    result = grade(room, f"{fails}\nHALF = 2\n1 / 0\n" + RIGHT.replace("/ 2", "/ HALF"), TWO)
    assert (verdicts(result)["level"], verdicts(result)["twice"]) == ("passed", "passed")
    assert result.problems == [] and len([o for o in result.outputs[0] if o["output_type"] == "error"]) <= 1


def test_a_line_below_a_failing_statement_is_found(room):
    own = "\n\nimport no_such_package\n# \f \u2028\ndef level(h):\n    raise ValueError\n"
    assert "line 6 of its cell: `raise ValueError`" in message(grade(room, own, tasks=["level"]), "level")


@pytest.mark.parametrize("ends", ["raise SystemExit", "raise KeyboardInterrupt", "import sys; sys.exit(3)"])
def test_an_exit_ends_its_cell(room, ends):
    result = grade(room, f"{ends}\n" + RIGHT, TWO)
    assert (verdicts(result)["level"], verdicts(result)["twice"]) == ("missing", "passed")
    cause = f"cell 1 stopped with {'KeyboardInterrupt' if 'Key' in ends else 'SystemExit'}"
    assert result.problems == [f"{cause} before it defined `level`"]


def test_a_function_that_is_missing_is_traced_to_its_cell(room):
    result = grade(room, "x = 1", "def level(h):\n    return (h\n", "def f(x: Odd('<b>')): return level\n1 +")
    cause = "cell 2 stopped with SyntaxError before it defined `level`"
    assert message(result, "level").startswith(f"There is no `level`: {cause}: run that cell and mend")
    assert "There is no `twice`: define it under this very name." in message(result, "twice")
    assert result.problems == [cause]


def test_a_stub_in_place_is_no_problem_to_anybody(room):
    stub = "class level:\n    raise NotImplementedError()\n"
    result = grade(room, stub)
    assert result.task("level").verdict is Verdict.MISSING and result.problems == []


def test_a_loop_in_the_rest_of_a_cell_costs_that_cell(room):
    result = grade(room, RIGHT, "1 / 0\nwhile True: pass\ndef twice(h):\n    return 0\n", TWO)
    assert (verdicts(result)["level"], verdicts(result)["twice"]) == ("passed", "passed")
    assert result.problems == ["cell 2 took longer than 2 s"]


def test_each_of_many_deaths_costs_its_own_task_only(room):
    """A task's tests end at the first death, and a cell that died is not run again."""
    own = "import os\ndef level(h):\n    os._exit(1)\n"
    result = grade(
        room, own, *["level(1)"] * 6, "def twice(h):\n    import numpy as np\n    return 2 * np.sin(h / 2)\n"
    )
    assert verdicts(result)["level"] == "error" and verdicts(result)["twice"] == "passed"
    assert "not run, since in an earlier call" in message(result, "level").lower()


def test_the_lessons_own_cells_do_not_use_up_the_time(room):
    """Cells of the lesson that call a function that hangs: the first costs a cell's limit, the others a
    call's."""
    course, grader = room
    lesson = course.lesson("tides")
    cells = [
        Cell("", text, "code", i) for i, text in enumerate(["while True: pass"] * 2 + ["while True: 'own'"])
    ]
    work = work_on(lesson, Submission("ada", "tides", "notebook", cells, []), ["level"])
    started = time.monotonic()
    result = grader.grade(structs.replace(work, lesson_cells=frozenset({"while True: pass"})))
    assert result.problems == [f"cell {n} took longer than {s} s" for n, s in ((1, 2), (2, 1), (3, 2))]
    assert time.monotonic() - started < 8


def test_what_a_call_leaves_behind_is_not_seen_by_the_next_submission(room):
    grade(room, "open('left', 'w').write('x')\nimport numpy as np\nnp.sin = None")
    result = grade(room, "import os\nfound = os.path.exists('left')\nprint(found)\n" + RIGHT)
    assert result.outputs[0][0]["text"] == "False\n" and verdicts(result)["level"] == "passed"


def test_an_output_cannot_carry_hidden_inputs(room):
    smuggle = """
import os
import subprocess
import sys
print(os.path.exists('seen'), os.listdir('.'))
def level(h):
    open('seen', 'w').write(str(h))
    if isinstance(h, float): os._exit(0)
    return h
"""
    result = grade(room, smuggle)
    assert result.outputs[0][0]["text"].startswith("False")


def test_no_word_of_a_submission_names_what_it_returned(room):
    """The name of a type, or the text of a refusal of the submission's own making, could hold an input."""
    for own in (
        "    return type(f'seen{np.size(h)}', (), {})()",
        "    from autograder.sandbox.wire import WireError\n    raise WireError(f'seen{np.size(h)}')",
        "    return np.array(['seen' * 50])",
        "    return {1, 2}",
    ):
        result = grade(room, f"import numpy as np\ndef level(h):\n{own}\n", tasks=["level"])
        said = message(result, "level")
        assert verdicts(result) == {"level": "failed"} and "seen" not in said and "800" not in said
    assert "returned a set, which cannot be an answer" in said


def test_a_public_test_meets_no_process_that_has_met_a_hidden_input(room):
    """What a submission remembers of hidden inputs cannot be told by a later task's public test."""
    course, _ = room
    lesson = course.lesson("tides")
    suite = lesson.hidden / "test_twice.py"
    whole = suite.read_text()
    suite.write_text(whole.replace("def test_twice", "@pytest.mark.public\ndef test_twice"))
    own = (
        "seen = []\ndef level(h):\n    seen.append(h)\n    return h\n"
        "def twice(h):\n    raise ValueError(f'seen {len(seen)} {seen}')\n"
    )
    with Grader(course, lesson, QUICK) as grader:
        result = grade((course, grader), own)
    suite.write_text(whole)
    assert "It said: seen 1 [1.0]" in message(result, "twice")
    assert [test.name for test in result.task("level").tests][0] == "test_published"


def test_a_pass_cannot_use_up_the_graders_memory():
    """A fork that bounds itself as a pass of a suite does: what fits is had, what does not is refused."""
    pid = os.fork()
    if pid == 0:
        code = 1
        with contextlib.suppress(MemoryError):
            _bound_memory(64 * MIB)
            code = len(bytearray(16 * MIB)) - 16 * MIB
            bytearray(256 * MIB)
            code = 2
        os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def test_results_are_kept_up_to_a_bound(room):
    own = "import numpy as np\ndef level(h):\n    return np.zeros(3 * 2**20)\n"
    said = message(grade(room, own, tasks=["level"]), "level")
    assert "returned more than 64 MiB in the calls of this task" in said


def test_hidden_inputs_differ_by_student_and_not_by_run(room):
    secret = course_secret(room[0].root)
    assert seed(secret, "ada", "level", "t") == seed(secret, "ada", "level", "t")
    assert (
        len({seed(secret, *parts) for parts in (("ada", "level"), ("bela", "level"), ("ada", "twice"))}) == 3
    )
    assert seed(b"another" * 8, "ada", "level") != seed(secret, "ada", "level")


def test_a_suite_that_fails_itself_is_internal_and_never_a_zero(room, tmp_path):
    course, _ = room
    lesson = course.lesson("tides")
    suite = lesson.hidden / "test_twice.py"
    whole = suite.read_text()
    for broken, reason in (
        ("raise RuntimeError('ours')", "test_twice.py cannot be collected: RuntimeError: ours"),
        ("import pytest\npytestmark = pytest.mark.wieght(2)", "collected: 'wieght' not found in `markers`"),
        ("def test_x(student, nothing): pass", ""),
        ("def test_x(student): 1 / 0", ""),
        ("import pytest\ndef test_x(student): pytest.skip()", ""),
    ):
        suite.write_text(broken)
        with Grader(course, lesson, QUICK) as grader:
            result = grade((course, grader), RIGHT + TWO)
        suite.write_text(whole)
        assert result.task("twice").verdict is Verdict.INTERNAL and result.internal, broken
        assert reason in " ".join(result.problems)


def test_a_template_that_cannot_start_is_internal(room, monkeypatch):
    course, _ = room
    lesson = course.lesson("tides")
    with Grader(course, lesson, QUICK) as grader:
        monkeypatch.setattr(grader, "_setup", structs.replace(grader._setup, modules=[""]))
        result = grade((course, grader), RIGHT)
    assert result.internal and "template" in " ".join(result.problems)


def test_a_conftest_further_up_is_none_of_the_judges_business(room):
    course, _ = room
    stray = course.root / "tests" / "conftest.py"
    stray.write_text("import no_such_module\n")
    with Grader(course, course.lesson("tides"), QUICK) as grader:
        assert not grade((course, grader), RIGHT).internal
    stray.unlink()


def test_the_judge_computes_in_one_thread(room):
    """As its sandboxes do: known mistakes that train are replayed in it, beside other judges."""
    grade(room, RIGHT)
    environment = Path(f"/proc/{room[1]._process.pid}/environ").read_bytes().split(b"\0")
    assert b"OMP_NUM_THREADS=1" in environment


def test_nothing_survives(room):
    grade(room, RIGHT + "import threading, time\nthreading.Thread(target=lambda: time.sleep(99)).start()\n")
    template, *forks = descendants(room[1]._process.pid)
    assert not forks
    assert list(Path(tempfile.gettempdir()).glob("grading-*")) and not list(
        Path(tempfile.gettempdir()).glob("grading-*/*")
    )


def test_the_environment_and_the_files_of_the_grader_are_out_of_sight(room):
    course, _ = room
    os.environ["GRADER_SECRET"] = "seen"
    look = f"""
import os
import subprocess
import sys
print('GRADER_SECRET' in os.environ)
for path in (
    {str(course.root / "course_secret")!r}, {str(course.lesson("tides").solution)!r}, 
    '/etc/passwd', '/proc/self/environ'):
    try:
        open(path).read(); print('read', path)
    except OSError:
        print('no')
try:
    from solutions import tides; print('imported')
except ImportError:
    print('no')
"""
    result = grade(room, look)
    del os.environ["GRADER_SECRET"]
    assert result.outputs[0][0]["text"].split() == ["False", "no", "no", "no", "no", "no"]


def test_what_torch_imports_late_is_there_before_a_judge_forks():
    script = """
import sys, torch
from autograder.grading.judge import _import_late_parts
_import_late_parts()
before = set(sys.modules)
torch.optim.Adam([torch.nn.Parameter(torch.zeros(1))])
print(len(set(sys.modules) - before))
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert run.stdout.strip() == "0", run.stderr
