"""A grading run: take in, grade what has no fresh result, record, and show the class."""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path

import msgspec
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, BarColumn

from autograder.grading import gradebook, intake
from autograder.grading.course import Course, Lesson
from autograder.grading.errors import CourseError
from autograder.grading.grader import Grader
from autograder.grading.limits import Limits
from autograder.grading.pages import write_pages
from autograder.grading.pool import grade_all
from autograder.grading.reader import printable
from autograder.grading.results import ResultKeys, ResultStore
from autograder.grading.submission import read_file
from autograder.grading.table import class_table, problem_lines
from autograder.grading.verdict import SubmissionResult
from autograder.grading.work import Work, work_on
from autograder.sandbox.confinement import missing

SUFFIXES = (".ipynb", ".py")


def require_machine(lesson: Lesson) -> None:
    """Refuse to run other people's code where it cannot be confined, or lacks what the lesson gave it."""
    lacking = missing()
    if lacking:
        raise CourseError(f"submissions cannot be confined on this machine. {' '.join(lacking)}")
    if lesson.lacking:
        raise CourseError(lesson.lacking)


def grade_files(
    course: Course,
    lesson: Lesson,
    folder: Path,
    tasks: list[str] | None,
    jobs: int,
    console: Console,
    scheduler: str | None = None,
) -> list[SubmissionResult]:
    """Grade every notebook and `.py` file of a folder as a submission of its own; nothing else is touched."""
    require_machine(lesson)
    _check_tasks(lesson, tasks)
    if not folder.is_dir():
        raise CourseError(f"{folder} is not a folder: give the folder that holds the files to grade.")
    files = sorted(path for path in folder.iterdir() if path.suffix in SUFFIXES and path.is_file())
    if not files:
        raise CourseError(
            f"{folder} holds no .ipynb or .py file: give the folder that holds the files to grade."
        )
    works = [partial(_work_on_file, lesson, path, tasks) for path in files]
    graded = grade_all(course, lesson, Limits(), works, jobs, scheduler)
    results = list(_shown(graded, len(works), console))
    return sorted(results, key=lambda result: result.student)


def _work_on_file(lesson: Lesson, path: Path, tasks: list[str] | None) -> Work:
    return work_on(lesson, read_file(path, lesson), tasks)


def _check_tasks(lesson: Lesson, tasks: list[str] | None) -> None:
    names = [task.name for task in lesson.tasks]
    for task in tasks or ():
        if task not in names:
            raise CourseError(f"`{lesson.name}` has no task `{task}`: choose from {', '.join(names)}.")


class ClassRun:
    """One run over the class of a lesson."""

    def __init__(
        self, course: Course, lesson: Lesson, console: Console, jobs: int, scheduler: str | None = None
    ):
        self._course, self._lesson, self._console = course, lesson, console
        self._jobs, self._scheduler = jobs, scheduler
        self._store = ResultStore(course)
        self._keys = ResultKeys(course, lesson, Limits())

    def grade(self, students: list[str] | None, regrade: bool) -> tuple[list[SubmissionResult], list[str]]:
        """Grade those named, or everybody who handed in, and record each in nbgrader's gradebook as it is
        done; the results of all of them, and what could not be recorded, one line each. A result with an
        internal error is never recorded."""
        require_machine(self._lesson)
        chosen, failures = self._taken_in(self._chosen(students))
        stale = [student for student in chosen if regrade or not self._fresh(student)]
        fresh = [student for student in chosen if student not in set(stale)]
        graded = chain(fresh, self._graded(stale))
        failures += keep(self._course, self._lesson, graded, self._jobs, self._console)
        return [self._store.load(self._lesson, student) for student in chosen], failures

    def _taken_in(self, students: list[str]) -> tuple[list[str], list[str]]:
        """Those whose files could be taken in, and a line for each of the others: the class goes on."""
        taken_in, failures = [], []
        for student in students:
            try:
                intake.take_in(self._course, self._lesson, student)
                taken_in.append(student)
            except Exception as error:
                folder = self._course.build / "submitted" / student / self._lesson.name
                failures.append(
                    f"{printable(student)} was not taken in ({error}): look at the files in {folder}."
                )
        return taken_in, failures

    def _graded(self, students: list[str]) -> Iterator[str]:
        """Grade, and name each student whose result is kept and whole."""
        works = [partial(self._work, student) for student in students]
        where = (self._jobs, self._scheduler)
        results = grade_all(self._course, self._lesson, Limits(), works, *where) if works else ()
        for result in _shown(results, len(works), self._console):
            self._save(result)
            if not result.internal:
                yield result.student

    def show(self, results: list[SubmissionResult]) -> None:
        handed_in = {result.student for result in results}
        nothing = [s for s in gradebook.students(self._course) if s not in handed_in]
        self._console.print(class_table(self._lesson, results, nothing))
        for line in problem_lines(results):
            self._console.print(line, markup=False, highlight=False)

    def _chosen(self, students: list[str] | None) -> list[str]:
        there = intake.students(self._course, self._lesson)
        for student in students or ():
            if student not in there:
                raise CourseError(
                    f"{student} handed in nothing for {self._lesson.name}: "
                    f"put the notebook into {self._course.build / 'submitted' / student}."
                )
        if not there:
            raise CourseError(
                f"nobody handed in {self._lesson.name}: put the notebooks into "
                f"{self._course.build}/submitted/<student>/{self._lesson.name}/."
            )
        return sorted(set(students or there))

    def _fresh(self, student: str) -> bool:
        return self._store.fresh(self._lesson, student, self._keys.key(student))

    def _work(self, student: str) -> Work:
        return submitted_work(self._course, self._lesson, student)

    def _save(self, result: SubmissionResult) -> None:
        self._store.save(self._lesson, msgspec.structs.replace(result, key=self._keys.key(result.student)))


def keep(
    course: Course, lesson: Lesson, students: Iterable[str], jobs: int, console: Console
) -> list[str]:
    """Record the kept results of these students, one by one as they come, then write feedback for all (it is
    to be younger than the gradebook); what went wrong, one line each."""
    named: list[str] = []
    failures = gradebook.record(course, lesson, _noted(students, named))
    with _progress("feedback", console) as progress:
        recorded = [student for student in named if student not in failures]
        advance = partial(progress.advance, progress.add_task("", total=len(recorded)))
        failures |= write_pages(course, lesson, recorded, jobs, advance)
    return [f"{printable(student)} was not recorded: {reason}" for student, reason in failures.items()]


def submitted_work(course: Course, lesson: Lesson, student: str) -> Work:
    """The work of grading what a student handed in, taken in before."""
    path = course.build / "submitted" / student / lesson.name / f"{lesson.name}.ipynb"
    submission = read_file(path, lesson)
    known = intake.problems(course, lesson, student)
    return work_on(lesson, msgspec.structs.replace(submission, problems=[*known, *submission.problems]))


def grade_one(course: Course, lesson: Lesson, student: str) -> SubmissionResult:
    """Grade one student's submission now, and keep the result: what nbgrader's own autograde button ends
    in."""
    require_machine(lesson)
    with Grader(course, lesson, Limits()) as grader:
        result = grader.grade(submitted_work(course, lesson, student))
    result = msgspec.structs.replace(result, key=ResultKeys(course, lesson, Limits()).key(student))
    ResultStore(course).save(lesson, result)
    return result


def _shown(results: Iterable[SubmissionResult], total: int, console: Console) -> Iterable[SubmissionResult]:
    """The results, with a progress line while they come."""
    with _progress("grading", console) as progress:
        bar = progress.add_task("", total=total)
        for result in results:
            progress.update(bar, advance=1, description=result.student)
            yield result


def _progress(step: str, console: Console) -> Progress:
    columns = (
        TextColumn(step),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    return Progress(*columns, console=console, disable=not console.is_terminal)


def _noted(students: Iterable[str], names: list[str]) -> Iterator[str]:
    """The students as they come, each noted down."""
    for student in students:
        names.append(student)
        yield student
