"""How long steps took together, where they may overlap."""

from collections.abc import Iterable

from acidtest.tracing.understand.tree import Node


def wall_ms(nodes: Iterable[Node]) -> float | None:
    """Return the milliseconds in which at least one of the steps ran; None where no times are told."""
    spans = [(node.span.start_ns, node.span.end_ns) for node in nodes]
    known = sorted((a, b) for a, b in spans if a is not None and b is not None and a <= b)
    if not known:
        return None
    total, reached = 0, known[0][0]
    for start, end in known:
        total += max(0, end - max(start, reached))
        reached = max(reached, end)
    return total / 1e6


def whole_ms(nodes: Iterable[Node]) -> float | None:
    """Return the milliseconds from the first start to the last end; None where no times are told."""
    spans = [(node.span.start_ns, node.span.end_ns) for node in nodes]
    known = [(a, b) for a, b in spans if a is not None and b is not None and a <= b]
    if not known:
        return None
    return (max(end for _, end in known) - min(start for start, _ in known)) / 1e6
