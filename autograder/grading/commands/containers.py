"""The commands that pack a lesson for an LMS which grades in a container. What takes long to import is
imported where it is needed."""

import argparse
from pathlib import Path

from autograder.commands import command
from autograder.grading.course import Course, Lesson
from autograder.grading.errors import CourseError

VISIBILITIES = ("visible", "after_due_date", "after_published", "hidden")


def add(parsers: argparse._SubParsersAction) -> None:
    what = "Pack a lesson as an autograder for Gradescope."
    parser = command(parsers, "gradescope", what, "autograder gradescope mixing --out mixing.zip")
    parser.add_argument("lesson", help="the lesson to pack")
    parser.add_argument("--out", metavar="ZIP", type=Path, required=True, help="the file to write")
    when = "when students see the tests (default: visible)"
    parser.add_argument("--visibility", choices=VISIBILITIES, default="visible", help=when)
    parser.set_defaults(run=gradescope)
    what = "Pack a lesson as an externally graded question for PrairieLearn."
    example = "autograder prairielearn mixing --out mixing-question --image our/attention-mixing"
    parser = command(parsers, "prairielearn", what, example)
    parser.add_argument("lesson", help="the lesson to pack")
    parser.add_argument("--out", metavar="DIR", type=Path, required=True, help="the folder to make")
    parser.add_argument("--image", required=True, help="what you will call the Docker image that it makes")
    parser.set_defaults(run=prairielearn)


def gradescope(course: Course, options: argparse.Namespace) -> int:
    from autograder.grading.containers.pack import gradescope_archive
    from autograder.grading.results import write_whole

    lesson = course.lesson(options.lesson)
    if options.out.suffix != ".zip" or options.out.is_dir():
        raise CourseError(f"{options.out} cannot be the archive: give --out a file that ends in .zip.")
    _require_parent(options.out)
    write_whole(options.out, gradescope_archive(course, lesson, options.visibility))
    print(f"wrote {options.out}: it holds the hidden suite, the solution and the secret, keep it so")
    print(f"upload it under Configure Autograder, and give the assignment {_points(lesson)}")
    return 0


def prairielearn(course: Course, options: argparse.Namespace) -> int:
    from autograder.grading.containers.pack import is_script, prairielearn_files
    from autograder.grading.scratch import scratch_folder

    lesson = course.lesson(options.lesson)
    if options.out.exists():
        raise CourseError(f"{options.out} is there already: remove it, or give another place to --out.")
    _require_parent(options.out)
    files = prairielearn_files(course, lesson, options.image)
    with scratch_folder(options.out.absolute().parent, ".packing-") as staging:
        for name, data in files.items():
            path = staging / "packed" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            path.chmod(0o755 if is_script(name) else 0o644)
        (staging / "packed").rename(options.out)
    print(f"wrote {options.out}/question: it holds the hidden suite, the solution and the secret, keep it so")
    print(f"copy it to your course's questions/, and build and push the image from {options.out}/image")
    return 0


def _require_parent(out: Path) -> None:
    if not out.absolute().parent.is_dir():
        raise CourseError(f"{out.parent} is not a folder: make it first, or give another place to --out.")


def _points(lesson: Lesson) -> str:
    return f"{sum(task.points for task in lesson.tasks):g} autograder points"
