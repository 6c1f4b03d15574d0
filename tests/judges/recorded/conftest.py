"""The benchmark's modules, as `python benchmarks/judges.py` finds them."""

import importlib
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[3] / "benchmarks"


@pytest.fixture(scope="module")
def bench():
    """Import a module of the benchmark by name; the next file of tests imports it anew."""
    before = set(sys.modules)
    sys.path.insert(0, str(BENCHMARKS))
    yield importlib.import_module
    sys.path.remove(str(BENCHMARKS))
    for name in set(sys.modules) - before:
        if name.startswith(("judges_", "local_judge")):
            del sys.modules[name]
