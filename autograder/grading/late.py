"""What late work costs, as a plugin of nbgrader's: a percentage of the points reached for each day begun."""

from datetime import datetime
from math import ceil
from pathlib import Path

from nbgrader.plugins import LateSubmissionPlugin
from nbgrader.preprocessors import AssignLatePenalties
from traitlets import Float, TraitError
from traitlets.config import Config

from autograder.grading.errors import CourseError
from autograder.grading.moments import TIME_NOTE, moment, time_note

DAY = 24 * 60 * 60  # seconds


class DailyPenalty(LateSubmissionPlugin):
    """penalty = points · min(cap, percent a day · days) / 100, with
    days = ⌈(seconds late − 60 · grace) / 86400⌉: a day begun counts as a day."""

    percent_per_day = Float(10, min=0, max=100, help="Percent of the points reached, a day.").tag(config=True)
    grace_minutes = Float(15, min=0, help="Minutes by which every due date is later than it says.").tag(
        config=True
    )
    cap_percent = Float(100, min=0, max=100, help="Percent of the points reached, at most.").tag(config=True)

    def late_submission_penalty(
        self, student_id: str, score: float, total_seconds_late: float
    ) -> float | None:
        """The points taken from a score, of which some may be given by hand; None if there are none."""
        days = max(0, ceil((total_seconds_late - 60 * self.grace_minutes) / DAY))
        percent = min(self.cap_percent, self.percent_per_day * days)
        return min(score, round(score * percent / 100, 6)) or None


def configured(config: Config) -> LateSubmissionPlugin:
    """The plugin that the course's nbgrader_config.py names. CourseError for a setting that it refuses."""
    try:
        assigning = AssignLatePenalties(config=config)
        assigning.init_plugin()
        return assigning.plugin_inst
    except (TraitError, ImportError) as error:
        reason = " ".join(str(error).split())
        raise CourseError(
            f"late penalties cannot be set as asked ({reason}): change nbgrader_config.py."
        ) from error


def handed_in_at(folder: Path) -> datetime | None:
    """The time in the folder's `timestamp.txt`, as nbgrader's exchange and zip collector write it, in UTC;
    None where there is none, or an empty one. ValueError, which tells what to do, if it cannot be read."""
    try:
        text = time_note(folder)
        return moment(text) if text else None
    except (OSError, ValueError) as error:
        advice = "write it as 2026-12-01 18:00 UTC"
        raise ValueError(f"{folder / TIME_NOTE} cannot be read ({error}): {advice}.") from error
