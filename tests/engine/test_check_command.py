"""`autograder check`: saved work run in a fresh Python and checked there, whatever the work does."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from processes import descendants
from student_work import RIGHT, changed, put

from autograder import cli, rerun as rerunning
from autograder.document import read
from autograder.lesson import LessonError
from autograder.rerun import Rerun, rerun

WRONG = "def double(x):\n    return x + 3"
LOOP = "while True:\n    pass"
STUBBORN = """\
while True:
    try:
        while True:
            pass
    except BaseException:
        pass"""


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")


def run(folder: Path, *sources: str, seconds: float = 20, name: str = "pairs.ipynb") -> Rerun:
    return rerun(read(put(folder, *sources, name=name)), seconds=seconds)


def passed(result: Rerun) -> dict[str, bool]:
    return {task.name: task.passed for task in result.report.tasks}


# ── what it says ──


def test_right_work_passes(tmp_path: Path, capsys):
    assert cli.main(["check", str(put(tmp_path, *RIGHT))]) == 0
    said = capsys.readouterr().out
    assert "✓ double: passes" in said and "So far 3 of 3 tasks pass; grading checks more than this" in said


def test_wrong_work_does_not_and_is_told_why(tmp_path: Path, capsys):
    assert cli.main(["check", str(put(tmp_path, *changed(double=WRONG)))]) == 1
    said = capsys.readouterr().out
    assert "✗ double" in said and "gave      5" in said and "two times" in said and "✓ half" in said


def test_one_task_can_be_checked_alone(tmp_path: Path, capsys):
    assert cli.main(["check", str(put(tmp_path, *changed(double=WRONG))), "--task", "half"]) == 0
    assert "○ double" in capsys.readouterr().out


def test_a_folder_stands_for_the_notebook_in_it(tmp_path: Path):
    assert cli.main(["check", str(put(tmp_path, *RIGHT).parent)]) == 0


def test_a_lesson_stands_for_its_notebook_in_its_own_folder(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(put(tmp_path, *RIGHT).parent)
    assert cli.main(["check", "pairs"]) == 0


def test_a_python_file_is_checked_too(tmp_path: Path):
    result = run(tmp_path, *RIGHT, name="pairs.py")
    assert passed(result) == {"double": True, "half": True, "why": True} and result.troubles == []


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "is no notebook"),
        ("<html>", "is no notebook"),
        ('{"cells": []}', "it holds no cells"),
        ("[]", "is no notebook"),
        ('{"cells": 3}', "is no notebook"),
    ],
)
def test_what_is_no_notebook_is_one_line(tmp_path: Path, text: str, line: str, capsys):
    path = put(tmp_path, *RIGHT)
    path.write_text(text, encoding="utf-8")
    assert cli.main(["check", str(path)]) == 2
    said = capsys.readouterr().err
    assert line in said and said.count("\n") == 1 and said.rstrip().endswith("save it in Jupyter again")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["gone.xyz"], "there is no gone.xyz here: choose one of other.ipynb, pairs.ipynb"),
        (["pears.ipynb"], "no pears.ipynb here, only other.ipynb, pairs.ipynb: did you mean `pairs.ipynb`?"),
        (["."], ". is a folder with 2 notebooks: choose one of other.ipynb, pairs.ipynb"),
        (["away"], "away is a folder with 0 notebooks: give the path of your notebook"),
        (["away/gone.ipynb"], "there is no gone.ipynb in away: give the path of your notebook"),
        (
            ["public_checks.py"],
            "is a part of the lesson, not your work: choose one of other.ipynb, pairs.ipynb",
        ),
        (["lesson.json"], "not your work: choose one of other.ipynb, pairs.ipynb"),
        (["pairs.ipynb", "--task", "doubel"], "only double, half, why: did you mean `double`?"),
        (["pairs.ipynb", "--task", "nothing"], "no task `nothing`: choose one of double, half, why"),
    ],
)
def test_a_slip_in_the_command_is_one_line(
    tmp_path: Path, arguments: list[str], line: str, monkeypatch: pytest.MonkeyPatch, capsys
):
    put(tmp_path, *RIGHT)
    put(tmp_path, *RIGHT, name="other.ipynb")
    (tmp_path / "away").mkdir()
    monkeypatch.chdir(tmp_path)
    for command in ("check", "submit-check"):
        if command == "check" or "--task" not in arguments:
            assert cli.main([command, *arguments]) == 2
            said = capsys.readouterr().err
            assert said.endswith(f"{line}\n") and said.count("\n") == 1


def test_a_slip_in_a_lessons_name_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys):
    for lesson in ("heads", "masking", "mixing"):
        put(tmp_path / lesson, *RIGHT)
    monkeypatch.chdir(tmp_path)
    for given, line in {
        "mixng": "there is no mixng here, only heads, masking, mixing: did you mean `mixing`?",
        "mixng/": "there is no mixng here, only heads, masking, mixing: did you mean `mixing`?",
        "nothing.ipynb": "there is no nothing.ipynb here: choose one of heads, masking, mixing",
        "mixing/pair.py": "there is no pair.py in mixing, only pairs.ipynb: did you mean `pairs.ipynb`?",
        ".": ". is a folder with 0 notebooks: choose one of heads, masking, mixing",
        "../gone/x.ipynb": "there is no x.ipynb in ../gone: give the path of your notebook",
    }.items():
        assert cli.main(["check", given]) == 2
        assert capsys.readouterr().err == f"autograder: {line}\n"


def test_a_task_that_is_not_there_is_told_before_anything_runs(tmp_path: Path):
    with pytest.raises(LessonError, match="no task"):
        rerun(read(put(tmp_path, *changed("open('begun', 'w').close()"))), ["doubel"])
    assert not (tmp_path / "begun").exists()


def test_without_the_lessons_checks_it_is_one_line(tmp_path: Path, capsys):
    path = put(tmp_path / "lesson", *RIGHT)
    path.with_name("public_checks.py").unlink()
    assert cli.main(["check", str(path)]) == 2
    assert "no public_checks.py beside this notebook" in capsys.readouterr().err


# ── what the work does ──


def test_answers_are_those_their_checks_saw(tmp_path: Path):
    """Every question uses the same name."""
    assert passed(run(tmp_path, *RIGHT))["why"]
    other = ['answer = "b"' if source == 'answer = "a"' else source for source in RIGHT]
    assert not passed(run(tmp_path, *other))["why"]


def test_an_answer_that_no_check_saw_is_nobodys(tmp_path: Path):
    assert not passed(run(tmp_path, *RIGHT[:-2]))["why"]


def test_a_cell_that_stops_is_named_and_the_others_count(tmp_path: Path, capsys):
    path = put(tmp_path, *changed("x = 1\nboom(x)", half="def half(x):\n    return y"))
    assert cli.main(["check", str(path)]) == 1
    said = capsys.readouterr().out
    what = "stopped with NameError: name 'boom' is not defined, at `boom(x)`"
    assert said.startswith(f"! cell 2 (`x = 1`) {what}\n")
    assert "✓ double" in said and "✗ half" in said


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("x = 1\ny = = 2", "SyntaxError: invalid syntax, at `y = = 2`"),
        ("x = 1\n  y = 2", "IndentationError: unexpected indent, at `y = 2`"),
        ("x = 1\nexec('y = ')", "SyntaxError: invalid syntax, at `exec('y = ')`"),
    ],
)
def test_what_is_no_python_is_named_by_its_cell_alone(tmp_path: Path, source: str, what: str):
    (slip,) = run(tmp_path, *changed(source)).broken
    assert str(slip) == f"cell 2 (`x = 1`) stopped with {what}"


def test_what_only_follows_from_a_slip_is_not_told(tmp_path: Path):
    slip = "def double(x):\n    retrun 2 * x"
    result = run(tmp_path, *changed(double=slip), "four = double(2)", "print(doubel(2))")
    assert [str(trouble).partition(" stopped with ")[2] for trouble in result.broken] == [
        "SyntaxError: invalid syntax, at `retrun 2 * x`",
        "NameError: name 'doubel' is not defined, at `print(doubel(2))`",
    ]
    assert len(result.troubles) == 3


def test_a_stub_is_no_news(tmp_path: Path, capsys):
    path = put(tmp_path, *changed(double="def double(x):\n    raise NotImplementedError()"), "double(1)")
    cli.main(["check", str(path)])
    said = capsys.readouterr().out
    assert "is still the stub" in said and "!" not in said


def test_a_package_that_is_missing_comes_with_its_cure(tmp_path: Path):
    block = "import sys\nsys.modules['torch'] = None\nimport "
    result = run(tmp_path, *changed(block + "torch.nn", "torch.zeros(3)"))
    (torch,) = result.broken
    assert len(result.troubles) == 2, "the missing package explains what follows"
    assert str(torch).endswith("needs torch, which is not installed here: run `python -m pip install torch`")


def test_other_packages_are_the_students_own_business(tmp_path: Path):
    (own,) = run(tmp_path, *changed("import torsh.nn")).troubles
    assert str(own).endswith("nor part of the course: do without, or install it")
    (colab,) = run(tmp_path, *changed("from google.colab import drive")).troubles
    assert colab.kind == "colab" and str(colab).endswith("works in Colab only; grading goes on without it")


def test_checks_that_need_a_missing_package_say_so(tmp_path: Path):
    path = put(tmp_path, *RIGHT)
    path.with_name("public_checks.py").write_text("import torsh\n", encoding="utf-8")
    with pytest.raises(LessonError, match="this lesson needs torsh, which is not installed here"):
        rerun(read(path))


@pytest.mark.parametrize("source", [LOOP, "import time\ntime.sleep(1000)"])
def test_a_cell_that_never_ends_costs_only_itself(tmp_path: Path, source: str):
    result = run(tmp_path, *changed(source), seconds=1)
    assert [(trouble.cell.number, trouble.kind) for trouble in result.troubles] == [(2, "time")]
    assert all(passed(result).values())


def test_when_the_time_for_all_is_used_up_the_rest_is_left_out_and_checks_still_run(tmp_path: Path):
    result = rerun(read(put(tmp_path, *RIGHT, "import time\ntime.sleep(1)", "open('late', 'w')")), total=0.9)
    (trouble,) = result.troubles
    assert trouble.kind == "late" and str(trouble).endswith("was left out, since all before it took 1 s")
    assert not (tmp_path / "late").exists() and all(passed(result).values())


def test_a_function_that_never_returns_costs_only_itself(tmp_path: Path):
    endless = "def double(x):\n    while True:\n        pass"
    result = run(tmp_path, *changed(double=endless), seconds=1)
    assert passed(result) == {"double": False, "half": True, "why": True}
    assert "is there a loop that never ends?" in str(result.report.tasks[0].failures)


@pytest.mark.parametrize(
    ("source", "line"),
    [
        (STUBBORN, r"cell 2 \(`while True:`\) could not be stopped after 1 s"),
        ("import os\nos._exit(7)", r"Python ended in cell 2 \(`import os`\) \(exit code 7\)"),
        ("import os\nos.kill(os.getpid(), 11)", r"Python ended in cell 2 .*exit code -11"),
    ],
)
def test_what_cannot_be_gone_on_with_is_named(tmp_path: Path, source: str, line: str, monkeypatch):
    monkeypatch.setattr(rerunning, "GRACE", 1.0)
    before = set(descendants(os.getpid()))
    with pytest.raises(LessonError, match=line):
        run(tmp_path, *changed(source), seconds=1)
    assert set(descendants(os.getpid())) <= before


def test_the_work_cannot_get_between_the_lines(tmp_path: Path):
    noise = "import os, sys\nos.write(1, b'[]\\n')\nprint('[]', file=sys.__stdout__)\nsys.stdin.read()"
    result = run(tmp_path, *changed(noise))
    assert result.troubles == [] and all(passed(result).values())


def test_it_runs_where_the_notebook_is(tmp_path: Path):
    (tmp_path / "table.txt").write_text("7")
    (tmp_path / "helper.py").write_text("seven = 7")
    reading = "from helper import seven\nassert int(open('table.txt').read()) == seven"
    result = run(tmp_path, *changed(reading))
    assert result.troubles == []


def test_commands_and_windows_are_left_out_and_magics_work(tmp_path: Path):
    magics = "!touch made\n%pip install nothing\n%matplotlib inline"
    drawing = "import matplotlib.pyplot as plt\nplt.show()"
    waiting = "import asyncio\nawait asyncio.sleep(0)"
    result = run(tmp_path, *changed(magics, drawing, "%%bash\ntouch made", waiting))
    assert result.troubles == [] and not (tmp_path / "made").exists()


def test_lessons_know_that_nobody_watches(tmp_path: Path):
    asking = "from autograder import while_grading\nassert while_grading()"
    assert run(tmp_path, *changed(asking)).troubles == []


# ── the terminal ──


def started(path: Path, *options: str) -> subprocess.Popen:
    command = [sys.executable, "-c", "from autograder.cli import main; raise SystemExit(main())"]
    return subprocess.Popen(
        [*command, "check", str(path), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def heard(process: subprocess.Popen, mark: str) -> str:
    """What is said up to the line that holds a mark."""
    lines = []
    while not lines or mark not in lines[-1]:
        lines.append(process.stdout.readline())
        assert lines[-1], process.stderr.read()
    return "".join(lines)


def test_ctrl_c_ends_it_cleanly(tmp_path: Path):
    process = started(put(tmp_path, *changed("open('begun', 'w').close()\n" + LOOP)))
    while not (tmp_path / "begun").exists():
        time.sleep(0.05)
        assert process.poll() is None, process.stderr.read()
    below = descendants(process.pid)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, "", "autograder: stopped.\n")
    assert below and not any(Path(f"/proc/{pid}").exists() for pid in below)


def test_nothing_is_waited_for_where_there_is_no_file(tmp_path: Path, capsys):
    assert cli.main(["check", str(tmp_path / "nothing.ipynb"), "--watch"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_work_does_not_outlive_a_command_that_is_killed(tmp_path: Path):
    process = started(put(tmp_path, *changed("open('begun', 'w').close()\n" + STUBBORN)))
    while not (tmp_path / "begun").exists():
        time.sleep(0.05)
        assert process.poll() is None, process.stderr.read()
    below = descendants(process.pid)
    process.kill()
    process.communicate()
    for _ in range(400):
        if not any(Path(f"/proc/{pid}").exists() for pid in below):
            break
        time.sleep(0.05)
    else:
        pytest.fail(f"still there: {below}")
    assert below


def test_watch_checks_at_each_save_and_what_failed_comes_first(tmp_path: Path):
    path = put(tmp_path, *changed(half="def half(x):\n    return x"))
    process = started(path, "--watch")
    assert heard(process, "waiting for pairs.ipynb").startswith("✓ double")
    path.write_text('{"cells": [', encoding="utf-8")
    assert "is no notebook" in heard(process, "waiting for pairs.ipynb")
    put(tmp_path, *changed(half="def half(x):\n    return -x", double=WRONG))
    said = heard(process, "waiting for pairs.ipynb")
    assert said.index("✗ half") < said.index("✗ double") and "gave      -4" in said
    put(tmp_path, *changed(double=WRONG))
    said = heard(process, "waiting for pairs.ipynb")
    assert said.index("✓ half") < said.index("✗ double")
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=20) == ("", "") and process.returncode == 0


@pytest.mark.parametrize("engine", [True, False])
def test_help_lists_the_students_commands(engine: bool, monkeypatch: pytest.MonkeyPatch, capsys):
    if not engine:
        monkeypatch.setitem(sys.modules, "autograder.grading.cli", None)
    with pytest.raises(SystemExit) as ended:
        cli.main(["--help"])
    said = capsys.readouterr().out
    assert ended.value.code == 0 and "submit-check" in said and "    check " in said
    assert ("backup" in said) == engine


def test_functions_are_those_at_the_end(tmp_path: Path):
    """As in grading: a cell far below may define one anew."""
    assert passed(run(tmp_path, *RIGHT, WRONG)) == {"double": False, "half": True, "why": True}
