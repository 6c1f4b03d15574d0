"""What arrived, as rows: each span once, each trace with when it is to be assembled, all of it storable.

One bad name must not cost the others of its transaction their place: what no database takes is
mended here, before any sees it.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from acidtest.data.spans import Arrivals, Arrived

MOST_NAME = 200
"""Characters of a span's name that are looked up by; the body has all of it."""

_LAST = 2**63 - 1
"""The largest time that a database holds; OTLP's are unsigned."""

SpanRow = tuple[str, str, str | None, str, int, int, int, str, str, bytes]
PendingRow = tuple[str, int, int, bool, int]
OriginRow = tuple[str, bytes]


class Rows(NamedTuple):
    """Rows of one transaction, sorted by key, so that two at a time never wait for each other."""

    origins: list[OriginRow]
    spans: list[SpanRow]
    pending: list[PendingRow]


def rows_of(arrivals: Sequence[Arrivals], *, now_ms: int, quiet_ms: int, ended_ms: int) -> Rows:
    """Turn what arrived into rows.

    Args:
        arrivals: What some requests or files brought.
        now_ms: The time in milliseconds since 1970.
        quiet_ms: A trace whose root has not ended is assembled when so long nothing came.
        ended_ms: One whose root has ended, this long after its last span.
    """
    origins: dict[str, bytes] = {}
    spans: dict[tuple[str, str], SpanRow] = {}
    ended: dict[str, bool] = {}
    for some in arrivals:
        origins.update(some.origins)
        for span in some.spans:
            row = _row(span, now_ms)
            key = row[:2]
            there = spans.get(key)
            if there is None or row[5] > there[5]:
                spans[key] = row
            if row[2] is None and row[5] > 0:
                ended[row[0]] = True
            else:
                ended.setdefault(row[0], False)
    return Rows(
        sorted(origins.items()),
        [spans[key] for key in sorted(spans)],
        list(_pending(sorted(ended.items()), now_ms, quiet_ms, ended_ms)),
    )


def _pending(
    ended: Iterable[tuple[str, bool]], now_ms: int, quiet_ms: int, ended_ms: int
) -> Iterable[PendingRow]:
    for trace_id, whole in ended:
        yield trace_id, now_ms, now_ms, whole, now_ms + (ended_ms if whole else quiet_ms)


def _row(span: Arrived, now_ms: int) -> SpanRow:
    trace_id, span_id, parent_id, name, start, end, form, origin, body = span
    if not name.isascii() or "\0" in name:
        name = _storable(name)
    return (
        trace_id,
        span_id,
        parent_id,
        name[:MOST_NAME],
        min(max(start, 0), _LAST),
        min(max(end, 0), _LAST),
        now_ms,
        form,
        origin,
        body,
    )


def _storable(name: str) -> str:
    """Leave out what a database refuses in text: NUL, and halves of surrogate pairs."""
    from acidtest.text.surrogates import without_halves

    return without_halves(name).replace("\0", "\ufffd")
