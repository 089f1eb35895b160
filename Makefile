# Every target sets up what it needs; a second run sets nothing up again.
PYTHON ?= python3
SHELL := bash
.SHELLFLAGS := -o pipefail -c
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
EXTRA := $(VENV)/real-heads
# To install otherwise (README.md: a small torch): make INSTALL="uv pip install --python .venv --torch-backend cpu"
INSTALL ?= $(BIN)/python -m pip install --progress-bar off
# What takes long, of all that pip says: enough to see that it goes on. Errors are shown as they come.
LONG := awk '/Downloading .* MB\)/ { print "  " $$2, $$3, $$4 } /^Installing coll/ { print "  installing", NF - 3 } { fflush() }'

TESTS := $(BIN)/python -m pytest -n 2 --dist loadgroup

unexport PYTHONDONTWRITEBYTECODE  # or every process compiles the engine anew

.PHONY: setup demo test test-all mutants bench build student-pack

setup: $(READY)

$(READY): pyproject.toml
	@echo "Setting up $(VENV) (a few minutes, once):"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; run: make PYTHON=python3.12 ..."; exit 1; }
	@$(PYTHON) -m venv $(VENV)
	@echo "1 of 3: torch"
	@$(INSTALL) torch==2.13.0 | $(LONG)
	@echo "2 of 3: JupyterLab, nbgrader and what else the course needs"
	@$(INSTALL) --editable '.[grading,test]' | $(LONG)
	@echo "3 of 3: the list of fonts for pictures"
	@MPLCONFIGDIR=build/template $(BIN)/python -c 'import matplotlib.font_manager'  # once, not in every sandbox
	@touch $@
	@echo "Ready. In each new terminal: source $(BIN)/activate"

# Grade the sample class of the first lesson and show it.
demo: setup
	@$(BIN)/autograder demo mixing

# Everything a change can break.
test: setup
	@$(TESTS) -m "not slow"

# And what takes longer, with the lesson that needs a trained model.
test-all: setup $(EXTRA)
	@$(TESTS)

$(EXTRA): $(READY)
	@echo "Adding a trained model to $(VENV) (some 350 MB, once):"
	@$(INSTALL) --editable '.[grading,test,real-heads]' | $(LONG)
	@touch $@

# Change every operator, number and condition of the solutions: the hidden suites must notice.
mutants: setup $(EXTRA)
	@$(INSTALL) --editable '.[grading,test,mutants]' | $(LONG)
	@$(TESTS) tests/mutants

# Grade a class here, with stock nbgrader and with otter-grader, side by side; N of them by the other two.
bench: setup
	@$(INSTALL) --editable '.[grading,test,bench]' | $(LONG)
	@$(BIN)/python benchmarks/speed.py --submissions 100 --others $(or $(N),100)

# Make every generated file again: notebooks, releases, solutions.
build: setup
	@for lesson in source/*/; do $(BIN)/autograder release $$(basename $$lesson) || exit 1; done

# What students get, as one archive for any LMS: build/student-pack.zip.
student-pack: setup
	@$(BIN)/autograder student-pack
