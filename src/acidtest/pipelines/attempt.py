"""Time-out and retries, the same for every kind of pipeline.

The wait before attempt n + 1 is 0.5 s doubled n times, at most 30 s, times a factor of 0.5 to 1 that
depends on the case (so that cases that failed together do not come back together, and a repeated run
waits alike). A server that says when to come back is obeyed.
"""

import asyncio
import zlib
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from acidtest.aside import Raised
from acidtest.errors import PipelineError, UsageError
from acidtest.ports import PipelineOptions

T = TypeVar("T")
Sleep = Callable[[float], Awaitable[None]]

DEFAULTS = PipelineOptions()
FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 30.0
GRACE_S = 1.0
"""How long a cancelled call may take to clean up before it is left behind."""


class Hopeless(PipelineError):  # noqa: N818 - as the tree in errors.py
    """Repeating the call cannot help."""


class Busy(PipelineError):  # noqa: N818
    """The system asks to come back later, in `after_s` seconds if it says so."""

    after_s: float | None = None


async def attempt(
    once: Callable[[], Coroutine[Any, Any, T]],
    options: PipelineOptions,
    *,
    key: str,
    where: str,
    sleep: Sleep = asyncio.sleep,
) -> T:
    """Make a call, within its time-out, and again as often as the options allow.

    Args:
        once: Makes one attempt.
        options: The time-out of an attempt and the number of retries.
        key: The case; it seeds the waits.
        where: The pipeline, for messages.
        sleep: What waits; tests put their own in.

    Raises:
        PipelineError: The last attempt failed, or repeating cannot help.
    """
    for tried in range(options.retries + 1):
        try:
            return await within(options.timeout_s, once(), where=where)
        except Hopeless:
            raise
        except PipelineError as error:
            if tried == options.retries:
                if tried:
                    error.what = f"{error.what}, at attempt {tried + 1} of {options.retries + 1}"
                raise
            await sleep(_wait(error, tried, key, options))
    raise AssertionError  # the loop returns or raises: retries is 0 or more


async def within(seconds: float, call: Coroutine[Any, Any, T], *, where: str) -> T:
    """Await a call for so long, then cancel it.

    A call that refuses to be cancelled is left behind: the run goes on.

    Raises:
        PipelineError: It took too long, or it cancelled itself.
    """
    task = asyncio.ensure_future(_guarded(call))
    try:
        done, _ = await asyncio.wait({task}, timeout=seconds)
    except asyncio.CancelledError:
        await _abandon(task)
        raise
    if not done:
        await _abandon(task)
        raise PipelineError(
            f"it gave no answer within {seconds:g} s",
            where=where,
            fix="Raise timeout_s if it is only slow.",
        )
    if task.cancelled():
        raise PipelineError("it cancelled its own task", where=where)
    if isinstance(task.exception(), GeneratorExit):  # caught nowhere before, lest closing fail
        raise PipelineError("it raised GeneratorExit", where=where)
    result = task.result()
    if isinstance(result, Raised):
        raise result.error
    return result


def checked(options: PipelineOptions, *, where: str) -> PipelineOptions:
    """Return the options, if they are possible.

    Raises:
        UsageError: A number is out of its range.
    """
    if options.concurrency < 1:
        raise UsageError(
            f"concurrency is {options.concurrency}", where=where, fix="Give 1 or more."
        )
    if not options.timeout_s > 0:
        raise UsageError(
            f"timeout_s is {options.timeout_s}", where=where, fix="Give seconds above 0."
        )
    if options.retries < 0:
        raise UsageError(f"retries is {options.retries}", where=where, fix="Give 0 or more.")
    if options.k is not None and options.k < 1:
        raise UsageError(f"k is {options.k}", where=where, fix="Give 1 or more, or leave it out.")
    return options


async def _guarded(call: Coroutine[Any, Any, T]) -> T | Raised:
    # In a task of its own, an interrupt would tear down the loop before the caller hears of it.
    try:
        return await call
    except (KeyboardInterrupt, SystemExit) as error:
        return Raised(error)


async def _abandon(task: "asyncio.Task[Any]") -> None:
    task.cancel()
    task.add_done_callback(_look)
    await asyncio.wait({task}, timeout=GRACE_S)


def _look(task: "asyncio.Task[Any]") -> None:
    # Asked for, so that asyncio does not report an exception that nobody fetched.
    if not task.cancelled():
        task.exception()


def _wait(error: PipelineError, tried: int, key: str, options: PipelineOptions) -> float:
    if isinstance(error, Busy) and error.after_s is not None:
        if error.after_s > options.timeout_s:
            raise error
        return error.after_s
    spread = zlib.crc32(f"{key}/{tried}".encode(errors="replace")) / 2**32
    return float(min(LONGEST_WAIT_S, FIRST_WAIT_S * 2**tried) * (0.5 + spread / 2))
