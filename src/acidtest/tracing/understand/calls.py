"""The calls of language models in a trace: which one gave the answer, and what they took together."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

from acidtest.data.answers import Usage
from acidtest.data.traces import Generation
from acidtest.tracing.conventions import chat
from acidtest.tracing.conventions.asked import answer
from acidtest.tracing.conventions.said import Said
from acidtest.tracing.conventions.values import strings
from acidtest.tracing.understand.tree import Node

MAX_PROMPT = 2_000_000
"""Characters of a prompt that are searched for chunks."""

_T = TypeVar("_T")
_UNKNOWN = frozenset({"unknown", "none", "null"})
_ASIDE = frozenset({"retriever", "reranker", "tool", "guardrail", "embedding"})


class Call(NamedTuple):
    """One call, with the spans that wrap it and nothing else."""

    node: Node
    wrappers: tuple[Node, ...]

    @property
    def said(self) -> tuple[Said, ...]:
        """What the call says, and after it its wrappers."""
        return (self.node.said, *(node.said for node in self.wrappers))


def calls(nodes: Sequence[Node]) -> list[Call]:
    """Return the calls by their start; a span of a model around another is its wrapper."""
    models = [node for node in nodes if node.kind == "llm" and not judging(node)]
    inside = {node.id for node in models}
    wraps: dict[str, list[Node]] = {}
    leaves: list[Node] = []
    outer = {above.id for node in models for above in node.above() if above.id in inside}
    for node in models:
        if node.id in outer:
            continue
        leaves.append(node)
        for above in node.above():
            if above.id in inside:
                wraps.setdefault(above.id, []).append(node)
    found = []
    for node in leaves:
        own = [above for above in node.above() if len(wraps.get(above.id, ())) == 1]
        found.append(Call(node, tuple(own)))
    return sorted(found, key=lambda call: (call.node.start, call.node.place))


def judging(node: Node) -> bool:
    """Say whether a span is an evaluator's, or works for one."""
    return node.kind == "evaluator" or any(above.kind == "evaluator" for above in node.above())


def final(found: Sequence[Call], answered: str | None) -> Call | None:
    """Return the call that gave the answer.

    That is the last one whose text the answer holds, else the last that gave a text, else the last.
    Calls inside retrieval, tools and guardrails are left aside unless there are no others.
    """
    own = [call for call in found if not any(above.kind in _ASIDE for above in call.node.above())]
    ordered = sorted(own or found, key=lambda call: (call.node.end, call.node.place))
    if answered:
        squeezed = _squeezed(answered)
        for call in reversed(ordered):
            gave = reply(call)
            if gave and _squeezed(gave) in squeezed:
                return call
    for call in reversed(ordered):
        if reply(call):
            return call
    return ordered[-1] if ordered else None


def reply(call: Call) -> str | None:
    """Return the text that a call gave; None when it gave none, such as a call of a tool."""
    for said in call.said:
        found = chat.reply(said.replies)
        if found is None and not said.replies:
            found = answer(said.output)
        if found:
            return found.strip()
    return None


def prompt(call: Call) -> str:
    """Return every text that went into a call."""
    pieces: list[str] = []
    for said in call.said:
        pieces += [turn.text for turn in said.messages]
        pieces += strings(said.prompt) + strings(said.input)
    return "\n".join(dict.fromkeys(pieces))[:MAX_PROMPT]


def model(call: Call) -> str | None:
    """Return the model of a call, where one is named."""
    names = (said.model for said in call.said)
    return next((name for name in names if name and name.lower() not in _UNKNOWN), None)


def generation(call: Call) -> Generation:
    """Return a call as it is kept."""
    node = call.node
    return Generation(
        span_id=node.id,
        model=model(call),
        provider=_first(said.provider for said in call.said),
        answer=reply(call),
        input_tokens=_first(said.input_tokens for said in call.said),
        output_tokens=_first(said.output_tokens for said in call.said),
        cost_usd=_first(said.cost_usd for said in call.said),
        prompt_version=_first(said.prompt_version for said in call.said),
        start_ns=node.span.start_ns,
        latency_ms=node.latency_ms,
    )


def usage(nodes: Sequence[Node], named: str | None) -> Usage | None:
    """Return what the calls of models took together; None where no span tells.

    Wrappers repeat what is inside of them: the innermost figures count, and an agent's or a chain's
    own sum only where no call tells.
    """
    kept = [node for node in nodes if not judging(node)]
    into = _total(kept, "input_tokens")
    out = _total(kept, "output_tokens")
    cost = _total(kept, "cost_usd")
    if into is None and out is None and cost is None:
        return None
    return Usage(
        input_tokens=None if into is None else int(into),
        output_tokens=None if out is None else int(out),
        cost_usd=cost,
        model=named,
    )


def _total(nodes: Sequence[Node], field: str) -> float | None:
    sums: dict[str, float] = {}
    for node in reversed(nodes):  # children before parents
        below = sums.pop(node.id, None)
        own = getattr(node.said, field) if node.kind == "llm" else None
        value = own if below is None else below
        if value is not None:
            above = node.parent.id if node.parent is not None else ""
            sums[above] = sums.get(above, 0) + value
    if sums:
        return sum(sums.values())
    told = (getattr(node.said, field) for node in nodes if node.kind in {"agent", "chain", None})
    return next((value for value in told if value is not None), None)


def _squeezed(value: str) -> str:
    return "".join(value.split())


def _first(values: Iterable[_T | None]) -> _T | None:
    return next((value for value in values if value is not None), None)
