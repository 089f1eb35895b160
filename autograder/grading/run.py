"""A grading run: take in, grade what has no fresh result, record, and show the class."""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path

import msgspec
from rich.console import Console

from autograder.grading import gradebook, intake
from autograder.grading.course import Course, Lesson
from autograder.grading.errors import CourseError
from autograder.grading.grader import Grader
from autograder.grading.limits import Limits
from autograder.grading.pages import write_pages
from autograder.grading.pool import grade_all
from autograder.grading.progress import RunProgress, log_path
from autograder.grading.reader import printable
from autograder.grading.results import ResultKeys, ResultStore
from autograder.grading.submission import read_file
from autograder.grading.submitted import submitted_work
from autograder.grading.table import class_table, problem_lines
from autograder.grading.turns import turn
from autograder.grading.verdict import SubmissionResult, Verdict
from autograder.grading.work import Work, work_on
from autograder.sandbox.confinement import missing
from autograder.spelling import meant, offer

SUFFIXES = (".ipynb", ".py")
PROPOSED = "proposed"  # the folder of results that a dry run left


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
    with RunProgress(console, len(works), log_path(course.build, lesson.name)) as progress:
        results = list(map(progress.finished, grade_all(course, lesson, Limits(), works, jobs, scheduler)))
    return sorted(results, key=lambda result: result.student)


def _work_on_file(lesson: Lesson, path: Path, tasks: list[str] | None) -> Work:
    return work_on(lesson, read_file(path, lesson), tasks)


def _check_tasks(lesson: Lesson, tasks: list[str] | None) -> None:
    names = [task.name for task in lesson.tasks]
    for task in tasks or ():
        if task not in names:
            advice = offer(task, names, f"write one, and `autograder release {lesson.name}`")
            raise CourseError(f"`{lesson.name}` has no task `{task}`{advice}")


class ClassRun:
    """One run over the class of a lesson. `console` shows how it goes on."""

    def __init__(
        self, course: Course, lesson: Lesson, console: Console, jobs: int, scheduler: str | None = None
    ):
        self._course, self._lesson, self._console = course, lesson, console
        self._jobs, self._scheduler = jobs, scheduler
        self._store, self._proposed = ResultStore(course), ResultStore(course, PROPOSED)
        self._keys = ResultKeys(course, lesson, Limits())

    def grade(
        self,
        students: list[str] | None,
        regrade: bool = False,
        failed: bool = False,
        feedback: bool = True,
    ) -> tuple[list[SubmissionResult], list[str]]:
        """Grade those named, or everybody who handed in, and record each in nbgrader's gradebook as it is
        done; the results of all of them, and what could not be recorded, one line each. A result with an
        internal error is never recorded. `regrade` grades again what has a fresh result, `failed` only where
        a task did not pass; `feedback` writes the pages for students, too."""
        require_machine(self._lesson)
        chosen, failures = self._taken_in(self._chosen(students))
        stale = [student for student in chosen if self._is_due(student, regrade, failed)]
        fresh = [student for student in chosen if student not in set(stale)]
        for student in stale if regrade else ():
            self._proposed.remove(self._lesson, student)
        with self._progress(len(stale)) as progress:
            graded = chain(fresh, self._graded(stale, progress))
            failures += keep(self._course, self._lesson, graded, self._jobs, progress, feedback)
            for failure in failures:
                progress.log(failure)
        return [self._store.load(self._lesson, student) for student in chosen], failures

    def propose(
        self, students: list[str] | None
    ) -> tuple[list[tuple[SubmissionResult | None, SubmissionResult]], list[str]]:
        """Grade as `grade` would, but record nothing: each result that is kept (or None) beside the new one,
        where they differ; and what could not be graded. The next run takes over what was graded here."""
        require_machine(self._lesson)
        chosen, failures = self._taken_in(self._chosen(students))
        stale = [student for student in chosen if self._is_due(student)]
        with self._progress(len(stale)) as progress:
            for result in self._new_results(stale, progress):
                self._proposed.save(self._lesson, result)
        pairs = [(self._store.load(self._lesson, s), self._proposed.load(self._lesson, s)) for s in stale]
        return [(old, new) for old, new in pairs if old is None or old.report() != new.report()], failures

    def _progress(self, total: int) -> RunProgress:
        return RunProgress(self._console, total, log_path(self._course.build, self._lesson.name))

    def _is_due(self, student: str, regrade: bool = False, failed: bool = False) -> bool:
        result = self._store.fresh(self._lesson, student, self._keys.key(student))
        if regrade or result is None:
            return True
        return failed and any(task.verdict is not Verdict.PASSED for task in result.tasks)

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

    def _graded(self, students: list[str], progress: RunProgress) -> Iterator[str]:
        """Grade, and name each student whose result is kept and whole."""
        for result in self._new_results(students, progress):
            self._store.save(self._lesson, result)
            self._proposed.remove(self._lesson, result.student)
            if not result.internal:
                yield result.student

    def _new_results(self, students: list[str], progress: RunProgress) -> Iterator[SubmissionResult]:
        """The result of each, under its key: one that was proposed before, or else a new one."""
        ready = {student for student in students if self._proposal(student)}
        for result in map(self._proposal, sorted(ready)):
            progress.finished(result)
            yield result
        keys: dict[str, str] = {}
        works = [partial(self._work, student, progress, keys) for student in students if student not in ready]
        where = (self._jobs, self._scheduler)
        for result in grade_all(self._course, self._lesson, Limits(), works, *where) if works else ():
            result = msgspec.structs.replace(result, key=keys[result.student])
            progress.finished(result)
            yield result

    def _proposal(self, student: str) -> SubmissionResult | None:
        return self._proposed.fresh(self._lesson, student, self._keys.key(student))

    def _work(self, student: str, progress: RunProgress, keys: dict[str, str]) -> Work:
        """The work of a student, whose key as it is read goes into `keys`: a newer attempt may be collected
        before the result is there."""
        progress.started(student)
        with turn(self._course, self._lesson):
            keys[student] = self._keys.key(student)
            return submitted_work(self._course, self._lesson, student)

    def show(self, results: list[SubmissionResult]) -> None:
        """The table of these results: of everybody who handed in, or of those who were chosen."""
        handed_in = set(intake.students(self._course, self._lesson))
        nothing = [s for s in gradebook.students(self._course) if s not in handed_in]
        self._console.print(class_table(self._lesson, results, nothing, len(handed_in)))
        for line in problem_lines(results):
            self._console.print(line, markup=False, highlight=False)

    def _chosen(self, students: list[str] | None) -> list[str]:
        there = intake.students(self._course, self._lesson)
        for student in students or ():
            if student not in there:
                raise CourseError(
                    f"{student} handed in nothing for {self._lesson.name}: {meant(student, there)}"
                    f"put the notebook into {self._course.build / 'submitted' / student / self._lesson.name}."
                )
        if not there:
            raise CourseError(
                f"nobody handed in {self._lesson.name}: put the notebooks into "
                f"{self._course.build}/submitted/<student>/{self._lesson.name}/."
            )
        return sorted(set(students or there))


def keep(
    course: Course,
    lesson: Lesson,
    students: Iterable[str],
    jobs: int,
    progress: RunProgress,
    feedback: bool = True,
) -> list[str]:
    """Record the kept results of these students, one by one as they come, then write feedback for all (it is
    to be younger than the gradebook), if that is wanted; what went wrong, one line each."""
    named: list[str] = []
    failures = gradebook.record(course, lesson, _noted(students, named), progress.say)
    recorded = [student for student in named if student not in failures] if feedback else []
    failures |= write_pages(course, lesson, recorded, jobs, progress.step("feedback", len(recorded)))
    return [f"{printable(student)} was not recorded: {reason}" for student, reason in failures.items()]


def grade_one(course: Course, lesson: Lesson, student: str) -> SubmissionResult:
    """Grade one student's submission now, and keep the result: what nbgrader's own autograde button ends
    in."""
    require_machine(lesson)
    with turn(course, lesson):
        key, work = ResultKeys(course, lesson, Limits()).key(student), submitted_work(course, lesson, student)
    with Grader(course, lesson, Limits()) as grader:
        result = msgspec.structs.replace(grader.grade(work), key=key)
    ResultStore(course).save(lesson, result)
    return result


def _noted(students: Iterable[str], names: list[str]) -> Iterator[str]:
    """The students as they come, each noted down."""
    for student in students:
        names.append(student)
        yield student
