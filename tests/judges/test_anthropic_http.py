"""Anthropic's Messages API, imitated as documented, over real sockets on this machine."""

import msgspec
import pytest

from acidtest.errors import JudgeError
from acidtest.judges.anthropic_http import AnthropicBackend
from acidtest.judges.backend import Request, Stumbled, Throttled, Unreachable
from acidtest.judges.circuit import ShutOut
from acidtest.judges.faults import TooLong

KEY = "sk-ant-s3cr3t-0123456789"
SCHEMA = {
    "type": "object",
    "properties": {"verdicts": {"type": "array", "items": {"type": "string"}, "minItems": 2}},
    "required": ["verdicts"],
    "additionalProperties": False,
}
REQUEST = Request(text="Judge.", schema=SCHEMA, schema_name="x", max_tokens=64, system="Be just.")


def body(text="{}", stop="end_turn", **more):
    return {
        "id": "msg_01",
        "type": "message",
        "role": "assistant",
        "model": "claude-x-20260101",
        "content": [
            {"type": "thinking", "thinking": "{hm}", "signature": "s"},
            {"type": "text", "text": text},
        ],
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {
            "input_tokens": 20,
            "cache_creation_input_tokens": 30,
            "cache_read_input_tokens": 50,
            "output_tokens": 7,
        },
    } | more


def error(kind, message, status, stub, **more):
    return stub.says({"type": "error", "error": {"type": kind, "message": message}}, status, **more)


async def once(stub, *script, request=REQUEST, times=1):
    async with stub.serving(*script) as endpoint:
        backend = AnthropicBackend("claude-x", api_key=KEY, base_url=endpoint.origin)
        try:
            for _ in range(times):
                got = await backend.complete(request)
            return got, endpoint.asked
        finally:
            await backend.aclose()


async def test_what_goes_out_and_comes_back(stub):
    got, asked = await once(stub, stub.says(body('{"verdicts": []}')))
    assert asked[0].path == "/v1/messages"
    assert asked[0].headers["x-api-key"] == KEY
    assert asked[0].headers["anthropic-version"] == "2023-06-01"
    schema = {**SCHEMA, "properties": {"verdicts": {"type": "array", "items": {"type": "string"}}}}
    assert asked[0].json == {
        "model": "claude-x",
        "max_tokens": 64,
        "system": "Be just.",
        "output_config": {"format": {"type": "json_schema", "schema": schema}},
        "messages": [{"role": "user", "content": "Judge."}],
        "temperature": 0.0,
    }
    assert got.text == '{"verdicts": []}'
    assert (got.model, got.finish) == ("claude-x-20260101", "stop")
    assert (got.input_tokens, got.output_tokens, got.cached_tokens) == (100, 7, 50)
    assert got.cache_write_tokens == 30
    assert got.dropped == ()


SHARED = msgspec.structs.replace(REQUEST, text="<passage>\n\nJudge.", prefix=9)


async def test_a_shared_beginning_is_marked_and_the_schema_stands_behind_it(stub):
    _, asked = await once(stub, stub.says(body()), request=SHARED)
    assert "output_config" not in asked[0].json  # it would stand before what is to be found again
    (message,) = asked[0].json["messages"]
    first, second = message["content"]
    assert first == {
        "type": "text",
        "text": "<passage>",
        "cache_control": {"type": "ephemeral"},
    }
    assert second["text"].startswith("\n\nJudge.\n\nReply with one JSON value")
    assert '"minItems":2' in second["text"]
    assert second.keys() == {"type", "text"}


async def test_a_gateway_that_knows_no_marks_gets_none(stub):
    message = "messages.0.content.0.cache_control: Extra inputs are not permitted"
    refused = error("invalid_request_error", message, 400, stub)
    got, asked = await once(stub, refused, stub.says(body()), request=SHARED, times=2)
    assert got.dropped == ("cache_control",)
    assert [isinstance(a.json["messages"][0]["content"], str) for a in asked] == [False, True, True]
    assert "output_config" in asked[1].json


async def test_the_most_room_is_learnt(stub):
    message = (
        "max_tokens: 64 > 40, which is the maximum allowed number of output tokens for claude-x"
    )
    refused = error("invalid_request_error", message, 400, stub)
    got, asked = await once(stub, refused, stub.says(body()), times=2)
    assert [a.json["max_tokens"] for a in asked] == [64, 40, 40]
    assert got.room == 40
    assert got.dropped == ()


@pytest.mark.parametrize(
    ("stop", "finish"),
    [
        ("end_turn", "stop"),
        ("stop_sequence", "stop"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("refusal", "refusal"),
    ],
)
async def test_how_it_ends(stub, stop, finish):
    got, _ = await once(stub, stub.says(body("{}", stop)))
    assert got.finish == finish


async def test_a_refused_temperature_is_dropped_and_remembered(stub):
    refused = error(
        "invalid_request_error", "`temperature` is deprecated for this model.", 400, stub
    )
    got, asked = await once(stub, refused, stub.says(body()), times=2)
    assert got.dropped == ("temperature",)
    assert ["temperature" in a.json for a in asked] == [True, False, False]


async def test_a_model_before_structured_outputs_gets_the_schema_in_words(stub):
    refused = error(
        "invalid_request_error", "output_config.format: Extra inputs are not permitted", 400, stub
    )
    got, asked = await once(stub, refused, stub.says(body()))
    assert got.dropped == ("response_format",)
    assert "output_config" not in asked[1].json
    assert '"minItems":2' in asked[1].json["messages"][0]["content"]


@pytest.mark.parametrize(
    ("kind", "message", "status", "raised"),
    [
        ("authentication_error", "invalid x-api-key", 401, ShutOut),
        ("permission_error", "not for you", 403, JudgeError),
        ("not_found_error", "model: claude-x", 404, ShutOut),
        ("request_too_large", "Request exceeds the maximum size", 413, TooLong),
        (
            "invalid_request_error",
            "prompt is too long: 210000 tokens > 200000 maximum",
            400,
            TooLong,
        ),
        (
            "invalid_request_error",
            "max_tokens: 99999 > 64000, which is the maximum allowed number of output tokens",
            400,
            JudgeError,
        ),
        ("rate_limit_error", "slow down", 429, Throttled),
        ("api_error", "oops", 500, Stumbled),
        ("overloaded_error", "Overloaded", 529, Throttled),
    ],
)
async def test_what_an_error_means(stub, kind, message, status, raised):
    with pytest.raises(JudgeError) as caught:
        await once(stub, error(kind, message, status, stub))
    assert type(caught.value) is raised
    assert message in caught.value.what


async def test_hints_when_to_come_back(stub):
    said = error("rate_limit_error", "slow down", 429, stub, headers={"retry-after": "12"})
    with pytest.raises(Throttled) as raised:
        await once(stub, said)
    assert raised.value.retry_after == 12
    headers = {
        "anthropic-ratelimit-requests-limit": "50",
        "anthropic-ratelimit-requests-remaining": "0",
        "anthropic-ratelimit-requests-reset": "2999-01-01T00:00:00Z",
    }
    got, _ = await once(stub, stub.says(body(), headers=headers))
    assert got.wait_s == 0  # a reset in centuries is a mistake, not a hint


async def test_what_is_no_message(stub):
    with pytest.raises(Unreachable, match="is no message"):
        await once(stub, stub.says({"completion": "{}"}))


@pytest.mark.parametrize(
    ("reply", "warnings"),
    [
        (({"id": "claude-x", "type": "model"}, 200), 0),
        (({"type": "error", "error": {"type": "not_found_error", "message": "model"}}, 404), 1),
        (({}, 404), 0),  # a gateway without that route
    ],
)
async def test_the_check_looks_the_model_up(stub, reply, warnings):
    async with stub.serving(stub.says(*reply)) as endpoint:
        backend = AnthropicBackend("claude-x", api_key=KEY, base_url=endpoint.origin)
        assert len(await backend.check()) == warnings
        assert endpoint.asked[0].path == "/v1/models/claude-x"
        await backend.aclose()


async def test_the_check_tells_a_bad_key(stub):
    async with stub.serving(error("authentication_error", f"bad {KEY}", 401, stub)) as endpoint:
        backend = AnthropicBackend("claude-x", api_key=KEY, base_url=endpoint.origin)
        with pytest.raises(ShutOut) as raised:
            await backend.check()
        await backend.aclose()
    assert KEY not in str(raised.value) + repr(backend)
