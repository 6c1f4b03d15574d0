"""Question and answer: whose words they are, from the outermost span that tells."""

from collections.abc import Sequence
from typing import NamedTuple

from acidtest.data.golden import Turn
from acidtest.tracing.conventions import chat
from acidtest.tracing.conventions.asked import answer, history, question
from acidtest.tracing.conventions.documents import documents
from acidtest.tracing.conventions.values import parsed, text
from acidtest.tracing.understand.calls import Call, judging, reply
from acidtest.tracing.understand.steps import Ranking
from acidtest.tracing.understand.tree import Node
from acidtest.tracing.understand.turns import Scope

_LONGEST_FAULT = 2_000
_OUTER = frozenset({"agent", "chain", None})


class Asked(NamedTuple):
    """The question, the span that tells it, and what was said before."""

    text: str | None
    node: Node | None
    history: tuple[Turn, ...]
    note: str | None = None


class Answered(NamedTuple):
    """The answer, and where it is from if not from the outermost span."""

    text: str | None
    note: str | None = None


def asked(scope: Scope, steps: Sequence[Ranking], calls: Sequence[Call]) -> Asked:
    """Return what was asked.

    The input of the outermost chain or agent; else a retriever's query; else what the user said last
    in the first call of a model.
    """
    if scope.question is not None:
        return Asked(scope.question, None, scope.history)
    for node in _outer(scope):
        found = question(node.said.input)
        if found is not None:
            return Asked(found, node, (*scope.history, *_before(node)))
    for step in steps:
        if step.query:
            note = "The question is the retriever's query: no span above it tells what was asked."
            return Asked(step.query, None, scope.history, note)
    for call in calls:
        for said in call.said:
            place = chat.last_user(said.messages)
            found = said.messages[place].text.strip() if place is not None else question(said.input)
            if found:
                note = (
                    "The question is what the user says in the model's prompt, which may hold more."
                )
                earlier = history([{"role": t.role, "content": t.text} for t in said.messages])
                return Asked(found, None, (*scope.history, *earlier), note)
    return Asked(None, None, scope.history)


def answered(scope: Scope, origin: Node | None, call: Call | None) -> Answered:
    """Return what was answered.

    The output of the outermost span, or of the one that tells the question; else the text of the last
    call of a model; else the output of the last step that tells one.
    """
    if scope.answer is not None:
        return Answered(scope.answer)
    outer = _outer(scope)
    top = {node.id for node in scope.tops}
    tops = [node for node in outer if node.id in top]
    own = [origin] if origin is not None else []
    for node in [*own, *tops] if origin in tops else [*tops, *own]:
        found = answer(node.said.output)
        if found is not None:
            return Answered(found)
    if call is not None and (found := reply(call)) is not None:
        return Answered(found)
    failed = any(node.span.status == "error" for node in tops)
    for node in sorted(outer, key=lambda node: (node.depth, -node.end, -node.place)):
        if failed:
            break  # what an earlier step gave is no answer
        found = answer(node.said.output)
        if found is not None and found != question(node.said.input):
            note = f"The answer is what the step {node.span.name[:80]!r} gave."
            return Answered(found, note)
    for node in tops:
        raw = text(node.said.output)
        if raw is not None and isinstance(parsed(raw), dict) and documents(raw) is None:
            return Answered(raw.strip(), "The answer is a record without a field for text.")
    return Answered(None)


def error(scope: Scope, calls: Sequence[Call]) -> str | None:
    """Return why the answer failed: the message of the outermost span, or of the last call."""
    last = max(calls, key=lambda call: (call.node.end, call.node.place), default=None)
    for node in [*scope.tops, *([last.node] if last is not None else [])]:
        if node.span.status == "error" or (node.said.error and node.span.status != "ok"):
            return fault(node)
    return None


def fault(node: Node) -> str:
    """Return the message of a span that failed."""
    raised = [each.attributes for each in node.span.events if each.name == "exception"]
    told = [
        text(each.get("exception.message")) or text(each.get("exception.type")) for each in raised
    ]
    # The exception's own words first: a status may hold a whole traceback.
    found = next((each for each in reversed(told) if each), None)
    found = found or text(node.span.status_message) or node.said.error
    return (found or f"{node.span.name[:200] or 'a span'} failed without a message")[
        :_LONGEST_FAULT
    ]


def _outer(scope: Scope) -> list[Node]:
    """Return the spans that can tell question and answer, the outermost first.

    A model's span counts only at the top and with steps under it, as the AI SDK's do: the prompt of any
    other holds more than the question.
    """
    alone = len(scope.tops) == 1
    around = {node.parent.id for node in scope.nodes if node.parent is not None}
    found = [
        node
        for node in scope.nodes
        if not judging(node)
        and not _inner(node)
        and (
            node.kind in _OUTER
            or (node.kind == "llm" and alone and node is scope.tops[0] and node.id in around)
        )
    ]
    return sorted(found, key=lambda node: (node.depth, node.start, node.place))


def _inner(node: Node) -> bool:
    inner = {"retriever", "reranker", "tool", "embedding", "guardrail", "llm"}
    return any(above.kind in inner and above.parent is not None for above in node.above())


def _before(node: Node) -> tuple[Turn, ...]:
    found = history(node.said.input)
    return found or (
        history([_record(t) for t in node.said.messages]) if node.said.messages else ()
    )


def _record(turn: Turn) -> dict[str, str]:
    return {"role": turn.role, "content": turn.text}
