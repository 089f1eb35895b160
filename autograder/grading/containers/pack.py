"""Makes what an LMS needs to grade a lesson in a container: one archive for Gradescope, a question and an
image for PrairieLearn."""

import io
import json
import platform
import uuid
import zipfile
from pathlib import Path

import msgspec

import autograder
from autograder.grading.bundle import TEMPLATE_HOME, Bundle
from autograder.grading.containers import gradescope, prairielearn
from autograder.grading.containers.job import COURSE, PACKED, UNFINISHED, Packed
from autograder.grading.containers.pins import pinned
from autograder.grading.course import Course, Lesson
from autograder.grading.errors import CourseError
from autograder.grading.limits import Limits
from autograder.packages import PROJECT

FILES = Path(__file__).parent / "files"
ENGINE = ("*.py", "sandbox/*.py", "grading/*.py", "grading/containers/*.py")  # no commands, no templates
ENTRY = "run_autograder"
TIMEOUT = 420  # seconds: a submission's own limit on half a processor, and what starting takes
EPOCH = (1980, 1, 1, 0, 0, 0)  # the same bytes for the same course

Files = dict[str, bytes]


def gradescope_archive(course: Course, lesson: Lesson, visibility: str) -> bytes:
    """The zip to upload. CourseError if the lesson cannot be graded here."""
    files = _image(lesson) | _lesson(course, lesson, visibility, gradescope.report_of_failure(UNFINISHED))
    return _zipped(files | {ENTRY: (FILES / "run_gradescope.sh").read_bytes()})


def prairielearn_files(course: Course, lesson: Lesson, image: str) -> Files:
    """The folders `question` and `image`. CourseError if the lesson cannot be graded here."""
    tests = _lesson(course, lesson, "visible", prairielearn.report_of_failure(UNFINISHED))
    tests |= {ENTRY: (FILES / "run_prairielearn.sh").read_bytes()}
    page = (FILES / "question.html").read_text(encoding="utf-8").replace("LESSON", lesson.name)
    question = {"info.json": _info(lesson, image), "question.html": page.encode()} | _below("tests", tests)
    built = _image(lesson) | {"Dockerfile": (FILES / "Dockerfile").read_bytes()}
    return _below("question", question) | _below("image", built)


def is_script(name: str) -> bool:
    """Whether a packed file is to be executable."""
    return name.endswith((".sh", ENTRY))


def _image(lesson: Lesson) -> Files:
    """What the image is made of: nothing secret."""
    if lesson.lacking:
        raise CourseError(lesson.lacking)
    package = Path(autograder.__file__).parent
    modules = {path for pattern in ENGINE for path in package.glob(pattern)}
    engine = {path.relative_to(package.parent).as_posix(): path.read_bytes() for path in modules}
    return engine | {
        "setup.sh": (FILES / "setup.sh").read_bytes(),
        "python-version": ".".join(platform.python_version_tuple()[:2]).encode(),
        "requirements.txt": pinned(lesson).encode(),
    }


def _lesson(course: Course, lesson: Lesson, visibility: str, unfinished: dict) -> Files:
    """What a grading of the lesson takes, secrets included, and the result that stands until there is one."""
    bundle = Bundle.of(course, lesson, Limits())
    files = {name: data for name, data in bundle.files.items() if not name.startswith(TEMPLATE_HOME)}
    packed = msgspec.json.encode(Packed(lesson.name, visibility))
    return _below(COURSE, files) | {PACKED: packed, "unfinished.json": json.dumps(unfinished).encode()}


def _info(lesson: Lesson, image: str) -> bytes:
    """The question's own description; its uuid is the same each time."""
    entry = f"/grade/tests/{ENTRY}"
    options = {"enabled": True, "image": image, "entrypoint": entry, "timeout": TIMEOUT}
    info = {
        "uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, f"{PROJECT}/{lesson.name}")),
        "title": lesson.name,
        "topic": "Attention",
        "tags": [],
        "type": "v3",
        "gradingMethod": "External",
        "externalGradingOptions": options,
    }
    return (json.dumps(info, indent=2) + "\n").encode()


def _below(folder: str, files: Files) -> Files:
    return {f"{folder}/{name}": data for name, data in files.items()}


def _zipped(files: Files) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.create_system = 3  # Unix: the modes below count
            entry.external_attr = (0o100755 if is_script(name) else 0o100600) << 16
            archive.writestr(entry, files[name], zipfile.ZIP_DEFLATED)
    return target.getvalue()
