"""The layouts that can be collected, and what is said of an archive that has another one."""

from autograder.grading.collecting.archive import Archive
from autograder.grading.collecting.blackboard import BLACKBOARD
from autograder.grading.collecting.brightspace import BRIGHTSPACE
from autograder.grading.collecting.canvas import CANVAS
from autograder.grading.collecting.entries import Entry, Layout, Site
from autograder.grading.collecting.exchange import EXCHANGE
from autograder.grading.collecting.folders import FOLDER
from autograder.grading.collecting.moodle import MOODLE
from autograder.grading.errors import CourseError
from autograder.grading.reader import printable

LAYOUTS = {layout.name: layout for layout in (CANVAS, MOODLE, BLACKBOARD, BRIGHTSPACE, FOLDER, EXCHANGE)}


def read_entries(layout: Layout, archive: Archive, site: Site) -> list[Entry]:
    """What is named as the LMS names hand-ins. CourseError, with the layout that fits if there is one, where
    nothing is, or where plain folders are named as an LMS does."""
    found = layout.entries(archive, site)
    if found and layout is not FOLDER:
        return found
    others = [other for other in LAYOUTS.values() if other not in (layout, FOLDER)]
    fitting = next((other.name for other in others if other.entries(archive, site)), "")
    if fitting:
        raise CourseError(
            f"{archive.name} looks like an archive of {fitting}: use `autograder collect {fitting} ...`."
        )
    if not found:
        names = ", ".join(printable(member.name) for member in archive.members[:3]) or "nothing"
        raise CourseError(
            f"{archive.name} holds no hand-in of {site.lesson} that is named as {layout.name} names them "
            f"({names}): download the archive of this assignment, or name another LMS."
        )
    return found
