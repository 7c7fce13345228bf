# Both `make test` and `make demo` build .venv first if it is missing or older than pyproject.toml.
PYTHON ?= python3
BIN := .venv/bin
ifeq ($(OS),Windows_NT)
BIN := .venv/Scripts
endif

# Tests that `make test` skips; `make check`, and therefore CI, runs everything: make test MARKERS=""
MARKERS ?= not slow
COVERAGE ?=

.PHONY: test test-torch demo lint check coverage docs dist fuzz clean

test: .venv/ready
	$(BIN)/python -m pytest -q -m "$(MARKERS)" --numprocesses auto --dist worksteal $(COVERAGE)

# The search tests again with PyTorch, in a separate environment: the group pins a build for the CPU.
# Tests of interrupts are skipped: they concern the threads of our own engine.
test-torch: .venv-torch/ready
	.venv-torch/$(notdir $(BIN))/python -m pytest -q -m "not slow" --device torch:cpu --ignore tests/unit/neighbors/test_interrupt.py \
		tests/unit/neighbors tests/contract/test_retrievers.py

demo: .venv/ready
	$(BIN)/isoalign demo --force

docs: .venv/docs-ready
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs site
	@echo "open site/index.html"

# Build the wheel and the sdist, install each into an empty environment, and run it outside the checkout: the wheel with
# the newest versions of its dependencies, the sdist with all extras and the lowest versions, side by side; a few minutes.
dist: .venv/ready
	rm -rf dist
	$(BIN)/python -m pip install --quiet --disable-pip-version-check build
	$(BIN)/python -m build --outdir dist . > /dev/null
	$(BIN)/python tools/try_wheel.py dist

# Read damaged files of every format for SECONDS seconds; findings go to tests/corpus, where the tests replay them.
SECONDS ?= 600
fuzz: .venv/ready
	$(BIN)/python -m tools.fuzz $(SECONDS)

lint: .venv/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check: lint
	$(MAKE) test MARKERS=""

# All tests again, and which lines and branches none of them reaches; a third slower.
coverage: .venv/ready
	$(MAKE) test MARKERS="" COVERAGE="--cov --cov-report=term:skip-covered"

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable . --group dev
	@touch $@

.venv-torch/ready: pyproject.toml
	$(PYTHON) -m venv .venv-torch
	.venv-torch/$(notdir $(BIN))/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	.venv-torch/$(notdir $(BIN))/python -m pip install --quiet --disable-pip-version-check --editable . --group torch
	@touch $@

.venv/docs-ready: .venv/ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group docs
	@touch $@

clean:
	rm -rf .venv .venv-torch dist build demo site .coverage .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
