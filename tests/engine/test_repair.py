"""Notebooks that suffered are repaired where that is certain, once, with a line for each kind of repair."""

import copy
import itertools
import json
import random

import nbformat
import pytest
from nbgrader.nbgraderformat import MetadataValidator

from autograder.grading.course import Lesson
from autograder.grading.reader import load_notebook, read_content
from autograder.grading.repair import repair

STUB, GRADE, QUESTION, CAUSE, TASK = "level_stub", "level", "cause_stub", "cause", "written_moon"
ALL = [STUB, GRADE, QUESTION, CAUSE, TASK]
RIGHT = "def level(hours):\n    return np.sin(np.asarray(hours) / 2)"


@pytest.fixture
def raw(lesson: Lesson) -> dict:
    """The released notebook, done by an honest student, as JSON."""
    notebook = json.loads(lesson.release.read_text(encoding="utf-8"))
    find(notebook, STUB)["source"] = RIGHT
    find(notebook, QUESTION)["source"] = 'answer = "b"'
    return notebook


def find(notebook: dict, grade_id: str) -> dict:
    return next(c for c in notebook["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") == grade_id)


def mended(raw: dict, lesson: Lesson):
    """The repaired notebook and the lines, after checking what must hold for every repair."""
    released = load_notebook(lesson.release)
    content = read_content(json.dumps(raw).encode(), "x.ipynb")
    before = copy.deepcopy(content.notebook)
    notebook, problems = repair(content.notebook, released)
    assert content.notebook == before, "the argument was changed"
    assert repair(notebook, released) == (notebook, []), "a second repair must find nothing"
    nbformat.validate(notebook)
    MetadataValidator().validate_nb(notebook)
    return notebook, problems


def metadata_equals_release(notebook: dict, lesson: Lesson, *names: str) -> bool:
    released = load_notebook(lesson.release)
    return all(
        find(notebook, n)["metadata"]["nbgrader"] == find(released, n)["metadata"]["nbgrader"] for n in names
    )


def test_an_honest_notebook_is_returned_as_it_is(lesson, raw):
    notebook, problems = mended(raw, lesson)
    assert problems == []
    assert [c["source"] for c in notebook["cells"]] == [
        c["source"] if isinstance(c["source"], str) else "".join(c["source"]) for c in raw["cells"]
    ]


def test_metadata_stripped_from_every_cell_comes_back(lesson, raw):
    for with_ids in (True, False):
        bare = copy.deepcopy(raw)
        for cell in bare["cells"]:
            cell["metadata"] = {}
            if not with_ids:
                del cell["id"]
        notebook, problems = mended(bare, lesson)
        assert metadata_equals_release(notebook, lesson, *ALL)
        assert (
            find(notebook, STUB)["source"] == RIGHT and find(notebook, QUESTION)["source"] == 'answer = "b"'
        )
        line = next(line for line in problems if "missing and have been restored" in line)
        assert all(f"`{name}`" in line for name in ALL)


@pytest.mark.parametrize(
    "change",
    [
        {"schema_version": 1},
        {"schema_version": 99},
        {"points": 100},
        {"points": "many"},
        {"grade": False},
        {"checksum": "0" * 32},
        {"locked": False},
        {"grade_id": "other"},
        {"grade_id": 7},
        {"solution": True},
        {"zzz": 1},
    ],
)
def test_altered_metadata_is_restored_with_one_line(lesson, raw, change: dict):
    find(raw, GRADE)["metadata"]["nbgrader"].update(change)
    notebook, problems = mended(raw, lesson)
    assert metadata_equals_release(notebook, lesson, *ALL)
    assert len(problems) == 1 and "`level`" in problems[0]


def test_empty_and_foreign_metadata_is_taken_off(lesson, raw):
    raw["cells"][0]["metadata"]["nbgrader"] = {}
    raw["cells"][1]["metadata"]["nbgrader"] = {"grade_id": "mine", "grade": True, "points": 50}
    notebook, problems = mended(raw, lesson)
    assert not any("nbgrader" in cell["metadata"] for cell in notebook["cells"][:2])
    assert problems == ["nbgrader data that the released notebook does not have were taken off."]


def test_of_a_duplicated_grade_cell_the_first_counts(lesson, raw):
    for same_id in (True, False):
        double = copy.deepcopy(raw)
        twin = copy.deepcopy(find(double, GRADE)) | ({} if same_id else {"id": "twin"})
        double["cells"].append(twin)
        notebook, problems = mended(double, lesson)
        places = [i for i, c in enumerate(notebook["cells"]) if c["source"] == 'check("level")']
        assert len(places) == 2 and notebook["cells"][places[0]] is find(notebook, GRADE)
        assert "more than once; the first one counts: `level`" in problems[0]


def test_of_a_duplicated_stub_both_run_in_order(lesson, raw):
    twin = copy.deepcopy(find(raw, STUB)) | {"source": "def level(hours):\n    return 2", "id": "twin"}
    raw["cells"].append(twin)
    notebook, problems = mended(raw, lesson)
    assert find(notebook, STUB)["source"] == RIGHT
    assert (
        notebook["cells"][-1]["source"].endswith("return 2")
        and "nbgrader" not in notebook["cells"][-1]["metadata"]
    )
    assert len(problems) == 1


def test_deleted_graded_cells_return_to_their_place(lesson, raw):
    order = [c["id"] for c in raw["cells"]]
    for gone in itertools.chain.from_iterable(
        itertools.combinations([GRADE, CAUSE, TASK], n) for n in (1, 2, 3)
    ):
        holes = copy.deepcopy(raw)
        holes["cells"] = [c for c in holes["cells"] if c["id"] not in gone]
        notebook, problems = mended(holes, lesson)
        assert [c["id"] for c in notebook["cells"]] == order
        assert problems == [f"These deleted cells were put back: {', '.join(f'`{name}`' for name in gone)}."]


def test_a_deleted_stub_stays_away(lesson, raw):
    raw["cells"] = [c for c in raw["cells"] if c["id"] not in (STUB, QUESTION)]
    notebook, problems = mended(raw, lesson)
    assert problems == [] and "level_stub" not in json.dumps(notebook)


def test_a_function_in_another_cell_than_the_deleted_stubs_becomes_the_stub(lesson, raw):
    raw["cells"] = [c for c in raw["cells"] if c["id"] != STUB]
    raw["cells"].append(
        {
            "cell_type": "code",
            "source": RIGHT,
            "metadata": {},
            "id": "own",
            "outputs": [],
            "execution_count": None,
        }
    )
    notebook, problems = mended(raw, lesson)
    assert find(notebook, STUB)["source"] == RIGHT and len(problems) == 1
    raw["cells"].append(raw["cells"][-1] | {"id": "own-2"})
    assert "level_stub" not in json.dumps(mended(raw, lesson)[0]), "of two it is not certain which"


def test_a_moved_cell_stays_where_it_is(lesson, raw):
    raw["cells"].append(raw["cells"].pop(raw["cells"].index(find(raw, STUB))))
    notebook, problems = mended(raw, lesson)
    assert problems == [] and notebook["cells"][-1]["id"] == STUB


def test_an_edited_grade_cell_is_restored_and_its_code_kept_before_it(lesson, raw):
    own = "def level(hours):\n    return 'a\f, b\u2028'"
    find(raw, GRADE)["source"] = f'{own}\n\ncheck("level")\n'
    notebook, problems = mended(raw, lesson)
    place = notebook["cells"].index(find(notebook, GRADE))
    assert notebook["cells"][place]["source"] == 'check("level")'
    assert notebook["cells"][place - 1]["source"] == own
    assert any("moved next to them: `level`" in line for line in problems)


@pytest.mark.parametrize("source", ["", "2.0", '# check("level")', "print(1)", "check"])
def test_an_edited_grade_cell_without_code_of_its_own_is_just_restored(lesson, raw, source: str):
    find(raw, GRADE)["source"] = source
    notebook, problems = mended(raw, lesson)
    assert len(notebook["cells"]) == len(raw["cells"]) and find(notebook, GRADE)["source"] == 'check("level")'
    assert problems == ["The text of these locked cells was restored: `level`."]


def test_an_answer_written_into_the_question_is_kept_after_it(lesson, raw):
    find(raw, TASK)["source"] = "Why twice a day?\n\nBecause of the far side."
    notebook, problems = mended(raw, lesson)
    place = notebook["cells"].index(find(notebook, TASK))
    assert notebook["cells"][place]["source"] == "Why twice a day?\n"
    assert notebook["cells"][place + 1]["source"] == "Because of the far side."
    assert notebook["cells"][place + 1]["cell_type"] == "markdown" and len(problems) == 2


def test_a_stub_turned_into_text_is_code_again(lesson, raw):
    stub = find(raw, STUB)
    stub.pop("outputs"), stub.pop("execution_count"), stub.update(cell_type="markdown")
    notebook, problems = mended(raw, lesson)
    assert find(notebook, STUB)["cell_type"] == "code"
    assert problems == ["The type of these cells (code or text) was restored: `level_stub`."]


def test_missing_and_duplicate_ids_are_given_the_same_ones_each_time(lesson, raw):
    raw["cells"][1]["id"] = find(raw, STUB)["id"]
    del raw["cells"][0]["id"]
    first, problems = mended(raw, lesson)
    assert find(first, STUB)["id"] == STUB, "the nbgrader cell keeps its id"
    assert first == mended(raw, lesson)[0]
    assert problems == ["Cells without an id of their own were given one."]


def test_the_kernel_is_set_back(lesson, raw):
    raw["metadata"]["kernelspec"] = {"name": "ir", "display_name": "R"}
    notebook, problems = mended(raw, lesson)
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    assert problems == ["The notebook's kernel was set back to that of the release."]
    raw["metadata"]["kernelspec"] = {"name": "python3", "display_name": "Python 3 (Colab)"}
    assert mended(raw, lesson)[1] == []


def test_another_lessons_notebook_is_told_apart(lesson, raw):
    raw["cells"] = [{"cell_type": "code", "source": "def moon(): ...", "metadata": {}, "id": "a"}]
    notebook, problems = mended(raw, lesson)
    assert {GRADE, CAUSE, TASK} <= {c["id"] for c in notebook["cells"]}
    assert "is it the notebook of this lesson?" in problems[0]


def test_any_damage_is_repaired_to_something_nbgrader_takes(lesson, raw):
    """Random damage, many times: `mended` checks validity and that a second repair finds nothing."""
    chance = random.Random(5)
    for _ in range(300):
        broken = copy.deepcopy(raw)
        for _ in range(chance.randint(1, 6)):
            damage(broken, chance)
        notebook, _ = mended(broken, lesson)
        assert metadata_equals_release(notebook, lesson, GRADE, CAUSE, TASK)
        assert sum("nbgrader" in cell["metadata"] for cell in notebook["cells"]) <= len(ALL)


def damage(notebook: dict, chance: random.Random) -> None:
    cells = notebook["cells"]
    if not cells:
        return
    cell, other = chance.choice(cells), chance.choice(cells)
    kind = chance.randrange(9)
    if kind == 0:
        cells.remove(cell)
    elif kind == 1:
        cells.insert(chance.randrange(len(cells)), copy.deepcopy(cell))
    elif kind == 2:
        cell["metadata"] = copy.deepcopy(other["metadata"])
    elif kind == 3:
        cell["metadata"] = chance.choice(
            [{}, {"nbgrader": {}}, {"nbgrader": 1}, {"nbgrader": {"grade_id": "level"}}]
        )
    elif kind == 4:
        cell["id"] = chance.choice(["", other.get("id"), "level", "cause_stub", None])
    elif kind == 5:
        cell["source"] = chance.choice(
            ["", RIGHT, 'check("cause")', "answer = 1", "x = 1\n" + str(other["source"])]
        )
    elif kind == 6:
        cell["cell_type"] = chance.choice(["code", "markdown", "raw", "heading"])
    elif kind == 7:
        cell.pop("id", None)
    else:
        chance.shuffle(cells)
