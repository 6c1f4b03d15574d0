"""What a format of trace files is: how it looks, and how its items become spans."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from msgspec import Struct

from acidtest.data.spans import Span


class Refused(NamedTuple):
    """Why something in a file is no span."""

    why: str


class TraceFormat(Struct, frozen=True, kw_only=True):
    """A format of trace files.

    Attributes:
        name: What the user calls it.
        title: What it is, for a list of formats.
        fits: Says whether a mapping from a file looks like an item of it.
        spans: The spans of one item, and what of it is none.
    """

    name: str
    title: str
    fits: Callable[[dict[str, Any]], bool]
    spans: Callable[[dict[str, Any]], Iterable[Span | Refused]]
