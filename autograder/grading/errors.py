"""Mistakes a user can mend."""


class CourseError(Exception):
    """Something the user can put right. The text is one line that ends with what to do; the command prints
    it as it is."""
