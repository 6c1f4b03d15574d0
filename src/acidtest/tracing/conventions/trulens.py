"""TruLens: `ai.observability.*`, with record roots, retrievals, generations and evaluations.

Source: truera/trulens, package trulens-otel-semconv.
"""

import re
from collections.abc import Mapping
from typing import Any

from acidtest.data.answers import Chunk
from acidtest.data.golden import Turn
from acidtest.data.spans import Span
from acidtest.data.traces import Feedback
from acidtest.tracing.conventions import chat
from acidtest.tracing.conventions.documents import MAX_CHUNKS, completed, documents, ranked
from acidtest.tracing.conventions.feedback import judged
from acidtest.tracing.conventions.said import Kind, Said
from acidtest.tracing.conventions.values import (
    at,
    below,
    count,
    first,
    name,
    number,
    parsed,
    text,
)

NAME = "trulens"
FAMILY = frozenset({"ai", "trulens"})

_BASE = "ai.observability"
_KINDS: dict[str, Kind] = {
    "record_root": "chain",
    "retrieval": "retriever",
    "reranking": "reranker",
    "generation": "llm",
    "embedding": "embedding",
    "tool": "tool",
    "tool_invocation": "tool",
    "agent": "agent",
    "agent_invocation": "agent",
    "graph_node": "chain",
    "graph_task": "chain",
    "workflow_step": "chain",
    "eval": "evaluator",
    "eval_root": "evaluator",
}
_NODE = re.compile(r"Node ID: (\S{1,1000})\nText: .*?(?:\nScore: +(-?[\d.]{1,40}))?\s*", re.DOTALL)
"""How LlamaIndex prints a node; the text is cut, so only its id and score are read."""


def read(span: Span) -> Said | None:
    """Return what a span says in the names of TruLens; None when it says nothing of it."""
    told = below(span.attributes, _BASE)
    if not told:
        return None
    kind = _KINDS.get(str(told.get("span_type")).lower())
    cost = number(at(told, "cost.cost"))
    dollars = at(told, "cost.cost_currency") in (None, "USD")
    given = _texts(
        first(told, "reranking.input_context_texts"), at(told, "reranking.input_context_scores")
    )
    return Said(
        conventions=(NAME,),
        kind=kind,
        input=first(told, "record_root.input", "graph_node.input_state") or _arguments(told),
        output=first(told, "record_root.output", "graph_node.output_state", "call.return"),
        messages=chat.turns(at(told, "generation.input_messages")),
        replies=_replies(told) if kind == "llm" else (),
        prompt=_arguments(told),
        query=text(first(told, "retrieval.query_text", "reranking.query_text")),
        documents=_found(told, kind, given),
        given=given,
        model=name(first(told, "cost.model", "generation.model_name")) if kind == "llm" else None,
        input_tokens=count(first(told, "cost.num_prompt_tokens", "generation.input_token_count")),
        output_tokens=count(
            first(told, "cost.num_completion_tokens", "generation.output_token_count")
        ),
        cost_usd=cost if cost is not None and cost >= 0 and dollars else None,
        prompt_version=None,
        feedback=tuple(_judged(told)) if kind == "evaluator" else (),
        error=text(first(told, "call.error", "record_root.main_error")),
        metadata=_metadata(told),
    )


def _arguments(told: Mapping[str, Any]) -> dict[str, Any] | None:
    found = below(told, "call.kwargs")
    return {key: found[key] for key in sorted(found) if isinstance(key, str)} or None


def _metadata(told: Mapping[str, Any]) -> dict[str, Any]:
    found = {key: name(told.get(key)) for key in ("app_name", "app_version", "run.name")}
    return {key: value for key, value in found.items() if value}


def _texts(value: Any, scores: Any) -> tuple[Chunk, ...] | None:
    found = documents(value, texts=True)
    marks = parsed(scores)
    if not found or not isinstance(marks, list | tuple) or len(marks) != len(found):
        return found
    pairs = zip(found, marks, strict=True)
    return ranked(Chunk(id=c.id, text=c.text, score=number(mark)) for c, mark in pairs)


def _found(
    told: Mapping[str, Any], kind: Kind | None, given: tuple[Chunk, ...] | None
) -> tuple[Chunk, ...] | None:
    if kind == "reranker" and given:
        ranks = parsed(at(told, "reranking.output_ranks"))
        if isinstance(ranks, list | tuple):
            places = [place for rank in ranks[:MAX_CHUNKS] if (place := count(rank)) is not None]
            if all(place < len(given) for place in places):
                return ranked(given[place] for place in places)
        return None
    contexts = first(told, "retrieval.retrieved_contexts")
    found = _texts(contexts, at(told, "retrieval.retrieved_scores"))
    return completed(found, _printed(at(told, "call.return"))) if found else found


def _printed(value: Any) -> tuple[Chunk, ...] | None:
    """Return ids and scores of the nodes that a retriever of LlamaIndex returned, as they were printed."""
    value = parsed(value)
    if not isinstance(value, list | tuple):
        return None
    found = [
        _NODE.fullmatch(each) if isinstance(each, str) else None for each in value[:MAX_CHUNKS]
    ]
    if any(each is None for each in found):
        return None
    return ranked(Chunk(id=node[1], score=number(node[2])) for node in found if node is not None)


def _replies(told: Mapping[str, Any]) -> tuple[Turn, ...]:
    value = first(told, "generation.output_messages", "call.return")
    found = chat.turns(value)
    said = None if found else text(value)
    return found or ((Turn("assistant", said),) if said else ())


def _judged(told: Mapping[str, Any]) -> list[Feedback]:
    one = judged(
        {
            "name": first(told, "eval.metric_name", "eval_root.metric_name"),
            "score": first(told, "eval.score", "eval_root.score"),
            "explanation": first(told, "eval.explanation", "eval_root.explanation"),
        },
        by="LLM",
    )
    return [one] if one is not None else []
