"""Each context alone: one call a context, so that none can colour the verdict on another."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from acidtest.data.outcomes import Skip

Said = TypeVar("Said")


async def each_alone(
    contexts: Sequence[str],
    ask: Callable[[str], Awaitable[Said | Skip]],
    *,
    empty: Said,
) -> list[Said] | Skip:
    """Ask of every distinct context at once, and return what is said of each, in ranked order.

    Args:
        contexts: In ranked order; one that comes twice is asked of once.
        ask: Asks of one context.
        empty: What is said of a context without text, unasked.

    Raises:
        JudgeError: No usable reply could be had on one of them.
    """
    distinct = list(dict.fromkeys(context for context in contexts if context.strip()))
    # Every reply is waited for, also when one fails: what is asked is paid for, and kept.
    replies = await asyncio.gather(*map(ask, distinct), return_exceptions=True)
    said: dict[str, Said] = {}
    for context, reply in zip(distinct, replies, strict=True):
        if isinstance(reply, BaseException):
            raise reply
        if isinstance(reply, Skip):
            return reply
        said[context] = reply
    return [said.get(context, empty) for context in contexts]
