"""Asking again within one call of a judge: who counts calls is told before each, also if it is then cut off."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_TOLD: ContextVar[Callable[[], Awaitable[None]] | None] = ContextVar("asked_again", default=None)


@contextmanager
def counting(told: Callable[[], Awaitable[None]]) -> Iterator[None]:
    """Have `told` awaited before a judge that is asked within is asked again, for a reply that was of no use."""
    token = _TOLD.set(told)
    try:
        yield
    finally:
        _TOLD.reset(token)


async def asking_again() -> None:
    """Say that a model is asked once more within the same call."""
    told = _TOLD.get()
    if told is not None:
        await told()
