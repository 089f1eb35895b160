"""The text of a sample submission: its own code, and the reference's in place of a line."""

import pytest

from autograder.grading.course import Course
from autograder.grading.samples import Sample

LINE = "# here stand the right functions"
LEVEL = "def level(hours):\n    return hours"
TIDE = "@dataclass\nclass Tide:\n    height: float"
GAUGE = "class Gauge:\n    pass"
OWN = "class Gauge:\n    own = True"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (LINE, [LEVEL, TIDE, GAUGE]),
        (f"{OWN}\n\n{LINE}", [OWN, LEVEL, TIDE]),
        (f"{LINE}, but for: Tide, level", [GAUGE]),
    ],
)
def test_right_functions_and_classes_stand_in_for_those_left_out(course: Course, text: str, kept: list[str]):
    lesson = course.lesson("tides")
    lesson.solution.write_text("\n\n\n".join(["DEPTH = 3", LEVEL, TIDE, GAUGE]), encoding="utf-8")
    path = course.root / "passed--sample.py"
    path.write_text(text, encoding="utf-8")
    assert [part.strip() for part in Sample(path, lesson).text.split("\n\n")] == kept
