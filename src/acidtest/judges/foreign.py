"""Somebody else's code, called so that it can neither end the run nor hold it up for ever.

Whatever it raises, `sys.exit` and StopIteration included, is its own failure, with the traceback as
evidence. Sync code runs in daemon threads: one that hangs stops neither a deadline nor the interpreter's
exit.
"""

import asyncio
import inspect
import traceback
from collections.abc import Awaitable, Callable
from typing import Any, NoReturn

from acidtest.aside import Raised, start_aside
from acidtest.errors import AcidtestError, JudgeError
from acidtest.text.surrogates import without_halves

GRACE_S = 1.0
"""How long cancelled code may take to clean up before it is left behind."""

_LONGEST = 300
_MOST_DETAIL = 16_000


async def called(call: Callable[..., Any], name: str, *args: Any, **kwargs: Any) -> Any:
    """Call a sync or async callable.

    Args:
        call: The callable; a sync one runs in a thread.
        name: The judge, for messages.
        args: What it is given.
        kwargs: What it is given by name.

    Raises:
        JudgeError: It raised something.
    """

    async def work() -> Any:
        if inspect.iscoroutinefunction(call) or inspect.iscoroutinefunction(
            getattr(call, "__call__", None)  # noqa: B004 - whether it is async, not whether it exists
        ):
            return await call(*args, **kwargs)
        said = await start_aside(lambda: call(*args, **kwargs), "acidtest-judge")[1]
        if isinstance(said, Raised):
            return said
        return await said if inspect.isawaitable(said) else said

    return _told(await _guarded(work), name)


async def within(
    seconds: float | None, work: Callable[[], Awaitable[Any]], name: str, late: JudgeError
) -> Any:
    """Await foreign work for so long, then cancel it; what refuses to be cancelled is left behind.

    Args:
        seconds: How long; None for as long as it takes.
        work: Starts it.
        name: The judge, for messages.
        late: What to raise when it takes longer.

    Raises:
        JudgeError: It raised something, cancelled itself, or took too long.
    """
    task = asyncio.ensure_future(_guarded(work))
    try:
        done, _ = await asyncio.wait({task}, timeout=seconds)
    except asyncio.CancelledError:
        await _abandon(task)
        raise
    if not done:
        await _abandon(task)
        raise late
    if task.cancelled():
        raise JudgeError("it cancelled its own task", where=f"judge {name}")
    if isinstance(task.exception(), GeneratorExit):  # caught nowhere before, lest closing fail
        raise JudgeError("it threw GeneratorExit", where=f"judge {name}")
    return _told(task.result(), name)


def shown(value: Any, most: int = 2000) -> str:
    """Return a value as evidence, however it looks; a hostile `__repr__` hides nothing else."""
    try:
        return without_halves(repr(value)[:most])
    except Exception:  # noqa: BLE001 - whatever it raises
        return f"<{type(value).__name__} that cannot be shown>"


async def _guarded(work: Callable[[], Awaitable[Any]]) -> Any:
    try:
        return await work()
    except (asyncio.CancelledError, GeneratorExit):
        raise
    except BaseException as error:  # noqa: BLE001 - told to the caller, whatever it is
        return Raised(error)


async def _abandon(task: "asyncio.Task[Any]") -> None:
    task.cancel()
    await asyncio.wait({task}, timeout=GRACE_S)


def _told(said: Any, name: str) -> Any:
    if isinstance(said, Raised):
        _raise(said.error, name)
    return said


def _raise(error: BaseException, name: str) -> NoReturn:
    if isinstance(error, AcidtestError):
        raise error
    try:
        message = " ".join(without_halves(str(error)[: _LONGEST * 4]).split())[:_LONGEST]
    except Exception:  # noqa: BLE001 - a hostile __str__ must not hide the exception
        message = ""
    try:
        trace = without_halves("".join(traceback.format_exception(error)))[-_MOST_DETAIL:]
    except Exception:  # noqa: BLE001 - likewise
        trace = ""
    kind = "sys.exit" if isinstance(error, SystemExit) else type(error).__name__
    raise JudgeError(
        f"it threw {kind}{f': {message}' if message else ''}", where=f"judge {name}", detail=trace
    ) from error
