"""OpenTelemetry's GenAI conventions, the names of today and those that they replaced.

Source: open-telemetry/semantic-conventions-genai. Messages stand in attributes (as JSON or structured),
in events of the span (`gen_ai.user.message`, `gen_ai.choice`, `gen_ai.content.prompt`, or one event with
all of them), and in the numbered attributes of older instrumentations.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from acidtest.data.golden import Turn
from acidtest.data.spans import Span
from acidtest.data.traces import Feedback
from acidtest.tracing.conventions import chat
from acidtest.tracing.conventions.documents import documents
from acidtest.tracing.conventions.feedback import judged
from acidtest.tracing.conventions.said import Kind, Said
from acidtest.tracing.conventions.values import (
    at,
    below,
    count,
    entries,
    first,
    name,
    number,
    parsed,
    text,
)

NAME = "gen_ai"
FAMILY = frozenset({"gen_ai"})

_KINDS: dict[str, Kind] = {
    "chat": "llm",
    "call_llm": "llm",
    "text_completion": "llm",
    "completion": "llm",
    "generate_content": "llm",
    "response": "llm",
    "responses": "llm",
    "embeddings": "embedding",
    "embedding": "embedding",
    "retrieval": "retriever",
    "retrieve": "retriever",
    "retrieve_documents": "retriever",
    "rerank": "reranker",
    "execute_tool": "tool",
    "invoke_agent": "agent",
    "invoke_workflow": "chain",
    "chain": "chain",
    "task": "chain",
}
_ROLES = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}


def read(span: Span) -> Said | None:
    """Return what a span says in OpenTelemetry's names; None when it says nothing of it."""
    told = _with_details(span)
    into, out = _messages(span, told)
    kind = _kind(told, out)
    given = documents(first(told, "gen_ai.rerank.input_documents", "gen_ai.rerank.documents"))
    found = documents(
        first(told, "gen_ai.retrieval.documents", "gen_ai.rerank.output_documents"), texts=True
    )
    said = Said(
        kind=kind,
        input=_input(told, kind, into),
        output=_output(told, kind, out),
        messages=into,
        replies=out,
        prompt=first(told, "gen_ai.prompt", "gen_ai.input.messages", "gen_ai.system_instructions"),
        query=text(first(told, "gen_ai.retrieval.query.text", "gen_ai.rerank.query")),
        documents=found,
        given=given,
        model=name(first(told, "gen_ai.response.model", "gen_ai.request.model")),
        provider=name(first(told, "gen_ai.provider.name", "gen_ai.system")),
        prompt_version=_prompt(told),
        input_tokens=count(first(told, "gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens")),
        output_tokens=count(
            first(told, "gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens")
        ),
        cost_usd=_cost(told),
        session=name(at(told, "gen_ai.conversation.id")),
        feedback=tuple(_judged(span)),
    )
    return None if said == Said() else Said(**{**_fields(said), "conventions": (NAME,)})


def _fields(said: Said) -> dict[str, Any]:
    return {field: getattr(said, field) for field in Said.__struct_fields__}


def _with_details(span: Span) -> Mapping[str, Any]:
    """Return the attributes with those of the event that newer instrumentations send them in."""
    told = dict(span.attributes)
    for event in span.events:
        if event.name == "gen_ai.client.inference.operation.details":
            told = {**event.attributes, **told}
    return told


def _kind(told: Mapping[str, Any], out: tuple[Turn, ...]) -> Kind | None:
    operation = at(told, "gen_ai.operation.name")
    if isinstance(operation, str) and operation:
        return _KINDS.get(operation.lower())
    if first(told, "gen_ai.tool.name"):
        return "tool"
    if at(told, "gen_ai.retrieval.documents") is not None:
        return "retriever"
    model = first(told, "gen_ai.request.model", "gen_ai.response.model")
    tokens = first(told, "gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens")
    if model and (tokens is not None or out or at(told, "gen_ai.response.finish_reasons")):
        return "llm"
    return None


def _messages(span: Span, told: Mapping[str, Any]) -> tuple[tuple[Turn, ...], tuple[Turn, ...]]:
    system = chat.content_text(parsed(at(told, "gen_ai.system_instructions")))
    into = chat.turns(at(told, "gen_ai.input.messages")) or _numbered(told, "gen_ai.prompt")
    out = chat.turns(at(told, "gen_ai.output.messages")) or _numbered(told, "gen_ai.completion")
    events_in, events_out = _events(span)
    if system:
        into = (Turn("system", system), *into)
    return into or events_in, out or events_out


def _numbered(told: Mapping[str, Any], path: str) -> tuple[Turn, ...]:
    found = chat.turns(entries(told, path))
    whole = parsed(at(told, path))
    if found or whole is None:
        return found
    role = "user" if path.endswith("prompt") else "assistant"
    turns = chat.turns(whole)
    return turns or ((Turn(role, said),) if (said := chat.content_text(whole)) else ())


def _events(span: Span) -> tuple[tuple[Turn, ...], tuple[Turn, ...]]:
    into: list[Turn] = []
    out: list[Turn] = []
    for event in span.events:
        body = {**event.attributes, **below(event.attributes, "body")}
        if event.name in _ROLES:
            role = body.get("role")
            content = chat.content_text(parsed(first(body, "content", "gen_ai.event.content")))
            turn = chat.turn({"role": role, "content": content}) if role else None
            into.append(turn or Turn(_ROLES[event.name], content))
        elif event.name == "gen_ai.choice":
            out += chat.turns({**body, "message": parsed(body.get("message"))}) or _choice(body)
        elif event.name == "gen_ai.content.prompt":
            into += _numbered(event.attributes, "gen_ai.prompt")
        elif event.name == "gen_ai.content.completion":
            out += _numbered(event.attributes, "gen_ai.completion")
    return tuple(into), tuple(out)


def _choice(body: Mapping[str, Any]) -> tuple[Turn, ...]:
    content = parsed(first(body, "message", "message.content", "content"))
    said = chat.content_text(content)
    return (Turn("assistant", said),) if said else ()


def _input(told: Mapping[str, Any], kind: Kind | None, into: tuple[Turn, ...]) -> Any:
    if kind == "tool":
        return first(told, "gen_ai.tool.call.arguments", "gen_ai.tool.args")
    whole = first(told, "gen_ai.input.messages", "gen_ai.prompt")
    if whole is not None:
        return whole
    return [{"role": each.role, "content": each.text} for each in into] or None


def _output(told: Mapping[str, Any], kind: Kind | None, out: tuple[Turn, ...]) -> Any:
    if kind == "tool":
        return first(told, "gen_ai.tool.call.result", "gen_ai.output")
    whole = first(told, "gen_ai.output.messages", "gen_ai.completion", "gen_ai.output")
    if whole is not None:
        return whole
    return [{"role": each.role, "content": each.text} for each in out] or None


def _prompt(told: Mapping[str, Any]) -> str | None:
    version = name(first(told, "gen_ai.prompt.version"))
    title = name(first(told, "gen_ai.prompt.name"))
    return f"{title}:{version}" if title and version else version


def _cost(told: Mapping[str, Any]) -> float | None:
    total = number(first(told, "gen_ai.usage.cost", "gen_ai.usage.total_cost"))
    if total is None:
        sides = [number(at(told, f"gen_ai.usage.{side}_cost")) for side in ("input", "output")]
        known = [side for side in sides if side is not None]
        total = sum(known) if known else None
    return total if total is None or total >= 0 else None


def _judged(span: Span) -> Iterator[Feedback]:
    places = [event.attributes for event in span.events if event.name.startswith("gen_ai.evalu")]
    if at(span.attributes, "gen_ai.evaluation.name") is not None:
        places.append(span.attributes)
    for told in places:
        one = judged(
            {
                "name": at(told, "gen_ai.evaluation.name"),
                "score": at(told, "gen_ai.evaluation.score.value"),
                "label": at(told, "gen_ai.evaluation.score.label"),
                "explanation": at(told, "gen_ai.evaluation.explanation"),
            }
        )
        if one is not None:
            yield one
