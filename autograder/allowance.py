"""What a student's work may use. Grading keeps to the same numbers as a look at one's own work."""

CELL_SECONDS = 20.0  # one cell, wall time
WORK_SECONDS = 120.0  # everything together
FILE_BYTES = 50 * 1024**2  # a larger file is not read at all
SLIM_BYTES = 4 * 1024**2  # a larger notebook is graded without its outputs
CELLS = 1000
CODE_LENGTH = 200_000  # characters of one code cell
