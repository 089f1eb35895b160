"""How nbgrader grades this course: `nbgrader` and formgrader read this file when started in its folder."""

import os
import shutil
import sys
from pathlib import Path

root = Path(__file__).resolve().parent
(root / "build").mkdir(exist_ok=True)  # SQLite makes the gradebook, but not its folder
if not shutil.which("alembic"):  # nbgrader starts it by name for a new gradebook, activated venv or not
    os.environ["PATH"] += os.pathsep + str(Path(sys.executable).parent)

c = get_config()  # noqa: F821  (given by traitlets)

c.CourseDirectory.root = str(root)
c.CourseDirectory.course_id = ""  # no exchange: hand-ins come from the LMS
# The folder that nbgrader reads must hold nothing but what students get: it copies every file of it.
c.CourseDirectory.source_directory = "build/source"
c.CourseDirectory.release_directory = "assignments"
c.CourseDirectory.submitted_directory = "build/submitted"
c.CourseDirectory.autograded_directory = "build/autograded"
c.CourseDirectory.feedback_directory = "build/feedback"
c.CourseDirectory.db_url = f"sqlite:///{root}/build/gradebook.db"

# What a stub holds until it is written: an error by which the grader knows that nothing was handed in.
c.ClearSolutions.code_stub = {"python": "# YOUR CODE HERE\nraise NotImplementedError()"}

# Grading runs outside of nbgrader; it records the results. What was taken in needs no other check.
c.Autograde.pre_convert_hook = "autograder.grading.intake.before_autograde"
c.Autograde.sanitize_preprocessors = [
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.OverwriteKernelspec",
    "nbgrader.preprocessors.OverwriteCells",
]
c.Autograde.autograde_preprocessors = [
    "autograder.grading.recorder.Recorder",  # in place of nbgrader's Execute
    "nbgrader.preprocessors.IgnorePattern",
    "nbconvert.preprocessors.ClearMetadataPreprocessor",
    "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
]
c.Exporter.optimistic_validation = True  # once, after all of them
c.OverwriteCells.add_missing_cells = True  # a deleted grade cell comes back and is graded

# What late work costs; percent are of the points reached, and a day begun counts as a day.
c.AssignLatePenalties.plugin_class = "autograder.grading.late.DailyPenalty"
c.DailyPenalty.percent_per_day = 10
c.DailyPenalty.grace_minutes = 15  # every due date is later by this
c.DailyPenalty.cap_percent = 100  # the most that is taken

c.FormgradeExtension.debug = False  # else it warns that JupyterLab's own settings are not JSON

c.GenerateFeedback.force = True  # else nbgrader keeps the page from before the grading by hand
# nbgrader puts the mark scheme back into the graded copy, for the TA: it must not reach the student.
c.GenerateFeedback.preprocessors = [
    "nbgrader.preprocessors.GetGrades",
    "nbgrader.preprocessors.ClearMarkScheme",
    "autograder.grading.pagestyle.PageStyle",  # light or dark, as the browser is
]
