"""Messages in the shapes of providers and frameworks."""

from typing import Any

import pytest

from acidtest.data.golden import Turn
from acidtest.tracing.conventions.chat import content_text, reply, turns


@pytest.mark.parametrize(
    "given",
    [
        {"role": "user", "content": "Hi."},
        {"role": "human", "content": [{"type": "text", "text": "Hi."}]},
        {"role": "user", "parts": [{"type": "text", "content": "Hi."}]},
        {"role": "user", "parts": [{"text": "Hi."}]},
        {"type": "human", "content": "Hi."},
        {"type": "human", "data": {"content": "Hi."}},
        {"message.role": "user", "message.content": "Hi."},
        {
            "message.role": "user",
            "message.contents.0.message_content.type": "text",
            "message.contents.0.message_content.text": "Hi.",
        },
        {"lc": 1, "id": ["langchain", "schema", "HumanMessage"], "kwargs": {"content": "Hi."}},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hi."}]},
        {"index": 0, "message": {"role": "user", "content": "Hi."}},
    ],
)
def test_one_message(given: dict[str, Any]) -> None:
    assert turns([given]) == turns(given) == turns({"messages": [given]}) == (Turn("user", "Hi."),)


def test_thoughts_and_calls_of_tools_are_no_text() -> None:
    given = [
        {"type": "reasoning", "text": "Hm."},
        {"type": "tool_call", "name": "search", "arguments": {}},
        {"type": "text", "text": "Hi."},
        {"thought": True, "text": "Hm."},
        "there",
    ]
    assert content_text(given) == "Hi.\nthere"


def test_what_names_no_role_is_no_message() -> None:
    assert turns([{"content": "Hi."}, {"type": "text", "text": "Hi."}, "Hi.", None]) == ()


def test_the_last_reply() -> None:
    said = (Turn("user", "?"), Turn("assistant", "Yes."), Turn("tool", "x"))
    assert reply(said) == "Yes."
    assert reply((*said, Turn("user", "And?"))) is None
    assert reply((Turn("assistant", ""),)) is None
