"""The tiny model, for tests of the inference judge."""

import importlib.util
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def tiny():
    """The module that writes the model: `tiny.write(folder)`."""
    spec = importlib.util.spec_from_file_location(
        "acidtest_tests_tiny", Path(__file__).with_name("tiny.py")
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def three(tiny, tmp_path_factory):
    """A folder with the model of three labels."""
    return tiny.write(tmp_path_factory.mktemp("three"))
