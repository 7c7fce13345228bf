# Both `make test` and `make demo` build .venv first if it is missing or older than pyproject.toml.
PYTHON ?= python3
BIN := .venv/bin
ifeq ($(OS),Windows_NT)
BIN := .venv/Scripts
endif

.PHONY: test demo check clean

test: .venv/ready
	$(BIN)/python -m pytest -q --cov --cov-report=term:skip-covered

demo: .venv/ready
	$(BIN)/isoalign demo --force

check: .venv/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(MAKE) test

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable . --group dev
	@touch $@

clean:
	rm -rf .venv dist build demo .coverage .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
