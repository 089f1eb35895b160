"""Grading in a container of an LMS, one submission at a time: Gradescope and PrairieLearn."""
