"""Shared set-up: where the reference data is, and no way out to the network."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of reference values and real data, where it is present."""
    if not SHARED.is_dir():
        pytest.skip("the folder shared/ with reference data is not beside the project")
    return SHARED
