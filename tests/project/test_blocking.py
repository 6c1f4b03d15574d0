"""Async work from synchronous code: its value and its error, with and without a running loop."""

import pytest

from acidtest.project.blocking import run_blocking


async def value():
    return 7


async def broken():
    raise LookupError("gone")


def test_the_value_comes_back():
    assert run_blocking(value()) == 7


async def test_the_value_comes_back_inside_a_running_loop():
    assert run_blocking(value()) == 7


def test_an_error_seems_to_come_of_no_other():
    with pytest.raises(LookupError) as caught:
        run_blocking(broken())
    assert caught.value.__context__ is None


async def test_an_error_crosses_from_the_thread_of_its_own():
    with pytest.raises(LookupError, match="gone"):
        run_blocking(broken())
