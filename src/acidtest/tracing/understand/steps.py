"""The retrievers and rerankers of a trace, each with the list that it gave."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from acidtest.data.answers import Chunk
from acidtest.data.traces import Step, StepKind
from acidtest.tracing.conventions.asked import question
from acidtest.tracing.conventions.documents import completed, documents, ranked
from acidtest.tracing.conventions.values import parsed, text
from acidtest.tracing.understand.calls import judging
from acidtest.tracing.understand.tree import Node

_RANKS = frozenset({"retriever", "reranker"})
_RETRIEVES = re.compile(r"retriev|search|lookup|knowledge|vector", re.IGNORECASE)
_RERANKS = re.compile(r"re-?rank", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Ranking:
    """One step that ranked: its span, and its list; None where it does not say what it found."""

    node: Node
    kind: StepKind
    chunks: tuple[Chunk, ...] | None
    given: tuple[Chunk, ...] | None = None
    query: str | None = None

    def step(self, *, fed: bool) -> Step:
        """Return the step as it is kept."""
        return Step(
            span_id=self.node.id,
            kind=self.kind,
            name=self.node.span.name,
            query=self.query,
            chunks=self.chunks or (),
            given=self.given,
            start_ns=self.node.span.start_ns,
            latency_ms=self.node.latency_ms,
            fed=fed,
        )


def rankings(nodes: Sequence[Node]) -> tuple[list[Ranking], list[str]]:
    """Return the steps by their start, and what was chosen among them.

    A retriever around a retriever with the same list is one step, and so is one of two where the
    other does not say what it found. Where no span is a retriever that says what it found, tools and
    steps that are named after retrieval are read as such, if they gave documents and call no model.
    """
    own = [node for node in nodes if node.kind in _RANKS and not judging(node)]
    found = _filled([_ranking(node) for node in _outermost(own)])
    notes: list[str] = []
    if not any(each.chunks is not None for each in found):
        around = {above.id for node in nodes if node.kind == "llm" for above in node.above()}
        apart = (node for node in nodes if node.id not in around)
        inferred = [each for node in apart if (each := _inferred(node)) is not None]
        inferred = _outer_only(inferred)
        if inferred:
            names = ", ".join(dict.fromkeys(each.node.span.name[:80] for each in inferred))
            notes.append(f"No retriever says what it found; read as retrieval, by name: {names}.")
            found = _filled(inferred)
    return sorted(found, key=lambda each: (each.node.start, each.node.place)), notes


def same(one: Sequence[Chunk], other: Sequence[Chunk]) -> bool:
    """Say whether two lists hold the same chunks in the same order."""
    if len(one) != len(other):
        return False
    return all(alike(a, b) for a, b in zip(one, other, strict=True))


def alike(one: Chunk, other: Chunk) -> bool:
    """Say whether two entries are the same chunk: by id where both have one, else by text."""
    if one.id is not None and other.id is not None:
        return one.id == other.id
    return one.text is not None and one.text == other.text


def missing_from(chunks: Iterable[Chunk], sought: Iterable[Chunk]) -> list[Chunk]:
    """Return those of the sought chunks that a list holds neither by id nor by text."""
    held = list(chunks)
    ids = {chunk.id for chunk in held if chunk.id is not None}
    texts = {chunk.text for chunk in held if chunk.text is not None}
    return [one for one in sought if one.id not in ids and one.text not in texts]


def merged(lists: Iterable[Sequence[Chunk]]) -> tuple[Chunk, ...]:
    """Return the chunks of several lists, each once, in the order that they come in."""
    found: list[Chunk] = []
    ids: set[str] = set()
    texts: set[str] = set()
    for chunks in lists:
        for chunk in chunks:
            known = chunk.id in ids if chunk.id is not None else (chunk.text or "") in texts
            if not known:
                found.append(chunk)
            if chunk.id is not None:
                ids.add(chunk.id)
            if chunk.text is not None:
                texts.add(chunk.text)
    return ranked(found)


def _ranking(node: Node) -> Ranking:
    said = node.said
    kind: StepKind = "reranker" if said.kind == "reranker" else "retriever"
    return Ranking(node, kind, said.documents, said.given, said.query)


def _outermost(nodes: Sequence[Node]) -> list[Node]:
    """Leave out the spans that only repeat another around or inside of them."""
    left_out: set[str] = set()
    ranks = {node.id for node in nodes}
    for node in nodes:
        mine = node.said.documents
        for around in (above for above in node.above() if above.id in ranks):
            theirs = around.said.documents
            if around.kind != node.kind:
                break
            if theirs is None and mine is not None:
                left_out.add(around.id)
                continue
            if mine is None or same(mine, theirs or ()):
                left_out.add(node.id)
            break
    kept = [node for node in nodes if node.id not in left_out]
    return kept or list(nodes[:1])


def _filled(found: Sequence[Ranking]) -> list[Ranking]:
    """Give each chunk the text and id that another step of the trace names for it."""
    texts: dict[str, str] = {}
    ids: dict[str, str] = {}
    for each in found:
        for chunk in (*(each.chunks or ()), *(each.given or ())):
            if chunk.id is not None and chunk.text is not None:
                texts.setdefault(chunk.id, chunk.text)
                ids.setdefault(chunk.text, chunk.id)

    def filled(chunks: tuple[Chunk, ...] | None) -> tuple[Chunk, ...] | None:
        if not chunks:
            return chunks
        known = (
            Chunk(
                id=chunk.id if chunk.id is not None else ids.get(chunk.text or ""),
                text=chunk.text if chunk.text is not None else texts.get(chunk.id or ""),
            )
            for chunk in chunks
        )
        return completed(chunks, tuple(known))

    return [replace(each, chunks=filled(each.chunks), given=filled(each.given)) for each in found]


def _inferred(node: Node) -> Ranking | None:
    """Return a tool or step that is named after retrieval and gave documents."""
    if node.kind not in {"tool", "chain", None} or judging(node):
        return None
    title = node.span.name
    reranks = bool(_RERANKS.search(title))
    if not (reranks or _RETRIEVES.search(title)):
        return None
    chunks = documents(node.said.output, texts=True)
    if chunks is None and node.kind == "tool":
        value = parsed(node.said.output)
        whole = text(value) if isinstance(value, str) else _tool_text(value)
        chunks = ranked([Chunk(text=whole)]) if whole else None
    if chunks is None:
        return None
    kind: StepKind = "reranker" if reranks else "retriever"
    given = documents(node.said.input) if reranks else None
    return Ranking(node, kind, chunks, given, question(node.said.input))


def _tool_text(value: object) -> str | None:
    """Return the text of a tool's message, as LangChain gives one back."""
    content = value.get("content") if isinstance(value, dict) else None
    return text(content)


def _outer_only(found: Sequence[Ranking]) -> list[Ranking]:
    inside = {each.node.id for each in found}
    return [
        each
        for each in found
        if not any(
            above.id in inside
            and any(same(each.chunks or (), o.chunks or ()) for o in found if o.node is above)
            for above in each.node.above()
        )
    ]
