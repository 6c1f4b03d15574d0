"""The spans of a trace as a tree with a timeline: when each began, how long it took, what it carries."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from acidtest.data.spans import Span
from acidtest.report.clean import clean, clip, one_line
from acidtest.report.figures import milliseconds
from acidtest.report.traces_order import tree

WIDTH = 1000.0
"""Units of the timeline."""

MOST_SPANS = 300
_DEPTH = 12
_NAME = 120
_ATTRIBUTES = 60
_VALUE = 1_500
_ROOM = 400_000
"""Characters of attributes that a page shows in all; then they are left out, and that is said."""

_KINDS = ("openinference.span.kind", "gen_ai.operation.name", "traceloop.span.kind")


class SpanLine(Struct, frozen=True, kw_only=True):
    """One span; `x` and `width` are its place on the timeline, None where it has no times."""

    depth: int
    name: str
    kind: str
    failed: bool
    message: str
    after: str
    took: str
    x: float | None
    width: float
    attributes: tuple[tuple[str, str], ...]
    events: tuple[str, ...]
    left_out: int


class SpanTree(Struct, frozen=True, kw_only=True):
    """The spans of a trace; `more` are not shown, `unread` says why one cannot be read."""

    lines: tuple[SpanLine, ...]
    total: str
    more: int
    unread: str


def span_tree(spans: Sequence[Span], *, unread: str = "") -> SpanTree:
    """Return the tree of a trace's spans.

    Args:
        spans: In any order.
        unread: Why some cannot be read.
    """
    begins = [s.start_ns for s in spans if s.start_ns]
    ends = [s.end_ns for s in spans if s.end_ns]
    first, last = min(begins, default=0), max(ends, default=0)
    whole = max(last - first, 1)
    room = _ROOM
    lines: list[SpanLine] = []
    for depth, span in tree(spans):
        if len(lines) == MOST_SPANS:
            break
        line, used = _line(span, depth, first, whole, room)
        room -= used
        lines.append(line)
    return SpanTree(
        lines=tuple(lines),
        total=milliseconds((last - first) / 1e6) if begins and last > first else "",
        more=max(0, len({s.span_id for s in spans}) - len(lines)),
        unread=clip(one_line(unread), 500),
    )


def _line(span: Span, depth: int, first: int, whole: int, room: int) -> tuple[SpanLine, int]:
    shown: list[tuple[str, str]] = []
    used = 0
    for name, value in list(span.attributes.items())[:_ATTRIBUTES]:
        text = _told(value)
        if used + len(text) > room:
            break
        used += len(text) + len(name[:_NAME])
        shown.append((clip(one_line(name[: _NAME * 2]), _NAME), text))
    x, width = _place(span, first, whole)
    took = (span.end_ns - span.start_ns) / 1e6 if span.start_ns and span.end_ns else None
    line = SpanLine(
        depth=min(depth, _DEPTH),
        name=clip(one_line(span.name[: _NAME * 2]), _NAME) or "(no name)",
        kind=_kind(span.attributes),
        failed=span.status == "error",
        message=clip(one_line(span.status_message[:1000]), 300),
        after=milliseconds((span.start_ns - first) / 1e6) if span.start_ns else "-",
        took=milliseconds(took) if took is not None and took >= 0 else "-",
        x=x,
        width=width,
        attributes=tuple(shown),
        events=tuple(clip(one_line(e.name[:400]), _NAME) for e in span.events[:20]),
        left_out=len(span.attributes) - len(shown),
    )
    return line, used


def _place(span: Span, first: int, whole: int) -> tuple[float | None, float]:
    if not span.start_ns:
        return None, 0.0
    x = min(max((span.start_ns - first) / whole, 0.0), 1.0) * WIDTH
    share = max(((span.end_ns or span.start_ns) - span.start_ns) / whole, 0.0)
    # What took no time is still seen, at the right edge too.
    width = max(min(share * WIDTH, WIDTH - x), 3.0)
    return round(min(x, WIDTH - width), 1), round(width, 1)


def _kind(attributes: dict[str, Any]) -> str:
    told = next((attributes[name] for name in _KINDS if attributes.get(name)), "")
    return clip(one_line(str(told)[:80]), 24).lower()


def _told(value: Any) -> str:
    if isinstance(value, str):
        return clip(clean(value[: _VALUE * 2]), _VALUE)
    try:
        text = msgspec.json.encode(value).decode("utf-8", "replace")
    except (TypeError, ValueError, UnicodeEncodeError, RecursionError):
        text = "(cannot be shown)"
    return clip(clean(text[: _VALUE * 2]), _VALUE)
