"""Question, answer and earlier turns inside whatever a step was handed and gave back."""

from collections.abc import Mapping, Sequence
from typing import Any

from acidtest.data.golden import Turn
from acidtest.tracing.conventions import chat
from acidtest.tracing.conventions.values import (
    LIST,
    MAX_DEPTH,
    MAX_TEXT,
    RECORD,
    flag,
    number,
    parsed,
    text,
)

_QUESTION = (
    "question",
    "query",
    "user_query",
    "user_input",
    "query_str",
    "input",
    "inputs",
    "prompt",
    "message",
    "new_message",
    "user_message",
    "messages",
    "contents",
    "text",
    "str_or_query_bundle",
    "query_bundle",
    "args",
    "kwargs",
    "input_value",
    "q",
)
_ANSWER = (
    "answer",
    "final_answer",
    "output",
    "outputs",
    "result",
    "response",
    "messages",
    "choices",
    "generations",
    "candidates",
    "message",
    "text",
    "content",
    "output_text",
    "final_output",
    "final_result",
    "completion",
    "generated_text",
    "reply",
    "replies",
    "data",
)
_HISTORY = ("chat_history", "history", "conversation_history", "conversation")
_MAX_HISTORY = 200


def question(value: Any, depth: int = 0) -> str | None:
    """Return what was asked: a text, the last user's message, or what a record holds under a known name."""
    value = parsed(value)
    if isinstance(value, str) or depth >= MAX_DEPTH:
        return _trimmed(value)
    if isinstance(value, RECORD):
        return _question_in(value, depth)
    if isinstance(value, LIST):
        found = chat.turns(value)
        if found:
            place = chat.last_user(found)
            return None if place is None else _trimmed(found[place].text)
        if len(value) == 1:
            return question(value[0], depth + 1)
    return None


def answer(value: Any, depth: int = 0) -> str | None:
    """Return what was answered: a text, the assistant's last message, or what stands under a known name."""
    value = parsed(value)
    if isinstance(value, str) or depth >= MAX_DEPTH:
        return _trimmed(value)
    if isinstance(value, RECORD):
        return _answer_in(value, depth)
    if isinstance(value, LIST):
        return _answer_among(value, depth)
    if number(value) is not None and depth <= 1:
        return str(value)
    return None


def history(value: Any) -> tuple[Turn, ...]:
    """Return what user and assistant said before the question that `question` finds in the value."""
    value = parsed(value)
    found = chat.turns(value)
    if isinstance(value, RECORD):
        for key in _HISTORY:
            earlier = _pairs(value.get(key)) or chat.turns(value.get(key))
            if earlier:
                return _spoken(earlier)
    place = chat.last_user(found)
    return _spoken(found[:place]) if place else ()


def abstained(value: Any) -> bool | None:
    """Return what a record says of having declined; None where it says nothing."""
    value = parsed(value)
    if not isinstance(value, RECORD):
        return None
    for key in ("abstained", "declined", "refused"):
        if (said := flag(value.get(key))) is not None:
            return said
    return None


def citations(value: Any) -> tuple[str, ...]:
    """Return the ids that a record lists under `citations`."""
    value = parsed(value)
    listed = value.get("citations") if isinstance(value, RECORD) else None
    found = []
    for each in listed[:1_000] if isinstance(listed, LIST) else ():
        label = each
        if isinstance(each, RECORD):
            label = next((each[k] for k in ("id", "chunk_id", "doc_id", "source") if k in each), "")
        if isinstance(label, str | int) and not isinstance(label, bool) and str(label).strip():
            found.append(str(label).strip()[:1_000])
    return tuple(dict.fromkeys(found))


def _question_in(value: Mapping[str, Any], depth: int) -> str | None:
    one = chat.turn(value)
    if one is not None:
        return _trimmed(one.text) if one.role == "user" else None
    for key in _QUESTION:
        if key in value and (found := question(value[key], depth + 1)):
            return found
    said = [each for each in value.values() if isinstance(each, str) and each.strip()]
    return _trimmed(said[0]) if len(said) == 1 == len(value) else None


def _answer_in(value: Mapping[str, Any], depth: int) -> str | None:
    one = chat.turn(value)
    if one is not None:
        return _trimmed(one.text) if one.role == "assistant" else None
    for key in _ANSWER:
        if key in value and (found := answer(value[key], depth + 1)):
            return found
    parts = value.get("parts")
    return _trimmed(chat.content_text(parts)) if parts else None


def _answer_among(value: Sequence[Any], depth: int) -> str | None:
    found = chat.turns(value)
    if found:
        return _streamed(value) or _trimmed(chat.reply(found))
    if len(value) == 1:
        return answer(value[0], depth + 1)
    return _trimmed(chat.content_text(value)) if _is_parts(value) else None


def _streamed(value: Any) -> str | None:
    """Return a stream's pieces put together; None for messages that are whole."""
    pieces = [each for each in value if isinstance(each, RECORD) and _is_piece(each)]
    if len(pieces) != len(value):
        return None
    return _trimmed("".join(each.text for each in chat.turns(list(pieces))))


def _is_piece(message: Mapping[str, Any]) -> bool:
    kinds = [message.get("type"), *(message["id"] if isinstance(message.get("id"), list) else [])]
    return "AIMessageChunk" in kinds


def _is_parts(value: Any) -> bool:
    return all(isinstance(each, RECORD) and isinstance(each.get("type"), str) for each in value)


def _pairs(value: Any) -> tuple[Turn, ...]:
    """Return turns from a list of pairs of question and answer, as older chains keep them."""
    value = parsed(value)
    found: list[Turn] = []
    for each in value[:_MAX_HISTORY] if isinstance(value, LIST) else ():
        if not (isinstance(each, LIST) and len(each) == 2):
            return ()
        if not all(isinstance(side, str) for side in each):
            return ()
        if str(each[0]).lower() in {"human", "user", "ai", "assistant"}:
            found += chat.turns([{"role": each[0], "content": each[1]}])
        else:
            found += [Turn("user", each[0][:MAX_TEXT]), Turn("assistant", each[1][:MAX_TEXT])]
    return tuple(found)


def _spoken(found: tuple[Turn, ...]) -> tuple[Turn, ...]:
    kept = [each for each in found if each.role in {"user", "assistant"} and each.text.strip()]
    return tuple(kept[-_MAX_HISTORY:])


def _trimmed(value: Any) -> str | None:
    found = text(value)
    return found.strip() if found else None
