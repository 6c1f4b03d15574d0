"""Answers that come in pieces: generators, sync and async.

Strings are pieces of the text. Anything else that is yielded (a mapping with the contexts, a pair,
usage) describes the answer; the last one counts, and its text, if it has one, wins over the pieces.
A retriever that yields gives one context at a time.
"""

import inspect
from collections.abc import AsyncIterable, Iterable
from dataclasses import dataclass, field
from typing import Any

from acidtest.errors import PipelineError
from acidtest.pipelines.lookup import MISSING

MAX_PIECES = 1_000_000
MAX_CHARS = 2_000_000


@dataclass
class Stream:
    """What came out of a generator so far."""

    pieces: list[str] = field(default_factory=list)
    last: Any = MISSING
    items: list[Any] = field(default_factory=list)
    chars: int = 0
    count: int = 0

    def take(self, item: Any, *, contexts: bool) -> None:
        """Take one item: a context of a retriever, or a piece of an answer."""
        self.count += 1
        if self.count > MAX_PIECES:
            raise PipelineError(f"it yields without end (over {MAX_PIECES:,} items)")
        if contexts:
            self.items.append(item)
        elif not isinstance(item, str):
            self.last = item
        elif self.chars <= MAX_CHARS:  # the text is cut, with a note, where it is normalised
            self.pieces.append(item)
            self.chars += len(item)

    @property
    def text(self) -> str:
        """The pieces joined."""
        return "".join(self.pieces)


def is_stream(value: Any) -> bool:
    """Say whether a sync call returned something to be iterated: a generator or an iterator."""
    return inspect.isgenerator(value) or (hasattr(value, "__next__") and hasattr(value, "__iter__"))


def is_async_stream(value: Any) -> bool:
    """Say whether a call returned an async generator or iterator."""
    return hasattr(value, "__aiter__")


def drain(stream: Iterable[Any], *, contexts: bool) -> Stream:
    """Read a generator to its end."""
    taken = Stream()
    for item in stream:
        taken.take(item, contexts=contexts)
    return taken


async def drain_async(stream: AsyncIterable[Any], *, contexts: bool) -> Stream:
    """Read an async generator to its end."""
    taken = Stream()
    async for item in stream:
        taken.take(item, contexts=contexts)
    return taken
