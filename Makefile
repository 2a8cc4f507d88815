# Everything runs in .venv, which these targets make and fill themselves.

PYTHON := .venv/bin/python
JOBS ?= 2
INSTALL := $(PYTHON) -m pip install --quiet --quiet --disable-pip-version-check

# Two installs into one environment at the same time would spoil it.
.NOTPARALLEL:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
.PHONY: help demo test test-slow test-engines coverage check format bench docs papers pictures recommendation dist system clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-15s %s\n", $$1, $$2}' Makefile

demo: .venv/.ready-demo ## run the main job on the bundled example
	$(PYTHON) -m howsure demo

test: .venv/.ready-test system ## run the tests (the slow ones apart)
	$(PYTHON) -m pytest -q -n $(JOBS) -m "not slow and not engines"

test-slow: .venv/.ready-test system ## run the slow tests: coverage of the statistical claims
	HYPOTHESIS_PROFILE=thorough $(PYTHON) -m pytest -q -n $(JOBS) -m slow

test-engines: .venv/.ready-engines system ## run the tests of databases and cluster engines
	$(PYTHON) -m pytest -q -m engines

coverage: .venv/.ready-test system ## measure the test coverage of src, branches included
	$(PYTHON) -m pytest -q -n $(JOBS) -m "not slow and not engines" --cov --cov-report=term-missing:skip-covered

check: .venv/.ready-test ## lint, format and types
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy

format: .venv/.ready-test ## put the code into the house format
	$(PYTHON) -m ruff check --fix .
	$(PYTHON) -m ruff format .

bench: .venv/.ready-test ## measure against peers
	$(PYTHON) benchmarks/run.py

docs: .venv/.ready-docs ## build the documentation site, warnings are errors
	$(PYTHON) -m mkdocs build --strict

papers: .venv/.ready-test ## recompute the tables of the five papers
	$(PYTHON) scripts/papers.py

recommendation: .venv/.ready-test ## study every interval method and write docs/explanation/which-interval.md
	$(PYTHON) scripts/recommendation.py --jobs $(JOBS)

pictures: .venv/.ready-test system ## take the pictures of the README again
	$(PYTHON) scripts/screenshots.py

dist: .venv/.ready-test ## build the wheel and the source archive
	$(INSTALL) build
	$(PYTHON) -m build --quiet

system:
	@sh scripts/system_packages.sh

clean: ## remove the environment and everything that was made
	rm -rf .venv build dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage .coverage.* htmlcov
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp appears only when its install went through; each environment contains the one before it.
.venv/.made:
	@sh scripts/make_venv.sh
	@touch $@

.venv/.ready-demo: .venv/.made pyproject.toml
	@echo "installing howsure (a minute or so)"
	@$(INSTALL) -e ".[cli,files,figures]"
	@touch $@

.venv/.ready-test: .venv/.ready-demo
	@echo "installing what the tests need (a few minutes)"
	@$(INSTALL) -e ".[test,dev]"
	@touch $@

.venv/.ready-docs: .venv/.ready-test
	@$(INSTALL) -e ".[docs]"
	@touch $@

.venv/.ready-engines: .venv/.ready-test
	@echo "installing the engines (half a gigabyte)"
	@$(INSTALL) -e ".[engines]"
	@touch $@

test test-slow coverage recommendation: export OPENBLAS_NUM_THREADS = 1
