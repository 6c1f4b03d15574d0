"""Ragas' multi-turn samples: a list of messages as `user_input`, to one question with earlier turns.

The last message of the person is the question, what came before is the conversation's history, and the
assistant's last words after it are the answer.
"""

from typing import Any

from acidtest.codec.rows.row import Row, kind
from acidtest.formats.cells import cell
from acidtest.formats.losses import Losses

_ROLES = {"human": "user", "ai": "assistant", "tool": "tool"}
_PRINTED = "[{'content'"
_FIX = 'A message is {"content": "...", "type": "human"}; its type is human, ai or tool.'


def single(row: Row, losses: Losses) -> Row:
    """Return a row as a single-turn sample; one that is not multi-turn comes back as it is.

    Raises:
        DataError: The messages are not what Ragas writes, or no person speaks in them.
    """
    given = row.values.get("user_input")
    messages = cell(row, "user_input", given)
    if row.flat and isinstance(given, str) and given.startswith(_PRINTED):
        raise row.fault(
            "a conversation as Python prints it",
            field="user_input",
            fix="Save the dataset with to_jsonl, which keeps it whole.",
        )
    if not isinstance(messages, list) or (row.flat and not _talk(messages)):
        return row
    turns = [_turn(row, number, message, losses) for number, message in enumerate(messages)]
    spoken = [n for n, (role, text) in enumerate(turns) if role == "user" and text]
    if not spoken:
        raise row.fault("no message is a person's: there is no question", field="user_input")
    last = spoken[-1]
    history = [{"role": role, "content": text} for role, text in turns[:last] if text]
    replies = [text for role, text in turns[last + 1 :] if role == "assistant" and text]
    if len(turns) - last - 1 > (1 if replies else 0):
        losses.add("user_input", "messages between the question and the answer", row.where)
    values: dict[str, Any] = {**row.values, "user_input": turns[last][1]}
    if history:
        values["history"] = history
    if replies:
        values["response"] = replies[-1]
    return Row(where=row.where, values=values, error=row.error)


def _talk(messages: list[object]) -> bool:
    """Say whether a list in a cell is of messages: a question may look like a list."""
    return bool(messages) and all(isinstance(message, dict) for message in messages)


def _turn(row: Row, number: int, message: object, losses: Losses) -> tuple[str, str]:
    where = f"user_input[{number}]"
    if not isinstance(message, dict):
        raise row.fault(f"a message is not {kind(message)}", field=where, fix=_FIX)
    role, text = _ROLES.get(str(message.get("type"))), message.get("content")
    if role is None or not isinstance(text, str):
        raise row.fault("not a message with a type and a content", field=where, fix=_FIX)
    if message.get("tool_calls"):
        losses.add("user_input.tool_calls", "calls of tools are not kept", row.where)
    if message.get("metadata"):
        losses.add("user_input.metadata", "what stands beside a message is not kept", row.where)
    return role, text if text.strip() else ""
