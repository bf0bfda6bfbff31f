# `make demo` and `make test` need nothing but Python 3.11 (or newer) and make: they set up .venv on the first run.
# Run again, they install only when pyproject.toml or .ci/constraints.txt has changed.

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
STAMP := $(VENV)/.installed
FIND_PYTHON := for p in $(PYTHON) python3.11 python3 python; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && break; done
WORKERS := 2

.DEFAULT_GOAL := help
.PHONY: help venv demo test test-long fuzz robustness bench evidence scoreboard experiments gallery lint format readme \
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

test: $(STAMP)  ## every test but the long ones; those in a browser need Chromium
	$(BIN)/python -m pytest -rs -n $(WORKERS) --dist worksteal -m "not long"

test-long: $(STAMP)  ## the tests that take minutes
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m long

fuzz: $(STAMP)  ## two thousand mutants of true claims, an hour of the parser under fuzzing, ten thousand random models, a soak
	PYTHONPATH=tests $(BIN)/python tests/mutants.py 2000 --workers $(WORKERS)
	$(BIN)/python gallery/robustness.py

robustness: $(STAMP)  ## the counts of the last `make fuzz` into gallery/robustness.md
	$(BIN)/python gallery/robustness.py --page

BENCH := build/bench
bench: $(BENCH)/.installed  ## generated code beside hand-written JAX and the peers, into gallery/benchmarks.md (half an hour)
	$(BENCH)/bin/python tests/bench/speed.py
	$(BENCH)/bin/python tests/bench/mcem.py
	$(BENCH)/bin/python tests/bench/gradients.py
	$(BENCH)/bin/python tests/bench/growth.py
	$(BENCH)/bin/python tests/bench/scale.py

# the peers have a venv of their own; one that cannot be installed is left out, and the page says so
PEERS := "numpyro>=0.19" "tfp-nightly[jax]" "pymc>=5.25"
BENCH_PIP := $(BENCH)/bin/python -m pip --disable-pip-version-check install --quiet --constraint .ci/constraints.txt
$(BENCH)/.installed: pyproject.toml .ci/constraints.txt
	@python="$$($(FIND_PYTHON))"; test -n "$$python" || { echo "symaux needs Python 3.11 or newer: make PYTHON=..." >&2; exit 1; }; \
	"$$python" -m venv $(BENCH)
	$(BENCH_PIP) setuptools
	$(BENCH_PIP) --no-build-isolation --editable ".[infer]"
	for peer in $(PEERS); do $(BENCH_PIP) "$$peer" || echo "left out: $$peer cannot be installed here" >&2; done
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
	$(BIN)/python tests/test_readme.py
	$(BIN)/python gallery/experiments_table.py

constraints:  ## newest versions of everything into .ci/constraints.txt
	rm -rf build/constraints && $$($(FIND_PYTHON)) -m venv build/constraints
	build/constraints/bin/pip install --quiet --upgrade setuptools
	build/constraints/bin/pip install --quiet ".[dev,bench]"
	(head -1 .ci/constraints.txt; build/constraints/bin/pip freeze --all --exclude pip --exclude symaux | grep -v ' @ ' | sort -f) > build/pins
	mv build/pins .ci/constraints.txt

clean:  ## remove .venv, caches and what the demo left
	rm -rf $(VENV) build dist demo *.egg-info .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
