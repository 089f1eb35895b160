"""Grades on their way back into an LMS: one module for each, as export plugins of nbgrader's."""
