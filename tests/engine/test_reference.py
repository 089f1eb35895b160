"""The generated solution module."""

import ast

from autograder.grading.course import Course, Lesson
from autograder.grading.source import build


def solution(lesson: Lesson) -> str:
    build(lesson)
    return lesson.solution.read_text(encoding="utf-8")


def test_the_solution_module_solves(new_course: Course):
    names: dict = {}
    exec(solution(new_course.lesson("tides")), names)
    assert abs(names["level"]([3.0])[0] - 0.997494986604) < 1e-9
    assert names["ANSWERS"] == {"cause": "b"}
    assert "answer" not in names


def test_the_solution_module_names_its_origin(new_course: Course):
    doc = ast.get_docstring(ast.parse(solution(new_course.lesson("tides"))))
    assert "source/tides/tides.py" in doc.splitlines()[0] and "`autograder build`" in doc.splitlines()[0]


def test_the_solution_module_imports_what_it_needs(new_course: Course):
    text = solution(new_course.lesson("tides"))
    body = ast.parse(text).body
    assert [ast.unparse(node) for node in body if "import" in ast.unparse(node)] == ["import numpy as np"]
    assert "SOLUTION" not in text and "check" not in text


def test_an_import_in_a_stub_cell_stays_there(new_course: Course, edit):
    lesson = new_course.lesson("tides")
    edit(lesson.text, "def level", "import fractions\n\n\ndef level")
    edit(lesson.text, "return np.sin(half)", "return np.sin(half) * fractions.Fraction(1)")
    text = solution(lesson)
    assert text.count("import fractions\n\n\ndef level") == text.count("fractions\n") == 1


def test_given_definitions_come_along_where_a_solution_needs_them(new_course: Course, edit):
    lesson = new_course.lesson("tides")
    given = (
        "@functools.cache\ndef halved(hours):\n    return scaled(hours)\n\n\n"
        "def scaled(hours):\n    return hours / 2\n\n\n"
        "def unused():\n    return json.dumps(1)\n\n\nprint(halved(2))"
    )
    edit(lesson.text, "import numpy as np", f"import functools\nimport numpy as np\n\n\n{given}")
    edit(lesson.text, "np.asarray(hours, dtype=float) / 2", "np.asarray(halved(hours))")
    text = solution(lesson)
    assert "@functools.cache\ndef halved" in text and "def scaled" in text
    assert "import functools" in text and "import math" not in text and "import json" not in text
    assert "unused" not in text and "print" not in text
    names: dict = {}
    exec(text, names)
    assert abs(names["level"](3.0) - 0.997494986604) < 1e-9


def test_a_lesson_without_questions_has_no_answers(new_course: Course, edit):
    lesson = new_course.lesson("tides")
    text = lesson.text.read_text()
    start, end = text.index("# %% tags"), text.index("# %% [markdown] nbgrader")
    lesson.text.write_text(text[:start] + text[end:])
    edit(lesson.public_checks, ', "cause": "1 Tides"', "")
    assert solution(lesson).endswith("ANSWERS = {}\n")


def test_magics_are_no_mistake(new_course: Course, edit):
    lesson = new_course.lesson("tides")
    edit(lesson.text, "import numpy as np", "import numpy as np\n# %matplotlib inline\nif True:\n    # !ls\n")
    lesson.text.write_text(lesson.text.read_text() + "\n# %%\n# %%time\n# not (python\n")
    assert "import numpy as np" in solution(lesson)
