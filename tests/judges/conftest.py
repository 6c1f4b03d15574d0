"""The stub endpoint and the virtual clock, for tests of judges that ask models."""

import importlib.util
import sys
from pathlib import Path

import pytest


def _loaded(name):
    # Tests are no package: what they share is loaded by its place.
    key = f"acidtest_tests_judges_{name}"
    if key not in sys.modules:
        spec = importlib.util.spec_from_file_location(key, Path(__file__).with_name(f"{name}.py"))
        sys.modules[key] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[key])
    return sys.modules[key]


@pytest.fixture(scope="session")
def stub():
    """The module of the stub endpoint: `async with stub.serving(...) as endpoint`."""
    return _loaded("stub")


@pytest.fixture(scope="session")
def virtual():
    """The module of the virtual clock: `virtual.run(coroutine)`."""
    return _loaded("virtual")
