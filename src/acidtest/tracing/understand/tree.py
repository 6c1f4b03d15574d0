"""The spans of a trace as a tree, the same whatever order they came in."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from acidtest.data.spans import Span
from acidtest.tracing.conventions.read import read
from acidtest.tracing.conventions.said import Kind, Said

MAX_SPANS = 10_000
"""Spans of one trace that are read, the earliest first: an answer takes some dozens."""

_MAX_ABOVE = 100
"""Levels that are looked up from a span; real traces are some twenty deep."""

_NEVER = 2**70  # after every time that a span can have


@dataclass(frozen=True, eq=False)
class Node:
    """A span with what it says, its place in the order of the trace, and how deep it lies.

    Two are the same only if they are one: comparing what they hold would take long.
    """

    span: Span
    said: Said
    place: int
    depth: int
    parent: "Node | None" = field(repr=False)

    @property
    def id(self) -> str:
        """The span's id."""
        return self.span.span_id

    @property
    def kind(self) -> Kind | None:
        """What kind of step it is; None where no convention tells."""
        return self.said.kind

    @property
    def end(self) -> int:
        """When it ended; after all others where that is not told."""
        return _NEVER if self.span.end_ns is None else self.span.end_ns

    @property
    def start(self) -> int:
        """When it started; after all others where that is not told."""
        return _NEVER if self.span.start_ns is None else self.span.start_ns

    @property
    def latency_ms(self) -> float | None:
        """How long it took; None where the times do not tell."""
        started, ended = self.span.start_ns, self.span.end_ns
        if started is None or ended is None or ended < started:
            return None
        return (ended - started) / 1e6

    def above(self) -> Iterator["Node"]:
        """Yield the spans that this one stands under, the nearest first."""
        node = self.parent
        for _ in range(_MAX_ABOVE):
            if node is None:
                return
            yield node
            node = node.parent


@dataclass(frozen=True)
class Tree:
    """All spans of a trace: a parent before its children, siblings by their start."""

    nodes: tuple[Node, ...]
    notes: tuple[str, ...] = ()

    @cached_property
    def roots(self) -> tuple[Node, ...]:
        """The spans that stand under no other."""
        return tuple(node for node in self.nodes if node.parent is None)

    @cached_property
    def _children(self) -> dict[str, list[Node]]:
        found: dict[str, list[Node]] = {}
        for node in self.nodes:
            if node.parent is not None:
                found.setdefault(node.parent.id, []).append(node)
        return found

    def children(self, node: Node) -> list[Node]:
        """Return the spans right under one, by their start."""
        return self._children.get(node.id, [])

    def under(self, node: Node) -> Iterator[Node]:
        """Yield a span and all that stand under it, parents first."""
        waiting = [node]
        while waiting:
            one = waiting.pop()
            yield one
            waiting += reversed(self.children(one))


def grown(spans: Sequence[Span]) -> Tree:
    """Return the tree of some spans.

    A span that came twice counts once: of two that differ, the one that ended later, and of those
    the one that says more. A span whose parent is not there is a root, and so is the earliest of
    spans that stand under each other in a ring.
    """
    notes: list[str] = []
    unique = _unique(spans)
    several = Counter(span.trace_id for span in unique)
    if len(several) > 1:
        notes.append(f"The spans name {len(several)} trace ids.")
    if len(unique) > MAX_SPANS:
        notes.append(f"Of {len(unique):,} spans the earliest {MAX_SPANS:,} were read.")
    kept = {span.span_id: span for span in unique[:MAX_SPANS]}
    parents = {key: _parent(span, kept) for key, span in kept.items()}
    lost = sum(1 for key, span in kept.items() if span.parent_id and parents[key] is None)
    if lost:
        notes.append(f"{lost} of {len(kept)} spans stand under a span that is not there.")
    rings = _cut_rings(parents)
    if rings:
        notes.append(f"{rings} rings of spans that stand under each other were cut.")
    return Tree(tuple(_nodes(kept, parents)), tuple(notes))


def _unique(spans: Sequence[Span]) -> list[Span]:
    found: dict[str, Span] = {}
    for span in spans:
        other = found.get(span.span_id)
        if other is None or (other != span and _fuller(span) > _fuller(other)):
            found[span.span_id] = span
    return sorted(found.values(), key=_order)


def _order(span: Span) -> tuple[int, int, str]:
    start = _NEVER if span.start_ns is None else span.start_ns
    end = _NEVER if span.end_ns is None else span.end_ns
    return start, -end, span.span_id


def _fuller(span: Span) -> tuple[int, int, str]:
    ended = -_NEVER if span.end_ns is None else span.end_ns
    said = len(span.attributes) + len(span.events)
    return ended, said, repr(span)


def _parent(span: Span, kept: dict[str, Span]) -> str | None:
    named = span.parent_id
    return named if named in kept and named != span.span_id else None


def _cut_rings(parents: dict[str, str | None]) -> int:
    """Make the earliest span of each ring a root; return how many rings there were."""
    rings = 0
    safe: set[str] = set()
    places = {key: place for place, key in enumerate(parents)}
    for key in list(parents):
        path: dict[str, None] = {}
        at: str | None = key
        while at is not None and at not in safe and at not in path:
            path[at] = None
            at = parents[at]
        if at is not None and at in path:
            ring = list(path)[list(path).index(at) :]
            parents[min(ring, key=places.__getitem__)] = None
            rings += 1
        safe |= path.keys()
    return rings


def _nodes(kept: dict[str, Span], parents: dict[str, str | None]) -> Iterator[Node]:
    below: dict[str | None, list[str]] = {}
    for key, parent in parents.items():
        below.setdefault(parent, []).append(key)
    waiting: list[tuple[str, Node | None]] = [(key, None) for key in reversed(below.get(None, []))]
    place = 0
    while waiting:
        key, above = waiting.pop()
        depth = 0 if above is None else above.depth + 1
        node = Node(kept[key], read(kept[key]), place, depth, above)
        yield node
        place += 1
        waiting += [(child, node) for child in reversed(below.get(key, []))]
