# `make demo` and `make test` need nothing but Python 3.11 (or newer) and make: they set up .venv on the first run.
# Run again, they install only when pyproject.toml or .ci/constraints.txt has changed.

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
STAMP := $(VENV)/.installed
FIND_PYTHON := for p in $(PYTHON) python3.11 python3 python; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && break; done
WORKERS := 2
BENCH := build/bench
PEERS := build/peers

.DEFAULT_GOAL := help
.PHONY: help venv demo test test-long test-peers test-speed fuzz robustness bench evidence scoreboard experiments gallery lint format readme docs-tables \
  constraints clean

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 22

venv: $(STAMP)  ## set up .venv with pinned versions

$(STAMP): pyproject.toml .ci/constraints.txt
	@python="$$($(FIND_PYTHON))"; test -n "$$python" || { echo "symaux needs Python 3.11 or newer: make PYTHON=..." >&2; exit 1; }; \
	echo "setting up $(VENV) with $$python"; "$$python" -m venv $(VENV)
	$(PIP) install --quiet --constraint .ci/constraints.txt setuptools
	$(PIP) install --quiet --constraint .ci/constraints.txt --no-build-isolation --editable ".[dev]"
	@touch $@

demo: $(STAMP)  ## the paper's chain through everything, into demo/
	$(BIN)/symaux demo

PYTEST := -m pytest -rs -n $(WORKERS) --dist worksteal
test: $(STAMP)  ## the tests of every day, in ten minutes; those in a browser need Chromium
	$(BIN)/python $(PYTEST) -m "not long and not peers and not speed"

test-long: $(STAMP)  ## what is slow and broad: whole catalogues, many seeds, all pages of the gallery
	$(BIN)/python $(PYTEST) -m "long and not peers and not speed"

# `make test-peers PEER_TESTS=peers` builds every Stan program, not eight of them
PEER_TESTS := peers and not long
test-peers: $(PEERS)/.installed  ## what needs PyMC or Stan, in a virtual environment with both
	$(PEERS)/bin/python $(PYTEST) -m "$(PEER_TESTS)" tests/exchange tests/conformance

test-speed: $(STAMP)  ## limits of time, one test after the other: run it on an idle machine
	$(BIN)/python -m pytest -rs -m speed tests

fuzz: $(STAMP)  ## two thousand false and true claims each, two thousand mutants, an hour of the parser under fuzzing, ten thousand random models, a soak
	PYTHONPATH=.:tests $(BIN)/python -m fuzz.claims --false 2000 --true 2000
	PYTHONPATH=.:tests $(BIN)/python -m fuzz.mutants 2000 --workers $(WORKERS)
	$(BIN)/python gallery/robustness.py

robustness: $(STAMP)  ## the counts of the last `make fuzz` into gallery/robustness.md
	$(BIN)/python gallery/robustness.py --page

bench: $(BENCH)/.installed  ## generated code beside hand-written JAX and the peers, into gallery/benchmarks.md (half an hour)
	PYTHONPATH=.:tests $(BENCH)/bin/python -m bench.speed
	PYTHONPATH=.:tests $(BENCH)/bin/python -m bench.mcem
	PYTHONPATH=.:tests $(BENCH)/bin/python -m bench.gradients
	PYTHONPATH=.:tests $(BENCH)/bin/python -m bench.growth
	PYTHONPATH=.:tests $(BENCH)/bin/python -m bench.scale

# What is compared with has virtual environments of its own. For benchmarks, one that cannot be installed is left out, and the
# page says so; for tests, all are needed. Stan for Python still imports pkg_resources, which setuptools 81 dropped.
BENCHED := "numpyro>=0.19" "tfp-nightly[jax]" "pymc>=5.25"
INSTALL := -m pip --disable-pip-version-check install --quiet --constraint
$(BENCH)/.installed: pyproject.toml .ci/constraints.txt
	@python="$$($(FIND_PYTHON))"; test -n "$$python" || { echo "symaux needs Python 3.11 or newer: make PYTHON=..." >&2; exit 1; }; \
	"$$python" -m venv $(BENCH)
	$(BENCH)/bin/python $(INSTALL) .ci/constraints.txt setuptools
	$(BENCH)/bin/python $(INSTALL) .ci/constraints.txt --no-build-isolation --editable ".[infer]"
	for peer in $(BENCHED); do $(BENCH)/bin/python $(INSTALL) .ci/constraints.txt "$$peer" || \
	  echo "left out: $$peer cannot be installed here" >&2; done
	@touch $@

$(PEERS)/.installed: pyproject.toml .ci/constraints.txt
	@python="$$($(FIND_PYTHON))"; test -n "$$python" || { echo "symaux needs Python 3.11 or newer: make PYTHON=..." >&2; exit 1; }; \
	"$$python" -m venv $(PEERS)
	grep -iv '^setuptools==' .ci/constraints.txt > $(PEERS)/constraints.txt
	$(PEERS)/bin/python $(INSTALL) $(PEERS)/constraints.txt "setuptools>=77,<81"
	$(PEERS)/bin/python $(INSTALL) $(PEERS)/constraints.txt --no-build-isolation --editable ".[dev]"
	$(PEERS)/bin/python $(INSTALL) $(PEERS)/constraints.txt "pymc>=5.25" "pystan>=3.10" "setuptools>=77,<81"
	@touch $@

evidence: $(STAMP)  ## judge, certify and measure the catalogue, and two thousand mutants, into gallery/evidence.md (hours; goes on where it stopped)
	$(BIN)/python gallery/evidence.py

scoreboard: $(STAMP)  ## derive and measure every law of the corpora, into gallery/scoreboard.md (an hour or more; goes on where it stopped)
	$(BIN)/python gallery/scoreboard.py

experiments: $(STAMP)  ## the paper's two experiments and two sweeps of NUTS, on both forms and on chosen ones, into the gallery (hours; goes on where it stopped)
	for name in mnist_experiment dbn_experiment helps_or_hurts choosing; do $(BIN)/python gallery/$$name.py || exit 1; done

gallery: $(STAMP)  ## a page for each model and each law, into build/gallery (an hour or more; goes on where it stopped)
	$(BIN)/symaux gallery build

lint: $(STAMP)  ## ruff and pyright
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright --pythonpath $(BIN)/python

format: $(STAMP)  ## ruff format, and what ruff can repair
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

readme: $(STAMP)  ## bring the tables of README.md, of rules and of experiments, up to date
	PYTHONPATH=.:tests $(BIN)/python tests/end_to_end/test_readme.py
	$(BIN)/python gallery/experiments_table.py

docs-tables: $(STAMP)  ## bring the generated tables of docs/ up to date
	PYTHONPATH=.:tests $(BIN)/python tests/support/function_page.py
	PYTHONPATH=.:tests $(BIN)/python tests/support/architecture_page.py

constraints:  ## newest versions of everything into .ci/constraints.txt
	rm -rf build/constraints && $$($(FIND_PYTHON)) -m venv build/constraints
	build/constraints/bin/pip install --quiet --upgrade setuptools
	build/constraints/bin/pip install --quiet ".[dev,bench]"
	(head -1 .ci/constraints.txt; build/constraints/bin/pip freeze --all --exclude pip --exclude symaux | grep -v ' @ ' | sort -f) > build/pins
	mv build/pins .ci/constraints.txt

clean:  ## remove .venv, caches and what the demo left
	rm -rf $(VENV) build dist demo *.egg-info .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
