"""Wrong answers that students of this lesson give."""
