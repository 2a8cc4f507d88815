# Everything runs in .venv, which these targets make and fill themselves.

PYTHON := .venv/bin/python
# One more than two cores: a worker that waits for a browser or a server leaves its core to another.
JOBS ?= 3
PIP_OPTIONS := --quiet --quiet --disable-pip-version-check
# By file, so that a cluster is started once: all its tests are in one file.
RUN_ENGINES = $(PYTHON) -m pytest -q -n $(JOBS) --dist loadfile -m engines tests/engines
# Left out by folder, not by marker: to collect them would import every engine.
OTHER_LANES := --ignore=tests/engines --ignore=tests/friends
INSTALL := $(PYTHON) -m pip install $(PIP_OPTIONS)
# Neither browser nor engines: those lanes are about numbers and about reading data.
OTHER_VERSIONS := -q -n $(JOBS) -p no:cacheprovider -m "not slow and not browser" $(OTHER_LANES) \
	--ignore=tests/browser --ignore=tests/web/test_api_fuzz.py --ignore=tests/surface/test_docs.py
# The newest numpy and scipy do not come for the oldest Python. Another one: make test-newest NEWEST_PYTHON=path
NEWEST_PYTHON ?= $(shell for name in python3.14 python3.13 python3.12 $(PYTHON); do \
	$$name -c "" 2>/dev/null && echo $$name && break; done)
INSTALL_PEER := $(PYTHON) -m pip --python .venv-peers/bin/python install $(PIP_OPTIONS)

# Where bytecode is not written, every process that a test starts compiles the library again.
unexport PYTHONDONTWRITEBYTECODE

# Two installs into one environment at the same time would spoil it.
.NOTPARALLEL:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
.PHONY: help demo test test-fast test-slow test-cpus test-engines test-oldest test-newest test-friends coverage mutants check format bench docs pages papers references pictures recommendation dist system clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-15s %s\n", $$1, $$2}' Makefile

demo: .venv/.ready-demo ## run the main job on the bundled example
	$(PYTHON) -m howsure demo

test: .venv/.ready-test system ## run the tests (the slow ones apart); a part that fails does not keep the next from running
	@status=0; \
	$(PYTHON) -m pytest -q -n $(JOBS) --dist worksteal -m "not slow" $(OTHER_LANES) || { status=1; first=failed; }; \
	$(RUN_ENGINES) || { status=1; second=failed; }; \
	echo "tests $${first:-passed}, engines $${second:-passed}"; \
	exit $$status

test-fast: .venv/.ready-test ## run the tests of numbers, metrics, tables and results alone: under a minute on two idle cores
	$(PYTHON) -m pytest -q -n $(JOBS) -m "not slow and not hypothesis" tests/metrics tests/numerics tests/results tests/tables

test-slow: .venv/.ready-test system ## run the slow tests: coverage of the statistical claims, a thousand examples a property; killed, it goes on
	HYPOTHESIS_PROFILE=thorough $(PYTHON) -m pytest -q -n $(JOBS) -m "slow or hypothesis" --going-on build/slow-tests.txt

test-engines: .venv/.ready-test system ## run only the tests of databases and cluster engines
	$(RUN_ENGINES)

test-cpus: .venv/.ready-test ## run the numerical tests as four other processors would, and without numpy's own kernels
	$(PYTHON) scripts/test_cpus.py --jobs $(JOBS)

test-oldest: .venv-oldest/.ready ## run the quick tests on the oldest versions that pyproject.toml allows (Python 3.11)
	.venv-oldest/bin/python -m pytest $(OTHER_VERSIONS) -W ignore::DeprecationWarning

test-newest: .venv/.made ## run the quick tests on the newest releases of everything, with the newest Python there is
	$(NEWEST_PYTHON) -m venv --clear --without-pip .venv-newest
	.venv-newest/bin/python --version
	$(PYTHON) scripts/oldest_versions.py --newest > .venv-newest/requirements.txt
	$(PYTHON) -m pip --python .venv-newest/bin/python install $(PIP_OPTIONS) -e . -r .venv-newest/requirements.txt
	.venv-newest/bin/python -m pytest $(OTHER_VERSIONS)

test-friends: .venv-friends/.ready ## run the examples of other packages beside ours, in an environment of their own
	.venv-friends/bin/python -m pytest -q -p no:cacheprovider -m friends tests/friends

coverage: .venv/.ready-test system ## measure the test coverage of src, branches included; below 95 % is a failure
	$(PYTHON) -m pytest -q -n $(JOBS) -m "not slow" $(OTHER_LANES) --cov --cov-report=term-missing:skip-covered

mutants: .venv/.ready-test ## change the numerical core in small ways and see which changes no test notices (an hour)
	nice $(PYTHON) scripts/mutate.py

check: .venv/.ready-test ## lint, format, types, and what may import what
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy
	$(PYTHON) -m mypy --strict scripts/typed_client.py
	.venv/bin/lint-imports --no-cache

format: .venv/.ready-test ## put the code into the house format
	$(PYTHON) -m ruff check --fix .
	$(PYTHON) -m ruff format .

bench: .venv-peers/.ready ## measure against peers, in an environment of their own, and write docs/benchmarks.md
	.venv-peers/bin/python benchmarks/run.py

docs: .venv/.ready-docs ## build the documentation site, warnings are errors
	NO_MKDOCS_2_WARNING=1 $(PYTHON) -m mkdocs build --strict

pages: .venv/.ready-test ## write the generated pages and the shown outputs of the documentation again
	$(PYTHON) scripts/make_reference.py
	$(PYTHON) scripts/refresh_outputs.py

papers: .venv/.ready-test ## recompute the tables and figures of the five papers (DATA=folder trains rules anew)
	$(PYTHON) scripts/papers.py $(if $(DATA),--data $(DATA))

references: .venv/.ready-test ## make every reference table again with R and other programs, and compare
	@sh scripts/system_packages.sh reference_packages.txt
	$(PYTHON) scripts/references.py --jobs $(JOBS)

recommendation: .venv/.ready-test ## study every interval method and write docs/explanation/which-interval.md
	$(PYTHON) scripts/recommendation.py --jobs $(JOBS)

pictures: .venv/.ready-test system ## take the pictures of the README and the documentation again, and draw the gallery
	$(PYTHON) scripts/gallery.py
	$(PYTHON) scripts/screenshots.py

dist: .venv/.ready-test ## build the wheel and the source archive, install both in empty environments and try them
	$(INSTALL) build twine check-wheel-contents
	rm -rf dist
	$(PYTHON) -m build --quiet
	$(PYTHON) scripts/check_dist.py

system:
	@sh scripts/system_packages.sh

clean: ## remove the environment and everything that was made
	rm -rf .venv .venv-peers .venv-oldest .venv-newest .venv-friends build dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage .coverage.* htmlcov
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp appears only when its install went through; each environment contains the one before it.
.venv/.made:
	@sh scripts/make_venv.sh
	@touch $@

# What is installed is written in this file too: an older clone must not pass for ready.
.venv/.ready-demo: .venv/.made pyproject.toml Makefile
	@echo "step 2: fetching numpy, scipy, DuckDB and matplotlib, and installing howsure into .venv (a minute or so)"
	@$(INSTALL) -e ".[cli,figures,web]"
	@echo "done: the command is .venv/bin/howsure"
	@touch $@

.venv/.ready-test: .venv/.ready-demo
	@echo "step 3: installing what the tests need (a few minutes)"
	@$(INSTALL) -e ".[test,dev]"
	@touch $@

.venv/.ready-docs: .venv/.ready-test
	@$(INSTALL) -e ".[docs]"
	@touch $@

# The oldest versions have no wheels for newer Pythons.
.venv-oldest/.ready: .venv/.made pyproject.toml scripts/oldest_versions.py
	@python3.11 -m venv --clear --without-pip .venv-oldest
	@$(PYTHON) scripts/oldest_versions.py > .venv-oldest/requirements.txt
	@echo "installing the oldest versions (a few minutes)"
	@$(PYTHON) -m pip --python .venv-oldest/bin/python install $(PIP_OPTIONS) -e . -r .venv-oldest/requirements.txt
	@touch $@

# A peer that cannot be installed is left out; the page says so.
.venv-peers/.ready: .venv/.made pyproject.toml benchmarks/peers.txt
	@echo "installing the peers (a few minutes)"
	@$(PYTHON) -m venv --clear --without-pip .venv-peers
	@$(INSTALL_PEER) -e ".[cli]"
	@for peer in $$(cat benchmarks/peers.txt); do \
		$(INSTALL_PEER) $$peer || echo "could not install $$peer"; done
	@touch $@

# One at a time: a package that cannot be installed is left out, and its tests say so.
.venv-friends/.ready: .venv/.made pyproject.toml tests/friends/peers.txt
	@echo "installing the packages of docs/how-to/coming-from.md (a few minutes)"
	@$(PYTHON) -m venv --clear --without-pip .venv-friends
	@$(PYTHON) -m pip --python .venv-friends/bin/python install $(PIP_OPTIONS) -e ".[cli]"
	@for peer in $$(grep -v '^#' tests/friends/peers.txt); do \
		$(PYTHON) -m pip --python .venv-friends/bin/python install $(PIP_OPTIONS) $$peer || echo "could not install $$peer"; done
	@touch $@

test test-fast test-slow test-oldest test-newest test-friends coverage mutants recommendation: export OPENBLAS_NUM_THREADS = 1
