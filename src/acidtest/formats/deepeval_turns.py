"""DeepEval's conversational goldens: the last thing that the user says is the question.

The turns before it are the history, the assistant's turn after it is the answer, with the passages that it
retrieved. Scenario, expected outcome and user are kept in the metadata: an outcome ("the user gets a
refund") is no answer that an answer could be compared with.
"""

from typing import Any

from acidtest.codec.rows.row import Row, kind
from acidtest.formats.cells import cell, opened
from acidtest.formats.deepeval_parts import passage, texts, with_metadata
from acidtest.formats.losses import Losses

_TURN = ("role", "content", "retrieval_context", "user_id", "order")
_FIX = 'A turn is {"role": "user" or "assistant", "content": "..."}.'


def conversation(row: Row, values: dict[str, Any], losses: Losses) -> Row | None:
    """Return the case of a conversation, or None where no turn is the user's (a loss is counted).

    Raises:
        DataError: A turn is not what DeepEval writes.
    """
    turns = _turns(row, values.get("turns"))
    asked = [
        n for n, turn in enumerate(turns) if turn["role"] == "user" and turn["content"].strip()
    ]
    if not asked:
        losses.add("scenario", "no turn is the user's: a scenario alone asks nothing", row.where)
        return None
    last = asked[-1]
    found: dict[str, Any] = {"question": turns[last]["content"]}
    history = [
        {"role": turn["role"], "content": turn["content"]}
        for turn in turns[:last]
        if turn["content"].strip()
    ]
    if history:
        found["history"] = history
    answer = next((t for t in turns[last + 1 :] if t["role"] == "assistant"), None)
    if answer is not None:
        found["generated_answer"] = answer["content"]
        if answer.get("retrieval_context") is not None:
            retrieved = texts(row, "retrieval_context", answer["retrieval_context"])
            found["retrieved"] = [passage(text) for text in retrieved]
    if values.get("context") is not None:
        found["evidence"] = texts(row, "context", values["context"])
    _left(row, turns, answer, losses, after=len(turns) - last - 2)
    if values.get("expected_outcome"):
        why = "kept in the metadata: an outcome is no answer to compare with"
        losses.add("expected_outcome", why, row.where)
    beside = {
        name: cell(row, name, value)
        for name, value in values.items()
        if name not in ("turns", "context")
    }
    return with_metadata(row, found, beside)


def _turns(row: Row, given: object) -> list[dict[str, Any]]:
    value = opened(row, "turns", given)  # JSON in a text, also in JSON files
    if value is None:
        return []
    if not isinstance(value, list):
        raise row.fault(f"must be a list of turns, not {kind(value)}", field="turns")
    for number, turn in enumerate(value):
        fine = isinstance(turn, dict) and all(
            isinstance(turn.get(name), str) for name in ("role", "content")
        )
        if not fine:
            raise row.fault("a turn has a role and a content", field=f"turns[{number}]", fix=_FIX)
    return value


def _left(
    row: Row,
    turns: list[dict[str, Any]],
    answer: dict[str, Any] | None,
    losses: Losses,
    *,
    after: int,
) -> None:
    for turn in turns:
        if turn is not answer and turn.get("retrieval_context"):
            why = "only the last answer's passages are kept"
            losses.add("turns.retrieval_context", why, row.where)
            break
    for name in sorted({n for turn in turns for n, v in turn.items() if v and n not in _TURN}):
        losses.add(f"turns.{name}", "a turn is its role and content", row.where)
    if after > 0:
        losses.add("turns", "turns after the answer to the last question", row.where)
