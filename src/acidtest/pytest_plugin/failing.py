"""What is wrong with the input of a test, told without a traceback."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from acidtest.errors import AcidtestError


@contextmanager
def readable() -> Iterator[None]:
    """Fail the test with the message of an error that names what, where and how to mend it."""
    try:
        yield
    except AcidtestError as error:
        raise pytest.fail.Exception(f"acidtest: {error}", pytrace=False) from None
