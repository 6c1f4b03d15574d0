"""From the spans of one trace to what one answer was: question, contexts, answer, and what it took."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from acidtest.data.answers import Chunk, Latency
from acidtest.data.spans import Span
from acidtest.data.traces import Feedback, Trace
from acidtest.text.citations import markers
from acidtest.tracing.conventions.asked import abstained, citations
from acidtest.tracing.conventions.documents import MAX_CHUNKS, documents
from acidtest.tracing.conventions.values import MAX_TEXT, name
from acidtest.tracing.understand import calls as models
from acidtest.tracing.understand.calls import Call
from acidtest.tracing.understand.fed import Fed, fed
from acidtest.tracing.understand.missing import reasons
from acidtest.tracing.understand.steps import Ranking, rankings
from acidtest.tracing.understand.times import wall_ms, whole_ms
from acidtest.tracing.understand.told import answered, asked, error, fault
from acidtest.tracing.understand.tree import Node, Tree, grown
from acidtest.tracing.understand.turns import Scope, last_turn

_MAX_STEPS = 1_000
_MAX_KEPT = 200
_T = TypeVar("_T")


_NAMELESS = re.compile(
    r"unknown_service(?::(?:.*[/\\])?(?:python|node|java|dotnet|ruby|php|bun|deno)w?[\d.]*(?:\.exe)?)?",
    re.IGNORECASE,
)
"""What SDKs call an application that does not say what it is called, where its program tells nothing either."""


def understand(spans: Sequence[Span]) -> Trace:
    """Return what the spans of a trace tell of its answer.

    Pure: the same spans give the same trace, in any order and however often each came. Nothing that
    spans hold makes it raise. What cannot be told is None, with the reason in `missing`; what was
    chosen among several is told in `notes`.

    Args:
        spans: The spans of one trace, as far as they have come.
    """
    tree = grown(spans)
    scope = last_turn(tree)
    steps, step_notes = rankings(scope.nodes)
    found = models.calls(scope.nodes)
    question = asked(scope, steps, found)
    first_guess = answered(scope, question.node, None).text
    call = models.final(found, first_guess)
    answer = answered(scope, question.node, call)
    lists = _with_listed(fed(steps, call), scope)
    named = _named(scope, call, found)
    taken = models.usage(scope.nodes, named)
    latency = _latency(scope, steps, found)
    notes = [
        *tree.notes,
        *scope.notes,
        *step_notes,
        *lists.notes,
        *filter(None, (question.note, answer.note)),
        *_failures(scope, found),
        *_cuts(lists, question.text, answer.text),
    ]
    return Trace(
        id=min((node.span.trace_id for node in tree.nodes), default=""),
        name=scope.tops[0].span.name if scope.tops else "",
        started_ns=min(
            (n.span.start_ns for n in tree.nodes if n.span.start_ns is not None), default=None
        ),
        question=question.text,
        history=question.history[-_MAX_KEPT:],
        answer=answer.text,
        retrieved=lists.retrieved,
        candidates=lists.candidates,
        steps=tuple(each.step(fed=each in lists.steps) for each in steps[:_MAX_STEPS]),
        generations=tuple(models.generation(each) for each in found[:_MAX_STEPS]),
        model=named,
        prompt_version=_prompt_version(scope, call),
        usage=taken,
        latency_ms=latency,
        abstained=_abstained(scope),
        citations=_citations(scope, answer.text, lists.retrieved),
        session=_of_all(tree, "session"),
        user=_of_all(tree, "user"),
        service=_service(tree),
        environment=_of_all(tree, "environment"),
        tags=_gathered(tree.nodes, "tags"),
        feedback=_feedback(tree, scope),
        error=error(scope, found),
        metadata=_metadata(scope),
        spans=len(tree.nodes),
        conventions=tuple(sorted({c for node in tree.nodes for c in node.said.conventions})),
        missing=reasons(
            scope, steps, found, question.text, answer.text, lists.retrieved, named, taken, latency
        ),
        notes=tuple(dict.fromkeys(notes)),
    )


def _with_listed(lists: Fed, scope: Scope) -> Fed:
    """Return the chunks, from the lists in the outermost output where retrievers tell no texts."""
    if lists.retrieved is not None and any(chunk.text or chunk.id for chunk in lists.retrieved):
        return lists
    for node in (*scope.tops, *scope.nodes[:1]):
        found = documents(node.said.output) if isinstance(node.said.output, str | dict) else None
        if found and any(chunk.text for chunk in found):
            note = f"The contexts are those that {node.span.name[:80]!r} lists beside its answer."
            return lists._replace(retrieved=found, notes=(*lists.notes, note))
    return lists


def _named(scope: Scope, call: Call | None, found: Sequence[Call]) -> str | None:
    own = models.model(call) if call is not None else None
    rest = (models.model(each) for each in reversed(found))
    turns = (node.said.model for node in reversed(scope.nodes) if node.kind == "turn")
    return _first((own, *rest, *turns))


def _latency(scope: Scope, steps: Sequence[Ranking], found: Sequence[Call]) -> Latency | None:
    ranking = [step.node for step in steps]
    inside = {node.id for node in ranking}
    calls = [call.node for call in found if not any(a.id in inside for a in call.node.above())]
    retrieve, generate = wall_ms(ranking), wall_ms(calls)
    total = whole_ms(scope.tops)
    if retrieve is None and generate is None and total is None:
        return None
    return Latency(retrieve=retrieve, generate=generate, total=total)


def _prompt_version(scope: Scope, call: Call | None) -> str | None:
    own = (said.prompt_version for said in call.said) if call is not None else iter(())
    rest = (node.said.prompt_version for node in reversed(scope.nodes))
    meta = (name(node.said.metadata.get("prompt_version")) for node in scope.nodes)
    return _first((*own, *rest, *meta))


def _abstained(scope: Scope) -> bool | None:
    told = [node.said.abstained for node in scope.nodes]
    return _first((*told, *(abstained(node.said.output) for node in scope.tops)))


def _citations(
    scope: Scope, answer: str | None, retrieved: Iterable[Chunk] | None
) -> tuple[str, ...] | None:
    """Return what the system lists as cited, else what the answer's markers cite."""
    for node in scope.tops:
        if listed := citations(node.said.output):
            return listed
    known = {chunk.id for chunk in retrieved or () if chunk.id}
    found = markers(answer, known) if answer else []
    return tuple(dict.fromkeys(label for each in found for label in each.labels)) or None


def _of_all(tree: Tree, field: str) -> str | None:
    found = (
        getattr(node.said, field) for node in sorted(tree.nodes, key=lambda n: (n.depth, n.place))
    )
    return _first(found)


def _service(tree: Tree) -> str | None:
    found = (name(node.span.resource.get("service.name")) for node in tree.nodes)
    return next((each for each in found if each and not _NAMELESS.fullmatch(each)), None)


def _gathered(nodes: Iterable[Node], field: str) -> tuple[Any, ...]:
    found: dict[Any, None] = {}
    for node in nodes:
        found.update(dict.fromkeys(getattr(node.said, field)))
        if len(found) >= _MAX_KEPT:
            break
    return tuple(found)[:_MAX_KEPT]


def _feedback(tree: Tree, scope: Scope) -> tuple[Feedback, ...]:
    """Return what was said of this turn, and of the trace as a whole."""
    kept = {node.id for node in scope.nodes} | {node.id for node in tree.roots}
    return _gathered((node for node in tree.nodes if node.id in kept), "feedback")


def _metadata(scope: Scope) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for node in reversed(scope.tops):
        found |= node.said.metadata
    return {key: found[key] for key in sorted(found)[:_MAX_KEPT]}


def _failures(scope: Scope, found: Sequence[Call]) -> Iterator[str]:
    """Tell which steps failed inside of an answer."""
    calls = {call.node.id for call in found}
    failed = [
        node
        for node in scope.nodes
        if node.span.status == "error"
        and (node.id in calls or node.kind in {"retriever", "reranker", "tool"})
    ]
    for node in failed[:5]:
        yield f"The step {node.span.name[:80]!r} failed: {fault(node)[:200]}"
    if len(failed) > 5:
        yield f"{len(failed) - 5} more steps failed."


def _cuts(lists: Fed, *texts: str | None) -> Iterator[str]:
    chunks = (*(lists.retrieved or ()), *(lists.candidates or ()))
    if any(len(text or "") >= MAX_TEXT for text in (*texts, *(chunk.text for chunk in chunks))):
        yield f"A text was cut at {MAX_TEXT:,} characters."
    if any(len(each or ()) >= MAX_CHUNKS for each in (lists.retrieved, lists.candidates)):
        yield f"A list of chunks was cut at {MAX_CHUNKS:,}."


def _first(values: Iterable[_T | None]) -> _T | None:
    return next((value for value in values if value is not None), None)
