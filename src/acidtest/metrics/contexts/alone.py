"""Each context alone: one call a context, so that none can colour the verdict on another."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from acidtest.data.outcomes import Skip

Said = TypeVar("Said", bound=Struct)
Said_co = TypeVar("Said_co", bound=Struct, covariant=True)


class OfPassages(Protocol[Said_co]):
    """A reply that says something of every numbered passage."""

    @property
    def passages(self) -> Sequence[Said_co]:
        """What is said of each."""


async def each_alone(
    contexts: Sequence[str],
    ask: Callable[[Sequence[str]], Awaitable[OfPassages[Said] | Skip]],
    *,
    empty: Said,
    number: str,
) -> list[Said] | Skip:
    """Ask of every distinct context at once, and return what is said of each, in ranked order.

    Args:
        contexts: In ranked order; one that comes twice is asked of once.
        ask: Asks of contexts; it is given one.
        empty: What is said of a context without text, unasked.
        number: The field that tells which passage is meant; it is set to the place in the ranking.

    Raises:
        JudgeError: No usable reply could be had on one of them.
    """
    distinct = list(dict.fromkeys(context for context in contexts if context.strip()))
    # Every reply is waited for, also when one fails: what is asked is paid for, and kept.
    replies = await asyncio.gather(
        *(ask([context]) for context in distinct), return_exceptions=True
    )
    said: dict[str, Said] = {}
    for context, reply in zip(distinct, replies, strict=True):
        if isinstance(reply, BaseException):
            raise reply
        if isinstance(reply, Skip):
            return reply
        said[context] = reply.passages[0]
    return [
        replace(said.get(context, empty), **{number: n})
        for n, context in enumerate(contexts, start=1)
    ]
