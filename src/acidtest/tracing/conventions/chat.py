"""Chat messages in the shapes that model providers and frameworks write them in."""

from collections.abc import Mapping
from typing import Any

from acidtest.data.golden import Turn
from acidtest.text.surrogates import without_halves
from acidtest.tracing.conventions.values import (
    LIST,
    MAX_DEPTH,
    MAX_TEXT,
    RECORD,
    at,
    entries,
    parsed,
)

_MAX_TURNS = 1_000
_ROLES = {
    "user": "user",
    "human": "user",
    "humanmessage": "user",
    "humanmessagechunk": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "model": "assistant",
    "bot": "assistant",
    "aimessage": "assistant",
    "aimessagechunk": "assistant",
    "system": "system",
    "developer": "system",
    "systemmessage": "system",
    "tool": "tool",
    "function": "tool",
    "toolmessage": "tool",
    "functionmessage": "tool",
}
_TEXT_PARTS = frozenset({"", "text", "input_text", "output_text", "message", "refusal"})
_WRAPPERS = ("messages", "contents", "choices", "output_messages", "input_messages")


def turns(value: Any, depth: int = 0) -> tuple[Turn, ...]:
    """Return the messages of a value: a list of them, one of them, or a request that holds them."""
    value = parsed(value)
    if depth >= MAX_DEPTH:
        return ()
    if isinstance(value, RECORD):
        one = turn(value)
        if one is not None:
            return (one,)
        for key in _WRAPPERS:
            if key in value and (found := turns(value[key], depth + 1)):
                return found
        return ()
    if isinstance(value, LIST):
        several: list[Turn] = []
        for each in value[:_MAX_TURNS]:
            each = parsed(each)  # noqa: PLW2901 - some exporters write a list of JSON texts
            one = turn(each) if isinstance(each, RECORD) else None
            if one is not None:
                several.append(one)
            elif isinstance(each, LIST):  # LangChain batches: a list of lists
                several.extend(turns(each, depth + 1))
        return tuple(several)
    return ()


def turn(message: Mapping[str, Any]) -> Turn | None:
    """Return one message; None for a record that names no role."""
    for _ in range(MAX_DEPTH):
        inner = _unwrapped(message)
        if inner is None:
            break
        message = inner
    role = _role(message)
    if role is None:
        return None
    content = at(message, "content")
    for key in ("message.content", "parts", "text"):
        if content in (None, "", []):
            content = at(message, key)
    said = content_text(content)
    if not said:
        said = content_text([dict(each) for each in entries(message, "message.contents")])
    return Turn(role, said)


def content_text(content: Any, depth: int = 0) -> str:
    """Return the text of a message's content; what is no text (images, tool calls, thoughts) is left."""
    if isinstance(content, str):
        return without_halves(content[:MAX_TEXT])
    if depth >= MAX_DEPTH:
        return ""
    if isinstance(content, RECORD):
        return _part_text(content, depth)
    if isinstance(content, LIST):
        pieces = (content_text(each, depth + 1) for each in content[:_MAX_TURNS])
        return "\n".join(piece for piece in pieces if piece)[:MAX_TEXT]
    return ""


def _part_text(part: Mapping[str, Any], depth: int) -> str:
    kind = part.get("type", part.get("message_content.type", ""))
    if (isinstance(kind, str) and kind not in _TEXT_PARTS) or part.get("thought") is True:
        return ""
    for key in ("text", "content", "message_content.text", "parts", "value", "refusal"):
        if said := content_text(at(part, key), depth + 1):
            return said
    return ""


def last_user(found: tuple[Turn, ...]) -> int | None:
    """Return the place of the last thing that the user said."""
    places = [i for i, each in enumerate(found) if each.role == "user" and each.text.strip()]
    return places[-1] if places else None


def reply(found: tuple[Turn, ...]) -> str | None:
    """Return the last text of the assistant; None where the last word is a user's or a call of a tool."""
    for each in reversed(found):
        if each.role == "assistant" and each.text.strip():
            return each.text
        if each.role == "user":
            return None
    return None


def _role(message: Mapping[str, Any]) -> str | None:
    for key in ("role", "message.role", "type"):
        value = at(message, key)
        if isinstance(value, str) and (role := _ROLES.get(value.lower())):
            return role
    name = message.get("id")
    if message.get("lc") is not None and isinstance(name, list) and name:
        return _ROLES.get(str(name[-1]).lower())
    return None


def _unwrapped(message: Mapping[str, Any]) -> Mapping[str, Any] | None:
    inner = message.get("message")
    if isinstance(inner, RECORD):
        return {"text": message.get("text"), **inner}
    if message.get("lc") is not None and isinstance(inner := message.get("kwargs"), Mapping):
        kept = {key: message[key] for key in ("id",) if key in message}
        return {**kept, **inner} if _role(inner) else {"role": _role(message), **inner}
    if isinstance(inner := message.get("data"), Mapping) and _role(message):
        return {"role": _role(message), **inner}
    inner = message.get("content")
    if isinstance(inner, RECORD) and "role" in inner:
        return inner
    return None
