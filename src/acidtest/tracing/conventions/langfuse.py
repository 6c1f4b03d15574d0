"""Langfuse: `langfuse.observation.*` and `langfuse.trace.*`, from its SDK and from its exports.

Source: Langfuse's page on OpenTelemetry and its property mapping.
"""

from collections.abc import Mapping
from typing import Any

from acidtest.data.spans import Span
from acidtest.tracing.conventions import chat
from acidtest.tracing.conventions.documents import documents
from acidtest.tracing.conventions.feedback import annotations
from acidtest.tracing.conventions.said import Kind, Said
from acidtest.tracing.conventions.values import (
    at,
    below,
    count,
    first,
    name,
    names,
    number,
    parsed,
    record,
    text,
)

NAME = "langfuse"
FAMILY = frozenset({"langfuse"})

_KINDS: dict[str, Kind] = {
    "span": "chain",
    "chain": "chain",
    "generation": "llm",
    "embedding": "embedding",
    "retriever": "retriever",
    "agent": "agent",
    "tool": "tool",
    "evaluator": "evaluator",
    "guardrail": "guardrail",
}


def read(span: Span) -> Said | None:
    """Return what a span says in Langfuse's names; None when it says nothing of it."""
    told = span.attributes
    mine = below(told, "langfuse.observation")
    whole = below(told, "langfuse.trace")
    if not mine and not whole and not below(told, "langfuse"):
        return None
    kind = _KINDS.get(str(mine.get("type", "")).lower())
    usage = record(at(mine, "usage_details"))
    output = first(mine, "output")
    failed = str(mine.get("level", "")).upper() == "ERROR"
    more = record(whole.get("metadata")) | record(below(told, "langfuse.trace.metadata"))
    return Said(
        conventions=(NAME,),
        kind=kind,
        input=first(mine, "input") or first(whole, "input"),
        output=output or first(whole, "output"),
        messages=chat.turns(mine.get("input")) if kind == "llm" else (),
        replies=chat.turns(output) if kind == "llm" else (),
        prompt=mine.get("input") if kind == "llm" else None,
        documents=documents(output, texts=True) if kind == "retriever" else None,
        model=name(first(mine, "model.name", "model")) if kind == "llm" else None,
        prompt_version=_prompt(mine),
        input_tokens=_tokens(usage, "input", "prompt_tokens", "promptTokens", "input_tokens"),
        output_tokens=_tokens(
            usage, "output", "completion_tokens", "completionTokens", "output_tokens"
        ),
        cost_usd=_cost(record(at(mine, "cost_details"))),
        session=name(first(told, "langfuse.session.id", "langfuse.trace.session_id")),
        user=name(first(told, "langfuse.user.id", "langfuse.trace.user_id")),
        environment=name(at(told, "langfuse.environment")),
        tags=names(whole["tags"]) if "tags" in whole else (),
        metadata={key: value for key, value in more.items() if not isinstance(value, dict)},
        feedback=annotations(told, "langfuse.scores", "score"),
        error=text(mine.get("status_message")) if failed else None,
    )


def _prompt(mine: Mapping[str, Any]) -> str | None:
    version = name(at(mine, "prompt.version"))
    title = name(at(mine, "prompt.name"))
    return f"{title}:{version}" if title and version else version


def _tokens(usage: Mapping[str, Any], *keys: str) -> int | None:
    return next((n for key in keys if (n := count(usage.get(key))) is not None), None)


def _cost(costs: Mapping[str, Any]) -> float | None:
    total = number(costs.get("total"))
    if total is None:
        sides = [number(parsed(costs.get(side))) for side in ("input", "output")]
        known = [side for side in sides if side is not None]
        total = sum(known) if known else None
    return total if total is None or total >= 0 else None
