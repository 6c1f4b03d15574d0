"""What was asked and what was answered, in tools that let a dataset's input and output be anything.

An input is a text, a mapping with a question under some name, or chat messages; an output is a text or a
mapping with an answer under some name. What stands beside them is handed back, to be kept.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from acidtest.codec.names import CASE, fold
from acidtest.codec.rows.row import Row, kind

_QUESTIONS = (
    *CASE["question"],
    *("prompt", "text", "message", "user_message", "human_input", "content", "value"),
)
_ANSWERS = (
    *CASE["reference"],
    *("answer", "output", "response", "result", "text", "expected", "expected_response", "content"),
    *("value", "target", "label", "completion"),
)
_PREDICTED = ("prediction", "predicted", "generated", "actual")
_MESSAGES = ("messages", "chat_history", "history", "conversation")
_ROLES = {"human": "user", "ai": "assistant", "system": "system", "user": "user"}


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A question, the turns before it, and the names and values that are neither."""

    question: str
    history: tuple[dict[str, str], ...] = ()
    more: dict[str, Any] = field(default_factory=dict)


def asked(row: Row, value: object, name: str) -> Asked:
    """Return what an input asks.

    Raises:
        DataError: No part of it is a question; the message names the row and the parts.
    """
    if isinstance(value, str) and value.strip():
        return Asked(question=value)
    if isinstance(value, list):
        return _talked(row, value, name, {})
    if not isinstance(value, dict) or not value:
        raise row.fault(f"holds no question: it is {kind(value)}", field=name)
    key = text_at(value, _QUESTIONS)
    if key is None:
        talk = next((k for k in value if fold(k) in _MESSAGES and isinstance(value[k], list)), None)
        if talk is not None:
            rest = {k: v for k, v in value.items() if k != talk}
            return _talked(row, value[talk], f"{name}.{talk}", rest)
        some = ", ".join(repr(str(k)[:40]) for k in list(value)[:8])
        raise row.fault(
            f"no part of it is a question: it has {some}",
            field=name,
            fix="Call the part that is asked: question.",
        )
    more = {k: v for k, v in value.items() if k != key}
    before = next((k for k in more if fold(k) in _MESSAGES and isinstance(more[k], list)), None)
    if before is None:
        return Asked(question=value[key], more=more)
    turns = [_turn(row, turn, f"{name}.{before}") for turn in more.pop(before)]
    history = tuple({"role": role, "content": text} for role, text in turns if text)
    return Asked(question=value[key], history=history, more=more)


def _talked(row: Row, messages: Iterable[object], name: str, more: dict[str, Any]) -> Asked:
    turns = [_turn(row, message, name) for message in messages]
    spoken = [n for n, (role, text) in enumerate(turns) if role == "user" and text]
    if not spoken:
        raise row.fault("no message is the user's: there is no question", field=name)
    last = spoken[-1]
    history = tuple({"role": role, "content": text} for role, text in turns[:last] if text)
    return Asked(question=turns[last][1], history=history, more=more)


def _turn(row: Row, message: object, name: str) -> tuple[str, str]:
    """Return role and text of a chat message, in the forms of OpenAI and of LangChain."""
    if not isinstance(message, dict):
        raise row.fault(f"a message is not {kind(message)}", field=name)
    inner = message.get("kwargs") or message.get("data") or message
    inner = inner if isinstance(inner, dict) else message
    told = message.get("role") or inner.get("type") or message.get("type") or ""
    role = _ROLES.get(str(told).lower().removesuffix("message"), str(told) or "user")
    return role, _words(inner.get("content"))


def _words(content: object) -> str:
    if isinstance(content, list):  # parts of text, images, ...
        parts = [part.get("text") if isinstance(part, dict) else part for part in content]
        content = "\n".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) and content.strip() else ""


def answered(value: object) -> tuple[str | None, dict[str, Any]]:
    """Return the answer that an output is or has, and what else it has."""
    if isinstance(value, str):
        return value or None, {}
    if isinstance(value, list):
        turns = [turn for turn in value if isinstance(turn, dict)]
        words = [_words(turn.get("content")) for turn in turns]
        return (words[-1] or None, {}) if words else (None, {"output": value} if value else {})
    if not isinstance(value, dict):
        return (None, {}) if value is None else (None, {"output": value})
    key = text_at(value, _ANSWERS)
    if key is not None:
        return value[key], {k: v for k, v in value.items() if k != key}
    talk = next((k for k in value if fold(k) in _MESSAGES and isinstance(value[k], list)), None)
    if talk is not None:
        text, _ = answered(value[talk])
        return text, {k: v for k, v in value.items() if k != talk}
    return None, dict(value)


def text_at(value: Mapping[str, Any], names: Iterable[str]) -> str | None:
    """Return the key that holds a text under the first of the names, or that is the only text.

    A key may have a prefix, as in `input_question`; one that tells of a prediction is never taken.
    """
    texts: dict[str, str] = {}
    for key, part in value.items():
        if isinstance(part, str) and part.strip() and not predicted(key):
            texts.setdefault(fold(key), key)
    for name in names:
        if name in texts:
            return texts[name]
    for name in names:
        found = [key for folded, key in texts.items() if folded.endswith(f"_{name}")]
        if len(found) == 1:
            return found[0]
    return next(iter(texts.values())) if len(texts) == 1 and len(value) == 1 else None


def worded(key: str) -> bool:
    """Say whether a name is that of a question or of an answer."""
    return fold(key) in _QUESTIONS or fold(key) in _ANSWERS


def predicted(key: str) -> bool:
    """Say whether a name tells of what a system answered."""
    return any(mark in fold(key) for mark in _PREDICTED)
