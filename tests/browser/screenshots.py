"""Pictures of the lessons to look at: `python tests/browser/screenshots.py FOLDER [LESSON ...]`.

Of each lesson, in light and in dark: the notebook in JupyterLab with the solutions in place and run, and the
feedback page of a sample submission that is wrong. What does not fit on one picture goes on on the next.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from browsing import Notebook, Server, chromium, solved
from playwright.sync_api import Page

from autograder.grading.course import CONFIG, Course, Lesson
from autograder.grading.samples import samples

ROOT = Path(__file__).resolve().parents[2]
WIDTH, HEIGHT, OVERLAP = 1100, 2400, 100  # pixels of a picture, and what it shows of the one before
STUDENT = "ada"
SCROLLED = ".jp-WindowedPanel-outer"


def main() -> None:
    options = _options()
    options.folder.mkdir(parents=True, exist_ok=True)
    lessons = [Course(ROOT).lesson(name) for name in options.lessons]
    with tempfile.TemporaryDirectory() as place, chromium() as browser:
        course = _course(Path(place) / "course")
        server = Server(course.root)
        try:
            for lesson in lessons:
                if lesson.lacking:
                    print(lesson.lacking)
                    continue
                _picture(course.lesson(lesson.name), server, browser.new_page(), options.folder)
                print(lesson.name, flush=True)
        finally:
            server.close()


def _options() -> argparse.Namespace:
    known = [lesson.name for lesson in Course(ROOT).lessons()]
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the pictures go")
    parser.add_argument("lessons", nargs="*", metavar="LESSON", default=known, help="by default all")
    return parser.parse_args()


def _course(root: Path) -> Course:
    for name in ("source", "assignments", "solutions", "tests/hidden", "tests/submissions"):
        shutil.copytree(ROOT / name, root / name)
    shutil.copy(ROOT / CONFIG, root)
    return Course(root)


def _picture(lesson: Lesson, server: Server, page: Page, folder: Path) -> None:
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    notebook = Notebook(server, page, solved(lesson, lesson.root / "solved"))
    notebook.run_all()
    _take(page, SCROLLED, folder / lesson.name)
    notebook.stop()
    page.goto(_feedback(lesson).as_uri())
    _take(page, "html", folder / f"{lesson.name}-feedback")
    page.close()


def _feedback(lesson: Lesson) -> Path:
    """The page about a sample that fails, graded as a class is."""
    sample = next(sample for sample in samples(lesson) if sample.path.name.startswith("failed"))
    sample.hand_in(lesson.root / "build" / "submitted" / STUDENT / lesson.name)
    command = [Path(sys.executable).with_name("autograder"), "grade", lesson.name]
    subprocess.run(command, cwd=lesson.root, stdout=subprocess.DEVNULL, check=True)
    return lesson.root / "build" / "feedback" / STUDENT / lesson.name / f"{lesson.name}.html"


def _take(page: Page, scrolled: str, name: Path) -> None:
    """All that an element shows when it is scrolled, in both colors."""
    for color in ("light", "dark"):
        page.emulate_media(color_scheme=color)
        page.wait_for_timeout(1000)  # until the theme is there
        part = page.locator(scrolled).first
        for number, top in enumerate(range(0, part.evaluate("it => it.scrollHeight"), HEIGHT - OVERLAP), 1):
            part.evaluate("(it, top) => { it.scrollTop = top }", top)
            page.wait_for_timeout(300)
            page.screenshot(path=name.with_name(f"{name.name}-{color}-{number}.png"))


if __name__ == "__main__":
    main()
