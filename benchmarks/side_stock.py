"""The bank of attacks in a stock course, one command of nbgrader's after the other."""

import re
import shutil
from pathlib import Path

import nbformat
import outcome
from attack_bank import SCRIPTS, limits
from attacked_class import CANARIES, GOT_THROUGH, HONEST, AttackedClass
from hand_ins import HandIns, moved
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from outcome import Outcome
from rich.progress import Progress
from stock import StockCourse

from autograder.grading.limits import Limits
from autograder.grading.samples import Sample

# Where a stock course keeps what ours keeps elsewhere. What our suites and solutions are to us stands in its
# source; a solution module and a private file lie beside it, as in a teacher's folder they may.
PLACES = (
    ("tests/hidden/mixing/test_softmax.py", "source/mixing/mixing.ipynb"),
    ("tests/**/*.py", "source/**/*.ipynb"),
    ("build/results/mixing/honest.json", "autograded/honest/mixing/mixing.ipynb"),
    ("build/submitted/", "submitted/"),
    ("build/received/", "submitted/"),
    ("build/gradebook.db", "gradebook.db"),
    ("build/", "autograded/"),
)
OUTSIDE = ("/tmp", "/dev/shm", "/run/lock")  # in attacks that run unconfined, a folder of the benchmark's
OF_A_STUDENT = ("submitted", "autograded", "feedback")
CONNECTION = re.compile(r"tmp/tmp\w+\.json")  # Jupyter's own, which stays when a kernel dies
WITNESS = "zzz-witness"  # comes last in a class


class StockSide:
    def __init__(self, attacked: AttackedClass, folder: Path):
        self._moved = folder / "moved"
        environment = {"GRADER_PASSWORD": CANARIES["environment"]}
        self.course = StockCourse(attacked.lesson, folder / "stock", environment, Limits().submission)
        self.course.write_source({"add_residual": [f"# {CANARIES['suite']}"]})
        self.course.release()
        root, lesson = self.course.root, attacked.lesson
        (root / "solutions").mkdir()
        shutil.copy(lesson.solution, root / "solutions")
        shutil.copy(lesson.root / "course_secret", root)
        with Gradebook(f"sqlite:///{root / 'gradebook.db'}") as gradebook:
            gradebook.add_student(HONEST, last_name=CANARIES["gradebook"])
        outside = [(f'"{place}', f'"{self.course.temporary}') for place in OUTSIDE]
        self._places = (*PLACES, *outside)

    def outcomes(self, hand_ins: HandIns, progress: Progress) -> dict[str, Outcome]:
        """What came of each hand-in that applies, by its student."""
        applying = {name: sample for name, (sample, row) in hand_ins.attacks.items() if row.stock == "yes"}
        attacks = {name: moved(sample, self._moved, self._places) for name, sample in applying.items()}
        bar = progress.add_task("stock nbgrader", total=len(hand_ins.others) + len(attacks))
        found = {}
        for name, sample in hand_ins.others.items():
            found[name] = self._outcome(sample, {})
            progress.advance(bar)
        plain = {name: dict(found[name].points) for name in hand_ins.plain}
        for name, sample in attacks.items():
            found[name] = self._outcome(sample, limits(applying[name], plain))
            progress.advance(bar)
        return found

    def _outcome(self, sample: Sample, most: dict[str, float]) -> Outcome:
        course, student, before = self.course, sample.student, self._files()
        course.hand_in(student, sample.notebook(), {"course.txt": str(course.root)})
        run = course.autograde(student)
        found = [outcome.LEFT.format(process) for process in run.left]
        points: dict[str, float] = {}
        if run.over:
            found.append(outcome.OVER)
        if run.code or not course.autograded(student).exists():
            found += [] if run.over else [outcome.UNGRADED]
            found += self._stopped(student)
        else:
            points = course.scores()[student]
            found += self._gained(points, most) + self._shown(student)
        found += [outcome.LEFT.format(file) for file in sorted(self._files() - before)]
        if student != HONEST:
            self._forget(student)
        return Outcome(tuple(found), points, run.seconds)

    def _gained(self, points: dict[str, float], most: dict[str, float]) -> list[str]:
        full = {task.name: task.points for task in self.course.lesson.tasks}
        return outcome.gained(points, most, full) if most else []

    def _shown(self, student: str) -> list[str]:
        """What the feedback tells that it should not."""
        run, page = self.course.feedback(student), self.course.page(student)
        if run.code or not page.exists():
            return [outcome.UNRECORDED]
        text = page.read_text(encoding="utf-8")
        said = _said(nbformat.read(self.course.autograded(student), 4))
        seen = {place for place, canary in CANARIES.items() if canary in said and canary in text}
        found = outcome.read(seen)
        if GOT_THROUGH in said:
            found.append(outcome.REACHED)
        if SCRIPTS.search(text):
            found.append(outcome.SCRIPT)
        if CANARIES["suite"] in text:
            found.append(outcome.SHOWN)
        return found

    def _stopped(self, student: str) -> list[str]:
        """Whether somebody honest, later in the same class, is left without a grade."""
        shutil.rmtree(self.course.autograded(student).parent, ignore_errors=True)  # of a run that was ended
        honest = self.course.root / "submitted" / HONEST / self.course.lesson.name / self.course.source.name
        self.course.hand_in(WITNESS, honest.read_bytes())
        self.course.autograde(again=False)
        graded = self.course.autograded(WITNESS).exists()
        self._forget(WITNESS)
        return [] if graded else [outcome.STOPPED]

    def _forget(self, student: str) -> None:
        for room in OF_A_STUDENT:
            shutil.rmtree(self.course.root / room / student, ignore_errors=True)

    def _files(self) -> set[str]:
        """The files of the course that are no student's, and those in the folder for temporary ones."""
        root, own = self.course.root, {*OF_A_STUDENT, "gradebook.db", "nbgrader.log"}
        course = {path.name for path in root.iterdir()} - own
        source = {str(path.relative_to(root)) for path in (root / "source").rglob("*")}
        temporary = {f"tmp/{path.name}" for path in self.course.temporary.iterdir()}
        return {name for name in course | source | temporary if not CONNECTION.fullmatch(name)}


def _said(notebook: NotebookNode) -> str:
    """What a notebook displays: not its code, which tracebacks quote."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    texts = [output.get(part, "") for output in outputs for part in ("text", "evalue")]
    return "\n".join([*texts, *(str(data) for output in outputs for data in output.get("data", {}).values())])
