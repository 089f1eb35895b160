#!/usr/bin/env bash
# PrairieLearn runs this for each submission. What it writes before grading has ended is no score.
root="${1:-/grade}"
home="${2:-/opt/grader}"
chmod -R go= "$root/tests" "$root/student" "$root/data"
mkdir -p "$root/results"
chmod go-w "$root" "$root/results"
install -m 644 "$root/tests/unfinished.json" "$root/results/.unfinished"
mv "$root/results/.unfinished" "$root/results/results.json"
"$home/venv/bin/python" -m autograder.grading.containers.prairielearn "$root" ||
    echo "The grader was ended: choose a larger container (the course's README tells the size)."
exit 0
