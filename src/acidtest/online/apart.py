"""Handing messages to apprise in a process of its own, which can be ended.

What it reaches may answer for ever, or gigabytes, and its plugins wait for both: in a thread here they would keep
the program from ending, or take its memory.
"""

import asyncio
import json
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from acidtest.extras import folder
from acidtest.online import ringing

UNKNOWN = "apprise knows no such address"

_LATE = "it did not answer in time"
_START_S = 60.0
"""Until it is ready: it loads a hundred services."""


async def handed_over(
    address: str, messages: Sequence[tuple[str, str]], *, timeout_s: float
) -> list[str]:
    """Send messages of a title and a text to an address; return what came of each: why not, or nothing.

    Args:
        address: As apprise reads it.
        messages: In their order; where one takes too long, the ones behind it are not sent.
        timeout_s: How long one may take.

    Raises:
        MissingExtra: apprise is not installed.
    """
    given = {
        "folder": str(folder("apprise", extra="alerts").parent),
        "address": address,
        "messages": messages,
        "seconds": _START_S + timeout_s * len(messages),
    }
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-W", "ignore", str(Path(ringing.__file__))),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is for us: what has begun may arrive
    )
    try:
        if process.stdin is None or process.stdout is None:
            raise OSError("the program has no pipes")
        await _given(process.stdin, json.dumps(given).encode())
        return await _said(process.stdout, len(messages), timeout_s)
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def _given(program: asyncio.StreamWriter, body: bytes) -> None:
    with suppress(ConnectionError):  # it ended at once: its answer says so
        program.write(body)
        await program.drain()
    program.close()


async def _said(answers: asyncio.StreamReader, n: int, timeout_s: float) -> list[str]:
    found: list[str] = []
    try:
        async with asyncio.timeout(_START_S):
            first = await _line(answers)
        if first != ringing.READY:
            why = UNKNOWN if first == ringing.UNKNOWN else "apprise could not be started"
            return [why] * n
        for _ in range(n):
            async with asyncio.timeout(timeout_s):
                found.append(_words(await _line(answers)))
    except TimeoutError:
        found += [_LATE] * (n - len(found))
    return found


async def _line(answers: asyncio.StreamReader) -> str:
    return (await answers.readline()).decode(errors="replace").strip()


def _words(line: str) -> str:
    if line == ringing.ARRIVED:
        return ""
    if line.startswith(ringing.FAILED):
        return f"apprise failed ({line.removeprefix(ringing.FAILED)})"
    return "it did not arrive" if line == ringing.LOST else "apprise ended"
