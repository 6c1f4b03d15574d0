"""The spans of a trace as a tree."""

from collections.abc import Iterator, Sequence

from acidtest.data.spans import Span


def tree(spans: Sequence[Span]) -> Iterator[tuple[int, Span]]:
    """Yield spans with their depth, parents before children, by when they began.

    Each span comes once: one whose parent is not there is a root, and so is one of a circle.
    """
    known = {span.span_id: span for span in spans}
    below: dict[str | None, list[Span]] = {}
    for span in sorted(known.values(), key=lambda s: (s.start_ns or 0, s.span_id), reverse=True):
        parent = span.parent_id if span.parent_id in known else None
        below.setdefault(parent, []).append(span)
    waiting = [(0, span) for span in below.get(None, [])]
    seen: set[str] = set()
    rest = iter(sorted(known))
    while True:
        while waiting:
            depth, span = waiting.pop()
            if span.span_id in seen:
                continue
            seen.add(span.span_id)
            yield depth, span
            waiting += [(depth + 1, child) for child in below.get(span.span_id, [])]
        left = next((name for name in rest if name not in seen), None)
        if left is None:
            return
        waiting.append((0, known[left]))
