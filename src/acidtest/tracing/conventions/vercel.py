"""The Vercel AI SDK: `ai.operationId`, `ai.prompt`, `ai.response.*`, `ai.usage.*`.

Source: the telemetry page of the SDK's documentation. `ai.generateText` wraps one or more
`ai.generateText.doGenerate`; both carry text and usage.
"""

from collections.abc import Mapping
from typing import Any

from acidtest.data.golden import Turn
from acidtest.data.spans import Span
from acidtest.tracing.conventions import chat
from acidtest.tracing.conventions.said import Kind, Said
from acidtest.tracing.conventions.values import (
    at,
    below,
    count,
    first,
    name,
    names,
    parsed,
    record,
    text,
)

NAME = "vercel"
FAMILY = frozenset({"ai"})

_METADATA = "ai.telemetry.metadata"


def read(span: Span) -> Said | None:
    """Return what a span says in the SDK's names; None when it says nothing of it."""
    told = span.attributes
    operation = at(told, "ai.operationId")
    if not isinstance(operation, str):
        return None
    kind = _kind(operation)
    shared = below(told, _METADATA)
    reply = text(first(told, "ai.response.text", "ai.result.text", "ai.response.object"))
    return Said(
        conventions=(NAME,),
        kind=kind,
        input=_input(told, kind),
        output=_output(told, kind, reply),
        messages=_messages(told),
        replies=(Turn("assistant", reply),) if reply and kind == "llm" else (),
        prompt=first(told, "ai.prompt.messages", "ai.prompt"),
        model=name(first(told, "ai.response.model", "ai.model.id")),
        provider=name(at(told, "ai.model.provider")),
        input_tokens=count(first(told, "ai.usage.inputTokens", "ai.usage.promptTokens")),
        output_tokens=count(first(told, "ai.usage.outputTokens", "ai.usage.completionTokens")),
        session=name(first(shared, "sessionId", "session_id", "conversationId", "chatId")),
        user=name(first(shared, "userId", "user_id")),
        tags=names(shared.get("tags")) if "tags" in shared else (),
        metadata=record(shared),
    )


def _kind(operation: str) -> Kind | None:
    if operation.startswith("ai.embed"):
        return "embedding"
    if operation.startswith("ai.toolCall"):
        return "tool"
    if operation.startswith("ai.rerank"):
        return "reranker"
    return "llm" if operation.startswith(("ai.generate", "ai.stream")) else None


def _messages(told: Mapping[str, Any]) -> tuple[Turn, ...]:
    found = chat.turns(first(told, "ai.prompt.messages"))
    if found:
        return found
    whole = parsed(at(told, "ai.prompt"))
    if not isinstance(whole, Mapping):
        return (Turn("user", said),) if (said := text(whole)) else ()
    system = text(whole.get("system"))
    rest = chat.turns(whole.get("messages"))
    if not rest and (asked := text(whole.get("prompt"))):
        rest = (Turn("user", asked),)
    return (Turn("system", system), *rest) if system else rest


def _input(told: Mapping[str, Any], kind: Kind | None) -> Any:
    if kind == "tool":
        return first(told, "ai.toolCall.args", "ai.toolCall.input")
    if kind == "embedding":
        return first(told, "ai.value", "ai.values")
    return first(told, "ai.prompt", "ai.prompt.messages")


def _output(told: Mapping[str, Any], kind: Kind | None, reply: str | None) -> Any:
    if kind == "tool":
        return first(told, "ai.toolCall.result", "ai.toolCall.output")
    return reply
