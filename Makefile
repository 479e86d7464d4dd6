# Everything a developer does. On a fresh machine git, make and Python 3.11 or newer are enough.

DIR ?= .
ASK ?= how is an ignore file matched
ASK2 ?= what happens when indexing is killed half way
PYTEST ?=

ifeq ($(OS),Windows_NT)
BIN := .venv/Scripts
else
BIN := .venv/bin
endif

# The first Python that is new enough and can make virtual environments.
NEW_ENOUGH := import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for p in python3.14 python3.13 python3.12 python3.11 python3 python; do \
	"$$p" -c '$(NEW_ENOUGH)' >/dev/null 2>&1 && { echo "$$p"; break; }; done)

.PHONY: help setup demo test check fix docs bench clean

help:
	@echo "make demo [DIR=folder]  index a folder (default: this project) and ask two questions"
	@echo "make test               run the whole test suite"
	@echo "make check              format, lint, types, documentation, architecture"
	@echo "make fix | docs | bench | setup | clean"

setup: .venv/dev.stamp

.venv/python.stamp:
	@test -n "$(PYTHON)" || { echo "scrubjay needs Python 3.11 or newer with venv and ensurepip" \
		"(Debian and Ubuntu: apt install python3-venv); or name one: make PYTHON=/path/to/python" >&2; exit 1; }
	"$(PYTHON)" -m venv .venv
	touch $@

.venv/core.stamp: .venv/python.stamp pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	touch $@

.venv/dev.stamp: .venv/python.stamp pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev]"
	touch .venv/core.stamp $@

# The demo keeps its index in .demo, so that `make clean` removes every trace.
demo: export SCRUBJAY_HOME := $(CURDIR)/.demo
demo: .venv/core.stamp
	@cd "$(DIR)" && "$(CURDIR)/$(BIN)/scrubjay" index .
	@cd "$(DIR)" && for question in "$(ASK)" "$(ASK2)"; do \
		printf '\n> %s\n' "$$question"; \
		"$(CURDIR)/$(BIN)/scrubjay" search -n 3 "$$question" || exit; done

test: .venv/dev.stamp
	$(BIN)/python -m pytest -rs $(PYTEST)

check: .venv/dev.stamp
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python tools/write_docs.py --check
	$(BIN)/python -m pytest tests/test_architecture.py

fix: .venv/dev.stamp
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: .venv/dev.stamp
	$(BIN)/python tools/write_docs.py

bench: .venv/core.stamp
	$(BIN)/python benchmarks/speed/compare.py $(BENCH)

clean:
	rm -rf .venv .demo benchmarks/.cache
